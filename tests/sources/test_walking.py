"""Laws of the walk, on random trees of folders, files and links."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.findings import Finding
from skill_index.resources import order_key
from skill_index.sources.reading import identity_of
from skill_index.sources.rules import PRUNED
from skill_index.sources.walking import WalkRules, walk

NAMES = st.sampled_from(["a", "A", "b", ".h", "venv", "_old", "x y"])
FOLDERS = st.lists(NAMES, max_size=3).map("/".join)
FILES = st.sampled_from(["SKILL.md", "skill.md", "other.txt"])
TREES = st.tuples(
    st.lists(st.tuples(FOLDERS, FILES), max_size=8),
    st.lists(st.tuples(FOLDERS, NAMES | FILES, FOLDERS | FILES), max_size=6),
)
RULES = st.builds(
    WalkRules,
    max_depth=st.integers(0, 5),
    max_folders=st.sampled_from([3, 1000]),
    hidden=st.booleans(),
    nested=st.booleans(),
    prune=st.sampled_from([PRUNED, frozenset()]),
)
Tree = tuple[list[tuple[str, str]], list[tuple[str, str, str]]]


@contextmanager
def built(tree: Tree) -> Iterator[str]:
    """Make a tree on disk; what cannot be made beside the rest is left out."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "root")
        files, links = tree
        for where, name in files:
            (root / where).mkdir(parents=True, exist_ok=True)
            (root / where / name).write_bytes(b"x")
        for where, name, target in links:
            with suppress(OSError):  # the way there may be a link in a loop, or the name taken
                (root / where).mkdir(parents=True, exist_ok=True)
                (root / where / name).symlink_to(root / target)
        root.mkdir(exist_ok=True)
        yield str(root)


class Shuffled:
    """A listing in an order that no disk would give twice."""

    def __init__(self, listing: Iterator[os.DirEntry[str]], chance: random.Random) -> None:
        self.entries = list(listing)
        chance.shuffle(self.entries)

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        return iter(self.entries)

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        """Leave nothing open: the listing was read whole."""


@settings(max_examples=150, deadline=None)
@given(TREES, RULES, st.randoms(use_true_random=False))
def test_a_walk_ends_the_same_whatever_the_disk_lists_first(
    tree: Tree, rules: WalkRules, chance: random.Random
) -> None:
    """Any tree with any links is walked to its end, with one result in one order."""
    real = os.scandir

    def scandir(path: str) -> Shuffled:
        with real(path) as listing:
            return Shuffled(listing, chance)

    with built(tree) as root:
        plain = walk(root, rules)
        with mock.patch.object(os, "scandir", scandir):
            assert walk(root, rules) == plain
    paths = [item for item in plain if isinstance(item, str)]
    assert paths == sorted(paths, key=order_key)


@settings(max_examples=150, deadline=None)
@given(TREES, RULES)
def test_each_folder_gives_one_skill_at_most(tree: Tree, rules: WalkRules) -> None:
    """No real folder is searched twice, no rule on names is passed over, and every path exists."""
    with built(tree) as root:
        found = [item for item in walk(root, rules) if isinstance(item, str)]
        folders = [identity_of(Path(root, path).parent.stat()) for path in found]
        assert len(set(folders)) == len(folders)
        assert all(os.path.lexists(f"{root}/{path}") for path in found)
    parts = [part for path in found for part in path.split("/")[:-1]]
    assert not rules.prune.intersection(parts)
    assert rules.hidden or not [part for part in parts if part.startswith(".") or part == "_old"]
    assert all(path.count("/") <= rules.max_depth for path in found)


@settings(max_examples=100, deadline=None)
@given(TREES)
def test_a_walk_without_rules_finds_every_real_folder(tree: Tree) -> None:
    """With nothing left out, each real folder that holds a skill file is found by its own path."""
    rules = WalkRules(max_depth=99, max_folders=1000, hidden=True, nested=True, prune=frozenset())
    with built(tree) as root:
        found = {path.rpartition("/")[0] for path in walk(root, rules) if not isinstance(path, Finding)}
        expected = {
            "" if folder == root else folder.removeprefix(f"{root}/")
            for folder, _, files in os.walk(root)
            if {"SKILL.md", "skill.md"} & set(files)
        }
    assert expected <= found
