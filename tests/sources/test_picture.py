"""Pictures of a root: whatever a scan would tell in another way looks different in them."""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import DirectorySource, RawSkill, SkillIndex
from skill_index.sources import Known, read_file
from skill_index.sources import picture as pictures
from skill_index.sources.album import Album
from skill_index.sources.picture import Picture
from skill_index.sources.problems import problem
from skill_index.sources.stamps import FileStamp

TEXT = "---\nname: {}\ndescription: Draws charts.\n---\nSteps.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root with a skill, a file beside it, a folder of others, a link in the skill and one to it."""
    root = tmp_path / "skills"
    (root / "chart" / "scripts").mkdir(parents=True)
    (root / "chart" / "SKILL.md").write_text(TEXT.format("chart"), "utf-8")
    (root / "chart" / "scripts" / "draw.py").write_text("draw()", "utf-8")
    (root / "chart" / "again.py").symlink_to("scripts/draw.py")
    (root / "empty").mkdir()
    (root / "notes.txt").write_text("nothing to see", "utf-8")
    (tmp_path / "elsewhere" / "linked").mkdir(parents=True)
    (tmp_path / "elsewhere" / "linked" / "SKILL.md").write_text(TEXT.format("linked"), "utf-8")
    (root / "link").symlink_to(tmp_path / "elsewhere")
    return root


def taken(root: Path) -> Picture:
    """Return the picture of a root that can be seen."""
    picture = DirectorySource(root).picture()
    assert picture is not None
    return picture


def overwrite(path: Path, text: str) -> None:
    """Write as many bytes as there are, and set the old time of modification."""
    before = path.stat()
    path.write_text(text, "utf-8")
    assert path.stat().st_size == before.st_size
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def retarget(path: Path, target: Path) -> None:
    """Let a link lead elsewhere."""
    path.unlink()
    path.symlink_to(target)


CHANGES: list[Callable[[Path], object]] = [
    lambda root: overwrite(root / "chart" / "SKILL.md", TEXT.format("trahc")),
    lambda root: overwrite(root / "chart" / "scripts" / "draw.py", "wraD()"),
    lambda root: overwrite(root / "link" / "linked" / "SKILL.md", TEXT.format("deknil")),
    lambda root: (root / "chart" / "SKILL.md").unlink(),
    lambda root: (root / "chart" / "SKILL.md").rename(root / "chart" / "skill.md"),
    lambda root: (root / "chart").rename(root / "other"),
    lambda root: (root / "chart" / "scripts" / "new.py").touch(),
    lambda root: (root / "empty" / "SKILL.md").touch(),
    lambda root: (root / "empty").rmdir(),
    lambda root: (root / ".hidden").mkdir(),
    lambda root: (root / "empty" / "pyvenv.cfg").touch(),
    lambda root: (root / "chart" / "SKILL.md").chmod(0),
    lambda root: retarget(root / "chart" / "again.py", Path("SKILL.md")),
    lambda root: retarget(root / "chart" / "again.py", Path("nowhere")),
    lambda root: retarget(root / "link", root / "empty"),
    lambda root: (root / "empty" / "loop").symlink_to(root),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_shows(change: Callable[[Path], object], root: Path) -> None:
    """Contents, even of the old size with the old time; names, kinds, rights, links and where they lead."""
    before = taken(root)
    assert taken(root) == before
    change(root)
    assert taken(root) != before


def test_what_is_in_no_skill_does_not_show(root: Path) -> None:
    """A file that no scan reads may change, and so may what is in a folder that none enters."""
    (root / "node_modules").mkdir()
    before = taken(root)
    (root / "notes.txt").write_text("longer than it was before", "utf-8")
    (root / "node_modules" / "SKILL.md").write_text(TEXT.format("pruned"), "utf-8")
    assert taken(root) == before


def test_what_cannot_be_seen_is_no_picture(root: Path) -> None:
    """A root that is missing, and one with more folders than are searched."""
    assert DirectorySource(root / "missing").picture() is None
    assert DirectorySource(root, max_folders=2).picture() is None


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the stamps of files just written."""
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))


def test_a_file_just_written_is_not_trusted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be written again in the same tick of the clock, so that its stamp says nothing."""
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    folders = {f"{root}/chart", f"{root}/chart/scripts"}
    assert taken(root).touched(taken(root)) == frozenset(folders)
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))
    assert taken(root).touched(taken(root)) == frozenset()


@pytest.mark.usefixtures("trusted")
def test_folders_with_changed_files_are_told(root: Path) -> None:
    """If nothing else changed and no link may lead to them; else all may have changed."""
    before = taken(root)
    assert before.touched(taken(root)) == frozenset()
    overwrite(root / "chart" / "scripts" / "draw.py", "wraD()")
    assert before.touched(taken(root)) is None
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    before = taken(root)
    overwrite(root / "chart" / "scripts" / "draw.py", "Draw()")
    assert before.touched(taken(root)) == frozenset({f"{root}/chart/scripts"})
    (root / "chart" / "SKILL.md").write_text(TEXT.format("longer"), "utf-8")
    assert before.touched(taken(root)) == frozenset({f"{root}/chart/scripts", f"{root}/chart"})
    (root / "chart" / "new.py").touch()
    assert before.touched(taken(root)) is None


