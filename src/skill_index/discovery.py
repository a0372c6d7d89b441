"""
From sources to skills: the one place where scanning and parsing meet.

    sources ─scan─▶ RawSkill | Finding ─parse─▶ Skill + findings

One bad file never stops another: whatever is wrong with it is a finding.  A `Reader` remembers what
it read.  So reading again costs only what changed, and a broken edit or a source that fails takes
nothing away: the skill stays as it was last read, with a finding that says so.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from skill_index.findings import Finding, Severity
from skill_index.known import (
    Look,
    Memory,
    Place,
    Read,
    by_folder,
    each_told,
    in_place,
    is_steady,
    old,
    places_around,
    remembered,
    unseen,
)
from skill_index.model import Origin, RawSkill, ReadySkill, Skill, Unchanged
from skill_index.parsing import Parsed, parse_skills
from skill_index.settings import Limits
from skill_index.sources import DirectorySource, Item, Source, is_live, scan_each
from skill_index.sources.album import Again, Album
from skill_index.sources.problems import FILE_NAME, VANISHED, problem
from skill_index.sources.steps import stepped_through

Progress = Callable[[int], None]
"""Called with the number of files read so far."""

Answer = tuple[Sequence[Skill], Iterable[Finding]]
"""What a reader gives: every skill there is, and everything that is wrong."""

Touched = Mapping[int, frozenset[str] | None]  # see `Album.touched`

_log = logging.getLogger("skill_index")
_log.addHandler(logging.NullHandler())

_LOOKS = 5  # looks in one reading at most: who moves skills all the time is shown the last of them


@dataclass(slots=True)
class Reader:
    """
    Reads sources again and again, each time only what changed.

    `strict` refuses a skill that breaks any rule of the format.
    """

    sources: tuple[Source, ...]
    strict: bool = False
    limits: Limits = Limits()
    # What the last look left.  Sources are known by their number.
    _known: dict[Place, Read] = field(default_factory=dict)  # every skill and what became of it
    _items: Mapping[int, list[Item | Unchanged]] = field(default_factory=dict)  # what each source gave
    _said: list[Finding] = field(default_factory=list)  # about the sources themselves
    _album: Album = field(default_factory=Album)  # how the folders looked
    _answer: Answer | None = None  # what was given, if it may be given again
    # Made when first needed, and taken away when it is no longer true.
    _folders: dict[tuple[int, str], list[Place]] | None = None
    # What a store knows, instead of the first three above; it is decoded when it is needed.
    _recall: Callable[[], Memory] | None = None
    _slow: frozenset[int] = frozenset()  # sources that cannot tell cheaply what changed
    _anew: bool = False  # of the look being made: nothing stays that cannot be read

    @classmethod
    def recalling(
        cls, reader: Reader, album: Album, answer: Answer | None, recall: Callable[[], Memory]
    ) -> Reader:
        """
        Return a reader that knows what another process knew, and decodes that only if it must.

        Its first look should be `anew`: the other process may have kept skills that are broken by now,
        and this one has never seen them whole.
        """
        return dataclasses.replace(reader, _album=album, _answer=answer, _recall=recall)

    def __post_init__(self) -> None:
        self._slow = frozenset(at for at, source in enumerate(self.sources) if not is_live(source))

    def read(
        self,
        progress: Progress | None = None,
        *,
        live_only: bool = False,
        paths: Iterable[str] | None = None,
        anew: bool = False,
    ) -> Answer:
        """
        Return every skill there is now, with everything that was wrong.

        `live_only` leaves out the sources that cannot tell cheaply what changed.  `paths` are
        '/'-paths known to have changed: then only the folders around them are looked at, or
        everything if one of them is in no folder that is known.  With `anew`, nothing stays that
        cannot be read now, as if it were the first look.
        """
        self._anew = anew
        only = None if paths is None else self._album.folders(paths)
        live_only = live_only or only is not None
        asked = {at: source for at, source in enumerate(self.sources) if not (live_only and at in self._slow)}
        touched = self._album.touched(asked, only)
        # Set aside: if an interrupt ends this look, the next one must not give the old answer.
        answer, self._answer = self._answer, None
        if answer is None or any(folders != frozenset() for folders in touched.values()):
            self._wake()
        if answer is not None:
            alike, is_read = self._caught_up(touched, progress)
            if len(alike) == len(asked):
                self._answer = self._told({}) if is_read else answer
                return self._answer
        else:
            alike = frozenset()
        look, kept = self._settled(progress, alike, live_only=live_only)
        # What is kept stands where it stood: the order of sources decides who has a bare name.
        self._known = dict(sorted(in_place(self._known, look.read, kept), key=lambda item: item[0].source))
        self._items, self._folders = look.items, None
        self._said = [finding for _, finding in look.findings]
        skills, findings = self._told(kept)
        # Counts only: what strangers wrote does not belong in a host's log.
        _log.info("read %d skills with %d findings", len(skills), len(findings))
        self._answer = (skills, findings) if is_steady(look, kept) else None
        return skills, findings

    def _wake(self) -> None:
        if self._recall is not None:
            memory, self._recall = self._recall(), None
            self._known, self._items, self._said = memory.known, memory.items, memory.said

    def memory(self) -> tuple[Memory, Album]:
        """Return what is known, and how the sources looked."""
        self._wake()
        return Memory(self._known, self._items, self._said, self._answer is not None), self._album

    def _told(self, kept: Mapping[Place, Read]) -> tuple[list[Skill], list[Finding]]:
        """Return every skill that is known, with everything that was wrong."""
        findings = list(self._said)
        skills: list[Skill] = []
        for read in self._known.values():
            findings.extend(read.findings)
            done = stepped_through(read.skill, read.steps) if read.steps else read.skill
            if isinstance(done, Finding):
                findings.append(done)
            elif done is not None:
                skills.append(done)
        findings.extend(old(place.origin) for place in kept)
        return skills, findings

    def _caught_up(self, touched: Touched, progress: Progress | None) -> tuple[frozenset[int], bool]:
        """
        Read again the files that may have changed, where the folders around them are known.

        Return the sources that need no further look, and whether anything was read.
        """
        alike: set[int] = set()
        raws: dict[Place, RawSkill] = {}
        for number, folders in touched.items():
            found = None if folders is None else self._changed(number, folders)
            if found is not None:
                alike.add(number)
                raws |= found
        parsed = parse_skills(raws.values(), strict=self.strict, limits=self.limits)
        for place, result, _ in zip(raws, parsed, each_told(progress), strict=False):
            self._known[place] = self._parsed(place, raws[place], result)
        return frozenset(alike), bool(raws)

    def _changed(self, number: int, folders: frozenset[str]) -> dict[Place, RawSkill] | None:
        """Return the skills around these folders that changed, None if the source must be scanned to tell."""
        source = self.sources[number]
        if not isinstance(source, DirectorySource):
            return None
        if folders and self._folders is None:
            self._folders = by_folder(self._known)
        changed: dict[Place, RawSkill] = {}
        for place in places_around(number, folders, self._folders or {}):
            try:
                items = list(source.look_at(place.origin.path, partial(self._stamp, number)))
            except OSError:
                return None
            for item in items:
                if isinstance(item, RawSkill):
                    changed[place] = item
                elif isinstance(item, Finding) and item.code != FILE_NAME:  # that was said of its path before
                    return None
        return changed

    def _settled(
        self, progress: Progress | None, alike: frozenset[int], *, live_only: bool
    ) -> tuple[Look, dict[Place, Read]]:
        """
        Return a look at all sources, and the skills to be kept although it did not see them.

        What is moved during a look may be met at neither of its places.  So where a file vanished
        meanwhile the look is made again, and what is missing is looked for once more.
        """
        for number in range(_LOOKS):
            look = self._look(progress, alike, live_only=live_only)
            kept = self._kept(look)
            is_torn = any(finding.code == VANISHED for _, finding in look.findings)
            if not is_torn and (number or self._anew or self._missing(look).keys() <= kept.keys()):
                break
            progress, alike = None, frozenset()
        return look, kept

    def _look(self, progress: Progress | None, alike: frozenset[int], *, live_only: bool) -> Look:
        """Pass over the sources once; what was read is parsed while more is read."""
        look = Look()
        told = each_told(progress)
        unparsed = self._unparsed(look, told, self._asked(alike, live_only=live_only))
        for result in parse_skills(unparsed, strict=self.strict, limits=self.limits):
            place, raw = look.raws.popleft()
            look.read[place] = self._parsed(place, raw, result)
            next(told)
        return look

    def _unparsed(self, look: Look, told: Iterator[None], sources: Iterable[Source]) -> Iterator[RawSkill]:
        """Take down all that the sources hold, and yield what of it is to be parsed."""
        misnamed: set[str] = set()
        counts: Counter[Place] = Counter()
        for source, item in scan_each(sources, self._stamp):
            look.items[source].append(remembered(item))
            if isinstance(item, Finding):
                misnamed.update([item.path] if item.code == FILE_NAME else [])
                refused = self.strict and item.code == FILE_NAME
                finding = dataclasses.replace(item, severity=Severity.ERROR) if refused else item
                look.findings.append((source, finding))
                continue
            if self.strict and item.origin.location in misnamed:
                continue
            ready = ReadySkill(item) if isinstance(item, Skill) else item
            place = Place(source, item.origin, ready.skill.name if isinstance(ready, ReadySkill) else "")
            counts[place] += 1
            if counts[place] > 1:
                place = place._replace(number=counts[place] - 1)
            look.read[place] = self._given(place, ready)
            if isinstance(ready, RawSkill):
                look.raws.append((place, ready))
                yield ready
            else:
                next(told)

    def _asked(self, alike: frozenset[int], *, live_only: bool) -> Iterator[Source]:
        for at, source in enumerate(self.sources):
            is_again = at in alike or (live_only and at in self._slow)
            yield Again(source.label, self._items.get(at, ())) if is_again else source

    def _stamp(self, source: int, origin: Origin) -> object:
        known = self._known.get(Place(source, origin))
        return known.stamp if known else None

    def _given(self, place: Place, item: RawSkill | ReadySkill | Unchanged) -> Read:
        """Return what is known of an item before anything is parsed; of raw bytes, nothing."""
        if isinstance(item, RawSkill):
            return Read(None)
        if isinstance(item, ReadySkill):
            return Read(item.skill, steps=item.steps)
        before = self._known.get(place)
        if before is None:
            where = item.origin.location or item.origin.label
            message = "its source calls a skill unchanged that it has never given"
            return Read(None, (problem("source-failed", where, message),))
        return before if item.steps == before.steps else dataclasses.replace(before, steps=item.steps)

    def _parsed(self, place: Place, item: RawSkill, parsed: Parsed) -> Read:
        before = self._known.get(place)
        skill, findings = parsed.skill, parsed.findings
        if before is not None and skill == before.skill:
            skill = before.skill  # the same object, so that nothing about it is worked out again
        elif skill is None and before is not None and not self._anew:
            skill, findings = before.skill, (*findings, old(item.origin))
        return Read(skill, findings, item.stamp, item.steps)

    def _missing(self, look: Look) -> dict[Place, Read]:
        return {place: read for place, read in self._known.items() if read.skill and place not in look.read}

    def _kept(self, look: Look) -> dict[Place, Read]:
        """Return the skills that the look missed only because it could not look where they are."""
        return {} if self._anew else unseen(self._missing(look), look)
