"""
An index as the skill registry of Google's Agent Development Kit, for its own `SkillToolset`.

    toolset = SkillToolset(registry=IndexRegistry(index), code_executor=...)

The framework fetches a skill whole, files and all, and makes folders of skills' names, so names there are
of lower-case letters, digits and hyphens.  A name that is not so is given as its letters and a hash, and is
understood when it comes back; leaving such skills out would hide four of ten of fourteen thousand real ones.

Front matter can grant tools there and have session state put into instructions (`adk_...` keys).  Only a
skill of a trusted source may.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any

from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, toolkit_of
from skill_index.catalog import SkillCatalog
from skill_index.errors import ResourceNotFoundError, SkillNotFoundError, SourceError
from skill_index.frozen import FrozenMap
from skill_index.model import Skill
from skill_index.naming import Entry

with extra("google-adk"):
    from google.adk.skills import SkillRegistry
    from google.adk.skills.models import Frontmatter, Resources, Script
    from google.adk.skills.models import Skill as AdkSkill

FILE_BYTES, FILES_BYTES = 1 << 20, 16 << 20
"""Bytes of one file and of all files of a skill that are fetched; larger ones are left out."""

_PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FOLDERS = ("references", "assets", "scripts")
_SAYS = (
    "Search for skills, best match first. The query is a few words of the task, a skill's name, or "
    "select:first,second for several by name; +word requires a word in the name."
)


class IndexRegistry(SkillRegistry):
    """
    The skills of an index, searched by its ranking.

    Files outside of references, assets and scripts are found under assets, by their path; functions that
    are scripts have no source to fetch, and are not there.
    """

    def __init__(self, skills: Skills, *, limit: int | None = None) -> None:
        self._toolkit = toolkit_of(skills)
        self._limit = limit
        self._seen: tuple[SkillCatalog, SkillCatalog, dict[str, str]] | None = None

    async def get_skill(self, *, name: str) -> AdkSkill:
        """Return a skill by its name there or here; SkillNotFoundError with the nearest names."""
        return await asyncio.to_thread(self._skill, name)

    async def search_skills(self, *, query: str) -> list[Frontmatter]:
        """Return what the query finds, best first."""
        return await asyncio.to_thread(self._search, query)

    def search_tool_description(self) -> str:
        """Return what the model is told of searching."""
        return _SAYS

    def _search(self, query: str) -> list[Frontmatter]:
        skills, _ = self._skills()
        return [_frontmatter(skills.entry(hit.id)) for hit in skills.search(query, limit=self._limit).hits]

    def _skill(self, name: str) -> AdkSkill:
        skills, keys = self._skills()
        try:
            entry = skills.entry(keys.get(name, name))
        except SkillNotFoundError as problem:
            nearby = tuple(map(_name, problem.nearby))
            raise SkillNotFoundError(name, nearby, ambiguous=problem.ambiguous) from problem
        return AdkSkill(
            frontmatter=_frontmatter(entry),
            instructions=entry.skill.instructions,
            resources=_resources(entry.skill),
        )

    def _skills(self) -> tuple[SkillCatalog, dict[str, str]]:
        """Return the skills, without tool entries, and their names here by their names there."""
        catalog, seen = self._toolkit.catalog(), self._seen
        if seen is None or seen[0] is not catalog:
            # The framework could not call a tool entry.  Worked out once for each state of the skills.
            skills = catalog.where(lambda skill: not skill.is_tool)
            seen = self._seen = (catalog, skills, {_name(key): key for key in skills})
        return seen[1:]


def _name(key: str) -> str:
    """
    Return the name of a skill there: its own where that is plain, else its plain letters and a hash.

    >>> _name("pdf-forms"), _name("Team: PDF Forms")
    ('pdf-forms', 'team-pdf-forms-c8d666')
    """
    if len(key) <= 64 and _PLAIN.fullmatch(key):
        return key
    letters = "-".join(re.findall(r"[a-z0-9]+", key.lower()))[:50].strip("-") or "skill"
    return f"{letters}-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"


def _frontmatter(entry: Entry) -> Frontmatter:
    skill = entry.skill
    told = {
        "name": _name(entry.key),
        "description": _cut(skill.description, 1024) or entry.key,
        "license": skill.license,
        "compatibility": None if skill.compatibility is None else _cut(skill.compatibility, 500),
        "allowed-tools": None if skill.allowed_tools is None else " ".join(skill.allowed_tools),
        "metadata": _metadata(skill),
    }
    return Frontmatter.model_validate(told)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def _metadata(skill: Skill) -> dict[str, Any]:
    """Return the metadata; of the keys that act, those that a trusted skill has in a form that fits."""
    given = FrozenMap(skill.metadata).plain()
    told = {key: value for key, value in given.items() if not key.startswith("adk_")}
    if skill.origin.trusted:
        if isinstance(given.get("adk_additional_tools"), list):
            told["adk_additional_tools"] = given["adk_additional_tools"]
        if str(given.get("adk_inject_state")).lower() == "true":
            told["adk_inject_state"] = True
    return told


def _resources(skill: Skill) -> Resources:
    found: dict[str, dict[str, str | bytes]] = {folder: {} for folder in _FOLDERS}
    left = FILES_BYTES
    for resource in skill.resources.listing().resources:
        data = _read(skill, resource.name, min(FILE_BYTES, left))
        if data is None or resource.name.casefold() == "skill.md":
            continue
        left -= len(data)
        folder, _, inner = resource.name.partition("/")
        content = _text(data)
        if inner and folder in _FOLDERS and (folder != "scripts" or isinstance(content, str)):
            found[folder][inner] = content
        else:
            found["assets"].setdefault(resource.name, content)
    scripts = {name: Script(src=str(source)) for name, source in found["scripts"].items()}
    return Resources(references=found["references"], assets=found["assets"], scripts=scripts)


def _read(skill: Skill, name: str, limit: int) -> bytes | None:
    try:
        return skill.resources.read(name, limit)
    except (ResourceNotFoundError, SourceError):  # gone since, too large, or not readable: as if not there
        return None


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data
