"""Edits lie beside what is there: few segments, however many edits, and none that shows nothing."""

from __future__ import annotations

import pytest

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record


def record(number: int, version: int = 0) -> Record:
    """Return one version of a record."""
    return Record(f"k{number}", f"skill-{number}", f"Says version{version} and number{number}.")


@pytest.mark.parametrize("count", [1, 8, 40])
def test_many_edits_leave_few_segments(count: int) -> None:
    """Their number grows with the logarithm of the edits, and every record is shown by one."""
    records = [record(number) for number in range(count)]
    ranker = Ranker.build(records)
    for version in range(1, 60):
        at = version * 7 % count
        records[at] = record(at, version)
        ranker = ranker.updated(records, [None if place == at else place for place in range(count)])
    shelves = ranker._index.shelves
    assert len(shelves) <= 7
    shown = sorted(place for shelf in shelves for place in shelf.places.tolist() if place >= 0)
    assert shown == list(range(count))
    assert ranker.rank(parse_query("version59"), 9) == Ranker.build(records).rank(parse_query("version59"), 9)


def test_removals_leave_no_empty_segment() -> None:
    """What shows nothing any more is forgotten, and an index of nothing answers."""
    ranker = Ranker.build([record(0)])
    for _ in range(3):
        ranker = ranker.updated([], [])
        assert len(ranker._index.shelves) == 1
        ranker = ranker.updated([record(1)], [None])
        assert len(ranker._index.shelves) == 1
    assert ranker.rank(parse_query("number1"), 9).total == 1


def test_an_edit_copies_nothing() -> None:
    """The segment of the untouched records is the same object before and after, in a view too."""
    records = [record(number) for number in range(20)]
    before = Ranker.build(records)
    after = before.updated([record(0, 1), *records[1:]], [None, *range(1, 20)])
    view = after.restrict(range(5))
    (segment,) = (shelf.segment for shelf in before._index.shelves)
    assert after._index.shelves[0].segment is segment
    assert view._index.shelves[0].segment is segment
