"""
Plainer rankings to measure against: what each part of the default one is worth on one's own queries.

A figure alone says how hard a set is.  The gain over the same library with one thing switched off
says whether that thing helps here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillIndexError
from skill_index.model import Skill
from skill_index.settings import FieldWeight, FieldWeights, SearchSettings

_PLAIN = FieldWeight(1.0, 0.75)


def _flat(skills: Iterable[Skill]) -> SkillCatalog:
    weights = FieldWeights(*(_PLAIN for _ in dataclasses.fields(FieldWeights)))
    return SkillCatalog(skills, settings=SearchSettings(weights=weights))


BASELINES: Mapping[str, Callable[[Iterable[Skill]], SkillCatalog]] = MappingProxyType(
    {
        "flat": _flat,
        "no-bodies": lambda skills: SkillCatalog(
            dataclasses.replace(skill, instructions="") for skill in skills
        ),
        "no-gate": lambda skills: SkillCatalog(skills, settings=SearchSettings(gate_least=0.0)),
        "no-synonyms": lambda skills: SkillCatalog(
            skills, settings=SearchSettings(synonyms=(), related_discount=0.0)
        ),
    }
)
"""
Makers of catalogs by name: "flat" weighs all fields alike, "no-bodies" leaves out the instructions,
"no-gate" takes every match for a hit, "no-synonyms" looks for the words of the query alone.
"""


def variant(name: str, skills: Iterable[Skill]) -> SkillCatalog:
    """Return the catalog of a named baseline over some skills."""
    if name not in BASELINES:
        message = f"there is no baseline {name!r}; take one of {', '.join(BASELINES)}, or a report in JSON"
        raise SkillIndexError(message)
    return BASELINES[name](skills)
