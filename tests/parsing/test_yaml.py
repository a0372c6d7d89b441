"""Values as they were typed, within limits, whichever of PyYAML's parsers reads them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.frozen import FrozenMap
from skill_index.parsing.codes import Fault
from skill_index.parsing.values import Tree
from skill_index.parsing.yaml import parse
from skill_index.settings import Limits

LIMITS = Limits()


def values(text: str) -> dict[str, Any]:
    """Read the values of a header by key."""
    return {entry.key: entry.value for entry in parse(text, LIMITS).entries}


def remarks(text: str) -> list[tuple[str, str, str, int]]:
    """Read the remarks of a header as tuples."""
    return [(remark.code, remark.key, remark.text, remark.line) for remark in parse(text, LIMITS).remarks]


@pytest.mark.parametrize(
    "typed",
    [
        "007",
        "1.10",
        "12:30",
        "yes",
        "No",
        "on",
        "0x1f",
        "1_000",
        "1e3",
        ".inf",
        "2024-02-30",
        "=",
        "9" * 5000,
    ],
)
def test_plain_values_keep_their_source_text(typed: str) -> None:
    """Nothing is typed, at any depth: what looks like a number, a date or a truth stays text."""
    assert values(f"k: {typed}\nm: {{a: [{typed}]}}") == {"k": typed, "m": FrozenMap({"a": (typed,)})}


@pytest.mark.parametrize("typed", ["null", "Null", "NULL", "~", "", "# only a comment"])
def test_nothing_means_missing(typed: str) -> None:
    """Every spelling of null, and an empty value, is None; in quotes the same is text."""
    assert values(f"k: {typed}\nl: 'null'\nm: ''") == {"k": None, "l": "null", "m": ""}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k: >-\n  one\n  two\n", "one two"),
        ("k: |\n  one\n\n  ---\n", "one\n\n---\n"),
        ("k: >2-\n    one\n", "  one"),
        ('"k": "a\\tb"', "a\tb"),
        ("'k': 'it''s'", "it's"),
        ("k: one\n  two\n\n  three", "one two\nthree"),
        ("k: a#b", "a#b"),
        ("k: &x text\nl: *x", "text"),
        ("k: !!str 007", "007"),
        ('k: "a\\r\\nb"', "a\nb"),
        ("? k\n: v", "v"),
    ],
)
def test_every_way_to_write_text_is_read(text: str, value: str) -> None:
    """Block, quoted and continued texts, anchors and explicit keys give the text that YAML defines."""
    assert values(text)["k"] == value


def test_lines_and_order_of_entries_are_kept() -> None:
    """Entries come in the order typed, each with the line of its key."""
    entries = parse("\n\nb: |\n  x\n\na: y", LIMITS).entries
    assert [(entry.key, entry.line) for entry in entries] == [("b", 3), ("a", 6)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k: Post to #ops now", ("comment-cut", "k", "#ops now", 1)),
        ("k: one\n  two #three\nl: x", ("comment-cut", "k", "#three", 2)),
        ("k: one\n  # two\n# not this\nl: x", ("comment-cut", "k", "# two", 2)),
        ("k: #one\n  two", ("comment-cut", "k", "#one", 1)),
        ("k: #one\nl: x", ("comment-cut", "k", "#one", 1)),
        ("m:\n  k: a # b", ("comment-cut", "m", "# b", 2)),
        ("k: !!python/name:os.system x", ("yaml-tag", "k", "tag:yaml.org,2002:python/name:os.system", 1)),
        ("k: !important note", ("yaml-tag", "k", "!important", 1)),
        ("k: &R and D", ("yaml-anchor", "k", "&R", 1)),
        ("k: a\nl: b\n'k': c", ("duplicate-key", "k", "line 1", 3)),
        ("m:\n  k: a\n  k: b", ("duplicate-key", "k", "line 2", 3)),
        ("k: a\n[x]: b", ("key-not-text", "k", "", 2)),
    ],
)
def test_what_yaml_does_not_take_as_text_is_remarked(text: str, expected: tuple[str, str, str, int]) -> None:
    """Comments beside values, tags, idle anchors, repeated and odd keys are told, with key and line."""
    assert remarks(text) == [expected]


@pytest.mark.parametrize(
    "text", ["k: a\n# note\nl: b", "k: 'a' # b", "k: a#b", "k: &x a\nl: *x", "k: |\n  a # b", "k: !!str a"]
)
def test_ordinary_yaml_is_not_remarked(text: str) -> None:
    """Comments of their own, used anchors and hashes inside of text lose nothing, so nothing is said."""
    assert remarks(text) == []


def test_the_first_of_equal_keys_counts_and_merged_keys_come_last() -> None:
    """A later line cannot override an earlier one, and `<<` fills only what is absent."""
    assert values("k: a\nk: b") == {"k": "a"}
    merged = values("base: &b {v: 1, w: 2}\nm:\n  <<: *b\n  w: 3")["m"]
    assert merged == FrozenMap({"w": "3", "v": "1"})
    assert values("'<<': x") == {"<<": "x"}


@pytest.mark.parametrize(
    ("text", "kept"), [("x", "x"), ("[{v: 1}, x]", (FrozenMap({"v": "1"}), "x")), ("", None)]
)
def test_what_cannot_be_merged_is_kept_under_its_key(text: str, kept: object) -> None:
    """`<<` with anything but mappings loses nothing and can be told as a key like any other."""
    assert values(f"a: b\n<<: {text}") == {"a": "b", "<<": kept}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 60_000,
        "k: " + "{a: " * 10_000,
        "k:\n" + "- " * 30_000,
        "\n".join(" " * depth + "a:" for depth in range(300)),
        "k: &a [*a]",
        "k: &a {b: *a}",
        "a: &a [x]\nb: [" + "*a, " * 51 + "]",
        "a: &a [x, x]\n"
        + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)),
        "a: &a " + "x" * 40_000 + "\nb: [*a, *a]",
    ],
)
def test_what_costs_too_much_is_refused_before_it_is_built(text: str) -> None:
    """Nesting, alias loops and aliases that multiply end the reading at once."""
    with pytest.raises(Fault) as caught:
        parse(text, LIMITS)
    assert caught.value.code == "yaml-too-complex"


def test_limits_allow_what_they_say() -> None:
    """Twenty levels and fifty aliases are read."""
    assert values("k: " + "[" * 19 + "]" * 19)
    assert values("a: &a x\nb: [" + "*a, " * 50 + "]")["b"] == ("x",) * 50


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("k: a: b", "yaml-invalid", 1),
        ("a: 1\nk: @x", "yaml-invalid", 2),
        ("k: a\n--- x", "yaml-invalid", 2),
        ("k: *nowhere", "yaml-invalid", 1),
        ('k: "\\0"', "yaml-invalid", 1),
        ('k: "\\ud800"', "yaml-invalid", 1),
        ('k: "\\UFFFFFFFF"', "yaml-invalid", None),
        ('a: 1\nk: "open\nl: x', "quote-open", 2),
        ("k: 'open\n---x\n--- y", "quote-open", 1),
        ("- a", "not-a-mapping", 1),
        ("\nname:a", "not-a-mapping", 2),
    ],
)
def test_broken_text_is_a_fault_with_a_line(text: str, code: str, line: int | None) -> None:
    """Whatever PyYAML raises becomes one kind of fault; an open quote is told apart, where it opens."""
    with pytest.raises(Fault) as caught:
        parse(text, LIMITS)
    assert (caught.value.code, caught.value.line) == (code, line)


# fmt: off
PIECES = [
    "k: ", "l: ", "m:\n  n: ", ": ", "\n", "\n  ", "- ", "[", "]", "{", "}", ", ", '"', "'", " #", "&a ",
    "*a ", "! ", "!!int ", "|", ">-", "? ", "~", "---", "...", "%", "@", "\\", "\\x41", "\\ud800", "text",
    "é", "\t", "<<", "\u3000", "null", "=", "\r", "k: v\n",
]
# fmt: on
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def outcome(text: str) -> Tree | tuple[object, ...]:
    """Read a header, or the facts of the fault."""
    try:
        return parse(text, LIMITS)
    except Fault as fault:
        return fault.args


@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="PyYAML was built without libyaml")
@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_libyaml_changes_nothing(text: str) -> None:
    """Values, remarks and faults are the same with and without libyaml."""
    text = text.replace("\r", "\n")
    with pytest.MonkeyPatch.context() as patch:
        with_libyaml = outcome(text)
        patch.delattr(yaml, "CSafeLoader")
        assert outcome(text) == with_libyaml
