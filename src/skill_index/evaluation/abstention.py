"""
Whether an answer knows when it has none: queries that no skill serves, beside those that one does.

The state of an answer is the promise ("strong" means: take it), so the share of negatives answered
strong is the false alarm and the share of positives answered strong or exact what it costs to avoid
it.  The curve says the same for a threshold of one's own on coverage or score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skill_index.evaluation.report import Abstention, Point
from skill_index.ranking import State

STEPS = 20
"""Thresholds above zero on a curve."""


class Answered(NamedTuple):
    """What an answer says about itself: its state, and coverage and score of its first hit."""

    state: State
    coverage: float
    score: float


def abstention(positives: Sequence[Answered], negatives: Sequence[Answered]) -> Abstention:
    """Return the shares answered; both lists hold at least one answer."""
    highest = max(answer.score for answer in (*positives, *negatives))
    return Abstention(
        positives=len(positives),
        negatives=len(negatives),
        strong_positives=_share([answer.state in {"strong", "exact"} for answer in positives]),
        strong_negatives=_share([answer.state in {"strong", "exact"} for answer in negatives]),
        by_coverage=_curve(*([_confidence(a, a.coverage) for a in each] for each in (positives, negatives))),
        by_score=_curve(
            *([_confidence(a, a.score) for a in each] for each in (positives, negatives)), highest=highest
        ),
    )


def _confidence(answer: Answered, value: float) -> float:
    """Return the value; an answer without hits is below every threshold."""
    return -1.0 if answer.state == "none" else value


def _curve(positives: Sequence[float], negatives: Sequence[float], highest: float = 1.0) -> tuple[Point, ...]:
    thresholds = [highest * step / STEPS for step in range(STEPS + 1)]
    return tuple(
        Point(
            threshold=threshold,
            positives=_share([value >= threshold for value in positives]),
            negatives=_share([value >= threshold for value in negatives]),
        )
        for threshold in thresholds
    )


def _share(answered: Sequence[bool]) -> float:
    return sum(answered) / len(answered)
