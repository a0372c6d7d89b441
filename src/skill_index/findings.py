"""
What is said about problems: a `Finding` about a file, a `Note` about an answer.

A problem in one of fifty thousand files must not stop the others, and a word of a query that
could not be used must not be dropped in silence.  So neither is an exception: both are values
that travel beside the result, with a stable code for machines and a sentence for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from skill_index.text import one_line

MESSAGE_LIMIT = 300  # a parser may quote a whole source line; this much says what is wrong


class Severity(StrEnum):
    """How bad a finding is: an error lost something, a warning changed or doubts it, info explains."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One problem in one file, at a line where that is known (lines count from 1).

    `message` is kept on one line, free of control characters and at most 300 characters long,
    since parsers quote the very text that is at fault.

    >>> print(Finding("yaml-invalid", Severity.ERROR, "expected ':'", "pdf/SKILL.md", 3))
    pdf/SKILL.md:3: error yaml-invalid expected ':'
    """

    code: str
    severity: Severity
    message: str
    path: str = ""
    line: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", one_line(self.message, MESSAGE_LIMIT))

    def __str__(self) -> str:
        line = f":{self.line}" if self.line is not None else ""
        return f"{one_line(self.path)}{line}: {self.severity} {self.code} {self.message}"


@dataclass(frozen=True, slots=True)
class Note:
    """
    One thing an answer wants known: what was ignored, corrected, not found, ambiguous or cut.

    `subject` is the piece of the query it is about, `suggestions` are names or words to try.
    """

    code: str
    message: str
    subject: str = ""
    suggestions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", one_line(self.message, MESSAGE_LIMIT))

    def __str__(self) -> str:
        return self.message
