"""
What moved between two reports, query by query, and why as far as their evidence says.

Two means can be equal while half of the queries got worse, and a mean that fell says nothing about
what to mend.  So every query whose first needed skill or whose nDCG@10 moved is listed, the worst
loss first, with the first hits of both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from skill_index.evaluation.bootstrap import intervals
from skill_index.evaluation.report import HitReport, Interval, QueryReport, Report, SetReport
from skill_index.tools.reply import Text

MEASURE = "nDCG@10"
"""The figure by which a query is better or worse."""

_SHOWN = 3  # first hits on each side that explain a move
_SAME = 1e-9


class Move(BaseModel):
    """A query that is answered otherwise than before."""

    model_config = ConfigDict(frozen=True)

    id: Text
    text: Text
    needed: tuple[Text, ...]
    rank_before: int | None
    rank_after: int | None
    delta: float
    before: tuple[HitReport, ...]
    after: tuple[HitReport, ...]


class SetComparison(BaseModel):
    """One set in both reports; `delta` is the paired interval of the mean over common queries."""

    model_config = ConfigDict(frozen=True)

    name: Text
    queries: int
    only_before: int
    only_after: int
    better: int
    worse: int
    delta: Interval | None
    moves: tuple[Move, ...]


class Comparison(BaseModel):
    """All sets that are in both reports, and the names of those that are in one."""

    model_config = ConfigDict(frozen=True)

    sets: tuple[SetComparison, ...]
    only_before: tuple[Text, ...]
    only_after: tuple[Text, ...]


def compare(before: Report, after: Report) -> Comparison:
    """Return what moved from one report to another."""
    pairs = [(each, other) for each in after.sets if (other := before.set_named(each.name)) is not None]
    return Comparison(
        sets=tuple(_compared(old, new) for new, old in pairs),
        only_before=_missing(before.sets, after),
        only_after=_missing(after.sets, before),
    )


def _missing(sets: Iterable[SetReport], other: Report) -> tuple[str, ...]:
    return tuple(each.name for each in sets if other.set_named(each.name) is None)


def _compared(before: SetReport, after: SetReport) -> SetComparison:
    old = {query.id: query for query in before.queries}
    pairs = [(old[query.id], query) for query in after.queries if query.id in old]
    deltas = [new.metrics[MEASURE] - was.metrics[MEASURE] for was, new in pairs]
    moves = [_move(was, new, delta) for (was, new), delta in zip(pairs, deltas, strict=True)]
    moved = [move for move in moves if abs(move.delta) > _SAME or move.rank_before != move.rank_after]
    return SetComparison(
        name=after.name,
        queries=len(pairs),
        only_before=len(before.queries) - len(pairs),
        only_after=len(after.queries) - len(pairs),
        better=sum(delta > _SAME for delta in deltas),
        worse=sum(delta < -_SAME for delta in deltas),
        delta=_interval(deltas),
        moves=tuple(sorted(moved, key=lambda move: (move.delta, move.id))),
    )


def _move(was: QueryReport, new: QueryReport, delta: float) -> Move:
    return Move(
        id=new.id,
        text=new.text,
        needed=tuple(new.needed),
        rank_before=was.rank,
        rank_after=new.rank,
        delta=delta,
        before=was.hits[:_SHOWN],
        after=new.hits[:_SHOWN],
    )


def _interval(deltas: Sequence[float]) -> Interval | None:
    if not deltas:
        return None
    mean, low, high = intervals([[delta] for delta in deltas])[0]
    return Interval(mean=mean, low=low, high=high)
