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
