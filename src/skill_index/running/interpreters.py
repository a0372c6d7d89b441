"""
Which program runs a script: by its suffix, else by its first line, always from a table.

A table instead of the executable bit, since archives and checkouts lose the bit, and so that no
file of a stranger is executed itself.  The first line only chooses among the table's programs: it
cannot name a program of its own, nor options of one.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import PurePosixPath

from skill_index.frozen import FrozenMap

INTERPRETERS: Mapping[str, tuple[str, ...]] = FrozenMap(
    {
        ".py": (sys.executable or "python3",),
        ".sh": ("bash",),
        ".bash": ("bash",),
        ".js": ("node",),
        ".mjs": ("node",),
        ".cjs": ("node",),
        ".rb": ("ruby",),
        ".pl": ("perl",),
        ".ps1": ("pwsh", "-File"),
    }
)
"""The program and its first arguments for each suffix; a host may give a table of its own."""

_INSTEAD = {(".sh", "bash"): "sh"}  # most .sh files are written for bash; a small system has only sh
_VERSION = re.compile(r"[\d.]+$")
_FIRST_LINE = 256


class UnknownInterpreterError(Exception):
    """No program of the table runs a script, or it is not installed; the text says which."""


def suffix_of(script: str) -> str:
    """Return the suffix by which a script is looked up."""
    return PurePosixPath(script).suffix.lower()


def suffix_meant(start: bytes) -> str:
    """
    Return the suffix that a script which begins so would have by its first line, "" for no script.

    >>> suffix_meant(b"#!/usr/bin/env bash"), suffix_meant(b"# Notes")
    ('.sh', '')
    """
    try:
        return _suffix_for(_program_named(start[:_FIRST_LINE]), INTERPRETERS)
    except UnknownInterpreterError:
        return ""


def command_for(script: str, path: str, table: Mapping[str, tuple[str, ...]], search: str) -> tuple[str, ...]:
    """
    Return the program, by its absolute path, and its first arguments for the script at `path`.

    `search` is the PATH to look in.  Raises `UnknownInterpreterError`.
    """
    suffix = suffix_of(script)
    if suffix not in table:
        suffix = _suffix_for(_program_of_first_line(path), table)
    program, *first = table[suffix]
    found = shutil.which(program, path=search)
    if found is None and (suffix, program) in _INSTEAD:
        found = shutil.which(_INSTEAD[suffix, program], path=search)
    if found is None:
        message = f"it needs {program!r}, which is not installed or not on the PATH"
        raise UnknownInterpreterError(message)
    return (os.path.abspath(found), *first)  # noqa: PTH100  (a Path drops what makes `./x` a path)


def _suffix_for(program: str, table: Mapping[str, tuple[str, ...]]) -> str:
    """Return the first suffix of the table whose program has this name, versions aside."""
    for suffix, (own, *_) in table.items():
        if program and program in {_plain(own), _INSTEAD.get((suffix, own))}:
            return suffix
    message = f"no program is known for it; what can be run is {', '.join(sorted(table)) or 'nothing'}"
    raise UnknownInterpreterError(message)


def _program_of_first_line(path: str) -> str:
    with open(path, "rb") as file:  # noqa: PTH123
        return _program_named(file.read(_FIRST_LINE))


def _program_named(start: bytes) -> str:
    """Return the plain name of the program that a script's `#!` line names, "" where none does."""
    if not start.startswith(b"#!"):
        return ""
    words = start[2:].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    names = [_plain(word) for word in words if not word.startswith("-") and "=" not in word]
    if names[:1] == ["env"]:
        names = names[1:]
    return names[0] if names else ""


def _plain(program: str) -> str:
    """
    Return a program's name without its folder and version.

    >>> _plain("/usr/bin/python3.11")
    'python'
    """
    name = PurePosixPath(program).name
    return _VERSION.sub("", name) or name
