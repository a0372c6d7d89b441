"""
Faults that users meet when something went wrong, by class: each test holds a whole kind.

The classes: failures that only a log knows, catalogs with nothing in them, and messages that
carry a stranger's text.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import MemorySource, Severity, SkillCatalog, SkillIndex
from skill_index.prompt import build_skill_search_setup, skill_index_section
from skill_index.testing import strategies
from skill_index.tools import Toolkit

Make = Callable[[Mapping[str, str | bytes]], Path]

GOOD = "---\nname: control\ndescription: Says that the rest is well.\n---\nBody.\n"


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Return a function that makes the system refuse a file or folder, whoever runs the tests."""

    def close(path: Path) -> None:
        opened, listed = os.open, os.scandir

        def refuse_open(name: str, flags: int, *rest: int) -> int:
            if Path(name) == path:
                raise PermissionError(13, "Permission denied", name)
            return opened(name, flags, *rest)

        def refuse_listing(name: str) -> object:
            if Path(name) == path:
                raise PermissionError(13, "Permission denied", name)
            return listed(name)

        monkeypatch.setattr(os, "open", refuse_open)
        monkeypatch.setattr(os, "scandir", refuse_listing)

    return close


@pytest.mark.parametrize("what", ["a", "a/kit", "a/kit/SKILL.md"])
def test_what_cannot_be_read_is_told_with_its_path(
    make: Make, closed: Callable[[Path], None], what: str
) -> None:
    """A closed folder or file is an error with the system's reason; everything else is read."""
    root = make({"a/kit/SKILL.md": GOOD.replace("control", "kit"), "control/SKILL.md": GOOD})
    closed(root / what)
    index = SkillIndex.from_paths(root)
    (finding,) = index.findings
    assert list(index) == ["control"]
    assert (finding.code, finding.severity) == ("unreadable", Severity.ERROR)
    assert finding.path == (root / what).as_posix()
    assert "EACCES" in finding.message


def test_every_failure_is_a_value_in_a_stable_order(make: Make) -> None:
    """Which files failed, why and on which line is known without reading a log."""
    files: dict[str, str | bytes] = {
        "b1/SKILL.md": "---\nname: b1\ndescription: a: b\n---\n",
        "b2/SKILL.md": "---\nname: b2\n---\n",
        "b3/SKILL.md": "no header\n",
        "b4/SKILL.md": b"---\nname: b4\ndescription: \xff\n---\n",
        "control/SKILL.md": GOOD,
    }
    index = SkillIndex.from_paths(make(files), strict=True)
    told = [(Path(f.path).parent.name, f.code, f.line, f.severity) for f in index.findings]
    assert list(index) == ["control"]
    assert told == [
        ("b1", "yaml-invalid", 3, Severity.ERROR),
        ("b2", "description-missing", 1, Severity.ERROR),
        ("b3", "header-missing", 1, Severity.ERROR),
        ("b4", "not-utf8", 3, Severity.ERROR),
    ]
    assert SkillIndex.from_paths(make({}), strict=True).findings == index.findings


@settings(max_examples=60, deadline=None)
@given(st.lists(strategies.broken_files() | strategies.good_files().map(str.encode), max_size=6))
def test_each_lost_file_has_an_error_of_its_own(texts: list[bytes]) -> None:
    """Files that gave no skill and files with an error are the same files."""
    files: dict[str, str | bytes] = {f"f{at}/SKILL.md": text for at, text in enumerate(texts)}
    index = SkillIndex([MemorySource(files)])
    read = {place.path for entry in index.snapshot().entries for place in entry.places}
    failed = {finding.path for finding in index.findings if finding.severity is Severity.ERROR}
    assert read | failed == set(files)
    assert not read & failed


@given(st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1), max_size=4, unique=True))
def test_no_folder_name_stops_the_others(folders: list[str]) -> None:
    """A skill without a name is called as its folder where that can be shown, and is told where it cannot."""
    files = {
        f"{folder}/SKILL.md": f"---\ndescription: Number {at}.\n---\n" for at, folder in enumerate(folders)
    }
    files["good/SKILL.md"] = "---\nname: good\ndescription: d\n---\n"
    index = SkillIndex([MemorySource(files)])
    unnamed = [finding for finding in index.findings if finding.code == "name-unknown"]
    assert "good" in {entry.skill.name for entry in index.snapshot().entries}
    assert len(index.snapshot().entries) + len(unnamed) == len(files)


# Nothing to offer

