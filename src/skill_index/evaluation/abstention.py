"""
Whether an answer knows when it has none: queries that no skill serves, beside those that one does.

The state of an answer is the promise ("strong" means: take it), so the share of negatives answered
strong is the false alarm and the share of positives answered strong or exact what it costs to avoid
it.  The curve says the same for a threshold of one's own on coverage or score.
"""

from __future__ import annotations

from collections.abc import Sequence

from skill_index.evaluation.asking import Answer
from skill_index.evaluation.report import Abstention, Point

_STEPS = 20  # thresholds above zero on a curve
_TRUSTED = frozenset({"exact", "strong"})


def abstention(positives: Sequence[Answer], negatives: Sequence[Answer]) -> Abstention:
    """Return the shares answered; both lists hold at least one answer."""
    highest = max(answer.score for answer in (*positives, *negatives))
    covered = [[_above_none(answer, answer.coverage) for answer in each] for each in (positives, negatives)]
    scored = [[_above_none(answer, answer.score) for answer in each] for each in (positives, negatives)]
    return Abstention(
        positives=len(positives),
        negatives=len(negatives),
        strong_positives=_share([answer.state in _TRUSTED for answer in positives]),
        strong_negatives=_share([answer.state in _TRUSTED for answer in negatives]),
        by_coverage=_curve(covered[0], covered[1], 1.0),
        by_score=_curve(scored[0], scored[1], highest),
    )


def _above_none(answer: Answer, value: float) -> float:
    """Return the value; an answer without hits is below every threshold."""
    return value if answer.hits else -1.0


def _curve(positives: Sequence[float], negatives: Sequence[float], highest: float) -> tuple[Point, ...]:
    return tuple(
        Point(
            threshold=threshold,
            positives=_share([value >= threshold for value in positives]),
            negatives=_share([value >= threshold for value in negatives]),
        )
        for threshold in (highest * step / _STEPS for step in range(_STEPS + 1))
    )


def _share(answered: Sequence[bool]) -> float:
    return sum(answered) / len(answered)
