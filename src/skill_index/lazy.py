"""
A sequence whose items are made when they are first asked for.

What a store holds of fifteen thousand skills is read in a moment and decoded in half a second, of
which an answer of five skills needs nothing.  Each item is made once and stays the same object, also
between threads: whether a skill is still the same one is told by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class LazySequence(Sequence[Item]):
    """
    `make(0)`, `make(1)`, ... up to `size` of them, each made at most once.

    >>> squares = LazySequence(4, lambda number: number * number)
    >>> squares[2], squares[-1], squares[1:3], len(squares)
    (4, 9, (1, 4), 4)
    """

    def __init__(self, size: int, make: Callable[[int], Item]) -> None:
        self._size, self._make = size, make
        self._made: dict[int, Item] = {}

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(at, slice):
            return tuple(self[number] for number in range(self._size)[at])
        number = range(self._size)[at]
        if number not in self._made:
            # Of two threads that make it at once both get the same.
            return self._made.setdefault(number, self._make(number))
        return self._made[number]


class Deferred(Iterable[Item]):
    """
    Items that are worked out each time they are gone through, and not before.

    >>> list(Deferred(lambda: [1, 2]))
    [1, 2]
    """

    def __init__(self, make: Callable[[], Iterable[Item]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Item]:
        return iter(self._make())
