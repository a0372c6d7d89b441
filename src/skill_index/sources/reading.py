"""
Read one file of a stranger's tree: never hang, never read too much, never leave the folder.

A SKILL.md may be a pipe, a device, a link to a private key, or grow while it is read.  A check
by name before opening would be raced, so the open descriptor itself is asked what it is, and
the read itself is bounded.  Links are resolved first and must end in the file's own folder;
what is opened then is the resolved path, with links refused.  Rejected: links to anywhere below
a root, since a root may hold what its skills should not publish, and a root can be a home folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from skill_index.findings import Finding
from skill_index.sources.problems import failure, link_failure, problem, too_large

# NONBLOCK: a pipe without a writer must not wait.  A system that lacks a flag has no such file.
_FLAGS = os.O_RDONLY
for _name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY", "O_BINARY", "O_NOINHERIT"):
    _FLAGS |= getattr(os, _name, 0)


class Identity(NamedTuple):
    """What a file or folder really is, whatever path led to it."""

    device: int
    inode: int


class FileContent(NamedTuple):
    """The bytes of a regular file, and which file it was."""

    data: bytes
    identity: Identity | None


def identity_of(info: os.stat_result) -> Identity | None:
    """Return the identity in a stat result, None on disks that number nothing."""
    return Identity(info.st_dev, info.st_ino) if info.st_ino else None


def read_file(path: str, limit: int) -> FileContent | Finding:
    """
    Return the content of the regular file at `path`, or the finding that says why not.

    At most `limit` bytes are accepted and `limit + 1` read.  A link is followed only to a file
    in the link's own folder or below; `link-out` is found without a byte read.
    """
    try:
        info = os.lstat(path)
        target = _resolve(path) if stat.S_ISLNK(info.st_mode) else path
        if isinstance(target, Finding):
            return target
        if target is not path:
            info = os.lstat(target)
        # Asked before opening as well: to open a device can already act on it.
        return _read_regular(path, target, limit) if stat.S_ISREG(info.st_mode) else _no_file(path, info)
    except OSError as error:
        return failure(error, path)


_BY_DESCRIPTOR = os.open in os.supports_dir_fd
_FOLDER_FLAGS = os.O_RDONLY
for _name in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"):
    _FOLDER_FLAGS |= getattr(os, _name, 0)


def read_below(root: str, parts: Sequence[str], limit: int) -> FileContent | Finding:
    """
    Return the content of the regular file at `parts` below the real folder `root`, or why not.

    Each part is opened from the descriptor of the one before, links refused: whatever is swapped
    meanwhile, the file read lies below the folder.
    """
    path = "/".join((root, *parts))
    try:
        descriptor = _open_below(root, parts)
        try:
            return _read_descriptor(path, descriptor, limit)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            return problem("link-out", path, "became a link after it was listed, and was not read")
        return failure(error, path)


def _open_below(root: str, parts: Sequence[str]) -> int:
    *folders, name = parts
    if not _BY_DESCRIPTOR:
        path = os.path.join(root, *parts)  # noqa: PTH118
        if os.path.realpath(path) != path:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return os.open(path, _FLAGS)
    at = os.open(root, _FOLDER_FLAGS)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER_FLAGS, dir_fd=at)
            os.close(at)
            at = inner
        return os.open(name, _FLAGS, dir_fd=at)
    finally:
        os.close(at)


def _resolve(path: str) -> str | Finding:
    try:
        target = os.path.realpath(path, strict=True)
    except OSError as error:
        return link_failure(error, path)
    if Path(target).is_relative_to(os.path.realpath(os.path.dirname(path))):  # noqa: PTH120  (text in, text out)
        return target
    return problem(
        "link-out", path, "is a link that leaves the skill's folder, and was not read; copy the file"
    )


def _read_regular(path: str, target: str, limit: int) -> FileContent | Finding:
    descriptor = os.open(target, _FLAGS)
    try:
        return _read_descriptor(path, descriptor, limit)
    finally:
        os.close(descriptor)


def _read_descriptor(path: str, descriptor: int, limit: int) -> FileContent | Finding:
    info = os.fstat(descriptor)
    if not stat.S_ISREG(info.st_mode):
        return _no_file(path, info)
    if info.st_size > limit:
        return too_large(path, f"{info.st_size:,}", limit)
    data = _read_bounded(descriptor, info.st_size, limit)
    if len(data) > limit:
        return too_large(path, f"more than {limit:,}", limit)
    return FileContent(data, identity_of(info))


def _read_bounded(descriptor: int, size: int, limit: int) -> bytes:
    # Asking for one byte more than the size shows whether the file grew since.
    data = os.read(descriptor, size + 1)
    while len(data) <= limit and (more := os.read(descriptor, min(limit + 1 - len(data), 1 << 16))):
        data += more
    return data


def _no_file(path: str, info: os.stat_result) -> Finding:
    kinds = {stat.S_IFDIR: "folder", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFLNK: "link"}
    kind = kinds.get(stat.S_IFMT(info.st_mode), "device")
    return problem("not-a-file", path, f"is not a regular file but a {kind}, and was not read")
