"""The catalog: a frozen mapping, views that hide, searches that account for everything."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import MemorySource, Origin, Skill, SkillCatalog, SkillIndex, SkillNotFoundError
from skill_index.errors import PatternError
from skill_index.tools import Toolkit


def skill(name: str, description: str, *, label: str = "s", **more: object) -> Skill:
    """Make a skill in a file of a source."""
    origin = Origin(label, "/r", f"{name}/SKILL.md")
    return Skill(name, description, origin=origin, **more)  # type: ignore[arg-type]  # fields by keyword


SKILLS = [
    skill("chart-visualization", "Draws bar and line plots from tables."),
    skill("data-analysis", "Analyze data with Python, pandas and notebooks."),
    skill("pdf-forms", "Fills and merges PDF documents.", aliases=("acroform",)),
    skill("pdf-merge", "Joins PDF files into one."),
    skill("podcast-generation", "Writes and voices a podcast."),
    skill("on-call", "Hand-over rules for people who carry the pager."),
    skill("zebra-counter", "Counts quixotic animals."),
]
CATALOG = SkillCatalog(SKILLS)


def test_it_is_a_frozen_mapping() -> None:
    """It behaves as a mapping in name order, and as a value."""
    assert list(CATALOG) == sorted(each.name for each in SKILLS)
    assert CATALOG["pdf-forms"] is CATALOG["PDF Forms"]
    assert "pdf_forms" in CATALOG
    assert "nope" not in CATALOG
    assert CATALOG.get("nope") is None
    odd: list[Any] = [None, 3, b"pdf-forms"]
    for no_name in odd:
        assert CATALOG.get(no_name) is None
        assert no_name not in CATALOG
    assert dict(CATALOG)["on-call"].name == "on-call"
    assert SkillCatalog(reversed(SKILLS)) == CATALOG
    assert hash(CATALOG) == hash(SkillCatalog(SKILLS))
    with pytest.raises(TypeError):
        CATALOG["a"] = SKILLS[0]  # type: ignore[index]


def test_a_name_that_is_no_text_is_refused_in_words() -> None:
    """Wherever a name is asked for by itself, a slip of the host is told as one."""
    results = CATALOG.search("pdf")
    for ask in (CATALOG.entry, CATALOG.matches, results.why_not):
        with pytest.raises(TypeError, match="the name of a skill is text, not NoneType"):
            ask(None)  # type: ignore[arg-type]


def test_results_are_true_where_there_are_hits() -> None:
    """`if catalog.search(...)` asks what it seems to ask; near misses are no hits."""
    assert CATALOG.search("pdf-forms")
    assert CATALOG.search("select:pdf-fromz").near
    assert not CATALOG.search("select:pdf-fromz")


def test_an_unknown_name_tells_the_nearest() -> None:
    """The error is a KeyError with suggestions."""
    with pytest.raises(SkillNotFoundError) as caught:
        CATALOG["pdf-from"]
    assert caught.value.nearby[0] == "pdf-forms"
    assert isinstance(caught.value, KeyError)


def test_a_shared_name_is_ambiguous_and_reported() -> None:
    """Both skills are kept, a finding says how each is reached, the bare name lists them."""
    catalog = SkillCatalog([Skill("a", "one"), Skill("a", "two")])
    assert len(catalog) == 2
    assert {finding.code for finding in catalog.findings} == {"name-shared"}
    with pytest.raises(SkillNotFoundError, match="names several skills") as caught:
        catalog["a"]
    assert set(caught.value.nearby) == set(catalog)
    assert all(catalog[name].name == "a" for name in catalog)


def test_copies_are_merged_and_reported() -> None:
    """Identical copies count once, with both places."""
    catalog = SkillCatalog([skill("a", "x", label="one"), skill("a", "x", label="two")])
    (entry,) = catalog.entries
    assert [place.label for place in entry.places] == ["one", "two"]
    assert [finding.code for finding in catalog.findings] == ["duplicate-copy"]


def test_it_survives_pickling() -> None:
    """A worker process gets the same answers."""
    catalog = SkillCatalog(SKILLS)
    before = catalog.search("merge pdf documents")
    copy = pickle.loads(pickle.dumps(catalog))  # noqa: S301 - our own bytes
    assert copy == catalog
    assert copy.search("merge pdf documents") == before


VIEWS = [
    (None, None, 7),
    ([], None, 0),
    ((), None, 0),
    (["pdf-*"], None, 2),
    ("pdf-forms", None, 1),
    (["*"], ["pdf-*"], 5),
    (["pdf-*"], ["pdf-forms"], 1),
    (None, ["*"], 0),
    (None, [], 7),
    (["pdf-forms"], ["pdf-forms"], 0),
]


@pytest.mark.parametrize(("allow", "deny", "count"), VIEWS)
def test_views_allow_and_deny(allow: list[str] | None, deny: list[str] | None, count: int) -> None:
    """None is all, an empty list is none, and deny wins in either order."""
    assert len(CATALOG.only(allow).without(deny)) == count
    assert len(CATALOG.without(deny).only(allow)) == count


def test_views_of_views_only_narrow() -> None:
    """A child without a list of its own has its parent's, and cannot ask for more."""
    parent = CATALOG.only(["pdf-forms"])
    assert list(parent.only(None)) == ["pdf-forms"]
    assert list(parent.only(["pdf-forms", "on-call"])) == ["pdf-forms"]
    assert list(parent.only([])) == []


