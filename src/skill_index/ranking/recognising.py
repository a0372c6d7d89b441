"""
Words of long texts by number, many texts at a time: a word met before is told by its bytes as two integers.

    texts, blanks between words ─▶ where words begin ─▶ 16 bytes of each ─┬─ met before ──▶ number
                                                                         └─ new, longer ─lexicon─▶ number

Nearly all words of a text have been met before, and have at most sixteen bytes.  To make a string of each and
look it up in a dict took a fifth of a build; here each step is one for all words.  The lexicon decides
what a word is, and is asked for what is not recognised: so words that share a slot, by chance or because
a stranger chose them to, cost time and change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skill_index.ranking.numbering import Lexicon
from skill_index.ranking.postings import Array

_HALF = 8  # bytes in an integer
_LONGEST = 2 * _HALF
_NO_WORD = (1 << 64) - 1
_FILLS = np.array([_NO_WORD >> 8 * size << 8 * size for size in range(_HALF)] + [0], dtype=np.uint64)
"""Ones behind so many bytes: no UTF-8 has a byte of ones, so no word is another with something behind it."""
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, half of their bits set
_BLANK = ord(" ")


class Recogniser:
    """Numbers of a lexicon, and the bytes of those words that were met."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._words = np.full((2, 1), _NO_WORD, dtype=np.uint64)  # by number
        self._slots = np.zeros(2, dtype=np.int32)  # a number each, to be checked by the bytes of its word

    def rows(self, texts: Sequence[bytes]) -> tuple[Array, Array]:
        """
        Return the numbers of the words of all texts, end to end, and how many words each text has.

        Words are UTF-8 with blanks between them.

        >>> recogniser = Recogniser(Lexicon())
        >>> [row.tolist() for row in recogniser.rows([b"fill a form", b"", b" a  form"])]
        [[0, 1, 2, 1, 2], [3, 0, 2]]
        """
        text = b" ".join((b"", *texts, b" " * _LONGEST))
        blank = np.frombuffer(text, np.uint8) == _BLANK
        edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
        starts, ends = edges[::2], edges[1::2]
        sizes = ends - starts
        words = _integers(text, starts, sizes)
        numbers = self._slots.take(_slots_of(words, len(self._slots)))
        known = (self._words.take(numbers, axis=1) == words).all(axis=0) & (sizes <= _LONGEST)
        asked = np.flatnonzero(~known)
        if len(asked):
            places = zip(starts[asked].tolist(), ends[asked].tolist(), strict=True)
            raws = (str(text[start:end], "utf-8", "surrogatepass") for start, end in places)
            numbers[asked] = np.fromiter(map(self.lexicon.__getitem__, raws), np.int32, len(asked))
            short = asked[sizes[asked] <= _LONGEST]
            self._remember(numbers[short], words[:, short])
        counts = np.diff(starts.searchsorted(np.cumsum([len(each) + 1 for each in texts])), prepend=0)
        return numbers, counts

    def _remember(self, numbers: Array, words: NDArray[np.uint64]) -> None:
        if len(self.lexicon) > self._words.shape[1]:
            known, size = self._words, 1 << len(self.lexicon).bit_length()
            self._words = np.full((2, size), _NO_WORD, dtype=np.uint64)
            self._words[:, : known.shape[1]] = known
            self._slots = np.zeros(2 * size, dtype=np.int32)
            self._slots[_slots_of(known, 2 * size)] = np.arange(known.shape[1])
        self._words[:, numbers] = words
        self._slots[_slots_of(words, len(self._slots))] = numbers


def _integers(text: bytes, starts: Array, sizes: Array) -> NDArray[np.uint64]:
    """Return the first and the next eight bytes of each word, with ones where a word has no more."""
    at_each: NDArray[np.uint64] = np.ndarray(len(text) - _HALF + 1, "<u8", text, strides=(1,))
    first = at_each[starts] | _FILLS.take(sizes, mode="clip")
    return np.stack((first, at_each[starts + _HALF] | _FILLS.take(sizes - _HALF, mode="clip")))


def _slots_of(words: NDArray[np.uint64], slots: int) -> Array:
    """Return for each word one of so many slots, a power of 2."""
    mixed: Array = words[0] * _FIRST + words[1] * _SECOND
    mixed ^= mixed >> np.uint64(32)
    mixed *= _FIRST
    mixed >>= np.uint64(65 - slots.bit_length())
    return mixed.astype(np.intp)
