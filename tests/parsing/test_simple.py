"""What is read without a YAML parser is what the YAML parser reads."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skill_index.model import Origin, RawSkill
from skill_index.parsing import document, parse_skill
from skill_index.parsing.simple import parse_simple
from skill_index.parsing.yaml import parse
from skill_index.settings import Limits

# All that means something to YAML somewhere, beside words.
PIECES = st.sampled_from(
    [
        *("name", "a", "B-2", "é", "解", "null", "~", "NULL", "yes", "<<", "1.10", "\U0001f98a", ""),
        *(" ", "  ", ": ", ":", " #", "#", "'", '"', "''", "\\", "\\n", "- ", "? ", " ! ", "!", "&a", "*a"),
        *("[", "]", "{", "}", ", ", "|", ">", "%", "@", "`", "---", "...", "=", "\t", "\n", "\n ", "\r"),
        *("\u0085", "\u00a0", "\u2028", "\ufeff", "\x07", "\x7f", "\ue000", "\u00ad"),
    ]
)
VALUES = st.lists(PIECES, max_size=6).map("".join) | st.text(max_size=8)
QUOTED = VALUES.map("'{}'".format) | VALUES.map('"{}"'.format) | VALUES.map("a{}".format)
KEYS = st.sampled_from(["name", "description", "x-1", "null", "n" * 100, "n" * 101, "a b", "é"])
LINES = st.builds("{}: {}".format, KEYS, VALUES | QUOTED)
HEADERS = st.lists(LINES | VALUES | st.just(""), max_size=4).map("\n".join)


@given(HEADERS)
@example("name: a\n\ndescription: b: c")
@example("name: null\nx-1: 'null' \na: c#d e:f")
@example("name: a:")
@example("name: a\nname: b")
def test_what_is_simple_is_what_yaml_says(header: str) -> None:
    """The same entries on the same lines, and nothing to remark."""
    simple = parse_simple(header)
    if simple is not None:
        assert simple == parse(header, Limits())


@pytest.mark.parametrize(
    ("header", "values"),
    [
        (
            "\nname: pdf\ndescription: Fill forms (fast), c#, at 12:30.",
            ["pdf", "Fill forms (fast), c#, at 12:30."],
        ),
        ("name:  'a: b' \nversion: \"1 # 2\"\n", ["a: b", "1 # 2"]),
        ("license: null\nname: ''", [None, ""]),
        ("名前: a", None),
        ("name: a\n  b", None),
        ("name: a # b", None),
        ("name: a: b", None),
        ('name: "a\\n"', None),
        ("name: 'it''s'", None),
        ("name:", None),
        ("name: [a]", None),
        ("name: a\nname: b", None),
        ("name: a\u00a0b", None),
        ("---\nname: a", None),
        ("", None),
    ],
)
def test_only_what_has_one_meaning_is_simple(header: str, values: list[str | None] | None) -> None:
    """One-line values are read; all that YAML has a say in is not."""
    simple = parse_simple(header)
    assert (simple and [entry.value for entry in simple.entries]) == values


@given(HEADERS)
def test_a_skill_is_the_same_either_way(header: str) -> None:
    """Fields and findings do not tell who read the header."""
    raw = RawSkill(Origin(path="a/SKILL.md"), f"---\n{header}\n---\nSteps.".encode("utf-8", "replace"))
    found = parse_skill(raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "parse_simple", lambda _: None)
        assert parse_skill(raw) == found


def test_no_depth_allows_no_header() -> None:
    """The limit holds for the simplest of headers, too."""
    raw = RawSkill(Origin(path="a/SKILL.md"), b"---\nname: a\ndescription: b\n---\n")
    assert parse_skill(raw, limits=Limits(yaml_depth=1)).skill is not None
    assert parse_skill(raw, limits=Limits(yaml_depth=0)).skill is None
