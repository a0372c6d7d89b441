"""
From the texts of records to postings: analyse each word once, number it, count the numbers.

    records ─cut→ raw words ─number→ one long row ─expand→ terms ─sort→ counts by term, record, field

What a word falls into is worked out in Python, what stands where in numpy: the first happens for
each distinct word, the second for each word of a hundred million characters.
"""

from __future__ import annotations

import re
from array import array

import numpy as np

from skill_index.markdown import headings
from skill_index.ranking.analysis import Token, analyze_once, loose_words, tokens, words
from skill_index.ranking.packing import counted
from skill_index.ranking.pairs import GAP, PairsBuilder
from skill_index.ranking.postings import Array, Brief, Postings
from skill_index.ranking.records import FIELDS, SHORT_FIELDS, Record
from skill_index.ranking.triggers import quotes, uses

_MOST = 0xFFFF  # a count above this says nothing more
_BESIDE = np.array(
    [field in {*SHORT_FIELDS, "body"} for field in FIELDS]
)  # fields whose words have neighbours
_NOT_FOR = re.compile(
    r"(?:^|(?<=[.;!?(\u2014]\s)|(?<=[.;!?(]))\s*"
    r"(?:not\s+(?:for|to\s+be\s+used|meant|intended)|do\s+not\s+use|don['\u2019]t\s+use|never\s+use)\b[^.;!?)\n]*",
    re.IGNORECASE,
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
        (held, places), times = counted((terms, cells))
        docs, fields = np.divmod(places, len(FIELDS))
        new = np.ones(len(held), dtype=bool)
        new[1:] = (held[1:] != held[:-1]) | (docs[1:] != docs[:-1])
        counts = np.zeros((int(new.sum()), len(FIELDS)), dtype=np.uint16)
        counts[np.cumsum(new) - 1, fields] = np.minimum(times, _MOST)
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
