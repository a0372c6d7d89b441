"""An updated word index is a fresh one: nothing in an answer tells what was there before."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Ranking, Record
from skill_index.ranking.builder import PostingsBuilder
from skill_index.ranking.postings import Postings, join

WORDS = ["podcast", "forms", "filling", "Zürich", "解析", "C++", "fill-form", "deployment", "excel", "status"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
RECORDS = st.lists(
    st.builds(
        Record,
        key=st.just(""),
        name=TEXTS.filter(bool),
        description=TEXTS | st.builds("{}. Not for {}.".format, TEXTS, TEXTS),
        body=TEXTS | st.builds("# {}\n{}\n".format, TEXTS, TEXTS),
        aliases=st.lists(st.sampled_from(WORDS), max_size=1).map(tuple),
        tags=st.lists(st.sampled_from(WORDS), max_size=2).map(tuple),
        sources=st.sampled_from([("one",), ("two",), ("one", "two")]),
    ),
    max_size=6,
).map(lambda records: [dataclasses.replace(record, key=f"k{n}") for n, record in enumerate(records)])
QUERIES = [
    "podcast forms",
    "podcats deploymnet",
    "+filling zurich",
    '"fill form" excel',
    "-forms spreadsheet status",
    "source:two 解析",
    "name:c++ description:filling",
    "tag:podcast",
]


@st.composite
def updates(draw: st.DrawFn) -> tuple[list[Record], list[Record], list[int | None]]:
    """Return old records, new ones, and which old one each new one was: any mix, in any order."""
    old, added = draw(RECORDS), draw(RECORDS)
    kept = draw(st.lists(st.sampled_from(range(len(old))), unique=True)) if old else []
    pairs: list[tuple[Record, int | None]] = [(old[at], at) for at in kept]
    pairs += [(record, None) for record in added]
    pairs = draw(st.permutations(pairs))
    # Names and places may have passed to others: of a known record the key and sources may differ.
    new = [
        dataclasses.replace(record, key=f"new{n}", sources=draw(st.sampled_from([("one",), ("two",)])))
        for n, (record, _) in enumerate(pairs)
    ]
    return old, new, [before for _, before in pairs]


def answers(ranker: Ranker) -> list[Ranking]:
    """Return rankings with all that is compared in them: evidence, near misses, notes, corrections."""
    return [ranker.rank(parse_query(query), 10) for query in QUERIES]


A, B = Record("a", "podcast", "Cuts."), Record("b", "forms", "Fills.")


@settings(deadline=None)
@given(updates())
@example(([A, B], [], []))
@example(([], [A, B], [None, None]))
@example(([], [], []))
@example(([A, B], [B, A], [1, 0]))
@example(([A], [B], [None]))
def test_an_updated_ranker_answers_as_a_fresh_one(
    update: tuple[list[Record], list[Record], list[int | None]],
) -> None:
    """The same rankings, evidence, corrections and reasons for every query, whatever came and went."""
    old, new, known = update
    updated, fresh = Ranker.build(old).updated(new, known), Ranker.build(new)
    assert answers(updated) == answers(fresh)
    for query in map(parse_query, QUERIES):
        for at in range(len(new)):
            assert updated.why_not(query, at) == fresh.why_not(query, at)


@settings(deadline=None)
@given(updates(), updates())
def test_an_update_can_be_updated(
    first: tuple[list[Record], list[Record], list[int | None]],
    second: tuple[list[Record], list[Record], list[int | None]],
) -> None:
    """Errors would add up over the life of an index; there are none."""
    old, new, known = first
    _, added, _ = second
    twice = [*new, *(dataclasses.replace(record, key=f"late{n}") for n, record in enumerate(added))]
    places: list[int | None] = [*range(len(new)), *(None for _ in added)]
    updated = Ranker.build(old).updated(new, known).updated(twice, places)
    assert answers(updated) == answers(Ranker.build(twice))


@settings(deadline=None)
@given(updates())
def test_an_updated_ranker_is_cut_to_size_like_a_fresh_one(
    update: tuple[list[Record], list[Record], list[int | None]],
) -> None:
    """A filtered view of an updated index tells nothing of what it hides or of what is gone."""
    old, new, known = update
    keep = list(range(0, len(new), 2))
    view = Ranker.build(old).updated(new, known).restrict(keep)
    assert answers(view) == answers(Ranker.build([new[at] for at in keep]))


def postings(records: list[Record]) -> Postings:
    """Return the postings of records."""
    builder = PostingsBuilder()
    for record in records:
        builder.add(record)
    return builder.build()[0]


def rows(of: Postings) -> dict[str, list[tuple[int, tuple[int, ...]]]]:
    """Return, for each term, its records with their counts, in the order they are held."""
    found = {}
    for term in of.vocabulary:
        row = of.row(term)
        assert row is not None
        found[term] = [
            (doc, tuple(counts))
            for doc, counts in zip(of.docs[row].tolist(), of.counts[row].tolist(), strict=True)
        ]
    return found


@settings(deadline=None)
@given(RECORDS, RECORDS, st.data())
def test_joined_postings_are_those_of_a_fresh_build(
    first: list[Record], second: list[Record], data: st.DataObject
) -> None:
    """Rows, counts and lengths, with any of both sides left out and any order of places."""
    everyone = [(0, at) for at in range(len(first))] + [(1, at) for at in range(len(second))]
    chosen = data.draw(st.permutations([one for one in everyone if data.draw(st.booleans())]))
    places = [np.full(len(side), -1, dtype=np.int64) for side in (first, second)]
    for place, (side, at) in enumerate(chosen):
        places[side][at] = place
    joined = join(postings(first), places[0], postings(second), places[1])
    fresh = postings([(first, second)[side][at] for side, at in chosen])
    assert rows(joined) == rows(fresh)
    assert joined.lengths.tolist() == fresh.lengths.tolist()
    assert (joined.docs.dtype, joined.counts.dtype, joined.starts.dtype) == (
        fresh.docs.dtype,
        fresh.counts.dtype,
        fresh.starts.dtype,
    )


@pytest.mark.parametrize("gone", [True, False])
def test_a_typo_is_corrected_to_words_that_are_there(gone: bool) -> None:
    """A word of a removed record corrects nothing, and one of a new record does."""
    old = [Record("a", "podcast" if gone else "forms", "Does it.")]
    new = [Record("b", "forms" if gone else "podcast", "Does it.")]
    ranking = Ranker.build(old).updated(new, [None]).rank(parse_query("podcats"), 5)
    assert (ranking.total, ranking.state == "none") == ((0, True) if gone else (1, False))
