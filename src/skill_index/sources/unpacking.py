"""
Unpack an archive of a stranger in memory: files by name, and what was refused and why.

    bytes ─▶ members ─name, kind─▶ bytes, counted while they come out ─▶ files

Nothing is written to disk, so a name cannot lead anywhere; names that try are refused all the
same, since hosts copy skills to disk later.  Sizes that an archive declares are never believed.
One bad member is a finding and costs only itself; what ends the reading (damage to the whole, a
limit of the whole) is the finding `unreadable`, and what came out before is kept.

Rejected: refusing the archive for its first bad member, which loses fifty skills for one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BufferedIOBase, BytesIO
from typing import IO

from skill_index.findings import Finding
from skill_index.resources import is_speakable, leads_out
from skill_index.sources.containers import ArchiveError, Member, is_gzip, members, open_gzip
from skill_index.sources.problems import problem, too_large
from skill_index.sources.rules import is_unlisted
from skill_index.text import one_line

CHUNK = 64 << 10
"""Bytes taken from a decompressor at once: what is counted can pass a limit by no more."""

_SHOWN_NAME = 200


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may cost at most."""

    packed_bytes: int = 32 << 20
    """The archive itself is held in memory; a hundred skills with their scripts have a tenth of it."""

    members: int = 10_000
    """Each costs memory and a look, however small it is."""

    member_bytes: int = 16 << 20
    """One file unpacked: twice the resource that is read for a model."""

    unpacked_bytes: int = 64 << 20
    """All files unpacked, which stay in memory as long as their skills; in a .tar.gz with its headers."""

    ratio: int = 100
    """Bytes that may come out of one; text gives about 4, a bomb 1,000.  Up to `member_bytes` is free."""

    name_chars: int = 1_000
    """Characters of a name; longer ones cannot be unpacked on most disks."""

    depth: int = 16
    """Folders above a member; skills in skills list what lies below again and again."""

    def allowed(self, packed: int) -> int:
        """Return how many bytes may come out of so many."""
        return min(self.unpacked_bytes, max(self.member_bytes, self.ratio * packed))


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The files of an archive, what was wrong (paths are names in it), and the bytes that came out."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]
    counted: int


@dataclass(slots=True)
class _Meter:
    allowed: int
    counted: int = 0

    def read(self, stream: IO[bytes] | BufferedIOBase, limit: int) -> bytes | None:
        """Return the whole stream, None when it is longer than `limit`; its end is always asked for."""
        parts: list[bytes] = []
        size = 0
        while size <= limit and (part := stream.read(min(CHUNK, limit + 1 - size))):
            size += len(part)
            self.counted += len(part)
            if self.counted > self.allowed:
                message = f"unpacks to more than {self.allowed:,} bytes, and the rest was not read; split it"
                raise ArchiveError(message)
            parts.append(part)
        return b"".join(parts) if size <= limit else None


NO_MORE_THAN = ArchiveLimits()
"""The limits of an archive for which nobody named others."""


def unpack(data: bytes, limits: ArchiveLimits = NO_MORE_THAN) -> Unpacked:
    """
    Return what an archive holds; no bytes make it raise.

    >>> unpack(b"no archive").findings[0].code
    'unreadable'
    """
    work = _Unpacking(limits, _Meter(limits.allowed(len(data))))
    try:
        work.run(data)
    except ArchiveError as error:
        work.findings.append(problem("unreadable", "", str(error)))
    except Exception as error:  # noqa: BLE001  (what the parsers raise for damage is listed nowhere)
        message = f"is damaged, and its rest was not read; pack it again ({type(error).__name__}: {error})"
        work.findings.append(problem("unreadable", "", message))
    return Unpacked(work.files, tuple(work.findings), work.meter.counted)


@dataclass(slots=True)
class _Unpacking:
    limits: ArchiveLimits
    meter: _Meter
    files: dict[str, bytes] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    taken: dict[str, str] = field(default_factory=dict)

    def run(self, data: bytes) -> None:
        if is_gzip(data):
            # Whole before the first member is believed: the checksum stands at its end.
            with open_gzip(data) as stream:
                data = self.meter.read(stream, self.meter.allowed) or b""
            self.meter = _Meter(self.meter.allowed)
        for member in members(data, self.limits.members):
            self.take(member)

    def take(self, member: Member) -> None:
        name = member.name.removesuffix("/").removeprefix("./")
        if member.is_folder and name in {"", "."}:
            return
        if _is_unsafe(name):
            message = "has a name that leads elsewhere or means different things to systems; rename it"
            self.report("unsafe-name", name, message)
        elif not member.is_folder and not _is_ignored(name):
            fault = self.name_fault(name) or member.fault or self.repeated(name)
            if fault is None:
                self.read(name, member)
            else:
                self.report(fault[0], name, fault[1])

    def name_fault(self, name: str) -> tuple[str, str] | None:
        parts = name.split("/")
        if len(name) > self.limits.name_chars or not all(map(is_speakable, parts)):
            return "odd-name", "has a name that is too long or cannot be shown, and was not read; rename it"
        if len(parts) - 1 > self.limits.depth:
            return "too-deep", f"is more than {self.limits.depth} folders deep, and was not read"
        return None

    def repeated(self, name: str) -> tuple[str, str] | None:
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
        if key not in self.taken:
            self.taken[key] = name
            return None
        shown = one_line(self.taken[key], _SHOWN_NAME)
        return "second-member", f"is ignored after {shown}: many disks hold only one of them; remove one"

    def read(self, name: str, member: Member) -> None:
        try:
            content = self.content(member)
        except ArchiveError:
            raise
        except Exception as error:  # noqa: BLE001  (as above; the other members may be whole)
            message = f"is damaged, and was not read; pack it again ({type(error).__name__}: {error})"
            self.report("member-unreadable", name, message)
            return
        if content is None:
            limit = self.limits.member_bytes
            self.findings.append(too_large(name, f"more than {limit:,}", limit))
        else:
            self.files[name] = content

    def content(self, member: Member) -> bytes | None:
        with member.open() or BytesIO() as stream:
            return self.meter.read(stream, self.limits.member_bytes)

    def report(self, code: str, name: str, message: str) -> None:
        self.findings.append(problem(code, one_line(name, _SHOWN_NAME), message))


def _is_unsafe(name: str) -> bool:
    parts = name.split("/")
    return leads_out(name) or "\\" in name or ":" in name or "." in parts or not all(parts)


def _is_ignored(name: str) -> bool:
    return any(map(is_unlisted, name.split("/")))
