"""
What one word of a query matches in an index: worked out once for a word, then remembered.

    asked term ─ known? ─▶ its row ┐
               ├ others   ─▶ rows ─┼─ the best way for each record ─▶ one part
               └ near spellings ───┘

All of it depends on the word and the index alone, so that a query only adds up what its words match.
What a word is worth more for standing several times in the query is a factor on all of its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from skill_index.ranking.indexed import Indexed, Posting
from skill_index.ranking.neighbours import match_split
from skill_index.ranking.parts import Match, Part
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked
from skill_index.ranking.reach import Reach
from skill_index.ranking.records import FIELDS

_NAME = np.uint8(1 << FIELDS.index("name"))
_FIELD_BITS, _ROUTE_BITS = len(FIELDS), 24  # beside the 32 of a float in one integer
_ANY_ROUTE = (1 << _ROUTE_BITS) - 1
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
        return _widened(index, term, (term,), guessed=unknown)
    split = match_split(index, term) if term.fields == ALL else None
    return split or _widened(index, term, tuple(index.widener.corrections(term)), guessed=True)


class _Route(NamedTuple):
    """One way in which records match a word, and how much news it is that a word is meant so."""

    asked: Asked
    posting: Posting
    news: float


def _route(index: Indexed, asked: Asked) -> _Route:
    found = index.posting(asked.stem, asked.fields)
    # A word that no record holds is asked for all the same, as the rarest there could be.
    return _Route(asked, found, index.news(asked.stem, max(1, len(found.docs))))


def _widened(index: Indexed, term: Asked, bases: Sequence[Asked], *, guessed: bool) -> Match:
    """Return what a term matches under its spellings in the index, and under other words for these."""
    itself = _route(index, term)
    routes = [itself if base is term else _route(index, base) for base in bases]
    for base in bases or (term,):
        routes += [_route(index, wide) for wide in index.widener.others(base, index.rows(base.stem))]
    routes = [route for route in routes if len(route.posting.docs)]
    # What only leads to other words makes a word no lesser news than it is.
    spelt = [route.news for route in routes if route.asked.how not in {"corrected", "related"}]
    news = max((itself.news, *spelt) if term in bases else spelt, default=itself.news)
    parts: list[Part] = []
    written = index.spelt(term.form)
    if routes:
        part = _best_routes(index, routes, itself.news, news)
        sure = [route for route in routes if route.asked.how != "related"]
        if 0 < len(sure) < len(routes):
            part = part._replace(surely=_best_routes(index, sure, itself.news, news))
        # Who holds the stem in other forms only is told so.
        told = routes[0].asked is term and term.form != term.stem
        parts.append(part._replace(written=written) if told else part)
    # Where a stem is written in one way only, writing it so says nothing.
    if term.fields == ALL and len(written) and index.varied(term.stem):
        parts.append(_exact_form(index, term, written))
    meant = bases[0] if len(bases) == 1 else term  # a slip of one word says that word
    everywhere = itself if meant is term and term.fields == ALL else _route(index, meant._replace(fields=ALL))
    docs, fields, _ = everywhere.posting
    return Match(
        parts=tuple(parts),
        news=news,
        terms=1,
        named=docs.compress(fields & _NAME),
        denied=index.denying(term.stem),
        worth=everywhere.news * meant.discount if len(docs) else index.news(term.stem, 0),
        guessed=guessed,
        corrected=tuple(base.form for base in bases if base.how == "corrected"),
        meant="" if meant is term else meant.stem,
    )


def _best_routes(index: Indexed, routes: Sequence[_Route], most: float, news: float) -> Part:
    """
    Leave each record only the best of several ways in which it matches one word of the query.

    A skill that says "spreadsheet", "Excel" and "xlsx" is about one thing, not about three.  All forms of a
    word have these ways in common, so they share what is worked out.
    """
    terms = [(route.asked.stem, route.asked.how, route.asked.discount) for route in routes]
    key = (routes[0].asked.fields, most, news, *terms)
    found: Part | None = index.memo.get(key)
    if found is None:
        found = _best_way(index, routes, most, news)
        index.memo.put(key, found, found.bytes)
    return found


def _best_way(index: Indexed, routes: Sequence[_Route], most: float, news: float) -> Part:
    size = len(index.records)
    asked = tuple(route.asked for route in routes)
    covers = tuple(news * each.discount for each in asked)
    # Another word for it is no better news than the word itself, however rare it is, and never a fault.
    worths = [max(0.0, min(route.news, most) * route.asked.discount) for route in routes]
    ways: Array | None = None
    if len(routes) > 1:
        docs, fields, values, ways = _merged(routes, worths, size)
        worth = 1.0
    else:
        docs, fields, values = routes[0].posting
        worth = worths[0]
    body = index.settings.gate_body
    if len(docs) * _WHOLE < size:
        return Part(asked, docs, values, worth, fields, ways, covers, body)
    values, fields = _row(docs, values * np.float32(worth), size), _row(docs, fields, size)
    ways = None if ways is None else _row(docs, ways, size)
    return Part(asked, None, values, 1.0, fields, ways, covers, body)


def _row(docs: Array, values: Array, size: int) -> Array:
    """Return values with a place for every record, 0 for those that are not listed."""
    row = np.zeros(size, dtype=values.dtype)
    row[docs] = values
    return row


def _merged(
    routes: Sequence[_Route], worths: Sequence[float], size: int
) -> tuple[Array, Array, Array, Array]:
    """
    Return what some route matches, and the fields, value and number of the best one for each record.

    Value, route and fields are packed into one integer, so that the best way is the greatest: floats that
    are not negative sort as their bits do, and of equal values the first route wins.
    """
    docs = np.concatenate([route.posting.docs for route in routes], dtype=np.intp)
    reach = Reach(docs, size)
    best = np.zeros(len(reach), dtype=np.int64)
    np.maximum.at(best, reach.listed, _packed(routes, worths))
    places = best.nonzero()[0]
    docs = reach.positions(places)
    if not reach.everyone:
        order = docs.argsort()
        docs, places = docs[order], places[order]
    packed = best[places]
    fields = packed.astype(np.uint8)
    packed >>= _FIELD_BITS
    ways = len(routes) - 1 - (packed & _ANY_ROUTE)
    packed >>= _ROUTE_BITS
    values = packed.astype(np.uint32).view(np.float32)
    return docs.astype(np.int32), fields, values, ways.astype(np.min_scalar_type(len(routes)))


def _packed(routes: Sequence[_Route], worths: Sequence[float]) -> Array:
    """Return what all routes match, one behind the other, as the integers of `_merged`."""
    sizes = [len(route.posting.docs) for route in routes]
    values = np.concatenate([route.posting.impacts for route in routes])
    values *= np.array(worths, dtype=np.float32).repeat(sizes)
    packed: Array = values.view(np.uint32).astype(np.int64)
    packed <<= _ROUTE_BITS
    packed |= np.arange(len(routes))[::-1].repeat(sizes)
    packed <<= _FIELD_BITS
    packed |= np.concatenate([route.posting.fields for route in routes])
    return packed


def _exact_form(index: Indexed, term: Asked, written: Array) -> Part:
    """Put the records first that write the word as the query does, accents and ending too."""
    bonus = index.news(term.stem, len(written)) * index.settings.exact_form
    form = Asked(term.word, term.form, term.stem, term.fields, "exact form")
    return Part((form,), written, np.ones(len(written), dtype=np.float32), bonus)
