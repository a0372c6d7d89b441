"""
The live door to skills that change: the one cell of the library that moves.

A `SkillIndex` holds a finished `SkillCatalog` and swaps it for the next one whole, so a search
that began on the old catalog ends on it, and no reader ever sees half of a refresh.

When does it look?  On `refresh()`, and by itself when it is used: users who edit a skill expect
the next call to know.  A look costs a stat for each file (some 0.02 ms a skill), so a small index
looks at every use and a large one every few seconds.

Rejected: a watcher thread, which every host would have to stop, and which is blind on network
disks (`skill_index.watching` has one for those who want it).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from skill_index.catalog import SkillCatalog
from skill_index.changes import Changes
from skill_index.discovery import Progress, Reader
from skill_index.findings import Finding
from skill_index.model import Skill
from skill_index.results import SearchResults
from skill_index.settings import Limits, SearchSettings
from skill_index.sources import Source, is_live
from skill_index.sources.paths import path_sources
from skill_index.starting import start

SMALL = 200
"""Skills up to which every use of an index looks for changes: some 4 ms, 20 where links make it slow."""

LARGE_INTERVAL = 5.0
"""Seconds between two looks at more skills than that, unless a host says otherwise."""

_HINT = "SkillIndex.from_paths(FOLDER) reads folders, SkillCatalog([...]) takes skills"

_log = logging.getLogger("skill_index")


class SkillIndex:
    """
    Skills of some sources, searchable, and kept true while the sources change.

    It is asked as a catalog is: `index["name"]`, `"name" in index`, `index.search(...)`.  For all
    else that a catalog can do (`get`, `entry`, views) take a `snapshot()`.

    Where names clash, earlier sources come first.  `findings` tells everything that was wrong;
    `strict` refuses skills that break any rule of the format.  `refresh_interval` is the number of
    seconds that pass at least between two looks for changes when the index is used: 0 looks at
    every use, `math.inf` never, None decides by size (see `SMALL`).  Only sources that can tell
    cheaply what changed are looked at in that way; `refresh` asks all.  `progress` is called with
    the number of skills read so far.  `store` is a file that spares the next process reading and
    indexing; see `from_paths`.  Raises TypeError for what is no source, ValueError for an interval
    below 0.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        *,
        strict: bool = False,
        limits: Limits = Limits(),
        settings: SearchSettings = SearchSettings(),
        refresh_interval: float | None = None,
        progress: Progress | None = None,
        store: str | os.PathLike[str] | None = None,
    ) -> None:
        if refresh_interval is not None and not refresh_interval >= 0:
            message = f"refresh_interval is at least 0 seconds, not {refresh_interval}"
            raise ValueError(message)
        self.sources = _checked_sources(sources)
        self._settings, self._interval = settings, refresh_interval
        self._looks = any(is_live(source) for source in self.sources)
        self._refreshing = threading.RLock()
        self._begun = 0  # looks begun so far
        self._callbacks: dict[object, Callable[[Changes], None]] = {}
        self._untold: deque[Changes] = deque()
        self._telling = threading.Lock()
        reader = Reader(self.sources, strict=strict, limits=limits)
        self._reader, self._read, self._catalog, self._about_store = start(reader, settings, progress, store)
        self._looked_at = time.monotonic()

    @classmethod
    def from_paths(  # noqa: PLR0913  (each by its name, and each with a default)
        cls,
        *paths: str | os.PathLike[str],
        labels: Sequence[str] | None = None,
        hidden: bool = False,
        nested: bool = False,
        strict: bool = False,
        limits: Limits = Limits(),
        settings: SearchSettings = SearchSettings(),
        refresh_interval: float | None = None,
        progress: Progress | None = None,
        store: str | os.PathLike[str] | None = None,
    ) -> SkillIndex:
        """
        Index the skills in folders, and in archives by their suffix (.zip, .skill, .tar, .tar.gz, .tgz).

        `labels` are the names of these sources, one for each path; left out, they are the shortest
        ends of the paths that differ.  `hidden` also searches folders whose names begin with a
        dot, `nested` also those below a SKILL.md.  The other arguments are those of the class.

        A folder that is missing or unreadable is a finding, not an error.  Raises ValueError for an
        empty path, which is mostly an unset variable.

        With a `store`, a file outside of the folders, the word index is made at once and kept there,
        and the next process that opens the same folders with the same settings reads and indexes only
        what has changed.  It answers the same as without.  The file is the user's alone; one that
        cannot be used or written is a finding, and archives among the paths mean that none is used.
        """
        return cls(
            path_sources(paths, labels, hidden=hidden, nested=nested, limits=limits),
            strict=strict,
            limits=limits,
            settings=settings,
            refresh_interval=refresh_interval,
            progress=progress,
            store=store,
        )

    def refresh(
        self,
        progress: Progress | None = None,
        *,
        paths: Iterable[str | os.PathLike[str]] | None = None,
    ) -> Changes:
        """
        Look at every source again and swap the catalog if anything changed; return what did.

        With `paths`, for hosts that were told what changed, only the skills there are looked at: some
        hundredths of a second however many there are.  The next whole look finds what else changed.

        Two callers at once look one after another.  A skill that cannot be read as it is now, or
        whose source cannot be looked at, stays as it was, with a finding that says so.
        """
        with self._refreshing:
            changes = self._refreshed(progress, paths=paths)
        self._tell()
        return changes

    def _refreshed(
        self,
        progress: Progress | None = None,
        *,
        live_only: bool = False,
        paths: Iterable[str | os.PathLike[str]] | None = None,
    ) -> Changes:
        """Look and swap; the caller holds the lock."""
        if paths is None:
            self._begun += 1  # who waits for a look waits for one at everything
        before = self._catalog
        told = None if paths is None else [Path(path).absolute().as_posix() for path in paths]
        read = self._reader.read(progress, live_only=live_only, paths=told)
        if paths is None:
            self._looked_at = time.monotonic()
        if read == self._read:
            return Changes(catalog=before)
        skills, findings = read
        after = SkillCatalog(skills, settings=self._settings, findings=findings, before=before)
        if before.is_indexed:
            # Now, and not in the first search after the swap.
            after.ranker()
        self._catalog, self._read = after, read
        changes = Changes.between(before, after)
        if changes:
            self._untold.append(changes)
        return changes

    def on_change(self, callback: Callable[[Changes], None]) -> Callable[[], None]:
        """
        Call `callback` after each refresh that changed a skill; return a function that ends that.

        It is called in the thread that refreshed, once the new catalog is in place, for one set of
        changes after the other, and it may use this index.  What it raises is logged.
        """
        token = object()
        self._callbacks[token] = callback

        def stop() -> None:
            self._callbacks.pop(token, None)

        return stop

    def _tell(self) -> None:
        """
        Call back with the changes nobody was told of yet.

        Not under the refresh lock, since a callback may refresh.  One thread does it and takes along
        what others find meanwhile, so that everyone hears of all changes in their order.
        """
        while self._untold and self._telling.acquire(blocking=False):
            try:
                while self._untold:
                    self._call_back(self._untold.popleft())
            finally:
                self._telling.release()

    def _call_back(self, changes: Changes) -> None:
        for callback in tuple(self._callbacks.values()):
            try:
                callback(changes)
            except Exception:  # noqa: BLE001  (a stranger's code; a refresh must not fail for it)
                _log.exception("a callback of on_change failed")

    def snapshot(self) -> SkillCatalog:
        """
        Return the current catalog, which stays as it is while this index moves on.

        One snapshot for a whole request makes search, description and loading agree.
        """
        interval = self._interval
        if interval is None:
            interval = 0.0 if len(self._catalog) <= SMALL else LARGE_INTERVAL
        if self._looks and time.monotonic() - self._looked_at >= interval:
            self._look(wait=interval <= 0)
        return self._catalog

    def _look(self, *, wait: bool) -> None:
        """
        Look for changes, one thread for all that ask at once.

        With `wait`, an edit made before the call is seen: a look by another thread may have begun
        before it, so only one that began after this call counts.  Without, a look that is under way
        is left alone and the present catalog serves.
        """
        begun = self._begun
        if not self._refreshing.acquire(blocking=wait):
            return
        try:
            if self._begun == begun:
                self._refreshed(live_only=True)
        finally:
            self._refreshing.release()
        self._tell()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every problem found in the sources, with file and line, and with the store."""
        return (*self.snapshot().findings, *self._about_store)

    @property
    def store_findings(self) -> tuple[Finding, ...]:
        """Why the store was not used or not written; empty where all went well, and without one."""
        return self._about_store

    def search(
        self,
        query: str | Sequence[str],
        *,
        limit: int | None = None,
        where: Callable[[Skill], bool] | None = None,
    ) -> SearchResults:
        """Answer a query from the current catalog; see `SkillCatalog.search`."""
        return self.snapshot().search(query, limit=limit, where=where)

    def __getitem__(self, name: str) -> Skill:
        return self.snapshot()[name]

    def __contains__(self, name: object) -> bool:
        return name in self.snapshot()

    def __iter__(self) -> Iterator[str]:
        return iter(self.snapshot())

    def __len__(self) -> int:
        return len(self.snapshot())

    def __repr__(self) -> str:
        return f"<SkillIndex of {len(self._catalog)} skills from {len(self.sources)} sources>"


def catalog_of(skills: SkillCatalog | SkillIndex) -> SkillCatalog:
    """Return the catalog to work with: of an index the one it has now. TypeError for anything else."""
    skills = checked_skills(skills)
    return skills.snapshot() if isinstance(skills, SkillIndex) else skills


def checked_skills(skills: SkillCatalog | SkillIndex) -> SkillCatalog | SkillIndex:
    """Return what was given, or raise TypeError, at the door and not at the first question."""
    if isinstance(skills, SkillCatalog | SkillIndex):
        return skills
    message = f"skills are a SkillIndex or a SkillCatalog, not {type(skills).__name__}; {_HINT}"
    raise TypeError(message)


def _checked_sources(sources: Iterable[Source]) -> tuple[Source, ...]:
    given = tuple(sources)
    for source in given:
        if not isinstance(source, Source):
            message = f"an index is made of sources, not of {type(source).__name__}; {_HINT}"
            raise TypeError(message)
    return given
