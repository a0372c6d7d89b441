"""
A file of named blocks: how an index is kept on disk between two processes.

    magic, format, lengths, checksum │ header (JSON): name → kind, place, length │ blocks, aligned

The question: what is read at every start must be there at once, and must never be wrong.  The choice:
blocks are arrays of numbers, which are used where they lie in the mapped file, or JSON.  Nothing in it
is ever executed.  A file that is cut off, changed, of another format or made for something else is
refused as a whole, and whoever asked builds anew.

A file is written beside its place and moved there when it is complete, so no reader meets half of one, and
of two writers the last one stays.  It takes the place of nothing but a store: a path given by mistake costs
nobody a file.  Its checksum is a sum of 64-bit words, which takes 0.15 ms a megabyte:
it finds accidents.  Against forgers stands the system: a file of another user, or that others may write
to, is not read.  What its own user makes up is checked as far as that costs nothing; it may lead to wrong
answers or errors, never to anything being run.

Rejected: pickle, which runs what it reads; a database, which would be asked thousands of times.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import stat
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from skill_index.errors import StoreError

FORMAT = 4
"""The number of the format; another one is not read."""

_MAGIC = b"skill_index\0"
_PREFIX = struct.Struct("<12sIQQQ")  # magic, format, bytes of the header, of the whole file, checksum
_ALIGNED = 64
_DAMAGED = "it is damaged"
_JSON, _BYTES = "json", "bytes"
_NUMBERS = frozenset({"|u1", "<u2", "<u4", "<i4", "<i8", "<f4", "<f8"})

Contents: TypeAlias = Mapping[str, Any]
"""What is written by name: arrays of numbers, bytes, and for all else what JSON can say."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """What a store holds, by name; raises `StoreError` for what it does not hold in this form."""

    path: str
    _data: memoryview
    _places: Mapping[str, tuple[str, int, int, int]]

    def json(self, name: str) -> Any:
        """Return a value of JSON."""
        return self.value(self._block(name, _JSON))

    def value(self, data: memoryview | bytes) -> Any:
        """Return the value that bytes of a block say in JSON."""
        try:
            return json.loads(str(data, "utf-8", "surrogatepass"))
        except (ValueError, RecursionError) as error:
            raise StoreError(self.path, "it holds what is no JSON") from error

    def bytes(self, name: str) -> memoryview:
        """Return a block of bytes."""
        return self._block(name, _BYTES)

    def array(self, name: str, kind: str) -> np.ndarray[Any, np.dtype[Any]]:
        """Return an array, where it lies, whose numbers are of one of these kinds, by numpy's letters."""
        dtype, _, _, columns = self._place(name)
        if dtype not in _NUMBERS or np.dtype(dtype).kind not in kind:
            raise StoreError(self.path, f"{name} is not of the kind of numbers that is needed")
        flat = np.frombuffer(self._block(name, dtype), dtype)
        flat = flat.astype(flat.dtype.newbyteorder("="), copy=False)
        return flat.reshape(-1, columns) if columns else flat

    def table(self, name: str) -> Any:
        """Return an array or bytes, as it was given to be written."""
        return self.bytes(name) if self._place(name)[0] == _BYTES else self.array(name, "iuf")

    def names(self, prefix: str) -> list[str]:
        """Return the names that begin so."""
        return [name for name in self._places if name.startswith(prefix)]

    def _block(self, name: str, kind: str) -> memoryview:
        found, start, size, _ = self._place(name)
        if found != kind:
            raise StoreError(self.path, f"{name} is {found}, not {kind}")
        return self._data[start : start + size]

    def _place(self, name: str) -> tuple[str, int, int, int]:
        if name not in self._places:
            raise StoreError(self.path, f"it has no {name}")
        return self._places[name]


def code_mark() -> list[tuple[str, int, int]]:
    """
    Return what tells two states of this library apart: the names, sizes and times of its modules.

    Its version does not change with every commit, and what was analysed by other code is not to be used.
    """
    modules = sorted(Path(__file__).parent.rglob("*.py"))
    infos = ((path.as_posix(), path.stat()) for path in modules)
    return [(name, info.st_size, info.st_mtime_ns) for name, info in infos]


