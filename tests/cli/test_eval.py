"""The command `eval`: figures for people and machines, a page, and what moved."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skill_index.cli import main
from skill_index.cli.app import app
from skill_index.evaluation import MEASURES, Report

SKILLS = {"pdf-forms": "Fill in PDF forms.", "pdf-merge": "Join PDF files.", "chart-maker": "Draw charts."}
QUERIES = {"q1": "fill in forms", "q2": "join files and draw charts", "q3": "[red]forms[/red] \x1b[2J"}
QRELS = "q1\tpdf-forms\t1\nq2\tpdf-merge\t1\nq2\tchart-maker\t1\nq3\tpdf-forms\t1\n"


def json_lines(path: Path, records: Iterator[dict[str, str]]) -> None:
    """Write records, one a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Return the folder of a judged set."""
    folder = tmp_path / "judged"
    folder.mkdir()
    json_lines(folder / "skills.jsonl", ({"name": n, "description": d} for n, d in SKILLS.items()))
    json_lines(folder / "queries.jsonl", ({"id": q, "text": t} for q, t in QUERIES.items()))
    json_lines(folder / "negatives.jsonl", ({"id": q, "text": q} for q in ("weather",)))
    (folder / "qrels.tsv").write_text(QRELS, "utf-8")
    return folder


def evaluated(*arguments: str | Path) -> tuple[int, str]:
    """Run the command and return its exit code and what it printed."""
    done = CliRunner().invoke(app, ["eval", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout


def table(text: str, head: str) -> list[list[str]]:
    """Return the words of the table whose first column is called so."""
    tables = ([line.split() for line in part.strip().splitlines()] for part in text.split("\n\n"))
    return next(rows for rows in tables if " ".join(rows[0]).startswith(head))


def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> str:
    """Return the one sentence with which the command exits 2."""
    monkeypatch.setattr(sys, "argv", ["skill-index", "eval", *map(str, arguments)])
    with pytest.raises(SystemExit) as exit_info:
        main()
    told = capsys.readouterr()
    assert exit_info.value.code == 2
    assert told.err.count("\n") == 1
    return told.err.removeprefix("skill-index: ").strip()


def test_people_get_tables(judged: Path) -> None:
    """All figures of the set, then by kind, then how often nothing was answered strong."""
    code, text = evaluated(judged)
    assert code == 0
    assert "\x1b" not in text
    head, row = table(text, "set")
    assert head[:3] == ["set", "skills", "queries"]
    assert head[3:10] == list(MEASURES)
    assert row[:10] == ["judged", "3", "3", *["100.0"] * 7]
    kinds = table(text, "judged queries")
    assert [line[0] for line in kinds[1:]] == ["phrase", "sentence", "one", "several"]
    assert table(text, "answered")[1] == ["judged", "3", "66.7%", "1", "0.0%"]


def test_machines_get_the_report(judged: Path) -> None:
    """What is printed is a report that can be read back."""
    code, text = evaluated(judged, "--json", "--limit", "2")
    report = Report.from_json(text)
    assert code == 0
    assert (report.sets[0].name, report.sets[0].limit) == ("judged", 2)
    assert max(len(query.hits) for query in report.sets[0].queries) == 2


def test_a_page_is_written(judged: Path, tmp_path: Path) -> None:
    """The page holds the set; its path may not be there."""
    assert evaluated(judged, "--report", tmp_path / "page.html")[0] == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<h2>judged</h2>" in page
    assert page.count("<svg") == 4


def test_a_baseline_is_a_name_or_a_report(judged: Path, tmp_path: Path) -> None:
    """The difference is told with its interval, by either."""
    (tmp_path / "old.json").write_text(evaluated(judged, "--json")[1], "utf-8")
    for name in ("no-bodies", tmp_path / "old.json"):
        lines = table(evaluated(judged, "--baseline", name)[1], "judged, less")
        assert ["nDCG@10", "+0.00", "(+0.00", "to", "+0.00)"] in lines
        assert len(lines) == 1 + len(MEASURES) + 4


def test_distractors_come_in(judged: Path, tmp_path: Path) -> None:
    """How many is told beside the figures, and the catalog holds them."""
    pool = tmp_path / "pool"
    pool.mkdir()
    others = [
        {"name": "pdf-forms", "description": "x"},
        *({"name": f"x{n}", "description": f"{n}"} for n in range(3)),
    ]
    json_lines(pool / "skills.jsonl", iter(others))
    done = CliRunner().invoke(app, ["eval", str(judged), "--distractors", str(pool), "--json"])
    assert done.stderr == "judged: 3 of 4 skills came in as distractors\n"
    (found,) = Report.from_json(done.stdout).sets
    assert (found.skills, found.distractors) == (6, 3)


def test_skills_may_lie_in_a_folder(judged: Path, tmp_path: Path) -> None:
    """With --path the judgments are about SKILL.md files."""
    (judged / "skills.jsonl").unlink()
    for name, described in SKILLS.items():
        (tmp_path / "skills" / name).mkdir(parents=True)
        skill = f"---\nname: {name}\ndescription: {described}\n---\n"
        (tmp_path / "skills" / name / "SKILL.md").write_text(skill, "utf-8")
    code, text = evaluated(judged, "--path", tmp_path / "skills")
    assert (code, table(text, "set")[1][:3]) == (0, ["judged", "3", "3"])


@pytest.mark.parametrize("place", ["", "qrels.tsv"])
def test_a_run_of_another_system_is_measured(judged: Path, tmp_path: Path, place: str) -> None:
    """By a folder or by judgments alone, without times."""
    (tmp_path / "run").write_text("q1 Q0 pdf-forms 1 1 me\n", "utf-8")
    code, text = evaluated(judged / place, "--run", tmp_path / "run")
    assert code == 0
    row = table(text, "set")[1]
    assert (row[2], row[7], row[-1]) == ("3", "33.3", "-")


def test_two_reports_are_compared(judged: Path, tmp_path: Path) -> None:
    """What moved and why, for people on lines that nothing can break out of; equal ones did not move."""
    (tmp_path / "old.json").write_text(evaluated(judged, "--json")[1], "utf-8")
    (tmp_path / "run").write_text("q1 Q0 pdf-forms 1 1 me\n", "utf-8")
    (tmp_path / "new.json").write_text(evaluated(judged, "--run", tmp_path / "run", "--json")[1], "utf-8")
    code, text = evaluated("--compare", tmp_path / "old.json", tmp_path / "new.json")
    assert code == 0
    assert "\x1b" not in text
    lines = text.splitlines()
    assert lines[0].startswith("judged: 3 queries, 0 better, 2 worse; nDCG@10 -66.67 (")
    assert "-100.0 q3: [red]forms[/red] [2J; needs pdf-forms, first at 1 to none" in lines
    assert any(line.startswith("before: pdf-forms: [red]forms[/red] (exact in ") for line in lines)
    assert "after: no hit" in lines
    code, same = evaluated("--compare", tmp_path / "old.json", tmp_path / "old.json")
    assert (code, same.count("\n")) == (0, 1)
    moved = json.loads(evaluated("--compare", tmp_path / "old.json", tmp_path / "new.json", "--json")[1])
    assert [move["id"] for move in moved["sets"][0]["moves"]] == ["q2", "q3"]


def test_reports_without_a_common_set_exit_1(judged: Path, tmp_path: Path) -> None:
    """Nothing to compare is said, and is not success."""
    (tmp_path / "one.json").write_text(evaluated(judged, "--json")[1], "utf-8")
    (tmp_path / "none.json").write_text(Report(sets=()).to_json(), "utf-8")
    code, text = evaluated("--compare", tmp_path / "one.json", tmp_path / "none.json")
    assert (code, text) == (1, "judged is in the older report only\n")


REFUSED = [
    (["{}"], "cannot read '{}/queries.jsonl': "),
    (["--compare", "{}"], "--compare takes two reports, the older first, not 1"),
    (["--compare", "{}/x", "{}/x"], "cannot read '{}/x': "),
    (["{}/judged", "{}/judged"], "two sets are called 'judged'; "),
    (["{}/judged", "--baseline", "best"], "there is no baseline 'best'; take one of flat, "),
    (
        ["{}/judged", "--baseline", "{}/judged/qrels.tsv"],
        "{}/judged/qrels.tsv is no report of an evaluation: ",
    ),
    (["{}/judged", "--baseline", "{}/empty.json"], "the report '{}/empty.json' has no set 'judged'"),
    (["{}/judged", "--distractors", "{}/x"], "cannot read skills from '{}/x': "),
    (["{}/judged", "--report", "{}/x/page.html"], "cannot write '{}/x/page.html': "),
    (["{}/judged", "--run", "{}/run", "--path", "{}"], "--run brings its own answers"),
    (["{}/judged", "--run", "{}/run", "--baseline", "flat"], "--run is compared with a JSON report"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_what_cannot_be_done_exits_2(
    judged: Path,
    tmp_path: Path,
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One sentence on stderr: what, where, what to do."""
    (tmp_path / "run").write_text("q1 Q0 pdf-forms 1 1 me\n", "utf-8")
    (tmp_path / "empty.json").write_text(Report(sets=()).to_json(), "utf-8")
    told = refused(monkeypatch, capsys, *(argument.format(tmp_path) for argument in arguments))
    assert told.startswith(said.format(tmp_path))
