"""
The records that a query reaches: what is summed for them, and for no others.

Most queries reach a few hundred of a hundred thousand records.  A row with a place for each record,
made anew for every sum, would take longer than the sums.  So the records reached are numbered, and
all that is summed has a place for each of these.  Where they are many, or a query asks for what
no word of it reaches (`+word`, `-word`), every record is reached, and its place is its position.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from skill_index.ranking.kernel import summed
from skill_index.ranking.postings import Array

_FEW = 4  # below one entry for so many records, those reached are numbered


class Reach:
    """
    The records among `size` that some entries stand for, or every one; `docs` are their positions, by place.

    A position among `docs` stands there once, in no order.
    """

    def __init__(self, entries: Array, size: int, *, everyone: bool = False) -> None:
        self._slots: Array | None = None
        if everyone or len(entries) * _FEW >= size:
            self.docs = np.arange(size)
            return
        # No pass over all records: only what is written is read.
        slots = np.empty(size, dtype=np.int32)
        numbers = np.arange(len(entries), dtype=np.int32)
        slots[entries] = numbers  # of equal ones the last stays
        self.docs = entries[slots[entries] == numbers]
        slots[self.docs] = numbers[: len(self.docs)]
        self._slots = slots

    def __len__(self) -> int:
        return len(self.docs)

    def places(self, docs: Array) -> Array:
        """Return the places of records that are reached."""
        return docs if self._slots is None else self._slots[docs]

    def holds(self, docs: Array) -> Array:
        """Return a mask of those records that are reached."""
        if self._slots is None or not len(self.docs):
            return np.full(len(docs), self._slots is None)
        held: Array = self.docs.take(self._slots[docs], mode="clip") == docs
        return held

    def place(self, at: int) -> int | None:
        """Return the place of a record, None if it is not reached."""
        if self._slots is None:
            return at
        place = int(self._slots[at])
        return place if 0 <= place < len(self.docs) and self.docs[place] == at else None

    def sum(self, docs: Array, values: Array) -> Array:
        """Return for each record reached the sum of its values; `docs` may hold it several times."""
        return summed(self.places(docs), values, len(self.docs))

    def positions(self, places: Iterable[int]) -> list[int]:
        """Return the positions at places."""
        chosen = list(places)
        if self._slots is None:
            return chosen
        positions: list[int] = self.docs[chosen].tolist()
        return positions
