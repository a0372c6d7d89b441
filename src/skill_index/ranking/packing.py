"""
Rows of small numbers, sorted and counted: what building an inverted index comes down to.

A row of several columns is packed into one integer where all of it fits into 63 bits, which it
does for any collection that fits into memory; sorting plain integers is several times faster than
sorting rows.  Where it does not fit, the rows are sorted as rows, with the same result.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_BITS = 63


def counted(columns: Sequence[NDArray[np.integer]]) -> tuple[list[Numbers], Numbers]:
    """
    Return the distinct rows of some columns, none of them negative, in order, and how often each is there.

    >>> rows, times = counted([np.array([2, 1, 2]), np.array([0, 5, 0])])
    >>> [column.tolist() for column in rows], times.tolist()
    ([[1, 2], [5, 0]], [1, 2])
    """
    if not len(columns[0]):
        return [column.astype(np.int64) for column in columns], np.empty(0, dtype=np.int64)
    bits = [int(column.max()).bit_length() for column in columns]
    if sum(bits) > _BITS:
        return _counted_rows(columns)
    packed = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], bits[1:], strict=True):
        packed <<= width
        packed |= column
    packed.sort()
    starts = _starts(packed[1:] != packed[:-1])
    times = np.diff(starts, append=len(packed))
    rest = packed[starts]
    rows: list[Numbers] = []
    for width in reversed(bits[1:]):
        rows.append(rest & ((1 << width) - 1))
        rest >>= width
    return [rest, *reversed(rows)], times


def _counted_rows(columns: Sequence[NDArray[np.integer]]) -> tuple[list[Numbers], Numbers]:
    order = np.lexsort(tuple(reversed(columns)))
    ordered = [column[order].astype(np.int64) for column in columns]
    differs = np.zeros(len(order) - 1, dtype=bool)
    for column in ordered:
        differs |= column[1:] != column[:-1]
    starts = _starts(differs)
    return [column[starts] for column in ordered], np.diff(starts, append=len(order))


def _starts(differs: NDArray[np.bool_]) -> Numbers:
    """Return where runs of equal rows begin, given which rows differ from the one before."""
    return np.concatenate(([0], np.flatnonzero(differs) + 1))
