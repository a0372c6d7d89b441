"""The records that a query reaches: numbered or all of them, with the same sums."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skill_index.ranking.kernel import summed
from skill_index.ranking.reach import Reach

SIZE = 40
ENTRIES = st.lists(st.integers(0, SIZE - 1), max_size=60) | st.lists(st.integers(0, SIZE - 1), max_size=9)


def array(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return positions as a ranking has them."""
    return np.array(numbers, dtype=np.int32)


@given(ENTRIES)
def test_each_record_has_one_place(entries: list[int]) -> None:
    """Whether they are numbered or all reached: a place leads back to its position."""
    reach = Reach(array(entries), SIZE)
    places = range(SIZE) if reach.everyone else sorted(set(reach.listed.tolist()))
    reached = dict(zip(reach.positions(np.array(places, dtype=np.intp)).tolist(), places, strict=True))
    assert len(reached) == len(places)
    assert max(places, default=-1) < len(reach)
    assert reach.everyone == (4 * len(entries) >= SIZE)
    assert set(reached) == (set(range(SIZE)) if reach.everyone else set(entries))
    assert reach.positions(reach.listed).tolist() == entries
    assert reach.places(array(entries)).tolist() == reach.listed.tolist()
    for at in range(SIZE):
        place = reach.place(at)
        assert place == reached.get(at)


@given(ENTRIES, st.lists(st.integers(0, SIZE - 1), max_size=9), st.booleans())
def test_what_is_reached_is_told(entries: list[int], asked: list[int], everyone: bool) -> None:
    """Of a few records, all of them, or none."""
    reach = Reach(array(entries), SIZE, everyone=everyone)
    reached = [at for at in asked if reach.everyone or at in entries]
    assert reach.holds(array(asked)).tolist() == [at in reached for at in asked]
    mask = reach.mask(array(asked))
    assert set(reach.positions(mask.nonzero()[0]).tolist()) == set(reached)
    assert mask.sum() == len(set(reached))


@given(st.lists(st.tuples(st.integers(0, SIZE - 1), st.floats(0, 9)), max_size=60))
def test_numbered_or_not_the_sums_are_the_same(added: list[tuple[int, float]]) -> None:
    """Every record has what was added to it, and nothing else has anything."""
    docs, values = array([at for at, _ in added]), np.array([value for _, value in added])
    few, everyone = Reach(docs, SIZE), Reach(docs, SIZE, everyone=True)
    sums, expected = (summed(reach.places(docs), values, len(reach)) for reach in (few, everyone))
    assert expected[docs].tolist() == sums[few.places(docs)].tolist()
    assert np.count_nonzero(expected) == np.count_nonzero(sums)
