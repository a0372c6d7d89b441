r"""
What the marks of the query language look like, and a tokenizer that the parser pulls.

Queries come from every keyboard: `＋`, `：` and curly quotes mean `+`, `:` and `"`.  Should the
text be normalised first?  Then a word would no longer be what was typed, and a caret would point
beside the fault, since NFKC changes lengths.  So each text has a *shape*: the same text with its
marks made plain, one character for one.  Rules match the shape, words are cut from the text.

The rules are constants and never hold a user's text.  Each looks at most to the next quote, blank
or comma, so reading is linear in the length of the query.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skill_index.query.problems import Problem

FIELDS = {
    "name": "name",
    "description": "description",
    "tag": "tag",
    "tags": "tag",
    "source": "source",
    "any": "any",
}
"""Each spelling of a field, and the field it means."""

DOUBLE_QUOTES = '"＂“”„‟'
_HYPHENS = "\u2010\u2011\u2212"  # a hyphen, one that breaks no line, a minus: models write each for "-"
MARKS = DOUBLE_QUOTES + _HYPHENS + "+-＋－"
"""What a word may be made of and still say nothing: a bullet, a ruler, a forgotten quote."""

_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_SHAPES = (
    _FULL_WIDTH
    | dict.fromkeys(map(ord, DOUBLE_QUOTES), ord('"'))
    | dict.fromkeys(map(ord, "\r\v\f\x85\u2028\u2029"), ord("\n"))
    | dict.fromkeys(map(ord, _HYPHENS), ord("-"))
    | {ord("、"): ord(",")}
)
_UNQUOTED = dict.fromkeys(map(ord, DOUBLE_QUOTES), " ")

# Case is ignored for ASCII letters only: by Unicode's rules `ı` and `ſ` would count as `i` and `s`.
_FIELD = rf"(?ai:{'|'.join(FIELDS)}):"
_SIGN = r"[+-](?=[^\s+-])"
_LONE_SIGN = r"[+-]+(?!\S)"

BULLETS = r"(?:[-－*＊•–—]|[0-9]{1,3}[.)])"
"""What stands before an entry of a list, and behind it a blank."""

BLANKS = re.compile(r"\s*")
SIGN = re.compile(_SIGN)
LONE_SIGN = re.compile(_LONE_SIGN)
FIELD = re.compile(rf"{_FIELD}(?=\S)")
EMPTY_FIELD = re.compile(rf"{_FIELD}(?!\S)")
PHRASE = re.compile(r'"[^"]*"')
QUOTE = re.compile(r'"')
WORD = re.compile(r"\S+")
SELECT = re.compile(r"(?ai:select):")
COMMAS = re.compile(r"(?:,\s*)+")
BULLET = re.compile(rf"(?:{BULLETS}[^\S\n]+)+")
LIST = re.compile(r"\[[^\[\]]*\]\Z")
NAME = re.compile(r'"[^"]*"(?=[^\S\n]*(?:[,\n]|\Z))|[^,\n]*')

MARKED = re.compile(rf'(?<!\S)(?:["+-]|{_FIELD})')
"""Found in every text that holds more than plain words, and in some that do not."""

OPERATOR = re.compile(rf'(?<!\S)(?:{_SIGN}|{_FIELD}(?=\S)|"[^"]+")')
"""Found in every text in which a sign, a field or a phrase would act."""

_ACTS_ALONE = re.compile(rf'{_SIGN}|{_LONE_SIGN}|{_FIELD}(?=\S)|"')


def shape_of(text: str) -> str:
    """
    Return `text` with its marks and line breaks made plain, one character for one.

    >>> shape_of("＋ｐｄｆ “fill form”")
    '+pdf "fill form"'
    """
    if text.isascii() and text.isprintable():  # most texts, and to look up each character takes long
        return text
    return text.translate(_SHAPES)


def unquoted(text: str) -> str:
    """Return `text` with a blank for each double quote, since nothing can escape one."""
    return " ".join(text.translate(_UNQUOTED).split())


def reads_as_word(text: str) -> bool:
    """
    Say whether a one-line query that holds `text` reads it back as this word.

    >>> [reads_as_word(text) for text in ("c++", "--flag", "http://x", "-draft", "name:pdf", "-")]
    [True, True, True, False, False, False]
    """
    return not _ACTS_ALONE.match(shape_of(text))


def reads_as_selection(text: str) -> bool:
    """Say whether a query that starts like this asks for names."""
    return SELECT.match(shape_of(text)) is not None


class Token(NamedTuple):
    """A piece of the query as typed, its shape, and where it stands."""

    text: str
    shape: str
    span: tuple[int, int]


class Tokenizer:
    """
    A place in the text, moved on by the parser, and the problems met so far.

    The parser pulls because a character's role depends on where it stands: a quote opens a
    phrase at the start of a word and is an inch mark inside one.
    """

    __slots__ = ("position", "problems", "shape", "text")

    def __init__(self, text: str, problems: list[Problem]) -> None:
        self.text = text.rstrip()
        self.shape = shape_of(self.text)
        self.position = 0
        self.problems = problems
        self.take(BLANKS)

    @property
    def at_end(self) -> bool:
        """Whether all of the text has been read."""
        return self.position >= len(self.text)

    def take(self, rule: re.Pattern[str]) -> Token | None:
        """Return what `rule` matches here and move behind it, or None where it does not match."""
        match = rule.match(self.shape, self.position)
        if match is None:
            return None
        start, end = match.span()
        self.position = end
        return Token(self.text[start:end], match[0], (start, end))

    def cut(self, end: int) -> None:
        """Forget the text from `end` on."""
        self.text, self.shape = self.text[:end], self.shape[:end]

    def blank_out(self, position: int) -> None:
        """Put a blank in place of the character at `position`, so that later spans stay right."""
        self.text = f"{self.text[:position]} {self.text[position + 1 :]}"
        self.shape = f"{self.shape[:position]} {self.shape[position + 1 :]}"

    def report(self, code: str, message: str, token: Token, expected: str | None) -> None:
        """Write down that something is wrong with `token`."""
        self.problems.append(Problem(code, message, token.text.strip(), token.span, expected))
