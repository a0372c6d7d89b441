"""
How far an answer can be trusted: what share of the query it covers, weighted by news.

A search that always returns something makes an agent load skills that do not fit.  So every
term of the query weighs its idf, a term no record holds weighs as much as the rarest, and a
record covers the query by the share of that weight it holds.  From a few terms on, a record
that covers too little is no hit but a near miss; short queries keep everything that matches.
"""

from __future__ import annotations

import math

from skill_index.ranking.records import State
from skill_index.settings import SearchSettings


def least_coverage(terms: int, settings: SearchSettings) -> float:
    """
    Return the share of a query of so many terms that a hit must cover.

    Long texts say much that no skill repeats, so what is asked falls with the square root of
    their length.
    """
    if terms < settings.gate_terms:
        return 0.0
    return settings.gate_least * _leniency(terms, settings)


def state_of(coverage: float, terms: int, settings: SearchSettings) -> State:
    """Return how far a best hit that covers this share can be trusted."""
    return "strong" if coverage >= settings.gate_strong * _leniency(terms, settings) else "weak"


def _leniency(terms: int, settings: SearchSettings) -> float:
    return min(1.0, math.sqrt(settings.gate_long / max(terms, 1)))
