"""
Flat tables with names: what a store keeps of an index, and how what comes back is made sure of.

Lists of numbers stand end to end, with the place where each begins, so they are used where they lie in a
file.  Numbers that lead nowhere are refused here, so whoever looks something up later can rely on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Protocol

import numpy as np

from skill_index.ranking.postings import Array
from skill_index.ranking.texts import Texts


class Tables(Protocol):
    """Tables by name; each way to one raises an error of its own where there is none of that kind."""

    def array(self, name: str, kind: str) -> Array:
        """Return an array whose numbers are of one of these kinds, by numpy's letters."""
        ...

    def json(self, name: str) -> Any:
        """Return what was given as plain data."""
        ...

    def bytes(self, name: str) -> memoryview:
        """Return what was given as bytes."""
        ...

    def table(self, name: str) -> Any:
        """Return what was given as an array or as bytes."""
        ...

    def names(self, prefix: str) -> Sequence[str]:
        """Return the names that begin so."""
        ...


class BadTableError(ValueError):
    """A table that does not fit the others."""


class Part:
    """The tables whose names have a prefix in common, checked as they are taken."""

    def __init__(self, tables: Tables, prefix: str) -> None:
        self._tables, self._prefix = tables, prefix

    def __contains__(self, name: str) -> bool:
        return self._prefix + name in self._tables.names(self._prefix)

    def all(self) -> dict[str, Any]:
        """Return every table by its name, as it was given."""
        prefix = self._prefix
        return {name.removeprefix(prefix): self._tables.table(name) for name in self._tables.names(prefix)}

    def whole(self, name: str, kind: str) -> Array:
        """Return an array of any number of rows."""
        return self._tables.array(self._prefix + name, kind)

    def array(self, name: str, kind: str, size: int, columns: int | None = None) -> Array:
        """Return an array of so many rows."""
        found = self.whole(name, kind)
        shape = (size,) if columns is None else (size, columns)
        if found.shape != shape:
            message = f"{name} has the shape {found.shape}, not {shape}"
            raise BadTableError(message)
        return found

    def numbers(self, name: str, below: int) -> Array:
        """Return an array of numbers from 0 to, but not including, `below`."""
        found = self.whole(name, "iu")
        # Read without its sign, a number below zero is one of the largest: one look at each is enough.
        if len(found) and found.view(f"u{found.itemsize}").max() >= below:
            message = f"{name} holds numbers that lead nowhere"
            raise BadTableError(message)
        return found

    def starts(self, name: str, lists: int, size: int) -> Array:
        """Return where each of so many lists begins, and the end."""
        found = self.array(name, "i", lists + 1)
        if found[0] != 0 or found[-1] != size or (found[1:] < found[:-1]).any():
            message = f"{name} are no beginnings of lists"
            raise BadTableError(message)
        return found

    def lists(self, name: str, lists: int, below: int) -> Lists:
        """Return so many lists of numbers."""
        flat = self.numbers(name, below)
        return Lists(self.starts(f"{name}.starts", lists, len(flat)), flat)

    def pieces(self, name: str) -> Pieces:
        """Return pieces of bytes, however many there are."""
        data = self._tables.bytes(self._prefix + name)
        size = len(self.whole(f"{name}.starts", "i")) - 1
        return Pieces(data, self.starts(f"{name}.starts", max(size, 0), len(data)))

    def texts(self, name: str) -> Texts:
        """Return texts, each there once."""
        encoded = self._tables.bytes(f"{self._prefix}{name}.encoded")
        size = len(self.whole(f"{name}.order", "i"))
        order = self.numbers(f"{name}.order", size)
        return Texts(encoded, self.starts(f"{name}.starts", size, len(encoded)), order)


class Lists:
    """Lists of numbers end to end: list n is `flat[starts[n]:starts[n + 1]]`."""

    def __init__(self, starts: Array, flat: Array) -> None:
        self.starts, self.flat = starts, flat

    @classmethod
    def of(cls, lists: Iterable[Sequence[int] | Array]) -> Lists:
        """Return lists laid end to end."""
        listed = list(lists)
        starts = _starts(list(map(len, listed)))
        return cls(starts, np.fromiter(chain.from_iterable(listed), np.int32, int(starts[-1])))

    @classmethod
    def joined(cls, parts: Sequence[Lists]) -> Lists:
        """Return the lists of all parts, one part after the other."""
        sizes = np.concatenate([part.sizes for part in parts])
        return cls(_starts(sizes), np.concatenate([part.flat for part in parts]))

    @property
    def sizes(self) -> Array:
        """How long each list is."""
        return np.diff(self.starts)

    @property
    def owners(self) -> Array:
        """The list in which each number of `flat` is."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), self.sizes)

    def chosen(self, lists: Array) -> Lists:
        """Return some of the lists."""
        begins = self.starts[lists]
        sizes = self.starts[lists + 1] - begins  # of a few lists, not of all
        starts = _starts(sizes)
        places = np.repeat(begins - starts[:-1], sizes) + np.arange(starts[-1])
        return Lists(starts, self.flat[places])

    def replaced(self, numbers: Array) -> Lists:
        """Return lists as long, with `numbers[n]` in place of each n."""
        return Lists(self.starts, numbers.take(self.flat))

    def __getitem__(self, number: int) -> Array:
        found: Array = self.flat[self.starts.item(number) : self.starts.item(number + 1)]
        return found

    def tables(self, name: str) -> dict[str, Array]:
        """Return the tables that `Part.lists` takes."""
        return {name: self.flat, f"{name}.starts": self.starts}


def _starts(sizes: Sequence[int] | Array) -> Array:
    """Return where lists of these sizes begin, and the end."""
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


class Pieces:
    """Pieces of bytes end to end."""

    def __init__(self, data: memoryview, starts: Array) -> None:
        self._data, self._starts = data, starts

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> memoryview:
        return self._data[self._starts[number] : self._starts[number + 1]]


def of_numbers(numbers: Iterable[int]) -> Array:
    """Return the table that `Part.numbers` takes."""
    return np.fromiter(numbers, np.int32)


def of_pieces(name: str, pieces: Iterable[bytes | memoryview]) -> dict[str, Any]:
    """Return the tables that `Part.pieces` takes."""
    listed = list(pieces)
    starts = np.cumsum([0, *map(len, listed)], dtype=np.int64)
    return {name: b"".join(listed), f"{name}.starts": starts}


def of_texts(name: str, texts: Iterable[str]) -> dict[str, Any]:
    """Return the tables that `Part.texts` takes."""
    return {f"{name}.{part}": table for part, table in Texts.tables(list(texts)).items()}