def read_store(path: str, key: str) -> Blocks | None:
    """
    Return what a store holds that was written with the same key, None where there is no file.

    Raises `StoreError` for one that is not to be used.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise StoreError(path, f"it cannot be opened: {_reason(error)}") from error
    try:
        _check_owner(path, os.fstat(descriptor))
        data = memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # ValueError: it is empty
        raise StoreError(path, f"it cannot be read: {_reason(error)}") from error
    finally:
        os.close(descriptor)
    return _opened(path, data, key)


def _check_owner(path: str, info: os.stat_result) -> None:
    """Refuse what may come from somebody else; systems without numbers for users see to that otherwise."""
    if not stat.S_ISREG(info.st_mode):
        raise StoreError(path, "it is not a file")
    if hasattr(os, "geteuid") and (info.st_uid != os.geteuid() or info.st_mode & 0o022):
        raise StoreError(path, "it belongs to another user, or others may write to it")


def _opened(path: str, data: memoryview, key: str) -> Blocks:
    if len(data) < _PREFIX.size:
        raise StoreError(path, "it is cut off")
    magic, form, header_size, size, checksum = _PREFIX.unpack_from(data)
    if magic != _MAGIC:
        raise StoreError(path, "it is no store")
    if form != FORMAT:
        raise StoreError(path, "it was written by another version")
    if size != len(data) or size % 8 or _PREFIX.size + header_size > size:
        raise StoreError(path, "it is cut off")
    if checksum != (header_size + _checksum(data[_PREFIX.size :])) % 2**64:
        raise StoreError(path, _DAMAGED)
    try:
        header = json.loads(bytes(data[_PREFIX.size : _PREFIX.size + header_size]))
        written_for = header["key"]
        places = {
            name: (str(kind), int(start), int(length), int(columns))
            for name, (kind, start, length, columns) in header["blocks"].items()
        }
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise StoreError(path, _DAMAGED) from error
    if written_for != key:
        raise StoreError(path, "it was written for other sources or settings, or by another version")
    for _, start, length, columns in places.values():
        if not 0 <= start <= start + length <= size or columns < 0:
            raise StoreError(path, _DAMAGED)
    return Blocks(path, data, places)


def write_store(path: str, key: str, contents: Contents) -> None:
    """
    Write a store, readable by its user alone; raises `StoreError` where that cannot be done.

    What is at its place and is no store stays, and that is an error, too.
    """
    import tempfile  # here: most starts write nothing

    temporary = ""
    try:
        if not _is_free(path):
            raise StoreError(path, "what is there is no store, and stays as it is")
        folder = Path(path).parent
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(".tmp", f".{Path(path).name[:100]}.", folder)
        with open(descriptor, "wb") as file:  # noqa: PTH123  (a descriptor)
            for piece in _pieces(key, contents):
                file.write(piece)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, path)  # noqa: PTH105  (text in, text out)
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError):
            if temporary:
                os.unlink(temporary)  # noqa: PTH108
        raise StoreError(path, _reason(error)) from error


def _is_free(path: str) -> bool:
    """Say whether a store may be put at a path: nothing is there, or a store, cut off as it may be."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116  (text in, text out)
            return False
        with open(path, "rb") as file:  # noqa: PTH123
            return _MAGIC.startswith(file.read(len(_MAGIC)))
    except FileNotFoundError:
        return True


def _pieces(key: str, contents: Contents) -> Iterator[bytes | memoryview]:
    """Yield the parts of a file, in order."""
    encoded = {name: _encoded(value) for name, value in contents.items()}
    places = {}
    at = 0
    for name, (kind, data, columns) in encoded.items():
        places[name] = (kind, at, len(data), columns)
        at += len(data) + -len(data) % _ALIGNED
    # The places depend on how long the header is, which depends on the places: so it gets room.
    room = len(_header(key, places, 0)) + 20 * len(places) + _PREFIX.size
    first = room + -room % _ALIGNED
    header = _header(key, places, first).ljust(first - _PREFIX.size)
    padded = [(data, b"\0" * (-len(data) % _ALIGNED)) for _, data, _ in encoded.values()]
    total = (len(header) + _checksum(header) + sum(_checksum(data) for data, _ in padded)) % 2**64
    yield _PREFIX.pack(_MAGIC, FORMAT, len(header), first + at, total)
    yield header
    for data, padding in padded:
        yield data
        yield padding


def _header(key: str, places: Mapping[str, tuple[str, int, int, int]], first: int) -> bytes:
    moved = {name: (kind, first + at, size, columns) for name, (kind, at, size, columns) in places.items()}
    return json.dumps({"key": key, "blocks": moved}).encode("ascii")


def _encoded(value: Any) -> tuple[str, memoryview, int]:
    if isinstance(value, np.ndarray):
        array = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
        columns = value.shape[1] if value.ndim > 1 else 0
        return array.dtype.str, array.reshape(-1).view(np.uint8).data, columns
    if isinstance(value, bytes | memoryview):
        return _BYTES, memoryview(value), 0
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _JSON, memoryview(text.encode("utf-8", "surrogatepass")), 0


def _checksum(data: bytes | memoryview) -> int:
    """Return the sum of all words, as if zeros followed."""
    whole = len(data) // 8 * 8
    rest = int.from_bytes(bytes(data[whole:]), "little")
    return (int(np.frombuffer(data[:whole], "<u8").sum(dtype=np.uint64)) + rest) % 2**64


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
