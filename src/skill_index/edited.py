"""
The entries after an edit, taken from those before it: most edits change no name.

    skills before, skills now ─which are other objects?─▶ same name and place? ─▶ its entry in its place

To name thousands of skills takes longer than to read the one that changed.  Names depend on names
and places, and on digests where copies are merged or told apart; an edit that touches any of that
has all skills named anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from skill_index.model import Skill
from skill_index.naming import Entry, digest_ids


def edited_entries(
    entries: Sequence[Entry], before: Sequence[Skill] | None, now: Sequence[Skill]
) -> tuple[Entry, ...] | None:
    """
    Return what `name_entries` makes of the skills `now`, from what it made of those `before`.

    None is for a difference that may change names, or where those before are not known.

    >>> from skill_index.naming import name_entries
    >>> old, new = [Skill("a", "One."), Skill("b", "Two.")], [Skill("a", "One."), Skill("b", "Three.")]
    >>> edited_entries(name_entries(old), old, new) == name_entries(new)
    True
    """
    if before is None or len(before) != len(now):
        return None
    edits = {id(old): new for old, new in zip(before, now, strict=True) if old is not new}
    digests = {skill.digest for skill in edits.values()}
    if len(digests) < len(edits):
        return None
    edited = list(entries)
    for position, entry in enumerate(entries):
        skill = edits.pop(id(entry.skill), None)
        if skill is not None and _is_named_alike(entry, skill):
            edited[position] = dataclasses.replace(entry, skill=skill)
        elif skill is not None or entry.skill.digest in digests:  # it may have become a copy
            return None
    return None if edits else tuple(edited)  # what is left was a copy


def answer_alike(before: Sequence[Entry], now: Sequence[Entry]) -> bool:
    """Return whether entries that differ by edits alone answer to the same names."""
    return all(
        old is new or old.skill.aliases == new.skill.aliases for old, new in zip(before, now, strict=True)
    )


def placed_skills(entries: Sequence[Entry], labels: Sequence[str]) -> list[Skill]:
    """Return every skill at every place, sources in the order of their labels."""
    ranks = {label: rank for rank, label in enumerate(labels)}
    placed = [(place, entry.skill) for entry in entries for place in entry.places]
    placed.sort(key=lambda pair: ranks[pair[0].label])
    return [dataclasses.replace(skill, origin=place) for place, skill in placed]


def _is_named_alike(entry: Entry, skill: Skill) -> bool:
    old = entry.skill
    return (
        skill.name == old.name
        and skill.origin == old.origin
        and len(entry.places) == 1
        and entry.id not in digest_ids(old)
    )
