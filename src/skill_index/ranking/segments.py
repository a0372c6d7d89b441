"""
Segments: records that were analysed together, and where an index shows them.

An edited skill must not cost a pass over all others.  So what was analysed is never touched again:
an index lays a segment of the new records beside the old one, and says of every record of a
segment at which position it shows it, or that it hides it.  A filtered view is the same segments with
more hidden.  All that is read here comes out at positions of the index, ascending, without what is
hidden: whoever asks cannot tell how many segments there are.

Rejected: postings renumbered for every edit and view.  Copying them takes longer than all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from skill_index.ranking.briefs import Briefs, Collected
from skill_index.ranking.pairs import Pairs
from skill_index.ranking.postings import Array, Postings, join
from skill_index.ranking.records import SHORT_FIELDS
from skill_index.ranking.spellings import Spellings

NOTHING: Array = np.empty(0, dtype=np.intp)
"""No record."""

Rows: TypeAlias = tuple[Array, ...]
"""Some records, ascending, and beside them what is told of each."""

_FEW = 8  # records edited at once; each costs a pass over the postings, and counting anew costs forty


class Segment:
    """
    What is known of records that were analysed together, by their place among them; never changed.

    `tables` is what it was made of if it comes from a store, and what it is stored as again.
    """

    tables: dict[str, Any] | None = None

    def __init__(self, briefs: Briefs, postings: Postings, pairs: Pairs) -> None:
        self.briefs = briefs
        self.postings = postings
        self.pairs = pairs

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        postings, pairs = self.postings, self.pairs
        return sum(each.nbytes for each in (postings.docs, postings.counts, pairs.keys, pairs.docs))

    @cached_property
    def spellings(self) -> Spellings:
        """How the short fields spell their words, and what they rule out."""
        return Spellings.of(self.briefs)

    def counted(self, records: Iterable[int]) -> Array:
        """Return how many of a few records hold each term."""
        held = [np.flatnonzero(self.postings.docs == at) for at in records]
        terms = self.postings.starts.searchsorted(np.concatenate([NOTHING, *held]), side="right") - 1
        return np.bincount(terms, minlength=len(self.postings.vocabulary))

    def in_sequence(self, stems: Sequence[str], columns: Sequence[int]) -> Array:
        """Return the records in which the stems follow each other in one of these fields."""
        short = [column for column in columns if column < len(SHORT_FIELDS)]
        if not short or not stems:
            return NOTHING
        common = self.postings.holders(stems[0], short)
        for stem in stems[1:]:
            common = np.intersect1d(common, self.postings.holders(stem, short), assume_unique=True)
        return self.briefs.in_sequence(stems, common, short)


class Shelf:
    """A segment, and the position at which an index shows each of its records; -1 hides one."""

    def __init__(self, segment: Segment, places: Array) -> None:
        self.segment = segment
        self.places = places
        shown = places[places >= 0]
        self.shown = len(shown)
        self._hides = self.shown < len(places)
        self._ordered = bool((shown[1:] > shown[:-1]).all())
        self.moves = not np.array_equal(places, np.arange(len(places)))

    def moved(self, positions: Array) -> Shelf:
        """Return the shelf that shows what is here where `positions` has it; -1 hides it."""
        # What was hidden stays so: it takes the last of the positions.
        moved = Shelf(self.segment, np.append(positions, -1)[self.places])
        gone = np.flatnonzero((self.places >= 0) & (moved.places < 0))
        if "having" in vars(self) and len(gone) <= _FEW:
            moved.having = self.having - self.segment.counted(gone.tolist())
        return moved

    @cached_property
    def having(self) -> Array:
        """How many of the records shown hold each term of the segment."""
        postings = self.segment.postings
        if not self._hides:
            return np.diff(postings.starts)
        shown = (self.places >= 0).take(postings.docs).cumsum(dtype=np.int32)
        return np.diff(shown[postings.starts[1:] - 1], prepend=0)  # no row is empty

    def rows(self, term: str) -> int:
        """Return how many of the records shown hold a term."""
        number = self.segment.postings.vocabulary.get(term)
        rows: int = 0 if number is None else self.having.item(number)
        return rows

    def row(self, term: str) -> Rows | None:
        """Return the records shown that hold a term, and their counts by field; None if none does."""
        row = self.segment.postings.row(term)
        if row is None:
            return None
        return self._shown(self.segment.postings.docs[row], self.segment.postings.counts[row])

    def beside(self, pairs: Sequence[tuple[str, str]]) -> list[Rows | None]:
        """Return for each pair of stems the records shown in which they are neighbours, and the counts."""
        found = self.segment.pairs.find(pairs)
        return [self._shown(*rows) if rows else None for rows in found]

    def shows(self, form: str) -> bool:
        """Say whether a record shown writes a word so in a short field."""
        forms = self.segment.spellings.forms
        return form in forms and (not self._hides or bool((self.places[forms[form]] >= 0).any()))

    def spelt(self, form: str) -> Rows | None:
        """Return the records shown that write a word so in a short field."""
        return self._told(self.segment.spellings.forms.get(form, NOTHING))

    def denying(self, stem: str) -> Rows | None:
        """Return the records shown that speak of a stem only to say that they are not for it."""
        return self._told(self.segment.spellings.denied.get(stem, NOTHING))

    def in_sequence(self, stems: Sequence[str], columns: Sequence[int]) -> Rows | None:
        """Return the records shown in which the stems follow each other in one of these fields."""
        return self._told(self.segment.in_sequence(stems, columns))

    def _told(self, docs: Array) -> Rows | None:
        return self._shown(docs) if len(docs) else None

    def _shown(self, docs: Array, *values: Array) -> Rows:
        if not self.moves:
            return docs, *values
        rows = (self.places.take(docs), *values)
        if self._hides:
            shown = rows[0] >= 0
            rows = tuple(each[shown] for each in rows)
        return rows if self._ordered else _ascending(rows)


def together(found: Iterable[Rows | None]) -> Rows | None:
    """Return what several shelves show, by ascending position; None where none shows anything."""
    listed = [rows for rows in found if rows is not None]
    if len(listed) < 2:
        return listed[0] if listed else None
    return _ascending(tuple(map(np.concatenate, zip(*listed, strict=True))))


def _ascending(rows: Rows) -> Rows:
    order = rows[0].argsort(kind="stable")
    return tuple(each[order] for each in rows)


def merged(first: Shelf, second: Shelf) -> Shelf:
    """Return two shelves as one with a segment of its own, without what they hide."""
    places = np.concatenate((first.places, second.places))
    shown = places >= 0
    numbers = np.where(shown, np.cumsum(shown) - 1, -1)
    firsts, seconds = np.split(numbers, [len(first.places)])
    one, two = first.segment, second.segment
    briefs = Collected()
    briefs.add(one.briefs.chosen(np.flatnonzero(firsts >= 0)))
    briefs.add(two.briefs.chosen(np.flatnonzero(seconds >= 0)))
    postings = join(one.postings, firsts, two.postings, seconds)
    pairs = one.pairs.moved(firsts).joined(two.pairs.moved(seconds))
    return Shelf(Segment(briefs.together(), postings, pairs), places[shown])
