"""
A picture as text, kept for a later process, and compared without being read.

Most starts find a folder as it was left.  To write down what is there now and to compare two texts takes
less than to read the old one, so it is read only where they differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from skill_index.sources.picture import Picture

_BETWEEN = "\0\0"  # two folders; in what is seen in one no two of them follow each other


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
        """Return the picture; raises ValueError for a text that is none."""
        paths_and_sights = (
            each.partition("\0") for each in str(self.text, "utf-8", "surrogatepass").split(_BETWEEN)
        )
        folders = {path: nul + sights for path, nul, sights in paths_and_sights}
        return Picture(self.root, folders, self.unsettled, self.has_links)

    def touched(self, now: Picture) -> frozenset[str] | None:
        """Return what `Picture.touched` does."""
        if self.root == now.root and not self.unsettled and self.text == _text(now):
            return frozenset()
        try:
            return self.picture().touched(now)
        except (ValueError, LookupError):
            return None  # somebody made it up: it tells nothing, so anything may have changed


def _text(picture: Picture) -> bytes:
    return _BETWEEN.join(map("".join, picture.folders.items())).encode("utf-8", "surrogatepass")
