"""
The figures of a ranked list, from a library that others check their own figures with.

ir-measures sorts by score and breaks ties its own way, so what it is given is minus the rank: the
order that was answered is the order that is measured.  Lists are judged as they were shown: what
the gate held back or the limit cut is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skill_index.errors import SkillIndexError

MEASURES = ("nDCG@5", "nDCG@10", "Recall@5", "Recall@10", "Hit@1", "MRR", "All@10")
"""Every figure of a query, from 0 to 1; "All@10" is 1 where all that is needed is in the first ten."""


def measure(
    qrels: Mapping[str, Mapping[str, int]], ranked: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Return the figures of every judged query by its id; a query without a list has zeros."""
    library = _library()
    theirs = dict(zip(_names_there(library), MEASURES, strict=False))
    queries = sorted(qrels)
    found = [dict.fromkeys(MEASURES, 0.0) for _ in queries]
    judged: list[object] = []
    shown: list[object] = []
    for place, query in enumerate(queries):
        # What counts is written in C and dies of a NUL or half a character in a name: it gets numbers.
        names = dict.fromkeys((*qrels[query], *ranked.get(query, ())))
        numbers = {name: str(number) for number, name in enumerate(names)}
        for name, grade in qrels[query].items():
            judged.append(library.Qrel(str(place), numbers[name], max(0, grade)))
        for rank, name in enumerate(ranked.get(query, ()), start=1):
            shown.append(library.ScoredDoc(str(place), numbers[name], -float(rank)))
    for metric in library.iter_calc(list(theirs), judged, shown) if judged else ():
        found[int(metric.query_id)][theirs[metric.measure]] = metric.value
    for figures in found:
        # The library has no such measure, but all of what is needed is a recall of one.
        figures["All@10"] = float(figures["Recall@10"] == 1.0)
    return dict(zip(queries, found, strict=True))


def _names_there(library: Any) -> tuple[Any, ...]:
    """Return the library's measures in the order of `MEASURES`, all but the last."""
    ndcg, recall = library.nDCG, library.R
    return (ndcg @ 5, ndcg @ 10, recall @ 5, recall @ 10, library.Success @ 1, library.RR)


def _library() -> Any:
    try:
        import ir_measures
    except ImportError as error:
        message = 'ir-measures is not installed; run: pip install "skill_index[eval]"'
        raise SkillIndexError(message) from error
    return ir_measures
