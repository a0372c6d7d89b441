"""
The output of a script in bounded memory: its beginning and its end, whatever is printed between.

A beginning says what a script set out to do and an end how it failed; a flood is in the middle.
Rejected: the end alone, which loses the first error of many; a file, which fills the disk.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from typing import NamedTuple

_REPLACEMENT = "\ufffd"


class Output(NamedTuple):
    """What is kept of an output, how many bytes of its middle are not, and whether some were no text."""

    text: str
    omitted: int
    replaced: bool = False


@dataclass(slots=True)
class Capture:
    r"""
    Collects bytes and keeps at most `limit` of them, three quarters from the beginning.

    >>> capture = Capture(8)
    >>> capture.add(b"0123456789")
    >>> capture.output()
    Output(text='012345\n[2 bytes left out]\n89', omitted=2, replaced=False)
    """

    limit: int
    total: int = 0
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)

    def add(self, data: bytes) -> None:
        """Take what was printed next."""
        self.total += len(data)
        room = self.limit - self.limit // 4 - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        del self.tail[: max(0, len(self.tail) - self.limit // 4)]

    def output(self) -> Output:
        """Return what was kept as text: bytes that are no UTF-8 replaced, no character cut in two."""
        if self.total <= self.limit:
            text, replaced = _decoded(self.head + self.tail)
            return Output(text, 0, replaced)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        decoder.decode(bytes(self.head))
        cut, _ = decoder.getstate()
        head, tail = self.head[: len(self.head) - len(cut)], _from_boundary(self.tail)
        (first, one), (last, other) = _decoded(head), _decoded(tail)
        omitted = self.total - len(head) - len(tail)
        return Output(f"{first}\n[{omitted:,} bytes left out]\n{last}", omitted, one or other)


def _decoded(data: bytearray) -> tuple[str, bool]:
    """Return bytes as text, and whether some of them were replaced, since they are no UTF-8."""
    text = data.decode("utf-8", "replace")
    return text, text.count(_REPLACEMENT) > data.count(_REPLACEMENT.encode())


def _from_boundary(data: bytearray) -> bytearray:
    """Return `data` without the end of a character whose beginning is not in it."""
    start = 0
    while start < min(3, len(data)) and data[start] & 0xC0 == 0x80:
        start += 1
    return data[start:]
