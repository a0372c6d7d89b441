"""
BM25F: one saturating score per term, fed by every field at once.

Why not BM25 per field, summed?  A word in both name and description would saturate twice, so a
skill that repeats itself across fields would beat one that says it once in the right place.
BM25F (Robertson, Zaragoza and Taylor, 2004) mixes the counts first and saturates once:

    mixed  = Σ weight · count / (1 - b + b · length / average length)     over fields
    impact = mixed · (k1 + 1) / (mixed + k1)
    score  = Σ query weight · idf · impact                                over terms

The impact of a term in a record does not depend on the query, so it is computed once, when the
index is made; a query then only adds slices of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from skill_index.ranking.postings import Array, Postings
from skill_index.ranking.records import FIELDS
from skill_index.settings import SearchSettings


def idf(total: float, having: float) -> float:
    """
    Return how much news a term is: never negative, and near zero when every record has it.

    >>> round(idf(total=100, having=1), 2), round(idf(total=100, having=100), 3)
    (4.21, 0.005)
    """
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def saturated(times: float, k3: float) -> float:
    """
    Return the weight of a term that stands `times` in the query (Robertson's k3).

    >>> saturated(1, k3=8), round(saturated(10, k3=8), 1)
    (1.0, 5.0)
    """
    return (k3 + 1) * times / (k3 + times)


def impacts(postings: Postings, settings: SearchSettings) -> Array:
    """Return the impact of every entry of the postings, as float32."""
    weights = settings.weights
    # Averaged over the records that have the field: where few have aliases, theirs are not long ones.
    having = np.maximum((postings.lengths > 0).sum(axis=0), 1)
    averages = postings.lengths.sum(axis=0) / having
    mixed = np.zeros(len(postings.docs), dtype=np.float32)
    for number, field in enumerate(FIELDS):
        weight = getattr(weights, field)
        # An absent field has no average length; its counts are all zero, so any number serves.
        relative = postings.lengths[:, number] / max(float(averages[number]), 1e-9)
        norm = (1 - weight.b + weight.b * relative)[postings.docs]
        counts = postings.counts[:, number]
        held = counts > 0
        mixed[held] += (weight.weight * counts[held] / norm[held]).astype(np.float32)
    result: Array = mixed * np.float32(settings.k1 + 1) / (mixed + np.float32(settings.k1))
    return result


def best(scores: Array, candidates: Array, limit: int, tiebreak: Array) -> list[int]:
    """
    Return the `limit` best candidates: by score, then by their place in `tiebreak`.

    Everything that ties with the last one is sorted too, so a longer answer begins as the shorter.
    """
    if limit <= 0 or not len(candidates):
        return []
    found = scores[candidates]
    if limit < len(candidates):
        least = np.partition(found, len(found) - limit)[len(found) - limit]
        held = found >= least
        candidates, found = candidates[held], found[held]
    order = np.lexsort((tiebreak[candidates], -found))
    return [int(position) for position in candidates[order[:limit]]]


def union(arrays: Iterable[Array]) -> Array:
    """Return every number of the arrays once, ascending."""
    listed = [array for array in arrays if len(array)]
    return np.unique(np.concatenate(listed)) if listed else np.empty(0, dtype=np.int64)
