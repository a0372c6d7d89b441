"""
What a look for changes can leave out: sources that look as they did, and skills that do.

    picture then, picture now ─▶ touched folders ─▶ their skills are looked at, the others given again
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skill_index.findings import Finding
from skill_index.model import Unchanged
from skill_index.sources.base import Item, Known, Source, unknown
from skill_index.sources.directory import DirectorySource
from skill_index.sources.picture import Picture
from skill_index.sources.problems import FILE_NAME
from skill_index.sources.rules import is_skill_file


@dataclass(slots=True)
class Album:
    """The last picture of each source that can be pictured, by its number."""

    _pictures: dict[int, Picture | None] = field(default_factory=dict)

    def touched(self, sources: Mapping[int, Source]) -> dict[int, frozenset[str] | None]:
        """
        Take a picture of each source, and return the folders of each in which files may have changed.

        None is for a source in which more may have, or that cannot be pictured.  This comes before
        reading: what changes meanwhile is seen by the next picture.
        """
        now = {number: _picture(source) for number, source in sources.items()}
        found = {number: _touched(self._pictures.get(number), picture) for number, picture in now.items()}
        self._pictures |= now
        return found

    def partly(
        self, number: int, source: Source, items: Sequence[Item | Unchanged], folders: frozenset[str]
    ) -> Source:
        """Return what looks only at the skills in some folders of a source that gave `items` last."""
        picture = self._pictures[number]
        own = {_folder(item.origin.location) for item in items if not isinstance(item, Finding)}
        # A skill left out as the same file as another may have become one of its own.
        holders = {
            folder for folder in folders if picture and any(map(is_skill_file, picture.folders[folder]))
        }
        if isinstance(source, DirectorySource) and holders <= own:
            return Partly(source, items, folders)
        return source


def _picture(source: Source) -> Picture | None:
    # What derives from it may find its skills in other ways.
    return source.picture() if type(source) is DirectorySource else None


def _touched(before: Picture | None, now: Picture | None) -> frozenset[str] | None:
    return before.touched(now) if before is not None and now is not None else None


@dataclass(frozen=True, slots=True)
class Again:
    """Stands for a source: gives what that gave last, but for the skills that `looks` looks at."""

    label: str
    items: Sequence[Item | Unchanged]

    def rescan(self, _: Known) -> Iterator[Item | Unchanged]:
        """Yield what the source gave."""
        return iter(self.items)

    def scan(self) -> Iterator[Item]:
        """Yield the same without what is known already."""
        return (item for item in self.items if not isinstance(item, Unchanged))


@dataclass(frozen=True, slots=True)
class Partly:
    """Stands for a source in which only some files changed: looks at their skills, gives the others again."""

    source: DirectorySource
    items: Sequence[Item | Unchanged]
    folders: frozenset[str]

    @property
    def label(self) -> str:
        """The name of the source."""
        return self.source.label

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what the source would."""
        around = {above for folder in self.folders for above in _upwards(folder)}
        for item in self.items:
            if isinstance(item, Finding):
                # What a file is called is said anew with its skill.
                if item.code != FILE_NAME or _folder(item.path) not in around:
                    yield item
            elif _folder(item.origin.location) in around:
                yield from self.source.look_at(item.origin.path, known)
            else:
                yield item

    def scan(self) -> Iterator[Item]:
        """Yield the same with nothing known."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those around it."""
    while folder:
        yield folder
        folder = _folder(folder)
