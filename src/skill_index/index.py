"""
The live door to skills on disk: the one cell of the library that changes.

A `SkillIndex` holds a finished `SkillCatalog` and swaps it for the next one whole, so a search
that began on the old catalog ends on it, and no reader ever sees half of a refresh.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from skill_index.catalog import SkillCatalog
from skill_index.discovery import Progress, discover
from skill_index.findings import Finding
from skill_index.model import Skill
from skill_index.results import SearchResults
from skill_index.settings import Limits, SearchSettings
from skill_index.sources import DirectorySource, Source, short_labels


class SkillIndex:
    """
    Skills of some sources, searchable, and read again on `refresh()`.

    Earlier sources come first where names clash.  `findings` tells everything that was wrong.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        *,
        strict: bool = False,
        limits: Limits = Limits(),
        settings: SearchSettings = SearchSettings(),
        progress: Progress | None = None,
    ) -> None:
        self.sources = tuple(sources)
        self._strict, self._limits, self._settings = strict, limits, settings
        self._refreshing = threading.Lock()
        self._catalog = self._read(progress)

    @classmethod
    def from_paths(
        cls,
        *paths: str | os.PathLike[str],
        labels: Sequence[str] | None = None,
        hidden: bool = False,
        nested: bool = False,
        strict: bool = False,
        limits: Limits = Limits(),
        settings: SearchSettings = SearchSettings(),
        progress: Progress | None = None,
    ) -> SkillIndex:
        """
        Index the skills in folders; `labels` name them, else the shortest telling path tails do.

        A folder that is missing or unreadable is a finding, not an error.  `hidden` also searches
        folders whose names begin with a dot, `nested` also those below a SKILL.md.
        """
        roots = [os.fspath(path) for path in paths]
        names = short_labels(roots) if labels is None else list(labels)
        sources = [
            DirectorySource(root, label=label, hidden=hidden, nested=nested, limits=limits)
            for root, label in zip(roots, names, strict=True)
        ]
        return cls(sources, strict=strict, limits=limits, settings=settings, progress=progress)

    def _read(self, progress: Progress | None) -> SkillCatalog:
        return discover(
            self.sources,
            strict=self._strict,
            limits=self._limits,
            settings=self._settings,
            progress=progress,
        )

    def refresh(self, progress: Progress | None = None) -> SkillCatalog:
        """Read every source again and swap the catalog; two callers at once read one after another."""
        with self._refreshing:
            self._catalog = self._read(progress)
            return self._catalog

    def snapshot(self) -> SkillCatalog:
        """Return the current catalog, which stays as it is while this index moves on."""
        return self._catalog

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every problem found in the sources, with file and line."""
        return self._catalog.findings

    def search(
        self,
        query: str | Sequence[str],
        *,
        limit: int | None = None,
        where: Callable[[Skill], bool] | None = None,
    ) -> SearchResults:
        """Answer a query from the current catalog; see `SkillCatalog.search`."""
        return self._catalog.search(query, limit=limit, where=where)

    def __getitem__(self, name: str) -> Skill:
        return self._catalog[name]

    def __contains__(self, name: object) -> bool:
        return name in self._catalog

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)

    def __repr__(self) -> str:
        return f"<SkillIndex of {len(self)} skills from {len(self.sources)} sources>"
