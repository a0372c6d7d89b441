"""An index from a store is the index without one: what it finds, tells and remembers, after any change."""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Skill, SkillIndex
from skill_index.resolving import Resolver
from skill_index.results import Hit, SearchResults
from skill_index.sources.reading import read_file

NAMES = st.sampled_from(["pdf-forms", "charts", "kit", "Kit", "naïve", "a b"])
WORDS = st.sampled_from(
    ["fill forms", "draw charts", "merge PDF files", "naïve café", "Not for drawing.", "c++ kit", "𝒳 \u200d"]
)
QUERIES = ("fill form", "+kit draw", "pdf-forms", "select:kit,chart", "charst", "drawing", '"merge pdf"', "")


class Folder:
    """A folder of skills that is changed step by step; its files are old, so that their times are trusted."""

    def __init__(self, root: Path) -> None:
        self.root, self.clock = root, 1_600_000_000

    def write(self, path: str, text: str) -> None:
        """Write a file with a time of its own."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", "surrogatepass")
        self.clock += 1
        os.utime(file, (self.clock, self.clock))

    def skill(self, path: str, name: str, words: str, more: str = "") -> None:
        """Write a skill."""
        self.write(
            f"{path}/SKILL.md", f"---\nname: {name}\ndescription: {words}\n{more}---\n# {words}\n{words} body"
        )


@pytest.fixture(autouse=True)
def settled() -> Iterator[None]:
    """Let what a test has just written count as settled, as it would be two seconds later."""
    now = time.time_ns
    with patch("time.time_ns", lambda: now() + 10_000_000_000):
        yield


def shown(hit: Hit) -> tuple[Any, ...]:
    """Return all that a hit says, scores to nine digits."""
    evidence = tuple((*each[:4], round(each.score, 9)) for each in hit.evidence)
    return hit.name, hit.id, hit.skill, round(hit.score, 9), evidence


def answer(results: SearchResults) -> tuple[Any, ...]:
    """Return all that an answer says."""
    hits, near = tuple(map(shown, results.hits)), tuple(map(shown, results.near))
    rest = (results.state, results.total, results.notes, results.rejected, results.follow_up)
    return hits, near, round(results.confidence, 9), rest


def told(index: SkillIndex) -> list[object]:
    """Return all that an index says."""
    catalog = index.snapshot()
    rest = [catalog.nearest("pdf-from"), list(catalog), len(catalog), catalog.entries, catalog.findings]
    return [answer(catalog.search(query)) for query in QUERIES] + rest


def assert_same(store: Path, *roots: Path, **options: Any) -> SkillIndex:
    """Assert that a start with the store is one without, and return the index."""
    with_store = SkillIndex.from_paths(*roots, store=store, **options)
    assert told(with_store) == told(SkillIndex.from_paths(*roots, **options))
    assert not with_store.store_findings
    return with_store


def read_files(store: Path, *roots: Path, **options: Any) -> list[str]:
    """Return the folders of the files that a start with the store reads."""
    with patch("skill_index.sources.directory.read_file", wraps=read_file) as reading:
        SkillIndex.from_paths(*roots, store=store, **options)
    return [Path(call.args[0]).parent.name for call in reading.call_args_list]


STEP = st.one_of(
    st.tuples(st.just("write"), st.sampled_from("abcd"), NAMES, WORDS),
    st.tuples(st.just("break"), st.sampled_from("abcd")),
    st.tuples(st.just("remove"), st.sampled_from("abcd")),
    st.tuples(st.just("touch"), st.sampled_from("abcd")),
    st.tuples(st.just("move"), st.sampled_from("abcd"), st.sampled_from("abcd")),
    st.tuples(st.just("beside"), st.sampled_from("abcd"), WORDS),
    st.tuples(st.just("start")),
)


def change(folder: Folder, kind: str, *given: str) -> None:
    """Do one thing to the folder."""
    at = folder.root / given[0] if given else folder.root
    if kind == "write":
        folder.skill(*given)
    elif kind == "break":
        folder.write(f"{given[0]}/SKILL.md", "no front matter")
    elif kind == "beside":
        folder.write(f"{given[0]}/notes.md", given[1])
    elif kind == "remove":
        shutil.rmtree(at, ignore_errors=True)
    elif kind == "touch" and (at / "SKILL.md").exists():
        os.utime(at / "SKILL.md")
    elif kind == "move" and at.exists() and not (folder.root / given[1]).exists():
        at.rename(folder.root / given[1])


@settings(max_examples=60, deadline=None)
@given(st.lists(STEP, max_size=12))
def test_any_changes_between_starts(steps: list[tuple[str, ...]]) -> None:
    """Whatever is done between two starts, the second is one without a store, and so is a third."""
    with tempfile.TemporaryDirectory() as place:
        folder, store = Folder(Path(place, "skills")), Path(place, "store")
        folder.skill("a", "pdf-forms", "Fill forms.")
        folder.skill("b/deep", "kit", "Draw charts.")
        for kind, *rest in steps:
            if kind == "start":
                assert_same(store, folder.root)
            else:
                change(folder, kind, *rest)
        assert_same(store, folder.root)
        assert_same(store, folder.root)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Return a folder of a few skills, one of them with all a header can say."""
    made = Folder(tmp_path / "skills")
    more = "aliases: [x, y]\ntags: [office]\nallowed-tools: Read\nlicense: MIT\n"
    more += "metadata: {a: {b: [1, null]}}\nodd: é\n"
    made.skill("one", "pdf-forms", "Fill forms. Use when asked. Not for drawing.", more)
    made.skill("two", "charts", "Draw charts.")
    made.skill("three", "charts", "Draw maps.")
    made.write("two/data/points.csv", "1,2")
    return made


