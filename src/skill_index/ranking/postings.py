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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skill_index.markdown import headings
from skill_index.ranking.analysis import analyze, analyze_once, loose_words, tokens, words
from skill_index.ranking.pairs import GAP, PairsBuilder
from skill_index.ranking.records import FIELDS, Record
from skill_index.ranking.triggers import quotes, uses

Array: TypeAlias = NDArray[Any]
_MOST = 0xFFFF  # a count above this says nothing more
_NOT_FOR = re.compile(
    r"(?:^|(?<=[.;!?(\u2014]\s)|(?<=[.;!?(]))\s*"
    r"(?:not\s+(?:for|to\s+be\s+used|meant|intended)|do\s+not\s+use|don['\u2019]t\s+use|never\s+use)\b[^.;!?)\n]*",
    re.IGNORECASE,
)


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


def join(first: Postings, firsts: Array, second: Postings, seconds: Array) -> Postings:
    """
    Return the postings of two sets of records as one.

    `firsts` and `seconds` say which place each record takes, and -1 that it is left out; the
    result is what a fresh build over the records in their places would give.
    """
    vocabulary = dict(first.vocabulary)
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


def _split_negative(description: str) -> tuple[str, str]:
    """
    Return what a description is for, and what it says it is not for.

    >>> _split_negative("Fills forms. Not for merging files.")
    ('Fills forms', 'Not for merging files')
    """
    negative = [clause[0] for clause in _NOT_FOR.finditer(description)]
    return _NOT_FOR.sub(" ", description).strip(" ."), " ".join(negative).strip()


class PostingsBuilder:
    """
    Takes one record after another, and then makes the arrays.

    While records come in, each distinct raw word is analysed once and then known by the numbers
    of its terms; adding up what stands where is left to one sort at the end.
    """

    def __init__(self, stop_words: frozenset[str] = frozenset(), pairs: PairsBuilder | None = None) -> None:
        self._vocabulary: dict[str, int] = {}
        self._numbers: dict[str, tuple[int, ...]] = {}
        self._neighbours: dict[str, tuple[int, ...]] = {}
        self._stop_words = stop_words
        self.pairs = pairs or PairsBuilder()
        self._terms, self._docs, self._fields, self._counts = array("i"), array("i"), array("b"), array("i")
        self._size = 0

    def add(self, record: Record) -> Brief:
        """Add the next record; words of a "Not for ..." clause count for nothing but against it."""
        positive, negative = _split_negative(record.description)
        short = (record.name, "\n".join(record.aliases), "\n".join(record.tags), positive)
        sequences: list[tuple[str, ...]] = []
        forms: dict[tuple[str, str], None] = {}
        beside: list[int] = []
        for field, text in enumerate(short):
            raws = words(text)
            found = [token for raw in raws for token in analyze(raw)]
            self._add(field, Counter(raws))
            forms.update(dict.fromkeys((token.form, token.stem) for token in found))
            sequences.append(tuple(token.stem for token in found if token.stands))
            beside += [*self._in_order(raws), GAP]
        titles = "\n".join(text for _, _, text in headings(record.body))
        body = loose_words(record.body)
        self._add(FIELDS.index("uses"), Counter(words(f"{uses(positive)}\n{record.uses}")))
        self._add(FIELDS.index("headings"), Counter(loose_words(titles)))
        self._add(FIELDS.index("quotes"), Counter(loose_words(quotes(record.body))))
        self._add(FIELDS.index("body"), Counter(body))
        self.pairs.add((*beside, *self._in_order(body)))
        self._size += 1
        against = dict.fromkeys(token.stem for token in tokens(negative))
        return Brief(tuple(sequences), tuple(forms), tuple(against))

    def _in_order(self, raws: Iterable[str]) -> Iterator[int]:
        """Yield the numbers of a text's words for pairs; what says nothing is a gap."""
        for raw in raws:
            numbers = self._neighbours.get(raw)
            if numbers is None:
                numbers = self._neighbours[raw] = tuple(
                    GAP if token.form in self._stop_words else self.pairs.number(token.stem)
                    for token in analyze_once(raw)
                    if token.stands
                )
            yield from numbers

    def _add(self, field: int, counted: Counter[str]) -> None:
        terms: list[int] = []
        counts: list[int] = []
        for raw, times in counted.items():
            numbers = self._numbers.get(raw)
            if numbers is None:
                numbers = self._number(raw)
            terms.extend(numbers)
            counts.extend([times] * len(numbers))
        self._terms.extend(terms)
        self._counts.extend(counts)
        self._docs.extend([self._size] * len(terms))
        self._fields.extend([field] * len(terms))

    def _number(self, raw: str) -> tuple[int, ...]:
        vocabulary = self._vocabulary
        numbers = tuple(vocabulary.setdefault(token.stem, len(vocabulary)) for token in analyze_once(raw))
        self._numbers[raw] = numbers
        return numbers

    def build(self) -> Postings:
        """Return the postings of every record added."""
        size = max(self._size, 1)
        keys = np.array(self._terms, dtype=np.int64) * size + np.array(self._docs, dtype=np.int64)
        held, entries = np.unique(keys, return_inverse=True)
        fields, times = np.array(self._fields), np.array(self._counts, dtype=np.float64)
        counts = np.zeros((len(held), len(FIELDS)), dtype=np.uint16)
        lengths = np.zeros((self._size, len(FIELDS)))
        docs = np.array(self._docs, dtype=np.int64)
        for field in range(len(FIELDS)):
            chosen = fields == field
            summed = np.bincount(entries[chosen], weights=times[chosen], minlength=len(held))
            counts[:, field] = np.minimum(summed, _MOST)
            lengths[:, field] = np.bincount(docs[chosen], weights=times[chosen], minlength=self._size)
        sizes = np.bincount(held // size, minlength=len(self._vocabulary))
        return Postings(
            vocabulary=self._vocabulary,
            starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            docs=(held % size).astype(np.int32),
            counts=counts,
            lengths=lengths,
        )
