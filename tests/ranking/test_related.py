"""What a skill may say in place of what it is asked for with."""

from __future__ import annotations

import dataclasses
import pkgutil
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.related import LEXICON, grade, held, led, table
from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record, reach
from skill_index.ranking.related import GRADES, leads_on, related
from skill_index.settings import SearchSettings

WRITTEN = frozenset(pair for path in LEXICON.glob("*.txt") for pair in led(path.read_text("utf-8")))
TABLE = (pkgutil.get_data("skill_index.ranking", "related.txt") or b"").decode("utf-8").splitlines()


def test_the_table_says_what_the_lexicon_says() -> None:
    """Every pair of the table was written down, and of those that were few meet less than by chance."""
    stated = [(line.split()[0], entry[1:]) for line in TABLE for entry in line.split()[1:]]
    assert len(set(stated)) == len(stated)
    assert set(stated) <= WRITTEN
    assert len(stated) > 0.95 * len(WRITTEN)


def test_the_table_is_in_order() -> None:
    """Stems ascend, so that two makings of it can be compared."""
    stems = [line.split()[0] for line in TABLE]
    assert stems == sorted(set(stems))
    assert all(line.split()[1:] == sorted(line.split()[1:], key=lambda entry: entry[1:]) for line in TABLE)
    assert {entry[0] for line in TABLE for entry in line.split()[1:]} == set("12345")


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("film movie", {("film", "movi"), ("movi", "film")}),
        ("pizza sushi > food", {("pizza", "food"), ("sushi", "food")}),
        ("teams > team", set()),
        ("text-to-speech > voice", {("texttospeech", "voic")}),
        ("// nothing > here", set()),
        ("", set()),
    ],
)
def test_lines_of_a_lexicon(line: str, pairs: set[tuple[str, str]]) -> None:
    """Words beside each other lead both ways, an arrow one way, and no word leads to itself."""
    assert set(led(line)) == pairs


@pytest.mark.parametrize(
    ("both", "number"),
    [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (8, 2), (9, 3), (16, 3), (20, 4)],
)
def test_a_grade_is_the_doublings_begun(both: int, number: int) -> None:
    """Two words that twenty of two hundred skills hold meet in two of them by chance."""
    assert grade(set(range(20)), set(range(20 - both, 40 - both)), 200) == number


def test_grades_have_an_end_and_a_default() -> None:
    """Much more than enough is no better, and of rare words nothing is known."""
    assert grade(set(range(10)), set(range(10)), 100_000) == GRADES
    assert grade(set(range(9)), set(range(10, 200)), 1_000) == 4


def test_a_table_of_skills() -> None:
    """Words that keep apart lead nowhere, nor do those that every fifth skill holds, nor stop words."""
    skills = [{"pizza", "food"}] * 10 + [{"sushi"}] * 10 + [{"food"}] * 15 + [{"meal"}] * 25
    pairs = [(word, "food") for word in ("meal", "pizza", "sushi", "taco", "who")]
    stems = {"food", *(word for word, _ in pairs)}
    assert table(pairs, *held(stems, skills)) == "pizza 2food\ntaco 4food\n"


TEXTS = ("Finds a restaurant and its menu.", "Orders pizza.", "Rotates logs.")


def found(query: str, settings: SearchSettings, *texts: str) -> list[tuple[int, set[str]]]:
    """Return the hits of a query over descriptions, and how each is met."""
    records = [Record(str(at), f"n{at}", text) for at, text in enumerate(texts)]
    hits = Ranker.build(records, settings).rank(parse_query(query), 9).hits
    return [(hit.position, {part.how for part in hit.evidence}) for hit in hits]


def test_a_skill_is_found_by_what_leads_to_its_words() -> None:
    """It comes behind those that say the word itself, and says by what it was found."""
    assert found("pizza", SearchSettings(), *TEXTS) == [(1, {"exact"}), (0, {"related"})]


def test_it_leads_one_way() -> None:
    """Who asks for restaurants in general is not told of all that may be eaten."""
    assert leads_on("pizza")
    assert "pizza" not in dict(related("restaur"))
    assert [at for at, _ in found("restaurant", SearchSettings(), *TEXTS)] == [0]


def test_what_leads_to_a_word_gives_no_trust() -> None:
    """Who asks for a product by its name may mean no other of its kind, whatever else fits."""
    records = [
        Record("c", "chart-maker", "Draws a chart from a spreadsheet."),
        Record("l", "logs", "Rotates."),
    ]
    ranker = Ranker.build(records)
    kind, product = (ranker.rank(parse_query(f"{word} chart"), 9) for word in ("spreadsheet", "tableau"))
    assert [hit.position for hit in kind.hits] == [hit.position for hit in product.hits] == [0]
    assert (kind.state, product.state) == ("strong", "weak")
    assert ranker.rank(parse_query("tableau"), 9).confidence == 0.0


def test_it_can_be_switched_off() -> None:
    """Without a discount only the word itself is looked for."""
    assert found("pizza", SearchSettings(related_discount=0), *TEXTS) == [(1, {"exact"})]


@pytest.mark.parametrize(("holding", "guessed"), [(3, True), (4, False)])
def test_what_many_say_themselves_needs_no_guess(holding: int, guessed: bool) -> None:
    """Related words are looked for beside a word that few records hold."""
    texts = [f"Orders pizza {number}." for number in range(holding)]
    ways = Counter(
        how
        for _, hows in found("pizza", SearchSettings(related_beside=3), *texts, "A restaurant.")
        for how in hows
    )
    assert (ways["related"] > 0) is guessed


