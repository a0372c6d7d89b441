"""
A host's own tools in the order of a query, for frameworks that search tools instead of listing them all.

A tool is ranked as a skill is: by its name, description and tags, and the names and descriptions of its
arguments count as its body.  The word index is kept as long as the tools stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any, TypeAlias

from skill_index.adapters.hosting import get
from skill_index.catalog import SkillCatalog
from skill_index.model import Skill
from skill_index.settings import SearchSettings

Described: TypeAlias = tuple[str, str | None, Mapping[str, Any] | None, tuple[str, ...]]
"""A tool as its framework has it: name, description, JSON schema of its arguments, tags."""


class RankedTools:
    """The tools of one host, which may be others at each search; safe to use from several threads."""

    def __init__(self, settings: SearchSettings) -> None:
        self._settings = settings
        self._made: tuple[list[Described], SkillCatalog] = ([], SkillCatalog((), settings=settings))

    def names(self, tools: Iterable[Described], query: str | Sequence[str], limit: int) -> list[str]:
        """Return the names of the tools a query finds, best first."""
        told, made = list(tools), self._made
        if told != made[0]:  # what a caller may see differs, and tools come and go
            made = self._made = (told, SkillCatalog(starmap(_entry, told), settings=self._settings))
        asked = query if isinstance(query, str) else list(query)
        return [hit.skill.name for hit in made[1].search(asked, limit=limit).hits]


def _entry(
    name: str, description: str | None, schema: Mapping[str, Any] | None, tags: tuple[str, ...]
) -> Skill:
    arguments = (schema or {}).get("properties", {})
    told = "\n".join(f"{one}: {get(about, 'description') or ''}" for one, about in arguments.items())
    return Skill(name, description or "", told, tags=tags, input_schema=schema or {})
