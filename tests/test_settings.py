"""Settings: what no number may be."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import pytest

from skill_index.settings import FieldWeight, Limits, SearchSettings

NUMBERS = [
    (settings, field.name)
    for settings in (SearchSettings(), Limits(), FieldWeight(1.0, 0.5))
    for field in fields(settings)
    if isinstance(getattr(settings, field.name), int | float)
]


@pytest.mark.parametrize(
    ("settings", "name"), NUMBERS, ids=[f"{type(settings).__name__}.{name}" for settings, name in NUMBERS]
)
@pytest.mark.parametrize("value", [-1, -0.1, math.nan, math.inf])
def test_a_number_that_would_drop_answers_is_refused(settings: Any, name: str, value: float) -> None:
    """It is told which number it is, and that of any setting."""
    with pytest.raises(ValueError, match=rf"{type(settings).__name__}\.{name} is {value}"):
        replace(settings, **{name: value})
    assert getattr(replace(settings, **{name: 0}), name) == 0


@pytest.mark.parametrize(
    ("settings", "name"), [(FieldWeight(1.0, 0.5), "b"), (SearchSettings(), "gate_least")]
)
def test_a_share_is_at_most_all(settings: Any, name: str) -> None:
    """A long field would count for less than nothing, and no skill would cover enough to be a hit."""
    assert getattr(replace(settings, **{name: 1}), name) == 1
    with pytest.raises(ValueError, match=rf"\.{name} is 1\.5; it takes a share, from 0 to 1"):
        replace(settings, **{name: 1.5})
