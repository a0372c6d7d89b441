"""
Which names are skills, which folders are not searched, and in what order things come.

Pure, so that each rule is a table to test and no rule needs a disk.  Names decide before a
folder is opened: pruning after a full listing would read every dependency of every project
first, and would take third-party texts for skills.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

SKILL_FILE = "SKILL.md"
_NEARLY = frozenset({"skill.md.txt", "skill.md.md", "skill.txt", "skill.mdx", "skill.markdown", "skill.mkd"})

# `build`, `dist`, `target`, `vendor` and `env` are left out: skills and groups carry those names.
_VERSION_CONTROL = {".git", ".hg", ".svn", ".bzr", ".jj", "CVS", "_darcs"}
_DEPENDENCIES = {
    "node_modules",
    "bower_components",
    ".npm",
    ".pnpm-store",
    ".yarn",
    ".m2",
    ".cargo",
    ".rustup",
}
_ENVIRONMENTS = {"venv", ".venv", "site-packages", "dist-packages", ".tox", ".nox", ".eggs", ".terraform"}
_CACHES = {
    "__pycache__",
    "__pypackages__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    ".cache",
}
_BUILDS = {".parcel-cache", ".turbo", ".next", ".nuxt", ".svelte-kit", ".gradle", ".ipynb_checkpoints"}
_DESKTOP = {".idea", ".vscode", ".vs", ".Trash", ".Trashes", ".Spotlight-V100", ".fseventsd", "__MACOSX"}

PRUNED = frozenset(_VERSION_CONTROL | _DEPENDENCIES | _ENVIRONMENTS | _CACHES | _BUILDS | _DESKTOP)
"""Folders never entered below a root: version control, dependencies, environments, caches."""

# Only a mark that nobody gives a living skill: "bak-manager", "archive" and "old-norse" stay.
_RETIRED = re.compile(
    r"_+(?:archived?|archives|backups?|bak|deprecated|old|retired|trash)(?:[-_. ].*|_*\d*)?"
    r"|.+(?:\.(?:bak|backup|old|orig)(?:[-_.]?\d+)?|~)",
    re.IGNORECASE | re.DOTALL,
)

# What editors leave beside a file while they write it (a save is one change, not three), and desktops.
_LEFTOVER = re.compile(r".*~|#.*#|4913|.*\.py[co]|thumbs\.db|desktop\.ini", re.IGNORECASE | re.DOTALL)


def is_skill_file(name: str) -> bool:
    """
    Return whether a file of this name holds a skill: `SKILL.md` in any case.

    Disks that ignore case open `skill.md` as well, so the same tree has the same skills on all.

    >>> [is_skill_file(name) for name in ("SKILL.md", "Skill.MD", "SKILL.md~", "ſkill.md")]
    [True, True, False, False]
    """
    return len(name) == len(SKILL_FILE) and name.isascii() and name.lower() == "skill.md"


def is_nearly_skill_file(name: str) -> bool:
    """
    Return whether a file was surely meant to be a SKILL.md, which it is not called.

    Editors that hide suffixes save `SKILL.md.txt`, and other tools know Markdown by other suffixes.

    >>> [is_nearly_skill_file(name) for name in ("SKILL.md.txt", "skill.mdx", "SKILL.md", "skill.py")]
    [True, True, False, False]
    """
    return name[:6].lower() == "skill." and name.lower() in _NEARLY


def choose_skill_file(names: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """
    Return the one file that speaks for a folder, and the others; `("", ())` when it has none.

    >>> choose_skill_file(["skill.md", "notes.txt", "SKILL.md"])
    ('SKILL.md', ('skill.md',))
    """
    spellings = sorted(filter(is_skill_file, names), key=lambda name: (name != SKILL_FILE, name))
    return (spellings[0], tuple(spellings[1:])) if spellings else ("", ())


def is_hidden(name: str) -> bool:
    """Return whether a folder's own name begins with a dot."""
    return name.startswith(".")


def is_unlisted(name: str) -> bool:
    """
    Return whether a file or folder inside a skill is none that the skill offers, by its own name.

    Hidden names, caches, dependencies and leftovers cost tokens and may hold secrets.

    >>> [is_unlisted(name) for name in (".env", "node_modules", "a.md~", "Thumbs.db", "a.md")]
    [True, True, True, True, False]
    """
    return is_hidden(name) or name in PRUNED or _LEFTOVER.fullmatch(name) is not None


def is_retired(name: str) -> bool:
    """
    Return whether a folder's name marks it as a copy put away, without doubt.

    >>> [is_retired(name) for name in ("_archived", "pdf.bak-1", "pdf~", "bak-manager", "archive")]
    [True, True, True, False, False]
    """
    return _RETIRED.fullmatch(name) is not None


def relative_path(path: PurePath, root: PurePath) -> str:
    r"""
    Return the '/'-path from `root` to `path`, on every system.

    A backslash is a separator on Windows only; elsewhere it is a letter of the name and stays.

    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> relative_path(PureWindowsPath(r"C:\s\kit\docs\api.md"), PureWindowsPath("C:/s/kit"))
    'docs/api.md'
    >>> print(relative_path(PurePosixPath("/s/a\\b.md"), PurePosixPath("/s")))
    a\b.md
    """
    return path.relative_to(root).as_posix()
