"""Laws of the door: they hold for any text at all."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from skill_index.errors import QuerySyntaxError
from skill_index.query import Query, Select, Word, parse_query
from skill_index.settings import SearchSettings

# Random text seldom holds a mark in a telling place, so most texts are put together from pieces.
SEEN = [
    '"',
    "“",
    "+",
    "-",
    "－",
    ":",
    "name:",
    "TAGS:",
    "any:",
    "select:",
    ",",
    "'",
    "•",
    "*",
    "c++",
    "é",
    "ſ",
    "解",
]
PIECES = st.sampled_from([*SEEN, "pdf", " ", "  ", "\n", "\u2028", "\x00", "\u200b", "\ud800"])
ANYTHING = (
    st.text() | st.text(st.characters(exclude_categories=())) | st.lists(PIECES, max_size=30).map("".join)
)
SELECTIONS = ANYTHING.map("select:".__add__)
TEXTS = ANYTHING | SELECTIONS


@given(TEXTS)
@example('"a"' * 17)
@example('+"a"' * 17)
@example("any:+y")
@example('-"name:x')
@example("-\n-b")
@example("\u200b\n+a")
@example('select:- "- a"')
@example('select:"－ a')
def test_any_text_prints_back(text: str) -> None:
    """Every text is a query, and the query prints a text that reads back to equal nodes."""
    query = parse_query(text)
    assert parse_query(str(query)) == query
    assert query.source == text


@given(TEXTS)
def test_reading_is_a_function_of_the_text(text: str) -> None:
    """The same text gives the same nodes and notes, each note once."""
    query = parse_query(text)
    again = parse_query(text)
    assert (query, query.notes) == (again, again.notes)
    assert len(set(query.notes)) == len(query.notes)


@given(TEXTS)
def test_what_both_doors_accept_they_read_alike(text: str) -> None:
    """The strict door gives the lenient nodes and notes, and lets nothing be ignored."""
    lenient = parse_query(text)
    lossy = {"ignored", "empty-field", "no-names", "cut", "control-characters"}
    try:
        strict = parse_query(text, strict=True)
    except QuerySyntaxError as error:
        start, end = error.span
        assert 0 <= start < end <= len(text)
        assert lossy & {note.code for note in lenient.notes}
    else:
        assert (strict, strict.notes) == (lenient, lenient.notes)
        assert not lossy & {note.code for note in lenient.notes}


LONG = ANYTHING.map("a\n{}\nb".format) | st.lists(st.sampled_from(SEEN), min_size=16).map(" ".join).map(
    "a ".__add__
)


@given(LONG)
def test_long_text_never_filters(text: str) -> None:
    """Text of several lines or many words holds words and nothing else."""
    query = parse_query(text)
    assert query.select is None
    assert all(isinstance(clause, Word) and clause.field is None for clause in query.clauses)


@given(TEXTS)
def test_nodes_hold_no_blanks_or_hidden_characters(text: str) -> None:
    """Whatever came in, words hold no blank, and no node a control character or broken half."""
    query = parse_query(text)
    assert all(word.text and not any(map(str.isspace, word.text)) for word in query.words)
    printed = str(query)
    assert not {"\x00", "\u200b", "\x1b", "\u202e"} & set(printed)
    assert printed.encode("utf-8").decode("utf-8") == printed


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), max_size=40))
def test_plain_words_are_kept_one_by_one(texts: list[str]) -> None:
    """Words without marks come through unchanged, in order, without a note."""
    query = parse_query(" ".join(texts))
    assert query.clauses == tuple(map(Word, texts))
    assert [note.code for note in query.notes] == ([] if texts else ["empty"])


@given(st.text(st.characters(categories=["L", "N"]), min_size=1), st.integers(0, 60), st.integers(1, 50))
def test_the_cap_bounds_what_is_read(word: str, count: int, cap: int) -> None:
    """No more than the cap is read, and a note stands exactly where something was left."""
    text = " ".join([word] * count)
    query = parse_query(text, settings=SearchSettings(query_chars=cap))
    assert len(str(query)) <= cap
    assert ("cut" in {note.code for note in query.notes}) == (str(query) != text)


def test_hidden_characters_go_and_are_counted() -> None:
    """Control, format and broken characters are dropped with one note; joiners spell words and stay."""
    query = parse_query("\ufeffp\x00df\ud800 fo\u00adrm می\u200cخواهم")
    assert query == Query((Word("pdf"), Word("form"), Word("می\u200cخواهم")))
    assert [(note.code, str(note)) for note in query.notes] == [
        ("control-characters", "dropped 4 control or hidden characters")
    ]


def test_a_hidden_character_does_not_hide_an_operator() -> None:
    """What a reader sees decides: marks after a dropped character act as if it were not there."""
    assert parse_query("\u200bselect:a").select == Select(("a",))
    assert parse_query("+\u200bpdf") == parse_query("+pdf")
