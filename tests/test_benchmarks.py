"""The benchmark page says what its result files say, and the scripts run where there is data."""

from __future__ import annotations

import copy
import importlib.metadata
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import token_tables, typos
from benchmarks import tokens as token_report
from benchmarks.tables import BEGIN, END, insert, render
from benchmarks.timing.memory import EVERY, Peak, memory_mb
from skill_index import Skill, SkillCatalog
from skill_index.names import within_distance
from skill_index.tools import Toolkit

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "benchmarks" / "README.md").read_text("utf-8")


def test_the_page_holds_the_figures_of_the_corpus() -> None:
    """Every count of the result file stands on the page."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "corpus.json").read_text("utf-8"))
    assert f"{figures['loaded']:,} ({figures['loaded_share']:.2%})" in PAGE
    assert f"| refused | {figures['refused']} |" in PAGE
    for finding, count in figures["findings"].items():
        severity, code = finding.split()
        assert f"| `{code}` | {severity} | {count:,} |" in PAGE
    for row in figures["queries"]:
        assert f"| `{row['query']}` | {row['state']} | {row['total']:,} | {row['ms']} |" in PAGE


def test_the_page_holds_the_figures_of_the_fuzz_run() -> None:
    """The counts of inputs are those of the result file."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "fuzz.json").read_text("utf-8"))
    assert all(f"| {count:,} | 0 |" in PAGE for count in figures["inputs"].values())


def test_the_page_holds_the_figures_of_the_soak() -> None:
    """Every figure of the result file stands on the page, and no answer was wrong."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "soak.json").read_text("utf-8"))
    rows = {
        "looks, each followed by ten searches": figures["looks"],
        "searches": figures["searches"],
        "edits of all kinds": sum(figures["edits"].values()),
        "refreshes that changed something": figures["refreshes"],
        "wrong answers": figures["wrong_answers"],
        "search, ms, half below": figures["search_ms_p50"],
        "search, ms, 99 % below": figures["search_ms_p99"],
        "look, ms, half below": figures["look_ms_p50"],
        "look, ms, 99 % below": figures["look_ms_p99"],
        "memory at the start, MB": figures["memory_mb_start"],
        "memory after warm-up, MB": figures["memory_mb_warm"],
        "memory at the end, MB": figures["memory_mb_end"],
    }
    assert [what for what, figure in rows.items() if f"| {what} | {figure:,} |" not in PAGE] == []
    assert (figures["wrong_answers"], figures["skills"]) == (0, 1000)


def test_the_page_holds_what_was_learned() -> None:
    """Every row and every number of the result file stands on the page."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "tune.json").read_text("utf-8"))
    for row, scores in figures["rows"].items():
        told = " | ".join(f"{score:.1f}" for score in scores.values())
        assert f"| {row} | {figures['averages'][row]:.2f} | {told} |" in PAGE
    for path, values in figures["parameters"].items():
        assert f"| `{path}` | {values['default']:g} | {values['best']:g} | {values['rounded']:g} |" in PAGE
    assert f"{figures['candidates']:,} candidates" in PAGE


def test_the_page_holds_the_ablation() -> None:
    """Every row of the result file stands on the page."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "ablation.json").read_text("utf-8"))
    for row, scores in figures["rows"].items():
        told = " | ".join(f"{score:.1f}" for score in scores.values())
        assert f"| {row} | {figures['averages'][row]:.2f} | {told} |" in PAGE
    assert f"| queries | | {' | '.join(map(str, figures['queries'].values()))} |" in PAGE


def test_the_page_holds_the_abstention() -> None:
    """Every row of the result file stands on the page."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "abstention.json").read_text("utf-8"))
    for name, kinds in figures.items():
        for kind, row in kinds.items():
            assert f"| {name} | {kind} | {' | '.join(map(str, row.values()))} |" in PAGE


def test_the_page_holds_what_slips_cost() -> None:
    """Every row of the result file stands on the page, and no slip gains anything."""
    figures = json.loads((ROOT / "benchmarks" / "results" / "typos.json").read_text("utf-8"))
    for name, (as_is, mistyped, least, most) in figures.items():
        assert f"| {name} | {as_is:.1f} | {mistyped:.1f} | {least:.1f} to {most:.1f} |" in PAGE
        assert least <= mistyped <= most < as_is