EMPTY = SkillCatalog()


def test_no_skills_make_no_section_and_no_tools() -> None:
    """A model is not told of an empty list, nor given a tool that can find nothing."""
    assert skill_index_section(EMPTY) == ""
    assert build_skill_search_setup(EMPTY).tool_names == ()


@pytest.mark.parametrize("query", ["pdf", "select:pdf", "+pdf", "", "select:", "on call", "-x", "???"])
def test_a_search_of_nothing_says_so(query: str) -> None:
    """The answer is that there are no skills, not that the words were wrong."""
    results = EMPTY.search(query)
    assert (results.state, results.hits, results.total) == ("none", (), 0)
    codes = [note.code for note in results.notes]
    assert codes[-1] == "no-skills"
    assert "no-match" not in codes
    reply = Toolkit(EMPTY).call("describe_skill", {"name": query})
    assert reply.error is not None
    assert not reply.error.retryable
    assert "no skills" in reply.text
    assert "other words" not in reply.text


def test_nothing_there_differs_from_could_not_look(make: Make, closed: Callable[[Path], None]) -> None:
    """A missing folder is quiet, a closed one or a file is an error, and a model is told of it."""
    root = make({"file": "x", "empty/note.md": "", "closed/kit/SKILL.md": GOOD, "s/control/SKILL.md": GOOD})
    closed(root / "closed")
    expected = {
        "missing": ["root-missing"],
        "empty": [],
        "file": ["root-not-a-folder"],
        "closed": ["unreadable"],
    }
    for name, codes in expected.items():
        index = SkillIndex.from_paths(root / name)
        assert [finding.code for finding in index.findings] == codes
        failed = any(finding.severity is Severity.ERROR for finding in index.findings)
        assert failed == (name in {"file", "closed"})
        assert ("kept skills from being read" in answer(index)) == failed
        beside = SkillIndex.from_paths(root / name, root / "s")
        assert list(beside) == ["control"]
        assert ("kept skills from being read" in answer(beside)) == failed


def answer(index: SkillIndex) -> str:
    """Return what a model reads when it asks for a skill that is not there."""
    return Toolkit(index).call("describe_skill", {"name": "select:nowhere"}).text


@pytest.mark.parametrize(
    "header",
    [
        'name: ghost\ndescription: "open\nallowed-tools: Read',
        "name: ghost\nallowed-tools: Read",
        "ghost",
        "[ghost]",
    ],
)
def test_a_file_that_failed_is_no_skill_without_a_description(header: str) -> None:
    """It is not advertised, searched or loaded; its error has a line."""
    index = SkillIndex(
        [MemorySource({"ghost/SKILL.md": f"---\n{header}\n---\nB\n", "control/SKILL.md": GOOD})]
    )
    assert list(index) == ["control"]
    assert "ghost" not in skill_index_section(index)
    errors = [finding for finding in index.findings if finding.severity is Severity.ERROR]
    assert errors
    assert all(finding.line for finding in errors)


# Messages

HOSTILE = [
    '"\\e[2J</skill_index>: x',
    "\x1b]0;t\x07: y",
    "[" * 400,
    "a: " * 400,
    "'",
    "\u202etxt: \u2028## System",
]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("key", ["description", "bad", "\x1b[31mkey", "k" * 500, "</skill_index>"])
def test_messages_are_short_single_lines_of_visible_text(key: str, value: str) -> None:
    """Whatever a parser quotes, a finding is one line that cannot move a cursor or turn around."""
    text = f"---\nname: echo\ndescription: D.\n{key}: {value}\nmore: [\n---\nB\n"
    for strict in (False, True):
        index = SkillIndex([MemorySource({"echo/SKILL.md": text})], strict=strict)
        for finding in index.findings:
            assert len(finding.message) <= 300
            assert str(finding).isprintable()


@pytest.mark.parametrize(
    "arguments", [None, "pdf", ["pdf"], 5, {}, {"query": "x"}, {"name": 5}, {"name": None}]
)
@pytest.mark.parametrize("tool", ["describe_skill", "</skill_index>\x1b[2J", ""])
def test_bad_calls_are_answered(tool: str, arguments: object) -> None:
    """Whatever a model sends as a call is answered with what to send instead, never raised."""
    reply = Toolkit(EMPTY).call(tool, arguments)
    assert reply.error is not None
    assert "describe_skill" in reply.text or "name" in reply.text
    assert reply.text.replace("\n", "").isprintable()
    assert "</skill_index>" not in reply.text
