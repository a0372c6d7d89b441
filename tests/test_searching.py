"""Several queries at once, and the reasons for what is not found."""

from __future__ import annotations

import logging
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import MemorySource, Origin, Skill, SkillCatalog, SkillIndex


def skill(name: str, description: str) -> Skill:
    """Make a skill in a file."""
    return Skill(name, description, origin=Origin("s", "/r", f"{name}/SKILL.md"))


CATALOG = SkillCatalog(
    [
        skill("pdf-forms", "Fill PDF forms."),
        skill("pdf-merge", "Join PDF files."),
        skill("chart-maker", "Draw charts of numbers."),
        skill("podcast-script", "Write an episode of a podcast."),
    ]
)


def test_several_queries_take_turns() -> None:
    """The best hit of each query comes before the second of any, and each skill once."""
    results = CATALOG.search(["pdf", "chart", "+merge"])
    assert results.names == ("pdf-forms", "chart-maker", "pdf-merge")
    assert (results.total, results.remaining, results.state) == (3, 0, "strong")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("zebra", "no-match"),
        ("zebra -pdf", "no-match"),
        ("pdf -pdf", "all-held-back"),
        ("pdf source:x", "all-held-back"),
        ("+pdf -pdf", "required-missing"),
        ("+zebra", "required-missing"),
        ("-pdf", "only-exclusions"),
        ("source:s", "only-exclusions"),
    ],
)
def test_no_hit_has_one_reason(query: str, code: str) -> None:
    """That no skill fits is said only where nothing else explains it."""
    results = CATALOG.search(query)
    assert (results.state, [note.code for note in results.notes]) == ("none", [code])


def test_several_queries_share_one_limit() -> None:
    """The limit holds for the merged answer, and the follow-up names the rest."""
    results = CATALOG.search(["pdf", "chart"], limit=2)
    assert results.names == ("pdf-forms", "chart-maker")
    assert (results.total, results.follow_up) == (3, "select:pdf-merge")


def test_no_queries_find_nothing() -> None:
    """An empty list is answered, not refused."""
    assert CATALOG.search([]).state == "none"


QUERIES = st.sampled_from(
    ["pdf", "chart", "+merge", "select:podcast-script,x", "pdf-forms", "", "-pdf", "zzz"]
)


@settings(deadline=None)
@given(st.lists(QUERIES, max_size=4), st.integers(0, 4))
def test_a_merged_answer_holds_what_its_queries_hold(queries: list[str], limit: int) -> None:
    """The merged hits are those of the single queries, its total their union, its start its prefix."""
    merged = CATALOG.search(queries, limit=10)
    singles = {name for query in queries for name in CATALOG.search(query, limit=10).names}
    assert set(merged.names) == singles
    assert merged.total == len(singles)
    assert CATALOG.search(queries, limit=limit).names == merged.names[:limit]


CONFIDENCE: list[tuple[str | list[str], float]] = [
    ("pdf-forms", 1.0),
    ("select:pdf-forms,x", 1.0),
    ("select:x", 0.0),
    ("pdf", 0.35),
    ("zzz", 0.0),
    ("", 0.0),
    (["zzz", "pdf"], 0.35),
    ([], 0.0),
]


@pytest.mark.parametrize(("query", "confidence"), CONFIDENCE)
def test_confidence_is_that_of_the_first_hit(query: str | list[str], confidence: float) -> None:
    """A name or a selection is certain, all words of a few are enough, no hits are nothing."""
    assert CATALOG.search(query).confidence == confidence


def test_confidence_falls_with_what_is_not_there() -> None:
    """Words that no skill holds count against the first hit; several queries have that of their first."""
    part = CATALOG.search("pdf zzz").confidence
    assert 0 < part < 1
    assert CATALOG.search(["pdf zzz", "pdf"]).confidence == part


REASONS = [
    ("pdf", "pdf-forms", "pdf-forms is a hit, number 1 of 2"),
    ("pdf", "chart-maker", "chart-maker is no hit: no word of the query is in its name"),
    ("+merge pdf", "PDF_Forms", "pdf-forms is no hit: it lacks what +merge requires"),
    ("pdf -merge", "pdf-merge", "pdf-merge is no hit: it has what -merge excludes"),
    ("pdf source:other", "pdf-merge", "pdf-merge is no hit: it is not from the source 'other'"),
    ("pdf-forms", "pdf-forms", "pdf-forms is a hit: the query is its name"),
    ("select:pdf-forms", "pdf-forms", "pdf-forms is a hit: the query selects it"),
    ("select:pdf-forms", "pdf-merge", "pdf-merge is not among the names selected"),
    ("pdf", "pdf-form", "no skill is named 'pdf-form'; the nearest are pdf-forms"),
]


@pytest.mark.parametrize(("query", "name", "reason"), REASONS)
def test_why_a_skill_is_not_found(query: str, name: str, reason: str) -> None:
    """One sentence says what holds a skill back, or where it stands."""
    assert CATALOG.search(query).why_not(name).startswith(reason)


def test_the_gate_gives_its_reason() -> None:
    """A skill that covers too little of a long request is held back, and why says how little."""
    words = (
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau"
    )
    crowd = [skill(f"x{n}", f"Counts {word}.") for n, word in enumerate(words.split())]
    # Every skill has "numbers", so it is no news, and it is all that this one has of the request.
    common = [skill(f"n{n}", "About numbers.") for n in range(60)]
    catalog = SkillCatalog([*CATALOG.values(), *crowd, *common])
    results = catalog.search(f"numbers {words}")
    assert "chart-maker" not in results.names
    reason = results.why_not("chart-maker")
    assert reason.startswith("chart-maker is no hit: it covers ")
    assert "of the query, less than" in reason


def test_results_survive_without_their_catalog() -> None:
    """A pickle keeps the answer, and says that the reason must be asked anew."""
    results = CATALOG.search("pdf")
    copy = pickle.loads(pickle.dumps(results))  # noqa: S301 - our own bytes
    assert copy == results
    assert "search again" in copy.why_not("chart-maker")
    with pytest.raises(ValueError, match="one query"):
        CATALOG.search(["pdf"]).why_not("pdf-forms")


def test_notebooks_get_an_escaped_table() -> None:
    """No description can bring its own markup."""
    html = SkillCatalog([Skill("a", "<script>pdf</script>")]).search("<b>pdf</b>")._repr_html_()
    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;pdf&lt;/script&gt;" in html


def test_logs_hold_counts_and_no_content(caplog: pytest.LogCaptureFixture) -> None:
    """Reading is logged for hosts that want it, without a word of any skill."""
    caplog.set_level(logging.DEBUG, logger="skill_index")
    SkillIndex([MemorySource({"secret/SKILL.md": "---\nname: secret\ndescription: secret\n---\nsecret"})])
    assert caplog.messages == ["read 1 skills with 0 findings"]


def test_no_query_at_all_has_a_reason() -> None:
    """A list of no queries is answered as the empty query is."""
    catalog = SkillCatalog([Skill("a", "d")])
    assert [note.code for note in catalog.search([]).notes] == ["empty"]
    assert (catalog.search([]).state, catalog.search([]).query) == ("none", "")
