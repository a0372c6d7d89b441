"""
What one word of a query matches in an index: worked out once for a word, then remembered.

    asked term ─ known? ─▶ its row ┐
               ├ synonyms ─▶ rows ─┼─ the best way for each record ─▶ one part
               └ near spellings ───┘

All of it depends on the word and the index alone, so that a query only adds up what its words match.
What a word is worth more for standing several times in the query is a factor on all of its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from skill_index.ranking.indexed import Indexed
from skill_index.ranking.neighbours import match_split
from skill_index.ranking.parts import Match, Part, listed
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked
from skill_index.ranking.records import FIELDS

_NAME = (FIELDS.index("name"),)
_STATED = sum(1 << column for column in ALL if FIELDS[column] != "body")
_WHOLE = 4  # a part of more than every fourth record takes less time as whole rows, and not much more room


def match_term(index: Indexed, term: Asked, *, guess: bool) -> Match:
    """
    Return what a term matches, looked for under other spellings if it is unknown and `guess` says so.

    It is the same however the query puts the word ("forms", "forms,"), so `Asked.word` is not in it.
    """
    key = (term.form, term.stem, term.fields, term.repeats, guess)
    found: Match | None = index.memo.get(key)
    if found is None:
        found = _matched(index, term._replace(word=""), guess=guess)
        index.memo.put(key, found, found.bytes)
    return found


def _matched(index: Indexed, term: Asked, *, guess: bool) -> Match:
    known = index.rows(term.stem) > 0
    if term.repeats and not known:
        return Match(denied=index.denying(term.stem), worth=index.news(term.stem, 0))
    # A function word is not misspelt because no name holds it, nor is a word that other fields hold.
    unknown = not known and term.form not in index.settings.stop_words
    if not (unknown and guess):
        return _widened(index, term, [term], guessed=unknown)
    split = match_split(index, term) if term.fields == ALL else None
    return split or _widened(index, term, list(index.widener.corrections(term)), guessed=True)


def _widened(index: Indexed, term: Asked, bases: Sequence[Asked], *, guessed: bool) -> Match:
    """Return what a term matches under its spellings in the index, and under other words for these."""
    wider = [wide for base in bases or [term] for wide in index.widener.synonyms(base)]
    often = {variant.stem: _frequency(index, variant) for variant in (term, *bases, *wider)}
    # A word that no record holds is asked for all the same, as the rarest there could be.
    rare = {stem: index.news(stem, max(1, having)) for stem, having in often.items()}
    variants = [*bases, *(wide for wide in wider if often[wide.stem])]
    spelt = [variant for variant in variants if variant.how != "corrected"]
    news = max(rare[variant.stem] for variant in spelt or [term])
    # Another word for it is no better news than the word itself, however rare it is.
    worths = {stem: min(each, rare[term.stem]) for stem, each in rare.items()}
    routes = [_route(index, each, worths[each.stem], news) for each in variants if often[each.stem]]
    written = index.spelt(term.form)
    parts = [_best_routes(index, routes, written)] if routes else []
    exact = _exact_form(index, term, written) if term.fields == ALL else None
    return Match(
        parts=(*parts, exact) if exact else tuple(parts),
        news=news,
        terms=1,
        named=index.holders(term.stem, _NAME),
        denied=index.denying(term.stem),
        worth=index.news(term.stem, index.rows(term.stem)),
        guessed=guessed,
        corrected=tuple(base.form for base in bases if base.how == "corrected"),
    )


def _frequency(index: Indexed, term: Asked) -> int:
    return index.rows(term.stem) if term.fields == ALL else len(index.holders(term.stem, term.fields))


class _Route(NamedTuple):
    """One way in which records match a word, and how much news of the query it covers at most."""

    asked: Asked
    docs: Array
    values: Array
    fields: Array
    news: float


def _route(index: Indexed, term: Asked, worth: float, news: float) -> _Route:
    """Return what a term itself matches, of so much worth and news when asked as it stands."""
    docs, fields, values = index.held(term.stem, term.fields)
    return _Route(term, docs, values * (worth * term.discount), fields, news * term.discount)


def _best_routes(index: Indexed, routes: Sequence[_Route], written: Array) -> Part:
    """
    Leave each record only the best of several ways in which it matches one word of the query.

    A skill that says "spreadsheet", "Excel" and "xlsx" is about one thing, not about three.
    """
    size = len(index.records)
    docs, values, fields, ways = _merged(routes, size) if len(routes) > 1 else _alone(routes[0])
    asked, news = [route.asked for route in routes], [route.news for route in routes]
    if asked[0].how == "exact" and asked[0].form != asked[0].stem:
        # Who holds the stem in other forms only is told so.
        ways[(ways == 0) & ~_row(written, np.True_, size)[docs]] = len(routes)
        asked, news = [*asked, asked[0]._replace(how="stem")], [*news, news[0]]
    # What a body mentions in passing covers less than what is stated.
    covers = tuple(each * strength for each in news for strength in (index.settings.gate_body, 1.0))
    grades = (2 * ways + (fields & _STATED > 0)).astype(np.min_scalar_type(2 * len(asked) - 1))
    values, covered = values.astype(np.float32), np.array(covers, dtype=np.float32).take(grades)
    if len(docs) * _WHOLE < size:
        return Part(tuple(asked), docs.astype(np.int32), values, fields, grades, covers, covered)
    rows = (_row(docs, values, size), _row(docs, fields, size), _row(docs, grades, size))
    return Part(tuple(asked), None, *rows, covers, _row(docs, covered, size))


def _alone(route: _Route) -> tuple[Array, Array, Array, Array]:
    return route.docs, route.values, route.fields, np.zeros(len(route.docs), dtype=np.intp)


def _merged(routes: Sequence[_Route], size: int) -> tuple[Array, Array, Array, Array]:
    """Return what some route matches, and the values, fields and number of the best one for each record."""
    values = np.full(size, -1.0)
    fields, ways = np.zeros(size, dtype=np.uint8), np.zeros(size, dtype=np.intp)
    for number, route in enumerate(routes):
        better = route.values > values[route.docs]
        docs = route.docs[better]
        values[docs], fields[docs], ways[docs] = route.values[better], route.fields[better], number
    docs = np.flatnonzero(fields)
    return docs, values[docs], fields[docs], ways[docs]


def _row(docs: Array, values: Array | np.bool_, size: int) -> Array:
    row = np.zeros(size, dtype=values.dtype)
    row[docs] = values
    return row


def _exact_form(index: Indexed, term: Asked, docs: Array) -> Part | None:
    """Put the records first that write the word as the query does, accents and ending too."""
    # Where a stem is written in one way only, writing it so says nothing.
    if not len(docs) or index.spellings(term.stem) < 2:
        return None
    bonus = index.news(term.stem, len(docs)) * index.settings.exact_form
    form = Asked(term.word, term.form, term.stem, term.fields, "exact form")
    return listed(form, docs, np.full(len(docs), bonus))
