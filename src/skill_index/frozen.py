"""A mapping that cannot change: skills are shared by threads, and what they hold must not move under them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class FrozenMap(Mapping[str, Any]):
    """
    A mapping that cannot change, at any depth, and so can be hashed and pickled.

    >>> frozen = FrozenMap({"b": 1, "a": {"list": [2]}})
    >>> frozen, frozen.plain()
    (FrozenMap({'b': 1, 'a': FrozenMap({'list': (2,)})}), {'b': 1, 'a': {'list': [2]}})
    """

    __slots__ = ("_items",)
    _items: dict[str, Any]

    def __init__(self, items: Mapping[str, Any] = {}) -> None:
        if isinstance(items, FrozenMap):
            own = items._items  # noqa: SLF001  (of its own kind, and as little to be changed)
        else:
            own = {key: _frozen(value) for key, value in items.items()}
        object.__setattr__(self, "_items", own)

    def __setattr__(self, name: str, value: object) -> None:
        message = f"a FrozenMap cannot change: {name}"
        raise AttributeError(message)

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def plain(self) -> dict[str, Any]:
        """Return this mapping as dicts and lists, which JSON and YAML writers take."""
        return {key: _thawed(value) for key, value in self._items.items()}

    def __reduce__(self) -> tuple[type[FrozenMap], tuple[dict[str, Any]]]:
        return (FrozenMap, (self._items,))


def _frozen(value: Any) -> Any:
    if isinstance(value, str):  # most are, and to find out that one is no mapping takes longer
        return value
    if isinstance(value, Mapping):
        return value if isinstance(value, FrozenMap) else FrozenMap(value)
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


def _thawed(value: Any) -> Any:
    if isinstance(value, FrozenMap):
        return value.plain()
    return list(map(_thawed, value)) if isinstance(value, tuple) else value
