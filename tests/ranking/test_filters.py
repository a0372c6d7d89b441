"""Who may answer: what `+word`, `-word` and `source:` hold back, and where they look."""

from __future__ import annotations

import pytest

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record
from skill_index.ranking.filters import blocking

RECORDS = [
    Record("pdf", "pdf-forms", "Fills in forms. Draft copies too.", "Merge files.", sources=("team",)),
    Record("gen", "genVideo", "Makes clips with AI.", tags=("media", "email-news"), sources=("team", "home")),
    Record("data", "data-analysis", "Analyses with pandas.", "See data-mining.", sources=("home",)),
    Record("mail", "email-kit", "Sends email and PDF forms.", aliases=("ai-mailer",), tags=("draft",)),
    Record("one", "dataanalysis", "One word for it.", sources=("Data_Store",)),
    Record("cn", "文件整理工具", "整理文件夹，解析PDF。", "说明：压缩文件。"),
    Record("call", "on-call", "Carry the pager."),
    Record("cpp", "c++-style", "C code.", "# Notes\nNot a draft."),
]
RANKER = Ranker.build(RECORDS)
# Among so many others a query reaches only those that its words and filters lead to.
AMONG_MANY = Ranker.build([*RECORDS, *(Record(f"o{n}", f"other-{n}", "Otherwise.") for n in range(400))])
RANKERS = pytest.mark.parametrize("ranker", [RANKER, AMONG_MANY], ids=["few", "many"])


def found(ranker: Ranker, query: str) -> set[str]:
    """Return the keys of all hits."""
    return {RECORDS[hit.position].key for hit in ranker.rank(parse_query(query), 99).hits}


REQUIRED = [
    # in the name, as whole words by their stems
    ("+pdf", {"pdf"}),
    ("+form", {"pdf"}),
    ("+FORMS", {"pdf"}),
    ("+fo", set()),
    ("+pandas", set()),
    ("+ai", {"mail"}),
    ("+email", {"mail"}),
    ("+gen +video", {"gen"}),
    ("+genvideo", {"gen"}),
    ("+gen-video", {"gen"}),
    ("+gen +pdf", set()),
    ("+data", {"data"}),
    ("+data-analysis", {"data", "one"}),
    ("+data_analysis", {"data", "one"}),
    ("+dataAnalysis", {"data", "one"}),
    ("+dataanalysis", {"data", "one"}),
    ("+analysis-data", set()),
    ("+c++", {"cpp"}),
    ("+c", set()),
    ("+on", {"call"}),
    ("+on pager", {"call"}),
    ("+???", set()),
    # runs without spaces, of any length
    ("+文", {"cn"}),
    ("+文件", {"cn"}),
    ("+文件整", {"cn"}),
    ("+文件整理工具", {"cn"}),
    ("+整理文件", set()),
    ("+文具", set()),
    # in the field it names
    ("+description:pandas", {"data"}),
    ("+description:email", {"mail"}),
    ("+description:解析PDF", {"cn"}),
    ("+description:整理文件夹", {"cn"}),
    ("+name:kit", {"mail"}),
    ("+name:ai", {"mail"}),
    ("+tag:media", {"gen"}),
    ("+tag:email", {"gen"}),
    ("+tag:email-news", {"gen"}),
    ("+tag:pdf", set()),
    ("+source:team", {"pdf", "gen"}),
    ("+source:TEAM", {"pdf", "gen"}),
    ("+source:data-store", {"one"}),
    ("+source:tea", set()),
    ("+source:team +source:home", {"gen"}),
    # anywhere
    ("+any:pandas", {"data"}),
    ("+any:merge", {"pdf"}),
    ("+any:压缩", {"cn"}),
    ("+any:draft", {"pdf", "mail", "cpp"}),
    # in sequence
    ('+"pdf forms"', {"pdf"}),
    ('+"forms pdf"', set()),
    ('+"on call"', {"call"}),
    ('+any:"pdf forms"', {"pdf", "mail"}),
    ('+description:"carry the pager"', {"call"}),
    ('+description:"carry pager"', set()),
    ('+description:"pager"', {"call"}),
    # beside words that rank, which hold nothing back
    ("+pdf zzz", {"pdf"}),
    ("+style code pandas", {"cpp"}),
]


