"""Templates and the setup object: refused early, empty when there is nothing to offer."""

from __future__ import annotations

import pytest

from skill_index import Origin, Skill, SkillCatalog
from skill_index.prompt import PromptTemplate, SkillSearchSetup, build_skill_search_setup
from skill_index.prompt.rows import clause

CATALOG = SkillCatalog([Skill("pdf", "Fill forms. " + "word " * 100), Skill("xls", "Sheets.")])


def test_braces_of_the_host_survive() -> None:
    """Only the placeholders are replaced, once, and not inside what was put in."""
    template = PromptTemplate('{"a": {}} {{x}} {skills} {resource_instructions} {other} {skills}')
    filled = template.fill(skills="{script_instructions}", resource_instructions="R")
    assert filled == '{"a": {}} {{x}} {script_instructions} R {other} {script_instructions}'


MISSING = [
    ("no place", ("skills",), "lacks {skills}"),
    ("{skills}", ("skills", "script_instructions"), "lacks {script_instructions}"),
    ("{ skills }", ("skills",), "lacks {skills}"),
    ("{skills}", ("scripts",), "no such placeholder: scripts"),
]


@pytest.mark.parametrize(("text", "required", "message"), MISSING)
def test_a_missing_placeholder_is_refused_by_name(text: str, required: tuple[str, ...], message: str) -> None:
    """The template is refused when it is made, and the error names what it lacks."""
    with pytest.raises(ValueError, match=message.replace("{", r"\{")):
        PromptTemplate(text, required)


def test_search_on_gives_the_index_and_the_tool() -> None:
    """The section, the tool, and the names it stands for."""
    setup = build_skill_search_setup(CATALOG)
    assert setup.tool_names == ("describe_skill",)
    assert setup.names == {"pdf", "xls"}
    assert setup.section.startswith("<skill_index>")


def test_search_off_gives_all_metadata_and_no_tool() -> None:
    """Every description whole, and no call that does not exist."""
    setup = build_skill_search_setup(CATALOG, enabled=False, budget_tokens=10)
    assert setup.tool_names == ()
    assert ("word " * 100).strip() in setup.section
    assert "describe_skill" not in setup.section


def test_what_a_host_advertises_and_where_the_agent_sees_it_hold_here_too() -> None:
    """The settings of the section are those of the setup, and `locations` a mapping as for a toolkit."""
    placed = [Skill(name, "Draw.", origin=Origin("s", "/srv", f"{name}/SKILL.md")) for name in ("a", "b")]
    setup = build_skill_search_setup(
        SkillCatalog(placed),
        enabled=False,
        advertise=lambda skill: skill.name == "b",
        locations={"/srv": "/mnt"},
    )
    assert setup.names == {"b"}
    assert "\n/mnt/b/SKILL.md\n" in setup.section
    assert "/srv" not in setup.section


@pytest.mark.parametrize("enabled", [True, False])
def test_no_skills_give_the_empty_setup(enabled: bool) -> None:
    """No section and no tool that can only fail."""
    assert build_skill_search_setup(SkillCatalog(), enabled=enabled) == SkillSearchSetup()


CLAUSES = [
    ("Short.", 60, "Short."),
    ("Fill PDF forms. Use when asked.", 20, "Fill PDF forms"),
    ("Version 1.2 of the tool, and more words here", 25, "Version 1.2 of the tool…"),
    ("Draws charts - all kinds of them", 20, "Draws charts"),
    ("填写表单。用于需要填写的时候", 8, "填写表单"),
    ("没有句号的很长的描述文字在这里", 6, "没有句号的…"),
    ("a" * 50, 10, "a" * 9 + "…"),
    ("one\ntwo three four", 9, "one two…"),
]


@pytest.mark.parametrize(("description", "limit", "expected"), CLAUSES)
def test_first_clauses(description: str, limit: int, expected: str) -> None:
    """Whole if it fits, else the first clause, else a cut at a word, never longer than the limit."""
    assert clause(description, limit) == expected
    assert len(clause(description, limit)) <= limit
