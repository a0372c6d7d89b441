"""
The inverted index: which records hold a term, and how often in each field.

    records ─analyse→ term counts ─sort by term→ arrays in rows of one term each

Counts are kept by field, not only as a finished score, because a filtered catalog needs new
averages and frequencies: it must rank as if the hidden records had never been there.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skill_index.markdown import headings
from skill_index.ranking.analysis import Token, analyze_once, loose_words, tokens, words
from skill_index.ranking.packing import counted
from skill_index.ranking.pairs import GAP, PairsBuilder
from skill_index.ranking.records import FIELDS, SHORT_FIELDS, Record
from skill_index.ranking.triggers import quotes, uses

Array: TypeAlias = NDArray[Any]
_MOST = 0xFFFF  # a count above this says nothing more
_BESIDE = np.array(
    [field in {*SHORT_FIELDS, "body"} for field in FIELDS]
)  # fields whose words have neighbours
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

    While records come in, each distinct raw word is analysed once and from then on is a number;
    what stands where is counted for all records at once, by one sort at the end.  `pairs` is given
    its neighbours then, too, and is built after this.  `memo` is of use to other builders: what
    words fall into.
    """

    def __init__(
        self,
        stop_words: frozenset[str] = frozenset(),
        pairs: PairsBuilder | None = None,
        memo: dict[str, tuple[Token, ...]] | None = None,
    ) -> None:
        self.pairs = pairs or PairsBuilder()
        self._words = _Words(self.pairs.numbers, stop_words, {} if memo is None else memo)
        self._found: list[Array] = []
        self._sizes: list[int] = []

    def add(self, record: Record) -> Brief:
        """Add the next record; words of a "Not for ..." clause count for nothing but against it."""
        positive, negative = _split_negative(record.description)
        short = (record.name, "\n".join(record.aliases), "\n".join(record.tags), positive)
        fields = [words(text) for text in short]
        sequences: list[tuple[str, ...]] = []
        forms: dict[tuple[str, str], None] = {}
        for raws in fields:
            found = [token for raw in raws for token in self._words.tokens(raw)]
            forms.update(dict.fromkeys((token.form, token.stem) for token in found))
            sequences.append(tuple(token.stem for token in found if token.stands))
        titles = "\n".join(text for _, _, text in headings(record.body))
        fields += (
            words(f"{uses(positive)}\n{record.uses}"),
            loose_words(titles),
            loose_words(quotes(record.body)),
            loose_words(record.body),
        )
        for raws in fields:
            self._found.append(np.fromiter(map(self._words.__getitem__, raws), np.int32, len(raws)))
            self._sizes.append(len(raws))
        against = dict.fromkeys(token.stem for token in tokens(negative))
        return Brief(tuple(sequences), tuple(forms), tuple(against))

    def build(self) -> Postings:
        """Return the postings of every record added."""
        size = len(self._sizes) // len(FIELDS)
        found = np.concatenate([np.empty(0, dtype=np.int32), *self._found])
        cells = np.repeat(np.arange(size * len(FIELDS)), self._sizes)
        beside = _BESIDE[cells % len(FIELDS)]
        neighbours, texts = self._words.neighbours(found[beside], cells[beside])
        self.pairs.add(neighbours, texts, texts // len(FIELDS))
        terms, cells = self._words.terms(found, cells)
        lengths = np.bincount(cells, minlength=size * len(FIELDS)).reshape(size, len(FIELDS))
        (held, cells), times = counted((terms, cells))
        docs = cells // len(FIELDS)
        new = np.ones(len(held), dtype=bool)
        new[1:] = (held[1:] != held[:-1]) | (docs[1:] != docs[:-1])
        counts = np.zeros((int(new.sum()), len(FIELDS)), dtype=np.uint16)
        counts[np.cumsum(new) - 1, cells % len(FIELDS)] = np.minimum(times, _MOST)
        used, sizes = np.unique(held[new], return_counts=True)
        return Postings(
            vocabulary=self._vocabulary(used),
            starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            docs=docs[new].astype(np.int32),
            counts=counts,
            lengths=lengths.astype(np.float64),
        )

    def _vocabulary(self, used: Array) -> dict[str, int]:
        numbers = self.pairs.numbers
        if len(used) == len(numbers):
            return numbers
        names = list(numbers)
        return {names[number]: at for at, number in enumerate(used.tolist())}


class _Words(dict[str, int]):
    """
    Raw words by their number, each analysed when it is first asked for.

    `_terms` and `_beside` are the numbers of the stems that the words fall into, one word after
    the other: all of them, and those that have neighbours.
    """

    def __init__(
        self, numbers: dict[str, int], stop_words: frozenset[str], memo: dict[str, tuple[Token, ...]]
    ) -> None:
        self._numbers, self._stop_words, self._memo = numbers, stop_words, memo
        self._terms, self._beside = _Lists(), _Lists()

    def __missing__(self, raw: str) -> int:
        numbers, stop_words = self._numbers, self._stop_words
        found = self.tokens(raw)
        self._terms.append([numbers.setdefault(token.stem, len(numbers)) for token in found])
        self._beside.append(
            [GAP if token.form in stop_words else numbers[token.stem] for token in found if token.stands]
        )
        self[raw] = number = len(self)
        return number

    def tokens(self, raw: str) -> tuple[Token, ...]:
        """Return what a raw word falls into."""
        found = self._memo.get(raw)
        if found is None:
            found = self._memo[raw] = analyze_once(raw)
        return found

    def terms(self, words: Array, cells: Array) -> tuple[Array, Array]:
        """Return the terms of numbered words, in order, each with the cell of its word."""
        return self._terms.spread(words, cells)

    def neighbours(self, words: Array, cells: Array) -> tuple[Array, Array]:
        """Return the terms that have a place of their own; `GAP` for one that says nothing."""
        return self._beside.spread(words, cells)


class _Lists:
    """Short lists of numbers, kept end to end."""

    def __init__(self) -> None:
        self._flat, self._starts = array("i"), array("q", [0])

    def append(self, numbers: list[int]) -> None:
        """Add the next list."""
        self._flat.extend(numbers)
        self._starts.append(len(self._flat))

    def spread(self, chosen: Array, cells: Array) -> tuple[Array, Array]:
        """Return the chosen lists end to end, and the cell of each number."""
        flat, starts = np.array(self._flat, dtype=np.int32), np.array(self._starts)
        sizes = np.diff(starts)[chosen]
        # Where each number is: its own place in the answer, moved to where its list is kept.
        moved = np.repeat(starts[chosen] - (np.cumsum(sizes) - sizes), sizes)
        return flat[moved + np.arange(len(moved))], np.repeat(cells, sizes)
