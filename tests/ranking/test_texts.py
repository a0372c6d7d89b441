"""Texts numbered in a file: a mapping as a dict is, by bisection first and by a dict later."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from skill_index.ranking import texts
from skill_index.ranking.texts import Texts, from_text

WORDS = st.lists(st.text(st.characters(), max_size=4), unique=True, max_size=30)  # lone surrogates included


@given(WORDS, WORDS, st.integers(0, 5))
def test_it_is_the_dict_of_its_texts(words: list[str], others: list[str], few: int) -> None:
    """Whatever is asked, in whatever order, and however often."""
    with patch.object(texts, "_FEW", few):
        found, wanted = Texts(**Texts.tables(words)), {word: number for number, word in enumerate(words)}
        for word in [*others, *words, *others]:
            assert (found.get(word), found.get(word, -1)) == (wanted.get(word), wanted.get(word, -1))
            assert (word in found) == (word in wanted)
        assert dict(found) == wanted
        assert list(found) == words
        assert [found.text(number) for number in range(len(found))] == words


@given(WORDS, st.text(st.characters(), max_size=2))
def test_those_from_one_on_are_told(words: list[str], first: str) -> None:
    """Whether they are in a dict or in tables, in the order of their characters."""
    wanted = [number for number, word in enumerate(words) if word >= first]
    numbers = {word: number for number, word in enumerate(words)}
    assert sorted(from_text(numbers, first)) == wanted
    assert sorted(from_text(Texts(**Texts.tables(words)), first)) == wanted


def test_a_dict_is_made_once_it_pays() -> None:
    """Not for the first look-ups, and then for all that follow."""
    found = Texts(**Texts.tables(["a", "b"]))
    with (
        patch.object(texts, "_FEW", 2),
        patch.object(Texts, "_found", autospec=True, side_effect=Texts._found) as by,
    ):
        for word in ("a", "x", "a", "y", "b", "z"):
            found.get(word)
        assert [call.args[1] for call in by.call_args_list] == ["a", "x", "y"]
