"""Writing a SKILL.md: what is written reads back as the same skill."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.frozen import FrozenMap
from skill_index.model import Origin, RawSkill, Skill
from skill_index.parsing import parse_skill, to_skill_md
from skill_index.testing import strategies


def read_back(skill: Skill, *, strict: bool = False) -> Skill:
    """Write a skill, read it, and return it without what a file adds."""
    raw = RawSkill(skill.origin, to_skill_md(skill).encode("utf-8"))
    parsed = parse_skill(raw, strict=strict)
    assert parsed.skill is not None, parsed.findings
    return dataclasses.replace(parsed.skill, digest=skill.digest)


@settings(deadline=None)
@given(strategies.skills())
def test_skills_by_the_rules_come_back_strictly(skill: Skill) -> None:
    """A skill that keeps the rules is written so that strict reading accepts it."""
    plain = dataclasses.replace(skill, tags=(), digest="d")
    assert read_back(plain, strict=True) == plain


LINE = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=40).map(
    lambda text: " ".join(text.split())
)
TEXT = LINE.filter(bool)
ODD = TEXT | st.sampled_from(
    [
        "null",
        "~",
        "yes",
        "007",
        "1.10",
        "- a",
        "a: b",
        "a #b",
        "'q'",
        '"q"',
        "[x]",
        "{x}",
        "@x",
        "`x`",
        "| x",
        "# x",
    ]
)


@settings(deadline=None)
@given(ODD, ODD, st.lists(ODD, max_size=3), st.dictionaries(st.sampled_from("abc"), ODD, max_size=2))
def test_any_line_of_text_comes_back(
    name: str, description: str, aliases: list[str], metadata: dict[str, str]
) -> None:
    """No value can become syntax: whatever stands in it reads back as it was."""
    skill = Skill(
        name,
        description,
        "# Steps\n\n---\n\nnot a fence above",
        aliases=tuple(dict.fromkeys(aliases)),
        metadata=FrozenMap(metadata),
        license=description,
        origin=Origin("s", "/r", "x/SKILL.md"),
        digest="d",
    )
    back = read_back(skill)
    assert (back.name, back.description, back.license) == (name, description, description)
    assert (back.aliases, back.metadata) == (skill.aliases, skill.metadata)


TOOLS = [None, (), ("Read",), ("Bash(git add *, git commit)", "mcp__db__query")]


@pytest.mark.parametrize("tools", TOOLS)
def test_what_is_said_of_tools_comes_back(tools: tuple[str, ...] | None) -> None:
    """Nothing said and none allowed stay apart, and a comma in brackets splits nothing."""
    skill = Skill("a", "b", allowed_tools=tools, origin=Origin("s", "/r", "a/SKILL.md"))
    assert read_back(skill).allowed_tools == tools


def test_plain_values_look_hand_written() -> None:
    """A text that YAML cannot misread stands without quotes."""
    text = to_skill_md(Skill("pdf", "Fill forms. Use it (often).", extra={"user-invocable": "false"}))
    assert "name: pdf\n" in text
    assert "description: Fill forms. Use it (often).\n" in text
    assert "user-invocable: false\n" in text


@given(st.text(st.sampled_from("a-# \n\t`é"), max_size=30))
def test_instructions_come_back_to_the_letter(instructions: str) -> None:
    """Fences, blanks and headings of the body are the body's, but for a blank line at its start."""
    skill = Skill("a", "b", instructions, origin=Origin("s", "/r", "a/SKILL.md"))
    assert read_back(skill).instructions.lstrip("\n") == instructions.lstrip("\n")


NESTED = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from("xyz"), NESTED, max_size=2))
def test_metadata_of_any_shape_comes_back(metadata: dict[str, object]) -> None:
    """Lists and mappings in each other, empty ones too, are written as what they are."""
    skill = Skill("a", "d", metadata=FrozenMap(metadata), origin=Origin("s", "/r", "a/SKILL.md"), digest="d")
    assert read_back(skill).metadata == skill.metadata
