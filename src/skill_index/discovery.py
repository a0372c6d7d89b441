"""
From sources to a catalog: the one place where reading, parsing and naming meet.

    sources ─scan─▶ RawSkill | Finding ─parse─▶ Skill + findings ─▶ SkillCatalog(findings)

One bad file never stops another: whatever is wrong with it is a finding of the catalog.  A
`Reader` remembers what it read, so that reading again costs what changed, and so that a broken
edit or a source that fails takes nothing away: what stood there last stays, and is said to be old.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from skill_index.catalog import SkillCatalog
from skill_index.findings import Finding, Severity
from skill_index.model import Origin, RawSkill, ReadySkill, Skill, Step, Unchanged
from skill_index.parsing import Parsed, parse_skills
from skill_index.settings import Limits, SearchSettings
from skill_index.sources import Item, Source, is_live, scan_each
from skill_index.sources.album import Again, Album
from skill_index.sources.problems import FILE_NAME, VANISHED, problem
from skill_index.sources.steps import stepped_through

Progress = Callable[[int], None]
Touched = Mapping[int, frozenset[str] | None]  # see `Album.touched`

_log = logging.getLogger("skill_index")
_log.addHandler(logging.NullHandler())

_COULD_NOT_LOOK = frozenset({"unreadable", "root-not-a-folder", "source-failed"})
_LOOKS = 5  # looks in one reading at most: who moves skills all the time is shown the last of them


def discover(
    sources: Iterable[Source],
    *,
    strict: bool = False,
    limits: Limits = Limits(),
    settings: SearchSettings = SearchSettings(),
    progress: Progress | None = None,
) -> SkillCatalog:
    """
    Read every skill of the sources into a catalog, with all that was wrong in its `findings`.

    `strict` refuses a skill that breaks any rule of the format; `progress` is called with the
    number of files read so far.
    """
    skills, findings = Reader(tuple(sources), strict=strict, limits=limits).read(progress)
    return SkillCatalog(skills, settings=settings, findings=findings)


@dataclass(frozen=True, slots=True)
class _Read:
    """What came of one place when it was last read, and what is done with it then."""

    skill: Skill | None
    findings: tuple[Finding, ...] = ()
    stamp: object = None
    steps: tuple[Step, ...] = ()


class _Place(NamedTuple):
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
class _Look:
    """What one pass over the sources saw: skills by place, and the problems of each source itself."""

    read: dict[_Place, _Read] = field(default_factory=dict)
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    items: dict[int, list[Item | Unchanged]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class Reader:
    """Reads sources again and again, each time only what changed."""

    sources: tuple[Source, ...]
    strict: bool = False
    limits: Limits = Limits()
    _known: dict[_Place, _Read] = field(default_factory=dict)
    _slow: frozenset[int] = frozenset()
    _items: dict[int, list[Item | Unchanged]] = field(default_factory=dict)
    _album: Album = field(default_factory=Album)
    # That of the last look, if it may be given again.
    _answer: tuple[list[Skill], list[Finding]] | None = None

    def __post_init__(self) -> None:
        self._slow = frozenset(at for at, source in enumerate(self.sources) if not is_live(source))

    def read(
        self, progress: Progress | None = None, *, live_only: bool = False
    ) -> tuple[list[Skill], list[Finding]]:
        """
        Return every skill there is now, with everything that was wrong.

        With `live_only`, sources that cannot tell cheaply what changed are not asked again.
        """
        asked = {at: source for at, source in enumerate(self.sources) if not (live_only and at in self._slow)}
        touched = self._album.touched(asked)
        # Set aside: what ends this look by force must not leave an answer that misses what it was to find.
        answer, self._answer = self._answer, None
        if answer is None:
            touched = {}
        elif all(folders is not None and not folders for folders in touched.values()):
            self._answer = answer
            return answer
        look, kept = self._settled(progress, touched, live_only=live_only)
        # What is kept stands where it stood: the order of sources decides who has a bare name.
        self._known = dict(sorted(_in_place(self._known, look.read, kept), key=lambda item: item[0].source))
        self._items = look.items
        findings = [finding for _, finding in look.findings]
        skills: list[Skill] = []
        for read in self._known.values():
            findings.extend(read.findings)
            done = stepped_through(read.skill, read.steps)
            if isinstance(done, Finding):
                findings.append(done)
            elif done is not None:
                skills.append(done)
        findings.extend(_old(place.origin) for place in kept)
        # Counts only: what strangers wrote does not belong in a host's log.
        _log.info("read %d skills with %d findings", len(skills), len(findings))
        self._answer = (skills, findings) if self._is_steady(look, kept) else None
        return skills, findings

    def _is_steady(self, look: _Look, kept: dict[_Place, _Read]) -> bool:
        """Return whether another look would answer the same as long as no file changes."""
        failed = any(
            finding.severity is Severity.ERROR or finding.code in {*_COULD_NOT_LOOK, VANISHED}
            for _, finding in look.findings
        )
        # Steps are functions of a host, which may do another thing each time.
        return not failed and not kept and not any(read.steps for read in look.read.values())

    def _settled(
        self, progress: Progress | None, touched: Touched, *, live_only: bool
    ) -> tuple[_Look, dict[_Place, _Read]]:
        """
        Return a look, and what is to be kept beside it.

        What is moved or renamed during a look may be met at neither of its places.  So a look that
        stumbled is made again, and what is gone is looked for once more.
        """
        for number in range(_LOOKS):
            look = self._look(progress, touched, live_only=live_only)
            kept = self._kept(look)
            is_torn = any(finding.code == VANISHED for _, finding in look.findings)
            if not is_torn and (number or self._missing(look).keys() <= kept.keys()):
                break
            progress, touched = None, {}
        return look, kept

    def _look(self, progress: Progress | None, touched: Touched, *, live_only: bool) -> _Look:
        """Pass over the sources once."""
        look = _Look()
        raws: dict[_Place, RawSkill] = {}
        misnamed: set[str] = set()
        counts: Counter[_Place] = Counter()
        for source, item in scan_each(self._asked(touched, live_only=live_only), self._stamp):
            look.items[source].append(_remembered(item))
            if isinstance(item, Finding):
                refused = self.strict and item.code == FILE_NAME
                look.findings.append((source, _refused(item) if refused else item))
                misnamed.update([item.path] if item.code == FILE_NAME else [])
                continue
            if self.strict and item.origin.location in misnamed:
                continue
            ready = ReadySkill(item) if isinstance(item, Skill) else item
            place = _Place(source, item.origin, ready.skill.name if isinstance(ready, ReadySkill) else "")
            counts[place] += 1
            if counts[place] > 1:
                place = place._replace(number=counts[place] - 1)
            look.read[place] = self._given(place, ready)
            if isinstance(ready, RawSkill):
                raws[place] = ready
            elif progress is not None:
                progress(len(look.read) - len(raws))
        parsed = parse_skills(list(raws.values()), strict=self.strict, limits=self.limits)
        for number, (place, result) in enumerate(
            zip(raws, parsed, strict=True), len(look.read) - len(raws) + 1
        ):
            look.read[place] = self._parsed(place, raws[place], result)
            if progress is not None:
                progress(number)
        return look

    def _asked(self, touched: Touched, *, live_only: bool) -> Iterator[Source]:
        for at, source in enumerate(self.sources):
            folders = touched.get(at)
            if live_only and at in self._slow:
                yield Again(source.label, self._items.get(at, ()))
            elif folders is not None:
                yield self._album.partly(at, source, self._items.get(at, ()), folders)
            else:
                yield source

    def _stamp(self, source: int, origin: Origin) -> object:
        known = self._known.get(_Place(source, origin))
        return known.stamp if known else None

    def _given(self, place: _Place, item: RawSkill | ReadySkill | Unchanged) -> _Read:
        """Return what is known of an item without parsing it."""
        if isinstance(item, RawSkill):
            return _Read(None)
        if isinstance(item, ReadySkill):
            return _Read(item.skill, steps=item.steps)
        before = self._known.get(place)
        if before is None:
            where = item.origin.location or item.origin.label
            message = "its source calls a skill unchanged that it has never given"
            return _Read(None, (problem("source-failed", where, message),))
        return before if item.steps == before.steps else dataclasses.replace(before, steps=item.steps)

    def _parsed(self, place: _Place, item: RawSkill, parsed: Parsed) -> _Read:
        before = self._known.get(place)
        skill, findings = parsed.skill, parsed.findings
        if before is not None and skill == before.skill:
            skill = before.skill  # the same object, so that nothing about it is worked out again
        elif skill is None and before is not None:
            skill, findings = before.skill, (*findings, _old(item.origin))
        return _Read(skill, findings, item.stamp, item.steps)

    def _missing(self, look: _Look) -> dict[_Place, _Read]:
        return {place: read for place, read in self._known.items() if read.skill and place not in look.read}

    def _kept(self, look: _Look) -> dict[_Place, _Read]:
        """Return what was not seen only because one could not look."""
        missing = self._missing(look)
        if not missing:
            return {}
        errors = {(at, finding.path) for at, finding in look.findings if finding.severity is Severity.ERROR}
        unseen = {(at, finding.path) for at, finding in look.findings if finding.code in _COULD_NOT_LOOK}
        return {
            place: dataclasses.replace(read, findings=(), stamp=None)
            for place, read in missing.items()
            if (place.source, place.origin.location) in errors
            or any(at == place.source and _is_at(place.origin, path) for at, path in unseen)
        }


def _in_place(
    before: dict[_Place, _Read], now: dict[_Place, _Read], kept: dict[_Place, _Read]
) -> Iterator[tuple[_Place, _Read]]:
    """Yield what is there now, and what is kept before the place that followed it."""
    waiting: dict[_Place | None, list[_Place]] = defaultdict(list)
    follower: _Place | None = None
    for place in reversed(before):
        if place in kept:
            waiting[follower].insert(0, place)
        elif place in now:
            follower = place
    for at, read in now.items():
        yield from ((held, kept[held]) for held in waiting[at])
        yield at, read
    yield from ((held, kept[held]) for held in waiting[None])


def _remembered(item: Item | Unchanged) -> Item | Unchanged:
    """Return an item as it is given again: what was read is not read again."""
    return Unchanged(item.origin, item.steps) if isinstance(item, RawSkill) else item


def _is_at(origin: Origin, path: str) -> bool:
    """Return whether a skill lies at or below a path, or in the source of that label."""
    return origin.label == path or f"{origin.location}/".startswith(f"{path.rstrip('/')}/")


def _old(origin: Origin) -> Finding:
    message = "cannot be read as it is now, and is used as it was when last read; mend it"
    return Finding("kept-old", Severity.WARNING, message, origin.location or origin.label)


def _refused(finding: Finding) -> Finding:
    """Return what strict reading says of a file whose name is not the specification's."""
    return dataclasses.replace(finding, severity=Severity.ERROR)
