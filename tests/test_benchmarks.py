"""The benchmark page says what its result files say, and the scripts run where there is data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_a_short_soak_finds_no_wrong_answer(tmp_path: Path) -> None:
    """The script runs, writes its figures, and says that all is well."""
    command = [sys.executable, str(ROOT / "benchmarks" / "soak.py"), "--seconds", "2", "--skills", "30"]
    command += ["--json", str(tmp_path / "soak.json")]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)  # noqa: S603 - our own command
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads((tmp_path / "soak.json").read_text("utf-8"))
    assert (figures["wrong"], figures["searches"] > 0, sum(figures["edits"].values()) > 0) == ({}, True, True)


def corpus_script(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the report over a folder."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, str(ROOT / "benchmarks" / "corpus.py"), str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def test_the_corpus_report_accounts_for_every_file(tmp_path: Path) -> None:
    """On the sample skills all load; a folder with a bad file fails and is said to."""
    done = corpus_script(ROOT / "examples" / "skills")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok: every file is accounted for" in done.stdout
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "SKILL.md").write_text("no header", "utf-8")
    assert corpus_script(tmp_path).returncode == 1


@pytest.mark.parametrize("missing", ["nowhere"])
def test_without_data_it_says_so(tmp_path: Path, missing: str) -> None:
    """No folder is no failure."""
    done = corpus_script(tmp_path / missing)
    assert done.returncode == 0
    assert done.stdout.startswith("skipped: no data")
