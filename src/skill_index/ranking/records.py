"""
What is ranked: plain records with named fields, and what a ranking says about them.

Nothing here knows a skill, a file or a catalog, so any collection of named, described things can
be ranked and tested with a handful of literals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from skill_index.findings import Note

State = Literal["exact", "strong", "weak", "none"]
STATES: tuple[State, ...] = ("exact", "strong", "weak", "none")
"""How far an answer can be trusted, from most to least."""

FIELDS = ("name", "aliases", "tags", "description", "uses", "headings", "quotes", "body")
"""
The fields that words are looked for in; the first four are short and keep their word order.

`uses` is what a description says of when to use a skill, `quotes` what the body quotes of users.
"""

SHORT_FIELDS = FIELDS[:4]


@dataclass(frozen=True, slots=True)
class Record:
    """
    One thing to rank; `key` is unique, and settles ties.

    Headings and quotes are taken from the body, uses from the description, where `uses` has no more.
    """

    key: str
    name: str
    description: str
    body: str = ""
    uses: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


class Evidence(NamedTuple):
    """
    One part of a score: which word of the query met which term, in which fields, and how.

    `how` is "exact", "stem", "exact form" (what writing it as the query does adds), "corrected",
    "synonym" (another form of the word, too), "related" (what skills for it may say), "phrase",
    "together" (two words of the query side by side but for stop words), "joined" and "split" (what the
    query writes as two words or as one), "named" (how much of the name the query says), "negative" or
    "name" (the query is the name).
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

    `following` are the positions that come after the hits, as many as were asked for.
    `confidence` says from 0 to 1 how far the first hit can be trusted, 0 where there is none.
    """

    state: State
    hits: tuple[Scored, ...] = ()
    following: tuple[int, ...] = ()
    near: tuple[Scored, ...] = ()
    rejected: tuple[tuple[int, str], ...] = ()
    total: int = 0
    notes: tuple[Note, ...] = ()
    confidence: float = 0.0
