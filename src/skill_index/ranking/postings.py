"""
The inverted index: which records hold a term, and how often in each field.

    records ─ranking.builder→ arrays in rows of one term each

Counts are kept by field, not only as a finished score, because a filtered catalog needs new
averages and frequencies: it must rank as if the hidden records had never been there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skill_index.ranking.records import FIELDS

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Brief:
    """
    What is kept of a record beside its postings, all of it from the short fields.

    `sequences` are the stems of each short field in word order, `forms` the words as they stand
    with their stems, `negative` the stems of a "Not for ..." clause.
    """

    sequences: tuple[tuple[str, ...], ...]
    forms: tuple[tuple[str, str], ...]
    negative: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Postings:
    """
    Rows of one term each: `docs[starts[t]:starts[t+1]]` hold term t, ascending.

    `counts` has a row for each entry of `docs` and a column for each of `FIELDS`; `lengths` a row
    for each record.
    """

    vocabulary: Mapping[str, int]
    starts: Array
    docs: Array
    counts: Array
    lengths: Array

    @property
    def size(self) -> int:
        """How many records there are."""
        return len(self.lengths)

    def row(self, term: str) -> slice | None:
        """Return where a term's entries are, or None for a term of no record."""
        number = self.vocabulary.get(term)
        if number is None:
            return None
        return slice(int(self.starts[number]), int(self.starts[number + 1]))

    def holders(self, term: str, fields: Sequence[int]) -> Array:
        """Return the records that hold a term in any of the fields, ascending."""
        row = self.row(term)
        if row is None:
            return np.empty(0, dtype=np.int64)
        found: Array = self.docs[row][self.counts[row][:, list(fields)].any(axis=1)]
        return found


def join(first: Postings, firsts: Array, second: Postings, seconds: Array) -> Postings:
    """
    Return the postings of two sets of records as one.

    `firsts` and `seconds` say which place each record takes, and -1 that it is left out; the
    result is what a fresh build over the records in their places would give.
    """
    vocabulary = {term: number for number, term in enumerate(first.vocabulary)}
    numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in second.vocabulary]
    known = np.repeat(np.arange(len(first.vocabulary)), np.diff(first.starts))
    added = np.array(numbers, dtype=np.int64)[np.repeat(np.arange(len(numbers)), np.diff(second.starts))]
    terms = np.concatenate((known, added))
    docs = np.concatenate((firsts[first.docs], seconds[second.docs]))
    counts = np.concatenate((first.counts, second.counts))
    size = int((firsts >= 0).sum() + (seconds >= 0).sum())
    kept = np.flatnonzero(docs >= 0)
    kept = kept[np.argsort(terms[kept] * max(size, 1) + docs[kept], kind="stable")]
    used, sizes = np.unique(terms[kept], return_counts=True)
    names = list(vocabulary)
    lengths = np.zeros((size, len(FIELDS)))
    for places, given in ((firsts, first.lengths), (seconds, second.lengths)):
        lengths[places[places >= 0]] = given[places >= 0]
    return Postings(
        vocabulary={names[number]: at for at, number in enumerate(used.tolist())},
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        docs=docs[kept].astype(np.int32),
        counts=counts[kept],
        lengths=lengths,
    )
