"""
Text in pages: bytes to text with the encoding said, and text cut where a model can go on.

    bytes ─decode─▶ text + encoding, or nothing for what is no text
    text  ─page──▶ as much as fits, and the line and column of what comes next

Laid end to end, the pages of a text are that text: a line too long for a page goes on in the next.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from skill_index.text import well_formed
from skill_index.tools.reply import ToolFailure, ToolReply, failed

_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with a byte order mark"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_TOLERATED = 0.1  # of a text's characters may be unreadable; with more it is no text


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the name of its encoding, and how many of its bytes could not be read."""

    text: str
    encoding: str
    unreadable: int = 0


def decode(data: bytes) -> Decoded | None:
    r"""
    Return bytes as text, None for what is no text.

    UTF-8 unless a byte order mark says otherwise; no other encoding is guessed, since a wrong
    guess reads as text.  Bytes that are no UTF-8 become U+FFFD and are counted.

    >>> decode(b"caf\xc3\xa9"), decode(b"\x00\x01")
    (Decoded(text='café', encoding='UTF-8', unreadable=0), None)
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _utf_8(data[len(mark) :], name) if codec == "utf-8" else _marked(data, codec, name)
    return _utf_8(data, "UTF-8")


def _marked(data: bytes, codec: str, name: str) -> Decoded | None:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else Decoded(text, name)


def _utf_8(data: bytes, name: str) -> Decoded | None:
    if b"\0" in data:
        return None
    text = data.decode("utf-8", "replace")
    lost = len(data) - len(data.decode("utf-8", "ignore").encode("utf-8"))
    return Decoded(text, name, lost) if lost <= _TOLERATED * len(text) else None


@dataclass(frozen=True, slots=True)
class Page:
    """
    A piece of a text: its lines `first` to `last` of `total`, and where the next piece begins.

    The first line may begin at a column above 1 and the last end before its own end; then the next
    piece begins in it.
    """

    text: str
    first: int
    last: int
    total: int
    next_line: int | None = None
    next_column: int = 1

    @property
    def going_on(self) -> dict[str, int]:
        """The arguments of a call for the next piece, none after the last."""
        if self.next_line is None:
            return {}
        column = {"column": self.next_column} if self.next_column > 1 else {}
        return {"offset": self.next_line, **column}


def page(text: str, line: int, column: int, lines: int | None, size: int) -> Page | None:
    r"""
    Return the piece that begins at a line and column (from 1), None beyond the end of the text.

    It holds at most `lines` lines and `size` UTF-8 bytes, but at least one character.

    >>> page("one\ntwo\n", 1, 1, 1, 100)
    Page(text='one\n', first=1, last=1, total=2, next_line=2, next_column=1)
    """
    rows = _rows(text)
    if line > max(len(rows), 1) or (rows and column > max(len(rows[line - 1]), 1)):
        return None
    pieces: list[str] = []
    left = size
    for number in range(line, len(rows) + 1):
        if lines is not None and number == line + lines:
            return Page("".join(pieces), line, number - 1, len(rows), number)
        row = rows[number - 1][column - 1 if number == line else 0 :]
        # One character is given in any case, or a caller would never get on.
        fitting = _fitting(row, left) or ("" if pieces else row[:1])
        if len(fitting) < len(row):
            return _cut(pieces, fitting, number, Page("", line, number, len(rows), number, column))
        pieces.append(row)
        left -= len(row.encode("utf-8"))
    return Page("".join(pieces), line, len(rows), len(rows))


def _cut(pieces: list[str], fitting: str, number: int, start: Page) -> Page:
    """Return the page that ends where no more fits: before a row, or in it if it is the page's first."""
    if pieces:
        return Page("".join(pieces), start.first, number - 1, start.total, number)
    column = (start.next_column if number == start.first else 1) + len(fitting)
    return Page(fitting, start.first, number, start.total, number, column)


def _rows(text: str) -> list[str]:
    """Split at line feeds only: other breaks are characters of a line.  None is half a pair."""
    rows = [f"{row}\n" for row in well_formed(text).split("\n")]
    rows[-1] = rows[-1][:-1]
    return rows if rows[-1] else rows[:-1]


def _fitting(row: str, size: int) -> str:
    """Return as much of a row as fits so many UTF-8 bytes."""
    encoded = row.encode("utf-8")
    return row if len(encoded) <= size else encoded[: max(size, 0)].decode("utf-8", "ignore")


def past_end(name: str, text: str, start: tuple[int, int]) -> ToolReply:
    """Return the answer to a page that begins beyond the end of a text, or of its line."""
    rows = _rows(text)
    line, column = start
    lines = f"{len(rows)} line{'s' if len(rows) != 1 else ''}"
    message = f"{name!r} has {lines}, so there is nothing at line {line}"
    if line <= len(rows):
        message = f"line {line} of {name!r} has {len(rows[line - 1])} characters, and none at column {column}"
    recovery = f"give an offset from 1 to {max(len(rows), 1)}, and no column"
    error = ToolFailure(
        code="offset-past-end", message=message, subject=name, recovery=recovery, retryable=True
    )
    return failed(error)
