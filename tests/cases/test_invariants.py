"""Invariants of fault classes that the tables beside this file show by example."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import MemorySource, SkillCatalog, SkillIndex
from skill_index.prompt import build_section, build_skill_search_setup
from skill_index.testing import strategies
from skill_index.tools import Toolkit

KNOWN = ["license", "compatibility", "allowed-tools", "metadata", "tags"]
LETTERS = st.text("abcdefgh", min_size=3, max_size=8)


def index_of(*lines: str) -> SkillIndex:
    """Return the index of one file with these lines of front matter, and a good one beside it."""
    text = "\n".join(("---", "name: kit", *lines, "---", "Steps."))
    good = "---\nname: good\ndescription: Healthy.\n---\n"
    return SkillIndex([MemorySource({"kit/SKILL.md": text, "good/SKILL.md": good})])


@settings(deadline=None)
@given(LETTERS.map("x-{}".format) | st.sampled_from(KNOWN).map(str.upper), LETTERS)
def test_a_key_nobody_knows_is_reported_and_costs_nothing(key: str, value: str) -> None:
    """Unknown and misspelt keys leave the skill as it is, and each is named on its line."""
    index = index_of("description: Does it.", f"{key}: {value}")
    assert index["kit"].description == "Does it."
    assert [finding.line for finding in index.findings if key in finding.message] == [4]


@settings(deadline=None)
@given(LETTERS, st.sampled_from([" # ", " #", "\t# ", ": ", " - ", "#", " & ", ", "]), LETTERS)
def test_text_that_is_not_what_was_typed_is_reported(first: str, sign: str, rest: str) -> None:
    """Either a description reads as it stands in the file, or a finding on its line says why not."""
    typed = f"{first}{sign}{rest}"
    index = index_of(f"description: {typed}")
    told = [finding for finding in index.findings if finding.line == 3]
    assert index["kit"].description == typed or told


@settings(deadline=None)
@given(strategies.catalogs(max_size=4), strategies.queries())
def test_nothing_to_offer_offers_nothing(catalog: SkillCatalog, query: str) -> None:
    """No skills: no section, no tool that can only fail, and an answer that says there are none."""
    empty = catalog.only([])
    assert build_section(empty).text == ""
    assert build_skill_search_setup(empty).tool_names == ()
    results = empty.search(query)
    assert (results.state, results.hits, results.total) == ("none", (), 0)
    assert "no-skills" in {note.code for note in results.notes}
    reply = Toolkit(empty).call("describe_skill", {"name": query})
    assert reply.error is not None
    assert not reply.error.retryable or reply.error.code == "bad-arguments"
