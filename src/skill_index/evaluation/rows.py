"""The rows of a report: the same figures over all queries, over each kind and over each group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from skill_index.evaluation.bootstrap import intervals
from skill_index.evaluation.kinds import KINDS
from skill_index.evaluation.metrics import MEASURES
from skill_index.evaluation.report import Interval, QueryReport, Row

ALL = "all"
"""The name of the row over all queries."""

Before: TypeAlias = Mapping[str, Mapping[str, float]] | None
"""The figures of a baseline by query id."""


def rows_by_kind(queries: Sequence[QueryReport], before: Before) -> tuple[Row, ...]:
    """Return the row of all queries, then one for each kind that some of them are of."""
    held = {kind: [query for query in queries if kind in query.kinds] for kind in KINDS}
    rows = (_row(kind, some, before) for kind, some in held.items() if some)
    return (_row(ALL, queries, before), *rows)


def rows_by_group(queries: Sequence[QueryReport], before: Before) -> tuple[Row, ...]:
    """Return a row for each group in name order; queries without one are in none."""
    groups: dict[str, list[QueryReport]] = defaultdict(list)
    for query in queries:
        if query.group:
            groups[query.group].append(query)
    return tuple(_row(group, groups[group], before) for group in sorted(groups))


def _row(name: str, queries: Sequence[QueryReport], before: Before) -> Row:
    figures = [[query.metrics[measure] for measure in MEASURES] for query in queries]
    delta = None
    if before is not None:
        delta = _named(
            [
                [query.metrics[measure] - before[query.id][measure] for measure in MEASURES]
                for query in queries
            ]
        )
    return Row(name=name, queries=len(queries), metrics=_named(figures), delta=delta)


def _named(rows: Sequence[Sequence[float]]) -> dict[str, Interval]:
    return {
        measure: Interval(mean=mean, low=low, high=high)
        for measure, (mean, low, high) in zip(MEASURES, intervals(rows), strict=True)
    }
