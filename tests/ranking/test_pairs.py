"""Pairs of neighbours: found as they were added, moved and joined like a fresh build."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skill_index.ranking.numbering import Numbers
from skill_index.ranking.pairs import Pairs

WORDS = ["a", "b", "c", "d"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=8) | st.just(["a"] * 20), max_size=6)


def build(texts: list[list[str]], numbers: dict[str, int] | None = None) -> Pairs:
    """Return the pairs of texts, one to a record, of which those that begin with "a" count twice."""
    known = Numbers[str](numbers or {})
    words = [known[word] for text in texts for word in text]
    docs = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    twice = np.repeat([text[:1] == ["a"] for text in texts], [len(text) for text in texts])
    return Pairs.of(known, np.array(words, dtype=np.int64), docs, docs, twice.astype(bool))


def held(pairs: Pairs) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Return the records and counts of every pair there can be."""
    asked = [*product(WORDS, WORDS), ("unknown", "a")]
    found = zip(asked, pairs.find(asked), strict=True)
    return {
        pair: [] if rows is None else list(zip(*(column.tolist() for column in rows), strict=True))
        for pair, rows in found
    }


@given(TEXTS)
def test_neighbours_are_counted(texts: list[list[str]]) -> None:
    """Each record that holds two words side by side comes once, ascending, with how often, 15 at most."""
    for pair, entries in held(build(texts)).items():
        often = [(1 + (text[:1] == ["a"])) * [*pairwise(text)].count(pair) for text in texts]
        assert entries == [(at, min(count, 15)) for at, count in enumerate(often) if count]


@given(TEXTS, st.data())
def test_moved_records_are_a_fresh_build(texts: list[list[str]], data: st.DataObject) -> None:
    """In any order, with any left out."""
    order = data.draw(st.permutations(range(len(texts))))
    kept = order[: data.draw(st.integers(0, len(texts)))]
    places = np.full(len(texts), -1, dtype=np.int64)
    places[list(kept)] = np.arange(len(kept))
    assert held(build(texts).moved(places)) == held(build([texts[at] for at in kept]))


@given(TEXTS, TEXTS, st.data())
def test_joined_records_are_a_fresh_build(
    first: list[list[str]], second: list[list[str]], data: st.DataObject
) -> None:
    """However the records of both are mixed."""
    total = len(first) + len(second)
    order = data.draw(st.permutations(range(total)))
    old = build(first)
    new = build(second, dict(old.numbers))
    joined = old.moved(np.array(order[: len(first)], dtype=np.int64)).joined(
        new.moved(np.array(order[len(first) :], dtype=np.int64))
    )
    texts: list[list[str]] = [[]] * total
    for place, text in zip(order, [*first, *second], strict=True):
        texts[place] = text
    assert held(joined) == held(build(texts))
