"""Learning weights: steps, what is kept, and that a bench weighed anew answers as a fresh catalog does."""

from __future__ import annotations

import doctest
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import ablation, tune
from benchmarks.datasets import DEV_SETS, MORE_SETS
from benchmarks.judging import Bench, sampled
from skill_index import Skill, SkillCatalog
from skill_index.evaluation import JudgedQuery, JudgedSet, evaluate
from skill_index.settings import SearchSettings

ROOT = Path(__file__).parents[1]
DEFAULTS = SearchSettings()

OFFICE = (
    Skill("pdf-forms", "Fill in PDF forms. Use when a form must be signed.", '# Forms\nSay "sign this pdf".'),
    Skill("pdf-merge", "Join PDF files into one. Not for forms.", "# Merge\nForms stay as they are."),
    Skill("sheets", "Edit spreadsheets, charts and tables.", "# Charts\nExport a sheet to pdf files."),
    Skill("slides", "Make a slide deck with charts.", "# Deck\n- User: make me a presentation of the sheets"),
)
KITCHEN = (
    Skill("bread", "Bake bread. Use when dough must rise.", "# Dough\nMix flour and water, bake it."),
    Skill("soup", "Cook a soup from vegetables.", '# Soup\nSay "something warm with bread".'),
    Skill("pan-cakes", "Bake pancakes in a pan.", "# Batter\nFlour, milk, eggs; no dough, no bread."),
)


def judged(name: str, skills: tuple[Skill, ...], needs: dict[str, str]) -> JudgedSet:
    """Return a set of queries that need one skill each."""
    queries = tuple(JudgedQuery(f"q{number}", text) for number, text in enumerate(needs))
    qrels = {f"q{number}": {needed: 1} for number, needed in enumerate(needs.values())}
    return JudgedSet(name, skills, queries, qrels)


SETS = (
    judged(
        "office",
        OFFICE,
        {
            "sign a pdf form": "pdf-forms",
            "join forms and pdf files": "pdf-merge",
            "pdf merge": "pdf-merge",
            "export charts of a table to pdf": "sheets",
            "presentation with charts and sheets": "slides",
            "spredsheets": "sheets",
        },
    ),
    judged(
        "kitchen",
        KITCHEN,
        {"bake with flour and eggs": "pan-cakes", "warm bread and vegetables": "soup", "rise dough": "bread"},
    ),
)
BENCHES = tuple(map(Bench.of, SETS))


POOR = {f"weights.{field}.weight": 0.01 for field in ("name", "description", "uses", "quotes")} | {
    "name_lift": 0.01
}


def up_to(most: int) -> list[tune.Candidate]:
    """Search from poor settings on, so many candidates."""
    poor = tune.turned(DEFAULTS, POOR)
    return list(tune.tried(BENCHES, poor, 7, lambda count: count < most))


def test_numbers_set_to_what_they_are_change_nothing() -> None:
    """A candidate equal to the defaults is the defaults."""
    assert tune.turned(DEFAULTS, tune.values_of(DEFAULTS)) == DEFAULTS


@pytest.mark.parametrize("path", tune.PARAMETERS)
def test_every_number_can_be_turned_alone(path: str) -> None:
    """A number set is the number read, and no other moves."""
    before = tune.values_of(DEFAULTS)
    assert tune.values_of(tune.turned(DEFAULTS, {path: 0.125})) == before | {path: 0.125}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 32), gate=st.sampled_from([0.0, 0.05, 0.6]))
def test_weighed_anew_it_answers_as_a_fresh_catalog_does(seed: int, gate: float) -> None:
    """The order and the figure are those of the public search with these settings."""
    rng = random.Random(seed)
    values = tune.values_of(DEFAULTS)
    for _ in range(rng.randint(0, 6)):
        values = tune.stepped(values, rng)
    turned = tune.turned(DEFAULTS, values | {"gate_least": gate})
    for bench, known in zip(BENCHES, SETS, strict=True):
        fresh = evaluate(known, catalog=SkillCatalog(known.skills, settings=turned))
        assert bench.answers(turned) == {
            query.id: [hit.name for hit in query.hits] for query in fresh.queries
        }
        figures = [query.metrics["nDCG@10"] for query in fresh.queries]
        assert bench.score(turned) == pytest.approx(100 * sum(figures) / len(figures))


@given(seed=st.integers(0, 1 << 32))
def test_a_step_moves_one_to_three_numbers_and_stays_in_range(seed: int) -> None:
    """Weights and lifts stay positive, length penalties between 0 and 1."""
    before = tune.values_of(DEFAULTS)
    after = tune.stepped(before, random.Random(seed))
    moved = [path for path in tune.PARAMETERS if after[path] != before[path]]
    assert len(moved) <= 3
    assert all(0 <= after[path] <= 1 if path.endswith(".b") else after[path] > 0 for path in tune.PARAMETERS)


