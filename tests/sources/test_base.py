"""Several sources beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_index.errors import SourceError
from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill
from skill_index.sources import DirectorySource, MemorySource, Source, scan_all


class Failing:
    """A source that gives one skill and then cannot go on."""

    label = "far"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield one skill, then fail."""
        yield RawSkill(Origin("far", "https://example.org", "a/SKILL.md"), b"A")
        raise self.error


def shown(*sources: Source) -> list[str]:
    """Return 'label path' for each skill and '!code' for each finding."""
    return [
        f"!{item.code}" if isinstance(item, Finding) else f"{item.origin.label} {item.origin.path}"
        for item in scan_all(sources)
    ]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with two skills, one of them misnamed, and a link to that folder beside it."""
    for path in ("real/one/SKILL.md", "real/group/two/skill.md"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("x", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    return tmp_path


def test_sources_come_in_their_order(tree: Path) -> None:
    """Skills are ordered by source first, then by path."""
    memory = MemorySource({"z/SKILL.md": "x"})
    assert shown(memory, DirectorySource(tree / "real/one")) == ["memory z/SKILL.md", "one SKILL.md"]
    assert shown(DirectorySource(tree / "real/one"), memory) == ["one SKILL.md", "memory z/SKILL.md"]


ONCE = ["!file-name", "real group/two/skill.md", "real one/SKILL.md"]


@pytest.mark.parametrize("second", ["real", "link", "real/", "link/group", "real/one", "link/../real"])
def test_one_folder_twice_is_told_once(tree: Path, second: str) -> None:
    """A root that is the first, or lies in it, by link or not, adds no skill and no finding."""
    assert shown(DirectorySource(tree / "real"), DirectorySource(f"{tree}/{second}")) == ONCE


def test_an_inner_root_keeps_its_skills_when_first(tree: Path) -> None:
    """The first source that shows a file keeps it, and the outer one adds the rest."""
    inner, outer = DirectorySource(tree / "link/one", "inner"), DirectorySource(tree / "real")
    assert shown(inner, outer) == ["inner SKILL.md", "!file-name", "real group/two/skill.md"]


def test_an_inner_root_adds_what_the_outer_one_left_out(tmp_path: Path) -> None:
    """A root inside a skill, or below the outer one's depth, is searched for its own sake."""
    for path in ("kit/SKILL.md", "kit/examples/a/SKILL.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x", encoding="utf-8")
    outer, inner = DirectorySource(tmp_path, "outer"), DirectorySource(tmp_path / "kit/examples")
    assert shown(outer, inner) == ["outer kit/SKILL.md", "examples a/SKILL.md"]


def test_equal_files_are_two_skills(tmp_path: Path) -> None:
    """Only one real file is one skill: copies with the same bytes are both handed out."""
    for name in ("a", "b"):
        (tmp_path / name / "kit").mkdir(parents=True)
        (tmp_path / name / "kit/SKILL.md").write_text("x", encoding="utf-8")
    assert shown(DirectorySource(tmp_path / "a"), DirectorySource(tmp_path / "b")) == [
        "a kit/SKILL.md",
        "b kit/SKILL.md",
    ]
    memory = MemorySource({"kit/SKILL.md": "x"})
    assert shown(memory, memory) == ["memory kit/SKILL.md"] * 2


def test_relative_paths_of_other_sources_are_not_looked_up(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory path that happens to exist below the working folder is not taken for that file."""
    monkeypatch.chdir(tree)
    memory = MemorySource({"real/one/SKILL.md": "x"})
    assert shown(DirectorySource("real"), memory) == [*ONCE, "memory real/one/SKILL.md"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SourceError("https://example.org", "it is down"), "it is down"),
        (ConnectionResetError(104, "reset by peer"), "reset by peer"),
    ],
)
def test_a_source_that_fails_ends_alone(error: Exception, said: str) -> None:
    """What a failing source gave stays, its failure is a finding, and the next source is read."""
    items = list(scan_all([Failing(error), MemorySource({"z/SKILL.md": "x"})]))
    assert [getattr(item, "code", "skill") for item in items] == ["skill", "unreadable", "skill"]
    assert isinstance(items[1], Finding)
    assert (items[1].path, said in items[1].message) == ("far", True)


def test_a_mistake_in_a_source_is_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """An error that nobody foresaw ends its source, not the others; where it was raised is in the log."""
    after = MemorySource({"z/SKILL.md": "x"})
    assert shown(Failing(ZeroDivisionError("by zero")), after) == [
        "far a/SKILL.md",
        "!source-failed",
        "memory z/SKILL.md",
    ]
    assert "ZeroDivisionError" in caplog.text
    assert "raise self.error" in caplog.text


def test_no_sources_give_nothing() -> None:
    """Without sources there is nothing, and no error."""
    assert shown() == []
