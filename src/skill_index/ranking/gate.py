"""
How far an answer can be trusted, from what its best hit covers and how strongly.

A search that always returns something makes an agent load skills that do not fit.  So every
term of the query weighs its idf, a term no record holds weighs as much as the rarest, and a
record covers the query by the share of that weight it holds.  From a few terms on, a record
that covers too little is no hit but a near miss; short queries keep everything that matches.

Coverage alone trusts a body that mentions every word in passing, and a score alone grows with the
query.  Their product tells what a catalog is for from what it is not for better than either, for
short queries too.  Rejected: a logistic of a dozen signals (the gap to the second hit, the share of
the name, pairs, the score above the mean); with one set left out it won on some sets what it lost on
others.
"""

from __future__ import annotations

import math

from skill_index.ranking.kernel import idf
from skill_index.ranking.records import State
from skill_index.settings import SearchSettings

_ALL_BUT_ROUNDING = 1 - 1e-9


def least_coverage(terms: int, settings: SearchSettings) -> float:
    """
    Return the share of a query of so many terms that a hit must cover.

    Long texts say much that no skill repeats, so what is asked falls with the square root of
    their length.
    """
    if terms < settings.gate_terms:
        return 0.0
    return settings.gate_least * min(1.0, math.sqrt(settings.gate_long / terms))


def confidence(coverage: float, score: float, total: int, settings: SearchSettings) -> float:
    """
    Return how far a hit can be trusted, from 0 to 1.

    It is the share covered times the score, counted in full matches of a word as rare as can be
    among `total` records, and bent to stay below 1.  What covers all of a query is strong, however
    common its words are: whoever asks for a "test" has said no more.
    """
    rarest = idf(total + settings.background, 0)
    worth = coverage * score / ((settings.k1 + 1) * rarest)
    trust = worth / (worth + settings.gate_half)
    return max(trust, settings.gate_strong) if coverage > _ALL_BUT_ROUNDING else trust


def state_of(trust: float, settings: SearchSettings) -> State:
    """Return the state of an answer whose best hit can be trusted so far."""
    return "strong" if trust >= settings.gate_strong else "weak"
