"""The figures: known values, and what holds for any list."""

from __future__ import annotations

import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.errors import SkillIndexError
from skill_index.evaluation import MEASURES
from skill_index.evaluation.metrics import measure

NDCG_SECOND = 1 / math.log2(3)
IDEAL_TWO = 1 + NDCG_SECOND
FIVE = [f"x{number}" for number in range(5)]

KNOWN = [
    ({"a": 1}, ["a", "b"], [1, 1, 1, 1, 1, 1, 1]),
    ({"a": 1}, ["b", "a"], [NDCG_SECOND, NDCG_SECOND, 1, 1, 0, 0.5, 1]),
    ({"a": 1}, [*FIVE, "a"], [0, 1 / math.log2(7), 0, 1, 0, 1 / 6, 1]),
    ({"a": 1, "b": 1}, ["a", "c"], [1 / IDEAL_TWO, 1 / IDEAL_TWO, 0.5, 0.5, 1, 1, 0]),
    ({"a": 1, "b": 0}, ["b", "a"], [NDCG_SECOND, NDCG_SECOND, 1, 1, 0, 0.5, 1]),
    ({"a": 3, "b": 1}, ["b", "a"], [(1 + 3 * NDCG_SECOND) / (3 + NDCG_SECOND)] * 2 + [1, 1, 1, 1, 1]),
    ({"a": 1}, ["b"], [0] * 7),
    ({"a": 1}, [], [0] * 7),
]


@pytest.mark.parametrize(("grades", "ranked", "figures"), KNOWN)
def test_known_values(grades: dict[str, int], ranked: list[str], figures: list[float]) -> None:
    """Figures worked out by hand."""
    found = measure({"q": grades}, {"q": ranked})["q"]
    assert [found[name] for name in MEASURES] == pytest.approx(figures)


def test_the_rank_decides_and_not_the_name() -> None:
    """Ten hits of any names are judged in the order in which they were answered."""
    for names in (list("abcdefghij"), list("jihgfedcba")):
        for place, name in enumerate(names, start=1):
            assert measure({"q": {name: 1}}, {"q": names})["q"]["MRR"] == pytest.approx(1 / place)


@pytest.mark.parametrize("odd", ["\0", "a\0b", "\ud800"])
def test_no_name_ends_the_process(odd: str) -> None:
    """Names that C cannot hold are told apart like all others."""
    qrels = {f"q{odd}": {f"a{odd}": 1, "a": 1}, "q": {odd: 1}}
    found = measure(qrels, {f"q{odd}": ["a", f"a{odd}"], "q": ["a", odd]})
    assert {query: figures["MRR"] for query, figures in found.items()} == {f"q{odd}": 1.0, "q": 0.5}


def test_lists_of_unjudged_queries_are_passed_by() -> None:
    """Only what is judged is measured; nothing judged is nothing measured."""
    assert measure({}, {"q": ["a"]}) == {}
    assert set(measure({"q": {"a": 1}}, {"p": ["a"]})) == {"q"}


NAMES = st.sampled_from(["a", "b b", "c", "ünï", "\u2028", "e"])
GRADES = st.dictionaries(NAMES, st.integers(0, 3), min_size=1).filter(lambda grades: any(grades.values()))


@given(st.dictionaries(st.text(min_size=1, max_size=3), GRADES, max_size=4), st.data())
def test_figures_lie_between_nothing_and_all(qrels: dict[str, dict[str, int]], data: st.DataObject) -> None:
    """Every figure is from 0 to 1, and a longer list loses no recall."""
    ranked = {query: data.draw(st.lists(NAMES, unique=True)) for query in qrels}
    found = measure(qrels, ranked)
    assert found.keys() == qrels.keys()
    for figures in found.values():
        assert tuple(figures) == MEASURES
        assert all(0 <= value <= 1 + 1e-9 for value in figures.values())
        assert figures["Recall@5"] <= figures["Recall@10"]
        assert figures["Hit@1"] <= figures["MRR"]


@given(st.dictionaries(st.text(min_size=1, max_size=3), GRADES, max_size=4))
def test_a_perfect_list_has_ones(qrels: dict[str, dict[str, int]]) -> None:
    """Needed skills first, best grade first: nothing is missing."""
    ranked = {
        query: sorted((name for name, grade in grades.items() if grade), key=lambda name: -grades[name])
        for query, grades in qrels.items()
    }
    few = {query for query, names in ranked.items() if len(names) <= 5}
    for query, figures in measure(qrels, ranked).items():
        for name, value in figures.items():
            assert query not in few or value == pytest.approx(1), name


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[eval\]"'):
        measure({"q": {"a": 1}}, {"q": ["a"]})
