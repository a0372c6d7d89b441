"""The speed figures stand on their page, and the contest that makes them asks all systems alike."""

from __future__ import annotations

import copy
import doctest
import importlib
import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from benchmarks import speed
from benchmarks.systems import OURS, MissingPackageError, System
from benchmarks.timing import contest, daily, page, plot, texts
from benchmarks.timing.entrants import ENTRANTS, REFERENCE, Requiring, asking, requires
from benchmarks.timing.texts import KINDS, REQUIRED, Query
from skill_index import Skill

PAGE = speed.PAGE.read_text("utf-8")
SKILLS = (
    Skill("fill-forms", "Fill in a form, sign it and send it to a person who waits."),
    Skill("draw-charts", "Draw a chart from the numbers of a table or of a form."),
    Skill("cut-audio", "Cut and join audio, and draw its waves."),
    Skill("bake-bread", "Knead dough, let it rise, bake bread."),
    Skill("mend-bikes", "Mend a flat tyre, tighten brakes, oil the chain."),
    Skill("sow-seeds", "Sow seeds in spring, water them, keep frost away."),
)


def figures() -> dict[str, Any]:
    """Return the project's own result file."""
    found: dict[str, Any] = json.loads(speed.RESULTS.read_text("utf-8"))
    return found


def test_the_page_holds_the_tables_of_the_speed() -> None:
    """The tables are those that the result file makes, and the picture beside them is shown."""
    between = PAGE.partition(page.BEGIN)[2].partition(page.END)[0]
    assert between.strip() == page.render(figures())
    assert f"](results/{speed.PLOT.name})" in PAGE
    assert speed.PLOT.read_bytes().startswith(b"\x89PNG")


def test_the_figures_are_of_whole_runs() -> None:
    """Every set has a row for each system, and each row its figures or the reason why not."""
    for of_set in figures()["sets"].values():
        assert of_set["systems"].keys() == ENTRANTS.keys()
        for row in of_set["systems"].values():
            assert ("build_seconds" in row) + ("over_budget" in row) == 1
            assert "over_budget" in row or row["kinds"].keys() == set(KINDS)


def test_without_words_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The missing package is named, and nothing is written."""

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    monkeypatch.setattr(sys, "argv", ["speed.py"])
    assert speed.main() == 0
    assert capsys.readouterr().out.startswith("skipped: wordfreq is not installed")


def made(name: str) -> System:
    """Make a system that takes part, built, or skip where its package is missing."""
    try:
        system = ENTRANTS[name]()
    except MissingPackageError as missing:
        pytest.skip(str(missing))
    system.build(SKILLS)
    return system


@pytest.mark.parametrize("name", ENTRANTS)
def test_everyone_finds_an_easy_one_and_keeps_the_limit(name: str) -> None:
    """What is fast and wrong would not count."""
    system = made(name)
    assert name == system.name
    assert asking(system, 1)(Query("bake bread", "", "bake-bread")) == ["bake-bread"]
    assert len(asking(system, 2)(Query("draw form audio bread", "", ""))) == 2


@pytest.mark.parametrize("name", [name for name in ENTRANTS if not name.startswith("rapidfuzz")])
def test_stop_words_alone_find_nothing(name: str) -> None:
    """Everyone who can drops the same ones; this library asks by them where a query has no others."""
    found = asking(made(name), 5)(Query("the of to a", "", ""))
    assert not found or name == OURS


@pytest.mark.parametrize("name", ENTRANTS)
def test_a_required_word_is_required_where_there_is_an_operator(name: str) -> None:
    """`draw` stands in one name, and in the description of another skill."""
    system = made(name)
    found = asking(system, 5)(Query("audio waves", "draw", ""))
    assert requires(name, system) == (isinstance(system, Requiring) or name == OURS)
    if name == REFERENCE:
        assert set(found) == {"draw-charts", "cut-audio"}  # one field: anywhere
    elif requires(name, system):
        assert found == ["draw-charts"]
    else:
        assert "cut-audio" in found


def asked_of_skills(tmp_path: Path) -> tuple[Path, dict[str, list[Query]]]:
    """Return a file of skills with queries for it."""
    file = tmp_path / "skills.jsonl"
    texts.write_skills(file, SKILLS)
    return file, texts.queries(SKILLS, 11)


def test_a_contest_measures_whoever_is_installed(tmp_path: Path) -> None:
    """Build, memory and every kind of query; a missing package is named."""
    file, queries = asked_of_skills(tmp_path)
    said: list[str] = []
    names = (OURS, REFERENCE, "SQLite FTS5")
    rows = contest.hold(file, queries, contest.Budget(60, 30), said.append, names)
    assert tuple(rows) == names
    assert len(names) < len(said) <= contest.steps(len(names), len(queries))
    for row in rows.values():
        if "skipped" in row:
            assert "is not installed" in row["skipped"]
            continue
        assert row["build_seconds"] > 0
        assert row["build_processor_seconds"] > 0
        assert row["kinds"].keys() == queries.keys()
        for kind, found in row["kinds"].items():
            assert found["queries"] == len(queries[kind]) - 1
            assert 0 < found["p50_ms"] <= found["p95_ms"]
        assert row["kinds"]["5 words"]["found"] == 1


def test_budgets_end_a_build_and_a_kind_of_query(tmp_path: Path) -> None:
    """Nothing is silently missing: the row says what was too slow, or that the process is gone."""
    file, queries = asked_of_skills(tmp_path)
    fts5 = "SQLite FTS5"

    def rows(budget: contest.Budget) -> dict[str, Any]:
        return contest.hold(file, queries, budget, lambda _: None, [fts5])[fts5]

    assert rows(contest.Budget(build=0)) == {"over_budget": 0}
    kinds = rows(contest.Budget(queries=0))["kinds"]
    assert {name: [*found] for name, found in kinds.items()} == {name: ["over_seconds"] for name in queries}


def test_a_process_that_fails_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its exit code is in the row, its traceback on stderr, and it answers no more."""
    file, queries = asked_of_skills(tmp_path)
    entrant = contest.Entrant("no such system", file, queries[REQUIRED][0])
    assert entrant.built(60) == {"failed": 1}
    assert entrant.answers(queries[REQUIRED], 1, 1) is None
    assert "no such system" in capfd.readouterr().err


