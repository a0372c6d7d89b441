"""Text in pages: laid end to end they are the text, each is within its size, and bytes are decoded or not."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.text import well_formed
from skill_index.tools.pages import Decoded, decode, page, past_end

TEXTS = st.text(st.characters() | st.sampled_from("\n\r\n\u2028é日\U0001f600\ud800"), max_size=80)


@given(TEXTS, st.integers(0, 30), st.none() | st.integers(1, 3))
def test_pages_laid_end_to_end_are_the_text(text: str, size: int, lines: int | None) -> None:
    """Each page goes on where the last ended, is within its bytes and lines, and is never empty."""
    pieces: list[str] = []
    line, column = 1, 1
    while True:
        shown = page(text, line, column, lines, size)
        assert shown is not None
        pieces.append(shown.text)
        assert len(shown.text.encode()) <= size or len(shown.text) <= 1
        assert lines is None or shown.text.count("\n") <= lines
        assert shown.first == line
        if shown.next_line is None:
            assert (shown.going_on, shown.last) == ({}, shown.total)
            break
        assert shown.text
        assert (shown.next_line, shown.next_column) > (line, column)
        line, column = shown.going_on["offset"], shown.going_on.get("column", 1)
    assert "".join(pieces) == well_formed(text)


@given(TEXTS, st.integers(1, 12), st.integers(1, 12))
def test_a_page_begins_anywhere_in_the_text_and_nowhere_else(text: str, line: int, column: int) -> None:
    """Where a line and column exist the page begins there; beyond them there is none, which is said."""
    rows = well_formed(text).split("\n")
    ends = [f"{row}\n" for row in rows[:-1]] + ([rows[-1]] if rows[-1] else [])
    shown = page(text, line, column, None, 10_000)
    if line <= len(ends) and column <= max(len(ends[line - 1]), 1):
        assert shown is not None
        assert shown.text == "".join([ends[line - 1][column - 1 :], *ends[line:]])
    elif (line, column) == (1, 1):
        assert shown is not None
        assert shown.text == ""
    elif ends:
        assert shown is None
        error = past_end("a.md", text, (line, column)).error
        assert error is not None
        assert error.recovery == f"give an offset from 1 to {len(ends)}, and no column"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 2, 1, "'a' has 0 lines, so there is nothing at line 2"),
        ("one", 2, 1, "'a' has 1 line, so there is nothing at line 2"),
        ("one\ntwo", 1, 9, "line 1 of 'a' has 4 characters, and none at column 9"),
    ],
)
def test_what_lies_beyond_the_end_is_said(text: str, line: int, column: int, message: str) -> None:
    """The answer tells how far the text goes."""
    assert page(text, line, column, None, 100) is None
    error = past_end("a", text, (line, column)).error
    assert error is not None
    assert (error.code, error.message) == ("offset-past-end", message)


ONE_LINE = [
    ("no break at the end", "a\nb", 2),
    ("a break at the end", "a\nb\n", 2),
    ("an empty text", "", 0),
    ("carriage returns stay", "a\r\nb\rc", 2),
    ("other breaks are letters", "a\u2028b\x0bc\x85d\x1ee", 1),
    ("empty lines count", "\n\n\n", 3),
]


@pytest.mark.parametrize(("what", "text", "total"), ONE_LINE, ids=[row[0] for row in ONE_LINE])
def test_lines_are_what_an_editor_counts(what: str, text: str, total: int) -> None:
    """Lines end at line feeds only, and a last one without is a line too."""
    shown = page(text, 1, 1, None, 100)
    assert shown is not None
    assert (shown.text, shown.total, shown.next_line) == (text, total, None)


def test_a_line_of_a_megabyte_goes_on_by_columns() -> None:
    """A line longer than a page is given in pieces, none of which cuts a character in two."""
    text = "é" * 500_000
    first = page(text, 1, 1, None, 16_001)
    assert first is not None
    assert first.text == "é" * 8_000
    assert first.going_on == {"offset": 1, "column": 8_001}
    last = page(text, 1, 500_000, None, 16_001)
    assert last is not None
    assert (last.text, last.next_line) == ("é", None)


MARKED = "UTF-8 with a byte order mark"
DECODED: list[tuple[str, bytes, Decoded | None]] = [
    ("empty", b"", Decoded("", "UTF-8")),
    ("ascii", b"a\r\nb", Decoded("a\r\nb", "UTF-8")),
    ("a mark", codecs.BOM_UTF8 + b"a", Decoded("a", MARKED)),
    ("a mark alone", codecs.BOM_UTF8, Decoded("", MARKED)),
    ("UTF-16, little end first", "né\n".encode("utf-16-le"), None),
    ("the same with a mark", codecs.BOM_UTF16_LE + "né\n".encode("utf-16-le"), Decoded("né\n", "UTF-16")),
    ("big end first", codecs.BOM_UTF16_BE + "né".encode("utf-16-be"), Decoded("né", "UTF-16")),
    ("UTF-32", codecs.BOM_UTF32_LE + "né".encode("utf-32-le"), Decoded("né", "UTF-32")),
    ("UTF-16 with half a unit", codecs.BOM_UTF16_LE + b"a\0b", None),
    ("UTF-16 with half a pair", codecs.BOM_UTF16_LE + b"\x00\xd8", None),
    ("UTF-16 with a NUL", codecs.BOM_UTF16_LE + b"a\0\0\0", None),
    ("a NUL", b"a\0b", None),
    ("a NUL after a mark", codecs.BOM_UTF8 + b"a\0b", None),
    ("one wrong byte", b"caf\xe9" + b"x" * 20, Decoded("caf\ufffd" + "x" * 20, "UTF-8", 1)),
    ("one after a mark", codecs.BOM_UTF8 + b"\xff" + b"x" * 20, Decoded("\ufffd" + "x" * 20, MARKED, 1)),
    ("many wrong bytes", b"\xff\xfa" * 20, None),
    ("a sign that is really there", "\ufffd".encode(), Decoded("\ufffd", "UTF-8")),
]


@pytest.mark.parametrize(("what", "data", "decoded"), DECODED, ids=[row[0] for row in DECODED])
def test_bytes_are_decoded_as_marked_or_as_utf_8(what: str, data: bytes, decoded: Decoded | None) -> None:
    """No other encoding is guessed; what is no text is None."""
    assert decode(data) == decoded


@given(st.binary(max_size=60) | st.text(max_size=30).map(str.encode))
def test_any_bytes_are_text_without_a_nul_or_no_text(data: bytes) -> None:
    """Nothing raises; what is text can be written as UTF-8, and valid UTF-8 comes back as it was."""
    decoded = decode(data)
    if decoded is None:
        return
    assert "\0" not in decoded.text
    assert decoded.text == well_formed(decoded.text)
    assert (decoded.unreadable > 0) <= ("\ufffd" in decoded.text)
    if decoded.encoding == "UTF-8" and not decoded.unreadable:
        assert decoded.text.encode() == data
