"""
Words that a skill may say in place of those that it is asked for with: special and general, brand and kind.

Who asks for "pizza" is served by a skill for restaurants, which never says so.  Synonyms say the same
either way; these lead one way, from what people ask to what descriptions say, and say it less surely.
So each has a grade: by how much more often the two words stand in one skill than by chance.

`related.txt` has a line for each stem: the stem, then what it leads to, each behind its grade.  It is
made by `benchmarks/related.py` from lines of words that were written down from general knowledge.
Why stems, and not the words themselves?  To stem seventeen thousand takes 0.2 s at every start.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import lru_cache

GRADES = 5
"""The highest grade: words that stand together 16 times as often as by chance, or more."""


def related(stem: str) -> Iterator[tuple[str, int]]:
    """
    Yield the stems that skills for a word may say in its place, each with its grade.

    >>> list(related("pizza"))[:3]
    [('cuisin', 4), ('dine', 5), ('food', 5)]
    """
    for entry in _lines().get(stem, "").split():
        yield entry[1:], int(entry[0])


def leads_on(stem: str) -> bool:
    """Say whether a word leads to any other, so that it is one."""
    return stem in _lines()


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    text = pkgutil.get_data(__package__, "related.txt") or b""
    found: dict[str, str] = {}
    for line in text.decode("utf-8").splitlines():
        stem, _, others = line.partition(" ")
        found[stem] = others
    return found
