"""
How the short fields of records spell their words: the dictionary of an index.

Bodies are no dictionary.  They hold ten times as many words, most of them seen once and many of them
slips: looking for near spellings among them would take longer than the search, and find worse.  Only
what several bodies hold is looked at, and last (`Indexed.common`).

It is worked out of the rows of all records at once, by sorting numbers, and what is told of a word is
looked up when it is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias, TypeVar

import numpy as np

from skill_index.ranking.briefs import Briefs
from skill_index.ranking.packing import sorted_rows
from skill_index.ranking.postings import Array
from skill_index.ranking.tables import Lists, Part
from skill_index.ranking.texts import text_of

Value = TypeVar("Value")

SHORTEST = 3
"""Letters of a word at least that another is corrected to."""

WordsByLength: TypeAlias = Mapping[int, Sequence[str]]


class Spellings:
    """
    How the short fields of records spell their words.

    `forms` are the records that write a word so, `stems` the stem of each form and `variants` the
    forms of each stem; `denied` the records that speak of a stem in a "Not for ..." clause, and
    otherwise at most in their body.  Records are ascending.
    """

    def __init__(
        self, numbers: Mapping[str, int], stem: Array, spelt: Lists, variants: Lists, denied: Lists
    ) -> None:
        self._stem, self._spelt, self._variants, self._denied = stem, spelt, variants, denied
        self._text = text = text_of(numbers)
        forms, texts = len(stem), len(numbers)
        self.forms: Mapping[str, Array] = _ByText(numbers, forms, spelt.__getitem__)
        self.stems: Mapping[str, str] = _ByText(numbers, forms, lambda form: text(stem.item(form)))
        self.variants: Mapping[str, Sequence[str]] = _ByText(
            numbers, texts, lambda number: tuple(map(text, variants[number].tolist()))
        )
        self.denied: Mapping[str, Array] = _ByText(numbers, texts, denied.__getitem__)

    @classmethod
    def of(cls, briefs: Briefs) -> Spellings:
        """Return how the records of these briefs spell their words."""
        forms, texts = briefs.spelt, len(briefs.numbers)
        stem = np.empty(forms, dtype=np.int32)
        stem[briefs.forms.flat[::-1]] = briefs.stems.flat[::-1]  # the first that is told stays
        return cls(
            briefs.numbers,
            stem,
            _grouped(briefs.forms.flat, briefs.forms.owners, forms),
            _grouped(stem, np.arange(forms, dtype=np.int32), texts),
            _grouped(*_denials(briefs), texts),
        )

    @classmethod
    def restored(cls, part: Part, briefs: Briefs) -> Spellings:
        """Return the spellings in these briefs from their tables."""
        records, texts = len(briefs.negative.sizes), len(briefs.numbers)
        stem = part.numbers("stem", texts)
        spelt, denied = part.lists("spelt", len(stem), records), part.lists("denied", texts, records)
        return cls(briefs.numbers, stem, spelt, part.lists("variants", texts, len(stem)), denied)

    def tables(self) -> dict[str, Any]:
        """Return the tables that `restored` takes beside those of the briefs."""
        return {
            "stem": self._stem,
            **self._spelt.tables("spelt"),
            **self._variants.tables("variants"),
            **self._denied.tables("denied"),
        }

    @cached_property
    def long_forms(self) -> WordsByLength:
        """The forms to which others may be corrected, by their length."""
        return by_length(form for form in self.forms if len(form) >= SHORTEST)

    @cached_property
    def long_stems(self) -> WordsByLength:
        """The stems of those forms, by their length."""
        told = zip(self.forms, map(self._text, self._stem.tolist()), strict=True)
        return by_length({stem: None for form, stem in told if len(form) >= SHORTEST})


def by_length(words: Iterable[str]) -> WordsByLength:
    """Return words by their length, each in the order in which they come."""
    found: dict[int, list[str]] = defaultdict(list)
    for word in words:
        found[len(word)].append(word)
    return found


def _denials(briefs: Briefs) -> tuple[Array, Array]:
    """Return the negative stems that no form of their record has, and the records."""
    records = np.flatnonzero(briefs.negative.sizes)
    negative, stated = briefs.negative.chosen(records), briefs.stems.chosen(records)
    own, known = (each.owners * np.int64(len(briefs.numbers)) + each.flat for each in (negative, stated))
    alone = ~np.isin(own, known)
    return negative.flat[alone], records[negative.owners[alone]]


def _grouped(numbers: Array, values: Array, size: int) -> Lists:
    """Return for each number below `size` the values beside it, ascending."""
    numbers, values = sorted_rows([(numbers, values)], (size, int(values.max(initial=0))))
    starts = np.concatenate(([0], np.cumsum(np.bincount(numbers, minlength=size))))
    return Lists(starts, values.astype(np.int32, copy=False))


class _ByText(Mapping[str, Value]):
    """What is told of the first `size` of numbered texts, made when it is asked for."""

    def __init__(self, numbers: Mapping[str, int], size: int, make: Callable[[int], Value]) -> None:
        self._numbers, self._size, self._make = numbers, size, make

    def __getitem__(self, text: str) -> Value:
        number = self._numbers[text]
        if number >= self._size:
            raise KeyError(text)
        return self._make(number)

    def get(self, key: str, default: Any = None, /) -> Any:
        number = self._numbers.get(key, self._size)  # Mapping's own way is by an exception
        return self._make(number) if number < self._size else default

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self._numbers.get(text, self._size) < self._size

    def __iter__(self) -> Iterator[str]:
        return islice(self._numbers, self._size)

    def __len__(self) -> int:
        return self._size
