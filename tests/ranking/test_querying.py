"""What a query asks for: its terms, near spellings of them, and other words for the same."""

from __future__ import annotations

import pytest

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Ranking, Record
from skill_index.ranking.briefs import Briefs
from skill_index.ranking.postings import Brief
from skill_index.ranking.querying import (
    Asked,
    Widener,
    asked_terms,
    asked_tokens,
    field_columns,
    split_stems,
)
from skill_index.ranking.records import FIELDS
from skill_index.ranking.spellings import Spellings
from skill_index.settings import SearchSettings

EVERYWHERE = tuple(range(len(FIELDS)))
SETTINGS = SearchSettings()

ASKED = [
    ("fill the form with data", ["fill", "form", "data"]),
    ("The FORM", ["form"]),
    ("the and of", ["the", "and", "of"]),
    ("do it", ["do", "it"]),
    ("pdf pdf", ["pdf", "pdf"]),
    ("fill-form", ["fill", "form", "fillform"]),
    ("+pdf fill -draft", ["fill", "pdf"]),
    ('"to be filled" now', ["filled"]),
    ("+any:pdf tag:x description:chart", ["x", "chart", "pdf"]),
    ("source:team pdf +source:team", ["pdf"]),
    ("解析", ["解析"]),
    ("解析文件", ["解析", "析文", "文件"]),
    ("人", ["人"]),
    ("解析PDF", ["解析", "pdf"]),
    ("C++ c#", ["c++", "c#"]),
    ("??? --- *", []),
    ("", []),
]


@pytest.mark.parametrize(("query", "forms"), ASKED)
def test_what_is_asked_for(query: str, forms: list[str]) -> None:
    """Function words go where others remain, characters go where pairs do, filters do not rank."""
    assert [term.form for term in asked_terms(parse_query(query), SETTINGS)] == forms


FRAGMENTS = [
    ("fill form", ""),
    ("version 2.10 r of 300", "2 10 210 r 300"),
    ("fill-form fillForm", "fill form fillform fill form fillform"),
    ("ai in 3d", "ai 3d"),
    ("解析文件", "解析 析文 文件"),
    ("C++ c# .NET", ""),
]


@pytest.mark.parametrize(("query", "fragments"), FRAGMENTS)
def test_what_is_less_than_a_word(query: str, fragments: str) -> None:
    """Numbers, a letter or two, and what repeats parts of others; languages named by a sign are words."""
    assert (
        " ".join(term.form for term in asked_terms(parse_query(query), SETTINGS) if term.fragment)
        == fragments
    )


def test_a_fragment_counts_less_until_it_is_a_word() -> None:
    """A number says less than a word, and a word that also stands by itself counts whole."""
    ranker = Ranker.build([Record("a", "one", "Draws 7."), Record("b", "two", "Draws zebras.")])
    assert [hit.position for hit in ranker.rank(parse_query("7 zebras"), 2).hits] == [1, 0]

    def score(query: str) -> float:
        return ranker.rank(parse_query(query), 1).hits[0].score

    assert score("zebra-lion zebra") > score("zebra-lion")


def test_where_it_is_asked_for() -> None:
    """A field narrows its word, and function words alone are looked for in names."""
    asked = asked_terms(parse_query('pdf name:form tag:"x y" any:data +chart'), SETTINGS)
    names, tags = field_columns("name"), field_columns("tag")
    assert [term.fields for term in asked] == [EVERYWHERE, names, tags, tags, EVERYWHERE, EVERYWHERE]
    assert {term.fields for term in asked_terms(parse_query("on the"), SETTINGS)} == {names}
    assert [FIELDS[column] for column in names] == ["name", "aliases"]


def test_stop_words_are_those_of_the_settings() -> None:
    """A catalog may treat any words so, or none."""
    query = parse_query("use the pdf")
    assert len(asked_terms(query, SearchSettings(stop_words=frozenset()))) == 3
    assert [term.form for term in asked_terms(query, SearchSettings(stop_words=frozenset({"pdf"})))] == [
        *("use", "the")
    ]