@given(st.text("abcdefgh", min_size=5, max_size=9), st.randoms(use_true_random=False))
def test_a_slip_is_one_letter(word: str, rng: random.Random) -> None:
    """Left out, doubled, replaced or swapped: never further than one edit."""
    assert within_distance(word, [typos.slip(word, rng)], 1)


def test_a_short_soak_finds_no_wrong_answer(tmp_path: Path) -> None:
    """The script runs, writes its figures, and says that all is well."""
    command = [sys.executable, str(ROOT / "benchmarks" / "soak.py"), "--seconds", "2", "--skills", "30"]
    command += ["--json", str(tmp_path / "soak.json")]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603 - our own command
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads((tmp_path / "soak.json").read_text("utf-8"))
    assert (figures["wrong"], figures["searches"] > 0, sum(figures["edits"].values()) > 0) == ({}, True, True)


def ranking_figures() -> dict[str, Any]:
    """Return the result file of the ranking."""
    figures: dict[str, Any] = json.loads(
        (ROOT / "benchmarks" / "results" / "ranking.json").read_text("utf-8")
    )
    return figures


def test_the_page_holds_the_tables_of_the_ranking() -> None:
    """The tables are those that the result file makes."""
    between = PAGE.partition(BEGIN)[2].partition(END)[0]
    assert between.strip() == render(ranking_figures())


def test_the_page_holds_the_token_figures() -> None:
    """The tables are those that the result file makes, and the plot lies beside it."""
    results = ROOT / "benchmarks" / "results"
    between = PAGE.partition(token_tables.BEGIN)[2].partition(token_tables.END)[0]
    assert between.strip() == token_tables.render(json.loads((results / "tokens.json").read_text("utf-8")))
    assert (results / "tokens.png").read_bytes().startswith(b"\x89PNG")


def test_the_tables_say_when_rows_are_of_another_run_or_of_a_sample() -> None:
    """A row measured again, a row of fewer queries and a row of none are told apart from the others."""
    figures = ranking_figures()
    name, of_set = next(iter(figures["sets"].items()))
    for row in of_set["systems"].values():
        row |= {"run": "then", "queries": of_set["queries"]}
    figures["sets"] = {name: of_set}
    assert "Measured again" not in render(figures)
    assert "random sample" not in render(figures)
    assert "\\*" not in render(figures)
    again = copy.deepcopy(figures)
    again["sets"][name]["systems"]["skill_index"] |= {"run": "now", "queries": 7}
    again["sets"][name]["systems"]["a slow one"] = {"run": "now", "queries": 0, "first_query_seconds": 9.5}
    told = render(again)
    assert "* skill_index: now UTC\n* a slow one: now UTC\n" in told
    assert f"* skill_index: 7 on {name}" in told
    assert told.count("\\* |") == 1
    assert f"* a slow one: none on {name} (one took 9.5 s)" in told
    assert "| a slow one |" not in told


def test_tables_go_between_the_marks_of_a_page(tmp_path: Path) -> None:
    """What stands around them stays; a page without marks is told."""
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    insert(page, "new")
    insert(page, "newer")
    assert page.read_text("utf-8") == f"before\n{BEGIN}\n\nnewer\n\n{END}\nafter\n"
    page.write_text("no marks", "utf-8")
    with pytest.raises(ValueError, match="has no line"):
        insert(page, "new")


def script(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run one of the scripts."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, str(ROOT / "benchmarks" / name), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def test_the_corpus_report_accounts_for_every_file(tmp_path: Path) -> None:
    """On the sample skills all load; a folder with a bad file fails and is said to."""
    done = script("corpus.py", ROOT / "examples" / "skills")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok: every file is accounted for" in done.stdout
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "SKILL.md").write_text("no header", "utf-8")
    assert script("corpus.py", tmp_path).returncode == 1


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells")
def test_memory_of_helpers_counts() -> None:
    """What a process that was started holds is in the peak, and so is what this one alone held before."""
    code = "held = b'x' * 200_000_000; print(flush=True); input()"
    holding = [sys.executable, "-c", code]
    before = memory_mb("VmRSS") / 2  # some of it may be given back meanwhile
    with Peak() as peak, subprocess.Popen(holding, stdin=-1, stdout=-1) as helper:  # noqa: S603
        assert helper.stdout is not None
        helper.stdout.readline()
        time.sleep(4 * EVERY)
        helper.communicate(b"\n")
    assert peak.mb > before + 190
    with Peak() as alone:
        pass
    assert alone.mb == memory_mb("VmHWM")
    assert memory_mb("VmRSS", "none") == 0


