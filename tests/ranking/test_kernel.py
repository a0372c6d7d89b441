"""The numbers of a score, beside the formula written plainly, and the choice of the best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.ranking import Record
from skill_index.ranking.builder import PostingsBuilder
from skill_index.ranking.kernel import best, bits, idf, impacts, saturated, shares
from skill_index.ranking.postings import Postings
from skill_index.ranking.records import FIELDS
from skill_index.settings import FieldWeight, FieldWeights, SearchSettings


@given(st.integers(1, 10**6), st.data())
def test_news_is_never_negative(total: int, data: st.DataObject) -> None:
    """A term of all records weighs a little above zero, and a rarer term weighs more."""
    having = data.draw(st.integers(0, total))
    assert idf(total, having) > 0
    assert having == 0 or idf(total, having - 1) > idf(total, having)


@given(st.integers(1, 1000), st.floats(0.1, 100))
def test_repeats_in_a_query_saturate(times: int, k3: float) -> None:
    """Once counts one, each repeat adds, and no number of them counts as much as k3 + 1."""
    assert saturated(1, k3) == pytest.approx(1)
    assert saturated(times, k3) < saturated(times + 1, k3) < k3 + 1


WORDS = st.lists(st.sampled_from(["pdf", "form", "chart", "data"]), max_size=5)
TEXTS = WORDS.map(" ".join)
RECORDS = st.lists(
    st.builds(
        Record,
        key=st.just("k"),
        name=TEXTS,
        description=TEXTS,
        body=st.builds("# {}\n{}".format, TEXTS, TEXTS) | TEXTS,
        aliases=WORDS.map(tuple),
        tags=WORDS.map(tuple),
    ),
    min_size=1,
    max_size=6,
)


def build(records: list[Record]) -> Postings:
    """Return the postings of the records."""
    builder = PostingsBuilder()
    for record in records:
        builder.add(record)
    return builder.build()[0]


def texts_of(record: Record) -> list[list[str]]:
    """Return the words of every field, cut by hand."""
    head = record.body.split("\n")[0] if record.body.startswith("#") else ""
    short = [record.name, " ".join(record.aliases), " ".join(record.tags), record.description]
    return [text.replace("#", " ").split() for text in (*short, "", head, "", record.body)]


def plain_impact(records: list[Record], term: str, at: int, given_: SearchSettings) -> float:
    """BM25F by the book, for one term in one record."""
    mixed = 0.0
    for column, field in enumerate(FIELDS):
        weight: FieldWeight = getattr(given_.weights, field)
        lengths = [len(texts_of(record)[column]) for record in records]
        count = texts_of(records[at])[column].count(term)
        if count:
            average = sum(lengths) / sum(length > 0 for length in lengths)
            mixed += weight.weight * count / (1 - weight.b + weight.b * lengths[at] / average)
    return mixed * (given_.k1 + 1) / (mixed + given_.k1)


def all_impacts(postings: Postings, given_: SearchSettings) -> dict[str, dict[int, float]]:
    """Return the impact of every term on every record that holds it."""
    worth = shares(postings.lengths, given_)
    found = {}
    for term in postings.vocabulary:
        row = postings.row(term)
        assert row is not None
        docs = postings.docs[row]
        impact = impacts(docs, postings.counts[row], worth, given_.k1)
        found[term] = dict(zip(docs.tolist(), impact.tolist(), strict=True))
    return found


EQUAL = FieldWeights(*[FieldWeight(1.0, 0.0)] * len(FIELDS))
GIVEN = [SearchSettings(), SearchSettings(k1=0.5), SearchSettings(weights=EQUAL)]


@settings(deadline=None)
@given(RECORDS, st.sampled_from(GIVEN))
def test_impacts_are_those_of_the_formula(records: list[Record], given_: SearchSettings) -> None:
    """Every entry of the arrays is what the plain formula gives, to five places, and is bounded."""
    for term, held in all_impacts(build(records), given_).items():
        for at, impact in held.items():
            assert impact == pytest.approx(plain_impact(records, term, at, given_), abs=1e-5)
            assert 0 < impact < given_.k1 + 1


@pytest.mark.parametrize("count", [1, 10, 100])
def test_a_rare_field_is_not_a_long_one(count: int) -> None:
    """What one record says in a field that others lack counts the same, however many lack it."""
    records = [Record("k", "x", "", aliases=("pdf",)), *(Record(f"k{n}", "y", "") for n in range(count))]
    mixed = SearchSettings().weights.aliases.weight
    (impact,) = all_impacts(build(records), SearchSettings())["pdf"].values()
    assert impact == pytest.approx(mixed * (SearchSettings().k1 + 1) / (mixed + SearchSettings().k1))


def test_no_records_have_no_shares() -> None:
    """An empty collection divides nothing by nothing."""
    assert shares(build([]).lengths, SearchSettings()).shape == (0, len(FIELDS))


@given(st.lists(st.lists(st.integers(0, 2), min_size=8, max_size=8), max_size=4))
def test_bits_tell_the_fields(counts: list[list[int]]) -> None:
    """One bit for each of eight fields, the first the lowest."""
    expected = [sum(1 << column for column, count in enumerate(row) if count) for row in counts]
    assert bits(np.array(counts, dtype=np.uint16).reshape(-1, 8)).tolist() == expected
    assert len(FIELDS) == 8


SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=12) | st.lists(
    st.sampled_from([0.0, 0.5, 1.0, 1.0 + 1e-12, 2.0]), min_size=900, max_size=900
)


@given(SCORES, st.data(), st.integers(-1, 13))
def test_the_best_are_those_of_a_full_sort(scores: list[float], data: st.DataObject, limit: int) -> None:
    """By score, then by the given order, whoever is left out; and no limit is too small or large."""
    ties = np.array(data.draw(st.randoms(use_true_random=False)).sample(range(len(scores)), len(scores)))
    among = np.array([data.draw(st.booleans()) if at < 12 else at % 3 > 0 for at in range(len(scores))], bool)
    found = best(np.array(scores), among, limit, lambda places: ties[places]).tolist()
    ranked = sorted(np.flatnonzero(among).tolist(), key=lambda at: (-round(scores[at], 9), ties[at]))
    assert found == ranked[: max(limit, 0)]


@given(SCORES, st.integers(0, 12))
def test_a_longer_list_begins_as_the_shorter(scores: list[float], limit: int) -> None:
    """Asking for one more adds one at the end and moves nobody, ties or not."""
    every = np.ones(len(scores), dtype=bool)
    fewer, more = (best(np.array(scores), every, most, np.negative).tolist() for most in (limit, limit + 1))
    assert more[:limit] == fewer
