"""
How skills are listed: which ones, in which form, with how much of their description.

A form is data, not a class: how one skill looks, what stands between two, and the tag around.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from skill_index.catalog import SkillCatalog
from skill_index.model import Skill
from skill_index.naming import Entry
from skill_index.render import VALUE_LIMIT, Locations
from skill_index.text import cut, escape, one_line

FormName = Literal["index", "available_skills", "names"]

CLAUSE_CHARS = 60
"""Characters of a hint in a delta: others measured that a first clause this long is enough to choose by."""

SHORTEST_HINT = 24
"""Characters of a hint at least: with fewer, names alone say as much."""

_CLAUSE_END = re.compile(r"[.;:!?。；：！？](?=\s|$)|\s[-–—]\s|[。；！？]")
_FALSE = frozenset({"false", "no", "off", "0"})
_TRUE = frozenset({"true", "yes", "on", "1"})


def advertised(catalog: SkillCatalog, choose: Callable[[Skill], bool] | None) -> tuple[Entry, ...]:
    """
    Return the entries a model is told of, in name order.

    `disable-model-invocation: true` hides a skill here and nowhere else: a user may still ask
    for it by name.  A host's `choose` decides instead where it is given.
    """
    shown = choose or _wants_to_be_shown
    return tuple(entry for entry in catalog.entries if shown(entry.skill))


def _wants_to_be_shown(skill: Skill) -> bool:
    hidden = str(skill.extension("disable-model-invocation")).strip().casefold()
    advertise = str(skill.extension("advertise")).strip().casefold()
    return hidden not in _TRUE and advertise not in _FALSE


def clause(description: str, limit: int) -> str:
    """
    Return a description whole if it fits `limit` characters, else its first clause, else a cut.

    >>> clause("Fill PDF forms. Use when a form must be filled.", 20)
    'Fill PDF forms'
    >>> clause("Fill in every kind of form there is.", 20)
    'Fill in every kind…'
    """
    text = one_line(description)
    if len(text) <= limit:
        return text
    end = _CLAUSE_END.search(text)
    first = text[: end.start()].rstrip() if end else text
    if first and len(first) <= limit:
        return first
    start = cut(text, max(1, limit - 1))
    # A cut inside a word misleads; scripts without blanks have no better place.
    whole = start if text[len(start) : len(start) + 1].isspace() else start.rpartition(" ")[0]
    return (whole or start).rstrip(" ,;:-") + "…"


@dataclass(frozen=True, slots=True)
class Form:
    """How a list of skills is written: the tag around it, one skill, and what stands between two."""

    tag: str
    row: Callable[[Entry, str, Locations], str]
    name_row: Callable[[Entry, Locations], str]
    name_gap: str
    hints: bool = True


def _bullet(entry: Entry, hint: str, _: Locations) -> str:
    name = escape(entry.key, VALUE_LIMIT) + (" (tool)" if entry.skill.is_tool else "")
    return f"- {name}: {escape(hint)}" if hint else f"- {name}"


def _bare(entry: Entry, _: Locations) -> str:
    return escape(entry.key, VALUE_LIMIT)


def _element(entry: Entry, hint: str, locations: Locations) -> str:
    described = f"<description>\n{escape(hint)}\n</description>\n" if hint else ""
    return (
        f"<skill>\n<name>\n{escape(entry.key, VALUE_LIMIT)}\n</name>\n{described}"
        f"<location>\n{escape(locations.of(entry.skill.origin))}\n</location>\n</skill>"
    )


def _bare_element(entry: Entry, _: Locations) -> str:
    return f"<skill>\n<name>\n{escape(entry.key, VALUE_LIMIT)}\n</name>\n</skill>"


FORMS: dict[FormName, Form] = {
    "index": Form("skill_index", _bullet, _bare, ", "),
    "available_skills": Form("available_skills", _element, _bare_element, "\n"),
    "names": Form("skill_index", _bullet, _bare, ", ", hints=False),
}


def full_rows(entries: Sequence[Entry], form: Form, limit: int, locations: Locations) -> str:
    """Return a row for each skill, its description cut to `limit` characters where it is longer."""
    return "\n".join(form.row(entry, clause(entry.skill.description, limit), locations) for entry in entries)


def name_rows(entries: Sequence[Entry], form: Form, locations: Locations) -> str:
    """Return the names alone."""
    return form.name_gap.join(form.name_row(entry, locations) for entry in entries)


def group_counts(entries: Sequence[Entry]) -> list[tuple[str, int]]:
    """Return the top folder of each source with the number of skills below it, in name order."""
    return sorted(Counter(map(_group, entries)).items())


def _group(entry: Entry) -> str:
    origin = entry.skill.origin
    top, _, rest = origin.folder.partition("/")
    return f"{origin.label}/{top}" if rest else origin.label
