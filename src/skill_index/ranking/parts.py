"""
The parts of a score: each an addition with a name, to records that hold one word of a query.

    word ─▶ Match ─▶ Part, Part, ...        which records, how much for each, where they hold it, by what

Values alone: what they are made of is in `ranking.matching`, what is made of them in `ranking.weighing`.
Most are views of what is counted of a term, so to keep them for many words takes little.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from skill_index.ranking.indexed import Posting
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import Asked
from skill_index.ranking.records import FIELDS
from skill_index.ranking.segments import NOTHING

FIELDS_OF = [
    tuple(name for column, name in enumerate(FIELDS) if mask >> column & 1)
    for mask in range(1 << len(FIELDS))
]
"""The names of fields by the mask that has a bit for each."""

_STATED = sum(1 << column for column, field in enumerate(FIELDS) if field != "body")
_LEAST_BYTES = 512  # of a match without any part, and of a part without any record


class Route(NamedTuple):
    """
    One way in which records match a word, and how much news it is that a word is meant so.

    `held` says how many records hold its term in any field, also where not all are asked for.
    """

    asked: Asked
    posting: Posting
    news: float
    held: int


class Routes(NamedTuple):
    """Several ways of one word, which is `news` in all, and of which none is worth more than `most`."""

    listed: tuple[Route, ...]
    most: float
    news: float

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        return _own(array for route in self.listed for array in route.posting)


class _Addition(NamedTuple):
    """
    One addition: each of `docs` (ascending) gets its one of `values`, times `worth`, for a word of the query.

    Where most records would be listed, `docs` is None and all arrays are rows with a place for every
    record of the index.  `fields` is where a record holds the term, a bit for each of `FIELDS`, and 0 for one
    that does not; None where it is looked up when it is asked for.  A record is matched by one of the
    terms `asked`, which `ways` numbers; None where that is the first for all.

    `covers` says for each of these terms how much news of the query it covers where it is stated, and
    `in_body` how much of that where only the body tells it; a part without them covers none.
    `written` are the records that write the word as the query does, None where that is not told.
    `surely` are its ways without what only leads to other words; None where none is left, or no other is.
    """

    asked: tuple[Asked, ...]
    docs: Array | None
    values: Array
    worth: float = 1.0
    fields: Array | None = None
    ways: Array | None = None
    covers: tuple[float, ...] = ()
    in_body: float = 1.0
    written: Array | None = None
    surely: Routes | None = None


class Part(_Addition):
    """An addition, and what is told of it."""

    def way(self, at: int, place: int) -> tuple[str, str]:
        """Return the term by which a record at its place is matched, and how."""
        number = 0 if self.ways is None else self.ways.item(place)
        way = self.asked[number]
        if number or self.written is None or _place(at, self.written) is not None:
            return way.stem, way.how
        return way.stem, "stem"

    def place(self, at: int) -> int | None:
        """Return the place of a record in a part that has `fields`, None if it does not take that."""
        if self.docs is None:
            return at if self.fields is not None and self.fields.item(at) else None
        return _place(at, self.docs)

    def cover(self, place: int) -> float:
        """Return how much news the record at a place covers."""
        if not self.covers:
            return 0.0
        news = self.covers[0 if self.ways is None else self.ways.item(place)]
        return news if self.fields is not None and self.fields.item(place) & _STATED else news * self.in_body

    @cached_property
    def covered(self) -> Array:
        """What each record covers, but for rounding; few queries are so long that it is asked for."""
        if self.fields is None:
            return np.full(len(self.values), self.covers[0] * self.in_body, dtype=np.float32)
        news = np.array(self.covers, dtype=np.float32)
        covered: Array = _strengths(self.in_body).take(self.fields)
        covered *= news[0] if self.ways is None else news.take(self.ways)
        return covered

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        own = _own((self.docs, self.values, self.fields, self.ways))
        # What is covered takes some, once it is asked for.
        return _LEAST_BYTES + own + 4 * len(self.values)


def _own(arrays: Iterable[Array | None]) -> int:
    """Return how many bytes arrays take: what is only a view takes no room of its own."""
    return sum([each.nbytes for each in arrays if each is not None and each.base is None])


def _place(at: int, docs: Array) -> int | None:
    place = bisect_left(docs.data, at)  # for one number several times faster than `searchsorted`
    return place if place < len(docs) and docs.item(place) == at else None


@lru_cache(maxsize=8)
def _strengths(body: float) -> Array:
    """
    Return, for each mask of fields, how far a word in them covers the query: not at all in none of them.

    What a body mentions in passing covers less than what is stated: `body`.
    """
    stated = np.arange(1 << len(FIELDS)) & _STATED > 0
    found = np.where(stated, np.float32(1.0), np.float32(body))
    found[0] = 0.0
    return found


class Match(NamedTuple):
    """
    What one word matches: parts, and what it asks for.

    `news` is what it adds to what the query asks for, in `terms` terms.  `named` are the records whose name
    holds the word itself, in any number or tense, `denied` those that only say that they are not for it, and
    `worth` is the news of that.  `guessed` tells that the word is unknown and may be a slip, of which a query
    may have but so many, `corrected` which words were looked for instead, and `meant` the stem of the word
    if it was one.
    """

    parts: tuple[Part, ...] = ()
    news: float = 0.0
    terms: int = 0
    named: Array = NOTHING
    denied: Array = NOTHING
    worth: float = 0.0
    guessed: bool = False
    corrected: tuple[str, ...] = ()
    meant: str = ""

    @property
    def bytes(self) -> int:
        """About how much memory it takes, without what other forms of the word have in common with it."""
        own = _LEAST_BYTES + self.named.nbytes + self.denied.nbytes
        own += sum(part.surely.bytes for part in self.parts if part.surely)
        return own + sum(_LEAST_BYTES if part.ways is not None else part.bytes for part in self.parts)