def test_the_search_never_returns_worse_than_it_began() -> None:
    """From poor settings it finds better ones, each a step of one to three numbers from the best before."""
    found = up_to(40)
    assert tune.best_of(found).mean > found[0].mean
    for count in range(1, len(found)):
        before = tune.values_of(tune.best_of(found[:count]).settings)
        after = tune.values_of(found[count].settings)
        assert sum(before[path] != after[path] for path in tune.PARAMETERS) <= 3


def test_the_same_number_of_candidates_finds_the_same() -> None:
    """Two searches with one seed are equal, and a longer one begins as the shorter."""
    assert up_to(6) == up_to(6) == up_to(8)[:7]


def test_leaving_a_set_out_never_chooses_by_it() -> None:
    """Each set gets the figure of what is best for the others, however well another does on it."""
    known = [tune.Candidate(DEFAULTS, scores) for scores in ((50.0, 50.0), (90.0, 20.0), (10.0, 80.0))]
    assert tune.left_out(known) == (10.0, 20.0)
    assert tune.best_of(known) == known[1]
    assert tune.left_out([tune.Candidate(DEFAULTS, (50.0,)), tune.Candidate(DEFAULTS, (90.0,))]) == (50.0,)


def test_what_is_learned_is_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures hold every row for every set, and each improvement was printed."""
    figures = tune.learn(BENCHES, 3, lambda count: count < 5)
    tune.report(figures)
    printed = capsys.readouterr().out
    assert figures["candidates"] == 5
    assert list(figures["rows"]) == ["defaults", "best", "best, rounded", "one set left out"]
    assert all(list(scores) == ["office", "kitchen"] for scores in figures["rows"].values())
    assert figures["averages"]["best"] >= figures["averages"]["defaults"]
    assert list(figures["parameters"]) == list(tune.PARAMETERS)
    assert all(path in printed for path in tune.PARAMETERS)


def test_the_examples_hold() -> None:
    """Benchmarks are no part of the package, so their examples are run here."""
    results = doctest.testmod(tune)
    assert (results.failed, results.attempted > 1) == (0, True)


def test_a_sample_is_a_part_and_the_same_for_the_same_seed() -> None:
    """A sample holds so many queries of the set, in its order; 0 is all."""
    queries = SETS[0].queries
    assert sampled(queries, 0, 1) == sampled(queries, 99, 1) == queries
    taken = sampled(queries, 3, 1)
    assert taken == sampled(queries, 3, 1)
    assert [query for query in queries if query in taken] == list(taken)
    assert len({sampled(queries, 3, seed) for seed in range(20)}) > 1


def test_every_row_of_the_ablation_takes_something_off() -> None:
    """No row but the first is the defaults, and no two are alike."""
    rows = list(ablation.ROWS.values())
    assert rows[0] == DEFAULTS
    assert all(rows.count(row) == 1 for row in rows)


@pytest.mark.parametrize("module", ["tune", "ablation", "abstention"])
def test_without_data_it_says_so(tmp_path: Path, module: str) -> None:
    """No folder is no failure."""
    done = run(module, str(tmp_path / "nowhere"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("skipped: no data")


def write(judged_set: JudgedSet, folder: Path) -> None:
    """Write a set as the benchmarks read it."""
    folder.mkdir(parents=True)
    skills = (
        {"name": skill.name, "description": skill.description, "body": skill.instructions}
        for skill in judged_set.skills
    )
    queries = ({"id": query.id, "text": query.text} for query in judged_set.queries)
    (folder / "skills.jsonl").write_text("\n".join(map(json.dumps, skills)), "utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), "utf-8")
    lines = [f"{query}\t{name}\t1" for query in judged_set.qrels for name in judged_set.needed(query)]
    (folder / "qrels.tsv").write_text("\n".join(lines), "utf-8")


def test_all_run_and_write_their_figures(tmp_path: Path) -> None:
    """On small sets under the real names the programs measure the same defaults."""
    for number, name in enumerate((*DEV_SETS, *MORE_SETS)):
        write(SETS[number % 2], tmp_path / "ranking" / name)
    learned, parts = tmp_path / "tune.json", tmp_path / "ablation.json"
    done = run("tune", str(tmp_path), "--candidates", "2", "--json", str(learned))
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("ablation", str(tmp_path), "--queries", "2", "--json", str(parts))
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("abstention", str(tmp_path), "--queries", "2", "--others", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    figures, rows = json.loads(learned.read_text("utf-8")), json.loads(parts.read_text("utf-8"))
    assert (figures["candidates"], figures["seconds"], figures["queries"]) == (2, None, 100)
    assert list(rows["rows"]) == list(ablation.ROWS)
    assert set(rows["queries"].values()) == {2}
    expected = [bench.score(tune.turned(DEFAULTS, {"gate_least": 0.0})) for bench in BENCHES]
    assert figures["rows"]["defaults"][DEV_SETS[0]] == pytest.approx(expected[0], abs=0.01)
    assert figures["rows"]["defaults"][DEV_SETS[1]] == pytest.approx(expected[1], abs=0.01)


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a benchmark as its page says."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", f"benchmarks.{module}", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
