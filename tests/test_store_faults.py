"""A store that is cut off, damaged, foreign, made up or cannot be written: never an error, never believed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skill_index import (
    ArchiveSource,
    DirectorySource,
    MemorySource,
    SearchSettings,
    Severity,
    SkillIndex,
    Source,
)
from skill_index.discovery import Reader
from skill_index.errors import StoreError
from skill_index.store import read_store, write_store
from skill_index.stored import key_of, to_blocks

CONTENTS = {
    "a": np.arange(6, dtype=np.int32).reshape(3, 2),
    "b": ["x", "\ud800", None],
    "c": b"bytes",
    "d": 1,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of three skills, two of them copies."""
    root = tmp_path_factory.mktemp("skills")
    for folder, name, words in (
        ("a", "pdf-forms", "Fill forms. Not for art."),
        ("b", "kit", "Draw."),
        ("c", "kit", "Draw."),
    ):
        (root / folder).mkdir()
        (root / folder / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: {words}\n---\nText.", "utf-8"
        )
        os.utime(root / folder / "SKILL.md", (1_600_000_000, 1_600_000_000))
    (root / "d").mkdir()
    (root / "d" / "SKILL.md").write_text("no header", "utf-8")
    return root


@pytest.fixture(autouse=True)
def settled() -> Iterator[None]:
    """Trust the times of files however new they are."""
    with (
        patch("skill_index.sources.stamps.SETTLED_NS", -(10**18)),
        patch("skill_index.sources.picture.SETTLED_NS", -(10**18)),
    ):
        yield


def said(index: SkillIndex) -> tuple[Any, ...]:
    """Return much of what an index says."""
    catalog = index.snapshot()
    answers = [catalog.search(text) for text in ("fill form", "+kit", "art", "select:kit", "drwa")]
    told = [
        (each.names, each.total, each.state, each.notes, [hit.skill for hit in each.hits]) for each in answers
    ]
    return told, catalog.entries, catalog.findings, catalog.nearest("pdf-from")


def start(root: Path, store: Path, **options: Any) -> tuple[list[str], tuple[Any, ...]]:
    """Return what a start says of the store, and of all else."""
    index = SkillIndex.from_paths(root, store=store, **options)
    messages = [finding.message for finding in index.findings if finding.code.startswith("store-")]
    return messages, said(index)


@pytest.fixture
def store(root: Path, tmp_path: Path) -> Path:
    """Return a good store."""
    messages, _ = start(root, tmp_path / "folder" / "store")
    assert messages == []
    return tmp_path / "folder" / "store"


def assert_made_anew(root: Path, store: Path, why: str) -> None:
    """Assert that a store is not used, for this reason, and that the next one is a good one."""
    messages, told = start(root, store)
    assert len(messages) == 1
    assert why in messages[0]
    assert told == said(SkillIndex.from_paths(root))
    assert start(root, store) == ([], told)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda _: b"", "it cannot be read"),
        (lambda data: data[:1], "it is cut off"),
        (lambda data: data[:39], "it is cut off"),
        (lambda data: data[:40], "it is cut off"),
        (lambda data: data[: len(data) // 2], "it is cut off"),
        (lambda data: data[:-1], "it is cut off"),
        (lambda data: data + b"\0" * 8, "it is cut off"),
        (lambda data: data[:12] + b"\x09" + data[13:], "it was written by another version"),
        (lambda data: data[:-4096] + b"\0" * 4096, "it is damaged"),
        (lambda data: data.replace(b'"key": "', b'"key": "0'[:8] + b"0", 1)[: len(data)], "it is damaged"),
    ],
    ids=[
        "empty",
        "one byte",
        "cut prefix",
        "prefix",
        "half",
        "last byte",
        "longer",
        "format",
        "zeros",
        "key",
    ],
)
def test_a_damaged_file_is_made_anew(
    root: Path, store: Path, change: Callable[[bytes], bytes], why: str
) -> None:
    """Wherever it was cut or overwritten."""
    store.write_bytes(change(store.read_bytes()))
    assert_made_anew(root, store, why)


