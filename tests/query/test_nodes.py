"""Nodes as values: equality, parts, and the text they print."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.findings import Note
from skill_index.query import Clause, Excluded, Operand, Phrase, Query, Required, Select, Word, parse_query

PRINTED: dict[str, Query] = {
    "": Query(),
    "fill pdf": Query((Word("fill"), Word("pdf"))),
    '+pdf -"old form" "fill form" tag:x': Query(
        (Required(Word("pdf")), Excluded(Phrase("old form")), Phrase("fill form"), Word("x", "tag"))
    ),
    '+description:pandas -name:"a b" +any:x': Query(
        (Required(Word("pandas", "description")), Excluded(Phrase("a b", "name")), Required(Word("x", "any")))
    ),
    'select:a,"b,c"': Query(select=Select(("a", "b,c"))),
    'select:"[a]"': Query(select=Select(("[a]",))),
    'select:"[a",b]': Query(select=Select(("[a", "b]"))),
    "select:": Query(select=Select(())),
    # words that would act as operators stay words on lines of their own
    "pdf\n-draft": Query((Word("pdf"), Word("-draft"))),
    "-\n-draft": Query((Word("-draft"),)),
    'a\n"b': Query((Word("a"), Word('"b'))),
    # a first word that would open a selection is kept from it
    "-\nselect:\na": Query((Word("select:"), Word("a"))),
    '"select:a +b': Query((Word("select:a"), Required(Word("b")))),
    '- select:a "b c"': Query((Word("select:a"), Phrase("b c"))),
}


@pytest.mark.parametrize("text", PRINTED)
def test_queries_print_as_they_are_written(text: str) -> None:
    """A query prints a text that reads back to it."""
    assert str(PRINTED[text]) == text
    assert parse_query(text) == PRINTED[text]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (Query((Required(Word("-x")), Word("-y"))), "+name:-x any:-y"),
        (Query((Excluded(Word("name:x")), Word("a"))), "-any:name:x a"),
        (Query((Required(Word("tag:")), Excluded(Word("tag:")))), "+name:tag: -any:tag:"),
        (Query((Phrase('say "hi"  now'),)), '"say hi now"'),
        (Query(select=Select(('a"b,c',))), 'select:"a b,c"'),
    ],
)
def test_nodes_made_by_hand_print_no_more_than_they_mean(query: Query, text: str) -> None:
    """A text no query can spell is printed in the nearest form, never as another operator."""
    assert str(query) == text
    again = parse_query(text)
    assert str(again) == text
    assert [type(clause) for clause in again.clauses] == [type(clause) for clause in query.clauses]


def test_parts_of_a_query_keep_their_order() -> None:
    """Each kind of clause is to be had by itself."""
    query = parse_query('b "x y" +c a -d +e')
    assert query.words == (Word("b"), Word("a"))
    assert query.phrases == (Phrase("x y"),)
    assert query.required == (Required(Word("c")), Required(Word("e")))
    assert query.excluded == (Excluded(Word("d")),)
    assert not query.is_empty


def test_notes_and_source_do_not_make_queries_differ() -> None:
    """Two spellings of one query are equal, hash alike and survive a pickle."""
    one, other = parse_query("pdf  -"), parse_query("pdf")
    assert one == other
    assert hash(one) == hash(other)
    assert (one.source, other.source) == ("pdf  -", "pdf")
    assert one.notes == (Note("ignored", "ignored '-': no word follows it", "-"),)
    copy = pickle.loads(pickle.dumps(one))  # noqa: S301 - made right here
    assert (copy, copy.notes, copy.source) == (one, one.notes, one.source)


def test_a_query_is_a_selection_or_has_clauses() -> None:
    """No text means both at once, so no query may."""
    with pytest.raises(ValueError, match="either clauses or a selection"):
        Query((Word("a"),), Select(("b",)))


FIELDS = st.sampled_from([None, "name", "description", "tag", "source", "any"])
PLAIN = st.text(st.sampled_from("ab+-:.é解'/"), min_size=1, max_size=5)
PIECES = PLAIN.filter(lambda text: text[0] not in "+-")
OPERANDS: st.SearchStrategy[Operand] = st.builds(Word, PIECES, FIELDS) | st.builds(
    Phrase, st.lists(PLAIN, min_size=1, max_size=3).map(" ".join), FIELDS
)
CLAUSES: st.SearchStrategy[Clause] = OPERANDS | st.builds(Required, OPERANDS) | st.builds(Excluded, OPERANDS)


@given(st.lists(CLAUSES, max_size=4))
def test_queries_made_by_hand_read_back(clauses: list[Clause]) -> None:
    """Any mix of words, phrases, signs and fields, short enough for operators, prints itself."""
    query = Query(tuple(clauses))
    assert parse_query(str(query)) == query


@given(st.lists(PLAIN.filter(lambda text: text.strip("+-")), max_size=30))
def test_any_words_made_by_hand_read_back(texts: list[str]) -> None:
    """Words alone read back whatever marks they begin with, in any number."""
    query = Query(tuple(map(Word, texts)))
    assert parse_query(str(query)) == query


@given(st.lists(st.text(st.sampled_from("ab, -_:.é解[]1)"), min_size=1), unique=True))
def test_selections_made_by_hand_read_back(names: list[str]) -> None:
    """Names with commas, blanks and signs in them read back, once the blanks are trimmed."""
    select = parse_query("select:" + ",".join(f'"{name}"' for name in names)).select
    assert parse_query(str(Query(select=select))).select == select
