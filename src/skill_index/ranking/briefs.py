"""
The briefs of many records as flat arrays of numbers, and each of their texts once.

    briefs ─number→ texts, rows of their numbers end to end ─┬─ put together, chosen from, stored, as they are
                                                             └─ looked into: who has these stems in a row?

As tuples they are millions of small objects: a gigabyte for a million records, and half the time of a
build to make them.  Nothing asks for one, so none is made again: each question is one to the arrays.

Texts are numbered as they are met: in all forms, then in all stems, in sequences, in "Not for ..."
clauses.  So where the records were cut into chunks changes no number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from skill_index.ranking.analysis import FIRST_OF_RUNS, in_run
from skill_index.ranking.numbering import Numbers
from skill_index.ranking.packing import counted, met
from skill_index.ranking.postings import Array, Brief
from skill_index.ranking.records import SHORT_FIELDS
from skill_index.ranking.tables import Lists, Part, of_texts
from skill_index.ranking.texts import from_text, text_of

_ROWS = len(SHORT_FIELDS)  # of sequences, for each record


@dataclass(frozen=True, slots=True)
class Briefs:
    """
    The briefs of some records, as rows of the numbers of their texts.

    Of each record there is a row of its forms and one of their stems, a row of stems for each short
    field, and one of negative stems; see `Brief`.
    """

    numbers: Mapping[str, int]
    forms: Lists
    stems: Lists
    sequences: Lists
    negative: Lists

    @classmethod
    def of(cls, briefs: Sequence[Brief]) -> Briefs:
        """
        Return what these briefs say.

        >>> brief = Brief((("fill", "form"), (), (), ()), (("forms", "form"),), ("merg",))
        >>> list(Briefs.of([brief]).numbers)
        ['forms', 'form', 'fill', 'merg']
        """
        numbers = Numbers[str]()
        number = numbers.__getitem__
        forms = Lists.of([number(form) for form, _ in brief.forms] for brief in briefs)
        stems = Lists.of([number(stem) for _, stem in brief.forms] for brief in briefs)
        sequences = Lists.of(list(map(number, row)) for brief in briefs for row in brief.sequences)
        negative = Lists.of(list(map(number, brief.negative)) for brief in briefs)
        return cls(dict(numbers), forms, stems, sequences, negative)

    @classmethod
    def restored(cls, part: Part, records: int) -> Briefs:
        """Return the briefs of so many records from their tables."""
        numbers = part.texts("texts")
        size = len(numbers)
        forms, stems = part.lists("forms", records, size), part.lists("stems", records, size)
        part.array("stems", "iu", len(forms.flat))
        sequences = part.lists("sequences", records * _ROWS, size)
        return cls(numbers, forms, stems, sequences, part.lists("negative", records, size))

    def tables(self) -> dict[str, Any]:
        """Return the tables that `restored` takes."""
        return {
            **of_texts("texts", self.numbers),
            **self.forms.tables("forms"),
            **self.stems.tables("stems"),
            **self.sequences.tables("sequences"),
            **self.negative.tables("negative"),
        }

    @property
    def spelt(self) -> int:
        """How many of the texts are forms; these come first."""
        return int(self.forms.flat.max(initial=-1)) + 1

    def chosen(self, records: Array) -> Briefs:
        """Return the briefs of some records, ascending, as if there had been no others."""
        if len(records) == len(self.negative.sizes):
            return self
        rows = (records[:, None] * _ROWS + np.arange(_ROWS)).ravel()
        forms, stems = self.forms.chosen(records), self.stems.chosen(records)
        sequences, negative = self.sequences.chosen(rows), self.negative.chosen(records)
        flat = np.concatenate([each.flat for each in (forms, stems, sequences, negative)])
        used, numbers = met(flat, len(self.numbers))
        texts = map(text_of(self.numbers), used.tolist())
        own = Briefs({}, forms, stems, sequences, negative)
        return Briefs.joined(dict(zip(texts, range(len(used)), strict=True)), [(own, numbers)])

    @classmethod
    def joined(cls, numbers: Mapping[str, int], parts: Sequence[tuple[Briefs, Array]]) -> Briefs:
        """Lay the rows of all parts end to end, each number replaced by that which its part has for it."""

        def laid(rows: Callable[[Briefs], Lists]) -> Lists:
            return Lists.joined([rows(part).replaced(own) for part, own in parts])

        return cls(
            numbers,
            laid(lambda part: part.forms),
            laid(lambda part: part.stems),
            laid(lambda part: part.sequences),
            laid(lambda part: part.negative),
        )

    def name_words(self, passed: Collection[str]) -> Array:
        """
        Return how many different words there are in each name but for those to be passed over.

        Of a run without spaces each pair is one, as it is in queries.
        """
        names = self.sequences.chosen(np.arange(len(self.negative.sizes)) * _ROWS)
        words, owners = names.flat, names.owners
        telling = ~np.isin(words, [self.numbers[stem] for stem in passed if stem in self.numbers])
        run = np.isin(words, self._in_runs(words))
        follows = np.zeros(len(words) + 1, dtype=bool)  # whether a character is behind another of its run
        follows[1:-1] = run[1:] & run[:-1] & (owners[1:] == owners[:-1])
        second = np.where(follows[1:], np.roll(words, -1) + 1, 0)
        telling &= follows[1:] | ~follows[:-1]  # the last of a run is second in a pair already
        (named, _, _), _ = counted([owners[telling], words[telling], second[telling]])
        return np.bincount(named, minlength=len(names.sizes))

    def _in_runs(self, words: Array) -> list[int]:
        """Return which of some stems are characters of runs without spaces."""
        text = text_of(self.numbers)
        late = np.array(from_text(self.numbers, FIRST_OF_RUNS), dtype=np.int64)
        return [number for number in late[np.isin(late, words)].tolist() if in_run(text(number))]

    def in_sequence(self, stems: Sequence[str], records: Array, columns: Sequence[int]) -> Array:
        """Return those of some records in which the stems follow each other in one of these short fields."""
        wanted = [self.numbers.get(stem) for stem in stems]
        if None in wanted:
            return records[:0]
        sequences = self.sequences.chosen((records[:, None] * _ROWS + np.array(columns)).ravel())
        places = max(len(sequences.flat) - len(wanted) + 1, 0)
        follow = np.ones(places, dtype=bool)
        for at, number in enumerate(wanted):
            follow &= sequences.flat[at : at + places] == number
        first = np.flatnonzero(follow)
        rows = sequences.owners[first]
        within = first + len(wanted) <= sequences.starts[rows + 1]
        found = np.zeros(len(records), dtype=bool)
        found[rows[within] // len(columns)] = True
        return records[found]


class Collected:
    """
    Briefs of one run of records after the other, to be those of all.

    Of a run that came in only numbers are kept: most of its texts have come with others, too.
    """

    def __init__(self) -> None:
        self._texts = Numbers[str]()
        self._parts: list[tuple[Briefs, Array]] = []

    def add(self, briefs: Briefs) -> None:
        """Take in the briefs of the next records."""
        own = np.fromiter(map(self._texts.__getitem__, briefs.numbers), np.int32)
        self._parts.append((replace(briefs, numbers={}), own))

    def together(self) -> Briefs:
        """Return the briefs of all records."""
        runs = zip(*(_runs(part, own) for part, own in self._parts), strict=True)
        used, numbers = met(np.concatenate(list(chain.from_iterable(runs))), len(self._texts))
        texts = map(list(self._texts).__getitem__, used.tolist())
        parts = [(part, numbers[own]) for part, own in self._parts]
        return Briefs.joined(dict(zip(texts, range(len(used)), strict=True)), parts)


def _runs(briefs: Briefs, texts: Array) -> list[Array]:
    """Return the texts that are forms, those among the others that are stems, ...: as they are first met."""
    rows = (briefs.forms, briefs.stems, briefs.sequences)
    ends = [int(each.flat.max(initial=-1)) + 1 for each in rows]
    return np.split(texts, np.maximum.accumulate(ends))
