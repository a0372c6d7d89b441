"""
Fault class "staleness": after any edit the very next call, on any surface, shows the new state.

Nobody calls `refresh` here unless the test is about what it returns: a user edits, and uses.
"""

from __future__ import annotations

import dataclasses
import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import skill_index.index as index_module
from skill_index import (
    CallableSource,
    DirectorySource,
    Finding,
    MemorySource,
    Origin,
    RawSkill,
    Skill,
    SkillIndex,
    SourceError,
    to_skill_md,
)
from skill_index.changes import Changes
from skill_index.model import Unchanged
from skill_index.prompt import build_section
from skill_index.sources import Item, Known, Source
from skill_index.sources.picture import _Camera
from skill_index.testing import strategies
from skill_index.tools import Toolkit


def text(name: str, description: str, body: str = "") -> str:
    """Return a SKILL.md, which says what it is for in its body too."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body or description}\n"


def write(root: Path, name: str, description: str = "Draws charts.", body: str = "") -> Path:
    """Write a skill and return its file."""
    (root / name).mkdir(parents=True, exist_ok=True)
    file = root / name / "SKILL.md"
    file.write_text(text(name, description, body), "utf-8")
    return file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with one skill that every test edits and one that must stay."""
    write(tmp_path / "skills", "chart")
    write(tmp_path / "skills", "stays", "Stays here.")
    return tmp_path / "skills"


def call(index: SkillIndex, tool: str, **arguments: object) -> str:
    """Call a tool in a conversation of its own and return its text."""
    return Toolkit(index).call(tool, arguments).text


Surface = Callable[[SkillIndex, str], str]

SURFACES: dict[str, Surface] = {
    "prompt": lambda index, _: build_section(index).text,
    "search": lambda index, name: "".join(hit.skill.description for hit in index.search(name).hits),
    "mapping": lambda index, name: index[name].description if name in index else "",
    "describe_skill": lambda index, name: call(index, "describe_skill", name=name),
    "list_skills": lambda index, _: call(index, "list_skills"),
    "load_skill": lambda index, name: call(index, "load_skill", skill_name=name),
    "read_skill_resource": lambda index, name: call(
        index, "read_skill_resource", skill_name=name, resource_name="SKILL.md"
    ),
}
"""Every way to be told of a skill's description; each is tried as the first call after an edit."""

over_surfaces = pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)


def same_size(file: Path) -> None:
    """Change the text, not its length."""
    file.write_text(file.read_text("utf-8").replace("Draws charts.", "Fills sheets."), "utf-8")


