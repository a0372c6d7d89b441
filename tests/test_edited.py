"""
What is taken over from a catalog before is what one made from scratch has.

Fault classes: copies that come about or go, ids that hold a digest, names and aliases that change.
"""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index import Origin, Skill, SkillCatalog
from skill_index.edited import edited_entries
from skill_index.naming import name_entries

ORIGINS = st.builds(
    Origin,
    label=st.sampled_from(["one", "two"]),
    root=st.sampled_from(["/r", "/s"]),
    path=st.sampled_from(["a/SKILL.md", "x/a/SKILL.md", "b/SKILL.md"]),
)
SKILLS = st.builds(
    Skill,
    name=st.sampled_from(["a", "b", "one:a"]),
    description=st.just("Told."),
    aliases=st.sampled_from([(), ("c",), ("b", "B")]),
    origin=ORIGINS,
    digest=st.sampled_from(["1" * 64, "1" * 8 + "2" * 56, "3" * 64, "4" * 64]),
    files_digest=st.sampled_from(["", "5" * 64]),
)
EDITS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b"]),
        "aliases": st.sampled_from([(), ("c",)]),
        "digest": st.sampled_from(["1" * 64, "6" * 64, "7" * 64]),
        "files_digest": st.sampled_from(["", "8" * 64]),
        "origin": ORIGINS,
    },
)


@given(st.lists(SKILLS, max_size=6), st.lists(st.none() | EDITS, min_size=6, max_size=6))
def test_a_catalog_after_edits_is_one_made_from_scratch(
    before: list[Skill], edits: list[dict[str, object] | None]
) -> None:
    """Whatever was edited: entries, findings, and what each name means."""
    now = [
        skill if edit is None else dataclasses.replace(skill, **edit)  # type: ignore[arg-type]
        for skill, edit in zip(before, edits, strict=False)
    ]
    assert edited_entries(name_entries(before), before, now) in {None, name_entries(now)}
    living, fresh = SkillCatalog(now, before=SkillCatalog(before)), SkillCatalog(now)
    assert living.entries == fresh.entries
    assert living.findings == fresh.findings
    for name in ("a", "b", "c", "B", "one:a", "two:b", "one/x:a", "x"):
        assert living.matches(name) == fresh.matches(name)
        assert living.nearest(name) == fresh.nearest(name)


@pytest.mark.parametrize(
    ("edit", "short"),
    [
        ({"digest": "9" * 64}, True),
        ({"description": "Other.", "aliases": ("z",), "digest": "9" * 64}, True),
        ({"files_digest": "9" * 64}, True),
        ({"name": "other", "digest": "9" * 64}, False),
        ({"origin": Origin("here", "", "other/SKILL.md")}, False),
        ({"digest": "2" * 64}, False),
    ],
)
def test_what_changes_no_name_is_not_named_anew(edit: dict[str, object], short: bool) -> None:
    """An edit of a skill that stays where it is; a copy, a move and a new name are named anew."""
    before = [
        Skill(f"s{at}", "Told.", origin=Origin("here", "", f"{at}/SKILL.md"), digest=f"{at}" * 64)
        for at in range(3)
    ]
    now = [dataclasses.replace(before[0], **edit), *before[1:]]  # type: ignore[arg-type]
    assert (edited_entries(name_entries(before), before, now) is not None) == short


def skill(path: str, digest: str, name: str = "a") -> Skill:
    """Return a skill of one source."""
    return Skill(name, "Told.", origin=Origin("one", "", path), digest=digest * 64)


ROOTS = [dataclasses.replace(skill("a/SKILL.md", at), origin=Origin("one", at, "a/SKILL.md")) for at in "12"]


@pytest.mark.parametrize(
    ("before", "digests"),
    [
        ([skill("a/SKILL.md", "1"), skill("b/SKILL.md", "1")], "31"),  # copies, and the first is edited
        ([skill("a/SKILL.md", "1"), skill("b/SKILL.md", "1")], "13"),  # the second
        ([skill("a/SKILL.md", "1"), skill("b/SKILL.md", "2")], "33"),  # both become one
        ([skill("a/SKILL.md", "1"), skill("b/SKILL.md", "2")], "22"),  # one becomes a copy of the other
        (ROOTS, "32"),  # nothing but the digest tells them apart
        ([*ROOTS, skill("z/SKILL.md", "4", "b")], "324"),
    ],
)
def test_what_depends_on_digests_is_named_anew(before: list[Skill], digests: str) -> None:
    """Copies that part or meet, and ids that hold a piece of the digest."""
    now = [
        each if each.digest == digest * 64 else dataclasses.replace(each, digest=digest * 64)
        for each, digest in zip(before, digests, strict=True)
    ]
    assert edited_entries(name_entries(before), before, now) is None
    assert SkillCatalog(now, before=SkillCatalog(before)).entries == name_entries(now)


def test_a_view_lends_no_names() -> None:
    """What a view shows is not what its skills would be called elsewhere."""
    skills = [Skill("a", "One."), Skill("b", "Two.")]
    assert len(SkillCatalog([], before=SkillCatalog(skills).only("a"))) == 0
    assert list(SkillCatalog(skills, before=SkillCatalog(skills).only("a"))) == ["a", "b"]
