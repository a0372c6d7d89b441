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

import numpy as np

from skill_index.ranking.indexed import Indexed
from skill_index.ranking.neighbours import match_split
from skill_index.ranking.parts import Match, Part, Route, Routes
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked
from skill_index.ranking.records import FIELDS

_NAME = np.uint8(1 << FIELDS.index("name"))
_RANK_BITS = 32  # beside the 32 of a float in one integer
_PLACE = (1 << _RANK_BITS) - 1
_WHOLE = 4  # a part of more than every fourth record takes less time as whole rows, and not much more room


def match_term(index: Indexed, term: Asked, *, guess: bool) -> Match:
    """
    Return what a term matches, looked for under other spellings if it is unknown and `guess` says so.

    It is the same however the query puts the word ("forms", "forms,"), so nothing is told of `Asked.word`.
    """
    key = (term.form, term.stem, term.fields, term.repeats, guess)
    found: Match | None = index.memo.get(key)
    if found is None:
        found = _matched(index, term, guess=guess)
        index.memo.put(key, found, found.bytes)
    return found


def _matched(index: Indexed, term: Asked, *, guess: bool) -> Match:
    itself = _route(index, term)
    if term.repeats and not itself.held:
        return Match(denied=index.denying(term.stem), worth=index.news(term.stem, 0))
    # A function word is not misspelt because no name holds it, nor is a word that other fields hold.
    unknown = not itself.held and term.form not in index.settings.stop_words
    if not (unknown and guess):
        return _widened(index, itself, (itself,), guessed=unknown)
    split = match_split(index, term) if term.fields == ALL else None
    near = tuple([_route(index, base) for base in index.widener.corrections(term)])
    return split or _widened(index, itself, near, guessed=True)


def _route(index: Indexed, asked: Asked) -> Route:
    everywhere = index.posting(asked.stem)
    found = everywhere.within(asked.fields)
    # A word that no record holds is asked for all the same, as the rarest there could be.
    return Route(asked, found, index.news(asked.stem, max(1, len(found.docs))), len(everywhere.docs))


def _widened(index: Indexed, itself: Route, bases: Sequence[Route], *, guessed: bool) -> Match:
    """Return what a term matches under its spellings in the index, and under other words for these."""
    term = itself.asked
    routes = [*bases]
    for base in bases or (itself,):
        routes += [_route(index, wide) for wide in index.widener.others(base.asked, base.held)]
    routes = [route for route in routes if len(route.posting.docs)]
    # What only leads to other words makes a word no lesser news than it is.
    spelt = [route.news for route in routes if route.asked.how not in {"corrected", "related"}]
    asked = any(base is itself for base in bases)
    news = max((itself.news, *spelt) if asked else spelt, default=itself.news)
    parts: list[Part] = []
    written, forms = index.spelt(term.form), index.forms(term.stem)
    if routes:
        sure = tuple([route for route in routes if route.asked.how != "related"])
        # Who holds the stem in other forms only is told so.
        told = routes[0] is itself and term.form != term.stem
        part = best_routes(index, Routes(tuple(routes), itself.news, news))
        parts.append(
            part._replace(
                written=written if told else None,
                surely=Routes(sure, itself.news, news) if 0 < len(sure) < len(routes) else None,
            )
        )
    # Where a stem is written in one way only, writing it so says nothing.
    if term.fields == ALL and len(written) and index.varied(forms):
        parts.append(_exact_form(index, term, written))
    meant = bases[0] if len(bases) == 1 else itself  # a slip of one word says that word
    everywhere = meant if term.fields == ALL else _route(index, meant.asked._replace(fields=ALL))
    docs, fields, _ = everywhere.posting
    # Of a mask, not of numbers: several times faster.
    named = docs.compress(fields & _NAME != 0)
    if meant is not itself:
        forms = index.forms(meant.asked.stem)
    return Match(
        parts=tuple(parts),
        news=news,
        terms=1,
        # A stem is greedy: "important" is no name that "import" says.
        named=index.writing(meant.asked.form, forms, named) if len(named) else named,
        denied=index.denying(term.stem),
        worth=everywhere.news * meant.asked.discount if len(docs) else index.news(term.stem, 0),
        guessed=guessed,
        corrected=tuple([base.asked.form for base in bases if base.asked.how == "corrected"]),
        meant="" if meant is itself else meant.asked.stem,
    )


def best_routes(index: Indexed, routes: Routes) -> Part:
    """
    Leave each record only the best of several ways in which it matches one word of the query.

    A skill that says "spreadsheet", "Excel" and "xlsx" is about one thing, not about three.  All forms of a
    word have these ways in common, so they share what is worked out.
    """
    if len(routes.listed) == 1:
        return _best_way(index, routes)
    terms = [(route.asked.stem, route.asked.how, route.asked.discount) for route in routes.listed]
    key = (routes.listed[0].asked.fields, routes.most, routes.news, *terms)
    found: Part | None = index.memo.get(key)
    if found is None:
        found = _best_way(index, routes)
        index.memo.put(key, found, found.bytes)
    return found


def _best_way(index: Indexed, routes: Routes) -> Part:
    size = len(index.records)
    asked = tuple([route.asked for route in routes.listed])
    covers = tuple([routes.news * each.discount for each in asked])
    # Another word for it is no better news than the word itself, however rare it is, and never a fault.
    worths = [max(0.0, min(route.news, routes.most) * route.asked.discount) for route in routes.listed]
    if len(asked) > 1:
        docs, fields, values, ways = _merged(routes.listed, worths, size)
        worth = 1.0
    else:
        docs, fields, values = routes.listed[0].posting
        ways, worth = None, worths[0]
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


def _merged(routes: Sequence[Route], worths: Sequence[float], size: int) -> tuple[Array, Array, Array, Array]:
    """Return what some route matches, and the fields, value and number of the best one for each record."""
    sizes = [len(route.posting.docs) for route in routes]
    docs, fields, impacts = map(np.concatenate, zip(*[route.posting for route in routes], strict=True))
    values = impacts * np.array(worths, dtype=np.float32).repeat(sizes)
    ways = np.arange(len(routes), dtype=np.min_scalar_type(len(routes))).repeat(sizes)
    # Floats that are not negative sort as their bits do, and of equal values the first ranks higher.
    ranks = values.view(np.int32).astype(np.int64) << _RANK_BITS
    ranks += np.arange(len(docs), 0, -1)
    best = len(docs) - (_greatest(docs, ranks, size) & _PLACE)
    return docs[best], fields[best], values[best], ways[best]


def _greatest(docs: Array, ranks: Array, size: int) -> Array:
    """Return the greatest rank of each record that has any, by record; every rank is above 0."""
    if len(docs) * _WHOLE >= size:
        row = np.zeros(size, dtype=np.int64)
        np.maximum.at(row, docs, ranks)
        return row[row.nonzero()[0]]
    order = docs.argsort(kind="stable")
    ordered = docs[order]
    first = np.ones(len(docs), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    greatest: Array = np.maximum.reduceat(ranks[order], first.nonzero()[0])
    return greatest


def _exact_form(index: Indexed, term: Asked, written: Array) -> Part:
    """Put the records first that write the word as the query does, accents and ending too."""
    bonus = index.news(term.stem, len(written)) * index.settings.exact_form
    form = Asked(term.word, term.form, term.stem, term.fields, "exact form")
    return Part((form,), written, np.ones(len(written), dtype=np.float32), bonus)
