"""Slash activation: what a person typed is a skill's name, a word of the host, or just text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog
from skill_index.tools import RESERVED, LoadData, Toolkit
from skill_index.tools.slash import Slash, find_slash

FOUND = [
    ("/kit", "kit", ""),
    ("/kit fill in page 2", "kit", "fill in page 2"),
    ("  /kit\tdo", "kit", "do"),
    ("/kit\nline one\nline two\n", "kit", "line one\nline two"),
    ("/Kit", "Kit", ""),
    ("/team:kit x", "team:kit", "x"),
    ("/team/docs:kit x", "team/docs:kit", "x"),
    ("/日本 x", "日本", "x"),
    ("/helper", "helper", ""),
]
TEXT = [
    "",
    "/",
    "// x",
    "/ kit",
    "a /kit",
    "/etc/passwd",
    "/etc/passwd is gone",
    "/a/b:c/d",
    "kit",
    "\\kit",
    "/kit/",
]
TEXT += [f"/{word} me" for word in RESERVED] + ["/HELP", "/Clear all"]


@pytest.mark.parametrize(("text", "name", "rest"), FOUND)
def test_a_name_after_a_slash_is_found(text: str, name: str, rest: str) -> None:
    """With the rest as it was written, blanks around it aside."""
    assert find_slash(text) == Slash(name, rest)


@pytest.mark.parametrize("text", TEXT)
def test_any_other_text_is_none(text: str) -> None:
    """Paths, words of the host, and slashes within a text."""
    assert find_slash(text) is None
    assert Toolkit(SkillCatalog([Skill("kit", "d"), Skill("help", "d")])).activate(text) is None


def test_a_host_has_its_own_words() -> None:
    """They replace the common ones."""
    assert find_slash("/kit x", reserved=["KIT"]) is None
    assert find_slash("/help x", reserved=["kit"]) == Slash("help", "x")


@given(st.text(max_size=30))
def test_any_text_is_a_name_or_none(text: str) -> None:
    """A name has no blank, and is in the text after its first slash."""
    found = find_slash(f"/{text}", reserved=())
    if found is not None:
        assert not any(char.isspace() for char in found.name)
        assert text.startswith(found.name)


def test_activation_loads_the_skill_and_keeps_the_task() -> None:
    """The second time the notice stands before the task; an unknown name is an answer."""
    toolkit = Toolkit(SkillCatalog([Skill("kit", "d", "Body.")])).prefixed("x_")
    first = toolkit.activate("/kit fill page 2")
    assert first is not None
    assert first.text.endswith("\n\nTask: fill page 2")
    assert isinstance(first.data, LoadData)
    assert first.data.instructions == "Body."
    second = toolkit.activate("/KIT fill page 3")
    assert second is not None
    assert second.text.startswith("The skill kit is loaded already")
    assert second.text.endswith("\n\nTask: fill page 3")
    third = toolkit.activate("/kit fill \ud800")
    assert third is not None
    assert third.text.endswith("\n\nTask: fill \ufffd")  # half a character cannot be sent on
    unknown = toolkit.activate("/kits")
    assert unknown is not None
    assert unknown.error is not None
    assert unknown.error.nearby == ("kit",)


def test_without_the_tool_that_loads_nothing_is_activated() -> None:
    """A toolkit without load_skill takes every text as text."""
    toolkit = Toolkit(SkillCatalog([Skill("kit", "d")])).only("list_skills")
    assert toolkit.activate("/kit") is None
