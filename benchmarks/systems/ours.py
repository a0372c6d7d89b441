"""The library as it comes: default settings, the gate on, and as many hits as are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from skill_index import Skill, SkillCatalog


class SkillIndexSystem:
    """`SkillCatalog.search` with nothing set but the limit."""

    name = "skill_index"

    def __init__(self) -> None:
        self._catalog = SkillCatalog()

    def build(self, skills: Sequence[Skill]) -> None:
        """Index the skills; word counts of those in the catalog before are taken over, as in a refresh."""
        self._catalog = SkillCatalog(skills, before=self._catalog)
        self._catalog.ranker()

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the hits; the bare ones, as sets tell skills apart by them."""
        return [hit.skill.name for hit in self._catalog.search(text, limit=limit).hits]