def restored(file: Path) -> None:
    """Change the text and put the old time back, as some tools do."""
    before = file.stat()
    file.write_text(text("chart", "Fills sheets."), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def older(file: Path) -> None:
    """Change the text and give it a time long past, as checking out or unpacking does."""
    file.write_text(text("chart", "Fills sheets."), "utf-8")
    os.utime(file, (1_000_000_000, 1_000_000_000))


def by_rename(file: Path) -> None:
    """Save as careful editors do: another file, put in place of this one; three times over."""
    for told in ("Once.", "Twice.", "Fills sheets."):
        new = file.with_name(".new")
        new.write_text(text("chart", told), "utf-8")
        new.replace(file)


def folder_swap(file: Path) -> None:
    """Put another folder in the place of the skill's."""
    old, new = file.parent, file.parent.with_name(".new")
    new.mkdir()
    (new / "SKILL.md").write_text(text("chart", "Fills sheets."), "utf-8")
    old.rename(old.with_name(".old"))
    new.rename(old)


EDITS = [same_size, restored, older, by_rename, folder_swap]


@over_surfaces
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: str(edit.__name__))
def test_the_next_call_shows_an_edit(root: Path, edit: Callable[[Path], None], surface: Surface) -> None:
    """However it was saved, within the same tick of the clock or with an old time."""
    index = SkillIndex.from_paths(root)
    assert "Draws charts." in surface(index, "chart")
    edit(root / "chart" / "SKILL.md")
    shown = surface(index, "chart")
    assert "Fills sheets." in shown
    assert "Draws charts." not in shown


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: str(edit.__name__))
def test_an_edit_of_what_lay_still_for_long_is_seen(
    root: Path, edit: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when its times were trusted, so that the file was not read at the look before."""
    later = time.time_ns() + 3_600_000_000_000
    monkeypatch.setattr("skill_index.sources.stamps.time.time_ns", lambda: later)
    index = SkillIndex.from_paths(root)
    held = index["chart"]
    assert index["chart"] is held
    edit(root / "chart" / "SKILL.md")
    assert index["chart"].description == "Fills sheets."


@over_surfaces
def test_the_next_call_shows_what_was_added_renamed_and_removed(root: Path, surface: Surface) -> None:
    """A new skill, its rename, and its removal, each seen by the next call."""
    index = SkillIndex.from_paths(root)
    assert "Bakes bread." not in surface(index, "bread")
    file = write(root, "bread", "Bakes bread.")
    assert "Bakes bread." in surface(index, "bread")
    file.write_text(text("loaf", "Bakes loaves."), "utf-8")
    file.parent.rename(root / "loaf")
    assert "Bakes bread." not in surface(index, "bread")
    assert "Bakes loaves." in surface(index, "loaf")
    (root / "loaf" / "SKILL.md").unlink()
    assert "Bakes loaves." not in surface(index, "loaf")
    assert list(index) == ["chart", "stays"]


def test_findings_and_other_files_are_those_of_now(root: Path) -> None:
    """A file beside the SKILL.md, and what is wrong, are looked for at each call too."""
    index = SkillIndex.from_paths(root)

    def read(name: str) -> str:
        return call(index, "read_skill_resource", skill_name="chart", resource_name=name)

    guide = root / "chart" / "guide.md"
    assert "has no file" in read("guide.md")
    guide.write_text("One.", "utf-8")
    assert "One." in read("guide.md")
    assert "guide.md" in call(index, "load_skill", skill_name="chart")
    guide.write_text("Two.", "utf-8")
    assert "Two." in read("guide.md")
    guide.unlink()
    assert "has no file" in read("guide.md")
    assert not index.findings
    (root / "stays" / "SKILL.md").rename(root / "stays" / "skill.md")
    assert [finding.code for finding in index.findings] == ["file-name"]
    (root / "stays" / "skill.md").rename(root / "stays" / "SKILL.md")
    assert index.findings == ()


@pytest.mark.parametrize("settled", [False, True])
def test_a_touch_changes_nothing(root: Path, settled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """New times on old bytes are no news: the catalog stays the very same object."""
    if settled:
        later = time.time_ns() + 3_600_000_000_000
        monkeypatch.setattr("skill_index.sources.stamps.time.time_ns", lambda: later)
    (root / "chart" / "notes.md").write_text("x", "utf-8")
    index = SkillIndex.from_paths(root)
    before = index.snapshot()
    for file in (root / "chart" / "SKILL.md", root / "chart" / "notes.md"):
        os.utime(file, (2_000_000_000, 2_000_000_000))
        assert not index.refresh()
        assert index.snapshot() is before


def test_without_changes_the_catalog_is_the_same_object(root: Path) -> None:
    """So whatever a host worked out from it still holds."""
    index = SkillIndex.from_paths(root)
    before = index.snapshot()
    changes = index.refresh()
    assert (bool(changes), str(changes)) == (False, "no changes")
    assert changes.catalog is before is index.snapshot()


LEFTOVERS = [
    ".SKILL.md.swp",
    ".SKILL.md.swx",
    "SKILL.md~",
    "4913",
    "#SKILL.md#",
    "notes.md~",
    "Thumbs.db",
    "a.pyc",
]


@pytest.mark.parametrize("name", LEFTOVERS)
def test_what_editors_leave_behind_is_no_change(root: Path, name: str) -> None:
    """A swap file, a backup, a probe of what the folder allows: all come and go with one save."""
    index = SkillIndex.from_paths(root)
    before = index.snapshot()
    (root / "chart" / name).write_text(text("other", "Is a copy."), "utf-8")
    assert index.snapshot() is before
    assert name not in call(index, "load_skill", skill_name="chart")


def test_a_file_that_is_away_for_a_moment_comes_back(root: Path) -> None:
    """Who looks between the two renames of a save sees no skill, and then the new one."""
    index = SkillIndex.from_paths(root)
    file = root / "chart" / "SKILL.md"
    file.rename(file.with_name(".old"))
    assert list(index) == ["stays"]
    file.write_text(text("chart", "Fills sheets."), "utf-8")
    assert index["chart"].description == "Fills sheets."


def test_a_folder_gets_its_skill_later(root: Path) -> None:
    """An empty folder is nothing, until a SKILL.md is put there."""
    (root / "later").mkdir()
    index = SkillIndex.from_paths(root)
    assert "later" not in index
    write(root, "later")
    assert "later" in index


def test_a_root_may_come_and_go(tmp_path: Path) -> None:
    """An index made before its folder has nothing, then what is there, then nothing again."""
    root = tmp_path / "skills"
    index = SkillIndex.from_paths(root)
    assert (len(index), build_section(index).text) == (0, "")
    file = write(root, "chart")
    assert list(index) == ["chart"]
    assert index.findings == ()
    file.unlink()
    assert (list(index), build_section(index).text) == ([], "")
    assert index.search("chart").state == "none"


def test_a_link_that_is_switched_leads_to_the_new_release(tmp_path: Path) -> None:
    """Releases side by side, one of them named by a link: the switch is one edit."""
    for release in ("one", "two"):
        write(tmp_path / "releases" / release, "chart", f"Is release {release}.")
    root = tmp_path / "skills"
    root.mkdir()
    (root / "now").symlink_to(tmp_path / "releases" / "one")
    index = SkillIndex.from_paths(root)
    assert index["chart"].description == "Is release one."
    (root / "next").symlink_to(tmp_path / "releases" / "two")
    (root / "next").replace(root / "now")
    assert index["chart"].description == "Is release two."
    assert "release two" in call(index, "read_skill_resource", skill_name="chart", resource_name="SKILL.md")


def test_a_removed_skill_is_said_to_be_gone(root: Path) -> None:
    """A conversation that loaded it is told so, and another that there is no such skill."""
    index = SkillIndex.from_paths(root)
    toolkit = Toolkit(index)
    assert toolkit.call("load_skill", {"skill_name": "chart"}).error is None
    (root / "chart" / "SKILL.md").unlink()
    gone = toolkit.call("load_skill", {"skill_name": "chart"})
    assert gone.error is not None
    assert (gone.error.code, "no longer available" in gone.text) == ("skill-removed", True)
    assert "no skill is named" in call(index, "load_skill", skill_name="chart")


def test_changes_name_skills_whose_other_files_changed(root: Path) -> None:
    """A resource added, edited and removed is a change of its skill, and of no other."""
    index = SkillIndex.from_paths(root)
    guide = root / "chart" / "references" / "guide.md"
    guide.parent.mkdir()
    for told in ("One.", "Two.", None):
        if told:
            guide.write_text(told, "utf-8")
        else:
            guide.unlink()
        changes = index.refresh()
        assert (changes.added, changes.changed, changes.removed) == ((), ("chart",), ())


def test_a_snapshot_stays_as_it_was(root: Path) -> None:
    """Who holds one goes on with it: search, description and body of then."""
    index = SkillIndex.from_paths(root)
    before = index.snapshot()
    write(root, "chart", "Fills sheets.", "Other steps.")
    assert index["chart"].instructions.strip() == "Other steps."
    assert before["chart"].instructions.strip() == "Draws charts."
    assert before.search("draws charts").names == ("chart",)
    assert index.search("draws charts").hits[0].skill.description == "Fills sheets."


# Broken edits


CHARTS = strategies.skills().map(lambda skill: dataclasses.replace(skill, name="chart", tags=()))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(skill=CHARTS, share=st.floats(0, 1), strict=st.booleans())
def test_a_half_written_file_takes_nothing_away(root: Path, skill: Skill, share: float, strict: bool) -> None:
    """
    Whatever piece of a file is there, the skill is whole: as it was, or as the new header says.

    A finding names the file for as long as it is as it was, and the other skills stay.
    """
    file = write(root, "chart")
    index = SkillIndex.from_paths(root, strict=strict)
    whole = to_skill_md(skill).encode()
    file.write_bytes(whole[: round(share * len(whole))])
    shown, told = index["chart"], [finding.code for finding in index.findings if finding.path == str(file)]
    if shown.description == "Draws charts.":
        assert told.count("kept-old") == 1
        assert len(told) > 1
    else:
        assert (shown.description, shown.allowed_tools) == (skill.description, skill.allowed_tools)
        assert skill.instructions.startswith(shown.instructions.strip())
        assert "kept-old" not in told
    assert list(index) == ["chart", "stays"]
    file.write_bytes(whole)
    assert index["chart"].instructions.strip() == skill.instructions.strip()
    assert "kept-old" not in {finding.code for finding in index.findings}


@pytest.mark.parametrize("strict", [False, True])
def test_a_broken_edit_is_told_until_it_is_mended(root: Path, strict: bool) -> None:
    """At every look, through other changes, and back to the very first text."""
    index = SkillIndex.from_paths(root, strict=strict)
    file = root / "chart" / "SKILL.md"
    good = file.read_bytes()
    for broken in (b"", b"---\nname: chart\n", b"---\nname: chart\n---\nNo description.\n"):
        file.write_bytes(broken)
        for _ in range(2):
            assert index["chart"].description == "Draws charts."
            assert {finding.path for finding in index.findings} == {str(file)}
        write(root, "stays", f"Stays after {len(broken)}.")
        assert str(len(broken)) in index["stays"].description
    file.write_bytes(good)
    assert index.findings == ()


def test_a_broken_edit_may_be_removed(root: Path) -> None:
    """A file that is gone is not kept because it was broken before."""
    index = SkillIndex.from_paths(root)
    file = root / "chart" / "SKILL.md"
    file.write_text("---", "utf-8")
    assert "chart" in index
    file.unlink()
    assert (list(index), index.findings) == (["stays"], ())


def test_a_new_skill_that_is_broken_is_a_finding(root: Path) -> None:
    """There is no good version to show, until there is."""
    index = SkillIndex.from_paths(root)
    file = root / "new" / "SKILL.md"
    file.parent.mkdir()
    file.write_text("---\nname: new\n", "utf-8")
    assert list(index) == ["chart", "stays"]
    assert {finding.path for finding in index.findings} == {str(file)}
    write(root, "new")
    assert (list(index), index.findings) == (["chart", "new", "stays"], ())


def refusing(patch: pytest.MonkeyPatch, call_name: str, place: Path) -> None:
    """Refuse a system call at a place and below, as for a user who may not go there."""
    real = getattr(os, call_name)

    def refused(path: object = ".", *more: object, **named: object) -> object:
        if isinstance(path, str) and f"{path}/".startswith(f"{place}/"):
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **named)

    patch.setattr(os, call_name, refused)


@pytest.mark.parametrize("place", [".", "chart", "chart/SKILL.md"])
def test_what_cannot_be_looked_at_stays(root: Path, place: str) -> None:
    """A root, a folder or a file that may not be read: what was there stays, and a finding says so."""
    index = SkillIndex.from_paths(root)
    with pytest.MonkeyPatch.context() as patch:
        refusing(patch, "open" if place.endswith(".md") else "scandir", root / place)
        os.utime(root / "chart" / "SKILL.md")
        for _ in range(2):
            assert list(index) == ["chart", "stays"]
            assert {"unreadable", "kept-old"} == {finding.code for finding in index.findings}
    assert index.findings == ()
    write(root, "chart", "Fills sheets.")
    assert index["chart"].description == "Fills sheets."


# Sources that fail


class Failing:
    """A source of three skills that raises before its n-th item."""

    def __init__(self, label: str = "bad") -> None:
        self.label = label
        self.at: int | None = None
        self.error: Exception = SourceError("bad", "the line went dead")
        self.told = "Made."

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Give items until it fails."""
        files = {f"{name}/SKILL.md": text(name, self.told) for name in ("one", "shared", "two")}
        for number, item in enumerate(MemorySource(files, label=self.label).scan()):
            if number == self.at:
                raise self.error
            yield item
        if self.at == 3:
            raise self.error


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize(
    "error",
    [
        SourceError("x", "gone"),
        OSError(5, "Input/output error"),
        FileNotFoundError(2, "No such file or directory"),
        RuntimeError("a fault"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_source_that_fails_keeps_its_skills_and_names(at: int, error: Exception, first: bool) -> None:
    """Wherever it stops: nothing goes, nobody takes over a name, and the failure is told."""
    failing = Failing()
    good = MemorySource(
        {f"{name}/SKILL.md": text(name, "Is good.") for name in ("shared", "x")}, label="good"
    )
    index = SkillIndex([failing, good] if first else [good, failing])
    owners = {entry.key: entry.id for entry in index.snapshot().entries}
    failing.at, failing.error = at, error
    changes = index.refresh()
    assert not changes
    assert {entry.key: entry.id for entry in index.snapshot().entries} == owners
    codes = [finding.code for finding in index.findings]
    assert codes.count("kept-old") == 3 - at
    assert len({"unreadable", "source-failed"} & set(codes)) == 1
    failing.at = None
    assert not index.refresh()
    assert {finding.code for finding in index.findings} <= {"name-shared"}


def test_a_source_that_fails_keeps_no_skills_of_its_namesake() -> None:
    """Two sources of one label: what the healthy one lost is gone."""
    failing, other = (
        Failing("same"),
        Changing([Skill("mine", "Is mine.", origin=Origin("same", path="m/SKILL.md"))]),
    )
    index = SkillIndex([failing, other])
    failing.at, other.items = 0, []
    assert index.refresh().removed == ("mine",)


class Changing:
    """A source that gives what it is told to, and counts how often it is asked."""

    def __init__(self, items: list[Item], label: str = "host") -> None:
        self.label, self.items, self.asked = label, items, 0

    def scan(self) -> Iterator[Item]:
        """Give the items."""
        self.asked += 1
        return iter(list(self.items))


def test_sources_that_look_alike_lose_no_skill() -> None:
    """Two sources with one label and path, and ready-made skills in no file: all are there."""
    files = [{"a/SKILL.md": text("a", told)} for told in ("One.", "Two.")]
    made = Changing([Skill("b", "Three."), Skill("b", "Four.")], "memory")
    index = SkillIndex([*map(MemorySource, files), made])
    told = ["Four.", "One.", "Three.", "Two."]
    assert sorted(skill.description for skill in index.snapshot().values()) == told
    assert not index.refresh()
    assert sorted(skill.description for skill in index.snapshot().values()) == told


def test_only_what_can_be_looked_at_cheaply_is_looked_at_by_itself(root: Path) -> None:
    """Using the index asks a folder again, but not a slow source, whose skills stay all the same."""
    slow = Changing(
        [
            Skill("made", "Is made."),
            RawSkill(Origin("host", "", "raw/SKILL.md"), text("raw", "Is raw.").encode()),
        ]
    )
    index = SkillIndex([slow, DirectorySource(root)])
    slow.items = [Skill("new", "Is new.")]
    write(root, "chart", "Fills sheets.")
    assert index["chart"].description == "Fills sheets."
    assert (list(index), slow.asked) == (["chart", "made", "raw", "stays"], 1)
    write(root, "added")
    changes = index.refresh()
    assert (changes.added, changes.removed) == (("added", "new"), ("made", "raw"))
    assert list(index) == ["added", "chart", "new", "stays"]


# A look at what is known to have changed


def test_a_hint_is_looked_at_alone_and_hides_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One folder is listed for it; what changed elsewhere is found by the next whole look."""
    monkeypatch.setattr("skill_index.sources.picture.SETTLED_NS", -(10**18))
    index = SkillIndex.from_paths(root, refresh_interval=math.inf)
    index.refresh()
    taken: list[str] = []
    take = _Camera.take

    def counted(camera: _Camera, path: str, in_skill: bool) -> tuple[bool, dict[str, str]]:
        taken.append(path)
        return take(camera, path, in_skill)

    monkeypatch.setattr(_Camera, "take", counted)
    chart, stays = write(root, "chart", "Fills sheets."), write(root, "stays", "Is here.")
    assert index.refresh(paths=[chart]).changed == ("chart",)
    assert taken == [f"{root}/chart"]
    assert not index.refresh(paths=[chart])
    assert index.refresh(paths=[root / "nowhere" / "at" / "all"]).changed == ("stays",)
    write(root, "stays", "Stays on.")
    write(root, "chart", "Draws it.")
    assert not index.refresh(paths=[])
    assert index.refresh(paths=[stays]).changed == ("stays",)
    assert index.refresh().changed == ("chart",)


def test_a_hint_does_not_put_off_the_next_look(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many hints come: what they do not tell of is found when it would have been."""
    now = [0.0]
    monkeypatch.setattr("skill_index.index.time.monotonic", lambda: now[0])
    monkeypatch.setattr("skill_index.sources.picture.SETTLED_NS", -(10**18))
    index = SkillIndex.from_paths(root, refresh_interval=5)
    index.refresh()
    chart = write(root, "chart", "Fills sheets.")
    for now[0] in (2.0, 4.0):
        index.refresh(paths=[root / "stays" / "SKILL.md"])
    now[0] = 5.0
    assert index["chart"].description == "Fills sheets."
    assert index["chart"].origin.location == chart.as_posix()


@pytest.mark.parametrize("edit", [*EDITS, lambda file: file.unlink(), lambda file: rmtree(file.parent)])
def test_a_hint_is_enough(root: Path, edit: Callable[[Path], None]) -> None:
    """Whatever happened to a file, its path is all that has to be told."""
    index = SkillIndex.from_paths(root, refresh_interval=math.inf)
    edit(root / "chart" / "SKILL.md")
    index.refresh(paths=[root / "chart" / "SKILL.md"])
    assert index.snapshot() == SkillIndex.from_paths(root).snapshot()


# A look while files move


@pytest.mark.parametrize("whole", [False, True])
def test_a_skill_renamed_during_a_look_is_not_missed(root: Path, whole: bool) -> None:
    """Its folder is known or listed under one name and met under neither; so it is looked for again."""
    index = SkillIndex.from_paths(root)
    if whole:
        (root / "new").mkdir()  # so that all folders are listed
    look = DirectorySource.look_at

    def look_at(source: DirectorySource, *asked: Any) -> Iterator[object]:
        yield from look(source, *asked)
        if (root / "stays").exists():
            # `chart` was just read and `stays` was listed, and has another name when it is read.
            (root / "stays").rename(root / "moved")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DirectorySource, "look_at", look_at)
        assert sorted(index) == ["chart", "stays"]
    assert not (root / "stays").exists()
    assert index["stays"].origin.folder == "moved"


@pytest.mark.parametrize("known", [False, True])
def test_a_new_file_with_the_number_of_an_old_one_is_not_taken_for_it(tmp_path: Path, known: bool) -> None:
    """File systems give the numbers of removed files to new ones, also while others are read."""
    first, second = write(tmp_path / "skills", "a", "Is a."), write(tmp_path / "skills", "b", "Is b.")
    os.link(first, tmp_path / "spare")
    source = DirectorySource(tmp_path / "skills")
    stamps = {raw.origin: raw.stamp for raw in source.scan() if isinstance(raw, RawSkill)}
    items = source.rescan(stamps.get if known else lambda _: None)
    next(items)
    new = tmp_path / "new"
    new.write_text(text("a", "Is new."), "utf-8")
    new.replace(first)
    (tmp_path / "spare").replace(second)
    assert [getattr(item, "origin").path for item in items] == ["b/SKILL.md"]  # noqa: B009


# When it looks


class Live:
    """A source whose look can be held up, and which counts them."""

    label = "live"

    def __init__(self) -> None:
        self.told, self.looks = "Old.", 0
        self.entered, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def scan(self) -> Iterator[Item]:
        """Give the one skill as it was when the look began."""
        self.looks += 1
        skill = Skill("a", self.told)
        self.entered.set()
        assert self.go_on.wait(10)
        yield skill

    def rescan(self, _: Known) -> Iterator[Item]:
        """Do the same."""
        return self.scan()


def test_a_caller_does_not_make_do_with_a_look_that_began_before_its_edit() -> None:
    """Another thread is looking, an edit is made, and a call after it must show it; one look serves all."""
    source = Live()
    index = SkillIndex([source])
    source.go_on.clear()
    source.entered.clear()
    shown: list[str] = []
    threads = [threading.Thread(target=lambda: shown.append(index["a"].description))]
    threads[0].start()
    assert source.entered.wait(10)
    source.told = "New."
    threads += [threading.Thread(target=lambda: shown.append(index["a"].description)) for _ in range(5)]
    for thread in threads[1:]:
        thread.start()
    time.sleep(0.05)
    source.go_on.set()
    for thread in threads:
        thread.join(10)
    assert shown.count("New.") >= 5
    assert len(shown) == 6
    assert source.looks <= 1 + 1 + 5


@pytest.mark.parametrize(
    ("interval", "seconds", "looks"),
    [(0, 0.0, True), (math.inf, 1e9, False), (5.0, 4.9, False), (5.0, 5.1, True), (None, 0.0, True)],
)
def test_the_interval_says_when_a_use_looks(
    interval: float | None, seconds: float, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 is every use, infinity never, a number that many seconds, and None every use of a small index."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    source = Live()
    index = SkillIndex([source], refresh_interval=interval)
    source.told = "New."
    now[0] += seconds
    assert index["a"].description == ("New." if looks else "Old.")
    assert source.looks == 1 + looks
    index.refresh()
    assert (index["a"].description, source.looks) == ("New.", 2 + looks + (interval in {0, None}))


def test_a_large_index_looks_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above so many skills the default is not every use, and a moment later it is due."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(index_module, "SMALL", 0)
    source = Live()
    index = SkillIndex([source])
    source.told = "New."
    assert index["a"].description == "Old."
    now[0] += index_module.LARGE_INTERVAL
    assert index["a"].description == "New."


def test_a_source_without_a_cheap_look_is_left_alone() -> None:
    """Using an index of such sources only never asks them again; `refresh` does."""
    source = Changing([Skill("a", "Old.")])
    index = SkillIndex([source], refresh_interval=0)
    source.items = [Skill("a", "New.")]
    assert (index["a"].description, source.asked) == ("Old.", 1)
    assert index.refresh().changed == ("a",)


# Who is told


def test_each_change_is_told_once_to_everybody(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever found it; a callback that raises is logged and stops nothing; one that left is not called."""
    index = SkillIndex.from_paths(root)
    told: list[str] = []

    def bad(_: Changes) -> None:
        raise RuntimeError("mine")

    index.on_change(bad)
    stop = index.on_change(lambda changes: told.append(str(changes)))
    with caplog.at_level(logging.ERROR, "skill_index"):
        write(root, "chart", "Fills sheets.")
        index.search("chart")
        index.refresh()
    assert told == ["1 changed: chart"]
    assert [record.exc_info is not None for record in caplog.records] == [True]
    stop()
    stop()
    write(root, "chart", "Draws again.")
    index.search("chart")
    assert told == ["1 changed: chart"]


def test_one_callback_given_twice_is_ended_once(root: Path) -> None:
    """Each subscription is its own, also with the same function."""
    index = SkillIndex.from_paths(root)
    told: list[Changes] = []
    tell = told.append
    stop = index.on_change(tell)
    index.on_change(tell)
    stop()
    write(root, "new")
    index.refresh()
    assert len(told) == 1


def test_changes_made_by_a_callback_are_told_after_those_it_was_told_of(root: Path) -> None:
    """All callbacks hear of all changes in the order they happened."""
    index = SkillIndex.from_paths(root)
    told: list[str] = []

    def adds(changes: Changes) -> None:
        if "first" in changes.added:
            write(root, "second")
            assert index.refresh().added == ("second",)

    index.on_change(adds)
    index.on_change(lambda changes: told.append(str(changes)))
    write(root, "first")
    index.refresh()
    assert told == ["1 added: first", "1 added: second"]


def test_a_source_is_any_class_with_the_verb() -> None:
    """The stubs of this file are sources as a host would write them."""
    assert all(isinstance(source, Source) for source in (Failing(), Changing([]), Live()))


class Claiming:
    """A source that says a skill is unchanged which it has never given."""

    label = "claiming"

    def scan(self) -> Iterator[Skill]:
        """Yield nothing."""
        return iter(())

    def rescan(self, _: Known) -> Iterator[Unchanged]:
        """Claim a skill."""
        yield Unchanged(Origin("claiming", "", "a/SKILL.md"))


def test_an_unchanged_skill_that_nobody_gave_is_told(tmp_path: Path) -> None:
    """A source that is wrong about what it gave costs itself only."""
    index = SkillIndex([Claiming(), CallableSource(lambda: [Skill("b", "Does it.")], "good")])
    assert (list(index), [finding.code for finding in index.findings]) == (["b"], ["source-failed"])
