"""What naming did that its authors may not expect: copies that were merged, names that are shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from skill_index.findings import Finding, Severity
from skill_index.model import Origin
from skill_index.naming import Entry

_COPY, _SHARED = "duplicate-copy", "name-shared"


def clashes(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield a finding for each skill that has copies, and for each whose name goes to another."""
    for entry in entries:
        if len(entry.places) > 1:
            copies = ", ".join(_where(place) for place in entry.places[1:])
            message = f"{entry.key!r} has identical copies, listed once: {copies}"
            yield Finding(_COPY, Severity.INFO, message, _where(entry.places[0]))
    holders = Counter(entry.skill.name for entry in entries)
    for entry in entries:
        # In a view the others of that name may be hidden, and then nothing may tell of them.
        if entry.key != entry.skill.name and holders[entry.skill.name] > 1:
            message = f"the name {entry.skill.name!r} is shared; this skill is reached as {entry.key!r}"
            yield Finding(_SHARED, Severity.WARNING, message, _where(entry.places[0]))


def parted(findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the findings of sources, and those about names, which are made anew for other entries."""
    told = tuple(findings)
    named = tuple(finding for finding in told if finding.code in (_COPY, _SHARED))
    return tuple(finding for finding in told if finding.code not in (_COPY, _SHARED)), named


def _where(place: Origin) -> str:
    return place.location or f"({place.label})"
