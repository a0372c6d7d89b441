"""Deltas: what changed, and nothing when nothing did."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog
from skill_index.prompt import PromptStamp, build_section, skill_index_delta


def catalog(**skills: str) -> SkillCatalog:
    """Return a catalog of names with descriptions."""
    return SkillCatalog(Skill(name, description) for name, description in skills.items())


def test_what_a_delta_says() -> None:
    """Added and changed skills come with a hint, removed ones by name."""
    before = build_section(catalog(a="One.", b="Two.", c="Three.")).stamp
    after = catalog(b="Two.", c="Three, but changed.", d="Four <new>.")
    assert skill_index_delta(before, after) == (
        "<skill_index_update>\n"
        "Added:\n- d: Four &lt;new&gt;.\n"
        "Changed:\n- c: Three, but changed.\n"
        "Removed: a\n"
        "</skill_index_update>"
    )


def test_many_changes_are_told_by_name() -> None:
    """Beyond twenty there are no hints."""
    after = catalog(**{f"s{n:02}": "Long enough." for n in range(21)})
    text = skill_index_delta(PromptStamp(()), after)
    assert "Added: s00, s01, " in text
    assert "Long" not in text


NAMES = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["x", "y"]))


@settings(deadline=None)
@given(NAMES, NAMES)
def test_a_delta_is_empty_exactly_when_nothing_changed(old: dict[str, str], new: dict[str, str]) -> None:
    """The text, the version and the skills agree on whether anything changed, also after storing."""
    stamp = build_section(catalog(**old)).stamp
    assert PromptStamp.from_json(stamp.to_json()) == stamp
    same = old == new
    assert (skill_index_delta(stamp, catalog(**new)) == "") is same
    assert (build_section(catalog(**new)).stamp.version == stamp.version) is same


@pytest.mark.parametrize("text", ["[]", "7", '{"a": 1}', "{", "", "[" * 100_000, None])
def test_a_foreign_stamp_is_refused(text: Any) -> None:
    """What is not a stamp raises instead of telling a wrong change."""
    with pytest.raises(ValueError, match="a stamp is a JSON object of names to digests"):
        PromptStamp.from_json(text)


def test_hidden_skills_stay_hidden() -> None:
    """A skill that is not advertised appears in no delta."""
    quiet = SkillCatalog([Skill("quiet", "x", extra={"disable-model-invocation": "true"})])
    assert skill_index_delta(PromptStamp(()), quiet) == ""
