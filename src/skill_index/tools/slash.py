"""
Slash activation: `/skill-name rest of the task`, as a person types it.

A host has commands of its own; its words are reserved and never name a skill here.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

RESERVED = frozenset(
    {
        "bootstrap",
        "clear",
        "compact",
        "exit",
        "goal",
        "help",
        "memory",
        "model",
        "models",
        "new",
        "quit",
        "status",
    }
)
"""Words that hosts commonly use for commands of their own."""

_SLASH = re.compile(r"\s*/(?P<name>[^\s/]\S*)(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Slash:
    """The name after the slash, and the rest of the text."""

    name: str
    rest: str


def find_slash(text: str, reserved: Collection[str] = RESERVED) -> Slash | None:
    """
    Return what a text beginning with a slash asks for, None for any other text or a reserved word.

    A path such as `/etc/passwd` is no command: a skill's name holds no slash, but for the part
    before a colon of a qualified one.

    >>> find_slash("/pdf-forms fill in page 2")
    Slash(name='pdf-forms', rest='fill in page 2')
    >>> find_slash("/help me"), find_slash("/etc/passwd is gone"), find_slash("a /pdf")
    (None, None, None)
    """
    found = _SLASH.fullmatch(text)
    if found is None:
        return None
    name = found["name"]
    bare = name.rpartition(":")[2]
    if "/" in bare or name.casefold() in {word.casefold() for word in reserved}:
        return None
    return Slash(name, found["rest"].strip())
