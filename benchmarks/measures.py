"""How good a ranking is: the usual measures, by ir-measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.systems.base import package

MEASURES = {"ndcg": "nDCG@10", "recall": "R@10", "success": "Success@1", "rr": "RR@10"}
"""What is measured, by the key of the result file and the measure's own name."""


def measure(
    relevant: Mapping[str, Mapping[str, int]], ranked: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return the means of the measures over the queries of `ranked`; an empty ranking counts as 0."""
    ir: Any = package("ir_measures", "ir-measures")
    asked = {ir.parse_measure(name): key for key, name in MEASURES.items()}
    sums = dict.fromkeys(MEASURES, 0.0)
    run = {query: _scores(names) for query, names in ranked.items()}
    for found in ir.iter_calc(list(asked), {query: dict(relevant[query]) for query in ranked}, run):
        sums[asked[found.measure]] += found.value
    return {key: round(total / len(ranked), 4) for key, total in sums.items()}


def _scores(names: Sequence[str]) -> dict[str, float]:
    """Return scores that sort as the names stand; a name that repeats keeps its first place."""
    scores: dict[str, float] = {}
    for place, name in enumerate(names):
        scores.setdefault(name, float(-place))
    return scores