def test_pairs_without_characters() -> None:
    """Single characters are asked for only where there are no pairs."""
    assert [token.form for token in asked_tokens("文 pdf 件")] == ["文", "pdf", "件"]
    assert [token.form for token in asked_tokens("文件 x")] == ["文件", "x"]


VOCABULARY = {"kubernetes": "kubernet", "chart": "chart", "charts": "chart", "bats": "bat", "pdf": "pdf"}
VOCABULARY |= {"visualization": "visual", "notebooks": "notebook", "form": "form", "k8s": "k8s"}

CORRECTED = [
    ("kuberntes", ["kubernetes"]),
    ("kubernettes", ["kubernetes"]),
    ("kubrentes", ["kubernetes"]),
    ("kuberne", []),
    ("vizualize", ["visual"]),
    ("kbernets", ["kubernetes"]),
    ("ubernetes", ["kubernetes"]),
    ("jubernets", []),
    ("chatr", ["chart"]),
    ("chrat", ["chart"]),
    ("charrt", ["chart"]),
    ("chhrtt", []),
    ("hart", []),
    ("xhart", ["chart"]),
    ("hcart", ["chart"]),
    ("cats", []),
    ("fom", []),
    ("frm", []),
    ("forn", ["form"]),
    ("k9s1", []),
    ("c+++", []),
    ("文件夹子", []),
]


def widener(vocabulary: dict[str, str], settings: SearchSettings = SETTINGS) -> Widener:
    """Return what widens queries to the words of one record that has these forms and stems."""
    briefs = Briefs.of([Brief((), tuple(vocabulary.items()), ())])
    return Widener([Spellings.of(briefs)], settings, vocabulary.__contains__)


@pytest.mark.parametrize(("form", "found"), CORRECTED)
def test_near_spellings(form: str, found: list[str]) -> None:
    """
    One edit from four letters and two from eight; a word of four letters keeps its first.

    Where no word is near, the stem may be one edit from another.
    """
    (asked,) = asked_terms(parse_query(form), SETTINGS)[:1]
    corrected = list(widener(VOCABULARY).corrections(asked))
    assert [term.form for term in corrected] == found
    assert all((term.word, term.how) == (form, "corrected") for term in corrected)
    assert all(term.stem == VOCABULARY.get(term.form, term.form) for term in corrected)


@pytest.mark.parametrize("word", ["film", "love", "planning", "task", "mango"])
def test_a_word_that_is_spelt_right_is_only_absent(word: str) -> None:
    """What skills at large use, or what leads to others, is no slip for the nearest word of a catalog."""
    vocabulary = {form: form for form in ("file", "live", "plannings", "talk", "mange")}
    (asked,) = asked_terms(parse_query(word), SETTINGS)
    assert list(widener(vocabulary).corrections(asked)) == []


def test_who_has_the_first_letter_comes_first() -> None:
    """It is seldom mistyped, so of two words as near the one that begins the same is meant."""
    vocabulary = {form: form for form in ("handle", "bundle")}
    asked = Asked("bandle", "bandle", "bandle", EVERYWHERE)
    assert [term.form for term in widener(vocabulary).corrections(asked)] == ["bundle"]


def test_equally_near_spellings_share_the_discount() -> None:
    """No more are tried than the settings say, in a fixed order, and together they count as one."""
    vocabulary = {form: form for form in ("lamp", "lame", "lamb")}
    asked = Asked("lamx", "lamx", "lamx", EVERYWHERE)
    found = list(widener(vocabulary).corrections(asked))
    assert [term.form for term in found] == ["lamb", "lame"]
    assert sum(term.discount for term in found) == pytest.approx(SETTINGS.typo_discount)
    assert list(widener(vocabulary, SearchSettings(corrections=0)).corrections(asked)) == []


def ranked(query: str, *descriptions: str, body: str = "") -> Ranking:
    """Rank records that differ in their descriptions alone, with a body for the first."""
    records = [Record(str(at), f"n{at}", text) for at, text in enumerate(descriptions)]
    records[0] = Record("0", "n0", descriptions[0], body)
    return Ranker.build(records).rank(parse_query(query), 9)


UNCORRECTED = ["charm", "pdf", "tag:chart", "name:chart", "charm tag:charm"]