def test_the_order_of_a_listing_is_no_change(root: Path) -> None:
    """A system may list the same names in another order, after a copy for one."""
    picture = taken(root)
    turned = {
        path: "".join(f"\0{name}\0{sight}" for name, sight in reversed(pictures._sights(text).items()))
        for path, text in picture.folders.items()
    }
    assert turned != picture.folders
    settled = dataclasses.replace(picture, unsettled=frozenset())
    assert settled.touched(dataclasses.replace(settled, folders=turned)) == frozenset()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.usefixtures("trusted")
def test_no_change_is_missed(change: Callable[[Path], object], root: Path) -> None:
    """Whatever was changed, something is to be looked at."""
    before = taken(root)
    change(root)
    assert before.touched(taken(root)) != frozenset()


NAMES = st.sampled_from(["a", "b", ".h", "node_modules", "x.bak"])
PLACES = st.lists(NAMES, max_size=3).map("/".join)
FILES = st.sampled_from(["SKILL.md", "skill.md", "notes.txt", "pyvenv.cfg"])


def write(root: Path, place: str, name: str, text: str) -> None:
    """Write a file, and its folders."""
    (root / place).mkdir(parents=True, exist_ok=True)
    (root / place / name).write_text(text, "utf-8")


def link(root: Path, place: str, target: str) -> None:
    """Link to a place below the root."""
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / place).symlink_to(root / target)


STEPS = st.one_of(
    st.builds(
        lambda place, name, number: lambda root: write(root, place, name, TEXT.format(f"n{number}")),
        PLACES,
        FILES,
        st.integers(1, 2),
    ),
    st.builds(lambda place, target: lambda root: link(root, place, target), PLACES, PLACES),
    st.builds(lambda place, name: lambda root: (root / place / name).unlink(), PLACES, FILES),
    st.builds(lambda place, other: lambda root: (root / place).rename(root / other), PLACES, PLACES),
)


def scanned(source: DirectorySource) -> list[object]:
    """Return what a scan yields, but for when."""
    return [
        (item.origin, item.data, item.files_digest) if isinstance(item, RawSkill) else item
        for item in source.scan()
    ]


@settings(deadline=None)
@given(st.lists(STEPS, max_size=8), st.booleans(), st.booleans())
def test_equal_pictures_mean_equal_scans(
    steps: list[Callable[[Path], None]], hidden: bool, nested: bool
) -> None:
    """Whatever is written, linked, taken away or moved, in whatever order."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        root.mkdir()
        source = DirectorySource(root, hidden=hidden, nested=nested)
        seen: list[tuple[Picture | None, list[object]]] = [(source.picture(), scanned(source))]
        for step in steps:
            try:
                step(root)
            except OSError:
                continue
            picture, items = source.picture(), scanned(source)
            assert source.picture(seen[-1][0]) == picture
            assert all(items == others for other, others in seen if picture is not None and other == picture)
            seen.append((picture, items))


@pytest.mark.usefixtures("trusted")
def test_a_picture_of_some_folders_keeps_the_rest_for_the_next(root: Path) -> None:
    """What changed elsewhere shows in the next whole picture; in those folders, at once."""
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    before = taken(root)
    overwrite(root / "chart" / "SKILL.md", TEXT.format("trahc"))
    overwrite(root / "chart" / "scripts" / "draw.py", "wraD()")
    partly = DirectorySource(root).picture(before, [f"{root}/chart/scripts"])
    assert partly is not None
    assert before.touched(partly) == frozenset({f"{root}/chart/scripts"})
    assert partly.touched(taken(root)) == frozenset({f"{root}/chart"})
    assert DirectorySource(root).picture(partly, [f"{root}/chart"]) == taken(root)


@pytest.mark.usefixtures("trusted")
def test_a_link_anywhere_may_lead_to_what_changed(root: Path) -> None:
    """Also one that is in none of the folders that are looked at."""
    (root / "chart" / "again.py").unlink()
    before = taken(root)
    overwrite(root / "chart" / "SKILL.md", TEXT.format("trahc"))
    partly = DirectorySource(root).picture(before, [f"{root}/chart"])
    assert partly is not None
    assert before.touched(partly) is None


def test_what_was_just_written_stays_in_doubt(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a picture of it is taken that can be trusted, whatever else is pictured."""
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    before = taken(root)
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))
    partly = DirectorySource(root).picture(before, [f"{root}/chart/scripts"])
    assert partly is not None
    assert partly.unsettled == frozenset({f"{root}/chart"})