def test_no_bit_may_flip(tmp_path: Path) -> None:
    """One bit changed anywhere is found, also in what says how long the parts are."""
    path = tmp_path / "store"
    write_store(str(path), "key", CONTENTS)
    whole = path.read_bytes()
    for place, bit in product(range(len(whole)), range(8)):
        data = bytearray(whole)
        data[place] ^= 1 << bit
        path.write_bytes(data)
        with pytest.raises(StoreError):
            read_store(str(path), "key")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Arrays, texts and bytes come back as they were, and nothing is read as what it is not."""
    path = str(tmp_path / "store")
    write_store(
        path, "key", CONTENTS | {"empty": np.empty((0, 8), dtype=np.uint16), "big": np.arange(3, dtype=">i4")}
    )
    blocks = read_store(path, "key")
    assert blocks is not None
    assert blocks.array("a", "i").tolist() == [[0, 1], [2, 3], [4, 5]]
    assert blocks.array("empty", "u").shape == (0, 8)
    assert blocks.array("big", "i").tolist() == [0, 1, 2]
    assert (blocks.json("b"), bytes(blocks.bytes("c")), blocks.json("d")) == (CONTENTS["b"], b"bytes", 1)
    for wrong in (
        lambda: blocks.array("a", "u"),
        lambda: blocks.array("b", "i"),
        lambda: blocks.json("a"),
        lambda: blocks.bytes("b"),
        lambda: blocks.json("none"),
    ):
        with pytest.raises(StoreError):
            wrong()


def test_a_store_for_something_else_is_made_anew(root: Path, store: Path) -> None:
    """Other settings, another state of this library."""
    messages, _ = start(root, store, settings=SearchSettings(stop_words=frozenset({"draw"})))
    assert "other sources or settings" in messages[0]
    assert_made_anew(root, store, "other sources or settings")
    with patch("skill_index.stored.code_mark", lambda: [("store.py", 1, 1)]):
        assert_made_anew(root, store, "other sources or settings")


def test_keys_tell_all_that_matters() -> None:
    """Anything that changes what is found or how it is analysed, in the same words at every start."""
    source = DirectorySource("/skills")
    keys = [
        key_of([source], False, SearchSettings()),
        key_of([source], True, SearchSettings()),
        key_of([source], False, SearchSettings(k1=2)),
        key_of([DirectorySource("/skills", hidden=True)], False, SearchSettings()),
        key_of([DirectorySource("/skills", max_depth=2)], False, SearchSettings()),
        key_of([DirectorySource("/skills", label="other")], False, SearchSettings()),
        key_of([source, DirectorySource("/more")], False, SearchSettings()),
        key_of([DirectorySource("/more"), source], False, SearchSettings()),
    ]
    assert len(set(keys)) == len(keys)
    assert keys[0] == key_of([DirectorySource("/skills")], False, SearchSettings())
    assert key_of([source, MemorySource({})]) is None
    assert key_of([ArchiveSource("kit.zip")]) is None


def test_other_sources_are_not_stored(root: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The index says so, as no fault of anyone, and works."""
    sources: list[Source] = [
        DirectorySource(root),
        MemorySource({"x/SKILL.md": "---\nname: x\ndescription: X.\n---\n"}),
    ]
    index = SkillIndex(sources, store=tmp_path / "store")
    assert [(each.code, each.severity) for each in index.store_findings] == [("store-unused", Severity.INFO)]
    assert index.findings == (*index.snapshot().findings, *index.store_findings)
    assert len(index) == 3
    assert not (tmp_path / "store").exists()
    assert not caplog.records  # no warning: what is said is information


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no user numbers")
def test_only_the_users_own_file_is_read(root: Path, store: Path) -> None:
    """Not that of another user, nor one that others may write to; what is written is for the user alone."""
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    for mode in (0o620, 0o602):
        store.chmod(mode)
        assert_made_anew(root, store, "others may write to it")
        assert stat.S_IMODE(store.stat().st_mode) == 0o600
    user = os.geteuid()
    with patch("os.geteuid", lambda: user + 1):
        messages, _ = start(root, store)
    assert "belongs to another user" in messages[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_a_pipe_is_not_waited_for(root: Path, tmp_path: Path) -> None:
    """It is neither read nor replaced: as root, that would be the end of any device."""
    os.mkfifo(tmp_path / "store")
    messages, told = start(root, tmp_path / "store")
    assert ["it is not a file" in messages[0], "is no store" in messages[1]] == [True, True]
    assert told == said(SkillIndex.from_paths(root))
    assert (tmp_path / "store").is_fifo()


@pytest.mark.parametrize("content", [b"my notes", b"PK\x03\x04" + b"\0" * 100, b"skill_index", b"s\n"])
def test_a_file_that_is_no_store_stays(root: Path, tmp_path: Path, content: bytes) -> None:
    """A path given by mistake costs nobody a file; what is but the beginning of a store is replaced."""
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    messages, told = start(root, path)
    assert told == said(SkillIndex.from_paths(root))
    assert len(messages) == (1 if content == b"skill_index" else 2)
    assert (path.read_bytes() == content) == (len(messages) == 2)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_path_is_an_unset_variable(root: Path, empty: str) -> None:
    """It is refused as what it is given for: the path of a store."""
    with pytest.raises(ValueError, match="store is the path of a file, and it is empty"):
        SkillIndex.from_paths(root, store=empty)


def test_a_folder_in_its_place_stays(root: Path, tmp_path: Path) -> None:
    """Nothing is read or written, and both are said."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "mine").touch()
    messages, told = start(root, tmp_path / "store")
    assert [message.partition(":")[0] for message in messages] == [
        "is not used",
        "is not written",
    ]
    assert told == said(SkillIndex.from_paths(root))
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_where_nothing_can_be_written_a_search_goes_on(root: Path, tmp_path: Path) -> None:
    """A place below a file can hold no file."""
    (tmp_path / "file").touch()
    messages, told = start(root, tmp_path / "file" / "store")
    assert messages[-1].startswith("is not written: ")
    assert messages[-1].count("written") == 1  # and then why, in the system's words
    assert told == said(SkillIndex.from_paths(root))


@pytest.mark.parametrize("step", ["os.fsync", "os.replace"])
def test_a_write_that_fails_leaves_the_old_store(root: Path, store: Path, step: str) -> None:
    """Whatever happens before the last step, and no half file stays."""
    before = store.read_bytes()
    with patch(step, side_effect=OSError(28, "No space left on device")):
        messages, _ = start(root, store, strict=True)
    assert "No space left on device" in messages[-1]
    assert store.read_bytes() == before
    assert list(store.parent.iterdir()) == [store]


def test_two_writers_and_a_reader_at_once(tmp_path: Path) -> None:
    """Each read meets the whole of one of the two, and of both nothing else stays."""
    path = str(tmp_path / "store")
    texts = {letter: [letter * 1000] * 200 for letter in "ab"}
    write_store(path, "key", {"text": texts["a"]})

    def write(letter: str) -> None:
        for _ in range(20):
            write_store(path, "key", {"text": texts[letter]})

    writers = [threading.Thread(target=write, args=(letter,)) for letter in texts]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        blocks = read_store(path, "key")
        assert blocks is not None
        assert blocks.json("text") in texts.values()
    assert [each.name for each in tmp_path.iterdir()] == ["store"]


def test_a_replaced_store_is_read_on_by_who_has_it(root: Path, store: Path) -> None:
    """What was opened stays as it was."""
    index = SkillIndex.from_paths(root, store=store)
    store.unlink()
    write_store(str(store), "another", CONTENTS)
    assert said(index) == said(SkillIndex.from_paths(root))


MADE_UP = st.sampled_from(
    [
        None,
        0,
        -1,
        10**9,
        "text",
        [],
        {},
        [-1],
        [10**9],
        [0, 0, 0],
        ["a", "a"],
        [None],
        [["a"]],
        {"0": [9]},
        {"0": [0]},
    ]
)
NUMBERS = st.sampled_from([-1, 2**31 - 1, 10**9])  # none of any table, where it can hold them


def altered(value: Any, draw: Callable[[Any], Any]) -> Any:
    """Return something like a block of a store, but wrong."""
    if not isinstance(value, np.ndarray) or draw(st.integers(0, 4)) == 0:
        return draw(MADE_UP)
    if not value.size or draw(st.booleans()):
        return (
            value[: draw(st.integers(0, len(value)))] if draw(st.booleans()) else np.repeat(value, 2, axis=0)
        )
    copy = value.copy()
    spot = draw(st.integers(0, value.size - 1))
    number = draw(NUMBERS)
    with contextlib.suppress(OverflowError):
        copy.reshape(-1)[spot] = number
    return copy


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_made_up_store_is_no_crash(root: Path, tmp_path: Path, data: st.DataObject) -> None:
    """A block that does not fit is refused at the start or, where it is decoded late, by a StoreError."""
    path = tmp_path / "store"
    shutil.rmtree(path, ignore_errors=True)
    index = SkillIndex.from_paths(root)
    reader = Reader(index.sources)
    reader.read()
    key = key_of(index.sources, False, reader.limits, SearchSettings())
    assert key is not None
    blocks = to_blocks(index._reader, index.snapshot())
    name = data.draw(st.sampled_from(sorted(blocks)))
    blocks[name] = altered(blocks[name], data.draw)
    write_store(str(path), key, blocks)
    found = SkillIndex.from_paths(root, store=path)
    with contextlib.suppress(StoreError):
        said(found)
    (root / "a" / "SKILL.md").touch()
    os.utime(root / "a" / "SKILL.md", (1_600_000_000, 1_600_000_000))
    with contextlib.suppress(StoreError):
        found.refresh()


PICTURES = [b"", b"junk", b"\xff", b"\0", b"\0\0", b"x\0y", b"x\0y\0z\0\0x\0y\0z", b"x\0\0\0\0" * 10_000]


@pytest.mark.parametrize("text", PICTURES, ids=lambda text: repr(text[:20]))
@pytest.mark.parametrize("unsettled", [[], ["nowhere"], [3]], ids=str)
def test_a_made_up_picture_tells_nothing(
    root: Path, tmp_path: Path, text: bytes, unsettled: list[object]
) -> None:
    """Everything is looked at, and the store is written again with what is there."""
    index = SkillIndex.from_paths(root)
    key = key_of(index.sources, False, Reader(index.sources).limits, SearchSettings())
    assert key is not None
    blocks = to_blocks(index._reader, index.snapshot())
    true_root = blocks["pictures"][0][0]
    made_up = {"pictures": {0: (true_root, unsettled, False)}, "picture.0": text}
    write_store(str(tmp_path / "store"), key, blocks | made_up)
    assert start(root, tmp_path / "store") == ([], said(index))
    blocks_again = read_store(str(tmp_path / "store"), key)
    assert blocks_again is not None
    assert bytes(blocks_again.bytes("picture.0")) == blocks["picture.0"]


def test_an_index_without_segments_is_refused(tmp_path: Path) -> None:
    """There is one at least, also of no skill, and every query asks it."""
    (tmp_path / "skills").mkdir()
    index = SkillIndex.from_paths(tmp_path / "skills")
    key = key_of(index.sources, False, Reader(index.sources).limits, SearchSettings())
    assert key is not None
    blocks = to_blocks(index._reader, index.snapshot())
    write_store(str(tmp_path / "store"), key, blocks | {"shelves": 0})
    assert_made_anew(tmp_path / "skills", tmp_path / "store", "how many segments")
