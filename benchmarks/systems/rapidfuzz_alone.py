"""Fuzzy matching by itself, as many command palettes do it: WRatio of query and "name description"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz import fuzz, process, utils

from benchmarks.systems.base import short_text
from skill_index import Skill


class RapidFuzzSystem:
    """rapidfuzz over a text of every skill, with its own default processing."""

    def __init__(self, name: str = "rapidfuzz WRatio", text_of: Callable[[Skill], str] = short_text) -> None:
        self.name = name
        self._text_of = text_of
        self._names: list[str] = []
        self._texts: list[str] = []

    def build(self, skills: Sequence[Skill]) -> None:
        """Keep the processed texts."""
        self._names = [skill.name for skill in skills]
        self._texts = [utils.default_process(self._text_of(skill)) for skill in skills]

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the most similar texts; there is always one."""
        query = utils.default_process(text)
        found = process.extract(query, self._texts, scorer=fuzz.WRatio, limit=limit)
        return [self._names[at] for _, _, at in found]
