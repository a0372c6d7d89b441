"""
Numbered texts in a file, looked up where they lie: a dict of three hundred thousand words takes long to make.

    text ─▶ bisection over the texts in order of their bytes ─▶ number

A process that asks little should not make the dict, and one that asks much should have it.  So the
first look-ups are bisections, of some microseconds each, and after a few hundred the dict is made.

Rejected: a table of hashes.  Words come from strangers, who could choose ones that collide.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from skill_index.ranking.postings import Array

_FEW = 400  # look-ups by bisection, which together take less than a tenth of what a large dict does


class Texts(Mapping[str, int]):
    """
    Distinct texts with their numbers, in the order of these.

    `encoded` holds them end to end, `starts` where each begins, and the end, and `order` their numbers
    in the order of their bytes.

    >>> texts = Texts(**Texts.tables(["b", "a", "é"]))
    >>> texts["é"], texts.get("c"), texts.text(0), list(texts)
    (2, None, 'b', ['b', 'a', 'é'])
    """

    def __init__(self, encoded: memoryview | bytes, starts: Array, order: Array) -> None:
        self._encoded, self._starts, self._order = memoryview(encoded), starts.data, order.data
        self._seen: dict[str, int | None] = {}

    @staticmethod
    def tables(texts: Sequence[str]) -> dict[str, Any]:
        """Return the parts of such a table."""
        encoded = [_bytes(text) for text in texts]
        starts = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum([len(each) for each in encoded], out=starts[1:])
        order = np.array(sorted(range(len(texts)), key=encoded.__getitem__), dtype=np.int32)
        return {"encoded": b"".join(encoded), "starts": starts, "order": order}

    def get(self, text: str, default: Any = None, /) -> Any:
        """Return the number of a text."""
        try:
            number = self._seen[text]
        except KeyError:
            number = self._seen[text] = self._found(text)
            if len(self._seen) > _FEW:
                # From now on nobody comes here.
                self.get = {text: number for number, text in enumerate(self)}.get  # type: ignore[method-assign]
        return default if number is None else number

    def _found(self, text: str) -> int | None:
        order, asked = self._order, _bytes(text)
        at = bisect_left(order, asked, key=self._piece)
        return order[at] if at < len(order) and self._piece(order[at]) == asked else None

    def _piece(self, number: int) -> bytes:
        return bytes(self._encoded[self._starts[number] : self._starts[number + 1]])

    def text(self, number: int) -> str:
        """Return the text of a number."""
        return str(self._piece(number), "utf-8", "surrogatepass")

    def from_text(self, first: str) -> list[int]:
        """Return the numbers of the texts that do not come before one."""
        order = self._order  # of the bytes, which is that of the characters
        return order[bisect_left(order, _bytes(first), key=self._piece) :].tolist()

    def __getitem__(self, text: str) -> int:
        number = self.get(text)
        if number is None:
            raise KeyError(text)
        return int(number)

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self.get(text) is not None

    def __iter__(self) -> Iterator[str]:
        encoded = bytes(self._encoded)
        ends = pairwise(self._starts.tolist())
        return (str(encoded[start:end], "utf-8", "surrogatepass") for start, end in ends)

    def __len__(self) -> int:
        return len(self._order)


def text_of(numbers: Mapping[str, int]) -> Callable[[int], str]:
    """Return what tells the text of a number, where texts are numbered in their order."""
    return numbers.text if isinstance(numbers, Texts) else list(numbers).__getitem__


def from_text(numbers: Mapping[str, int], first: str) -> list[int]:
    """Return the numbers of the texts that do not come before one, by their characters, in no order."""
    if isinstance(numbers, Texts):
        return numbers.from_text(first)
    return [number for text, number in numbers.items() if text >= first]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
