"""
The PyPI package agentskills-retrieval, by its `LexicalSelector`: BM25 over name and description.

Its registry refuses names outside the specification, such as `getUser`; the selector asks a
registry for ids and metadata only, so a plain list of those stands in for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.systems.base import at_once, package
from skill_index import Skill


@dataclass(frozen=True, slots=True)
class _Listed:
    """One skill as the selector sees it; its id is its place, since names may repeat."""

    at: int
    skill: Skill

    def get_id(self) -> str:
        return f"{self.at:06}"

    async def get_metadata(self) -> dict[str, object]:
        return {"name": self.skill.name, "description": self.skill.description}


class _Registry:
    """The listing of a registry."""

    def __init__(self, skills: Sequence[Skill]) -> None:
        self._listed = [_Listed(at, skill) for at, skill in enumerate(skills)]

    def list_skills(self) -> list[_Listed]:
        return self._listed


class AgentSkillsRetrievalSystem:
    """The selector with its defaults but the number of results."""

    name = "agentskills-retrieval"

    def __init__(self) -> None:
        self._retrieval = package("agentskills_retrieval", "agentskills-retrieval")
        self._skills: Sequence[Skill] = ()
        self._selector: Any = None

    def build(self, skills: Sequence[Skill]) -> None:
        """Index the skills."""
        self._skills = skills
        self._selector = self._retrieval.LexicalSelector(_Registry(skills))
        asyncio.run(self._selector.index())

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names it selects."""
        selection = at_once(self._selector.select(text, limit=limit))
        return [self._skills[int(chosen)].name for chosen in selection.skill_ids]
