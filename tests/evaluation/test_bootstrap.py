"""Intervals: around their mean, the same each time, and none where nothing differs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.evaluation import bootstrap
from skill_index.evaluation.bootstrap import intervals

VALUES = st.lists(st.floats(-1, 1), min_size=1, max_size=30)


@settings(max_examples=30, deadline=None)
@given(VALUES)
def test_an_interval_holds_its_mean(values: list[float]) -> None:
    """Low, mean, high, in this order, within what was measured; twice the same."""
    rows = [[value, 0.0] for value in values]
    (mean, low, high), nothing = intervals(rows)
    assert nothing == (0.0, 0.0, 0.0)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert mean == pytest.approx(sum(values) / len(values))
    assert intervals(rows)[0] == (mean, low, high)


def test_more_queries_make_it_narrower() -> None:
    """Four times as many halve it, about."""
    widths = [high - low for _, low, high in (intervals([[0.0], [1.0]] * half)[0] for half in (50, 200))]
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.2)
    assert widths[0] == pytest.approx(0.2, rel=0.15)  # 2 * 1.96 * 0.5 / sqrt(100)


def test_columns_are_drawn_together() -> None:
    """A column and its opposite have opposite intervals: a query is drawn whole."""
    (_, low, high), (_, other_low, other_high) = intervals([[value, -value] for value in (0.1, 0.9, 0.4)])
    assert (low, high) == pytest.approx((-other_high, -other_low))


def test_parts_of_the_work_are_all_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory held at once changes neither the number of rounds nor, much, the interval."""
    rows = [[number / 10] for number in range(11)]
    whole = intervals(rows)[0]
    monkeypatch.setattr(bootstrap, "_CHUNK", 70)
    assert intervals(rows)[0] == pytest.approx(whole, abs=0.02)
