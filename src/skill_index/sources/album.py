"""Pictures of all sources that can be pictured, from one look for changes to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from skill_index.sources.base import Source
from skill_index.sources.directory import DirectorySource
from skill_index.sources.picture import Picture


@dataclass(slots=True)
class Album:
    """The last picture of each source, by its number."""

    _pictures: dict[int, Picture | None] = field(default_factory=dict)

    def is_unchanged(self, sources: Mapping[int, Source]) -> bool:
        """
        Take a picture of each source, and return whether all look as they did the last time.

        This comes before reading: what changes meanwhile is seen by the next picture.
        """
        now = {number: _picture(source) for number, source in sources.items()}
        unchanged = all(_shows(self._pictures.get(number), picture) for number, picture in now.items())
        if not unchanged:
            self._pictures |= now
        return unchanged


def _picture(source: Source) -> Picture | None:
    # What derives from it may find its skills in other ways.
    return source.picture() if type(source) is DirectorySource else None


def _shows(before: Picture | None, now: Picture | None) -> bool:
    return before is not None and now is not None and before.shows(now)