def test_a_bad_pattern_is_an_error() -> None:
    """It is never taken for 'all' or 'none'."""
    with pytest.raises(PatternError):
        CATALOG.only(["pdf-["])


def test_denying_the_holder_of_a_name_uncovers_the_other() -> None:
    """Denying a name denies all its holders; denying one leaves the other under its own key."""
    catalog = SkillCatalog([skill("tool", "1", label="a"), skill("tool", "2", label="b")])
    assert list(catalog.without(["tool"])) == []
    left = catalog.without(["a:tool"])
    assert list(left) == ["b:tool"]
    assert left["tool"].description == "2"
    assert "a:tool" not in left


@pytest.mark.parametrize(
    "query",
    ["zebra-counter", "quixotic", "quixotik", "+zebra", "select:zebra-counter", "zebra", "animals counter"],
)
@pytest.mark.parametrize("warm", [True, False], ids=["index built", "index not built"])
def test_what_is_filtered_is_nowhere(query: str, warm: bool) -> None:
    """Neither hits, near misses, notes nor corrections name a hidden skill or its words."""
    catalog = SkillCatalog(SKILLS)
    if warm:
        catalog.search("pdf")
    results = catalog.without(["zebra-*"]).search(query)
    said = repr((results.hits, results.near, results.rejected, results.notes))
    echo = query.removeprefix("select:")
    assert not results.hits
    assert "zebra-counter" not in said.replace(echo, "")
    assert "quixotic" not in said.replace(echo, "")


def test_a_search_can_be_narrowed_once() -> None:
    """`where` narrows one search as a view would."""
    assert CATALOG.search("pdf", where=lambda each: "merge" in each.name).names == ("pdf-merge",)


def test_a_whole_name_leads_whatever_the_grammar_says() -> None:
    """A skill called like an operator is found by its name."""
    odd = ["+plus", "select:me", "name:x", "-minus", '"quoted"', "on call"]
    catalog = SkillCatalog([*SKILLS, *(Skill(name, "Odd.") for name in odd)])
    for name in [*odd, "pdf-forms", "PDF FORMS", "acroform"]:
        results = catalog.search(name)
        assert results.state == "exact"
        assert results.hits[0].skill == catalog[name]


def test_select_accounts_for_every_name_in_order() -> None:
    """Found names come in the order asked, the others are notes with their nearest names."""
    results = CATALOG.search("select: pdf-merge , nope-nope, ON_CALL,pdf-merge,pdf-from", limit=1)
    assert results.names == ("pdf-merge", "on-call")
    assert (results.state, results.total, results.remaining) == ("exact", 2, 0)
    assert [note.code for note in results.notes] == ["not-found", "not-found"]
    assert results.notes[1].suggestions[0] == "pdf-forms"
    assert "pdf-forms" in [hit.name for hit in results.near]


def test_select_is_never_cut_by_count_or_length() -> None:
    """Two hundred long names all come back."""
    names = [f"a-rather-long-skill-name-number-{n:03}" for n in range(200)]
    catalog = SkillCatalog([Skill(name, "x") for name in names])
    assert catalog.search("select:" + ",".join(names)).names == tuple(names)


def test_select_says_ambiguous_with_candidates() -> None:
    """A name that means several skills is answered with their qualified names."""
    catalog = SkillCatalog([Skill("a", "one"), Skill("a", "two")])
    results = catalog.search("select:a")
    assert results.state == "none"
    assert results.notes[0].code == "ambiguous"
    assert set(results.notes[0].suggestions) == set(catalog)


def test_select_without_names_says_so() -> None:
    """An empty list of names is an answer with a note, not everything."""
    for query in ("select:", "select:,,", "  select: "):
        results = CATALOG.search(query)
        assert results.hits == ()
        assert results.notes[0].code == "no-names"


def test_the_follow_up_asks_for_what_was_cut() -> None:
    """Asking the follow-up gives the next hits, and nothing is shown twice."""
    catalog = SkillCatalog([Skill(f"report-{n:02}", f"Writes the report number {n}.") for n in range(12)])
    page = catalog.search("report", limit=5)
    assert (len(page.hits), page.total, page.remaining) == (5, 12, 7)
    assert page.follow_up is not None
    rest = catalog.search(page.follow_up)
    assert not set(page.names) & set(rest.names)
    assert set(page.names) | set(rest.names) == set(catalog)


