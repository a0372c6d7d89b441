"""The strategies make what they say, and the laws hold here and fail where they should."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from skill_index import MemorySource, Skill, SkillCatalog, SkillIndex, parse_query
from skill_index.findings import Severity
from skill_index.prompt import build_section, estimate_tokens
from skill_index.testing import laws, strategies
from skill_index.tools import Toolkit


def build(skills: Sequence[Skill]) -> laws.Search:
    """Return our own search as the laws want it."""
    catalog = SkillCatalog(skills)
    return lambda query, limit: catalog.search(query, limit=limit).names


def index_of(text: str | bytes) -> SkillIndex:
    """Return an index of one file beside a good one."""
    good = "---\nname: good\ndescription: Healthy.\n---\n"
    return SkillIndex([MemorySource({"bad/SKILL.md": text, "good/SKILL.md": good})])


@given(strategies.valid_queries())
def test_valid_queries_pass_the_strict_door(query: str) -> None:
    """What is called valid is accepted without a word."""
    assert not parse_query(query, strict=True).notes


@given(strategies.queries())
def test_queries_keep_the_round_trip(query: str) -> None:
    """Any query, printed, reads back."""
    laws.parses_back(parse_query, query)


@settings(deadline=None, max_examples=50)
@given(strategies.catalogs(), strategies.queries())
def test_our_search_keeps_the_laws(catalog: SkillCatalog, query: str) -> None:
    """Any text is answered, prefixes hold, order does not matter, exclusion never adds."""
    skills = list(catalog.values())
    search = build(skills)
    if parse_query(query).select is None and not catalog.matches(query):
        laws.answers_any_text(search, query)
        laws.keeps_its_prefix(search, query, 2)
    laws.ignores_input_order(build, skills, query)


@settings(deadline=None, max_examples=50)
@given(strategies.catalogs(min_size=1), strategies.words(), strategies.words())
def test_exact_names_and_exclusions(catalog: SkillCatalog, word: str, other: str) -> None:
    """A whole name leads, and `-word` only takes away."""
    skills = list(catalog.values())
    laws.finds_exact_names_first(build, skills)
    laws.exclusion_never_adds(build(skills), word, other)


@settings(deadline=None)
@given(strategies.good_files())
def test_good_files_are_good(text: str) -> None:
    """A good file is read without an error or a repair."""
    findings = index_of(text).findings
    assert not [finding for finding in findings if finding.severity is Severity.ERROR]
    assert "repaired" not in {finding.code for finding in findings}


@settings(deadline=None)
@given(strategies.repairable_files())
def test_repairable_files_are_repaired(text: str) -> None:
    """A repairable file gives a skill and says that it was mended."""
    index = index_of(text)
    assert "repaired" in {finding.code for finding in index.findings}
    assert not [finding for finding in index.findings if finding.severity is Severity.ERROR]


@settings(deadline=None)
@given(strategies.broken_files())
def test_broken_files_cost_only_themselves(data: bytes) -> None:
    """A broken file never raises, and the file beside it is there."""
    assert "good" in index_of(data)


@settings(deadline=None)
@given(strategies.hostile_skills(), strategies.hostile_texts())
def test_hostile_skills_break_out_of_nothing(skill: Skill, query: str) -> None:
    """No public text of a hostile skill holds a raw tag or a control character."""
    catalog = SkillCatalog([skill, Skill("other", "Harmless.")])
    section = build_section(catalog, budget_tokens=500)
    laws.keeps_its_budget(section.text, estimate_tokens, 500)
    for text in (Toolkit(catalog).call("describe_skill", {"name": query}).text, section.text):
        body = text.removeprefix("<skill_index>").removesuffix("</skill_index>")
        assert "<" not in body
        assert "\x1b" not in text
        assert all(line.isprintable() or "\u200d" in line or "\u200c" in line for line in text.splitlines())


BROKEN = [
    (lambda: laws.answers_any_text(lambda _q, _k: ["a", "a"], "x"), "a name twice"),
    (lambda: laws.answers_any_text(lambda _q, _k: "abcdef", "x"), "6 hits for a limit of 5"),
    (lambda: laws.keeps_its_prefix(lambda _q, k: "ab"[2 - k :] if k < 2 else "ab", "x", 1), "is no prefix"),
    (
        lambda: laws.ignores_input_order(
            lambda given: lambda _q, _k: [given[0].name], [Skill("a", ""), Skill("b", "")], "x"
        ),
        "forward",
    ),
    (lambda: laws.finds_exact_names_first(lambda _s: lambda _q, _k: [], [Skill("a", "")]), "finds nothing"),
    (lambda: laws.finds_exact_names_first(lambda _s: lambda _q, _k: ["b"], [Skill("a", "")]), "finds 'b'"),
    (lambda: laws.exclusion_never_adds(lambda q, _k: ["a"] if "-" in q else [], "x", "y"), "added"),
    (lambda: laws.hides_what_is_filtered(["see secret"], ["secret"]), "is hidden"),
    (lambda: laws.parses_back(lambda text: text + "!", "x"), "came back different"),
    (lambda: laws.keeps_its_budget("abc", len, 2), "3 units in a budget of 2"),
]


@pytest.mark.parametrize(("broken", "message"), BROKEN)
def test_each_law_can_be_broken(broken, message: str) -> None:  # type: ignore[no-untyped-def]
    """A law that cannot fail proves nothing; each says what broke."""
    with pytest.raises(AssertionError, match=message):
        broken()
