"""What moved between two reports."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from skill_index import Skill
from skill_index.evaluation import JudgedQuery, JudgedSet, Report, compare, evaluate_run
from skill_index.evaluation.trec import Run

NAMES = "abcde"
JUDGED = JudgedSet(
    "set",
    tuple(Skill(name, "d") for name in NAMES),
    tuple(JudgedQuery(f"q{number}", f"text {number}") for number in range(4)),
    {f"q{number}": {"a": 1} for number in range(4)},
)


def report(lists: Mapping[str, str], judged: JudgedSet = JUDGED) -> Report:
    """Return the report of ranked lists, each a text of one-letter names."""
    run: Run = {query: tuple((name, 1.0) for name in names) for query, names in lists.items()}
    return Report(sets=(evaluate_run(judged, run),))


BEFORE = {"q0": "ab", "q1": "ab", "q2": "ba", "q3": "bc"}


def test_equal_reports_have_no_moves() -> None:
    """A report against itself: nothing better, nothing worse, an interval of nothing."""
    (found,) = compare(report(BEFORE), report(BEFORE)).sets
    assert (found.queries, found.better, found.worse, found.moves) == (4, 0, 0, ())
    assert found.delta is not None
    assert (found.delta.mean, found.delta.low, found.delta.high) == (0, 0, 0)


def test_moves_are_told_worst_first() -> None:
    """Ranks before and after, the loss or gain, and the first hits of both sides."""
    (found,) = compare(report(BEFORE), report(BEFORE | {"q1": "bc", "q0": "ba", "q3": "bcdae"})).sets
    assert (found.better, found.worse) == (1, 2)
    assert [(move.id, move.rank_before, move.rank_after) for move in found.moves] == [
        ("q1", 1, None),
        ("q0", 1, 2),
        ("q3", None, 4),
    ]
    assert [move.delta for move in found.moves] == pytest.approx([-1, -0.36907, 0.43068], abs=1e-4)
    last = found.moves[-1]
    assert [hit.name for hit in last.before] == ["b", "c"]
    assert [hit.name for hit in last.after] == ["b", "c", "d"]
    assert (last.text, last.needed) == ("text 3", ("a",))


def test_a_comparison_turns_round() -> None:
    """The other way round every gain is a loss."""
    one, other = report(BEFORE), report(BEFORE | {"q0": "cba", "q3": "a"})
    (there,), (back,) = compare(one, other).sets, compare(other, one).sets
    assert (there.better, there.worse) == (back.worse, back.better) == (1, 1)
    assert {move.id: move.delta for move in there.moves} == {move.id: -move.delta for move in back.moves}


def test_what_stands_in_one_report_is_counted() -> None:
    """Queries and sets that have no other half are named and not compared."""
    fewer = JudgedSet(
        "set", JUDGED.skills, JUDGED.queries[1:], {q: JUDGED.qrels[q] for q in ("q1", "q2", "q3")}
    )
    (found,) = compare(report(BEFORE), report({}, fewer)).sets
    assert (found.queries, found.only_before, found.only_after) == (3, 1, 0)
    renamed = JudgedSet("renamed", JUDGED.skills, JUDGED.queries, JUDGED.qrels)
    apart = compare(report(BEFORE), report(BEFORE, renamed))
    assert (apart.sets, apart.only_before, apart.only_after) == ((), ("set",), ("renamed",))
