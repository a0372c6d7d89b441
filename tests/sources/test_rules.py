"""The rules on names and order, which need no disk."""

from __future__ import annotations

import itertools
from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.resources import order_key
from skill_index.sources.rules import (
    PRUNED,
    choose_skill_file,
    is_hidden,
    is_retired,
    is_skill_file,
    relative_path,
)

NAMES = st.text(
    st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=6
)


def test_every_case_of_the_name_is_a_skill_file() -> None:
    """SKILL.md is found in each of its 128 spellings by case."""
    spellings = [
        "".join(chars) for chars in itertools.product(*((char, char.upper()) for char in "skill.md"))
    ]
    assert len(set(spellings)) == 128
    assert all(map(is_skill_file, spellings))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "SKILL",
        "SKILL.md~",
        ".SKILL.md.swp",
        "SKILL.md ",
        "SKILLS.md",
        "SKILL.mdx",
        "SKILL_md",
        "ſkill.md",
        "s\u212aill.md",
    ],
)
def test_names_that_only_look_like_it_are_not(name: str) -> None:
    """Leftovers of editors and letters that merely fold to the name hold no skill."""
    assert not is_skill_file(name)


@pytest.mark.parametrize(
    ("names", "chosen", "others"),
    [
        ([], "", ()),
        (["README.md"], "", ()),
        (["skill.md"], "skill.md", ()),
        (["skill.md", "SKILL.md"], "SKILL.md", ("skill.md",)),
        (["skill.md", "Skill.md", "x"], "Skill.md", ("skill.md",)),
        (["SKILL.MD", "SKILL.md", "skill.md"], "SKILL.md", ("SKILL.MD", "skill.md")),
    ],
)
def test_one_file_speaks_for_a_folder(names: list[str], chosen: str, others: tuple[str, ...]) -> None:
    """The exact name wins, and else the first spelling, whatever the order of listing."""
    for order in itertools.permutations(names):
        assert choose_skill_file(order) == (chosen, others)


@pytest.mark.parametrize(
    "name",
    [
        "_archive", "_archived", "_Archived", "__archive__", "_bak", "_bak-1",
        "_backup_2024", "_old", "_trash", "_deprecated", "_retired-skills", "pdf.bak",
        "pdf.bak-1", "pdf.BAK2", "pdf.old", "pdf.orig", "pdf~",
    ],
)  # fmt: skip
def test_marked_copies_are_retired(name: str) -> None:
    """A name that only a copy put away bears is told from living skills."""
    assert is_retired(name)


@pytest.mark.parametrize(
    "name",
    [
        "archive", "archived", "archiver", "archive-strategy", "bak-manager", "backup", "old",
        "old-norse", "trash", "deprecated", "pdf-bak", "pdf-old", "_oldest", "_archivist",
        "_shared", "_bakery", "pdf.bake", ".bak-1", "~", "orig", "x.older",
    ],
)  # fmt: skip
def test_ordinary_names_are_not_retired(name: str) -> None:
    """Words about archives and backups are fit names of skills."""
    assert not is_retired(name)


def test_hidden_is_a_leading_dot() -> None:
    """Only the first character of a name hides a folder."""
    assert [is_hidden(name) for name in (".a", "a.b", "..", "_a")] == [True, False, True, False]


def test_pruned_names_are_folder_names() -> None:
    """No entry of the prune list is a path or a pattern, and common words for groups are not in it."""
    assert not [name for name in PRUNED if "/" in name or "*" in name or name != name.strip()]
    assert not PRUNED & {"build", "dist", "target", "vendor", "env", "lib", "archive", "skills"}


@given(st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), unique=True))
def test_order_is_that_of_parts(paths: list[str]) -> None:
    """The key orders paths by their parts folded, and settles what is left by their exact text."""
    by_parts = sorted(paths, key=lambda path: (path.casefold().split("/"), path))
    assert sorted(paths, key=order_key) == by_parts
    assert sorted(set(paths), key=order_key) == by_parts


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        (PureWindowsPath("C:/s/kit/references/api.md"), PureWindowsPath("C:/s/kit"), "references/api.md"),
        (PureWindowsPath(r"c:\S\Kit\a\b.md"), PureWindowsPath("C:/s/kit"), "a/b.md"),
        (PureWindowsPath(r"\\host\share\kit\a.md"), PureWindowsPath(r"\\host\share"), "kit/a.md"),
        (PurePosixPath("/s/kit/references/api.md"), PurePosixPath("/s/kit/"), "references/api.md"),
        (PurePosixPath("/s/kit/a\\b.md"), PurePosixPath("/s/kit"), "a\\b.md"),
    ],
)
def test_relative_paths_have_slashes(path: PurePath, root: PurePath, expected: str) -> None:
    """A relative path reads the same on every system, and a POSIX backslash stays a letter."""
    assert relative_path(path, root) == expected


def test_a_path_elsewhere_has_no_relative_path() -> None:
    """A path that is not below the root is refused, not climbed to with '..'."""
    with pytest.raises(ValueError, match="not in the subpath"):
        relative_path(PurePosixPath("/other/a.md"), PurePosixPath("/s"))
