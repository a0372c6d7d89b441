"""Keyword text: whole nodes for whole queries, short and long."""

from __future__ import annotations

import pytest

from skill_index.query import Clause, Excluded, Phrase, Required, Word, parse_query
from skill_index.settings import SearchSettings


def words(text: str) -> tuple[Word, ...]:
    """Return the words of `text` between blanks, as nodes."""
    return tuple(map(Word, text.split()))


SHORT: dict[str, tuple[Clause, ...]] = {
    # words stay as typed, whatever marks are in them
    "chart visualization": words("chart visualization"),
    "c++ C# .net e-mail multi-agent foo_bar a/b": words("c++ C# .net e-mail multi-agent foo_bar a/b"),
    "don't 5\" disk foo\"bar rock'n'roll": words("don't 5\" disk foo\"bar rock'n'roll"),
    "why? pdf! (forms [style a( .* (a+)+$ \\": words("why? pdf! (forms [style a( .* (a+)+$ \\"),
    "@pandas #release a|b pdf^ 🚀 ???": words("@pandas #release a|b pdf^ 🚀 ???"),
    "解析PDF　公众号": words("解析PDF 公众号"),
    "http://x foo:bar 12:30 a:b:c names:x": words("http://x foo:bar 12:30 a:b:c names:x"),
    "--flag ++i -+x +-x ---x": words("--flag ++i -+x +-x ---x"),
    "what is 5‑3 – 2": words("what is 5‑3 – 2"),
    "selects: pdf": words("selects: pdf"),
    "please select:pdf": words("please select:pdf"),
    "select : pdf": words("select : pdf"),
    # signs
    "+podcast gen": (Required(Word("podcast")), Word("gen")),
    "+gen +video": (Required(Word("gen")), Required(Word("video"))),
    "pdf -draft -old": (Word("pdf"), Excluded(Word("draft")), Excluded(Word("old"))),
    "e-mail -draft": (Word("e-mail"), Excluded(Word("draft"))),
    "+c++ -.net +data-analysis": (
        Required(Word("c++")),
        Excluded(Word(".net")),
        Required(Word("data-analysis")),
    ),
    "+pdf\n": (Required(Word("pdf")),),
    "\n  +pdf": (Required(Word("pdf")),),
    "pdf −draft ‐old ‑x": (
        *words("pdf"),
        *(
            Excluded(Word(text)) for text in ("draft", "old", "x")
        ),  # a minus, a hyphen, one that does not break
    ),
    # phrases
    '"exact phrase" pdf': (Phrase("exact phrase"), Word("pdf")),
    '"  exact \t phrase "': (Phrase("exact phrase"),),
    '+"exact phrase" -"old form"': (Required(Phrase("exact phrase")), Excluded(Phrase("old form"))),
    '"a b"c "d"-e': (Phrase("a b"), Word("c"), Phrase("d"), Excluded(Word("e"))),
    '"+a -b name:c"': (Phrase("+a -b name:c"),),
    # fields
    "name:pdf description:fill tag:x source:team": (
        Word("pdf", "name"),
        Word("fill", "description"),
        Word("x", "tag"),
        Word("team", "source"),
    ),
    "tags:x NAME:pdf": (Word("x", "tag"), Word("pdf", "name")),
    'name:"two words"': (Phrase("two words", "name"),),
    "+description:pandas +any:word -tag:old": (
        Required(Word("pandas", "description")),
        Required(Word("word", "any")),
        Excluded(Word("old", "tag")),
    ),
    '+description:"data frame"': (Required(Phrase("data frame", "description")),),
    "name:a:b name:-x name:name:x source:shop:get": (
        Word("a:b", "name"),
        Word("-x", "name"),
        Word("name:x", "name"),
        Word("shop:get", "source"),
    ),
    "alias:x descrıption:x ſource:x": words("alias:x descrıption:x ſource:x"),
    # other keyboards
    "＋ｐｄｆ －ｏｌｄ ＮＡＭＥ：x": (Required(Word("ｐｄｆ")), Excluded(Word("ｏｌｄ")), Word("x", "name")),
    "“fill form” „alt“ ＂x y＂": (Phrase("fill form"), Phrase("alt"), Phrase("x y")),
}


@pytest.mark.parametrize("text", SHORT)
def test_short_queries_read_as_meant(text: str) -> None:
    """A one-line query gives these nodes, in order, and says nothing about them."""
    query = parse_query(text)
    assert query.clauses == SHORT[text]
    assert query.select is None
    assert query.notes == ()


SLIPS: dict[str, tuple[tuple[Clause, ...], tuple[str, ...]]] = {
    "pdf - xls": (words("pdf xls"), ("ignored '-': no word follows it",)),
    "pdf +": (words("pdf"), ("ignored '+': no word follows it",)),
    "a --- b ++": (words("a b"), ("ignored '---': no word follows it", "ignored '++': no word follows it")),
    "a - b - c": (words("a b c"), ("ignored '-': no word follows it",)),
    '"pdf form': (words("pdf form"), ("ignored a quote that is never closed",)),
    '"a b" "c': ((Phrase("a b"), Word("c")), ("ignored a quote that is never closed",)),
    'pdf "" form': (words("pdf form"), ("ignored quotes with nothing between them",)),
    'pdf +" "': (words("pdf"), ("ignored quotes with nothing between them",)),
    'x -"old form': (
        words("x old form"),
        ("ignored a quote that is never closed", "ignored '-': no word follows it"),
    ),
    'x name:"old form': (
        words("x name: old form"),
        ("ignored a quote that is never closed", "read 'name:' as a word: nothing follows it"),
    ),
    "name: pdf": (words("name: pdf"), ("read 'name:' as a word: nothing follows it",)),
    "x -tag:": (words("x tag:"), ("read 'tag:' as a word: nothing follows it",)),
    "+name: pdf": (words("name: pdf"), ("read 'name:' as a word: nothing follows it",)),
    "pdf − merge": (words("pdf merge"), ("ignored '−': no word follows it",)),
}