@pytest.mark.parametrize("query", UNCORRECTED)
def test_a_word_that_is_known_is_not_corrected(query: str) -> None:
    """Neither where another word is near and more common, nor where only another field holds it."""
    ranking = ranked(query, "A charm.", "A chart, a chart.", "Chart of pdf.")
    assert "corrected" not in {note.code for note in ranking.notes}
    assert "corrected" not in {part.how for hit in ranking.hits for part in hit.evidence}


def test_bodies_are_no_dictionary() -> None:
    """A word that stands in a body alone is known, so it is not corrected, and nothing is corrected to it."""
    assert ranked("chart", "A chert.", "D.", body="chart").notes == ()
    ranking = ranked("chrat", "D.", "D.", body="chart chart")
    assert (ranking.hits, ranking.notes) == ((), ())


BODIES = [(["combinatorial", "combinatorial"], True), (["combinatorial", ""], False), (["", ""], False)]


@pytest.mark.parametrize(("bodies", "known"), BODIES)
def test_what_several_bodies_hold_is_spelt_right(bodies: list[str], known: bool) -> None:
    """A word of one body may be a slip itself; where an index came from does not matter."""
    records = [Record(str(at), f"n{at}", "D.", body) for at, body in enumerate(bodies)]
    query = parse_query("combnatorial")
    whole = Ranker.build([*records, Record("x", "x", "D.", "combinatorial")])
    edited = Ranker.build(records[:1]).updated(records, [0, None])
    for ranker in (Ranker.build(records), whole.restrict([0, 1]), edited):
        notes = ranker.rank(query, 9).notes
        assert [note.suggestions for note in notes] == ([("combinatori",)] if known else [])


def test_a_mistyped_word_says_what_it_means_in_names_and_beside_others() -> None:
    """Its record gets what the name and the neighbours add, as for the word itself, if not all of it."""
    ranker = Ranker.build([Record("0", "chart-viewer", "Chart viewer."), Record("1", "n", "Viewer, chart.")])
    (hit, other), (right, _) = (
        ranker.rank(parse_query(query), 9).hits for query in ("chrat viewer", "chart viewer")
    )
    assert (hit.position, other.position) == (0, 1)
    assert {part.how for part in hit.evidence} == {"corrected", "exact", "together", "named"}
    assert 0.7 * right.score < hit.score < right.score


@pytest.mark.parametrize("query", ["chart chrat", "chrat chart"])
def test_a_word_and_its_slip_name_a_record_once(query: str) -> None:
    """To say a name twice is to say it once, whichever comes first."""
    ranker = Ranker.build([Record("0", "chart", "D."), Record("1", "other", "D.")])
    (hit,), (alone,) = (ranker.rank(parse_query(text), 9).hits for text in (query, "charting"))
    shares, expected = (
        [part.score / (each.score - part.score) for part in each.evidence if part.how == "named"]
        for each in (hit, alone)
    )
    assert shares == pytest.approx(expected) == [SearchSettings().name_lift]


def test_a_correction_is_looked_for_where_it_was_asked() -> None:
    """A field narrows the corrected word too."""
    records = [Record("0", "chart-kit", "D."), Record("1", "other", "A chart.")]
    ranking = Ranker.build(records).rank(parse_query("name:chrat"), 9)
    assert [hit.position for hit in ranking.hits] == [0]
    assert [note.suggestions for note in ranking.notes] == [("chart",)]


def test_only_so_many_words_are_corrected() -> None:
    """A page of noise costs a bounded number of walks over the vocabulary."""
    settings = SearchSettings(corrected_words=2)
    query = parse_query("chrat tabel podcsat")
    notes = Ranker.build([Record("0", "n", "A chart table podcast.")], settings).rank(query, 9).notes
    assert [note.subject for note in notes] == ["chrat", "tabel"]


GROUPS = (("slides", "deck", "演示"), ("k8s", "kubernetes"), ("bill", "invoice"))

SYNONYMS = [
    ("slides", [1, 0, 2]),
    ("slide", [1, 0, 2]),
    ("deck", [0, 1, 2]),
    ("演示", [2, 0, 1]),
    ("k8s", [4, 3]),
    ("billing", [5]),
    ("invoices", [5]),
    ("chart", []),
]


