"""
A picture as text, kept for a later process, and compared without being read.

Most starts find a folder as it was left.  To write down what is there now and to compare two texts takes
a third of the time that it takes to read the old one, so it is read only where they differ.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from skill_index.sources.picture import Link, Picture, Sight
from skill_index.sources.stamps import FileStamp


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture whose folders are a text."""

    root: str
    text: bytes
    unsettled: frozenset[str]
    has_links: bool

    @classmethod
    def of(cls, picture: Picture) -> StoredPicture:
        """Return a picture as text."""
        return cls(picture.root, _text(picture), picture.unsettled, picture.has_links)

    def picture(self) -> Picture:
        """Return the picture; raises an error of some kind for a text that is none."""
        folders = {
            path: {name: _sight(told) for name, told in sights.items()}
            for path, sights in json.loads(self.text).items()
        }
        return Picture(self.root, folders, self.unsettled, self.has_links)

    def touched(self, now: Picture) -> frozenset[str] | None:
        """Return what `Picture.touched` does."""
        if self.root == now.root and not self.unsettled and self.text == _text(now):
            return frozenset()
        try:
            return self.picture().touched(now)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return None  # somebody made it up: it tells nothing, so anything may have changed


def _text(picture: Picture) -> bytes:
    return json.dumps(picture.folders, separators=(",", ":")).encode("ascii")


def _sight(told: Any) -> Sight:
    if isinstance(told, str):
        return told
    if len(told) == len(Link._fields):
        return Link(told[0], _stamp_or_kind(told[1]))
    return FileStamp(*told)


def _stamp_or_kind(told: Any) -> FileStamp | str:
    return told if isinstance(told, str) else FileStamp(*told)
