"""The PyPI package agent-skill-search, by its own index: FTS5 with porter stems, all words required."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.systems.base import package
from skill_index import Skill


class AgentSkillSearchSystem:
    """Its engine as its command line and its server use it."""

    name = "agent-skill-search"

    def __init__(self) -> None:
        self._engine = package("skill_search.engine", "agent-skill-search")
        self._index: Any = None

    def build(self, skills: Sequence[Skill]) -> None:
        """Hand over the skills parsed; its own parser is not what is measured."""
        if self._index is not None:
            self._index.close()
        self._index = self._engine.SkillIndex()
        entry = self._engine.SkillEntry
        self._index.build(
            [
                entry(skill.name, skill.description, "", f"/{at}/SKILL.md", skill.instructions)
                for at, skill in enumerate(skills)
            ]
        )

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names it finds."""
        return [row["name"] for row in self._index.search(text, limit)]
