"""
How far an answer can be trusted, from what its best hit covers and how strongly.

A search that always returns something makes an agent load skills that do not fit.  So every
term of the query weighs its idf, a term no record holds weighs as much as the rarest, and a
record covers the query by the share of that weight it holds.  From a few terms on, a record
that covers too little is no hit but a near miss; short queries keep everything that matches.

Coverage alone trusts a body that mentions every word in passing, and a score alone grows with the
query.  Their product tells what a catalog is for from what it is not for better than either, for
short queries too, if of the score only the strongest words count: in a page of text some hit finds a
little of everything.  Words that also stand side by side in the hit are met by chance the least.  Related
words give an order and no trust: who asks for a product by its name is not served by any other of its kind.

Rejected: a logistic of a dozen signals (the gap to the second hit, the share of the name, the score above
the mean), which with one set left out won on some sets what it lost on others; how far the query is
about the same as the hit by the company its words keep, since what is asked for next to a catalog's
own subject is about that subject too; and the best stretch of a long query in place of its strongest words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from skill_index.ranking.kernel import idf
from skill_index.ranking.records import Evidence, State
from skill_index.settings import SearchSettings

_ALL_BUT_ROUNDING = 1 - 1e-9
_NEIGHBOURS = {"together", "phrase"}
_NO_WORDS = {"named", "negative"}


def least_coverage(terms: int, settings: SearchSettings) -> float:
    """
    Return the share of a query of so many terms that a hit must cover.

    Long texts say much that no skill repeats, so what is asked falls with the square root of
    their length.
    """
    if terms < max(1, settings.gate_terms):
        return 0.0
    return settings.gate_least * min(1.0, math.sqrt(settings.gate_long / terms))


def strength(evidence: Iterable[Evidence], settings: SearchSettings) -> float:
    """
    Return how strongly a hit matches, as a score that does not grow with the length of a query.

    Of its words only the strongest count.  From a score of neighbours on that chance does not give, all
    counts as many times as they have that score.

    >>> word = Evidence("pdf", "pdf", ("name",), "exact", 9.0)
    >>> pair = Evidence("pdf forms", "pdf form", ("name",), "together", 13.0)
    >>> strength([word], SearchSettings()), strength([word, pair], SearchSettings())
    (9.0, 44.0)
    """
    words: dict[str, float] = {}
    neighbours = others = 0.0
    for piece in evidence:
        if piece.how in _NEIGHBOURS:
            neighbours += piece.score
        elif piece.how in _NO_WORDS:
            others += piece.score
        else:
            words[piece.word] = words.get(piece.word, 0.0) + piece.score
    strongest = sum(sorted(words.values(), reverse=True)[: settings.gate_words])
    growth = neighbours / settings.gate_neighbours if settings.gate_neighbours else 1.0
    return max(0.0, strongest + neighbours + others) * max(1.0, growth)


def confidence(coverage: float, strength: float, total: int, settings: SearchSettings) -> float:
    """
    Return how far a hit can be trusted, from 0 to 1.

    It is the share covered times the strength, counted in full matches of a word as rare as can be
    among `total` records, and bent to stay below 1.  What covers all of a query is strong, however
    common its words are: whoever asks for a "test" has said no more.
    """
    rarest = idf(total + settings.background, 0)
    worth = coverage * strength / ((settings.k1 + 1) * rarest)
    trust = worth / (worth + settings.gate_half) if worth else 0.0
    return max(trust, settings.gate_strong) if coverage > _ALL_BUT_ROUNDING else trust


def state_of(trust: float, settings: SearchSettings) -> State:
    """Return the state of an answer whose best hit can be trusted so far."""
    return "strong" if trust >= settings.gate_strong else "weak"