def test_a_ranking_keeps_the_rows_that_it_does_not_make(tmp_path: Path) -> None:
    """A run of ours alone refreshes our rows of a set and no other."""
    data, results = tmp_path / "data", tmp_path / "results.json"
    folder = data / "ranking" / "tiny"
    folder.mkdir(parents=True)
    skills = [{"name": "pdf", "description": "Fill forms."}, {"name": "xls", "description": "Edit sheets."}]
    queries = [{"id": "q1", "text": "fill a form"}, {"id": "q2", "text": "edit the sheet"}]
    for name, rows in {"skills": skills, "queries": queries}.items():
        lines = [json.dumps(row) for row in rows]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "qrels.tsv").write_text("q1\tpdf\t1\nq2\txls\t1\n", "utf-8")
    kept = {"run": "then", "queries": 2}
    results.write_text(json.dumps({"versions": {}, "sets": {"tiny": {"systems": {"peer": kept}}}}), "utf-8")
    done = script("ranking.py", data, "--only", "ours", "--sets", "tiny", "--json", results)
    assert done.returncode == 0, done.stdout + done.stderr
    tiny = json.loads(results.read_text("utf-8"))["sets"]["tiny"]
    assert (tiny["skills"], tiny["queries"]) == (2, 2)
    assert tiny["systems"]["peer"] == kept
    assert tiny["systems"].keys() == {"peer", "skill_index"}
    assert [tiny["systems"]["skill_index"][name] for name in ("queries", "nDCG@10", "Hit@1")] == [2, 1.0, 1.0]


def test_the_token_report_counts_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a counter of words in place of a vocabulary: what a listing holds is what is counted."""
    monkeypatch.setattr(token_report, "SIZES", (2, 60, 1_000))
    monkeypatch.setattr(token_report, "counter", lambda: lambda text: len(text.split()))
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "0")
    monkeypatch.setattr(
        sys, "argv", ["tokens", str(ROOT / "examples" / "skills"), "--json", str(tmp_path / "t")]
    )
    assert token_report.main() == 0
    figures = json.loads((tmp_path / "t").read_text("utf-8"))
    two, sixty = figures["listings"]
    assert (two["skills"], two["index_step"], sixty["skills"]) == (2, "full", 60)
    assert sixty["full"] > 10 * two["full"] > 0
    assert sixty["index"] < sixty["full"]
    assert two["tools"] == sixty["tools"] > two["full_tools"] > 0
    assert figures["estimate"]["descriptions"]["texts"] == figures["skills"]
    assert figures["found"] == {}


def test_the_token_report_without_data_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No folder, and no vocabulary to count with, are no failures."""
    monkeypatch.setattr(sys, "argv", ["tokens", str(tmp_path / "nowhere")])
    assert token_report.main() == 0
    monkeypatch.setattr(sys, "argv", ["tokens", str(tmp_path)])
    monkeypatch.setitem(sys.modules, "splintr", None)
    assert token_report.main() == 0
    no_folder, no_counter = capsys.readouterr().out.splitlines()
    assert no_folder.startswith("skipped: no data")
    assert no_counter.startswith("skipped: splintr-rs is not installed")


def test_the_token_report_asks_until_it_finds() -> None:
    """A skill behind the first answer costs another question, and so does one that is in none."""
    skills = [Skill(f"form-{number}", "Fill in a form." + " Or a letter." * number) for number in range(12)]
    toolkit = Toolkit(SkillCatalog(skills))

    def ask(*needed: str) -> tuple[bool, int]:
        row = token_report.asked(toolkit, "fill in a form", dict.fromkeys(needed, 1), len)
        assert row["tokens"] > 0
        return row["found"], row["answers"]

    assert [ask("form-0"), ask("form-6"), ask("form-11"), ask("none")] == [
        (True, 1),
        (True, 2),
        (True, 2),
        (False, 2),
    ]


@pytest.mark.parametrize("name", ["corpus.py", "ranking.py"])
def test_without_data_it_says_so(tmp_path: Path, name: str) -> None:
    """No folder is no failure."""
    done = script(name, tmp_path / "nowhere")
    assert done.returncode == 0
    assert done.stdout.startswith("skipped: no data")
