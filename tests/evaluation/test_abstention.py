"""Knowing when nothing fits: shares of both kinds of query, and the curve of a threshold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from skill_index.evaluation.abstention import abstention
from skill_index.evaluation.asking import Answer
from skill_index.evaluation.report import HitReport
from skill_index.ranking import State


def answer(state: State, coverage: float = 0.0, score: float = 0.0) -> Answer:
    """Return an answer; one of state "none" has no hit."""
    hits = () if state == "none" else (HitReport(name="a", score=score, grade=0),)
    return Answer(hits, state, coverage)


def test_shares_and_curve() -> None:
    """Strong and exact count as answered; an answer without hits is below every threshold."""
    positives = [
        answer("exact", 1, 10),
        answer("strong", 0.5, 4),
        answer("weak", 0.25, 2),
        answer("none"),
    ]
    found = abstention(positives, [answer("strong", 0.5, 1), answer("none")])
    assert (found.positives, found.strong_positives) == (4, 0.5)
    assert (found.negatives, found.strong_negatives) == (2, 0.5)
    covered = {round(point.threshold, 2): (point.positives, point.negatives) for point in found.by_coverage}
    assert len(covered) == 21
    assert covered[0] == (0.75, 0.5)
    assert covered[0.5] == (0.5, 0.5)
    assert covered[0.55] == (0.25, 0)
    assert covered[1] == (0.25, 0)
    assert [(point.positives, point.negatives) for point in found.by_score if point.threshold == 2] == [
        (0.75, 0)
    ]
    assert found.by_score[-1].threshold == 10


STATES: st.SearchStrategy[State] = st.sampled_from(["exact", "strong", "weak", "none"])
ANSWERS = st.lists(st.builds(answer, STATES, st.floats(0, 1), st.floats(0, 99)), min_size=1, max_size=9)


@given(ANSWERS, ANSWERS)
def test_a_higher_threshold_answers_less(positives: list[Answer], negatives: list[Answer]) -> None:
    """Both shares only fall, and two equal sides have equal shares."""
    found = abstention(positives, negatives)
    for curve in (found.by_coverage, found.by_score):
        for side in ("positives", "negatives"):
            shares = [getattr(point, side) for point in curve]
            assert shares == sorted(shares, reverse=True)
            assert all(0 <= share <= 1 for share in shares)
    same = abstention(positives, positives)
    assert same.strong_positives == same.strong_negatives
    assert all(point.positives == point.negatives for point in same.by_score)
