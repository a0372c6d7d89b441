"""The search for garbage: paused while an index begins, and then as the host had it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_index import SkillIndex
from skill_index.keeping import keeping_all


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    looked = gc.isenabled()
    yield
    (gc.enable if looked else gc.disable)()


@pytest.mark.parametrize("looked", [True, False])
def test_afterwards_it_is_as_before(looked: bool) -> None:
    """On if it was on and off if it was off, also where one is inside of another."""
    (gc.enable if looked else gc.disable)()
    with keeping_all():
        with keeping_all():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled() is looked


def test_an_error_ends_it_too() -> None:
    """Whatever goes wrong meanwhile, the host's garbage is looked for again."""
    gc.enable()
    with pytest.raises(KeyError), keeping_all():
        raise KeyError
    assert gc.isenabled()


def test_it_is_paused_while_an_index_begins(tmp_path: Path) -> None:
    """The first look reads everything there is; afterwards the host's garbage is looked for."""
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "SKILL.md").write_text("---\nname: pdf\ndescription: Fill forms.\n---\n", "utf-8")
    gc.enable()
    told: list[bool] = []
    SkillIndex.from_paths(tmp_path, progress=lambda _: told.append(gc.isenabled()))
    assert told == [False]
    assert gc.isenabled()
