"""The table of findings, and the report that applies it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import skill_index.parsing.codes as module
from skill_index.findings import Severity
from skill_index.parsing import CODES
from skill_index.parsing.codes import Report

SOURCES = [
    path.read_text("utf-8") for path in Path(module.__file__).parent.glob("*.py") if path.stem != "codes"
]


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_reported_somewhere_and_explained(code: str) -> None:
    """No code of the table is dead, each is in kebab-case and says what it means."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
    assert CODES[code].meaning
    assert any(f'"{code}"' in source for source in SOURCES)


@pytest.mark.parametrize("code", CODES)
def test_strict_is_never_milder(code: str) -> None:
    """Strict mode may raise a severity and never lowers one."""
    order = [Severity.INFO, Severity.WARNING, Severity.ERROR]
    assert order.index(CODES[code].strict) >= order.index(CODES[code].lenient)


def test_a_report_sorts_by_line_and_knows_what_is_fatal() -> None:
    """Findings come from the top of the file down; only an error is fatal."""
    report = Report("a/SKILL.md", strict=False)
    report.add("unknown-key", "later", 9)
    report.add("file-too-large", "whole file")
    report.add("name-missing", "earlier", 1)
    assert [finding.message for finding in report.findings()] == ["whole file", "earlier", "later"]
    assert report.fatal
    mild = Report("a/SKILL.md", strict=False)
    mild.add("unknown-key", "only a warning", 2)
    assert not mild.fatal
    assert mild.findings()[0].path == "a/SKILL.md"
