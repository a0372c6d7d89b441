"""
Minibot's rule for choosing skills, written from its description: five tiers, the query never split.

    0 the name   1 a name's start (short ones first)   2 in a name   3 in a description (early first)
    4 only when all of these are empty: difflib's ratio to name or description, without a floor

Its cap of eight is lifted to what is asked for, which favours it.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from skill_index import Skill


class MinibotSystem:
    """The tiers."""

    name = "minibot tiers"

    def __init__(self) -> None:
        self._skills: list[tuple[str, str, str]] = []

    def build(self, skills: Sequence[Skill]) -> None:
        """Keep names and descriptions, folded once."""
        self._skills = [(skill.name, skill.name.casefold(), skill.description.casefold()) for skill in skills]

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the best tiers, or what is most alike where there is none."""
        query = text.strip().casefold()
        if not query:
            return sorted(name for name, _, _ in self._skills)[:limit]
        tiers = [(tier(query, folded, said), name) for name, folded, said in self._skills]
        found = sorted((place, name) for place, name in tiers if place is not None)
        return [name for _, name in found[:limit]] or self._alike(query, limit)

    def _alike(self, query: str, limit: int) -> list[str]:
        matcher = SequenceMatcher()
        matcher.set_seq2(query)  # what is prepared of the second text serves every skill
        alike = [
            (-max(_ratio(matcher, folded), _ratio(matcher, said)), name)
            for name, folded, said in self._skills
        ]
        return [name for score, name in sorted(alike)[:limit] if score < 0]


def tier(query: str, name: str, description: str) -> tuple[int, int] | None:
    """Return the tier of a skill and its order inside it, None where the query stands nowhere."""
    if name == query:
        return 0, 0
    if name.startswith(query):
        return 1, len(name)
    if query in name:
        return 2, name.index(query)
    if query in description:
        return 3, description.index(query)
    return None


def _ratio(matcher: SequenceMatcher[str], text: str) -> float:
    matcher.set_seq1(text)
    return matcher.ratio()
