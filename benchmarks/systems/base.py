"""
What a search system must do to be measured, and how one whose package is absent is passed over.

The question: a dozen systems, some written here and some installed, answer the same queries.  The
choice: the least they share, skills in and names out.  Packages are imported when a system is
made, so that the benchmark runs with any of them missing and says which were.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from skill_index import Skill

_INNER_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_JOINTS = re.compile(r"[_-]+")


class System(Protocol):
    """One way to find skills by a query."""

    @property
    def name(self) -> str:
        """What its row of the table is called."""

    def build(self, skills: Sequence[Skill]) -> None:
        """Take in the skills of one set, in the set's order, in place of those before."""

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of at most `limit` skills, best first."""


class MissingPackageError(Exception):
    """A system cannot be measured because its package is not installed."""


def package(module: str, distribution: str) -> Any:
    """
    Import what a system stands on.

    Raises `MissingPackageError` with the package to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"{distribution} is not installed (see benchmarks/requirements.txt)"
        raise MissingPackageError(message) from error


def split_words(text: str) -> str:
    """Return a text with a blank at every joint inside a word: getUser_byId is get User by Id."""
    return _JOINTS.sub(" ", _INNER_CAPITAL.sub(" ", text))


def whole_text(skill: Skill) -> str:
    """Return all that a skill says of itself, one part a line."""
    return f"{skill.name}\n{skill.description}\n{skill.instructions}"


def short_text(skill: Skill) -> str:
    """Return the part of a skill that a prompt shows: its name and description."""
    return f"{skill.name} {skill.description}"


def at_once(searching: Coroutine[Any, Any, Any]) -> Any:
    """
    Return what a coroutine that waits for nothing comes to, without an event loop's share of the time.

    Raises `RuntimeError` for one that waits after all.
    """
    try:
        searching.send(None)
    except StopIteration as done:
        return done.value
    searching.close()
    message = "the search waits for something; run it in an event loop"
    raise RuntimeError(message)
