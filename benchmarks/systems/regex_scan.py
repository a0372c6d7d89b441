"""What there is without any index: one pattern of the query's words, run over every text."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence

from benchmarks.systems.base import whole_text
from skill_index import Skill
from skill_index.wordlists import STOP_WORDS

_WORD = re.compile(r"\w+")


class RegexScanSystem:
    """A scan that counts how many different words of the query stand somewhere in the text."""

    name = "regular expression, scan"

    def __init__(self) -> None:
        self._names: list[str] = []
        self._texts: list[str] = []

    def build(self, skills: Sequence[Skill]) -> None:
        """Keep the texts, folded once, so that no query pays for it."""
        self._names = [skill.name for skill in skills]
        self._texts = [whole_text(skill).lower() for skill in skills]

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the skills with most of the words, the first of equals first."""
        words = dict.fromkeys(word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)
        if not words:
            return []
        find = re.compile("|".join(map(re.escape, words))).findall
        scores = ((len(set(find(told))), -at) for at, told in enumerate(self._texts))
        return [self._names[-at] for score, at in heapq.nlargest(limit, scores) if score]
