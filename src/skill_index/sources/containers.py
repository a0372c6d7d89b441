"""
The members of a zip or tar archive, told by its first bytes and not by its name.

Both formats are read by the standard library; what it would forgive in silence is told here: a tar
that ends too early, a directory of a zip so long that listing it alone fills the memory.  Only
stored and deflated zip members are opened, since the other methods let a few bytes ask for
gigabytes of work space, and no builder of skills uses them.

Rejected: `shutil` and suffixes, which believe a name that anybody can give; whatever extracts.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedIOBase, BytesIO
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tarfile import TarInfo
    from zipfile import ZipInfo

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # the second begins a zip without members
_ZIP_ENTRY = b"PK\x01\x02"
_GZIP = b"\x1f\x8b"
_TAR, _TAR_AT = b"ustar", 257
_BLOCK = 512

_ENCRYPTED = "is encrypted, and was not read; pack it without a password"
_NO_FILE = "is a link, device or other thing that is no plain file, and was not read; pack the file itself"


class ArchiveError(Exception):
    """The rest of an archive cannot be read; the text says why."""


class Member(NamedTuple):
    """One entry of an archive; `fault` is the code and text of what keeps it from being opened."""

    name: str
    is_folder: bool
    fault: tuple[str, str] | None
    open: Callable[[], IO[bytes] | None]


def is_gzip(data: bytes) -> bool:
    """Return whether these are compressed bytes, in which a tar is looked for."""
    return data.startswith(_GZIP)


def open_gzip(data: bytes) -> BufferedIOBase:
    """Return the stream of what is compressed; its checksum is checked where it ends."""
    import gzip

    return gzip.GzipFile(fileobj=BytesIO(data))


def members(data: bytes, most: int) -> Iterator[Member]:
    """
    Yield the members of an archive in its own order.

    Raises `ArchiveError` for bytes that are no archive, for more than `most` members, and at an
    end that is none; and whatever the standard library raises for damage.
    """
    if data.startswith(_ZIP):
        found = _zip_members(data, most)
    elif data[_TAR_AT:].startswith(_TAR):
        found = _tar_members(data)
    else:
        message = "is neither a zip nor a tar, plain or gzipped; pack the skills as one of them"
        raise ArchiveError(message)
    for count, member in enumerate(found, start=1):
        if count > most:
            raise _too_many(most)
        yield member


def _too_many(most: int) -> ArchiveError:
    return ArchiveError(f"has more than {most:,} members, and the rest was not read; split it")


def _zip_members(data: bytes, most: int) -> Iterator[Member]:
    from zipfile import ZipFile

    # Each is a thousand bytes of memory as soon as the archive is opened; what a stored archive
    # holds is counted along, which errs on the safe side.
    if data.count(_ZIP_ENTRY) > most:
        raise _too_many(most)
    with ZipFile(BytesIO(data)) as packed:
        for info in packed.infolist():
            # Its other name is cut at NUL.
            name = info.orig_filename
            yield Member(name, name.endswith("/"), _zip_fault(info), partial(packed.open, info))


def _zip_fault(info: ZipInfo) -> tuple[str, str] | None:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    if info.flag_bits & 1:
        return "member-unreadable", _ENCRYPTED
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return "not-a-file", _NO_FILE
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        method = f"is packed by method {info.compress_type}, and was not read; use deflate"
        return "member-unreadable", method
    return None


def _tar_members(data: bytes) -> Iterator[Member]:
    import tarfile

    # The encoding is named: that of the machine would make one archive read differently elsewhere.
    with tarfile.open(fileobj=BytesIO(data), mode="r:", encoding="utf-8") as packed:
        for info in packed:
            yield Member(info.name, info.isdir(), _tar_fault(info), partial(packed.extractfile, info))
        # A header that cannot be read ends the list without an error, as an end would.
        if data[packed.offset : packed.offset + _BLOCK] != bytes(_BLOCK):
            message = "ends too early or is damaged, and its rest was not read; pack it again"
            raise ArchiveError(message)


def _tar_fault(info: TarInfo) -> tuple[str, str] | None:
    # A sparse file may claim any size of zeros; nobody packs texts that way.
    plain = info.isdir() or (info.isreg() and not info.issparse())
    return None if plain else ("not-a-file", _NO_FILE)
