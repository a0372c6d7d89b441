"""Mending: what broke is read as typed, everything else stays to the character."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.frozen import FrozenMap
from skill_index.parsing.codes import Fault
from skill_index.parsing.repair import Repair, mend
from skill_index.parsing.yaml import parse
from skill_index.settings import Limits

LIMITS = Limits()
GUARD = "version: 1.10\nmetadata: {a: [1, two]}\nnote: |\n  x: y\n"


def mended(text: str) -> tuple[dict[str, object], list[tuple[str, str, int]]]:
    """Mend a header; return the values it then has, and the changes."""
    after, repairs = mend(text, LIMITS)
    entries: dict[str, object] = {entry.key: entry.value for entry in parse(after, LIMITS).entries}
    return entries, [(repair.code, repair.key, repair.line) for repair in repairs]


@pytest.mark.parametrize(
    ("block", "value", "line"),
    [
        ("k: Do this: that", "Do this: that", 5),
        ("k: Ends with a colon:", "Ends with a colon:", 5),
        ("k:\n  One line. And\n  another: one.", "One line. And another: one.", 7),
        ("k: One\n  and: two\n\n  three: four", "One and: two\nthree: four", 6),
        ("k: @State and @Binding", "@State and @Binding", 5),
        ("k: *bold* words", "*bold* words", 5),
        ("k: *", "*", 5),
        ("k: & more", "& more", 5),
        ("k: !a!b c", "!a!b c", 5),
        ("k: %name%", "%name%", 5),
        ("k: `ls` lists", "`ls` lists", 5),
        ("k: - dash", "- dash", 5),
        ("k: ? why", "? why", 5),
        ("k: a\tb", "a\tb", 5),
        ("k: | text behind the mark", "text behind the mark", 5),
        ("k: >- text\n  behind: the mark", "text behind: the mark", 5),
        ("k: | text\n  line: two", "text\nline: two", 5),
        ('k: "Quoted" and on', '"Quoted" and on', 5),
        ("k: 'Quoted' \"twice\"", "'Quoted' \"twice\"", 5),
        ("k: [PDF] forms", "[PDF] forms", 5),
        ("k: [a[b], c]", "[a[b], c]", 5),
        ("k: [@a, b]", "[@a, b]", 5),
        ("k: [file] [--size n]", "[file] [--size n]", 5),
        ("k: [never, closed", "[never, closed", 5),
        ("k: {{NAME}}-tool", "{{NAME}}-tool", 5),
        ("k: a: 'b", "a: 'b", 5),
        ('k: C:\\new: "x"', 'C:\\new: "x"', 5),
        ("k: a: b # c", "a: b # c", 5),
        ("k: a: b\n# a comment\n", "a: b", 5),
        ("k:\n\t- a\n\t- b", ("a", "b"), 6),
    ],
)
def test_a_broken_value_is_read_as_typed(block: str, value: object, line: int) -> None:
    """Each kind of prose that is no YAML comes back as it was typed, and no other entry changes."""
    for text in (GUARD + block, GUARD + block + "\nlast: 007"):
        entries, changes = mended(text)
        assert entries.pop("k") == value
        assert entries.pop("last", "007") == "007"
        assert entries == {"version": "1.10", "metadata": FrozenMap({"a": ("1", "two")}), "note": "x: y\n"}
        assert changes == [("repaired", "k", line)]


def test_several_broken_values_are_each_mended_and_keep_their_lines() -> None:
    """Every broken entry is changed and told, and what follows stays on its line."""
    after, repairs = mend("a: b: c\n\nd:\n  e\n  f: g\nh: @i", LIMITS)
    assert after == 'a: "b: c"\n\nd: "e f: g"\n\n\nh: "@i"'
    assert [repair.line for repair in repairs] == [1, 5, 6]
    assert repairs[0] == Repair("repaired", "a", "mapping values are not allowed here", 1, 5)


def test_metadata_is_mended_key_by_key() -> None:
    """Below `metadata`, at any depth, only the broken line becomes text."""
    entries, changes = mended("metadata:\n  v: 1.10\n  in:\n    k: [@a]\n    l: [b]\n  w: x: y")
    inner = FrozenMap({"k": "[@a]", "l": ("b",)})
    assert entries == {"metadata": FrozenMap({"v": "1.10", "in": inner, "w": "x: y"})}
    assert changes == [("repaired", "k", 4), ("repaired", "w", 6)]


def test_metadata_that_cannot_be_mended_inside_becomes_text() -> None:
    """Where lines do not line up no key can be told from another, so the block is text as typed."""
    entries, changes = mended("metadata:\n    a: @x\n  b: y\nlast: 007")
    assert entries == {"metadata": "a: @x b: y", "last": "007"}
    assert changes == [("repaired", "metadata", 2)]


def test_a_header_without_entries_is_left_alone() -> None:
    """Comments need no mending."""
    assert mend("# a\n\n# b", LIMITS) == ("# a\n\n# b", ())


JOINED = [
    ("description:b c", "b c"),
    ("description:\u00a0b c", "b c"),
    ("description：b c", "b c"),
    ("description ： b：c", "b：c"),
    ("Description:b", "b"),
    ('description:"b"', "b"),
    ("description:b\n  c: d", "b c: d"),
    ("description:>\n  b\n  c", "b c\n"),
    ("description:https://b.c", "https://b.c"),
    ("description:b: c", "b: c"),
    ("description：b: c", "b: c"),
]


@pytest.mark.parametrize(("entry", "value"), JOINED)
def test_a_key_of_the_specification_is_told_from_its_value(entry: str, value: str) -> None:
    """Without a blank, with one that is none to YAML, with the colon of another script."""
    for before in ("", "name: a\n", "name:a\n"):
        entries, changes = mended(f"{before}{entry}\nlast: 007")
        assert (entries.get("description", entries.get("Description")), entries["last"]) == (value, "007")
        assert changes[-1] == ("repaired", entry[:11], 1 + bool(before))


@pytest.mark.parametrize("line", ["words:b c", "https://b.c", "names：b", "@name:b"])
def test_other_words_with_a_colon_are_no_keys(line: str) -> None:
    """Only what the specification knows is a key without the blank; prose holds such colons, too."""
    assert mended(f"a: 1\n{line}") == ({"a": "1"}, [("stray-line", "", 2)])


def test_tabs_that_indent_become_blanks() -> None:
    """A block indented by tabs keeps its shape."""
    entries, changes = mended("metadata:\n\ta: 1\n\tb:\n\t\tc: 2")
    assert entries == {"metadata": FrozenMap({"a": "1", "b": FrozenMap({"c": "2"})})}
    assert changes == [("repaired", "metadata", 2)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("just words", "stray-line"),
        ("...", "stray-line"),
        ("<!-- note -->", "html-comment"),
        ("<!-- k: v -->", "html-comment"),
        ("<!-- a\nb: c\n-->", "html-comment"),
        ("@key: @value", "stray-line"),
    ],
)
def test_lines_without_a_key_are_ignored_and_told(line: str, code: str) -> None:
    """What is no entry is dropped alone; the entries around it stay."""
    entries, changes = mended(f"a: 1\n{line}\nb: x: y")
    assert entries == {"a": "1", "b": "x: y"}
    assert changes[0][::2] == (code, 2)


@pytest.mark.parametrize("opened", ["m: {\ntools: Bash\n}", "m: [\ntools: Bash\n]", 'm: "a\ntools: Bash"'])
def test_what_a_valid_entry_holds_is_not_taken_for_keys(opened: str) -> None:
    """Lines inside of brackets or quotes that do close stay inside, though they look like entries."""
    entries, _ = mended(f"a: b: c\n{opened}\nz: 1")
    assert list(entries) == ["a", "m", "z"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a: b: c\nk: "open', 2),
        ("k: 'open\na: b: c", 1),
        ('a: b: c\nk: "open\ntools: Bash', 2),
        ('a: b: c\nl:\n  - x\n  - "open', 4),
    ],
)
def test_an_open_quote_is_not_mended(text: str, line: int) -> None:
    """Where a quote was meant to end cannot be known, so the text is refused where it opens."""
    with pytest.raises(Fault) as caught:
        mend(text, LIMITS)
    assert (caught.value.code, caught.value.line) == ("quote-open", line)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: b: c\n" + "k: v\n" * 600, "yaml-invalid"),
        ("\n".join(f"k{n}: @v" for n in range(400)), "yaml-invalid"),
        ("\n".join(f"k{n}: [v" for n in range(400)), "yaml-invalid"),
        ("words\n" * 600, "yaml-invalid"),
        ("a: [b,\n" + "\n".join(f"k{n}: {'v' * 200}," for n in range(200)), "yaml-invalid"),
        ("a: b: c\nk: " + "[" * 1000, "yaml-too-complex"),
        ("a: @b\nmetadata:\n" + "\n".join(" " * n + "a:" for n in range(1, 300)), "yaml-too-complex"),
    ],
)
def test_mending_has_an_end(text: str, code: str) -> None:
    """Trials are counted, and limits hold for pieces as for the whole."""
    with pytest.raises(Fault) as caught:
        mend(text, LIMITS)
    assert caught.value.code == code


VALID = st.sampled_from(
    ["1.10", "yes", "[a, b]", "{a: 'b'}", "'it''s'", '"x: y"', "|\n  a: b", "\n- x", "~", "&r x"]
)
BROKEN = st.sampled_from(["a: b", "@x", "`x`", '"a" b', "[a] b", "| x", "*", "x\n  y: z"])


@settings(deadline=None, max_examples=60)
@given(st.lists(VALID, max_size=4), BROKEN, st.lists(VALID, max_size=4))
def test_untouched_entries_read_as_they_do_alone(before: list[str], broken: str, after: list[str]) -> None:
    """The value of an entry that is YAML is the same whether or not its neighbour had to be mended."""
    lines = [f"k{n}: {value}" for n, value in enumerate([*before, broken, *after])]
    entries, changes = mended("\n".join(lines) + "\n")
    for n, line in enumerate(lines):
        if n != len(before):
            assert entries[f"k{n}"] == parse(line + "\n", LIMITS).entries[0].value
    assert isinstance(entries[f"k{len(before)}"], str)
    assert [key for _, key, _ in changes] == [f"k{len(before)}"]