def test_a_synonym_is_no_guess() -> None:
    """What the settings call the same counts as that, whatever else leads to it."""
    settings = SearchSettings(synonyms=(("pizza", "restaurant"),))
    assert found("pizza", settings, TEXTS[0]) == [(0, {"synonym"})]


LOGS = tuple(f"Rotates logs {number}." for number in range(6))


def confidence_with(query: str, discount: float, *records: Record) -> float:
    """Return how far the first hit of a query is trusted."""
    ranker = Ranker.build(records, SearchSettings(related_discount=discount))
    return ranker.rank(parse_query(query), 9).confidence


@pytest.mark.parametrize("query", ["pizza", "order pizza", "kubernetes pizza"])
def test_trust_is_that_of_the_words_themselves(query: str) -> None:
    """What leads to others takes no trust from a record that says the word too, and lends it none."""
    records = [
        Record("f", "food-finder", "Finds food.", "It can order a pizza from a cluster of Kubernetes."),
        *(Record(f"l{at}", f"logs-{at}", text) for at, text in enumerate(LOGS)),
    ]
    without = confidence_with(query, 0.0, *records)
    assert without > 0
    assert confidence_with(query, 0.1, *records) == pytest.approx(without)


def test_an_absent_word_asks_for_no_less() -> None:
    """What a word leads to may be common: whoever asks for the word still asks for something rare."""
    records = [
        Record("k", "kube", "Deploys to Kubernetes."),
        *(Record(f"f{at}", f"food-{at}", f"Food {at}.") for at in range(6)),
    ]
    without = confidence_with("kubernetes pizza", 0.0, *records)
    assert confidence_with("kubernetes pizza", 0.1, *records) == pytest.approx(without) != 0


WORDS = ("pizza", "sushi", "food", "restaurant", "meal", "kubernetes", "cluster", "pod", "logs")
TEXTS_OF = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
RECORDS = st.lists(
    st.builds(Record, st.just(""), TEXTS_OF.filter(bool), TEXTS_OF, TEXTS_OF), min_size=1, max_size=9
).map(lambda records: [dataclasses.replace(record, key=f"k{at}") for at, record in enumerate(records)])
QUERIES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)


@settings(deadline=None)
@given(RECORDS, QUERIES)
def test_the_same_first_hit_is_trusted_as_much(records: list[Record], words: list[str]) -> None:
    """Whatever leads to what: it changes who comes first, and not what is thought of who did so anyway."""
    query = parse_query(" ".join(words))
    wide, bare = (
        Ranker.build(records, SearchSettings(related_discount=discount)).rank(query, 99)
        for discount in (0.1, 0.0)
    )
    if [hit.position for hit in bare.hits[:1]] == [hit.position for hit in wide.hits[:1]]:
        assert wide.confidence == pytest.approx(bare.confidence, abs=1e-6)


@settings(deadline=None)
@given(RECORDS, QUERIES, st.sampled_from([0, 300]))
def test_ways_are_merged_alike_among_few_and_many(
    records: list[Record], words: list[str], others: int
) -> None:
    """Among the records reached or all, the best way for each is the same, of two as good the first."""
    group = ("pizza", *(f"w{number}q" for number in range(others)), "cluster")
    query, chosen = parse_query(" ".join(words)), SearchSettings(synonyms=(group,))
    found = []
    for few in (0, 1 << 30):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reach, "_FEW", few)
            found.append(Ranker.build(records, chosen).rank(query, 99))
    assert found[0] == found[1]
    for hit in found[0].hits:
        assert sum(piece.score for piece in hit.evidence) == pytest.approx(hit.score)


@pytest.mark.parametrize("query", ["+pizza", "+pizza food", "logs +pizza"])
def test_a_required_word_is_no_other(query: str) -> None:
    """Who insists on a word is given none in its place."""
    other, itself = Record("f", "food", "Finds food and logs."), Record("p", "pizza", "Orders.")
    assert Ranker.build([other]).rank(parse_query(query), 9).hits == ()
    assert [hit.position for hit in Ranker.build([other, itself]).rank(parse_query(query), 9).hits] == [1]


def test_a_discount_of_0_switches_related_words_off() -> None:
    """They are looked for no more, so nothing is matched by them alone."""
    assert found("pizza", SearchSettings(related_discount=0), *TEXTS) == [(1, {"exact"})]
    assert found("pizza", SearchSettings(related_discount=0), TEXTS[0]) == []


def test_only_an_absent_word_is_widened() -> None:
    """With nothing beside it a word that any record holds stands for itself."""
    assert found("pizza", SearchSettings(related_beside=0), *TEXTS) == [(1, {"exact"})]
    assert found("pizza", SearchSettings(related_beside=0), TEXTS[0]) == [(0, {"related"})]


def test_a_field_holds_for_what_leads_to_it() -> None:
    """Asked for in the name, a word is met by no description."""
    assert found("name:pizza", SearchSettings(), *TEXTS) == []
    ranking = Ranker.build([Record("f", "food", "Eats.")]).rank(parse_query("name:pizza"), 9)
    assert [piece.fields for piece in ranking.hits[0].evidence] == [("name",)]
