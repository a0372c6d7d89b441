"""
The skills of a zip, .skill or tar archive, read in memory.

What an archive holds becomes a mapping and is read as `MemorySource` reads one, so the rules for
names, order and resources are written once; a skill in it is what would be one in a folder.  Its
path is the root of its skills: a finding at that path is about all of them, and a `Reader` keeps
them when the archive can no longer be read.

An archive is one file, so one stat says whether any of its skills changed.  Only the source
can name the skills of a file it does not open, hence it remembers their places; whether each
is really known it asks the reader, which may be another one than before.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill, Unchanged
from skill_index.sources.base import Known, unknown
from skill_index.sources.directory import absolute_root
from skill_index.sources.labels import clean_label, short_labels
from skill_index.sources.memory import MemorySource, search_of
from skill_index.sources.problems import failure, problem
from skill_index.sources.reading import read_file
from skill_index.sources.stamps import FileStamp
from skill_index.sources.unpacking import NO_MORE_THAN, ArchiveLimits, unpack

_SUFFIXES = (".tar.gz", ".skill", ".tgz", ".tar", ".zip")


def is_archive(path: str | os.PathLike[str]) -> bool:
    """
    Return whether a path has the name of an archive.

    >>> is_archive("kit.skill"), is_archive("kit.tar.gz"), is_archive("skills")
    (True, True, False)
    """
    return os.fsdecode(path).lower().endswith(_SUFFIXES)


class ArchiveStamp(NamedTuple):
    """An archive as it was: its stat, or the digest of its bytes, and whether that can be trusted."""

    mark: FileStamp | str
    settled: bool


class _Seen(NamedTuple):
    stamp: ArchiveStamp
    items: tuple[Origin | Finding, ...]


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    r"""
    The SKILL.md files of an archive: a path, or its bytes.

    What kind it is its content says: a zip (`.skill` is one too) or a tar, plain or gzipped.  A
    `label` left empty is the file's name without suffix.  Skills are not `trusted` unless said so,
    since an archive mostly comes from elsewhere.  See `ArchiveLimits` for what it may cost.

    Names that lead out, links, devices, encrypted and damaged members are findings and cost only
    themselves; hidden names and caches are passed by, and so are retired copies and, unless `nested`, files
    below another SKILL.md, as in a folder.  Raises ValueError for an empty path.

    >>> [finding.code for finding in ArchiveSource(b"PK\x03\x04 and no more").scan()]
    ['unreadable']
    """

    archive: str | os.PathLike[str] | bytes = field(repr=False)
    label: str = ""
    _: dataclasses.KW_ONLY
    trusted: bool = False
    nested: bool = False
    limits: ArchiveLimits = NO_MORE_THAN
    _seen: list[_Seen] = field(default_factory=list, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        label = "archive"
        if not isinstance(self.archive, bytes):
            path = absolute_root(self.archive)
            object.__setattr__(self, "archive", path)
            label = _without_suffix(short_labels([path])[0])
        object.__setattr__(self, "label", clean_label(self.label) or label)

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield the problems met, then the skills in the order of their paths."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[RawSkill | Unchanged | Finding]:
        """Yield what `scan` does, but open the archive only when it may have changed."""
        stamp = self._look()
        if isinstance(stamp, Finding):
            yield stamp
            return
        seen = self._seen[0] if self._seen else None
        if seen is not None and _is_as_before(seen, stamp, known):
            yield from (Unchanged(item) if isinstance(item, Origin) else item for item in seen.items)
            return
        data = self._packed()
        if isinstance(data, Finding):
            yield data
            return
        items = tuple(self._unpacked(data, stamp))
        places = tuple(item.origin if isinstance(item, RawSkill) else item for item in items)
        self._seen[:] = [_Seen(stamp, places)]
        yield from items

    @property
    def _root(self) -> str:
        return "" if isinstance(self.archive, bytes) else os.fspath(self.archive)

    def _look(self) -> ArchiveStamp | Finding:
        if isinstance(self.archive, bytes):
            return ArchiveStamp(hashlib.sha256(self.archive).hexdigest(), settled=True)
        now = time.time_ns()
        try:
            info = os.stat(self._root)  # noqa: PTH116  (a text, which may hold NUL)
        except FileNotFoundError:
            return problem("root-missing", self._root, "there is no such archive; correct the path")
        except (OSError, ValueError) as error:
            return failure(error, self._root)
        if not stat.S_ISREG(info.st_mode):
            message = "is no file and so no archive; a folder of skills is a DirectorySource"
            return problem("unreadable", self._root, message)
        mark = FileStamp.of(info)
        return ArchiveStamp(mark, mark.settled(now))

    def _unpacked(self, data: bytes, stamp: ArchiveStamp) -> Iterator[RawSkill | Finding]:
        unpacked = unpack(data, self.limits)
        yield from map(self._placed, unpacked.findings)
        for item in search_of(
            MemorySource(unpacked.files, self.label, trusted=self.trusted), nested=self.nested
        ):
            if isinstance(item, RawSkill):
                origin = dataclasses.replace(item.origin, root=self._root)
                yield dataclasses.replace(item, origin=origin, stamp=stamp)
            else:
                yield self._placed(item)

    def _packed(self) -> bytes | Finding:
        """Return the archive; every reason why not means that the whole of it could not be looked at."""
        limit = self.limits.packed_bytes
        message = f"is larger than {limit:,} bytes, and was not read; split it"
        if isinstance(self.archive, bytes):
            fits = len(self.archive) <= limit
            return self.archive if fits else problem("unreadable", self.label, message)
        # A link is followed as one to a folder of skills is: who names an archive means it.
        content = read_file(os.path.realpath(self._root), limit)
        if not isinstance(content, Finding):
            return content.data
        said = message if content.code == "file-too-large" else content.message
        return problem("unreadable", self._root, said)

    def _placed(self, finding: Finding) -> Finding:
        inside = f"{self._root}/{finding.path}" if self._root and finding.path else finding.path
        return dataclasses.replace(finding, path=inside or self._root or self.label)


def _is_as_before(seen: _Seen, stamp: ArchiveStamp, known: Known) -> bool:
    places = (item for item in seen.items if isinstance(item, Origin))
    same = seen.stamp.settled and seen.stamp.mark == stamp.mark
    return same and all(known(place) == seen.stamp for place in places)


def _without_suffix(name: str) -> str:
    return next((name.removesuffix(end) for end in _SUFFIXES if name.endswith(end) and name != end), name)
