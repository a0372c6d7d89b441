"""
BM25F: one saturating score per term, fed by every field at once.

Why not BM25 per field, summed?  A word in both name and description would saturate twice, so a
skill that repeats itself across fields would beat one that says it once in the right place.
BM25F (Robertson, Zaragoza and Taylor, 2004) mixes the counts first and saturates once:

    mixed  = Σ weight · count / (1 - b + b · length / average length)     over fields
    impact = mixed · (k1 + 1) / (mixed + k1)
    score  = Σ query weight · idf · impact                                over terms

What a count is worth in a record (`shares`) depends on neither term nor query, so it is computed once
for an index.  So are impacts where an index is built; after an edit or for a view they are computed for
a term when a query first asks for it, since such an index is asked for few of its terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from skill_index.ranking.postings import Array
from skill_index.ranking.records import FIELDS
from skill_index.settings import SearchSettings

_FEW = 256  # scores that are sorted as fast as the greatest of them are found
_BLOCK = 64  # scores of which only the greatest is looked at when the first few are looked for
_TIES = 1e-9  # scores that differ by less are equal: adding in another order moves only the last bits
_DIGITS = 9
_TINY = float(np.finfo(np.float64).tiny)  # in place of a k1 of 0, for terms that count nothing


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


def shares(lengths: Array, settings: SearchSettings) -> Array:
    """Return what one count is worth in each field of each record, as float32: a row for each record."""
    given = [getattr(settings.weights, field) for field in FIELDS]
    weights, b = np.array([[field.weight, field.b] for field in given]).T
    has = lengths > 0
    # Averaged over the records that have the field: where few have aliases, theirs are not long ones.
    averages = lengths.sum(axis=0) / np.maximum(has.sum(axis=0), 1)
    relative = np.divide(lengths, averages, out=np.zeros(lengths.shape), where=has)
    worth = np.divide(weights, 1 - b + b * relative, out=np.zeros(lengths.shape), where=has)
    narrow: Array = worth.astype(np.float32)
    return narrow


def impacts(docs: Array, counts: Array, worth: Array, k1: float) -> Array:
    """Return the impact of postings on their records, as float32; `worth` are the shares of all records."""
    mixed = np.einsum("ij,ij->i", counts, worth.take(docs, axis=0), dtype=np.float64)
    impact: Array = (mixed * (k1 + 1) / (mixed + (k1 or _TINY))).astype(np.float32)
    return impact


def bits(counts: Array) -> Array:
    """Return for each row of counts, one for each of eight fields, in which of them it counts anything."""
    return np.packbits(counts != 0, bitorder="little")


def best(scores: Array, among: Array, limit: int, settle: Callable[[Array], Array]) -> Array:
    """
    Return the places of the `limit` highest scores among those of a mask, the highest first.

    No score is below zero.  Equal ones are settled by `settle`, which is asked only then: it gives each of
    some places a number, the lower the better, so a longer answer begins as the shorter one.
    """
    held = among.nonzero()[0]
    if limit <= 0 or not len(held):
        return held[:0]
    values = scores[held]
    if len(held) > max(_FEW, 2 * limit):
        near = (values >= _least(values, limit) - _TIES).nonzero()[0]
        held, values = held[near], values[near]
    found = -values.round(_DIGITS)
    order = found.argsort()
    # Whoever ties with the last one stays in, so that the answer does not depend on where it is cut.
    ranked = found[order]
    contest = int(ranked.searchsorted(ranked[min(limit, len(ranked)) - 1], side="right"))
    order = order[:contest]
    if len(set(ranked[:contest].tolist())) < contest:
        order = order[np.lexsort((settle(held[order]), ranked[:contest]))]
    chosen: Array = held[order[:limit]]
    return chosen


def _least(scores: Array, limit: int) -> float:
    """
    Return a score that at least `limit` of them reach and few others, 0 where there may be none such.

    Of each block only the greatest score is looked at: `limit` blocks have one that high.
    """
    blocks = max(limit, len(scores) // _BLOCK)
    deep = len(scores) // blocks
    if not deep:
        return 0.0
    # Each column is a block: the greatest of all columns are found in a few long passes.
    greatest = scores[: deep * blocks].reshape(deep, blocks).max(axis=0)
    greatest.partition(blocks - limit)
    return float(greatest[blocks - limit])


def summed(places: Array, values: Array, size: int) -> Array:
    """
    Return for each of `size` places the sum of its values, 0.0 where there are none.

    >>> summed(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 4)
    array([1., 0., 5., 0.])
    """
    if not len(places):  # numpy would return whole numbers
        return np.zeros(size)
    return np.bincount(places, values, size)
