"""The strict door: what it expects, and where; the notes of the lenient one."""

from __future__ import annotations

import pickle
import re
from inspect import cleandoc
from pathlib import Path

import pytest

from skill_index.errors import QuerySyntaxError
from skill_index.query import parse_query, problems
from skill_index.settings import SearchSettings

FAULTS = {
    'pdf "fill form': """
        expected a closing quote
          pdf "fill form
              ^""",
    '+pdf name:"fill': """
        expected a closing quote
          +pdf name:"fill
                    ^""",
    "pdf +": """
        expected a word after '+'
          pdf +
              ^""",
    "  pdf - xls": """
        expected a word after '-'
            pdf - xls
                ^""",
    "a --- b": """
        expected a word after '---'
          a --- b
            ^^^""",
    'pdf ""': """
        expected a word between the quotes
          pdf ""
              ^^""",
    "pdf name: x": """
        expected a word after 'name:'
          pdf name: x
              ^^^^^""",
    "+ pdf name:": """
        expected a word after '+'
          + pdf name:
          ^""",
    " select:": """
        expected a skill name after 'select:'
           select:
           ^^^^^^^""",
    "select:,,": """
        expected a skill name after 'select:'
          select:,,
          ^^^^^^^""",
    "select:a,,b": """
        expected a skill name on each side of ','
          select:a,,b
                  ^^""",
    "select: ,a": """
        expected a skill name on each side of ','
          select: ,a
                  ^""",
    "select:a, \n": """
        expected a skill name on each side of ','
          select:a,\x20\x20
                  ^""",
    'select:a,"",b': """
        expected a skill name
          select:a,"",b
                   ^^""",
    "select:a,- ,b": """
        expected a skill name
          select:a,- ,b
                     ^""",
    'select:a,"b': """
        expected quotes around a whole name
          select:a,"b
                   ^""",
    'select:"a" b': """
        expected quotes around a whole name
          select:"a" b
                 ^""",
    "pdf \x1b[2J +": """
        expected no control or hidden characters
          pdf  [2J +
              ^""",
    "select:a\u202eb,": """
        expected no control or hidden characters
          select:a b,
                  ^""",
}


@pytest.mark.parametrize("text", FAULTS)
def test_the_strict_door_points_at_the_first_fault(text: str) -> None:
    """The message says what was expected, shows the query and marks the fault."""
    with pytest.raises(QuerySyntaxError) as caught:
        parse_query(text, strict=True)
    assert str(caught.value) == cleandoc(FAULTS[text])
    assert caught.value.source == text
    assert pickle.loads(pickle.dumps(caught.value)) == caught.value  # noqa: S301 - made right here


def test_the_strict_door_refuses_what_would_be_cut() -> None:
    """Keyword text over the cap is refused, with a mark under all that is too much."""
    with pytest.raises(QuerySyntaxError) as caught:
        parse_query("fill pdf", strict=True, settings=SearchSettings(query_chars=5))
    assert str(caught.value) == "expected at most 5 characters\n  fill pdf\n       ^^^"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["empty"]),
        (" \n\t", ["empty"]),
        ("-draft", ["only-exclusions"]),
        ('-draft -"old form"', ["only-exclusions"]),
        ('source:team -draft source:"my home"', ["only-exclusions"]),
        ("+source:team -draft", []),
        ("source:team pdf", []),
        ("pdf NOT merge", ["operators-as-text"]),
        ("pdf AND form NOT +merge", ["operators-as-text"]),
        ("pdf OR form not merge ANDROID", []),
        ("pdf AND", []),
        ('"pdf AND form" name:AND +NOT merge', []),
        ("\n pdf NOT merge", ["operators-as-text"]),
        ("pdf\nNOT merge", []),
        ("do NOT " * 20, []),
        ("a\n-b", ["operators-as-text"]),
        ("- a\n- b", []),
        ('+pdf "fill form" -draft name:x', []),
        ("select:a,b", []),
    ],
)
def test_the_strict_door_accepts_with_a_note(text: str, codes: list[str]) -> None:
    """What loses nothing is accepted by both doors, with the same notes."""
    strict = parse_query(text, strict=True)
    assert [note.code for note in strict.notes] == codes
    assert strict.notes == parse_query(text).notes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("+", ["ignored", "empty"]),
        ("-", ["ignored", "empty"]),
        ("+ -", ["ignored", "ignored", "empty"]),
        ('"', ["ignored", "empty"]),
        ('""', ["ignored", "empty"]),
        ("---", ["ignored", "empty"]),
        ("\x00", ["control-characters", "empty"]),
        ("-\n-", ["empty"]),
        ("name:", ["empty-field"]),
        ("-x -", ["ignored", "only-exclusions"]),
        ("select:", ["no-names"]),
        ("*", []),
    ],
)
def test_an_empty_search_says_why(text: str, codes: list[str]) -> None:
    """A query of nothing but marks is valid, and its notes say what became of them."""
    assert [note.code for note in parse_query(text).notes] == codes


def test_notes_name_the_piece_they_are_about() -> None:
    """The subject of a note is the piece of the query, for a host that marks it."""
    notes = parse_query('pdf - "" name: "x').notes
    assert [note.subject for note in notes] == ["-", '""', "name:", '"']


def test_the_table_of_codes_is_whole() -> None:
    """Each code is a row of the table in the module's docstring, and each row a code."""
    table = {
        line.split()[0]
        for line in (problems.__doc__ or "").splitlines()
        if re.search(r"(raises|accepts)$", line)
    }
    codes = {value for name, value in vars(problems).items() if name.isupper() and isinstance(value, str)}
    assert table == codes


def test_no_other_code_is_written_in_the_package() -> None:
    """Modules take codes from the table and spell none themselves."""
    folder = Path(problems.__file__).parent
    for path in folder.glob("*.py"):
        assert not re.search(r"(Problem|report)\(\s*\"", path.read_text(encoding="utf-8")), path.name
