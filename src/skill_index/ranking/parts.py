"""
The parts of a score: each an addition with a name, to records that hold one word of a query.

    word ─▶ Match ─▶ Part, Part, ...        which records, how much for each, where they hold it, by what

Values alone: what they are made of is in `ranking.matching`, what is made of them in `ranking.weighing`.
They are kept for many words, so they are narrow: 14 bytes for a record that a word matches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skill_index.ranking.postings import Array
from skill_index.ranking.querying import Asked
from skill_index.ranking.records import FIELDS
from skill_index.ranking.segments import NOTHING

FIELDS_OF = [
    tuple(name for column, name in enumerate(FIELDS) if mask >> column & 1)
    for mask in range(1 << len(FIELDS))
]
"""The names of fields by the mask that has a bit for each."""

_LEAST_BYTES = 512  # of a match without any part, and of a part without any record


class Part(NamedTuple):
    """
    One addition: each of `docs` (ascending) gets its one of `values`, for a word of the query.

    Where most records would be listed, `docs` is None and all arrays are rows with a place for every
    record of the index.  `fields` is where a record holds the term, a bit for each of `FIELDS`, and 0 for one
    that does not; None where it is looked up when it is asked for.  A record is matched by one of the
    terms `asked`, the one at half of its grade; how the query puts its word is left to the query.
    `covers` says for every grade how much news of the query that covers, and `covered` the same for
    every record, but for rounding; a part without `grades` covers none.
    """

    asked: tuple[Asked, ...]
    docs: Array | None
    values: Array
    fields: Array | None = None
    grades: Array | None = None
    covers: tuple[float, ...] = ()
    covered: Array | None = None

    def way(self, place: int) -> Asked:
        """Return by which term the record at a place is matched."""
        return self.asked[0 if self.grades is None else self.grades.item(place) >> 1]

    def cover(self, place: int) -> float:
        """Return how much news of the query the record at a place covers."""
        return 0.0 if self.grades is None else self.covers[self.grades.item(place)]

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        arrays = (self.docs, self.values, self.fields, self.grades, self.covered)
        return sum(array.nbytes for array in arrays if array is not None)


def listed(term: Asked, docs: Array, values: Array, fields: Array | None = None) -> Part:
    """Return a part that lists its records, and covers nothing."""
    return Part((term,), docs.astype(np.int32), values.astype(np.float32), fields)


class Match(NamedTuple):
    """
    What one word matches: parts, and what it asks for.

    `news` is what it adds to what the query asks for, in `terms` terms.  `named` are the records whose
    name holds the word itself, `denied` those that only say that they are not for it, and `worth` is
    the news of that.  `guessed` tells that the word is unknown and may be a slip, of which a query may
    have but so many, and `corrected` which words were looked for instead.
    """

    parts: tuple[Part, ...] = ()
    news: float = 0.0
    terms: int = 0
    named: Array = NOTHING
    denied: Array = NOTHING
    worth: float = 0.0
    guessed: bool = False
    corrected: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        own = _LEAST_BYTES + self.named.nbytes + self.denied.nbytes
        return own + sum(_LEAST_BYTES + part.bytes for part in self.parts)
