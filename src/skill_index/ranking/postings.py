"""
The inverted index: which records hold a term, and how often in each field.

    records ─analyse→ term counts ─sort by term→ arrays in rows of one term each

Counts are kept by field, not only as a finished score, because a filtered catalog needs new
averages and frequencies: it must rank as if the hidden records had never been there.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skill_index.ranking.analysis import analyze, loose_words, tokens
from skill_index.ranking.records import FIELDS, Record

Array: TypeAlias = NDArray[Any]
_MOST = 0xFFFF  # a count above this says nothing more
_FENCE = re.compile(r"^(?:```|~~~)")
_NOT_FOR = re.compile(
    r"(?:^|(?<=[.;!?(\u2014]\s)|(?<=[.;!?(]))\s*"
    r"(?:not\s+(?:for|to\s+be\s+used|meant|intended)|do\s+not\s+use|don['\u2019]t\s+use|never\s+use)\b[^.;!?)\n]*",
    re.IGNORECASE,
)


Counts: TypeAlias = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Brief:
    """
    What is kept of a record beside its postings, all of it from the short fields.

    `sequences` are the stems of each short field in word order, `forms` the words as they stand
    with their stems, `negative` the stems that only a "Not for ..." clause holds.
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

    vocabulary: dict[str, int]
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

    def restrict(self, keep: Array) -> Postings:
        """Return the postings of the records at `keep`, ascending, as if there were no others."""
        renumbered = np.full(self.size, -1, dtype=np.int32)
        renumbered[keep] = np.arange(len(keep), dtype=np.int32)
        kept = renumbered[self.docs] >= 0
        terms = np.repeat(np.arange(len(self.vocabulary)), np.diff(self.starts))[kept]
        used, sizes = np.unique(terms, return_counts=True)
        names = list(self.vocabulary)
        return Postings(
            vocabulary={names[number]: at for at, number in enumerate(used.tolist())},
            starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            docs=renumbered[self.docs[kept]],
            counts=self.counts[kept],
            lengths=self.lengths[keep],
        )


def analyse_record(record: Record) -> tuple[Counts, Brief]:
    """Return the terms of a record; words of a "Not for ..." clause count for nothing but against."""
    positive, negative = _split_negative(record.description)
    short = (record.name, "\n".join(record.aliases), "\n".join(record.tags), positive)
    counts: Counts = {}
    sequences: list[tuple[str, ...]] = []
    forms: dict[tuple[str, str], None] = {}
    for field, text in enumerate(short):
        found = tokens(text)
        for token in found:
            counts.setdefault(token.stem, [0] * len(FIELDS))[field] += 1
            forms[token.form, token.stem] = None
        sequences.append(tuple(token.stem for token in found if token.stands))
    _count(counts, FIELDS.index("headings"), "\n".join(headings(record.body)))
    _count(counts, FIELDS.index("body"), record.body)
    against = dict.fromkeys(token.stem for token in tokens(negative) if token.stem not in counts)
    return counts, Brief(tuple(sequences), tuple(forms), tuple(against))


def _count(counts: Counts, field: int, text: str) -> None:
    for raw, times in Counter(loose_words(text)).items():
        for token in analyze(raw):
            counts.setdefault(token.stem, [0] * len(FIELDS))[field] += times


def _split_negative(description: str) -> tuple[str, str]:
    """
    Return what a description is for, and what it says it is not for.

    >>> _split_negative("Fills forms. Not for merging files.")
    ('Fills forms', 'Not for merging files')
    """
    negative = [clause[0] for clause in _NOT_FOR.finditer(description)]
    return _NOT_FOR.sub(" ", description).strip(" ."), " ".join(negative).strip()


def headings(body: str) -> Iterator[str]:
    """Yield the texts of Markdown headings, but not of comments inside code fences."""
    fenced = False
    for line in body.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and line.startswith("#"):
            yield line.lstrip("#").strip()


class PostingsBuilder:
    """Takes the counts of one record after another, and then makes the arrays."""

    def __init__(self) -> None:
        self._vocabulary: dict[str, int] = {}
        self._terms, self._docs, self._counts = array("i"), array("i"), array("H")
        self._lengths: list[list[int]] = []

    def add(self, counts: Counts) -> None:
        """Add the next record."""
        number = len(self._lengths)
        lengths = [0] * len(FIELDS)
        for term, row in counts.items():
            self._terms.append(self._vocabulary.setdefault(term, len(self._vocabulary)))
            self._docs.append(number)
            for field, count in enumerate(row):
                lengths[field] += count
            self._counts.extend(row if max(row) <= _MOST else [min(count, _MOST) for count in row])
        self._lengths.append(lengths)

    def build(self) -> Postings:
        """Return the postings of every record added."""
        terms = np.array(self._terms, dtype=np.int32)
        order = np.argsort(terms, kind="stable")
        sizes = np.bincount(terms, minlength=len(self._vocabulary))
        return Postings(
            vocabulary=self._vocabulary,
            starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            docs=np.array(self._docs, dtype=np.int32)[order],
            counts=np.array(self._counts, dtype=np.uint16).reshape(-1, len(FIELDS))[order],
            lengths=np.array(self._lengths, dtype=np.float64).reshape(-1, len(FIELDS)),
        )
