"""What every ranking keeps, whatever the records and the query."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Ranking, Record, terms_of
from skill_index.settings import SearchSettings

WORDS = ["pdf", "form", "fill", "chart", "data", "merge", "podcast", "deploy", "review", "table"]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def records_of(fields: list[tuple[str, str, str]]) -> list[Record]:
    """Return records with keys of their own."""
    return [Record(f"k{n}", name or "x", told, body) for n, (name, told, body) in enumerate(fields)]


RECORDS = st.lists(st.tuples(SENTENCES, SENTENCES, SENTENCES), max_size=8).map(records_of)
SIGNED = st.builds(
    "{}{}".format, st.sampled_from(["", "", "", "+", "-", "+any:", "description:"]), st.sampled_from(WORDS)
)
QUERIES = st.lists(SIGNED, min_size=1, max_size=5).map(" ".join) | SENTENCES | st.just('"fill form" pdf')


def named(records: list[Record], ranking: Ranking) -> list[tuple[str, float]]:
    """Return keys and scores, which do not depend on positions."""
    return [(records[hit.position].key, round(hit.score, 6)) for hit in ranking.hits]


@settings(deadline=None)
@given(RECORDS, QUERIES)
def test_evidence_accounts_for_the_score(records: list[Record], query: str) -> None:
    """The parts sum to the score, it is finite, and each names a term that the record has."""
    ranking = Ranker.build(records).rank(parse_query(query), 10)
    for hit in (*ranking.hits, *ranking.near):
        record = records[hit.position]
        terms = set(terms_of(f"{record.name}\n{record.description}\n{record.body}"))
        assert math.isfinite(hit.score)
        assert math.isclose(hit.score, sum(part.score for part in hit.evidence), abs_tol=1e-9)
        said = [part.term.split() if part.how == "together" else [part.term] for part in hit.evidence]
        assert all(terms.issuperset(words) for words in said if words != [record.name])
        assert all(part.fields for part in hit.evidence)


@settings(deadline=None)
@given(RECORDS, QUERIES, st.data())
def test_a_restricted_ranker_is_a_fresh_one(records: list[Record], query: str, data: st.DataObject) -> None:
    """A cut index answers as if the other records had never been there, notes and all."""
    keep = [at for at in range(len(records)) if data.draw(st.booleans())]
    kept = [records[at] for at in keep]
    parsed = parse_query(query)
    assert Ranker.build(records).restrict(keep).rank(parsed, 5) == Ranker.build(kept).rank(parsed, 5)


@settings(deadline=None)
@given(RECORDS, QUERIES, st.randoms(use_true_random=False))
def test_order_of_records_does_not_matter(records: list[Record], query: str, rng: random.Random) -> None:
    """Shuffled records give the same keys with the same scores."""
    parsed = parse_query(query)
    shuffled = list(records)
    rng.shuffle(shuffled)
    one, two = Ranker.build(records).rank(parsed, 5), Ranker.build(shuffled).rank(parsed, 5)
    assert named(records, one) == named(shuffled, two)
    assert (one.state, one.total, one.notes) == (two.state, two.total, two.notes)


@settings(deadline=None)
@given(RECORDS, QUERIES, st.integers(0, 6))
def test_a_longer_answer_begins_as_the_shorter(records: list[Record], query: str, limit: int) -> None:
    """The first hits do not depend on how many are asked for, and the total counts them all."""
    ranker, parsed = Ranker.build(records), parse_query(query)
    fewer, more = ranker.rank(parsed, limit), ranker.rank(parsed, limit + 1)
    assert more.hits[: len(fewer.hits)] == fewer.hits
    assert fewer.total == more.total == len(ranker.rank(parsed, len(records)).hits)


@settings(deadline=None)
@given(RECORDS, SENTENCES.filter(bool), st.sampled_from(WORDS))
def test_exclusion_never_adds_and_requirement_never_widens(
    records: list[Record], query: str, word: str
) -> None:
    """`-word` and `+word` only take away, and what is left keeps the promise."""
    ranker = Ranker.build(records)
    every = {hit.position for hit in ranker.rank(parse_query(query), 99).hits}
    excluded = ranker.rank(parse_query(f"{query} -{word}"), 99).hits
    assert {hit.position for hit in excluded} <= every
    for hit in excluded:
        record = records[hit.position]
        assert not set(terms_of(word)) & set(terms_of(f"{record.name} {record.description}"))
    for hit in ranker.rank(parse_query(f"+{word} {query}"), 99).hits:
        assert set(terms_of(word)) <= set(terms_of(records[hit.position].name))


def plain_score(records: list[Record], query: list[str], at: int) -> float:
    """BM25F by the book, one record and one term at a time."""
    given = SearchSettings()
    fields = [
        [terms_of(getattr(record, name)) for record in records] for name in ("name", "description", "body")
    ]
    weights = [given.weights.name, given.weights.description, given.weights.body]
    score = 0.0
    for term, times in Counter(query).items():
        having = sum(any(term in field[n] for field in fields) for n in range(len(records)))
        mixed = 0.0
        for field, weight in zip(fields, weights, strict=True):
            average = sum(map(len, field)) / (sum(map(bool, field)) or 1) or 1
            count = field[at].count(term)
            norm = 1 - weight.b + weight.b * len(field[at]) / average
            mixed += weight.weight * count / norm if count else 0.0
        news = math.log(1 + (len(records) - having + 0.5) / (having + 0.5))
        score += (
            (given.k3 + 1) * times / (given.k3 + times) * news * mixed * (given.k1 + 1) / (mixed + given.k1)
        )
    return score


@settings(deadline=None)
@given(RECORDS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_scores_are_those_of_the_formula(records: list[Record], query: list[str]) -> None:
    """The arrays give what ten plain lines give, to five places."""
    # Synonyms, spellings and forms add to the formula; without them it must stand alone.
    bare = SearchSettings(
        synonyms=(),
        related_discount=0,
        exact_form=0,
        corrections=0,
        background=0,
        pair_lift=0,
        name_lift=0,
    )
    for hit in Ranker.build(records, bare).rank(parse_query(" ".join(query)), 99).hits:
        expected = plain_score(records, [term for word in query for term in terms_of(word)], hit.position)
        assert hit.score == pytest.approx(expected, abs=1e-5)


KIT = [
    Record("charts", "chart-visualization", "Draws bar and line plots from tables."),
    Record("data", "data-analysis", "Analyze data with Python, pandas and notebooks."),
    Record("pdf", "pdf-forms", "Fills and merges PDF documents."),
    Record("notes", "release-notes", "Use when the user wants a changelog for a release."),
    Record("status", "status-page", "Shows service status."),
    Record("statue", "statue-care", "Cleans a statue."),
    Record("k8s", "deploy-k8s", "Rolls out services to k8s clusters."),
    Record("cpp", "cpp-style", "Formats C++ and C code."),
    Record("csharp", "csharp-style", "Formats C# and .NET projects."),
    Record("r", "r-stats", "Statistics in R."),
    Record("call", "on-call", "Hand-over rules for people who carry the pager."),
    Record("clips", "video-edit", "Cuts clips; edits subtitles."),
    Record("parser", "XMLParser", "Reads markup."),
    Record("cn", "pdf-cn", "解析PDF文件并提取表格。"),
    Record("db", "db-admin", "データベースとサーバーの管理。"),
    Record("tram", "tram", "Timetable for Zürich café stops."),
    Record("road", "road", "Straße plan; οδός list."),
]
RANKER = Ranker.build(KIT)

FIRST = [
    ("plots from my table", "charts"),
    ("visualization chart", "charts"),
    ("vizualization", "charts"),
    ("analyse notebooks", "data"),
    ("merging of documents", "pdf"),
    ("pdfs", "pdf"),
    ("the releases", "notes"),
    ("what is its status", "status"),
    ("statuses", "status"),
    ("K8S rollout", "k8s"),
    ("clustres", "k8s"),
    ("C++", "cpp"),
    ("c#", "csharp"),
    (".net", "csharp"),
    ("R", "r"),
    ("on call", "call"),
    ("clip subtitle", "clips"),
    ("xml parser", "parser"),
    ("xmlparser", "parser"),
    ("解析", "cn"),
    ("解析PDF", "cn"),
    ("データベース", "db"),
    ("ﾃﾞｰﾀﾍﾞｰｽ", "db"),
    ("zurich", "tram"),
    ("ZÜRICH cafe", "tram"),
    ("STRASSE", "road"),
    ("ΟΔΟΣ", "road"),
    ("don't use k8s", "k8s"),
    ("@pandas", "data"),
    ("pdf (forms", "pdf"),
    ("c++ [style", "cpp"),
    ("please kindly chart", "charts"),
    ("real-time pdf merging wizardry", "pdf"),
]


@pytest.mark.parametrize(("query", "key"), FIRST)
def test_who_comes_first(query: str, key: str) -> None:
    """Inflection, scripts, symbols, identifiers and slips of the hand find their skill first."""
    hits = RANKER.rank(parse_query(query), 5).hits
    assert hits, query
    assert KIT[hits[0].position].key == key


NOTHING = ["", "+", "---", "???", "*", ".*", "\\", "🚀", "the and of", "zzzz", "use when", "+pandas", "+ai"]


@pytest.mark.parametrize("query", NOTHING)
def test_what_finds_nothing(query: str) -> None:
    """An empty list of terms never scores, and what is in no name cannot be required there."""
    ranking = RANKER.rank(parse_query(query), 5)
    assert (ranking.state, ranking.hits, ranking.total) == ("none", (), 0)


ABSENT = [
    ("status", "statue"),
    ("UX", "charts"),
    ("art", "charts"),
    ("C++", "csharp"),
    ("R", "road"),
    ("file stat", "status"),
]


@pytest.mark.parametrize(("query", "key"), ABSENT)
def test_who_is_not_found(query: str, key: str) -> None:
    """Nothing matches by a piece of a word."""
    hits = RANKER.rank(parse_query(query), 9).hits
    assert key not in [KIT[hit.position].key for hit in hits]


STATES = [
    ("chart visualization", "strong"),
    ("run shell command execute native binary on router firmware with pandas", "weak"),
    ("book a flight to Lisbon and reserve a hotel", "none"),
]


@pytest.mark.parametrize(("query", "state"), STATES)
def test_how_far_an_answer_can_be_trusted(query: str, state: str) -> None:
    """Coverage, weighted by news, tells a fit from a coincidence."""
    assert RANKER.rank(parse_query(query), 5).state == state


def test_required_words_found_elsewhere_are_near_misses() -> None:
    """No name has it: no hits, a note, and who has it in the description is near."""
    ranking = RANKER.rank(parse_query("+pandas"), 5)
    assert [KIT[hit.position].key for hit in ranking.near] == ["data"]
    assert [note.code for note in ranking.notes] == ["required-missing"]


def test_a_correction_is_told() -> None:
    """A word that no skill has is searched for by its neighbour, and a note says so."""
    ranking = RANKER.rank(parse_query("noteboks"), 5)
    (note,) = ranking.notes
    assert (note.code, note.subject, note.suggestions) == ("corrected", "noteboks", ("notebooks",))
    assert ranking.hits[0].evidence[0].how == "corrected"


def test_common_words_alone_are_looked_for_in_names() -> None:
    """A query of nothing but function words finds a skill named so, else nothing, and says why."""
    assert [note.code for note in RANKER.rank(parse_query("the and of"), 5).notes] == ["common-words"]
    assert [KIT[hit.position].key for hit in RANKER.rank(parse_query("on call"), 5).hits] == ["call"]


def test_a_clause_of_what_it_is_not_for_counts_against() -> None:
    """What only a "Not for ..." clause says is no reason to be found, and costs a little."""
    records = [
        Record("fill", "pdf-fill", "Fills PDF forms. Not for merging files."),
        Record("merge", "pdf-merge", "Joins PDF files."),
    ]
    ranking = Ranker.build(records).rank(parse_query("pdf merging"), 5)
    assert [records[hit.position].key for hit in ranking.hits] == ["merge", "fill"]
    assert ranking.hits[1].evidence[-1].how == "negative"
    assert ranking.hits[1].evidence[-1].score < 0


def test_words_in_sequence_lift() -> None:
    """A quoted phrase filters nothing, and puts who says it in that order first."""
    records = [Record("a", "a", "Form a table of bars."), Record("b", "b", "Table form of bars.")]
    hits = Ranker.build(records).rank(parse_query('"table form"'), 5).hits
    assert [records[hit.position].key for hit in hits] == ["b", "a"]
    assert "phrase" in {part.how for part in hits[0].evidence}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_small_catalogs_find_their_skills(count: int) -> None:
    """A word in every record still finds, with a score above zero."""
    records = [Record(f"k{n}", f"windy-{n}", "London.") for n in range(count)]
    hits = Ranker.build(records).rank(parse_query("windy london"), 5).hits
    assert len(hits) == count
    assert all(hit.score > 0 for hit in hits)


def test_ties_go_to_the_shorter_then_the_earlier_name() -> None:
    """Equal scores are settled by the name's length, the name, and the key."""
    names = ["tie-d", "tie-bb", "tie-c", "tie-a"]
    hits = (
        Ranker.build([Record(name, name, "Same words here.") for name in names])
        .rank(parse_query("same words"), 9)
        .hits
    )
    assert [names[hit.position] for hit in hits] == ["tie-a", "tie-c", "tie-d", "tie-bb"]


def test_only_what_was_typed_is_corrected() -> None:
    """An identifier written as one word, or a word that other fields hold, is no slip of the hand."""
    records = [Record("a", "performs-x", "Uses docker."), Record("b", "pdf-kit", "Many forms.")]
    ranker = Ranker.build(records)
    assert ranker.rank(parse_query("pdf-forms"), 5).notes == ()
    assert ranker.rank(parse_query("name:docker"), 5).notes == ()
