"""
What a query asks for, in terms: analysed as skills are, corrected and widened where that helps.

    words ─analyse→ asked terms ─ no posting? ─▶ near spelling (1 edit from 4 letters, 2 from 8)
                                └ synonyms and related words ─▶ other words for it, at a discount
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from skill_index.names import within_distance
from skill_index.query import Phrase, Query, Required, Word
from skill_index.ranking.analysis import Token, stem, tokens
from skill_index.ranking.background import SHARES
from skill_index.ranking.records import FIELDS
from skill_index.ranking.related import leads_on, related
from skill_index.ranking.respelt import respelt, without_number
from skill_index.ranking.spellings import SHORTEST, Spellings, WordsByLength
from skill_index.settings import SearchSettings

ALL = tuple(range(len(FIELDS)))
"""The columns of a word that is asked for everywhere."""

_FIELD_NAMES = {"name": ("name", "aliases"), "description": ("description",), "tag": ("tags",)}
_TYPO_LETTERS = (
    (8, 2),
    (SHORTEST + 1, 1),
)  # from so many letters, so many edits; fewer letters are other words
_LONG = 5  # letters from which on a word may begin otherwise, or be one that only bodies hold
_NUMBERS = 32  # tried at the end of a word, from 0 on: versions are small, and each try is a look-up
_COMPOUND = 40  # letters; the longest compounds that people write
_LETTERS = 2  # of a fragment at most
_NUMBERED = re.compile(r"([a-z]{1,20})(\d{4,20})")  # fewer digits are a version, and may be left out
_HALF = 3  # letters of half a word at least; with fewer, halves are found in anything
_NAMES = tuple(FIELDS.index(name) for name in _FIELD_NAMES["name"])
_MEMO = 1 << 13  # words of queries remembered, with what they ask for


class Asked(NamedTuple):
    """
    One term that the query asks for.

    `word` is the piece of the query it comes from, `fields` are the columns of `FIELDS` in which
    it counts, `how` tells whether it was asked as it stands ("exact"), corrected or widened, and
    `discount` what it is worth beside a word asked as it stands.  `repeats` marks an identifier
    written as one word: its parts are asked for too, so where it is unknown nothing is missing.
    `fragment` marks what is less than a word: see `_is_fragment`.
    """

    word: str
    form: str
    stem: str
    fields: tuple[int, ...]
    how: str = "exact"
    repeats: bool = False
    fragment: bool = False
    discount: float = 1.0


@lru_cache(maxsize=16)
def field_columns(field: str | None) -> tuple[int, ...]:
    """Return the columns of `FIELDS` that a field of the query language stands for."""
    names = _FIELD_NAMES.get(field or "", FIELDS)
    return tuple(FIELDS.index(name) for name in names)


def asked_tokens(text: str) -> list[Token]:
    """
    Return the terms a piece of a query asks for.

    Of a run of Chinese, Japanese or Korean only the pairs are asked for, since single characters
    are in everything; a run of one character asks for that.
    """
    found = tokens(text)
    paired = any(token.kind == "pair" for token in found)
    return [token for token in found if not (paired and token.kind == "char")]


def asked_terms(query: Query, settings: SearchSettings) -> list[Asked]:
    """
    Return every term the query ranks by.

    Stop words are left out; if there is nothing else they are looked for in names alone, since a
    skill may be called `on-call`, and every description holds an "on".
    """
    items = [clause for clause in query.clauses if isinstance(clause, (Word, Phrase))]
    items += [clause.item for clause in query.clauses if isinstance(clause, Required)]
    asked = [term for item in items if item.field != "source" for term in _asked(item.text, item.field)]
    telling = [term for term in asked if term.form not in settings.stop_words]
    return telling or [term._replace(fields=_NAMES) for term in asked]


@lru_cache(maxsize=_MEMO)
def _asked(text: str, field: str | None) -> tuple[Asked, ...]:
    columns = field_columns(field)
    return tuple(
        Asked(
            text,
            token.form,
            token.stem,
            columns,
            repeats=token.kind == "whole",
            fragment=_is_fragment(token),
        )
        for token in asked_tokens(text)
    )


def _is_fragment(token: Token) -> bool:
    """
    Say whether a term is less than a word of its own.

    The parts and the whole of an identifier say one thing several times, as pairs of characters do,
    and numbers and single letters are mostly amounts, dates and names of variables.

    >>> [(token.form, _is_fragment(token)) for token in tokens("load_csv 2 files")]
    [('load', True), ('csv', True), ('loadcsv', True), ('2', True), ('files', False)]
    """
    if token.kind == "symbol":
        return False
    return token.kind != "word" or len(token.form) <= _LETTERS or token.form.isdigit()


@lru_cache(maxsize=_MEMO)
def standing(text: str) -> tuple[Token, ...]:
    """Return the terms of a piece of a query that have a place of their own."""
    return tuple(token for token in tokens(text) if token.stands)


def split_stems(form: str) -> Iterator[tuple[str, str]]:
    """
    Yield the stems of the two halves of a word, for every place where it can be cut.

    A word longer than any compound is noise; cutting it everywhere would cost its length squared.

    >>> list(split_stems("docfile")), list(split_stems("rfc7231"))
    ([('doc', 'file'), ('docf', 'ile')], [('rfc', '7231')])
    """
    if numbered := _NUMBERED.fullmatch(form):
        yield tokens(numbered[1])[0].stem, numbered[2]
    if len(form) <= _COMPOUND and form.isascii() and form.isalpha():
        for cut in range(_HALF, len(form) - _HALF + 1):
            yield tokens(form[:cut])[0].stem, tokens(form[cut:])[0].stem


def sequence_stems(item: Word | Phrase) -> list[str]:
    """Return the stems of a word or phrase in the order of the text, as `Brief.sequences` hold them."""
    return [token.stem for token in standing(item.text)]


def only_common(asked: Iterable[Asked], settings: SearchSettings) -> bool:
    """Say whether a query asks for stop words and nothing else."""
    return all(term.form in settings.stop_words for term in asked)


class Widener:
    """
    Finds near spellings and other words for what a query asks, in one index's own vocabulary.

    `spellings` may know words of records that are not shown: `shows` tells the forms that are.  `common`
    are the stems that several records hold anywhere: not every word of a body is spelt right, but those are.
    """

    def __init__(
        self,
        spellings: Sequence[Spellings],
        settings: SearchSettings,
        shows: Callable[[str], bool],
        common: Callable[[], WordsByLength] = dict,
    ) -> None:
        self._spellings = spellings
        self._shows = shows
        self._common = common
        self._settings = settings
        self._synonyms = _synonym_table(settings.synonyms)

    def corrections(self, term: Asked) -> Iterator[Asked]:
        """
        Yield the nearest words of the index for a term that it does not hold.

        A word that skills at large use, or that leads to another, is spelt right and only absent: "film" is
        no "file", nor "love" "live".  Only a number may be missing at its end, or be one too many.
        """
        numberless = [form for form in without_number(term.form) if self._shows(form)]
        if numberless:
            yield from self._corrected(term, numberless[:1], self._stem_of)
            return
        if term.stem in SHARES or term.stem in self._synonyms or leads_on(term.stem):
            yield from self._corrected(term, self._numbered(term.form), self._stem_of)
            return
        edits = next((edits for letters, edits in _TYPO_LETTERS if len(term.form) >= letters), 0)
        if not edits or not term.form.isalpha():
            return
        near = self._near(term.form, edits, [each.long_forms for each in self._spellings], self._shows)
        stem_of: Callable[[str], str] = self._stem_of
        if not near:
            # "vizualize" is far from "visualization", and its stem one letter from that word's stem.
            near = self._near(term.stem, 1, [each.long_stems for each in self._spellings], self._shows_stem)
            stem_of = str
        if not near and len(term.form) >= _LONG:
            near = self._near(term.stem, 1, [self._common()], bool)
        # The first letter is seldom mistyped: who has the same one comes first, and "cats" are no "bats".
        same = [entry for entry in near if entry[0][0] == term.form[0]]
        found = same
        if len(term.form) >= _LONG and not (same and same[0][1] == 1):
            found = [entry for entry in near if entry[1] == 1] or same
        nearest = [form for form, distance in found if distance == found[0][1]]
        yield from self._corrected(term, nearest, stem_of)

    def _corrected(self, term: Asked, forms: Sequence[str], stem_of: Callable[[str], str]) -> Iterator[Asked]:
        nearest = forms[: self._settings.corrections]
        for form in nearest:
            discount = self._settings.typo_discount / len(nearest)
            yield Asked(term.word, form, stem_of(form), term.fields, "corrected", discount=discount)

    def _numbered(self, form: str) -> list[str]:
        """Return the words shown that this one is with a number at its end; to try them all is no search."""
        return [word for number in range(_NUMBERS) if self._shows(word := f"{form}{number}")]

    def _near(
        self, word: str, edits: int, known: Iterable[WordsByLength], shows: Callable[[str], bool]
    ) -> list[tuple[str, int]]:
        """Return the words shown that are so near, the nearest first."""
        lengths = range(len(word) - edits, len(word) + edits + 1)
        found = {
            near
            for words in known
            for length in lengths
            for near in within_distance(word, words.get(length, ()), edits)
        }
        return sorted((near for near in found if shows(near[0])), key=lambda near: (near[1], near[0]))

    def _stem_of(self, form: str) -> str:
        return next(each.stems[form] for each in self._spellings if form in each.stems)

    def _shows_stem(self, stem: str) -> bool:
        """Say whether a word shown has this stem."""
        forms = (form for each in self._spellings for form in each.variants.get(stem, ()))
        return any(len(form) >= SHORTEST and self._shows(form) for form in forms)

    def others(self, term: Asked, held: int) -> Iterator[Asked]:
        """
        Yield other words that skills for a term may say, at a discount: synonyms, then related ones.

        A word that is spelt in two ways has those of both.  What more than a few of the records hold as it
        is needs no guess at what they say in its place.
        """
        spelt = dict.fromkeys((term.stem, *map(stem, respelt(term.form))))
        listed = (other for each in spelt for other in self._synonyms.get(each, ()))
        same = dict.fromkeys(listed, self._settings.synonym_discount)
        same |= dict.fromkeys(spelt, self._settings.typo_discount)
        del same[term.stem]
        for other, discount in same.items():
            yield _other(term, other, "synonym", discount)
        step = self._settings.related_discount
        if step > 0 and held <= self._settings.related_beside:
            for other, grade in (entry for each in spelt for entry in related(each)):
                if other not in same:
                    yield _other(term, other, "related", step * grade)


def _other(term: Asked, stem: str, how: str, discount: float) -> Asked:
    return Asked(term.word, stem, stem, term.fields, how, discount=term.discount * discount)


@lru_cache(maxsize=8)  # every catalog and view has the same few hundred groups
def _synonym_table(groups: tuple[tuple[str, ...], ...]) -> Mapping[str, tuple[str, ...]]:
    """Return, for each stem, the other stems of its groups; words of several stems stay out."""
    table: dict[str, dict[str, None]] = {}
    for group in groups:
        stems = [asked[0].stem for word in group if len(asked := asked_tokens(word)) == 1]
        for each in stems:
            table.setdefault(each, {}).update(dict.fromkeys(other for other in stems if other != each))
    return {stem: tuple(others) for stem, others in table.items()}
