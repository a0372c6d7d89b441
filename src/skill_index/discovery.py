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
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from skill_index.catalog import SkillCatalog
from skill_index.findings import Finding, Severity
from skill_index.model import Origin, RawSkill, ReadySkill, Skill, Step, Unchanged
from skill_index.parsing import parse_skill
from skill_index.settings import Limits, SearchSettings
from skill_index.sources import Source, scan_each
from skill_index.sources.problems import problem

Progress = Callable[[int], None]

_log = logging.getLogger("skill_index")
_log.addHandler(logging.NullHandler())

_FILE_NAME = "file-name"  # said by a source just before the file itself: it is not called SKILL.md
_COULD_NOT_LOOK = frozenset({"unreadable", "root-not-a-folder", "source-failed"})


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
    """What came of one place when it was last read, in which source, and what is done with it then."""

    source: int
    skill: Skill | None
    findings: tuple[Finding, ...] = ()
    stamp: object = None
    steps: tuple[Step, ...] = ()


_Place = tuple[Origin, str]  # a ready-made skill may be in no file; then its name tells it from others


@dataclass(slots=True)
class Reader:
    """Reads sources again and again, each time only what changed."""

    sources: tuple[Source, ...]
    strict: bool = False
    limits: Limits = Limits()
    _known: dict[_Place, _Read] = field(default_factory=dict)

    def read(self, progress: Progress | None = None) -> tuple[list[Skill], list[Finding]]:
        """Return every skill there is now, with everything that was wrong."""
        findings: list[Finding] = []
        now: dict[_Place, _Read] = {}
        for count, (place, read) in enumerate(self._items(findings), start=1):
            now[place] = read
            if progress is not None:
                progress(count)
        kept = self._kept(now, findings)
        # What is kept stands where it stood: the order of sources decides who has a bare name.
        self._known = dict(sorted(_in_place(self._known, now, kept), key=lambda item: item[1].source))
        skills: list[Skill] = []
        for read in self._known.values():
            findings.extend(read.findings)
            done = _done(read)
            if isinstance(done, Finding):
                findings.append(done)
            elif done is not None:
                skills.append(done)
        findings.extend(_old(origin) for origin, _ in kept)
        # Counts only: what strangers wrote does not belong in a host's log.
        _log.info("read %d skills with %d findings", len(skills), len(findings))
        return skills, findings

    def _stamp(self, origin: Origin) -> object:
        known = self._known.get((origin, ""))
        return known.stamp if known else None

    def _items(self, findings: list[Finding]) -> Iterator[tuple[_Place, _Read]]:
        """Yield what is at each place; problems of the sources themselves go to `findings`."""
        misnamed: set[str] = set()
        for source, item in scan_each(self.sources, self._stamp):
            if isinstance(item, Finding):
                refused = self.strict and item.code == _FILE_NAME
                findings.append(_refused(item) if refused else item)
                misnamed.update([item.path] if item.code == _FILE_NAME else [])
            elif isinstance(item, Skill | ReadySkill):
                ready = item if isinstance(item, ReadySkill) else ReadySkill(item)
                place = (ready.origin, f"{ready.skill.name}\0{ready.skill.digest}")
                yield place, _Read(source, ready.skill, steps=ready.steps)
            elif not (self.strict and item.origin.location in misnamed):
                yield (item.origin, ""), self._read(source, item)

    def _read(self, source: int, item: RawSkill | Unchanged) -> _Read:
        before = self._known.get((item.origin, ""))
        if isinstance(item, Unchanged):
            # A source says so only of what it was shown a stamp for.
            return dataclasses.replace(self._known[item.origin, ""], source=source, steps=item.steps)
        parsed = parse_skill(item, strict=self.strict, limits=self.limits)
        skill, findings = parsed.skill, parsed.findings
        if before is not None and skill == before.skill:
            skill = before.skill  # the same object, so that nothing about it is worked out again
        elif skill is None and before is not None:
            skill, findings = before.skill, (*findings, _old(item.origin))
        return _Read(source, skill, findings, item.stamp, item.steps)

    def _kept(self, now: dict[_Place, _Read], findings: list[Finding]) -> dict[_Place, _Read]:
        """Return what is not there any more only because one could not look."""
        missing = {place: read for place, read in self._known.items() if place not in now and read.skill}
        if not missing:
            return {}
        errors = {finding.path for finding in findings if finding.severity is Severity.ERROR} - {""}
        unseen = {finding.path for finding in findings if finding.code in _COULD_NOT_LOOK} - {""}
        return {
            place: dataclasses.replace(read, findings=(), stamp=None)
            for place, read in missing.items()
            if place[0].location in errors or any(_is_at(place[0], path) for path in unseen)
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


def _is_at(origin: Origin, path: str) -> bool:
    """Return whether a skill lies at or below a path, or in the source of that label."""
    return origin.label == path or f"{origin.location}/".startswith(f"{path.rstrip('/')}/")


def _done(read: _Read) -> Skill | Finding | None:
    """Return the skill after the steps of its source, or why it is left out."""
    result: Skill | Finding | None = read.skill
    for step in read.steps:
        result = _step(step, result) if isinstance(result, Skill) else result
    return result


def _step(step: Step, skill: Skill) -> Skill | Finding | None:
    try:
        return step(skill)
    except Exception as error:  # noqa: BLE001  (a stranger's function costs the skill it fails on)
        message = f"{skill.name!r} is left out: a step of its source raised {type(error).__name__}: {error}"
        return problem("step-failed", skill.origin.location or skill.origin.label, message)


def _old(origin: Origin) -> Finding:
    message = "cannot be read as it is now, and is used as it was when last read; mend it"
    return Finding("kept-old", Severity.WARNING, message, origin.location or origin.label)


def _refused(finding: Finding) -> Finding:
    """Return what strict reading says of a file whose name is not the specification's."""
    return dataclasses.replace(finding, severity=Severity.ERROR)