@pytest.mark.usefixtures("trusted")
def test_only_plain_folders_are_pictured(root: Path) -> None:
    """What derives from a folder source may find skills in other ways, so all of it is looked at."""

    class Derived(DirectorySource):
        """Finds skills in a way of its own."""

    album = Album()
    sources = {0: DirectorySource(root), 1: Derived(root)}
    assert album.touched(sources) == {0: None, 1: None}
    assert album.touched(sources) == {0: frozenset(), 1: None}


@pytest.mark.usefixtures("trusted")
def test_a_look_that_finds_nothing_reads_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second look ends at the picture; an edit is read, and then there is nothing again."""
    index = SkillIndex.from_paths(root)
    looks: list[DirectorySource] = []
    rescan = DirectorySource.rescan

    def counted(source: DirectorySource, known: Known) -> Iterator[object]:
        looks.append(source)
        return rescan(source, known)

    monkeypatch.setattr(DirectorySource, "rescan", counted)
    assert not index.refresh()
    assert not looks
    (root / "chart" / "SKILL.md").write_text(TEXT.format("charts"), "utf-8")
    assert index.refresh().added == ("charts",)
    assert looks
    looks.clear()
    assert not index.refresh()
    assert not looks


@pytest.mark.usefixtures("trusted")
def test_what_failed_is_looked_at_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that could not be read for a reason that no picture shows may be readable now."""
    where = "skill_index.sources.directory.read_file"
    monkeypatch.setattr(where, lambda path, _: problem("unreadable", path, "cannot be read"))
    index = SkillIndex.from_paths(root)
    assert not list(index)
    monkeypatch.setattr(where, read_file)
    assert index.refresh().added == ("chart", "linked")


def test_an_edit_looks_at_its_skill_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are given again, with all that was said of them."""
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    for name in ("other", "third"):
        (root / name).mkdir()
        (root / name / "Skill.md").write_text(TEXT.format(name), "utf-8")
    index = SkillIndex.from_paths(root)
    looked: list[str] = []
    look = DirectorySource.look_at

    def counted(source: DirectorySource, path: str, known: Known, *more: Any) -> Iterator[object]:
        looked.append(path)
        return look(source, path, known, *more)

    monkeypatch.setattr(DirectorySource, "look_at", counted)
    (root / "other" / "Skill.md").write_text(TEXT.format("changed"), "utf-8")
    (root / "chart" / "scripts" / "draw.py").write_text("other()", "utf-8")
    changes = index.refresh()
    assert (changes.added, changes.changed, changes.removed) == (("changed",), ("chart",), ("other",))
    assert looked == ["chart/SKILL.md", "other/Skill.md"]
    assert index.findings == SkillIndex.from_paths(root).findings
    assert list(index) == list(SkillIndex.from_paths(root))


def test_a_copy_that_becomes_a_skill_of_its_own_is_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two names of one file are one skill; written anew under one of them, they are two."""
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    (root / "twin").mkdir()
    (root / "twin" / "SKILL.md").hardlink_to(root / "chart" / "SKILL.md")
    index = SkillIndex.from_paths(root)
    assert list(index) == ["chart"]
    (root / "new.md").write_text(TEXT.format("chart2"), "utf-8")
    (root / "new.md").replace(root / "chart" / "SKILL.md")
    index.refresh()
    assert list(index) == ["chart", "chart2"]


@pytest.mark.parametrize(("kept", "gone"), [("chart", "twin"), ("twin", "chart")])
def test_a_skill_that_becomes_a_copy_is_one_with_it(
    root: Path, kept: str, gone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file put in place of another as a second name of a third: the first of the two places counts."""
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))
    (root / "link").unlink()
    (root / "chart" / "again.py").unlink()
    (root / "twin").mkdir()
    (root / "twin" / "SKILL.md").write_text(TEXT.format("twin"), "utf-8")
    index = SkillIndex.from_paths(root)
    assert list(index) == ["chart", "twin"]
    (root / "new.md").hardlink_to(root / kept / "SKILL.md")
    (root / "new.md").replace(root / gone / "SKILL.md")
    index.refresh()
    assert list(index) == [kept]
    assert index[kept].origin == SkillIndex.from_paths(root)[kept].origin


def test_a_look_ended_by_force_is_made_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture that it began with is no word for what it did not read."""
    monkeypatch.setattr(pictures, "SETTLED_NS", -(10**18))
    index = SkillIndex.from_paths(root)
    (root / "chart" / "SKILL.md").write_text(TEXT.format("charts"), "utf-8")

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.refresh(interrupted)
    assert index.refresh().added == ("charts",)


def test_a_picture_tells_of_a_file_what_its_stamp_does(root: Path) -> None:
    """All of it, in the order of its parts, so that no change that a look would see is missed."""
    stamp = FileStamp.of((root / "chart" / "SKILL.md").stat())
    assert f"\0SKILL.md\0{' '.join(map(str, stamp))}" in taken(root).folders[f"{root}/chart"]