@RANKERS
@pytest.mark.parametrize(("query", "keys"), REQUIRED)
def test_what_is_required(ranker: Ranker, query: str, keys: set[str]) -> None:
    """Hits are exactly the records that hold what is required, whole and where it is asked for."""
    assert found(ranker, query) == keys


EXCLUDED = [
    ("pdf -forms", {"cn"}),
    ("pdf -form", {"cn"}),
    ("pdf -fo", {"pdf", "mail", "cn"}),
    ("pdf -draft", {"cn"}),
    ("code -draft", {"cpp"}),
    ("code -any:draft", {"cpp"}),
    ("pdf -tag:draft", {"pdf", "cn"}),
    ("pdf -name:email", {"pdf", "cn"}),
    ("pdf -source:team", {"mail", "cn"}),
    ("pdf -source:nowhere", {"pdf", "mail", "cn"}),
    ("pdf -解析", {"pdf", "mail"}),
    ("pdf -整理文件", {"pdf", "mail"}),
    ("pdf -文件整理工具", {"pdf", "mail"}),
    ("pdf -理整", {"pdf", "mail", "cn"}),
    ('pdf -"pdf forms"', {"cn"}),
    ('pdf -"forms pdf"', {"pdf", "mail", "cn"}),
    ("analysis -data-analysis", set()),
    ("code -c", set()),
    ("code -c#", {"cpp"}),
    ("code -???", {"cpp"}),
    ("pdf -pdf", set()),
    ("-pdf", set()),
    ("+pdf -draft", set()),
    ("source:team pdf", {"pdf"}),
    ('source:"team" pdf', {"pdf"}),
    ('source:"data store" word', {"one"}),
    ("source:nowhere pdf", set()),
    ("source:team", set()),
    ("name:pdf", {"pdf"}),
    ("tag:email", {"gen"}),
    ("description:ai", {"gen"}),
]


@RANKERS
@pytest.mark.parametrize(("query", "keys"), EXCLUDED)
def test_what_is_excluded(ranker: Ranker, query: str, keys: set[str]) -> None:
    """What names, tags and descriptions say is excluded; what a body mentions in passing is not."""
    assert found(ranker, query) == keys


NOTICES = Ranker.build(
    [
        Record("say", "sender", "Sends notification mails.", "We notify."),
        Record("tell", "teller", "Notifies people by mail.", tags=("send-notice",)),
        Record("both", "all-notifications", "Notify by mail.", tags=("organise",)),
        Record("tidy", "organize-files", "Organizes files for an organ of mail.", aliases=("café",)),
        Record("firm", "organisations", "Mail of organizations and deployments; one organ."),
    ]
)
SAYING = [
    ("notification", "tell tidy firm"),
    ("notifications", "tell tidy firm"),
    ("notify", "say tidy firm"),
    ("notifying", "say tidy firm"),
    ("name:notification", "say tell tidy firm"),
    ('"send notification"', "tell both tidy firm"),
    ('"send notices"', "say both tidy firm"),
    ('"send notify"', "say tell both tidy firm"),
    ("organise", "say tell firm"),
    ("organized", "say tell firm"),
    ("organization", "say tell both tidy"),
    ("organ", "say tell both"),
    ("organise-files", "say tell both firm"),
    ("organise-file", "say tell both firm"),
    ('"organising files"', "say tell both firm"),
    ("cafe", "say tell both firm"),
    ("cafés", "say tell both firm"),
    ("deploy", "say tell both tidy firm"),
    ("deployment", "say tell both tidy"),
]


@pytest.mark.parametrize(("excluded", "left"), SAYING)
def test_an_exclusion_hides_what_says_the_word(excluded: str, left: str) -> None:
    """In any number, tense and spelling; who says another word of the same stem stays."""
    hits = NOTICES.rank(parse_query(f"mail -{excluded}"), 9).hits
    assert {NOTICES._index.records[hit.position].key for hit in hits} == set(left.split())


PARTS = [
    ("+organise-files", {"tidy"}),
    ("+OrganiseFiles", {"tidy"}),
    ('+"organise files"', {"tidy"}),
    ("+organisefiles", set()),
    ("+organization", {"tidy", "firm"}),
    ('+description:"organises files"', {"tidy"}),
    ("+files-organise", set()),
    ('+any:"organise file"', {"tidy"}),
]


