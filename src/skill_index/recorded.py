"""What is ranked of a catalog's entries: the record of each, and which of them were ranked before."""

from __future__ import annotations

from collections.abc import Sequence

from skill_index.naming import Entry
from skill_index.ranking import Record


def record(entry: Entry) -> Record:
    """Return what is ranked of an entry."""
    skill = entry.skill
    uses = str(skill.extension("when-to-use") or "")
    return Record(
        key=entry.key,
        name=skill.name,
        description="\n".join(filter(None, (skill.description, uses))),
        uses=uses,
        body=skill.instructions,
        aliases=skill.aliases,
        tags=skill.tags,
        sources=tuple(dict.fromkeys(place.label for place in entry.places)),
    )


def known_places(before: Sequence[Entry], now: Sequence[Entry]) -> list[int | None]:
    """Return where each entry's skill was among others, None for one that is another object."""
    places = {id(entry.skill): place for place, entry in enumerate(before)}
    return [places.get(id(entry.skill)) for entry in now]


def records_again(
    before: Sequence[Entry], records: Sequence[Record], now: Sequence[Entry], known: Sequence[int | None]
) -> list[Record]:
    """Return the records of entries, made anew only where those before, of `known` places, do not fit."""
    return [
        records[place] if place is not None and _is_alike(before[place], entry) else record(entry)
        for place, entry in zip(known, now, strict=True)
    ]


def _is_alike(before: Entry, now: Entry) -> bool:
    """Return whether entries of one skill have one record."""
    return before is now or (before.key == now.key and before.places == now.places)
