"""What failures of the system become."""

from __future__ import annotations

import errno
import os

import pytest

from skill_index.findings import Severity
from skill_index.sources.problems import SEVERITIES, failure, link_failure, problem, second_file, too_large


@pytest.mark.parametrize(("code", "severity"), list(SEVERITIES.items()))
def test_each_code_has_one_severity(code: str, severity: Severity) -> None:
    """A code alone says how bad it is."""
    assert problem(code, "p", "m").severity is severity


@pytest.mark.parametrize(
    ("number", "code", "link_code"),
    [
        (errno.ENOENT, "vanished", "dangling-link"),
        (errno.ENOTDIR, "unreadable", "dangling-link"),
        (errno.ELOOP, "unreadable", "dangling-link"),
        (errno.EACCES, "unreadable", "unreadable"),
        (errno.EPERM, "unreadable", "unreadable"),
        (errno.EIO, "unreadable", "unreadable"),
        (errno.ENAMETOOLONG, "unreadable", "unreadable"),
        (errno.EMFILE, "unreadable", "unreadable"),
        (errno.ESTALE, "unreadable", "unreadable"),
    ],
)
def test_system_errors_become_findings(number: int, code: str, link_code: str) -> None:
    """Each errno gives a finding with its own words, its name and the path."""
    error = OSError(number, os.strerror(number))
    for finding, expected in (
        (failure(error, "a/SKILL.md"), code),
        (link_failure(error, "a/SKILL.md"), link_code),
    ):
        assert (finding.code, finding.path) == (expected, "a/SKILL.md")
        assert expected == "vanished" or errno.errorcode[number] in finding.message


def test_errors_without_a_number_keep_their_words() -> None:
    """An unknown number and an error of Python's own are still told."""
    assert "embedded null byte" in failure(ValueError("embedded null byte"), "x").message
    assert "(99999)" in failure(OSError(99999, "odd"), "x").message


def test_messages_say_what_to_do() -> None:
    """A size is told with the limit, and a second file with the one that is used."""
    assert (
        too_large("x", "20", 10).message
        == "is too large: 20 bytes, and at most 10 are read; move text to other files"
    )
    assert "beside SKILL.md" in second_file("a/skill.md", "SKILL.md").message
