"""
The records that a query reaches: what is summed for them, and for no others.

Most queries reach a few hundred of a hundred thousand records.  A row with a place for each record,
made anew for every sum, would take longer than the sums.  So what is summed has a place for each entry
that some word lists, and all entries of a record share the place of the last.  The places of the others
stay empty: to close these gaps takes longer than to sum them.  Where entries are many, every record is
reached, and its place is its position.
"""

from __future__ import annotations

import numpy as np

from skill_index.ranking.postings import Array

_FEW = 4  # below one entry for so many records, a place is that of an entry


class Reach:
    """
    The records among `size` that some entries stand for, or every one.

    Each has one place, in no order; where every record is reached that is its position.  `listed` is the
    place of each entry.
    """

    def __init__(self, entries: Array, size: int, *, everyone: bool = False) -> None:
        self._entries = self.listed = entries
        self._size = size
        self.everyone = everyone or len(entries) * _FEW >= size
        if not self.everyone:
            # No pass over all records: only what is written is read.
            self._last = np.empty(size, dtype=np.int32)  # the last entry of each record
            self._last[entries] = np.arange(len(entries), dtype=np.int32)
            self.listed = self._last[entries]
            self._size = len(entries)

    def __len__(self) -> int:
        """Return how many places there are."""
        return self._size

    def positions(self, places: Array) -> Array:
        """Return the positions of the records at places."""
        return places if self.everyone else self._entries[places]

    def places(self, docs: Array) -> Array:
        """Return the places of records that are reached."""
        return docs if self.everyone else self._last[docs]

    def holds(self, docs: Array) -> Array:
        """Return a mask of those records that are reached."""
        if self.everyone or not self._size:
            return np.full(len(docs), self.everyone)
        held: Array = self._entries.take(self._last[docs], mode="clip") == docs
        return held

    def mask(self, docs: Array) -> Array:
        """Return a mask over places of those that are of these records, whether reached or not."""
        held = np.zeros(self._size, dtype=bool)
        held[self.places(docs[self.holds(docs)])] = True
        return held

    def place(self, at: int) -> int | None:
        """Return the place of a record, None if it is not reached."""
        if self.everyone:
            return at
        last = self._last.item(at)
        return last if 0 <= last < self._size and self._entries.item(last) == at else None
