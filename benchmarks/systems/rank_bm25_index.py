"""
rank_bm25, the first BM25 that a search for one in Python finds: every query scores every text.

Words are folded and stop words dropped, which it leaves to its users; no stems.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from benchmarks.systems.base import package, whole_text
from skill_index import Skill
from skill_index.wordlists import STOP_WORDS

_WORD = re.compile(r"\w+")


class RankBM25System:
    """`BM25Okapi` over all that a skill says."""

    name = "rank_bm25"

    def __init__(self) -> None:
        self._module = package("rank_bm25", "rank_bm25")
        self._names: list[str] = []
        self._index: Any = None

    def build(self, skills: Sequence[Skill]) -> None:
        """Count the words of every skill."""
        self._names = [skill.name for skill in skills]
        self._index = self._module.BM25Okapi([_words(whole_text(skill)) for skill in skills])

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the best scored skills."""
        scores = self._index.get_scores(_words(text))
        first = scores.argsort()[::-1][:limit]
        return [self._names[at] for at in first if scores[at] > 0]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]
