"""What a reader remembers of each place of a skill between two looks."""

from __future__ import annotations

import dataclasses
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from skill_index.findings import Finding, Severity
from skill_index.model import Origin, RawSkill, Skill, Step, Unchanged
from skill_index.sources import Item
from skill_index.sources.picture import upwards
from skill_index.sources.problems import VANISHED

_COULD_NOT_LOOK = frozenset({"unreadable", "root-not-a-folder", "source-failed"})


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


@dataclass(frozen=True, slots=True)
class Memory:
    """What a reader knows after a look, and will not read again."""

    known: dict[Place, Read]
    items: Mapping[int, list[Item | Unchanged]]
    said: list[Finding]  # of the sources themselves
    is_steady: bool  # the next look answers the same if no file changes


@dataclass(slots=True)
class Look:
    """What one pass over the sources saw: skills by place, and the problems of each source itself."""

    read: dict[Place, Read] = field(default_factory=dict)
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    items: dict[int, list[Item | Unchanged]] = field(default_factory=lambda: defaultdict(list))
    raws: deque[tuple[Place, RawSkill]] = field(default_factory=deque)  # still to be parsed


def each_told(progress: Callable[[int], None] | None) -> Iterator[None]:
    """Tell at each step, without an end, that there is one more."""
    for number in count(1):
        if progress is not None:
            progress(number)
        yield


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


def unseen(missing: Mapping[Place, Read], look: Look) -> dict[Place, Read]:
    """Return of what a look did not meet that which it could not see."""
    if not missing:
        return {}
    errors = {(at, finding.path) for at, finding in look.findings if finding.severity is Severity.ERROR}
    hidden = {(at, finding.path) for at, finding in look.findings if finding.code in _COULD_NOT_LOOK}
    return {
        place: dataclasses.replace(read, findings=(), stamp=None)
        for place, read in missing.items()
        if (place.source, place.origin.location) in errors
        or any(at == place.source and is_at(place.origin, path) for at, path in hidden)
    }


def is_steady(look: Look, kept: Mapping[Place, Read]) -> bool:
    """Return whether another look would answer the same as long as no file changes."""
    failed = any(
        finding.severity is Severity.ERROR or finding.code in {*_COULD_NOT_LOOK, VANISHED}
        for _, finding in look.findings
    )
    # Steps are functions of a host, which may do another thing each time.
    return not failed and not kept and not any(read.steps for read in look.read.values())


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


def remembered(item: Item | Unchanged) -> Item | Unchanged:
    """Return an item as it is given again: what was read is not read again."""
    return Unchanged(item.origin, item.steps) if isinstance(item, RawSkill) else item


def old(origin: Origin) -> Finding:
    """Return what is said of a skill that stays as it was."""
    message = "cannot be read as it is now, and is used as it was when last read; mend it"
    return Finding("kept-old", Severity.WARNING, message, origin.location or origin.label)
