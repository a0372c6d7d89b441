"""Lists of allowed tools, in every spelling, and never wider than written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.parsing.tools import split_mended, split_tools


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("Read Write", ("Read", "Write")),
        ("Read,Write", ("Read", "Write")),
        (" Read , Write,\n\tGrep ", ("Read", "Write", "Grep")),
        (("Read", "Write"), ("Read", "Write")),
        (("Read Write", "Grep,Glob"), ("Read", "Write", "Grep", "Glob")),
        ("Bash(git add *) Bash(npm: run, test)", ("Bash(git add *)", "Bash(npm: run, test)")),
        (("Bash(git add *", "git commit)", "Read"), ("Bash(git add *, git commit)", "Read")),
        ("Edit({a,b}/**) Run([x y] (z))", ("Edit({a,b}/**)", "Run([x y] (z))")),
        ("mcp__db__query mcp__*", ("mcp__db__query", "mcp__*")),
        ("Read Write Read", ("Read", "Write")),
        ("Read，Write、Grep", ("Read", "Write", "Grep")),
        ("Bash（git add，git commit） Read", ("Bash（git add，git commit）", "Read")),
        ("- Read\n- Bash(git *)\n", ("Read", "Bash(git *)")),
        ("* Read\n* Bash(git *)", ("Read", "Bash(git *)")),
        ("• Read • Write", ("Read", "Write")),
        ("*", ("*",)),
        ("*, Read", ("*", "Read")),
        (("*", "Read"), ("*", "Read")),
        ("", ()),
        ((), ()),
        (" , ", ()),
    ],
)
def test_every_spelling_gives_the_same_tools(value: object, tools: tuple[str, ...]) -> None:
    """Blanks, commas and lists split outside of brackets only; each tool comes once, in order."""
    assert split_tools(value) == (tools, "")


@pytest.mark.parametrize(
    "value",
    [
        "Bash(git add * Read",
        "Read) Bash",
        "Bash(git]",
        "Bash（git *)",
        ("Bash(git add *", "Read"),
        "Bash (git *)",
        "(git *)",
        {"Read": "yes"},
        7,
        None,
    ],
)
def test_a_list_that_does_not_add_up_grants_nothing(value: object) -> None:
    """Brackets that do not match, or that no name stands before, give no tool and a reason."""
    tools, problem = split_tools(value)
    assert tools == ()
    assert problem


def test_entries_that_are_no_text_are_left_out() -> None:
    """A nested list or nothing at all names no tool, and is told."""
    assert split_tools(("Read", None, ("Bash",), "Grep")) == (
        ("Read", "Grep"),
        "an entry is not text and was left out",
    )


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("Read\t Grep", ("Read", "Grep")),
        ("Bash(git log: *), Read", ("Bash(git log: *)", "Read")),
        ("*", ()),
        ("@all Read", ()),
        ("Read: yes", ()),
        ("- Read - Bash", ()),
        ("[Read, Bash]", ()),
        ('"Read" Bash', ()),
        ("mcp__* Read", ()),
        ("Bash(git", ()),
    ],
)
def test_text_that_was_no_yaml_is_trusted_only_as_plain_names(value: str, tools: tuple[str, ...]) -> None:
    """One entry that is not plainly a tool's name takes the whole list's trust."""
    assert split_mended(value)[0] == tools
    assert bool(split_mended(value)[1]) == (not tools)


@given(st.text("Rab*(),:[] \t\n", max_size=30))
def test_no_tool_is_made_up(text: str) -> None:
    """Every tool returned stands in the text as it is, outside of any other's brackets, and balanced."""
    tools, problem = split_tools(text)
    for tool in tools:
        assert tool in text
        assert all(tool.count(opening) == tool.count(closing) for opening, closing in ("()", "[]"))
    assert not (tools and problem)
