"""
Which two words stand side by side in which records: what a bag of words forgets.

"machine learning" is not a machine and some learning.  Pairs of neighbours say so for the price
of one more look-up, where positions of every word would double the index.  Words that say nothing
are passed over, since "CSV to JSON" says more than that there is CSV and JSON.

    stems in order ─number─▶ first, second, record ─sort─▶ keys (first · 2³² + second), docs, counts
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skill_index.ranking.packing import Column, Numbers, counted

_MOST = 15
"""A count above this says nothing more; and with four bits for it, the pairs of a million records with half a
million stems are sorted as one integer each."""

_SHIFT = 32
_SECOND = (1 << _SHIFT) - 1


def whole_key(first: Column, second: Column) -> Numbers:
    """Return the key of each pair of numbers."""
    keys = first.astype(np.int64)
    keys <<= _SHIFT
    keys |= second
    return keys


def split_key(keys: Numbers) -> tuple[Numbers, Numbers]:
    """Return the first and the second number of each key."""
    return keys >> _SHIFT, keys & _SECOND


@dataclass(frozen=True, slots=True)
class Pairs:
    """
    Entries of one pair and one record each, sorted by key and record.

    `numbers` numbers the stems that a key is made of; it may hold more than the entries need.
    """

    numbers: Mapping[str, int]
    keys: Numbers
    docs: NDArray[np.int32]
    counts: NDArray[np.uint8]

    @classmethod
    def of(
        cls, numbers: Mapping[str, int], words: Column, texts: Column, docs: Column, twice: NDArray[np.bool_]
    ) -> Pairs:
        """
        Return the pairs of numbered words in their order, each with the number of its text and record.

        What stands in another text is nobody's neighbour; `twice` marks the words of short fields, whose
        pairs count two each.
        """
        beside = np.flatnonzero(texts[:-1] == texts[1:])
        beside = np.concatenate((beside, beside[twice.take(beside)]))
        (first, second, held), times = counted(
            (words.take(beside), words.take(beside + 1), docs.take(beside))
        )
        counts = np.minimum(times, _MOST).astype(np.uint8)
        return cls(numbers, whole_key(first, second), held.astype(np.int32, copy=False), counts)

    def find(
        self, pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[NDArray[np.int32], NDArray[np.uint8]] | None]:
        """
        Return for each pair of stems the records in which they are neighbours, ascending, and their counts.

        None stands where there are none.  All are looked up at once: to ask for one takes as long as for ten.
        """
        found: list[tuple[NDArray[np.int32], NDArray[np.uint8]] | None] = [None] * len(pairs)
        get = self.numbers.get
        asked: list[tuple[int, int]] = []
        for place, (first, second) in enumerate(pairs):
            one, two = get(first), get(second)
            if one is not None and two is not None:
                asked.append(((one << _SHIFT) | two, place))
        if not asked:
            return found
        # By their keys: what lies near in the entries is looked for one after the other.
        asked.sort()
        keys = np.array([key for key, _ in asked])
        starts = self.keys.searchsorted(keys)
        there = np.flatnonzero(self.keys.take(starts, mode="clip") == keys) if len(self.keys) else starts[:0]
        stops = self.keys.searchsorted(keys[there], side="right")
        for which, stop in zip(there.tolist(), stops.tolist(), strict=True):
            entries = slice(starts.item(which), stop)
            found[asked[which][1]] = self.docs[entries], self.counts[entries]
        return found

    def moved(self, places: Numbers) -> Pairs:
        """Return the entries of the records that have a place (-1 is none), at their places."""
        docs = places[self.docs]
        kept = docs >= 0
        keys, moved, counts = self.keys[kept], docs[kept].astype(np.int32), self.counts[kept]
        if (np.diff(places[places >= 0]) > 0).all():
            return Pairs(self.numbers, keys, moved, counts)  # in the same order, so still sorted
        return _sorted(self.numbers, keys, moved, counts)

    def joined(self, others: Pairs) -> Pairs:
        """
        Return the entries of both, others being of other records.

        Only pairs that both have are sorted anew: after an edit those are few of millions.
        """
        numbers = {stem: number for number, stem in enumerate(self.numbers)}
        known = np.array([numbers.setdefault(stem, len(numbers)) for stem in others.numbers], dtype=np.int64)
        left, right = split_key(others.keys)
        theirs = whole_key(known[left], known[right])
        both = np.isin(self.keys, theirs)
        shared = _sorted(
            numbers,
            np.concatenate((self.keys[both], theirs)),
            np.concatenate((self.docs[both], others.docs)),
            np.concatenate((self.counts[both], others.counts)),
        )
        keys = np.concatenate((self.keys[~both], shared.keys))
        order = np.argsort(keys, kind="stable")  # two sorted runs without a key in common
        docs = np.concatenate((self.docs[~both], shared.docs))
        counts = np.concatenate((self.counts[~both], shared.counts))
        return Pairs(numbers, keys[order], docs[order], counts[order])


def _sorted(
    numbers: Mapping[str, int], keys: Numbers, docs: NDArray[np.integer], counts: NDArray[np.uint8]
) -> Pairs:
    order = np.lexsort((docs, keys))
    return Pairs(numbers, keys[order], docs[order].astype(np.int32), counts[order])