@pytest.mark.parametrize(("query", "keys"), PARTS)
def test_parts_of_what_is_required_may_be_spelt_otherwise(query: str, keys: set[str]) -> None:
    """As a word by itself may, joined and in sequence."""
    hits = NOTICES.rank(parse_query(query), 9).hits
    assert {NOTICES._index.records[hit.position].key for hit in hits} == keys


@RANKERS
@pytest.mark.parametrize(
    ("query", "near"),
    [
        ("+pandas", ["data"]),
        ("+整理文件", ["cn"]),
        ("+zebra", []),
        ("+gen +pdf pager", ["call", "pdf", "gen"]),
    ],
)
def test_who_misses_what_is_required_is_near(ranker: Ranker, query: str, near: list[str]) -> None:
    """Where nothing passes, those that match otherwise are near, and a note repeats what was required."""
    ranking = ranker.rank(parse_query(query), 9)
    assert (ranking.state, ranking.hits, ranking.total) == ("none", (), 0)
    assert {RECORDS[hit.position].key for hit in ranking.near} == set(near)
    (note,) = (note for note in ranking.notes if note.code == "required-missing")
    assert note.subject == query.removesuffix(" pager")


LACKED = "no skill has {} where it is required"
ELSEWHERE = f"{LACKED}; the nearest have the words elsewhere or otherwise"
MEANT = f"{LACKED}; did you mean {{}}"
HELD = "every skill that has {} where it is required is held back by the rest of the query"
LEFT = "every skill that fits the words is held back, as {} asks for"
WHY_NONE = [
    ("+pandas", ELSEWHERE, "+pandas"),
    ("+zebra pdf +pdf", ELSEWHERE, "+zebra"),
    ("+zebra", LACKED, "+zebra"),
    ("+gen +pdf", ELSEWHERE, "+gen +pdf"),
    ("+call -pager", HELD, "+call"),
    ("+call source:home", HELD, "+call"),
    ("+vidoe", MEANT, "+vidoe", "+video"),
    ("+name:vidoe pdf", MEANT, "+name:vidoe", "+name:video"),
    ('+"vidoe" +data', MEANT, '+"vidoe"', '+"video"'),
    ("+description:vidoe", ELSEWHERE, "+description:vidoe"),
    ("+zebra-vidoe", ELSEWHERE, "+zebra-vidoe"),
    ("pager -carry", LEFT, "-carry"),
    ("pager source:home -x", LEFT, "source:home -x"),
]


@pytest.mark.parametrize(
    ("query", "told", "clauses"), [(query, told, rest) for query, told, *rest in WHY_NONE]
)
def test_why_filters_leave_nothing(query: str, told: str, clauses: list[str]) -> None:
    """What no record has, what may have been meant, or that those which fit are held back."""
    ranking = RANKER.rank(parse_query(query), 9)
    assert ranking.hits == ()
    (note,) = (note for note in ranking.notes if note.code != "corrected")
    assert (note.message, note.subject) == (told.format(*clauses), clauses[0])
    assert note.suggestions == tuple(clauses[1:])


@pytest.mark.parametrize("query", ["zebra -pdf", "-pdf", "source:team", "zebra"])
def test_filters_are_not_blamed_where_no_word_fits(query: str) -> None:
    """There is nothing that they could hold back."""
    assert RANKER.rank(parse_query(query), 9).notes == ()


def test_nothing_is_near_where_something_passes() -> None:
    """Near misses stand in for hits, and never beside them."""
    ranking = RANKER.rank(parse_query("+gen pager"), 9)
    assert [RECORDS[hit.position].key for hit in ranking.hits] == ["gen"]
    assert (ranking.near, ranking.notes) == ((), ())


@pytest.mark.parametrize(
    ("query", "at", "reason"),
    [
        ("pdf -draft", 0, "it has what -draft excludes"),
        ("+gen pdf", 0, "it lacks what +gen requires"),
        ("+pdf +gen", 0, "it lacks what +gen requires"),
        ('+"forms pdf"', 0, 'it lacks what +"forms pdf" requires'),
        ("pdf source:home", 0, "it is not from the source 'home'"),
        ("pdf source:team", 0, ""),
        ("pandas", 0, ""),
    ],
)
def test_which_clause_holds_back(query: str, at: int, reason: str) -> None:
    """The first clause that holds a record back is named as it was written."""
    assert blocking(RANKER._index, parse_query(query), at) == reason
