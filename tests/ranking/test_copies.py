"""Copies of a skill: told by name and description, and put behind the others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record
from skill_index.ranking.copies import copies_last

PDF = "Fills in PDF forms, and merges them."


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ([("pdf", PDF), ("pdf", PDF), ("split", "Splits.")], [0, 2, 1]),
        ([("pdf", PDF), ("split", "Splits."), ("pdf", PDF)], [0, 1, 2]),
        ([("pdf", PDF), ("pdf", f"{PDF} For Codex."), ("split", "Splits.")], [0, 2, 1]),
        ([("pdf", PDF), ("pdf", PDF.upper()), ("split", "Splits.")], [0, 2, 1]),
        ([("pdf", PDF), ("pdf", "Draws them."), ("pdf", PDF), ("split", "Splits.")], [0, 1, 3, 2]),
        ([("pdf", PDF), ("PDF", PDF), ("split", PDF)], [0, 1, 2]),  # two names, and two skills
        ([("deploy", "Deploys to Acme."), ("deploy", "Ships what Zeta hosts."), ("split", "")], [0, 1, 2]),
        ([("pdf", ""), ("pdf", ""), ("split", "")], [0, 1, 2]),  # nothing says that they are alike
        ([], []),
    ],
)
def test_copies_go_behind_the_others(told: list[tuple[str, str]], order: list[int]) -> None:
    """Same name, and half of all words in both descriptions; who comes first of them stays where it was."""
    records = [Record(f"k{at}", name, description) for at, (name, description) in enumerate(told)]
    assert copies_last(records, range(len(records))) == order


def test_what_led_before_is_not_repeated() -> None:
    """A copy of what an answer already leads with is a copy."""
    records = [Record("a", "pdf", PDF), Record("b", "pdf", PDF), Record("c", "split", "Splits.")]
    assert copies_last(records, [1], [0, 2]) == [1, 2, 0]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["x y", "x y z", "z", ""])), max_size=9))
def test_nothing_is_lost_and_no_order_but_that(told: list[tuple[str, str]]) -> None:
    """All positions come back; leading ones and copies are each in the order that they had."""
    records = [Record(f"k{at}", *each) for at, each in enumerate(told)]
    order = copies_last(records, range(len(records)))
    assert sorted(order) == list(range(len(records)))
    falls = [at for at in range(1, len(order)) if order[at] < order[at - 1]]
    assert len(falls) <= 1
    assert copies_last(records, order) == order


COPIES = [Record(f"k{at}", "pdf-forms", PDF, "pdf " * (9 - at)) for at in range(9)]
OTHERS = [Record(f"o{at}", f"pdf-{at}", "A pdf.") for at in range(30)]


@pytest.mark.parametrize("first", [[], [1, 2], [12, 1]])
def test_copies_do_not_fill_the_page(first: list[int]) -> None:
    """One of nine stands among the first hits, none is lost, and each place is the same for any limit."""
    ranker, query = Ranker.build([*COPIES, *OTHERS]), parse_query("pdf forms")
    whole = ranker.rank(query, 99, first=first)
    places = [hit.position for hit in whole.hits]
    assert sorted(places) == list(range(39))
    assert whole.total == 39
    page = [at for at in places[:5] if at not in first]
    assert sum(at < len(COPIES) for at in page) == (not any(at < len(COPIES) for at in first))
    assert ranker.order(query, 99, first) == places
    for limit in range(40):
        part = ranker.rank(query, limit, first=first, more=3)
        assert [*(hit.position for hit in part.hits), *part.following] == places[: limit + 3]
        assert ranker.order(query, limit, first) == places[:limit]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["pdf", "pdf form"]), st.sampled_from([PDF, "pdf"])), max_size=30))
def test_the_start_of_a_long_answer_is_the_short_one(told: list[tuple[str, str]]) -> None:
    """Which copies go behind does not depend on how many hits are asked for."""
    ranker = Ranker.build([Record(f"k{at}", *each) for at, each in enumerate(told)])
    query = parse_query("pdf form")
    whole = ranker.order(query, 99)
    assert all(ranker.order(query, limit) == whole[:limit] for limit in range(len(told)))
