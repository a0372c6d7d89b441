"""
From the texts of records to postings: analyse each word once, number it, count the numbers.

    records ─cut→ raw words ─number→ one long row ─expand→ terms ─sort→ counts by term, record, field

What a word falls into is worked out in Python, what stands where in numpy: the first happens for
each distinct word, the second for each word of a hundred million characters.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from skill_index.markdown import headings
from skill_index.ranking.analysis import REPEATING, Token, analyze_once, loose_words, tokens, words
from skill_index.ranking.packing import counted
from skill_index.ranking.pairs import GAP, PairsBuilder
from skill_index.ranking.postings import Array, Brief, Postings
from skill_index.ranking.records import FIELDS, SHORT_FIELDS, Record
from skill_index.ranking.triggers import quotes, uses

_FORMS, _STEMS = itemgetter(0), itemgetter(1)  # of what is spelt
_MOST = 0xFFFF  # a count above this says nothing more
_BESIDE = np.array(
    [field in {*SHORT_FIELDS, "body"} for field in FIELDS]
)  # fields whose words have neighbours
_NOT_FOR = re.compile(
    r"(?:^|(?<=[.;!?(\u2014]\s)|(?<=[.;!?(]))\s*"
    r"(?:not\s+(?:for|to\s+be\s+used|meant|intended)|do\s+not\s+use|don['\u2019]t\s+use|never\s+use)\b[^.;!?)\n]*",
    re.IGNORECASE,
)

_NOT_SIGNS = ("not", "don", "never")  # one of these is in every clause, in any case


def _split_negative(description: str) -> tuple[str, str]:
    """
    Return what a description is for, and what it says it is not for.

    >>> _split_negative("Fills forms. Not for merging files.")
    ('Fills forms', 'Not for merging files')
    """
    folded = description.casefold()
    if not any(sign in folded for sign in _NOT_SIGNS):  # most have none, and to find that out takes it long
        return description.strip(" ."), ""
    negative = [clause[0] for clause in _NOT_FOR.finditer(description)]
    return _NOT_FOR.sub(" ", description).strip(" ."), " ".join(negative).strip()


Spelt: TypeAlias = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]
"""The forms of a raw word with their stems, and the stems that have a place of their own."""


class Lexicon(dict[str, int]):
    """
    Raw words by their number, each analysed when it is first asked for.

    One lexicon can serve several builders; what is built does not depend on who used it before.
    """

    def __init__(self, stop_words: frozenset[str] = frozenset()) -> None:
        self.stems: dict[str, int] = {}
        self.terms, self.neighbours = _Lists(), _Lists()
        self._stop_words = stop_words
        self._spelt: dict[str, Spelt] = {}

    def __missing__(self, raw: str) -> int:
        return self._learn(raw, analyze_once(raw))

    def spelt(self, raws: Iterable[str]) -> list[Spelt]:
        """Return the spellings of raw words of a short field."""
        known = self._spelt
        return [known.get(raw) or self._spell(raw) for raw in raws]

    def _spell(self, raw: str) -> Spelt:
        tokens = analyze_once(raw)
        if raw not in self:
            self._learn(raw, tokens)  # it will be counted, too
        forms = tuple((token.form, token.stem) for token in tokens)
        found = self._spelt[raw] = forms, tuple(token.stem for token in tokens if token.stands)
        return found

    def _learn(self, raw: str, tokens: Iterable[Token]) -> int:
        """Take in a new raw word, which falls into tokens, and return its number."""
        stems, stop_words = self.stems, self._stop_words
        terms, neighbours = self.terms.flat, self.neighbours.flat
        for form, stem, kind in tokens:
            number = stems.setdefault(stem, len(stems))
            terms.append(number)
            if kind not in REPEATING:
                neighbours.append(GAP if form in stop_words else number)
        self.terms.starts.append(len(terms))
        self.neighbours.starts.append(len(neighbours))
        self[raw] = number = len(self)
        return number


class _Lists:
    """Short lists of numbers, kept end to end: list n is `flat[starts[n]:starts[n + 1]]`."""

    def __init__(self) -> None:
        self.flat, self.starts = array("i"), array("q", [0])

    def spread(self, chosen: Array, cells: Array) -> tuple[Array, Array]:
        """Return the chosen lists end to end, and the cell of each number."""
        flat, starts = np.frombuffer(self.flat, np.intc), np.frombuffer(self.starts, np.int64)
        first = starts.take(chosen)
        sizes = starts[1:].take(chosen) - first
        # Where each number is: its own place in the answer, moved to where its list is kept.
        moved = np.repeat(first - (np.cumsum(sizes) - sizes), sizes)
        moved += np.arange(len(moved))
        return flat.take(moved), np.repeat(cells, sizes)


class PostingsBuilder:
    """
    Takes one record after another, and then makes the arrays.

    Words become numbers as they come in; what stands where is counted for all records at once, by
    one sort at the end.  `pairs` is given its neighbours then, too, and is built after this.
    """

    def __init__(
        self,
        stop_words: frozenset[str] = frozenset(),
        pairs: PairsBuilder | None = None,
        lexicon: Lexicon | None = None,
    ) -> None:
        self.pairs = pairs or PairsBuilder()
        self._lexicon = Lexicon(stop_words) if lexicon is None else lexicon
        self._found: list[Array] = []
        self._sizes: list[int] = []

    def add(self, record: Record) -> Brief:
        """Add the next record; words of a "Not for ..." clause count for nothing but against it."""
        positive, negative = _split_negative(record.description)
        short = (record.name, "\n".join(record.aliases), "\n".join(record.tags), positive)
        fields = [words(text) if text else [] for text in short]
        spelt = [self._lexicon.spelt(raws) for raws in fields]
        sequences = tuple(tuple(chain.from_iterable(map(_STEMS, found))) for found in spelt)
        forms = dict.fromkeys(chain.from_iterable(map(_FORMS, chain.from_iterable(spelt))))
        fields.append(words(f"{uses(positive)}\n{record.uses}"))
        fields += _of_body(record.body) if record.body else ([], [], [])
        sizes = list(map(len, fields))
        found = map(self._lexicon.__getitem__, chain.from_iterable(fields))
        self._found.append(np.fromiter(found, np.int32, sum(sizes)))
        self._sizes += sizes
        against = dict.fromkeys(token.stem for token in tokens(negative)) if negative else ()
        return Brief(sequences, tuple(forms), tuple(against))

    def build(self) -> Postings:
        """Return the postings of every record added."""
        size = len(self._sizes) // len(FIELDS)
        found = np.concatenate([np.empty(0, dtype=np.int32), *self._found])
        cells = np.repeat(np.arange(size * len(FIELDS), dtype=np.int32), self._sizes)
        beside = np.repeat(np.tile(_BESIDE, size), self._sizes)
        neighbours, texts = self._lexicon.neighbours.spread(found[beside], cells[beside])
        terms, cells = self._lexicon.terms.spread(found, cells)
        vocabulary, numbers = self._vocabulary(terms)
        self._pair(vocabulary, numbers[neighbours], texts)
        lengths = np.bincount(cells, minlength=size * len(FIELDS)).reshape(size, len(FIELDS))
        (held, places), times = counted((numbers[terms], cells))
        docs, fields = np.divmod(places, len(FIELDS))
        new = np.ones(len(held), dtype=bool)
        new[1:] = (held[1:] != held[:-1]) | (docs[1:] != docs[:-1])
        counts = np.zeros((int(new.sum()), len(FIELDS)), dtype=np.uint16)
        counts[np.cumsum(new) - 1, fields] = np.minimum(times, _MOST)
        sizes = np.bincount(held[new], minlength=len(vocabulary))
        return Postings(
            vocabulary=vocabulary,
            starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            docs=docs[new].astype(np.int32),
            counts=counts,
            lengths=lengths.astype(np.float64),
        )

    def _vocabulary(self, terms: Array) -> tuple[dict[str, int], Array]:
        """Return the stems of the terms, numbered as they are met, and the number of each in the lexicon."""
        met = np.full(len(self._lexicon.stems), len(terms))
        met[terms[::-1]] = np.arange(len(terms))[::-1]  # of equal places the one written last stays
        used = np.flatnonzero(met < len(terms))
        used = used[np.argsort(met[used])]
        numbers = np.full(len(met) + 1, GAP, dtype=np.int32)  # the last is that of a gap
        numbers[used] = np.arange(len(used))
        stems = list(self._lexicon.stems)
        return {stems[number]: at for at, number in enumerate(used.tolist())}, numbers

    def _pair(self, vocabulary: dict[str, int], neighbours: Array, texts: Array) -> None:
        """Hand words in their order to `pairs`, which may number them in its own way."""
        own = np.array([*map(self.pairs.number, vocabulary), GAP], dtype=np.int32)
        self.pairs.add(own[neighbours], texts, texts // len(FIELDS))


def _of_body(body: str) -> tuple[list[str], list[str], list[str]]:
    """Return the raw words of a body's headings, of what it quotes, and of all of it."""
    titles = "\n".join(text for _, _, text in headings(body))
    return loose_words(titles), loose_words(quotes(body)), loose_words(body)
