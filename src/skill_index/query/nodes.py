"""
The nodes of a query: frozen values that print back to a text with the same meaning.

Why a class for each form, and not one with flags?  A ranker that forgets a form is found by the
type checker, and a node cannot hold two roles that contradict each other.

A node holds words as typed.  What a word is taken to mean (its case, accents, stem) is the
ranker's business, so that queries and documents go through one analysis.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from skill_index.findings import Note
from skill_index.query.tokens import EMPTY_FIELD, reads_as_selection, reads_as_word, shape_of, unquoted

_PLAIN = re.compile(r"[\w-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Word:
    """
    One word as typed, between blanks: `c++`, `e-mail`, `.net` and `multi-agent` stay whole.

    `field` is where it is looked for: "name", "description", "tag" or "source", and everywhere
    when it is None or "any" (which is what a writer says to be plain about it).
    """

    text: str
    field: str | None = None

    def __str__(self) -> str:
        return _operand(self, home="any", bare=reads_as_word(self.text))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in sequence, as quoted; they rank like words, and count for more side by side."""

    text: str
    field: str | None = None

    def __str__(self) -> str:
        return _operand(self, home="any", bare=True)


Operand: TypeAlias = Word | Phrase


@dataclass(frozen=True, slots=True)
class Required:
    """
    A word or phrase that every hit must have: in the field it names, or anywhere for "any".

    With no field it must be in the name: `+podcast` asks for skills called so.
    """

    item: Operand

    def __str__(self) -> str:
        return f"+{_operand(self.item, home='name', bare=_stands_after_sign(self.item))}"


@dataclass(frozen=True, slots=True)
class Excluded:
    """A word or phrase that no hit may have, in the field it names or else anywhere."""

    item: Operand

    def __str__(self) -> str:
        return f"-{_operand(self.item, home='any', bare=_stands_after_sign(self.item))}"


Clause: TypeAlias = Word | Phrase | Required | Excluded
_Kind = TypeVar("_Kind", Word, Phrase, Required, Excluded)


@dataclass(frozen=True, slots=True)
class Select:
    """The names asked for, in that order, trimmed and without the quotes around them."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return "select:" + ",".join(map(_listed, self.names))


def select_query(names: Iterable[str]) -> str | None:
    """
    Return the query that asks for exactly these names, None for no names.

    >>> select_query(["pdf-forms", "a,b"])
    'select:pdf-forms,"a,b"'
    """
    listed = tuple(names)
    return str(Select(listed)) if listed else None


@dataclass(frozen=True, slots=True)
class Query:
    """
    A query that was read: either clauses to rank by, or a selection of names.

    Two queries are equal when their nodes are; `notes` says what was ignored on the way there,
    and `source` is the text as given, unchanged, so it may hold anything.

    >>> str(Query((Word("fill"), Required(Word("pdf")), Excluded(Phrase("old form")))))
    'fill +pdf -"old form"'
    """

    clauses: tuple[Clause, ...] = ()
    select: Select | None = None
    notes: tuple[Note, ...] = field(default=(), compare=False)
    source: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.select is not None and self.clauses:
            message = "a query has either clauses or a selection of names, not both"
            raise ValueError(message)

    @property
    def words(self) -> tuple[Word, ...]:
        """The words that rank, in order."""
        return self._only(Word)

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases that rank, in order."""
        return self._only(Phrase)

    @property
    def sources(self) -> tuple[Operand, ...]:
        """The sources that every hit must come from, as `source:` names them."""
        named = (clause for clause in self.clauses if isinstance(clause, Word | Phrase))
        return tuple([clause for clause in named if clause.field == "source"])

    @property
    def required(self) -> tuple[Required, ...]:
        """What every hit must have."""
        return self._only(Required)

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """What no hit may have."""
        return self._only(Excluded)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked: no clause, and no name to select."""
        return not self.clauses and not (self.select and self.select.names)

    def __str__(self) -> str:
        if self.select is not None:
            return str(self.select)
        texts = [clause.text for clause in self.words if clause.field is None]
        printed = " ".join(map(str, self.clauses))
        selects = reads_as_selection(printed)
        if len(texts) == len(self.clauses) and (selects or not all(map(reads_as_word, texts))):
            # In text of several lines every mark is text; a dash alone is no word but makes a line.
            return "\n".join(texts if len(texts) > 1 and not selects else ["-", *texts])
        if selects:
            # What is ignored with a note keeps the first word from opening a selection.
            return f"- {printed}" if '"' in printed else f'"{printed}'
        return printed

    def _only(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        return tuple([clause for clause in self.clauses if isinstance(clause, kind)])


def _operand(item: Operand, *, home: str, bare: bool) -> str:
    """Print an operand; one that cannot stand bare names its `home`, the field it means anyway."""
    text = item.text if isinstance(item, Word) else f'"{unquoted(item.text)}"'
    where = item.field or (None if bare else home)
    return text if where is None else f"{where}:{text}"


def _stands_after_sign(item: Operand) -> bool:
    if isinstance(item, Phrase):
        return True
    shape = shape_of(item.text)
    return reads_as_word(item.text) and shape[:1] not in {"+", "-"} and not EMPTY_FIELD.fullmatch(shape)


def _listed(name: str) -> str:
    if _PLAIN.fullmatch(name):  # nearly every name
        return name
    shape = shape_of(name)
    marked = "," in shape or "\n" in shape or shape.startswith("[")
    return f'"{unquoted(name)}"' if marked else name
