"""What a reader remembers of each place of a skill between two looks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from skill_index.findings import Finding
from skill_index.model import Origin, Skill, Step, Unchanged
from skill_index.sources import Item
from skill_index.sources.picture import upwards


@dataclass(frozen=True, slots=True)
class Read:
    """What came of one place when it was last read, and what is done with it then."""

    skill: Skill | None
    findings: tuple[Finding, ...] = ()
    stamp: object = None
    steps: tuple[Step, ...] = ()


class Place(NamedTuple):
    """
    What tells one skill of the sources from every other.

    Two sources may have one label, and ready-made skills may be in no file: then the name tells
    them apart, and where not even that does, their order.
    """

    source: int
    origin: Origin
    name: str = ""
    number: int = 0


@dataclass(slots=True)
class Look:
    """What one pass over the sources saw: skills by place, and the problems of each source itself."""

    read: dict[Place, Read] = field(default_factory=dict)
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    items: dict[int, list[Item | Unchanged]] = field(default_factory=lambda: defaultdict(list))


def in_place(
    before: dict[Place, Read], now: dict[Place, Read], kept: dict[Place, Read]
) -> Iterator[tuple[Place, Read]]:
    """Yield what is there now, and what is kept before the place that followed it."""
    if not kept:
        yield from now.items()
        return
    waiting: dict[Place | None, list[Place]] = defaultdict(list)
    follower: Place | None = None
    for place in reversed(before):
        if place in kept:
            waiting[follower].insert(0, place)
        elif place in now:
            follower = place
    for at, read in now.items():
        yield from ((held, kept[held]) for held in waiting[at])
        yield at, read
    yield from ((held, kept[held]) for held in waiting[None])


def by_folder(places: dict[Place, Read]) -> dict[tuple[int, str], list[Place]]:
    """Return the places in each folder of each source."""
    found: dict[tuple[int, str], list[Place]] = defaultdict(list)
    for place in places:
        found[place.source, place.origin.location.rpartition("/")[0]].append(place)
    return dict(found)


def places_around(
    source: int, folders: Iterable[str], table: Mapping[tuple[int, str], list[Place]]
) -> Iterator[Place]:
    """Yield the places of a source whose skills have files in some folders, by the table of `by_folder`."""
    around = {(source, above) for folder in folders for above in upwards(folder)}
    return (place for key in sorted(around) for place in table.get(key, ()))


def is_at(origin: Origin, path: str) -> bool:
    """Return whether a skill lies at or below a path, or in the source of that label."""
    return origin.label == path or f"{origin.location}/".startswith(f"{path.rstrip('/')}/")
