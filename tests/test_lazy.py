"""Sequences made late: each item once, in any order, for any number of threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.lazy import Deferred, LazySequence


@given(st.lists(st.integers(), max_size=8), st.slices(8), st.data())
def test_it_is_the_list_of_its_items(items: list[int], part: slice, data: st.DataObject) -> None:
    """By place, from the end, by slices and as a whole; a place outside is an IndexError."""
    lazy = LazySequence(len(items), items.__getitem__)
    if items:
        at = data.draw(st.integers(-len(items), len(items) - 1))
        assert lazy[at] == items[at]
    assert lazy[part] == tuple(items[part])
    assert list(lazy) == items
    for outside in (len(items), -len(items) - 1):
        with pytest.raises(IndexError):
            lazy[outside]


def test_an_item_is_one_object_for_all_threads() -> None:
    """Two threads that make it at once get the same."""
    meeting = threading.Barrier(2, timeout=10)

    def make(_: int) -> object:
        meeting.wait()
        return object()

    lazy = LazySequence(1, make)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lazy.__getitem__, (0, 0))
    assert first is second is lazy[0]


def test_what_is_deferred_is_made_when_it_is_gone_through() -> None:
    """Not before, and each time."""
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return [7]

    deferred = Deferred(make)
    assert made == []
    assert (list(deferred), list(deferred), made) == ([7], [7], [0, 1])
