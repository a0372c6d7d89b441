"""
Raw words by their number, and what each falls into: worked out once, kept as numbers end to end.

    raw word ─analyse, once→ terms, and which of them tell: `flat[starts[n]:starts[n + 1]]` of number n
    row of raw words ─spread→ row of terms, row of which of them tell

A text is then a row of numbers, and what it holds is looked up for all its words at once.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from operator import add
from typing import TypeAlias, TypeVar

import numpy as np

from skill_index.ranking.analysis import (
    REPEATING,
    Token,
    analyze_once,
    is_plain_run,
    is_plain_word,
    pieces,
    plain_forms,
    stem,
    terms_of_piece,
)
from skill_index.ranking.postings import Array

Value = TypeVar("Value", bound=Hashable)


class Numbers(dict[Value, int]):
    """
    Values by their number, in the order in which they were first asked for.

    >>> numbers = Numbers()
    >>> [numbers[value] for value in "abac"]
    [0, 1, 0, 2]
    """

    def __missing__(self, value: Value) -> int:
        self[value] = number = len(self)
        return number


Spelt: TypeAlias = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]
"""The forms of a raw word with their stems, and the stems that have a place of their own."""


class Lexicon(dict[str, int]):
    """
    Raw words by their number, each analysed when it is first asked for.

    One lexicon can serve several builders; what is built does not depend on who used it before.
    """

    def __init__(self, stop_words: frozenset[str] = frozenset()) -> None:
        self.stems: Numbers[str] = Numbers()
        self.spelt = _Spellings(self)
        self._stop_words = stop_words
        self._terms, self._telling, self._starts = array("i"), array("b"), array("i", [0])

    def __missing__(self, raw: str) -> int:
        for piece in pieces(raw):
            if is_plain_word(piece):
                self._take_plain(piece)
            elif is_plain_run(piece):
                self._take_run(piece)
            else:
                self._take(terms_of_piece(piece))
        return self._end(raw)

    def learn(self, raw: str, tokens: Iterable[Token]) -> None:
        """Take in a new raw word that is known to fall into these tokens."""
        self._take(tokens)
        self._end(raw)

    def spread(self, chosen: Array) -> tuple[Array, Array, Array]:
        """
        Return what raw words fall into: terms, which of them tell, and after how many of them each word ends.

        A term tells unless it is a stop word or only repeats others: what tells has neighbours.
        """
        starts = np.frombuffer(self._starts, np.intc)
        sizes = np.diff(starts).take(chosen)
        ends = np.cumsum(sizes)
        at = np.repeat(
            starts[1:].take(chosen) - ends, sizes
        )  # how far behind their place the terms of a word are
        at += np.arange(len(at))
        terms, telling = np.frombuffer(self._terms, np.intc), np.frombuffer(self._telling, np.bool_)
        return terms.take(at), telling.take(at), ends

    def _take(self, tokens: Iterable[Token]) -> None:
        numbers, terms, telling, stop_words = self.stems, self._terms, self._telling, self._stop_words
        for form, key, kind in tokens:
            terms.append(numbers[key])
            telling.append(kind not in REPEATING and form not in stop_words)

    def _take_plain(self, word: str) -> None:
        """Take what a plain word falls into, without a token for each: most words are such."""
        forms, whole = plain_forms(word)
        for form in forms:
            self._terms.append(self.stems[stem(form)])
            self._telling.append(form not in self._stop_words)
        if whole:  # which only repeats the parts
            self._terms.append(self.stems[stem(whole)])
            self._telling.append(False)

    def _take_run(self, run: str) -> None:
        """Take the characters of a plain run and between them its pairs: each is its own form and stem."""
        numbers, stop_words = self.stems.__getitem__, self._stop_words
        terms, telling = (array(kind, [0]) * (2 * len(run) - 1) for kind in "ib")
        terms[::2] = array("i", map(numbers, run))
        terms[1::2] = array("i", map(numbers, map(add, run, run[1:])))
        telling[::2] = array("b", [one not in stop_words for one in run])
        self._terms += terms
        self._telling += telling

    def _end(self, raw: str) -> int:
        self._starts.append(len(self._terms))
        self[raw] = number = len(self)
        return number


class _Spellings(dict[str, Spelt]):
    """Spellings of raw words of short fields; what is spelt will be counted, too, and is learnt."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def __missing__(self, raw: str) -> Spelt:
        tokens = analyze_once(raw)
        if raw not in self._lexicon:
            self._lexicon.learn(raw, tokens)
        forms = tuple([(token.form, token.stem) for token in tokens])
        found = self[raw] = forms, tuple([token.stem for token in tokens if token.stands])
        return found
