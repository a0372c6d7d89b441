"""What is remembered of words: the latest used ones, within a bound."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skill_index.ranking.indexed import Posting
from skill_index.ranking.memo import Memo
from skill_index.ranking.parts import Match, Part, Route, Routes
from skill_index.ranking.querying import Asked

STEPS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=60)


@given(STEPS, st.integers(0, 12))
def test_what_is_found_is_what_was_put(steps: list[tuple[int, int]], most: int) -> None:
    """Never another value, and nothing that was never put."""
    memo = Memo[str](most)
    put: set[int] = set()
    for key, weight in steps:
        found = memo.get(key)
        assert found == f"value {key}" if found is not None else True
        assert key in put or found is None
        memo.put(key, f"value {key}", weight)
        put.add(key)


@given(st.integers(1, 6), st.integers(0, 20))
def test_what_is_used_stays(weight: int, others: int) -> None:
    """As long as less than half of the bound comes in between two uses."""
    memo = Memo[str](most=4 * weight + 2)
    memo.put("used", "value", weight)
    for other in range(others):
        memo.put(other, "", weight)
        assert memo.get("used") == "value"


def test_what_is_not_used_goes() -> None:
    """Twice the bound later nothing is left of it."""
    memo = Memo[str](most=10)
    memo.put("old", "value", 1)
    for other in range(20):
        memo.put(other, "", 1)
    assert memo.get("old") is None
    assert sum(memo.get(other) is not None for other in range(20)) <= 10


def test_a_value_too_heavy_drives_out_no_other() -> None:
    """A giant that is asked for again and again leaves the rest where it is."""
    memo = Memo[str](most=10)
    memo.put("small", "value", 1)
    for _ in range(3):
        assert memo.put("giant", "huge", 6) == "huge"
    assert (memo.get("small"), memo.get("giant")) == ("value", None)


def test_a_value_put_twice_weighs_once() -> None:
    """As when two threads worked out the same."""
    memo = Memo[str](most=10)
    memo.put("b", "value", 1)
    for _ in range(20):
        memo.put("a", "value", 2)
    assert memo.get("a") == memo.get("b") == "value"


def test_a_match_weighs_what_it_keeps_for_itself() -> None:
    """Ways it could be told by without related words count too; what is a view of its index does not."""
    asked = Asked("excel", "excel", "excel", (0,))
    docs = np.arange(1000)
    own = Posting(docs, np.ones(1000, dtype=np.uint8), np.ones(1000, dtype=np.float32))
    view = Posting(*(column[:] for column in own))

    def weight(posting: Posting) -> int:
        part = Part((asked,), docs, own.impacts, ways=own.fields)
        surely = Routes((Route(asked, posting, 1.0, 1000),), 1.0, 1.0)
        return Match((part._replace(surely=surely),)).bytes - Match((part,)).bytes

    assert weight(own) == sum(column.nbytes for column in own)
    assert weight(view) == 0
