"""Rows of numbers: sorted and counted like tuples, whether they fit into one number or not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.ranking.packing import counted, sorted_rows

SCALES = [(1, 1, 1), (1, 1 << 30, 1 << 20)]
SCALES += [
    (1 << 31, 1 << 31, 1 << 31),
    (1 << 20, 1 << 20, 1 << 30),
    (1 << 61, 1, 1),
]  # over 63 bits: 3, 2, 2 numbers
ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=12)


def columns(rows: list[tuple[int, ...]], scale: tuple[int, ...]) -> list[np.ndarray]:
    """Return rows as columns, each number as many times as large."""
    listed = [[row[at] * scale[at] for row in rows] for at in range(3)]
    return [np.array(column, dtype=np.int64) for column in listed]


@pytest.mark.parametrize("scale", SCALES)
@given(rows=ROWS)
def test_rows_are_counted(rows: list[tuple[int, ...]], scale: tuple[int, ...]) -> None:
    """Each distinct row once, in the order of tuples, with how often it is there."""
    found, times = counted(columns(rows, scale))
    expected = sorted(Counter(rows).items())
    assert [column.tolist() for column in found] == [
        column.tolist() for column in columns([row for row, _ in expected], scale)
    ]
    assert times.tolist() == [count for _, count in expected]


@pytest.mark.parametrize("scale", SCALES)
@given(first=ROWS, second=ROWS)
def test_blocks_are_sorted_together(
    first: list[tuple[int, ...]], second: list[tuple[int, ...]], scale: tuple[int, ...]
) -> None:
    """Wherever a row stood before; bounds may be larger than what is there."""
    found = sorted_rows([columns(first, scale), columns(second, scale)], [4 * size for size in scale])
    assert [column.tolist() for column in found] == [
        column.tolist() for column in columns(sorted([*first, *second]), scale)
    ]
