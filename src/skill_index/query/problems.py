"""
What may be wrong with a query: one list, read by both doors.

A model that writes `pdf +` wants an answer, a developer who writes it wants to be told.  Two
parsers would drift apart, so there is one; it goes on after each problem and writes it down.
The lenient door turns the list into notes, the strict door raises the first entry that names
what was expected.

code                 said when                                                        strict door
control-characters   characters nobody can see were dropped                           raises
ignored              a sign, a quote or an empty name was left out                    raises
empty-field          `name:` stands alone, and so is a word                           raises
no-names             `select:` names nothing                                          raises
cut                  keyword text was longer than `SearchSettings.query_chars`        raises
operators-as-text    signs, fields or phrases in long text, AND and NOT, are words    accepts
only-exclusions      every clause only holds back, so there is nothing to search for  accepts
empty                nothing is left to search for                                    accepts
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from skill_index.errors import QuerySyntaxError
from skill_index.findings import Note

CONTROL_CHARACTERS = "control-characters"
IGNORED = "ignored"
EMPTY_FIELD = "empty-field"
NO_NAMES = "no-names"
CUT = "cut"
OPERATORS_AS_TEXT = "operators-as-text"
ONLY_EXCLUSIONS = "only-exclusions"
EMPTY = "empty"


class Problem(NamedTuple):
    """One thing noticed; `expected` is what the strict door asks for, None where it accepts."""

    code: str
    message: str
    subject: str = ""
    span: tuple[int, int] = (0, 0)
    expected: str | None = None


def notes_of(problems: Iterable[Problem]) -> tuple[Note, ...]:
    """Return a note for each problem, in order, and each note once."""
    notes = (Note(problem.code, problem.message, problem.subject) for problem in problems)
    return tuple(dict.fromkeys(notes))


def refuse(source: str, problems: Iterable[Problem]) -> None:
    """
    Raise a `QuerySyntaxError` for the first problem that breaks the grammar.

    It carries the span of the fault in `source`, and prints it with a caret.
    """
    for problem in problems:
        if problem.expected is not None:
            raise QuerySyntaxError(source, problem.span, problem.expected)
