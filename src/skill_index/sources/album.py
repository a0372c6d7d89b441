"""
What a look for changes can leave out: sources that look as they did, and skills that do.

    picture then, picture now ─▶ touched folders ─▶ only their skills are looked at
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from skill_index.model import Unchanged
from skill_index.sources.base import Item, Known, Source
from skill_index.sources.directory import DirectorySource
from skill_index.sources.picture import Picture
from skill_index.sources.pictured import StoredPicture


@dataclass(slots=True)
class Album:
    """The last picture of each source that can be pictured, by its number; at first from a store."""

    _pictures: Mapping[int, Picture | StoredPicture | None] = field(default_factory=dict)

    def touched(
        self, sources: Mapping[int, Source], only: Iterable[str] | None = None
    ) -> dict[int, frozenset[str] | None]:
        """
        Take a picture of each source, and return the folders of each in which files may have changed.

        None is for a source in which more may have, or that cannot be pictured.  This comes before
        reading: what changes meanwhile is seen by the next picture.  With `only`, no other folder is
        looked at; what changed elsewhere differs from the next whole picture still.
        """
        wanted = None if only is None else set(only)
        now = {number: self._picture(number, source, wanted) for number, source in sources.items()}
        found = {number: _touched(self._pictures.get(number), picture) for number, picture in now.items()}
        self._pictures = {**self._pictures, **now}
        return found

    def stored(self) -> dict[int, StoredPicture]:
        """Return every picture as it is stored."""
        taken = {
            number: picture for number, picture in self._pictures.items() if isinstance(picture, Picture)
        }
        return {number: StoredPicture.of(picture) for number, picture in taken.items()}

    def folders(self, paths: Iterable[str]) -> frozenset[str] | None:
        """Return the pictured folders that paths are in, or are; None if one is in no picture."""
        found: set[str] = set()
        pictures = [picture for picture in self._pictures.values() if isinstance(picture, Picture)]
        for path in paths:
            asked = (path, path.rpartition("/")[0])
            own = {folder for folder in asked for picture in pictures if folder in picture.folders}
            if not own:
                return None
            found |= own
        return frozenset(found)

    def _picture(self, number: int, source: Source, wanted: set[str] | None) -> Picture | None:
        # What derives from it may find its skills in other ways.
        if type(source) is not DirectorySource:
            return None
        before = self._pictures.get(number)
        if not isinstance(before, Picture):
            return source.picture()
        if wanted is not None:
            partly = source.picture(before, sorted(wanted & before.folders.keys()))
            if partly is not None:
                return partly
        return source.picture(before)


def _touched(before: Picture | StoredPicture | None, now: Picture | None) -> frozenset[str] | None:
    return before.touched(now) if before is not None and now is not None else None


@dataclass(frozen=True, slots=True)
class Again:
    """Stands for a source: gives what that gave last."""

    label: str
    items: Sequence[Item | Unchanged]

    def rescan(self, _: Known) -> Iterator[Item | Unchanged]:
        """Yield what the source gave."""
        return iter(self.items)

    def scan(self) -> Iterator[Item]:
        """Yield the same without what is known already."""
        return (item for item in self.items if not isinstance(item, Unchanged))
