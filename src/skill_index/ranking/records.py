"""
What is ranked: plain records with named fields, and what a ranking says about them.

Nothing here knows a skill, a file or a catalog, so any collection of named, described things can
be ranked and tested with a handful of literals.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from skill_index.findings import Note

State = Literal["exact", "strong", "weak", "none"]
STATES: tuple[State, ...] = ("exact", "strong", "weak", "none")
"""How far an answer can be trusted, from most to least."""

FIELDS = ("name", "aliases", "tags", "description", "headings", "body")
"""The fields that words are looked for in; the first four are short and keep their word order."""

SHORT_FIELDS = FIELDS[:4]


@dataclass(frozen=True, slots=True)
class Record:
    """One thing to rank; `key` is unique, and settles ties. Headings are taken from the body."""

    key: str
    name: str
    description: str
    body: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """
    One part of a score: which word of the query met which term, in which fields, and how.

    `how` is "exact", "stem", "exact form" (what writing it as the query does adds), "corrected",
    "synonym", "phrase", "negative" or "name".
    """

    word: str
    term: str
    fields: tuple[str, ...]
    how: str
    score: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A record by its position, with its score and the parts that sum to it."""

    position: int
    score: float
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """
    The answer to one query; `rejected` are positions held back, with the reason.

    `coverage` is the share of the query that the first hit covers, 0 where there is none.
    """

    state: State
    hits: tuple[Scored, ...] = ()
    near: tuple[Scored, ...] = ()
    rejected: tuple[tuple[int, str], ...] = ()
    total: int = 0
    notes: tuple[Note, ...] = ()
    coverage: float = 0.0
    matched: Iterable[int] = field(default=(), compare=False, repr=False)
    """Every position that is a hit, in no order: what `total` counts."""
