"""
Text for models: the only place where strangers' values meet fixed words.

A description may hold `</skill_index>`, a fake heading, or characters that turn the reading
direction.  Every value passes `escape`, which leaves it on one line with `<`, `>` and `&` as
entities, so no value can forge a heading, a line or a tag.  Facts stay facts: how many lines a
block has depends on nothing a skill says.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from skill_index.findings import Note
from skill_index.frozen import FrozenMap
from skill_index.model import Origin, Skill
from skill_index.results import SearchResults
from skill_index.text import escape, well_formed

DESCRIPTION_LIMIT = 1024
"""Characters of a description shown at most: the format's own limit, so only over-long ones are cut."""

NOTES_LIMIT = 12
"""Notes told in one text; a query of a hundred unknown names gets no page of a hundred lines."""

_SEAL = 12  # hex digits: 48 bits, beyond what a text can be made to hit by trying

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

    def __init__(self, table: Mapping[str, str] | Locations = FrozenMap()) -> None:
        given = dict(table._table) if isinstance(table, Locations) else table  # noqa: SLF001  (its own class)
        rows = [(_folder(os.path.expanduser(local)), _folder(seen)) for local, seen in given.items()]  # noqa: PTH111 - text
        self._table: list[tuple[str, str]] = sorted(rows, key=lambda row: len(row[0]), reverse=True)

    def of(self, origin: Origin) -> str:
        """Return where the agent finds the file, or '(in memory)' for a skill that is in none."""
        return self.seen(origin.location) if origin.location else f"(in memory: {origin.label})"

    def seen(self, path: str) -> str:
        """Return how the agent sees a path of this machine."""
        path = well_formed(_slashes(path))
        for local, seen in self._table:
            if f"{path}/".startswith(f"{local}/"):
                return f"{seen}/{path[len(local) :].lstrip('/')}".rstrip("/") or "/"
        return path


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/") if os.sep != "/" else path


def _folder(path: str) -> str:
    return _slashes(path).rstrip("/")


def skill_block(name: str, skill: Skill, locations: Locations = Locations()) -> str:
    """
    Return the four lines that describe one skill to a model, or the three of a tool entry.

    >>> print(skill_block("pdf-forms", Skill("pdf-forms", "Fill PDF forms.", allowed_tools=["Read"])))
    ## Skill: pdf-forms
    - Description: Fill PDF forms. [built-in]
    - Allowed tools: Read
    - Location: (in memory: memory)
    """
    if skill.input_schema is not None:
        return _tool_block(name, skill, skill.input_schema)
    origin = skill.origin
    kind = "custom, editable" if origin.editable else "built-in"
    if not origin.trusted:
        kind = f"from {escape(origin.label, VALUE_LIMIT)}, not trusted"
    return "\n".join(
        (
            f"## Skill: {escape(name, VALUE_LIMIT)}",
            f"- Description: {escape(skill.description, DESCRIPTION_LIMIT)} [{kind}]",
            f"- Allowed tools: {_tools(skill)}",
            f"- Location: {escape(locations.of(origin))}",
        )
    )


def _tool_block(name: str, skill: Skill, schema: Mapping[str, Any]) -> str:
    """Return what a model must know to call a tool that waited in the catalog."""
    written = json.dumps(FrozenMap(schema).plain(), ensure_ascii=False, sort_keys=True, default=str)
    return "\n".join(
        (
            f"## Tool: {escape(name, VALUE_LIMIT)}",
            f"- Description: {escape(skill.description, DESCRIPTION_LIMIT)}",
            f"- Arguments (JSON schema): {escape(written)}",
        )
    )


def _tools(skill: Skill) -> str:
    if skill.allowed_tools is None:
        return "(all)"
    return escape(", ".join(skill.allowed_tools), VALUE_LIMIT) or "(none pre-approved)"


def sealed(kind: str, content: str, **attributes: str) -> str:
    r"""
    Return content verbatim in a tag that it cannot close.

    The tag ends in a piece of the content's hash: whoever writes the content would have to know
    the hash of a text that holds it.  Escaping instead would spoil every example of markup.

    >>> print(sealed("file", "</file>\n", name="a.md"))
    <file_876a872f2f23 name="a.md">
    </file>
    </file_876a872f2f23>
    """
    content = well_formed(content)
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()
    tag = f"{kind}_{digest[:_SEAL]}"
    said = "".join(f' {name}="{quoted(value)}"' for name, value in attributes.items())
    return f"<{tag}{said}>\n{content}{'' if content.endswith(chr(10)) else chr(10)}</{tag}>"


def quoted(text: str) -> str:
    """Return text that can stand between double quotes."""
    return escape(text, VALUE_LIMIT).replace('"', "&quot;")


def call_text(tool: str, **arguments: str | int) -> str:
    r"""
    Return a call of a tool as a model writes it; it is still to be escaped.

    Values are written as JSON, so that no quote in a name can end it and begin another argument.

    >>> print(call_text("load_skill", skill_name='a", x="', offset=3, force=True))
    load_skill(skill_name="a\", x=\"", offset=3, force=true)
    """
    given = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return f"{tool}({', '.join(given)})"


def note_lines(notes: Iterable[Note]) -> list[str]:
    """Return one line for each note, a page of them at most, and how many more there are."""
    lines = [f"Note: {escape(note.message)}" for note in notes]
    more = len(lines) - NOTES_LIMIT
    return [*lines[:NOTES_LIMIT], f"Note: and {more} more notes."] if more > 0 else lines


def names_line(lead: str, names: Iterable[str]) -> str:
    """Return `lead: a, b, c` with every name escaped."""
    return f"{lead}: {', '.join(escape(name, VALUE_LIMIT) for name in names)}"


def rest_line(results: SearchResults, shown: int, follow_up: str | None, tool: str) -> list[str]:
    """Return the line that says how many matches are not shown and how to ask `tool` for them."""
    left = results.total - shown
    if left <= 0:
        return []
    how = f"; for the next call {escape(call_text(tool, name=follow_up))}" if follow_up else ""
    return [f"{left} more {'match' if left == 1 else 'matches'}{how}."]
