"""
How a folder's skill is recognised as unchanged without reading it.

Two stats alike mean the same bytes, with one exception: a file written again within the tick of
the clock that stamps files.  So a file that had just been changed when it was looked at is not
trusted and is read again the next time.  Everything is compared for equality: clocks step back, and
tools restore old times.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from skill_index.findings import Finding
from skill_index.sources.reading import Identity, read_below
from skill_index.sources.tree import DirectoryResources, TreeFile

SETTLED_NS = 2_000_000_000
"""Nanoseconds after which a file's times can be trusted; the coarsest file systems count in 2 s."""

HASHED_BYTES = 256 << 10
"""A resource up to 256 KiB is compared by content; of a larger one the size stands for it."""


class FileStamp(NamedTuple):
    """What stat says of a file, as far as it tells two states apart."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    links: int

    @classmethod
    def of(cls, info: os.stat_result) -> FileStamp:
        """Return the stamp in a stat result."""
        return cls(info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_nlink)

    @property
    def identity(self) -> Identity | None:
        """The file itself, whatever path led to it."""
        return Identity(self.device, self.inode) if self.inode else None

    def settled(self, looked_at: int) -> bool:
        """Return whether the file was left alone for a while before it was looked at."""
        return max(self.modified, self.changed) + SETTLED_NS < looked_at


@dataclass(frozen=True, slots=True)
class SkillStamp:
    """One skill as it was: the stamp of its own file, the stamp and digest of each other, and when."""

    own: FileStamp | None
    files: Mapping[str, tuple[FileStamp, str]]
    looked_at: int

    @property
    def files_digest(self) -> str:
        """A digest of the names and contents of the other files; "" where there are none."""
        return files_digest({name: digest for name, (_, digest) in self.files.items()})

    def known(self, name: str, stamp: FileStamp) -> str:
        """Return the digest of a file if its stamp says that it is as it was, else ""."""
        before, digest = self.files.get(name, (None, ""))
        return digest if before == stamp and stamp.settled(self.looked_at) else ""

    def same(self, before: SkillStamp) -> bool:
        """Return whether nothing has changed since `before`."""
        own_settled = self.own is not None and self.own.settled(before.looked_at)
        return own_settled and self.own == before.own and self.files_digest == before.files_digest


NEVER = SkillStamp(None, {}, 0)
"""The stamp of what was not looked at before."""


def files_digest(digests: Mapping[str, str]) -> str:
    """Return one digest of the digests of named files, "" for none."""
    lines = "".join(f"{name}\0{digest}\0" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest() if lines else ""


def content_digest(data: bytes) -> str:
    """Return what stands for the content of a file among the others of its skill."""
    return hashlib.sha256(data).hexdigest() if len(data) <= HASHED_BYTES else f"{len(data)} bytes"


def look(resources: DirectoryResources, own: str, before: SkillStamp) -> SkillStamp:
    """Return the stamp of a skill as it is now; of the files other than `own`, what may differ is read."""
    now = time.time_ns()
    files, _ = resources.files()
    mine = next((FileStamp.of(file.info) for file in files if file.name == own), None)
    others = {file.name: _entry(resources.folder, file, before) for file in files if file.name != own}
    return SkillStamp(mine, others, now)


def _entry(folder: str, file: TreeFile, before: SkillStamp) -> tuple[FileStamp, str]:
    stamp = FileStamp.of(file.info)
    return stamp, before.known(file.name, stamp) or _digest(folder, file)


def _digest(folder: str, file: TreeFile) -> str:
    if file.info.st_size > HASHED_BYTES:
        return f"{file.info.st_size} bytes"
    content = read_below(os.path.realpath(folder), file.parts, HASHED_BYTES)
    return content.code if isinstance(content, Finding) else content_digest(content.data)
