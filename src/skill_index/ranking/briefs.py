"""
Briefs on their way from one process to another: each word once, and numbers in place of texts.

As they are, briefs are millions of small tuples.  To pickle those takes longer than to count what stands
in the texts, and each chunk would bring texts of its own, equal to those of all others.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Generic

from skill_index.ranking.numbering import Numbers, Value
from skill_index.ranking.postings import Brief
from skill_index.ranking.records import SHORT_FIELDS

_ROWS = len(SHORT_FIELDS) + 1  # of stems in a brief: a sequence for each short field, and the negative ones


@dataclass(frozen=True, slots=True)
class _Rows(Generic[Value]):
    """Rows of values, end to end: every value once, and their numbers."""

    values: Sequence[Value]
    numbers: array[int]
    sizes: array[int]

    @classmethod
    def of(cls, rows: Collection[Sequence[Value]]) -> _Rows[Value]:
        """Return what holds these rows."""
        known = Numbers[Value]()
        numbers = array("i", map(known.__getitem__, chain.from_iterable(rows)))
        return cls(list(known), numbers, array("i", map(len, rows)))

    def rows(self, known: dict[Any, Any]) -> Iterator[tuple[Value, ...]]:
        """Yield the rows; values that are in `known` are taken from there, others put there."""
        values = [known.setdefault(value, value) for value in self.values]
        each = map(values.__getitem__, self.numbers)
        return (tuple(islice(each, size)) for size in self.sizes)


@dataclass(frozen=True, slots=True)
class PackedBriefs:
    """Briefs of some records, ready to be sent."""

    stems: _Rows[str]
    forms: _Rows[tuple[str, str]]

    @classmethod
    def of(cls, briefs: Sequence[Brief]) -> PackedBriefs:
        """Return what these briefs can be made of again."""
        stems = [row for brief in briefs for row in (*brief.sequences, brief.negative)]
        return cls(_Rows.of(stems), _Rows.of([brief.forms for brief in briefs]))

    def unpacked(self, known: dict[Any, Any]) -> list[Brief]:
        """
        Return the briefs; `known` are the texts and forms that stand in others already.

        >>> brief = Brief((("fill", "form"), (), (), ()), (("forms", "form"),), ("merg",))
        >>> PackedBriefs.of([brief, brief]).unpacked({}) == [brief, brief]
        True
        """
        stems = self.stems.rows(known)
        briefs: list[Brief] = []
        for forms in self.forms.rows(known):
            *sequences, negative = islice(stems, _ROWS)
            briefs.append(Brief(tuple(sequences), forms, negative))
        return briefs