@pytest.mark.parametrize(("query", "found"), SYNONYMS)
def test_other_words_for_it(query: str, found: list[int]) -> None:
    """The rest of its group is found too, behind the word itself."""
    settings = SearchSettings(synonyms=GROUPS, related_discount=0)
    texts = ["A deck.", "A slide.", "演示。", "kubernetes", "k8s", "An invoice.", "Tables."]
    records = [Record(str(at), f"n{at}", text) for at, text in enumerate(texts)]
    hits = Ranker.build(records, settings).rank(parse_query(query), 9).hits
    assert {hit.position for hit in hits} == set(found)
    assert [hit.position for hit in hits][:1] == found[:1]
    for hit in hits[1:]:
        assert {part.how for part in hit.evidence} == {"synonym"}
        assert {part.word for part in hit.evidence} == {query}
    assert (
        not Ranker.build(records, SearchSettings(synonyms=(), related_discount=0))
        .rank(parse_query(query), 9)
        .hits[1:]
    )


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_rare_other_word_is_no_better_than_the_word(count: int) -> None:
    """Whoever says the word comes first, however many do, and however few say the other."""
    settings = SearchSettings(synonyms=GROUPS)
    records = [Record("deck", "a", "A deck."), *(Record(f"k{n}", f"n{n}", "A slide.") for n in range(count))]
    hits = Ranker.build(records, settings).rank(parse_query("slide"), 9).hits
    assert [hit.position for hit in hits] == [*range(1, count + 1), 0]


def test_a_group_counts_once() -> None:
    """A record that says a word in three ways is about one thing, and gains nothing over one way."""
    settings = SearchSettings(synonyms=GROUPS)
    records = [Record("0", "n0", "A deck 演 slides x."), Record("1", "n1", "A deck 演 y x.")]
    one, two = Ranker.build(records, settings).rank(parse_query("deck"), 9).hits
    assert one.score == pytest.approx(two.score)
    assert len(one.evidence) == len(two.evidence) == 1


@pytest.mark.parametrize(("letters", "cuts"), [(5, 0), (6, 1), (40, 35), (41, 0), (4000, 0)])
def test_a_word_is_cut_only_while_it_can_be_a_compound(letters: int, cuts: int) -> None:
    """At every place that leaves three letters on both sides; noise of any length is not cut at all."""
    assert len(list(split_stems("b" * letters))) == cuts


SIGNED = [
    *(".NET", "C++", "C#", "F#", "Node.js", "K8s", "Q&A", "R&D", "P&L", "AT&T", "ATT&CK", "A/B test"),
    *("CI/CD", "I/O", "24/7", "3D", "2FA", "H.264", "e-mail", "S/4HANA", "T-SQL", "X.509", "802.11"),
    *("OAuth 2.0", "S3", "TCP/IP", "M&A", "B2B", "C/C++", "SOC 2", "Objective-C", "5G", "UTF-8", "Wi-Fi"),
]
DECOYS = [
    *("Net scores, a node in js, k of 8.", "Plan R and Q at 4.", "Vitamin C and D.", "I go out, class A."),
    *("Letters at home, t shirts, an att, a ck.", "A test of 24 on 7 days.", "3 d of 2 fa, h of 264."),
    *("Hana sql x 509, 802 at 11.", "Auth at 2, s of 3, tcp with an ip.", "M or a, b or 2, l and p."),
    *("Objective things.", "A g at 5, utf of 8, wi or fi.", "QA of PL, RD and MA.", "Mail it.", "Soc 3."),
]


@pytest.mark.parametrize("form", ["{}", "help with {}", "{} task"])
@pytest.mark.parametrize("said", SIGNED)
def test_a_term_of_signs_and_letters_finds_who_says_it(said: str, form: str) -> None:
    """Before all that only say its letters, in any case, alone and among other words."""
    texts = [*(f"For {each} only." for each in SIGNED), *DECOYS]
    ranker = Ranker.build([Record(str(at), f"kit-{at:03}", text) for at, text in enumerate(texts)])
    for query in (form.format(said), form.format(said).lower()):
        assert texts[ranker.rank(parse_query(query), 1).hits[0].position] == f"For {said} only."