@pytest.mark.parametrize("text", SLIPS)
def test_slips_are_read_without_a_guess_and_said(text: str) -> None:
    """What cannot be used becomes text or goes, never a filter, and a note says which."""
    query = parse_query(text)
    assert (query.clauses, tuple(map(str, query.notes))) == SLIPS[text]


LONG = "Summarise the log, keep lines that say -draft or +final, and mail it to the whole team tonight"
LONG_NOTE = (
    "read '+', '-', 'field:' and quotes as text, since they act only in a query of one line and at most "
    "16 words"
)


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        "pdf\n-draft",
        "pdf\r+form",
        "name:pdf\u2028x",
        'merge "two files"\x0bnow',
        " ".join(["word"] * 16) + " -draft",
        '"a"' * 17,
    ],
)
def test_operators_are_text_in_long_queries(text: str) -> None:
    """In several lines or more than 16 words all is words, and one note says so."""
    query = parse_query(text)
    assert query.clauses == words(text)
    assert [(note.code, str(note)) for note in query.notes] == [("operators-as-text", LONG_NOTE)]


def test_sixteen_words_are_still_a_query() -> None:
    """Operators act up to the limit, the words of a phrase counted one by one."""
    query = parse_query(" ".join(["word"] * 13) + ' "two words" -draft')
    assert query.phrases == (Phrase("two words"),)
    assert query.excluded == (Excluded(Word("draft")),)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("- fill\n- merge\n---\n* done", "fill merge * done"),
        ("a multi-line text\nwith an e-mail - and 12:30", "a multi-line text with an e-mail and 12:30"),
        ('one\n"" two', "one two"),
    ],
)
def test_bullets_and_dashes_of_long_text_say_nothing(text: str, kept: str) -> None:
    """Words made of marks alone are left out of long text, which needs no note."""
    query = parse_query(text)
    assert query.clauses == words(kept)
    assert query.notes == ()


def test_the_word_limit_is_a_setting() -> None:
    """`operator_words` moves the limit, down to no operators at all."""
    assert parse_query("+a b", settings=SearchSettings(operator_words=1)).clauses == words("+a b")
    assert parse_query("+a", settings=SearchSettings(operator_words=0)).clauses == words("+a")
    wide = parse_query(LONG, settings=SearchSettings(operator_words=20))
    assert wide.excluded == (Excluded(Word("draft")),)
    assert wide.required == (Required(Word("final,")),)


@pytest.mark.parametrize(
    ("text", "limit", "kept", "said"),
    [
        ("fill pdf forms", 14, "fill pdf forms", None),
        ("fill pdf forms", 13, "fill pdf", "read the first 8 of 14 characters"),
        ("fill pdf forms", 9, "fill pdf", "read the first 8 of 14 characters"),
        ("fill pdf forms", 8, "fill pdf", "read the first 8 of 14 characters"),
        ("   fill pdf forms  ", 8, "fill pdf", "read the first 8 of 14 characters"),
        ("abcdefgh", 3, "abc", "read the first 3 of 8 characters"),
        ("a      b", 3, "a", "read the first 1 of 8 characters"),
        ("pdf", 0, "", "read the first 0 of 3 characters"),
    ],
)
def test_the_cut_is_between_words_and_reported(text: str, limit: int, kept: str, said: str | None) -> None:
    """Text over `query_chars` is cut before a word, inside one only when there is no blank."""
    query = parse_query(text, settings=SearchSettings(query_chars=limit))
    assert query.clauses == words(kept)
    assert [str(note) for note in query.notes if note.code == "cut"] == ([said] if said else [])


def test_no_word_is_lost_below_the_cut() -> None:
    """Six hundred words are all read: the only limit is in characters, and it is far."""
    text = " ".join(f"w{number}" for number in range(600))
    assert parse_query(text).clauses == words(text)


MARKS = [
    '"',
    "+",
    "-",
    "(",
    "“",
    '"a',
    '"a" ',
    "+a ",
    "-a ",
    "- ",
    '+"',
    "name:",
    'name:"',
    "\\",
    "a" * 9 + "+",
]


@pytest.mark.parametrize("mark", MARKS)
def test_many_marks_are_read_to_the_end(mark: str) -> None:
    """200,000 characters of any mark are a query, whose last word is found when no cap cuts it."""
    text = mark * (200_000 // len(mark))
    settings = SearchSettings(query_chars=10**6, operator_words=10**6)
    query = parse_query(f"{text} last", settings=settings)
    assert "last" in str(query.clauses[-1])
    assert len(query.notes) <= 4
    assert [note.code for note in parse_query(text).notes if note.code == "cut"] == ["cut"]