def test_what_the_build_loads_may_not_be_loaded_before(tmp_path: Path) -> None:
    """Else a process would get numpy for free."""
    importlib.import_module("numpy")
    file, queries = asked_of_skills(tmp_path)
    with pytest.raises(RuntimeError, match="is loaded before the clock runs"):
        contest.compete(OURS, file, queries[REQUIRED][0], None)  # type: ignore[arg-type]


def test_the_script_loads_nothing_that_counts() -> None:
    """Processes of a contest import what the script imports."""
    code = "import sys, benchmarks.speed; print(*sys.modules, sep='\\n')"
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=speed.ROOT
    )
    loaded = set(done.stdout.split())
    assert "benchmarks.timing.contest" in loaded
    assert not loaded & set(contest.COUNTED)


SMALL: dict[str, Any] = {
    "machine": "a machine",
    "versions": {"python": "3"},
    "skipped": ["bm25s is not installed"],
    "sets": {
        "10": {
            "run": "now",
            "skills": 10,
            "real": False,
            "build_budget": 9,
            "query_budget": 2,
            "systems": {
                OURS: {
                    "build_seconds": 2.0,
                    "build_processor_seconds": 1.5,
                    "added_mb": 30.0,
                    "requires": True,
                    "kinds": {
                        kind: {"queries": 200, "p50_ms": 0.5, "p95_ms": 1.25, "found": 1.0} for kind in KINDS
                    },
                },
                REFERENCE: {
                    "build_seconds": 0.5,
                    "build_processor_seconds": 0.5,
                    "added_mb": 0.0,
                    "requires": False,
                    "kinds": {
                        kind: {"queries": 200, "p50_ms": 0.25, "p95_ms": 50, "found": 0.5} for kind in KINDS
                    },
                },
                "Whoosh 2.7.4 index": {"over_budget": 9},
                "rank_bm25": {"failed": -9},
            },
        }
    },
    "daily": {},
}


def test_figures_show_the_digits_that_mean_something() -> None:
    """The examples of the module hold."""
    assert doctest.testmod(page) == (0, 1)


