"""Words recognised by their bytes have the numbers that the lexicon gives them one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skill_index.ranking import recognising
from skill_index.ranking.numbering import Lexicon
from skill_index.ranking.recognising import Recogniser

# Of one byte, of eight, sixteen and one more or less; alike but for the last; with zeros; not ASCII.
WORDS = st.sampled_from(
    [
        "a",
        "a\0",
        "a\0\0",
        "\0",
        *("x" * size for size in (7, 8, 9, 15, 16, 17, 40)),
        *("x" * size + "y" for size in (7, 8, 15, 16, 17)),
        "解析",
        "Zürich",
        "\ud800",
        "a\u00a0b",
    ]
) | st.text(min_size=1).filter(lambda text: " " not in text)
TEXTS = st.lists(st.lists(WORDS | st.just(""), max_size=9).map(" ".join), max_size=5)


def numbered(lexicon: Lexicon, texts: list[str]) -> list[list[int]]:
    """Return the numbers of the words of each text, asked for one by one."""
    return [[lexicon[raw] for raw in text.split(" ") if raw] for text in texts]


def check(batches: list[list[str]]) -> None:
    """Compare batch for batch with what the lexicon says by then."""
    recogniser = Recogniser(Lexicon())
    for texts in batches:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        numbers, counts = recogniser.rows(encoded)
        rows = [row.tolist() for row in np.split(numbers, np.cumsum(counts))]
        assert rows == [*numbered(recogniser.lexicon, texts), []]


@given(st.lists(TEXTS, max_size=4))
@example([[]])
@example([["a a\0 \0", ""], [" a", "a\0 a"]])
def test_words_have_their_numbers(batches: list[list[str]]) -> None:
    """Whether they were met before or not, however long they are, whatever is in them."""
    check(batches)


@pytest.mark.parametrize("slots", [1, 2])
@given(batches=st.lists(TEXTS, max_size=4))
def test_words_that_share_a_slot_have_their_numbers(slots: int, batches: list[list[str]]) -> None:
    """Nobody is taken for another, however many are thrown together."""
    own = recognising._slots_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recognising, "_slots_of", lambda words, size: own(words, size) % slots)
        check(batches)


def test_words_met_are_not_asked_for_again() -> None:
    """Those of up to sixteen bytes; others are, each time."""
    asked: list[str] = []

    class Asked(Lexicon):
        def __getitem__(self, raw: str) -> int:
            asked.append(raw)
            return super().__getitem__(raw)

    recogniser = Recogniser(Asked())
    text = b"pdf a abcdefghijklmnop abcdefghijklmnopq"  # none of which share a slot
    first, _ = recogniser.rows([text])
    again, _ = recogniser.rows([text])
    assert asked == [*text.decode().split(), "abcdefghijklmnopq"]
    assert first.tolist() == again.tolist() == [0, 1, 2, 3]
