"""
Rows of small numbers, sorted and counted: what building an inverted index comes down to.

A row of several columns is packed into one integer where all of it fits into 63 bits; to sort plain
integers is ten times faster than to sort rows.  Where it does not fit, as with the pairs of millions of
skills, a row becomes as few integers as hold it, and is sorted as a row of those, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Column = NDArray[np.integer]
_BITS = 63


def counted(columns: Sequence[Column]) -> tuple[list[Column], Numbers]:
    """
    Return the distinct rows of some columns, none of them negative, in order, and how often each is there.

    >>> rows, times = counted([np.array([2, 1, 2]), np.array([0, 5, 0])])
    >>> [column.tolist() for column in rows], times.tolist()
    ([[1, 2], [5, 0]], [1, 2])
    """
    largest = [int(column.max(initial=0)) for column in columns]
    widths = [bound.bit_length() for bound in largest]
    if sum(widths) > _BITS:
        rows = sorted_rows([columns], largest)
        starts = _starts(rows)
        return [column[starts] for column in rows], np.diff(starts, append=len(rows[0]))
    # Equal rows are equal integers: only distinct ones are unpacked.
    packed = _packed(columns, widths)
    packed.sort()
    starts = _starts([packed])
    return _unpacked(packed[starts], widths), np.diff(starts, append=len(packed))


def met(numbers: Column, size: int) -> tuple[Numbers, NDArray[np.int32]]:
    """
    Return which numbers below `size` are there, as they are first met, and the place of each in that order.

    Of a number that is not there the place is 0, and says nothing.

    >>> used, places = met(np.array([2, 0, 2]), 4)
    >>> used.tolist(), places.tolist()
    ([2, 0], [1, 0, 0, 0])
    """
    first = np.full(size, len(numbers), dtype=np.int32)
    first[numbers[::-1]] = np.arange(len(numbers), dtype=np.int32)[::-1]  # of equal places the last one stays
    used = np.flatnonzero(first < len(numbers))
    used = used[np.argsort(first[used])]
    places = np.zeros(size, dtype=np.int32)
    places[used] = np.arange(len(used), dtype=np.int32)
    return used, places


def _starts(rows: Sequence[Column]) -> Numbers:
    """Return where in sorted rows each distinct one begins."""
    new = np.ones(len(rows[0]), dtype=bool)
    new[1:] = False
    for column in rows:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def sorted_rows(blocks: Iterable[Sequence[Column]], largest: Sequence[int]) -> list[Column]:
    """
    Return the columns of all rows in order, from blocks of rows; `largest` bounds each column.

    >>> [column.tolist() for column in sorted_rows([([2], [0]), ([1, 2], [5, 4])], (2, 5))]
    [[1, 2, 2], [5, 0, 4]]
    """
    widths = [bound.bit_length() for bound in largest]
    if sum(widths) > _BITS:
        columns = [np.concatenate(column) for column in zip(*blocks, strict=True)]
        groups = [_packed(columns[run], widths[run]) for run in _runs(widths)]
        order = np.lexsort(groups[::-1])
        return [column[order] for column in columns]
    packed = np.concatenate([_packed(block, widths) for block in blocks])
    packed.sort()
    return _unpacked(packed, widths)


def _runs(widths: Sequence[int]) -> Iterator[slice]:
    """Yield runs of columns that fit into one integer."""
    start = 0
    for at in range(1, len(widths) + 1):
        if at == len(widths) or sum(widths[start : at + 1]) > _BITS:
            yield slice(start, at)
            start = at


def _packed(columns: Sequence[Column], widths: Sequence[int]) -> Numbers:
    packed = np.zeros(len(columns[0]), dtype=np.int64)
    for column, width in zip(columns, widths, strict=True):
        packed <<= width
        packed |= column
    return packed


def _unpacked(packed: Numbers, widths: Sequence[int]) -> list[Column]:
    """Return the columns; this takes `packed` apart."""
    columns: list[Column] = []
    for width in reversed(widths):
        column = np.empty(len(packed), dtype=np.int32 if width < 32 else np.int64)
        # Into its place at once: memory that was not in use before takes longer to get than to fill.
        columns.append(np.bitwise_and(packed, (1 << width) - 1, out=column, casting="unsafe"))
        packed >>= width
    return columns[::-1]
