"""`select:` — each name asked for, in order, none lost."""

from __future__ import annotations

import pytest

from skill_index.query import Query, Select, parse_query

FORMS: dict[str, tuple[str, ...]] = {
    "select:a,b": ("a", "b"),
    "select:b,a": ("b", "a"),
    "select: pdf-forms , data-analysis ": ("pdf-forms", "data-analysis"),
    "SELECT:pdf-forms": ("pdf-forms",),
    "  \n select:pdf-forms": ("pdf-forms",),
    "\ufeffselect:pdf-forms": ("pdf-forms",),
    "select:\npdf-forms\n": ("pdf-forms",),
    "select:a\nb\r\nc\u2028d": ("a", "b", "c", "d"),
    "select:a,\n b,\n c": ("a", "b", "c"),
    "select:\n- a\n* b\n• c": ("a", "b", "c"),
    'select:- "a, b"\n- c': ("a, b", "c"),
    "ｓｅｌｅｃｔ：ａ，b、c": ("ａ", "b", "c"),
    "select:ｐｄｆ-forms": ("ｐｄｆ-forms",),
    "select:a,a, a ,b": ("a", "b"),
    "select:PDF,pdf": ("PDF", "pdf"),
    "select:two  words": ("two words",),
    "select:shop:get-orders,label/rel/dir:name": ("shop:get-orders", "label/rel/dir:name"),
    'select:"a,b",c': ("a,b", "c"),
    'SELECT:"Data_Analysis"': ("Data_Analysis",),
    "select:“a”,'b',`c`,«d»,「e」": ("a", "b", "c", "d", "e"),
    'select:"a\nb"': ("a b",),
    # as JSON, YAML or a numbered list
    'select:["a","b"]': ("a", "b"),
    "select: [ a, 'b' ]": ("a", "b"),
    "select:［a，b］": ("a", "b"),
    'select:[\n  "a",\n  "b"\n]': ("a", "b"),
    "select:[a]": ("a",),
    'select:"[a]"': ("[a]",),
    "select:[a],[b]": ("[a]", "[b]"),
    "select:[a,b": ("[a", "b"),
    "select:a,b]": ("a", "b]"),
    "select:[a](b)": ("[a](b)",),
    "select:1. a\n2) b\n10. c": ("a", "b", "c"),
    "select:1. a, 2. b": ("a", "b"),
    "select:– a\n— b": ("a", "b"),
    "select:1.a,2,3.,1234. b": ("1.a", "2", "3.", "1234. b"),
    "select:don't,-x,--,*": ("don't", "-x", "--", "*"),
    "select:+a,.*,(b": ("+a", ".*", "(b"),
    "select:a\nmake a chart": ("a", "make a chart"),
}


@pytest.mark.parametrize("text", FORMS)
def test_names_are_read_as_asked(text: str) -> None:
    """Names come in the order asked, bare of blanks, quotes and bullets, repeats once."""
    query = parse_query(text)
    assert query == Query(select=Select(FORMS[text]))
    assert {note.code for note in query.notes} <= {"control-characters"}


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("select:pdf-forms,", ("pdf-forms",), ["ignored an empty name"]),
        ("select:a,,b", ("a", "b"), ["ignored an empty name"]),
        ("select:,a", ("a",), ["ignored an empty name"]),
        ('select:"",a', ("a",), ["ignored an empty name"]),
        (
            'select:"a,b',
            ("a", "b"),
            ['ignored the quotes of "a: they do not close around a whole name'],
        ),
        (
            'select:"a" b,c',
            ('a" b', "c"),
            ['ignored the quotes of "a" b: they do not close around a whole name'],
        ),
    ],
)
def test_slips_in_a_list_are_said(text: str, names: tuple[str, ...], said: list[str]) -> None:
    """An empty name or a loose quote is noted, and every other name is kept."""
    query = parse_query(text)
    assert query.select == Select(names)
    assert [(note.code, str(note)) for note in query.notes] == [("ignored", text) for text in said]


@pytest.mark.parametrize(
    "text", ["select:", "select:,,", " SELECT: \n", 'select:""', "select:', ,'", 'select:"', "select:[ ]"]
)
def test_no_names_is_one_note(text: str) -> None:
    """A selection of nothing stays a selection, empty, with one note."""
    query = parse_query(text)
    assert query == Query(select=Select(()))
    assert query.is_empty
    assert [(note.code, str(note)) for note in query.notes] == [
        ("no-names", "no names given: write select: and the names of skills, as in select:first,second")
    ]


def test_a_selection_is_never_cut() -> None:
    """Twenty thousand names, far beyond the cap on keyword text, are all there."""
    names = tuple(f"long-skill-name-number-{number:05}" for number in range(20_000))
    query = parse_query("select:" + ",".join(names))
    assert query.select == Select(names)
    assert query.notes == ()


@pytest.mark.parametrize("mark", ['"', ",", "[", "]", "1. ", '"a', '"a"b,', '"a",', "- ", "\n", "x ", '" '])
def test_many_marks_in_a_list_are_read_to_the_end(mark: str) -> None:
    """200,000 characters of any mark do not hide the name behind them."""
    query = parse_query("select:" + mark * (200_000 // len(mark)) + ",\nlast")
    assert query.select is not None
    assert query.select.names[-1] == "last"
    assert parse_query(str(query)) == query
