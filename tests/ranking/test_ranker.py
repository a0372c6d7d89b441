"""Which of two records comes first, and what an answer says of itself."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record, terms_of
from skill_index.settings import SearchSettings


def order(query: str, **described: str) -> list[str]:
    """Return the names of the hits among records of these names and descriptions."""
    records = [Record(name, name.replace("_", "-"), text) for name, text in described.items()]
    return [records[hit.position].key for hit in Ranker.build(records).rank(parse_query(query), 99).hits]


BEFORE = [
    # where a word stands
    ("invoice", {"invoice_kit": "Makes bills.", "books": "Keeps invoice lists."}, ["invoice_kit", "books"]),
    ("tidy photo", {"photo_tidy": "D.", "x": "Tidy a photo, a photo!"}, ["photo_tidy", "x"]),
    # how many of the words
    (
        "resize crop photo",
        {"a": "Resize, crop a photo.", "b": "Crop a photo.", "c": "Photo."},
        ["a", "b", "c"],
    ),
    # how rare the word
    ("format ledger", {"a": "Format it.", "b": "Format that.", "c": "Ledger."}, ["c", "a", "b"]),
    ("skill for maps", {"a": "A skill.", "b": "A skill for maps.", "c": "Skill, skill."}, ["b", "c", "a"]),
    # how long the text
    (
        "ledger",
        {"a": "Ledger of things, sorted by date, owner, amount and colour.", "b": "Ledger."},
        ["b", "a"],
    ),
    # symbols and identifiers
    ("c#", {"a": "C and C++ rules.", "b": "C# rules."}, ["b"]),
    ("c", {"a": "C++ and C# rules.", "b": "C rules."}, ["b"]),
    ("readFile", {"readFile": "D.", "readSocket": "D."}, ["readFile", "readSocket"]),
    ("read file", {"readSocket": "D.", "readFile": "D."}, ["readFile", "readSocket"]),
    ("HTTPServer", {"http_server": "D.", "server": "D."}, ["http_server", "server"]),
    ("httpserver", {"HTTPServer": "D.", "server": "D."}, ["HTTPServer"]),
    # inflection
    ("translating papers", {"a": "Translates a paper.", "b": "Papers."}, ["a", "b"]),
    ("campus", {"a": "Camp sites.", "b": "Campus map."}, ["b"]),
    ("crisis", {"a": "Crises.", "b": "Crisis line."}, ["b", "a"]),
    # scripts
    ("翻译论文", {"a": "翻译英文论文", "b": "论文排版", "c": "Papers."}, ["a", "b"]),
    ("論文の翻訳", {"a": "論文の翻訳", "b": "翻訳"}, ["a", "b"]),
    ("번역", {"a": "논문번역기", "b": "논문"}, ["a"]),
    ("munchen", {"a": "Rathaus in München.", "b": "Rathaus."}, ["a"]),
    # function words and noise
    ("how do I do this with a ledger", {"a": "How to do it with this.", "b": "Ledger."}, ["b"]),
    ("within", {"within": "D.", "b": "Within it."}, ["within"]),
    ("~~~ ledger ~~~", {"a": "Ledger.", "b": "Things."}, ["a"]),
    ("ledger (.*", {"a": "Ledger.", "b": "Things."}, ["a"]),
    ("lorem ipsum dolor ledger", {"a": "Ledger.", "b": "Things."}, ["a"]),
    # a phrase puts first, and filters nothing
    ('"change log"', {"a": "Log of change.", "b": "Change log."}, ["b", "a"]),
    ("change log", {"log_change": "D.", "z": "Change log."}, ["log_change", "z"]),
    # spelling
    ("ledgre", {"a": "Ledger.", "b": "Things."}, ["a"]),
    ("ledgre", {"a": "Ledger.", "b": "Ledgre."}, ["b"]),
    # fields
    ("name:ledger", {"a": "Ledger.", "ledger": "Things."}, ["ledger"]),
    ("description:ledger", {"a": "Ledger.", "ledger": "Things."}, ["a"]),
]


@pytest.mark.parametrize(("query", "described", "names"), BEFORE)
def test_who_is_found_and_in_which_order(query: str, described: dict[str, str], names: list[str]) -> None:
    """The same order whichever record was there first, and nobody else is found."""
    assert order(query, **described) == names
    assert order(query, **dict(reversed(described.items()))) == names


FIELDS_IN_ORDER = [
    Record("name", "ledger", "Tables."),
    Record("alias", "v", "Tables.", aliases=("ledger",)),
    Record("tag", "w", "Tables.", tags=("ledger",)),
    Record("description", "x", "Ledger."),
    Record("heading", "y", "Tables.", "# Ledger\n"),
    Record("body", "z", "Tables.", "ledger\n"),
]


def test_a_field_says_more_than_the_next() -> None:
    """A word in a name is worth as much as in another name, and being the whole name adds to it."""
    hits = Ranker.build(FIELDS_IN_ORDER).rank(parse_query("ledger"), 9).hits
    assert hits[1].score == pytest.approx(hits[0].evidence[0].score)
    assert [part.how for part in hits[0].evidence] == ["exact", "named"]
    assert [FIELDS_IN_ORDER[hit.position].key for hit in hits] == [
        *("name", "alias", "tag", "description", "heading", "body")
    ]
    found = {FIELDS_IN_ORDER[hit.position].key: hit.evidence[0].fields for hit in hits}
    assert (found["alias"], found["tag"], found["heading"]) == (("aliases",), ("tags",), ("headings", "body"))


RECORDS = [
    Record("pdf", "pdf-forms", "Fills in forms. Not for merging.", sources=("team",)),
    Record("merge", "pdf-merge", "Merges PDF files.", "See pdf-forms.", sources=("home",)),
    Record("chart", "chart-maker", "Draws charts.", "# Bars\nand lines"),
]
RANKER = Ranker.build(RECORDS)


def test_what_leads_is_not_counted_twice() -> None:
    """Records found by name come first in the order given, whatever they score, and once."""
    ranking = RANKER.rank(parse_query("pdf"), 9, first=[2, 1])
    assert [hit.position for hit in ranking.hits] == [2, 1, 0]
    assert (ranking.state, ranking.total) == ("exact", 3)
    assert sorted(RANKER.matched(parse_query("pdf"), first=[2, 1])) == [0, 1, 2]
    assert [hit.evidence[0].how for hit in ranking.hits] == ["name", "name", "exact"]
    assert ranking.hits[0].score == 0


@pytest.mark.parametrize("limit", [-1, 0, 1, 2])
def test_a_small_limit_cuts_and_the_total_stays(limit: int) -> None:
    """Those that lead are cut too; state and total tell of all."""
    ranking = RANKER.rank(parse_query("pdf"), limit, first=[2])
    assert [hit.position for hit in ranking.hits] == [2, 1][: max(limit, 0)]
    assert (ranking.state, ranking.total) == ("exact", 3)


def test_evidence_says_how() -> None:
    """Exact, by stem, in which fields; and with what is held against it, which sums to the score."""
    first, second = RANKER.rank(parse_query("pdf merging"), 9).hits
    assert [(part.word, part.term, part.fields, part.how) for part in first.evidence] == [
        ("pdf", "pdf", ("name", "description", "body"), "exact"),
        ("merging", "merg", ("name", "description"), "stem"),
        ("pdf merging", "pdf merg", ("name", "description"), "together"),
        ("pdf-merge", "pdf-merge", ("name",), "named"),
    ]
    assert [(part.term, part.how, part.fields) for part in second.evidence] == [
        ("pdf", "exact", ("name",)),
        ("pdf-forms", "named", ("name",)),
        ("merg", "negative", ("description",)),
    ]
    assert second.evidence[2].score < 0 < second.score < first.score


CLAUSES = st.sampled_from(["Not for pdf.", "Not for forms or charts.", "Do not use for merging.", "Merging."])
WORDS = st.lists(st.sampled_from(["pdf", "form", "chart", "merge"]), max_size=3).map(" ".join)
RULING = st.lists(
    st.builds(Record, st.just("k"), WORDS, st.builds("{}. {}".format, WORDS, CLAUSES)), max_size=5
)
ASKING = st.lists(
    st.sampled_from(["pdf", "+pdf", "merging", '"form chart"', "-chart", "+any:form"]), min_size=1
)


@settings(deadline=None)
@given(RULING, ASKING.map(" ".join))
def test_no_hit_is_worth_less_than_nothing(records: list[Record], query: str) -> None:
    """What a description rules out takes from a score, and takes no more than there is."""
    ranking = Ranker.build(records).rank(parse_query(query), 9)
    for hit in (*ranking.hits, *ranking.near):
        assert math.isfinite(hit.score)
        assert hit.score >= 0
        assert hit.score == pytest.approx(sum(part.score for part in hit.evidence))


@settings(deadline=None)
@given(RULING, ASKING.map(" ".join))
def test_every_record_has_its_reason_or_is_a_hit(records: list[Record], query: str) -> None:
    """A reason is given for exactly those that are no hit, and the total counts the others."""
    ranker, parsed = Ranker.build(records), parse_query(query)
    ranking = ranker.rank(parsed, 99)
    told = {at for at in range(len(records)) if not ranker.why_not(parsed, at)}
    assert told == set(ranker.matched(parsed)) == {hit.position for hit in ranking.hits}
    assert ranking.total == len(told)


REASONS = [
    ("pdf", 2, "no word of the query is in its name"),
    ("pdf -form", 0, "it has what -form excludes"),
    ("+chart pdf", 0, "it lacks what +chart requires"),
    ("pdf source:home", 0, "it is not from the source 'home'"),
    ("merge", 0, "it says that it is not for merge"),
    ("merge zzz -chart", 0, "it says that it is not for merge"),
    ("pdf", 0, ""),
]


@pytest.mark.parametrize(("query", "at", "reason"), REASONS)
def test_why_a_record_is_no_hit(query: str, at: int, reason: str) -> None:
    """The clause that holds it back, what it rules out, or that it holds no word; and nothing for a hit."""
    told = RANKER.why_not(parse_query(query), at)
    assert told.startswith(reason)
    assert bool(told) is bool(reason)


def test_progress_counts_records() -> None:
    """It is told how many are done, from one to all."""
    told: list[int] = []
    Ranker.build(RECORDS, progress=told.append)
    assert told == [1, 2, 3]


EMPTY = ["", "+", "- -", "***", "🚀", "the", "-pdf", "zzzzzz", "+zzzzzz", '"', "source:team"]


@pytest.mark.parametrize("query", EMPTY)
@pytest.mark.parametrize("records", [[], RECORDS], ids=["no records", "records"])
def test_what_asks_for_nothing_finds_nothing(records: list[Record], query: str) -> None:
    """Signs, function words, exclusions and unknown words alone match no record, and never all."""
    ranking = Ranker.build(records).rank(parse_query(query), 9)
    assert (ranking.state, ranking.hits, ranking.near, ranking.total) == ("none", (), (), 0)


def test_settings_turn_what_they_say() -> None:
    """Weights of fields and the stop words are those of the given settings."""
    records = [Record("a", "the", "Of forms."), Record("b", "of", "The forms.")]
    plain = SearchSettings(stop_words=frozenset(), background=0, pair_lift=0)
    assert [hit.position for hit in Ranker.build(records, plain).rank(parse_query("the forms"), 9).hits] == [
        0,
        1,
    ]
    assert terms_of("The") == ["the"]


@pytest.mark.parametrize("query", ["pdf pdf pdf", "pdf " * 200])
def test_repeating_a_word_changes_no_order(query: str) -> None:
    """A word said often outweighs no other without bound, and alone changes nothing but the score."""
    once, often = RANKER.rank(parse_query("pdf"), 9), RANKER.rank(parse_query(query), 9)
    assert [hit.position for hit in once.hits] == [hit.position for hit in often.hits]
    for one, more in zip(once.hits, often.hits, strict=True):
        assert one.score < more.score < 9 * one.score


JOINED = [
    ("doc string style", "docs", "joined"),
    ("docstring style", "apart", "split"),
    ("preprocessing images", "pre", "split"),
    ("data base", "store", "joined"),
]
WRITTEN = [
    Record("docs", "docstring-lint", "Checks docstrings."),
    Record("apart", "lint", "Checks a doc string.", "Every doc string."),
    Record("pre", "cleaner", "Pre processing of pictures."),
    Record("store", "store", "Keeps a database."),
    Record("other", "other", "Tells the weather."),
]


@pytest.mark.parametrize(("query", "key", "how"), JOINED)
def test_a_word_is_found_written_as_one_or_as_two(query: str, key: str, how: str) -> None:
    """What the query joins others part, and the other way round; evidence says so and sums to the score."""
    records = [record for record in WRITTEN if how != "split" or record.key != "docs"]
    hits = Ranker.build(records).rank(parse_query(query), 9).hits
    found = {records[hit.position].key: hit for hit in hits}
    assert how in {part.how for part in found[key].evidence}
    assert found[key].score == pytest.approx(sum(part.score for part in found[key].evidence))
    assert "other" not in found


@pytest.mark.parametrize("query", ["csv json", "csv to json", "the CSV to the JSON"])
def test_words_that_say_nothing_part_no_neighbours(query: str) -> None:
    """In skills and queries alike, and the order counts: there and back are two things."""
    records = [
        Record("back", "convert", "Turns JSON to CSV."),
        Record("there", "convert", "Turns CSV to JSON."),
    ]
    hits = Ranker.build(records).rank(parse_query(query), 9).hits
    told = [(records[hit.position].key, {part.how for part in hit.evidence}) for hit in hits]
    assert told == [("there", {"exact", "together"}), ("back", {"exact"})]


def test_words_that_do_not_touch_make_no_other() -> None:
    """Who writes "pass word" may mean a password, who writes "pass the word" does not."""
    ranker = Ranker.build([Record("key", "password-keeper", "Keeps each password.")])
    assert [hit.position for hit in ranker.rank(parse_query("pass word"), 9).hits] == [0]
    assert ranker.rank(parse_query("pass the word"), 9).hits == ()
    assert [hit.position for hit in ranker.rank(parse_query("pass the word pass word"), 9).hits] == [0]


@pytest.mark.parametrize(
    ("query", "name", "share"),
    [
        ("merge pdf", "merge-pdf", 1),
        ("pdf", "merge-pdf", 1 / 2),
        ("pdf", "pdf-pdf-tools", 1 / 2),
        ("call", "on-call", 1),
        ("数据分析", "数据分析", 1),
        ("数据", "数据分析", 1 / 3),
        ("分析", "分析", 1),
        ("pdf", "pdf解析", 1 / 2),
        ("pdf解析", "pdf解析", 1),
        ("表", "表", 1),
        ("人人", "人人", 1),
        ("ก็", "ก็", 1),
        ("🙂", "🙂-pdf", 1 / 2),
        ("zebra", "???", 0),
        ("policies", "policy", 1),
        ("deploying", "deploys-k8s", 1 / 2),
        ("import", "important-csv", 0),
        ("animal", "animation", 0),
    ],
)
def test_a_name_lifts_by_the_share_of_its_words_that_are_said(query: str, name: str, share: float) -> None:
    """
    Stop words aside, each word once; of a run without spaces the words are its pairs.

    In any number or tense, but no other word of its stem says it.
    """
    records = [Record("a", name, "A zebra."), Record("b", "x", "Nothing.")]
    fresh = Ranker.build(records)
    cut = Ranker.build([*records, Record("c", "other-pdf-数据", "Other.")]).restrict([0, 1])
    for ranker in (fresh, fresh.updated(records, [None, 1]), cut):
        hit = ranker.rank(parse_query(query), 1).hits[0]
        lift = sum(part.score for part in hit.evidence if part.how == "named")
        assert lift == pytest.approx((hit.score - lift) * share * SearchSettings().name_lift)
