"""
The skills of a deer-flow checkout where they lie: `skills/public`, `skills/custom`, and who sees them.

    custom ─▶ hides public of the same name ─▶ what the state files switch off is left out

deer-flow keeps in JSON files which skills are on, and other processes write them; they are read at
each look.  A file that cannot be read switches nothing on: what was known stays, and a new index
shows none, since whether a skill may be shown must not depend on a mistake.

With users, each has custom skills and states in a folder of their own.  Custom skills from before
there were users are then shown to those who have none, as `legacy`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from skill_index.findings import Finding
from skill_index.model import Skill, Unchanged
from skill_index.sources import base
from skill_index.sources.base import Item, Known, Source, unknown
from skill_index.sources.configs import mapping_at, read_config
from skill_index.sources.directory import DirectorySource, absolute_root
from skill_index.sources.found import FoundSource
from skill_index.sources.problems import problem
from skill_index.sources.rules import PRUNED
from skill_index.sources.walking import WalkRules, walk
from skill_index.sources.wrapping import LayeredSource, stepped

CONTAINER = "/mnt/skills"
"""Where deer-flow's sandbox shows the skills unless its configuration says otherwise."""

_PUBLIC, _CUSTOM, _LEGACY = "public", "custom", "legacy"
_STATES = ("extensions_config.json", "mcp_config.json")
_STATE_PLACES = tuple(f"{place}{name}" for place in ("", "backend/") for name in _STATES)
_USER_STATES = "_skill_states.json"
_RULES = WalkRules(max_depth=12, max_folders=1_000_000, hidden=False, nested=False, prune=PRUNED)


def deer_flow_sources(
    project: str | os.PathLike[str] = ".", *, user: str | os.PathLike[str] | None = None
) -> tuple[Source, ...]:
    """
    Return the skills of a deer-flow checkout, without those that are switched off.

    `project` is the folder that holds `skills`.  `user` is the folder of one user's skills
    (`.deer-flow/users/ID/skills`), with which only that user's custom ones are shown.  A custom
    skill hides the public one of its name and is the only kind to be edited.
    """
    skills = Path(absolute_root(project), "skills")
    public = DirectorySource(skills / _PUBLIC, _PUBLIC, editable=False)
    shared = skills / _CUSTOM
    if user is None:
        layers: list[Source] = [DirectorySource(shared, _CUSTOM), public]
        return (_Switched(LayeredSource(layers, "deer-flow"), (skills,), Path(absolute_root(project))),)
    own = Path(absolute_root(user), _CUSTOM)
    legacy = FoundSource(_LEGACY, partial(_legacy, own, shared))
    layers = [DirectorySource(own, _CUSTOM), legacy, public]
    states = Path(absolute_root(user), _USER_STATES)
    source = LayeredSource(layers, "deer-flow")
    return (_Switched(source, (skills, own), Path(absolute_root(project)), states),)


def deer_flow_locations(
    project: str | os.PathLike[str] = ".",
    *,
    user: str | os.PathLike[str] | None = None,
    container: str = CONTAINER,
) -> dict[str, str]:
    """
    Return where deer-flow's agent sees the folders: what `Toolkit` and `Locations` take.

    >>> deer_flow_locations("/srv/flow")
    {'/srv/flow/skills': '/mnt/skills'}
    """
    skills = f"{absolute_root(project)}/skills"
    locations = {skills: container}
    if user is not None:
        locations[f"{skills}/{_CUSTOM}"] = f"{container.rstrip('/')}/{_LEGACY}"
        locations[f"{absolute_root(user)}/{_CUSTOM}"] = f"{container.rstrip('/')}/{_CUSTOM}"
    return locations


def _legacy(own: Path, shared: Path) -> Iterator[Source]:
    if not any(isinstance(found, str) for found in walk(str(own), _RULES)):
        yield DirectorySource(shared, _LEGACY, editable=False)


@dataclass(frozen=True, slots=True)
class _Switched:
    """A source without the skills that deer-flow's state files switch off; `roots` hold its skills."""

    source: Source
    roots: Sequence[Path]
    project: Path
    user: Path | None = None

    @property
    def label(self) -> str:
        return self.source.label

    @property
    def is_live(self) -> bool:
        return base.is_live(self.source)

    def scan(self) -> Iterator[Item]:
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        shared, own = self._shared(), read_config(self.user, linked=True) if self.user else None
        broken = [state for state in (shared, own) if isinstance(state, Finding)]
        if broken or isinstance(shared, Finding) or isinstance(own, Finding):
            yield from broken
            message = "was not looked at: which of its skills are switched on cannot be read"
            yield from (problem("unreadable", root.as_posix(), message) for root in self.roots)
            return
        step = partial(_switched, mapping_at(shared, "skills"), own or {})
        yield from (stepped(item, step) for item in base.rescan(self.source, known))

    def _shared(self) -> Mapping[str, Any] | Finding | None:
        """Return the first state file there is, as deer-flow looks for it."""
        states = (read_config(self.project / place, linked=True) for place in _STATE_PLACES)
        return next((state for state in states if state is not None), None)


def _switched(shared: Mapping[str, Any], own: Mapping[str, Any], skill: Skill) -> Skill | Finding:
    """Leave out a skill that is off for all, or, unless it is public, for this user."""
    tables = [shared] if skill.origin.label == _PUBLIC else [shared, own]
    if all(mapping_at(table, skill.name).get("enabled", True) is True for table in tables):
        return skill
    where = skill.origin.location or skill.origin.label
    return problem("switched-off", where, f"is left out: {skill.name!r} is switched off in deer-flow")
