"""Where a header starts and ends, and which bytes are text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.parsing.codes import Fault
from skill_index.parsing.frontmatter import read_document
from skill_index.settings import Limits

LIMITS = Limits()


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        ("---\nname: a\n---\nDo it.\n", "name: a", "Do it.\n"),
        ("---\nname: a\n---", "name: a", ""),
        ("---\n---\nDo it.", "", "Do it."),
        ("---  \nname: a\n---\t \nDo it.", "name: a", "Do it."),
        ("---\nname: a --- b\n---\nDo it.", "name: a --- b", "Do it."),
        ("---\n----\n --- \n--- x\n---\nDo it.", "----\n --- \n--- x", "Do it."),
        ("---\nname: a\n---\nDo it.\n---\nMore.", "name: a", "Do it.\n---\nMore."),
        ("---\nname: a\n---\n\n\n  Do it.\n\n", "name: a", "  Do it.\n\n"),
        ("\ufeff---\nname: a\n---\nDo it.", "name: a", "Do it."),
        ("\ufeff\ufeff---\nname: a\n---\nDo it.", "name: a", "Do it."),
        ("---\r\nname: a\r\n---\r\nDo\r\nit.\r\n", "name: a", "Do\nit.\n"),
        ("---\rname: a\r---\rDo it.\r", "name: a", "Do it.\n"),
    ],
)
def test_fences_are_whole_lines(text: str, header: str, body: str) -> None:
    """A fence is a line of three dashes and blanks, whatever the newlines, and the first one closes."""
    document = read_document(text.encode(), LIMITS)
    assert (document.header, document.body, document.opener) == ("\n" + header, body, 1)


@pytest.mark.parametrize(
    ("above", "opener"),
    [
        ("\n \n", 3),
        ("<!-- made by a tool -->\n", 2),
        ("<!-- one\ntwo\n-->\n\n<!-- three -->\n", 6),
        ("<!-- put above the file in whole -->\n\ufeff", 2),
    ],
)
def test_blank_lines_and_comments_may_stand_above(above: str, opener: int) -> None:
    """The opening fence is found below blanks and comments, and header lines keep their line numbers."""
    document = read_document(f"{above}---\nname: a\n---\n".encode(), LIMITS)
    assert document.opener == opener
    assert document.header.split("\n")[opener:] == ["name: a"]


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "header-missing", 1),
        (b"# Title\n\n---\nname: a\n---\n", "header-missing", 1),
        (b"\n<!-- a --> text\n---\nname: a\n---\n", "header-missing", 2),
        (b"<!-- never closed\n---\nname: a\n---\n", "header-missing", 1),
        (b" ---\nname: a\n---\n", "header-missing", 1),
        (b"----\nname: a\n----\n", "header-missing", 1),
        (b"\n---\nname: a\n\n# Steps\nallowed-tools: Bash\n", "header-unclosed", 2),
        (b"---\nname: a\n ---\n----\n", "header-unclosed", 1),
        (b"---\nname: \xe9\n---\n", "not-utf8", 2),
        (b"---\r\nname: a\r\n---\r\n\r\n\xff", "not-utf8", 5),
        (codecs.BOM_UTF16_LE + "---\nname: a\n---\n".encode("utf-16-le"), "not-utf8", 1),
        (codecs.BOM_UTF32_BE + "---\n".encode("utf-32-be"), "not-utf8", 1),
        ("---\nname: a\n---\n".encode("utf-16-le"), "not-text", 1),
        (b"---\nname: a\n---\nDo\0it.", "not-text", 4),
        (b"---\n" + b"#" * LIMITS.header_bytes + b"\n---\n", "header-too-large", 1),
        (b"\n" * LIMITS.header_bytes + b"---\n---\n", "header-too-large", LIMITS.header_bytes + 1),
        (b"-" * (LIMITS.file_bytes + 1), "file-too-large", None),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(data: bytes, code: str, line: int | None) -> None:
    """Each reason to refuse a file has its own code, and the line to look at."""
    with pytest.raises(Fault) as caught:
        read_document(data, LIMITS)
    assert (caught.value.code, caught.value.line) == (code, line)


def test_limits_count_bytes_and_allow_what_they_say() -> None:
    """A file and a header of exactly the limit are read, one byte more is not."""
    data = b"---\nname: aaaa\n---\n"
    exact = Limits(file_bytes=len(data), header_bytes=len(b"---\nname: aaaa"))
    assert read_document(data, exact).opener == 1
    for limits in (Limits(file_bytes=len(data) - 1), Limits(header_bytes=exact.header_bytes - 1)):
        with pytest.raises(Fault):
            read_document(data, limits)


def test_hidden_characters_of_a_header_become_blanks() -> None:
    """Controls and odd line breaks cannot move lines or reach a value; the body stays as it is."""
    document = read_document(
        "---\nname: a\x1b[2J\ndescription: b\u2028c\x85d\n---\n\x1b\u2028".encode(), LIMITS
    )
    assert document.header == "\nname: a [2J\ndescription: b c d"
    assert document.hidden == (2, 3)
    assert document.body == "\x1b\u2028"


@pytest.mark.parametrize("hidden", ["\ufeff", "\x0c", "\u2028", "\ufeff\x0b"])
def test_a_hidden_character_indents_no_line(hidden: str) -> None:
    """At the start of a line it goes: a blank in its place would make the line part of the one above."""
    document = read_document(f"---\nname: a\n{hidden}description: d\n---\n".encode(), LIMITS)
    assert document.header == "\nname: a\ndescription: d"
    assert document.hidden == (3,)


@given(st.lists(st.text("ab -#:\t", max_size=8), max_size=6), st.text("ab-\n", max_size=12))
def test_header_and_body_come_back_whole(lines: list[str], body: str) -> None:
    """Whatever stands between two fences is the header, to the character, and the rest is the body."""
    inner = [line for line in lines if line.rstrip(" \t") != "---"]
    text = "\n".join(["---", *inner, "---", body])
    document = read_document(text.encode(), LIMITS)
    assert document.header == "\n" + "\n".join(inner)
    assert document.body == body.lstrip("\n")
