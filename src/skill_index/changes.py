"""
What is different between two states of a catalog, by the names a model was told of.

A name that passes to another skill has changed, wherever the skill that had it went.  Contents
decide, not times: a file that was only touched is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from skill_index.catalog import SkillCatalog
from skill_index.model import Skill
from skill_index.text import one_line

_SHOWN = 20  # names of one kind that a text lists; all of them are in the values


@dataclass(frozen=True, slots=True)
class Changes:
    """
    The names that were added, changed and removed, each in name order; false when there are none.

    `catalog` is the state after them.

    >>> from skill_index import Skill
    >>> before = SkillCatalog([Skill("a", "One."), Skill("b", "Two.")])
    >>> print(Changes.between(before, SkillCatalog([Skill("b", "Three."), Skill("c", "Four.")])))
    1 added: c; 1 changed: b; 1 removed: a
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    catalog: SkillCatalog = field(default_factory=SkillCatalog, repr=False, compare=False)

    @classmethod
    def between(cls, before: SkillCatalog, after: SkillCatalog) -> Changes:
        """Return what it takes to come from one catalog to another."""
        old = {entry.key: entry.skill for entry in before.entries}
        new = {entry.key: entry.skill for entry in after.entries}
        return cls(
            added=tuple(key for key in new if key not in old),
            changed=tuple(key for key, skill in new.items() if key in old and _is_changed(old[key], skill)),
            removed=tuple(key for key in old if key not in new),
            catalog=after,
        )

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    def __str__(self) -> str:
        parts = (("added", self.added), ("changed", self.changed), ("removed", self.removed))
        return "; ".join(_told(kind, names) for kind, names in parts if names) or "no changes"


def _is_changed(old: Skill, new: Skill) -> bool:
    return old is not new and (old.digest, old.files_digest) != (new.digest, new.files_digest)


def _told(kind: str, names: tuple[str, ...]) -> str:
    shown = ", ".join(map(one_line, names[:_SHOWN]))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{len(names)} {kind}: {shown}{more}"