def test_the_tables_say_ratios_and_what_is_missing() -> None:
    """Twice the time is 2; a build over budget, a failed one and a missing package are told."""
    told = page.render(SMALL)
    assert "| 10 synthetic skills | 4 | 3 |  | 2 | 2 | 2 | 2 | 2 |" in told
    assert f"| skill_index | 2 / 1.5 | 30 |{' 0.5 / 1.2 |' * 5} 2 | 1 | 100% |" in told
    assert "| 0.25 / 50 | 0.25 / 50 | 0.25 / 50 | 0.25 / 50† | 0.25 / 50 | 1 | 0.5 | 50% |" in told
    assert "| Whoosh 2.7.4 index | over budget (9 s) |  |" in told
    assert "| rank_bm25 | failed (-9) |  |" in told
    assert "Skipped: bm25s is not installed." in told


@pytest.mark.parametrize(
    ("found", "cell"),
    [
        ({"over_seconds": 3.21}, "over budget (3.2 s)"),
        ({"ended": True}, "ended"),
        ({"queries": 7, "p50_ms": 1234.5, "p95_ms": 2000.0, "found": 1.0}, "1,234 / 2,000\\*"),
    ],
)
def test_a_kind_that_was_cut_short_is_marked(found: dict[str, Any], cell: str) -> None:
    """What took too long, whose process is gone, and what answered only some of the queries."""
    small = copy.deepcopy(SMALL)
    small["sets"]["10"]["systems"][OURS]["kinds"][page.MAIN] = found
    assert f"| 0.5 / 1.2 | {cell} | 0.5 / 1.2 |" in page.render(small)


def test_the_same_figures_draw_the_same_picture(tmp_path: Path) -> None:
    """To the byte; systems without a figure leave a gap, and without synthetic sets there is no picture."""
    for name in ("one.png", "two.png"):
        plot.draw(SMALL, tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    plot.draw({"sets": {}}, tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()


def test_figures_are_kept_in_order_and_missing_systems_apart(tmp_path: Path) -> None:
    """Sets go by size, real ones last; a system that is not installed has no row but a line."""
    file = tmp_path / "speed.json"
    kept = speed.read(file)
    sizes = {"corpus": (5, True), "10": (10, False), "2": (2, False)}
    for name, (skills, real) in sizes.items():
        systems = {OURS: {"build_seconds": 1}, "x": {"skipped": "x is not installed"}}
        kept["sets"][name] = {"skills": skills, "real": real, "systems": systems}
    speed.write(file, kept)
    again = speed.read(file)
    assert list(again["sets"]) == ["2", "10", "corpus"]
    assert again["skipped"] == ["x is not installed"]
    assert all(of_set["systems"].keys() == {OURS} for of_set in again["sets"].values())


def test_a_part_of_the_systems_may_not_replace_the_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures compare within one run."""
    monkeypatch.setattr(sys, "argv", ["speed.py", "--only", OURS])
    with pytest.raises(SystemExit):
        speed.parse_options()
    assert "name another --json" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["speed.py", "--only", OURS, "--json", "x.json", "--sizes", "7,8"])
    options = speed.parse_options()
    assert (options.only, options.sizes) == ([OURS], [7, 8])


def test_daily_waits_are_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each row of the table has its figure, over a folder of files that change."""
    for name, value in {"TURNS": 1, "SETTLED": 0.0, "QUERIES": 4, "QUICK": 0.1}.items():
        monkeypatch.setattr(daily, name, value)
    for skill in islice(SKILLS, 3):
        at = tmp_path / skill.name / "SKILL.md"
        at.parent.mkdir()
        at.write_text(f"---\nname: {skill.name}\ndescription: {skill.description}\n---\n", "utf-8")
    said: list[str] = []
    found = daily.of_folder(tmp_path, said.append)
    assert found.keys() == page.DAILY.keys()
    assert found["skills"] == 4
    assert [name for name, value in found.items() if value <= 0] == []
    starts = daily.starts()
    assert starts.keys() == page.STARTS.keys()
    assert all(
        0 < alone < helped for alone, helped in zip(starts["python_ms"], starts["help_ms"], strict=True)
    )
    told = page.render(SMALL | {"daily": {"folders": {"small": found}, "starts": starts}})
    assert "|  | small |" in told
    assert len(said) == 4
