"""How far an answer can be trusted, by what it covers of the query and how well."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record
from skill_index.ranking.gate import confidence, least_coverage, state_of, strength
from skill_index.ranking.records import Evidence
from skill_index.settings import FieldWeight, FieldWeights, SearchSettings

SETTINGS = SearchSettings()
SHORT = range(SETTINGS.gate_terms)


@pytest.mark.parametrize("terms", SHORT)
def test_short_queries_ask_for_no_share(terms: int) -> None:
    """Whatever matches a query of few words is a hit."""
    assert least_coverage(terms, SETTINGS) == 0


@given(st.integers(SETTINGS.gate_terms, 10_000))
def test_longer_queries_ask_for_less_of_themselves(terms: int) -> None:
    """From a few words on there is a share, and it falls, though never below what one word adds."""
    assert 0 < least_coverage(terms + 1, SETTINGS) <= least_coverage(terms, SETTINGS) <= SETTINGS.gate_least
    four_times = least_coverage(4 * max(terms, SETTINGS.gate_long), SETTINGS)
    assert four_times == pytest.approx(least_coverage(max(terms, SETTINGS.gate_long), SETTINGS) / 2)


SCORES = st.floats(0, 1000)


@given(st.floats(0, 1), SCORES, st.integers(0, 100_000))
def test_confidence_grows_with_what_is_covered_and_how_well(covered: float, score: float, total: int) -> None:
    """It stays between 0 and 1, and neither more coverage nor a better score lowers it."""
    trust = confidence(covered, score, total, SETTINGS)
    assert 0 <= trust <= 1
    assert trust <= confidence(min(1.0, covered * 2), score, total, SETTINGS)
    assert trust <= confidence(covered, score * 2, total, SETTINGS)


@given(SCORES, st.integers(0, 100_000))
def test_what_covers_all_of_a_query_is_strong(score: float, total: int) -> None:
    """However common its words are; one word short of that, the score counts."""
    assert state_of(confidence(1.0, score, total, SETTINGS), SETTINGS) == "strong"
    assert state_of(confidence(0.9, 0.1, total, SETTINGS), SETTINGS) == "weak"


def test_many_full_matches_are_strong_and_one_weak_mention_is_not() -> None:
    """A hit must cover a part of the query, and match words well that few skills have."""
    rare = 7 * 5.0  # about a full match of a rare word among a hundred
    assert state_of(confidence(0.5, 2 * rare, 100, SETTINGS), SETTINGS) == "strong"
    assert state_of(confidence(0.2, rare / 2, 100, SETTINGS), SETTINGS) == "weak"


def told(how: str, *scores: float) -> list[Evidence]:
    """Return evidence of so many words."""
    return [Evidence(f"{how}{number}", "", (), how, score) for number, score in enumerate(scores)]


LARGE = 1000.0
MANY = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0]
STRENGTHS = [
    ([], 0),
    (told("exact", *MANY), 39),
    (told("exact", *reversed(MANY)), 39),
    ([*told("exact", *MANY), Evidence("exact7", "", (), "exact form", 5.0)], 42),
    ([*told("exact", *MANY), *told("named", 3.0)], 42),
    ([*told("exact", 9.0), *told("negative", -2.0)], 7),
    ([*told("exact", *MANY), *told("negative", -LARGE)], 0),
    ([*told("exact", 9.0), *told("together", 4.0)], 13),
    ([*told("exact", 9.0), *told("together", 2.0, 2.0, 2.0, 2.0)], 2 * 17),
    ([*told("exact", 9.0), *told("phrase", 8.0)], 2 * 17),
]


@pytest.mark.parametrize(("evidence", "expected"), STRENGTHS)
def test_strength_counts_few_words_and_neighbours_twice(evidence: list[Evidence], expected: float) -> None:
    """All that one word adds is one; names and denials count as they are; neighbours lift all of it."""
    assert strength(evidence, SearchSettings(gate_words=6, gate_neighbours=4.0)) == expected


PIECES = st.builds(
    Evidence,
    st.sampled_from("abcdefghij"),
    st.just(""),
    st.just(()),
    st.sampled_from(["exact", "stem", "synonym", "together", "phrase", "named"]),
    st.floats(0, LARGE),
)


@given(st.lists(PIECES), PIECES)
def test_strength_never_falls_with_more_evidence(evidence: list[Evidence], more: Evidence) -> None:
    """Nor is it more than the score where no neighbours lift it."""
    found = strength(evidence, SETTINGS)
    assert found <= strength([*evidence, more], SETTINGS) * (1 + 1e-9)
    alone = [piece for piece in evidence if piece.how not in {"together", "phrase"}]
    assert strength(alone, SETTINGS) <= sum(piece.score for piece in alone) * (1 + 1e-9)


KIT = [
    Record("charts", "chart-maker", "Draws bar and line plots.", "Numbers in columns; print on paper."),
    Record("pdf", "pdf-forms", "Fills and merges documents."),
    Record("mail", "mailer", "Sends letters to customers."),
    *(Record(f"x{number}", f"other-{number}", f"Topic {number}.") for number in range(20)),
]
RANKER = Ranker.build(KIT)

STATES = [
    ("chart", "strong"),
    ("chart zebra", "weak"),
    ("chart zebra giraffe", "weak"),
    ("columns zebra", "weak"),
    ("draw a bar chart of zebra stripes", "strong"),
    ("chart zebra giraffe lion tiger", "weak"),
    ("zebra giraffe lion tiger", "none"),
    ("zebra", "none"),
]


@pytest.mark.parametrize(("query", "state"), STATES)
def test_states(query: str, state: str) -> None:
    """What is unknown counts against an answer, and a mention in a body counts half."""
    ranking = RANKER.rank(parse_query(query), 5)
    assert ranking.state == state
    assert bool(ranking.hits) is (state != "none")


def test_the_same_words_side_by_side_are_trusted_more() -> None:
    """Words that stand together in the query and in the hit are met by chance the least."""
    together, apart = (
        RANKER.rank(parse_query(text), 5) for text in ("merges documents zebra", "merges zebra documents")
    )
    assert KIT[together.hits[0].position].key == KIT[apart.hits[0].position].key == "pdf"
    assert apart.confidence < together.confidence


def test_more_words_of_a_long_text_are_no_stronger() -> None:
    """Beyond the strongest few, words raise the score and not the strength."""
    settings = SearchSettings(gate_words=3, pair_lift=0.0)
    text = [f"{letter}qzx{letter}w" for letter in "abcdefghij"]
    ranker = Ranker.build([Record("long", "other", " ".join(text)), *KIT], settings)
    few, all_of_it = (ranker.rank(parse_query(" ".join(words)), 1).hits[0] for words in (text[:3], text))
    assert few.score < all_of_it.score
    assert strength(few.evidence, settings) == pytest.approx(strength(all_of_it.evidence, settings))


@pytest.mark.parametrize(("query", "state"), STATES)
def test_the_number_behind_a_state_is_told(query: str, state: str) -> None:
    """Confidence is that of the first hit, and what the state is made of; without a hit it is 0."""
    parsed = parse_query(query)
    ranking = RANKER.rank(parsed, 5)
    assert 0 <= ranking.confidence <= 1
    assert (ranking.confidence > 0) is (state != "none")
    strong = ranking.confidence >= SETTINGS.gate_strong
    assert state == "none" or strong is (state == "strong")
    assert RANKER.rank(parsed, 0).confidence == ranking.confidence
    assert RANKER.rank(parsed, 5, first=[0]).confidence == 1.0


def words(count: int) -> str:
    """Return words that no record has and no spelling is near."""
    return " ".join(f"qz{chr(97 + number // 26)}{chr(97 + number % 26)}xw" for number in range(count))


def test_a_coincidence_is_no_hit_of_a_long_query() -> None:
    """One common word of thirty is held back with its reason, stands as near, and passes a short query."""
    query = parse_query(f"topic {words(30)}")
    ranking = RANKER.rank(query, 5)
    assert (ranking.state, ranking.hits, ranking.total) == ("none", (), 0)
    assert len(ranking.near) == len(ranking.rejected) == SETTINGS.near_limit
    assert all("of the query, less than" in reason for _, reason in ranking.rejected)
    assert RANKER.rank(parse_query(f"topic {words(2)}"), 99).total == 20


def test_a_telling_word_passes_a_long_query() -> None:
    """Several rare words of many are enough, since long texts say much that no skill repeats."""
    ranking = RANKER.rank(parse_query(f"bar chart plots {words(30)}"), 5)
    assert [KIT[hit.position].key for hit in ranking.hits] == ["charts"]


def test_a_required_word_passes_the_gate() -> None:
    """A choice by name needs no share of the rest of the query."""
    ranking = RANKER.rank(parse_query(f"+mailer {words(14)}"), 5)
    assert [KIT[hit.position].key for hit in ranking.hits] == ["mail"]


def test_the_gate_can_be_opened() -> None:
    """With no least share every match of any query is a hit."""
    ranker = Ranker.build(KIT, SearchSettings(gate_least=0.0))
    assert ranker.rank(parse_query(f"topic {words(30)}"), 99).total == 20


@pytest.mark.parametrize(
    "zero",
    [
        {"k1": 0.0, "weights": FieldWeights(body=FieldWeight(0.0, 1.0))},
        {"gate_terms": 0},
        {"gate_neighbours": 0.0},
        {"gate_half": 0.0, "gate_words": 0, "pair_lift": 0.0, "name_lift": 0.0, "exact_form": 0.0},
        {"gate_long": 0},
        {"k3": 0.0},
        {"background": 0.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("query", ["pdf forms", "fill filler pdf forms xyz", "filler", "-pdf", "the"])
def test_a_setting_may_be_zero(zero: dict[str, Any], query: str) -> None:
    """Nothing is divided by it: each score is the sum of its parts, and trust a share."""
    settings = SearchSettings(**zero)
    records = [Record("a", "pdf-forms", "Fill pdf forms."), Record("b", "beta", "None.", "filler forms")]
    for ranker in (Ranker.build(records, settings), Ranker.build(records, settings).restrict([0, 1])):
        found = ranker.rank(parse_query(query, settings=settings), 9)
        assert 0 <= found.confidence <= 1
        assert [hit.score for hit in found.hits] == [
            pytest.approx(sum(part.score for part in hit.evidence)) for hit in found.hits
        ]


def test_neighbours_that_are_not_asked_for_cover_nothing() -> None:
    """Of a run of Chinese pairs are asked for: who writes its characters apart holds none of them."""
    settings = SearchSettings(gate_terms=1, gate_least=0.3)
    records = [Record("a", "alpha", "\u6570 \u636e"), Record("b", "beta", "\u6570\u636e")]
    found = Ranker.build(records, settings).rank(parse_query("\u6570\u636e", settings=settings), 9)
    assert [hit.position for hit in found.hits] == [1]
    assert [at for at, _ in found.rejected] == [0]
