"""One line of visible text, whatever a stranger wrote."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.text import escape, hidden_characters, one_line, printable, well_formed

ANY_TEXT = st.text(st.characters())  # surrogates too


@given(ANY_TEXT, st.none() | st.integers(1, 40))
def test_any_text_becomes_one_visible_line(text: str, limit: int | None) -> None:
    """No break, control, bidi or hidden character survives, and the limit holds."""
    line = one_line(text, limit)
    assert len(line.splitlines()) <= 1
    hidden = {char for char in line if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}}
    assert not hidden
    assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
    assert limit is None or len(line) <= limit


@given(ANY_TEXT)
def test_a_line_stays_as_it_is(text: str) -> None:
    """Cleaning a clean line changes nothing."""
    assert one_line(one_line(text)) == one_line(text)


UNDRAWN = [0x34F, 0x115F, 0x1160, 0x17B4, 0x3164, 0xFFA0, *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0)]


@pytest.mark.parametrize("code", UNDRAWN)
def test_what_is_drawn_as_nothing_is_no_text(code: int) -> None:
    """Fillers and selectors count as letters or marks, and whole messages were hidden in them."""
    text = f"a{chr(code)}b{chr(code) * 3}"
    assert chr(code).isprintable()
    assert (one_line(text), escape(text), printable(text)) == ("ab", "ab", "ab")
    assert hidden_characters(text) == {chr(code)}


@pytest.mark.parametrize(
    "text", ["❤\ufe0f 1\ufe0f\u20e3", "Zürich café", "解析 PDF", "नमस्ते", "👩\u200d💻", "می\u200cخواهم"]
)
def test_words_of_every_script_survive(text: str) -> None:
    """Accents, marks and joiners that spell words are kept."""
    assert one_line(text) == text


@given(ANY_TEXT)
def test_well_formed_text_can_be_written(text: str) -> None:
    """Whatever holds lone surrogates can be encoded afterwards, and other text is untouched."""
    assert well_formed(text).encode("utf-8") is not None
    if text.isascii():
        assert well_formed(text) == text
