"""
Text for models: the only place where strangers' values meet fixed words.

A description may hold `</skill_index>`, a fake heading, or characters that turn the reading
direction.  Every value passes `escape`, which leaves it on one line with `<`, `>` and `&` as
entities, so no value can forge a heading, a line or a tag.  Facts stay facts: how many lines a
block has depends on nothing a skill says.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from skill_index.findings import Note
from skill_index.model import Origin, Skill
from skill_index.results import SearchResults
from skill_index.text import escape, well_formed

DESCRIPTION_LIMIT = 1024
"""Characters of a description shown at most: the format's own limit, so only over-long ones are cut."""

NOTES_LIMIT = 12
"""Notes told in one text; a query of a hundred unknown names gets no page of a hundred lines."""

VALUE_LIMIT = 512
"""Characters of any other value shown at most."""


class Locations:
    """
    How the agent sees the folders of this machine: a table from local to agent path.

    An agent in a container sees `/home/ann/skills` as `/mnt/skills`.  The longest matching
    folder decides; a path below none of them is shown as it is.

    >>> locations = Locations({"/home/ann/skills/": "/mnt/skills/"})
    >>> locations.of(Origin("ann", "/home/ann/skills", "pdf/SKILL.md"))
    '/mnt/skills/pdf/SKILL.md'
    """

    def __init__(self, table: Mapping[str, str] = {}) -> None:
        rows = [(_folder(os.path.expanduser(local)), _folder(seen)) for local, seen in table.items()]  # noqa: PTH111 - text
        self._table = sorted(rows, key=lambda row: len(row[0]), reverse=True)

    def of(self, origin: Origin) -> str:
        """Return where the agent finds the file, or '(in memory)' for a skill that is in none."""
        location = origin.location
        if not location:
            return f"(in memory: {origin.label})"
        location = well_formed(_slashes(location))
        for local, seen in self._table:
            if location.startswith(f"{local}/"):
                return f"{seen}/{location[len(local) :].lstrip('/')}"
        return location


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/") if os.sep != "/" else path


def _folder(path: str) -> str:
    return _slashes(path).rstrip("/")


def skill_block(name: str, skill: Skill, locations: Locations = Locations()) -> str:
    """
    Return the four lines that describe one skill to a model.

    >>> print(skill_block("pdf-forms", Skill("pdf-forms", "Fill PDF forms.", allowed_tools=["Read"])))
    ## Skill: pdf-forms
    - Description: Fill PDF forms. [built-in]
    - Allowed tools: Read
    - Location: (in memory: memory)
    """
    origin = skill.origin
    kind = "[custom, editable]" if origin.editable else "[built-in]"
    return "\n".join(
        (
            f"## Skill: {escape(name, VALUE_LIMIT)}",
            f"- Description: {escape(skill.description, DESCRIPTION_LIMIT)} {kind}",
            f"- Allowed tools: {_tools(skill)}",
            f"- Location: {escape(locations.of(origin))}",
        )
    )


def _tools(skill: Skill) -> str:
    if skill.allowed_tools is None:
        return "(all)"
    return escape(", ".join(skill.allowed_tools), VALUE_LIMIT) or "(none pre-approved)"


def note_lines(notes: Iterable[Note]) -> list[str]:
    """Return one line for each note, a page of them at most, and how many more there are."""
    lines = [f"Note: {escape(note.message)}" for note in notes]
    more = len(lines) - NOTES_LIMIT
    return [*lines[:NOTES_LIMIT], f"Note: and {more} more notes."] if more > 0 else lines


def names_line(lead: str, names: Iterable[str]) -> str:
    """Return `lead: a, b, c` with every name escaped."""
    return f"{lead}: {', '.join(escape(name, VALUE_LIMIT) for name in names)}"


def rest_line(results: SearchResults, shown: int, follow_up: str | None) -> list[str]:
    """Return the line that says how many matches are not shown and how to ask for them."""
    left = results.total - shown
    if left <= 0:
        return []
    how = f'; for the next call describe_skill(name="{escape(follow_up)}")' if follow_up else ""
    return [f"{left} more {'match' if left == 1 else 'matches'}{how}."]