def test_nothing_is_read_where_nothing_has_changed(folder: Folder, tmp_path: Path) -> None:
    """The second start reads no file and leaves the store as it is; the first reads all."""
    store = tmp_path / "store"
    assert sorted(read_files(store, folder.root)) == ["one", "three", "two"]
    before = store.stat().st_ino
    assert_same(store, folder.root)
    assert read_files(store, folder.root) == []
    assert store.stat().st_ino == before


def test_only_what_has_changed_is_read(folder: Folder, tmp_path: Path) -> None:
    """An edit, an addition and a removal are; and the start after that reads nothing again."""
    store = tmp_path / "store"
    assert_same(store, folder.root)
    folder.skill("two", "charts", "Draw pictures.")
    folder.skill("four", "kit", "Cut wood.")
    shutil.rmtree(folder.root / "three")
    assert sorted(read_files(store, folder.root)) == ["four", "two"]
    assert read_files(store, folder.root) == []
    assert_same(store, folder.root)


def test_a_file_just_written_is_read_again(folder: Folder, tmp_path: Path) -> None:
    """Two writes in one tick of the clock leave the same times."""
    store, file = tmp_path / "store", folder.root / "two" / "SKILL.md"
    with (
        patch("skill_index.sources.stamps.SETTLED_NS", 10**18),
        patch("skill_index.sources.picture.SETTLED_NS", 10**18),
    ):
        assert_same(store, folder.root)
        times = file.stat()
        file.write_text(file.read_text("utf-8").replace("Draw", "Bend"), "utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert assert_same(store, folder.root).search("bend").names


def test_a_folder_that_has_settled_is_stored_so(folder: Folder, tmp_path: Path) -> None:
    """Or every start would look at it again; the next one writes that, and the one after it nothing."""
    store = tmp_path / "store"
    with patch("skill_index.sources.picture.SETTLED_NS", 10**18):
        assert_same(store, folder.root)
    written = [store.stat().st_ino]
    for _ in range(2):
        assert read_files(store, folder.root) == []
        written.append(store.stat().st_ino)
    assert written[0] != written[1] == written[2]


def test_a_broken_edit_between_starts_keeps_nothing_old(folder: Folder, tmp_path: Path) -> None:
    """A new process never knew the skill as it was; one that runs keeps it, also one that has a store."""
    store = tmp_path / "store"
    assert_same(store, folder.root)
    folder.write("two/SKILL.md", "no front matter")
    assert len(assert_same(store, folder.root)) == 2
    index = assert_same(store, folder.root)
    folder.write("one/SKILL.md", "no front matter")
    index.refresh()
    assert "kept-old" in {finding.code for finding in index.findings}
    assert "pdf-forms" in index


def test_a_folder_that_cannot_be_looked_at_is_empty(folder: Folder, tmp_path: Path) -> None:
    """It is to a first look, whatever a store remembers."""
    store = tmp_path / "store"
    assert_same(store, folder.root)
    folder.root.rename(tmp_path / "elsewhere")
    assert len(assert_same(store, folder.root)) == 0
    (tmp_path / "elsewhere").rename(folder.root)
    assert len(assert_same(store, folder.root)) == 3


def test_a_catalog_from_a_store_travels(folder: Folder, tmp_path: Path) -> None:
    """It can be pickled, merged and added to before anything of it was looked at."""
    store, plain = tmp_path / "store", SkillIndex.from_paths(folder.root).snapshot()
    assert_same(store, folder.root)
    starts = [SkillIndex.from_paths(folder.root, store=store).snapshot() for _ in range(4)]
    copy = pickle.loads(pickle.dumps(starts[0]))  # noqa: S301 - our own bytes
    assert (copy, copy.findings) == (plain, plain.findings)
    assert answer(copy.search("draw maps")) == answer(plain.search("draw maps"))
    assert starts[1].merge(plain) == plain.merge(plain)
    more = Skill("more", "Draw more.")
    assert starts[2].with_(more) == plain.with_(more)
    assert hash(starts[3]) == hash(plain)


def test_a_start_goes_on_as_any_index(folder: Folder, tmp_path: Path) -> None:
    """Refreshes see edits, views and further catalogs hold what they should."""
    store = tmp_path / "store"
    assert_same(store, folder.root)
    index = SkillIndex.from_paths(folder.root, store=store)
    folder.skill("two", "charts", "Weave cloth.")
    changes = index.refresh()
    assert len(changes.changed) == 1
    assert index.search("weave").names
    view = index.snapshot().only(["pdf-*"])
    assert list(view) == ["pdf-forms"]
    assert view.search("charts").total == 0
    assert told(index) == told(SkillIndex.from_paths(folder.root))


def test_paths_told_to_a_start_from_a_store(folder: Folder, tmp_path: Path) -> None:
    """A host that was told what changed may say so at once."""
    store = tmp_path / "store"
    assert_same(store, folder.root)
    index = SkillIndex.from_paths(folder.root, store=store)
    folder.skill("two", "charts", "Weave cloth.")
    index.refresh(paths=[folder.root / "two" / "SKILL.md"])
    assert told(index) == told(SkillIndex.from_paths(folder.root))


def test_links_copies_and_two_roots(folder: Folder, tmp_path: Path) -> None:
    """Copies are merged and links followed as ever, and the order of the roots decides who has a name."""
    other, store = Folder(tmp_path / "other"), tmp_path / "store"
    other.skill("two", "charts", "Draw charts.")
    other.skill("x", "pdf-forms", "Fill other forms.")
    (other.root / "linked").symlink_to(folder.root / "one")
    (other.root / "lost").symlink_to(tmp_path / "nowhere")
    for roots in ((folder.root, other.root), (other.root, folder.root)):
        for _ in range(2):
            shutil.rmtree(store, ignore_errors=True)
            index = SkillIndex.from_paths(*roots, store=store)
            assert told(index) == told(SkillIndex.from_paths(*roots))
        assert_same(store, *roots)
        assert read_files(store, *roots) == []


def test_hidden_nested_and_strict_are_other_stores(folder: Folder, tmp_path: Path) -> None:
    """A store made with other options is not used, and said so."""
    store = tmp_path / "store"
    folder.skill(".quiet", "quiet", "Be quiet.")
    folder.skill("one/below", "below", "Be below.")
    assert_same(store, folder.root)
    choices: list[dict[str, Any]] = [{"hidden": True}, {"nested": True}, {"strict": True}]
    for options in choices:
        index = SkillIndex.from_paths(folder.root, store=store, **options)
        assert [finding.code for finding in index.store_findings] == ["store-refused"]
        assert told(index) == told(SkillIndex.from_paths(folder.root, **options))
        assert_same(store, folder.root, **options)


def test_no_skills_at_all(tmp_path: Path) -> None:
    """An empty folder is stored too."""
    (tmp_path / "skills").mkdir()
    for _ in range(3):
        assert_same(tmp_path / "store", tmp_path / "skills")


def test_what_is_stored_twice_over_is_the_same(folder: Folder, tmp_path: Path) -> None:
    """A store made from a start from a store, many edits later, still answers as a fresh index."""
    store = tmp_path / "store"
    for number in range(12):
        folder.skill(f"n{number % 5}", f"kit-{number % 7}", f"Draw number {number} and word{number}.")
        assert_same(store, folder.root)


def test_an_edit_that_changes_no_name_leaves_the_names(folder: Folder, tmp_path: Path) -> None:
    """They are neither worked out anew nor, of a start after it, other ones."""
    store = tmp_path / "store"
    assert_same(store, folder.root)
    folder.skill("two", "charts", "Weave cloth.")
    with patch.object(Resolver, "__init__", side_effect=AssertionError):
        SkillIndex.from_paths(folder.root, store=store)
        assert read_files(store, folder.root) == []
    assert_same(store, folder.root)
