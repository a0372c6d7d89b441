"""
What was worked out for a word, remembered within a bound: the words of queries come again.

Why not `lru_cache`?  It counts entries, and here one may weigh a thousand times another; and what
is remembered belongs to one index and goes with it.  Two generations are the simplest cache that
keeps what is used: what is found in the old one moves to the young one, and when the young one is
full it becomes the old one, and what nobody asked for meanwhile is gone.

Threads share a memo without a lock.  Each step on a dict is whole, so the worst of a race is that
something is worked out twice or forgotten early.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memo(Generic[Value]):
    """
    Values by keys, of at most `most` in weight, the latest used ones.

    >>> memo = Memo[str](most=2)
    >>> memo.put("a", "first", weight=1), memo.get("a"), memo.get("b")
    ('first', 'first', None)
    """

    def __init__(self, most: int) -> None:
        self._half = most // 2
        self._young: dict[Hashable, tuple[Value, int]] = {}
        self._old: dict[Hashable, tuple[Value, int]] = {}
        self._weight = 0

    def get(self, key: Hashable) -> Value | None:
        """Return what was put under a key, None if it is not known (any more)."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return None
            self.put(key, *found)
        return found[0]

    def put(self, key: Hashable, value: Value, weight: int) -> Value:
        """Remember a value and return it; one that would leave no room for others is only returned."""
        if weight > self._half:
            return value
        if self._weight + weight > self._half:
            self._young, self._old, self._weight = {}, self._young, 0
        replaced = self._young.get(key)  # two threads may have worked out the same
        self._weight += weight - (replaced[1] if replaced else 0)
        self._young[key] = (value, weight)
        return value
