"""
The ways to write what a `+word`, `-word` or phrase asks for: as it stands, joined, and in other spellings.

    organise-files ─▶ organisefiles │ organize-files ─▶ organizefiles │ organise files │ organize files

A filter must not depend on a spelling that its writer could not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from skill_index.query import Phrase, Word
from skill_index.ranking.analysis import Token, stem
from skill_index.ranking.folding import fold
from skill_index.ranking.querying import asked_tokens, standing

_MOST = 64  # of the ways to spell a sequence: each word may have two, and a phrase has many words


class Wording(NamedTuple):
    """One word, or several that follow each other, with their stems."""

    forms: tuple[str, ...]
    stems: tuple[str, ...]


def wordings(item: Word | Phrase, respelt: Callable[[str], Sequence[str]]) -> list[Wording]:
    """
    Return every way to write a word or phrase, where `respelt` tells the other forms of one word.

    >>> from skill_index.ranking.respelt import respelt
    >>> [wording.stems for wording in wordings(Word("PDFs,"), respelt)]
    [('pdf',)]
    >>> [wording.stems for wording in wordings(Word("fill-theatre"), respelt)]
    [('filltheatr',), ('filltheat',), ('fill', 'theatr'), ('fill', 'theater')]
    """
    found = dict.fromkeys(_wordings(item, respelt))
    return list(found)


def _wordings(item: Word | Phrase, respelt: Callable[[str], Sequence[str]]) -> Iterator[Wording]:
    asked = asked_tokens(item.text)
    if len(asked) == 1:
        yield from _spelt(asked, respelt)
    elif asked and asked[-1].kind == "whole" and _joined(parts := _parts(asked)) == asked[-1].form:
        for wording in _spelt(parts, respelt):
            whole = "".join(wording.forms).replace(".", "")
            yield Wording((whole,), (stem(fold(whole)),))
    in_sequence = standing(item.text)
    if len(in_sequence) > 1:
        yield from _spelt(in_sequence, respelt)


def _parts(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind != "whole"]


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(token.form for token in tokens).replace(".", "")


def _spelt(tokens: Sequence[Token], respelt: Callable[[str], Sequence[str]]) -> Iterator[Wording]:
    """Yield words in each of their spellings, beginning with their own."""
    ways = [[(token.form, token.stem), *_others(token, respelt)] for token in tokens]
    for chosen in islice(product(*ways), _MOST):
        forms, stems = zip(*chosen, strict=True)
        yield Wording(forms, stems)


def _others(token: Token, respelt: Callable[[str], Sequence[str]]) -> Iterator[tuple[str, str]]:
    return ((form, stem(form)) for form in respelt(token.form))