def test_an_exact_fit_is_not_called_cut() -> None:
    """As many matches as the limit leave nothing remaining and no follow-up."""
    catalog = SkillCatalog([Skill(f"m{n}", "match me") for n in range(5)])
    results = catalog.search("match", limit=5)
    assert (len(results.hits), results.total, results.remaining, results.follow_up) == (5, 5, 0, None)


def test_a_limit_below_zero_is_refused() -> None:
    """The error says what a limit is."""
    with pytest.raises(ValueError, match="limit counts hits"):
        CATALOG.search("pdf", limit=-1)
    with pytest.raises(ValueError, match="limit counts skills"):
        Toolkit(CATALOG, limit=-1)


@pytest.mark.parametrize("limit", ["3", 2.5])
def test_a_limit_that_is_no_whole_number_is_refused(limit: Any) -> None:
    """At the door, and not by a slice or a comparison far inside."""
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        CATALOG.search("pdf", limit=limit)


def test_an_empty_catalog_answers() -> None:
    """No skills, no failure, and no hits."""
    results = SkillCatalog().search("pdf")
    assert (results.state, results.hits, results.total) == ("none", (), 0)


def test_catalogs_are_joined_and_grown_into_new_ones() -> None:
    """with_ and merge leave the old catalogs as they were; the first keeps bare names."""
    one = SkillCatalog([skill("a", "1", label="one")])
    two = SkillCatalog([skill("a", "2", label="two")])
    both = one.merge(two)
    assert list(both) == ["a", "two:a"]
    assert both["a"].description == "1"
    assert list(two.merge(one)) == ["a", "one:a"]
    assert list(one.with_(skill("b", "x"))) == ["a", "b"]
    assert list(one) == ["a"]


def test_a_view_reports_only_what_it_shows() -> None:
    """Findings about hidden files are hidden with them."""
    catalog = SkillCatalog([skill("a", "1", label="one"), skill("a", "2", label="two"), skill("b", "x")])
    assert catalog.findings
    assert catalog.only(["b"]).findings == ()


QUERIES = st.text(max_size=40) | st.sampled_from(
    ["pdf", "+pdf merge", "-pdf", "select:pdf-forms,x", "podcasts", "chart visualizaton", '"bar and line"']
)


@settings(deadline=None)
@given(QUERIES, st.randoms(use_true_random=False), st.integers(0, 6))
def test_any_query_is_answered_the_same_for_any_input_order(
    query: str, rng: random.Random, limit: int
) -> None:
    """Any text gives an answer that fits its limit and does not depend on the order of skills."""
    shuffled = list(SKILLS)
    rng.shuffle(shuffled)
    results = CATALOG.search(query, limit=limit)
    assert SkillCatalog(shuffled).search(query, limit=limit) == results
    assert results.total >= len(results.hits)
    if not results.notes or "select" not in query.casefold():
        assert len(results.hits) <= max(limit, len(CATALOG.matches(query)))
    more = CATALOG.search(query, limit=limit + 1)
    assert more.names[: len(results.names)] == results.names


def test_a_view_of_a_view_is_cut_from_the_built_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once an index is built, no view and no narrowed search analyses a skill again."""
    from skill_index.ranking.ranker import Ranker

    catalog = SkillCatalog(SKILLS)
    catalog.search("pdf", where=lambda each: "merge" in each.name)
    monkeypatch.setattr(Ranker, "build", None)
    assert catalog.only("pdf-*").only("*merge").search("pdf").names == ("pdf-merge",)
    assert catalog.search("pdf", where=lambda each: "forms" in each.name).names == ("pdf-forms",)


def test_a_view_tells_nothing_of_hidden_namesakes() -> None:
    """A finding that a name is shared goes with the skill it is shared with."""
    catalog = SkillCatalog([skill("tool", "1", label="a"), skill("tool", "2", label="b")])
    assert catalog.findings
    assert catalog.without(["a:tool"]).findings == ()


def test_patterns_fold_around_brackets() -> None:
    """A blank beside a set is the separator it stands for: a deny pattern has no hole there."""
    catalog = SkillCatalog([Skill("my-skill", "x")])
    assert list(catalog.without(["my [s]kill"])) == []
    assert list(catalog.without(["my_[s]kill"])) == []


def test_a_source_is_found_by_any_of_its_places() -> None:
    """A copy in two sources belongs to both."""
    catalog = SkillCatalog([skill("a", "gadget", label="one"), skill("a", "gadget", label="two")])
    assert catalog.search("source:two gadget").names == ("a",)
    assert catalog.search("source:three gadget").names == ()


@pytest.mark.parametrize("key", ["when_to_use", "when-to-use", "When-To-Use"])
def test_when_to_use_is_searched_however_its_key_is_spelt(key: str) -> None:
    """What an author says of when to use a skill finds it."""
    text = f"---\nname: a\ndescription: d\n{key}: on quixotic days\n---\n"
    index = SkillIndex([MemorySource({"a/SKILL.md": text})])
    assert index.search("quixotic").names == ("a",)
