"""
Faults that users meet between a file and its skill, by class: each test holds a whole kind.

The classes: text that is no YAML, YAML that is not what was typed, fences, encodings, types,
one bad file, small inputs of large cost, data that could act, keys, links, scope, paths, lists.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import MemorySource, Severity, Skill, SkillIndex, to_skill_md
from skill_index.prompt import skill_index_section
from skill_index.sources.rules import relative_path
from skill_index.testing import strategies
from skill_index.tools import Toolkit

Make = Callable[[Mapping[str, str | bytes]], Path]

GOOD = "---\nname: control\ndescription: Says that the rest is well.\n---\nBody.\n"


def one(header: str, *, name: str = "kit", strict: bool = False) -> SkillIndex:
    """Index a skill with these lines of front matter, and a healthy one beside it."""
    texts = {f"{name}/SKILL.md": f"---\n{header}\n---\nBody.\n", "control/SKILL.md": GOOD}
    return SkillIndex([MemorySource(texts)], strict=strict)


def codes(index: SkillIndex) -> set[str]:
    """Return the codes of everything that was found wrong."""
    return {finding.code for finding in index.findings}


def lines(index: SkillIndex, code: str) -> list[int | None]:
    """Return the lines on which one thing was found wrong."""
    return [finding.line for finding in index.findings if finding.code == code]


# Text that is no YAML

PROSE = [
    "Moves data: reads, maps, writes",
    "First: this: then: that",
    'Answers "why": and how',
    '"Ship it" and tell the team',
    "'Ship it' - then rest",
    "[Draft] Writes posts",
    "{topic} notes: short",
    "@reviewer gets a summary",
    "`make` runs first",
    "%-based layouts",
    "*Bold* moves only",
    "- one: two",
    "Ends in a colon:",
    "Reads http://host:80/x: slowly",
    "Tab\tand colon: both",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_read_as_it_was_typed_and_reported(text: str) -> None:
    """Lenient reading keeps the whole text with a warning on its line; strict refuses with a hint."""
    index = one(f"name: kit\ndescription: {text}\nlicense: MIT")
    assert (index["kit"].description, index["kit"].license) == (text, "MIT")
    assert lines(index, "repaired") == [3]
    strict = one(f"name: kit\ndescription: {text}\nlicense: MIT", strict=True)
    assert list(strict) == ["control"]
    (error,) = strict.findings
    assert (error.line, error.severity) == (3, Severity.ERROR)
    assert "column" in error.message
    assert "quotes" in error.message


@pytest.mark.parametrize(
    ("value", "description", "line"),
    [
        ("\n  Plans a move.\n  Note: check twice.", "Plans a move. Note: check twice.", 5),
        ("Plans a move.\n  Note: check twice.\n  Then: go.", "Plans a move. Note: check twice. Then: go.", 4),
        ("Plans\n\n  Note: check twice.", "Plans\nNote: check twice.", 5),
    ],
)
def test_prose_over_several_lines(value: str, description: str, line: int) -> None:
    """A colon on a later line of a value is mended with the whole of the value."""
    index = one(f"name: kit\ndescription: {value}\nallowed-tools: Read")
    assert index["kit"].description == description
    assert index["kit"].allowed_tools == ("Read",)
    assert lines(index, "repaired") == [line]


def test_one_broken_value_changes_no_other() -> None:
    """Lists, mappings, comments and block texts beside a broken value are what they were without it."""
    rest = "metadata: {team: docs, tier: 1.10}\nallowed-tools: [Read, Grep]\nlicense: MIT # the file"
    block = "compatibility: >-\n  Needs: a shell\n  and git"
    broken = one(f"name: kit\ndescription: Checks: links\n{rest}\n{block}")["kit"]
    whole = one(f"name: kit\ndescription: Checks links\n{rest}\n{block}")["kit"]
    assert dict(broken.metadata) == dict(whole.metadata) == {"team": "docs", "tier": "1.10"}
    assert broken.allowed_tools == whole.allowed_tools == ("Read", "Grep")
    assert broken.license == whole.license == "MIT"
    assert broken.compatibility == whole.compatibility == "Needs: a shell and git"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dependencies", "[numpy[extra], six]"),
        ("dependencies", "[@scope/pkg>=2, left]"),
        ("argument-hint", "[file] [--fast]"),
        ("argument-hint", "<file> [out]: [--fast]"),
        ("examples", "{a: b} {c: d}"),
        ("anything", "*star"),
    ],
)
def test_a_key_of_no_use_costs_no_skill(key: str, value: str) -> None:
    """A value the library does not use is kept as text when it is no YAML, with a warning that names it."""
    index = one(f"name: kit\ndescription: D.\n{key}: {value}")
    assert index["kit"].extra[key] == value
    assert any(f.code == "repaired" and key in f.message and f.line == 4 for f in index.findings)


@settings(max_examples=60, deadline=None)
@given(strategies.skills(), st.sampled_from(PROSE))
def test_valid_text_is_never_repaired(skill: Skill, prose: str) -> None:
    """What our own writer makes of any text reads back as that text, without a word of repair."""
    written = to_skill_md(Skill("kit", prose, allowed_tools=skill.allowed_tools, metadata=skill.metadata))
    index = SkillIndex([MemorySource({"kit/SKILL.md": written})])
    assert "repaired" not in codes(index)
    assert index["kit"].description == prose
    assert (index["kit"].allowed_tools, dict(index["kit"].metadata)) == (
        skill.allowed_tools,
        dict(skill.metadata),
    )


# YAML that is not what was typed


@pytest.mark.parametrize(
    ("value", "description", "lost"),
    [
        ("Posts to the #general room", "Posts to the", "#general room"),
        ("Fixes issue #12 and #13", "Fixes issue", "#12 and #13"),
        ("Posts\n  to #general", "Posts to", "#general"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_text_lost_to_a_comment_is_shown(value: str, description: str, lost: str, strict: bool) -> None:
    """The value is YAML's, as every reader has it, and the warning shows what it lacks."""
    index = one(f"name: kit\ndescription: {value}", strict=strict)
    assert index["kit"].description == description
    (finding,) = index.findings
    assert (finding.code, finding.severity) == ("comment-cut", Severity.WARNING)
    assert lost in finding.message


@pytest.mark.parametrize("mark", ["|", ">", "|-", ">-", "|+", ">+", "|2", ">2-", "| # why", ">-  "])
def test_a_block_text_is_its_text(mark: str) -> None:
    """Whatever the mark of a block, the description is what stands below it, without trailing breaks."""
    description = one(f"name: kit\ndescription: {mark}\n  Sends bills: #1.\n\n  And more.\n")[
        "kit"
    ].description
    assert description.startswith("Sends bills: #1.")
    assert description.endswith("And more.")


@pytest.mark.parametrize("mark", ["&name", "!note", "!!binary"])
def test_what_yaml_takes_for_syntax_is_reported(mark: str) -> None:
    """Anchors and tags that start a text are left out by YAML, and said to be."""
    index = one(f"name: kit\ndescription: {mark} text")
    assert index["kit"].description == "text"
    assert codes(index) & {"yaml-anchor", "yaml-tag"}


# Fences


def fenced(text: str | bytes, *, strict: bool = False) -> SkillIndex:
    """Index one whole file and a healthy one."""
    return SkillIndex([MemorySource({"kit/SKILL.md": text, "control/SKILL.md": GOOD})], strict=strict)


HEAD = "name: kit\ndescription: D.\n"


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (f"---  \n{HEAD}--- \t\nB\n", "B\n"),
        (f"---\n{HEAD}---", ""),
        (f"---\r\n{HEAD.replace(chr(10), chr(13) + chr(10))}---\r\n\r\n# T\r\n", "# T\n"),
        (f"---\r{HEAD.replace(chr(10), chr(13))}---\rB\r", "B\n"),
        (f"\ufeff---\n{HEAD}---\nB\n", "B\n"),
        (f"---\n{HEAD}license: a --- b\n---\nB\n---\nC\n", "B\n---\nC\n"),
        ("---\nname: kit\ndescription: |\n  D.\n  ---\n  more\n---\nB\n", "B\n"),
        (f'---\n{HEAD}license: "--- x"\n---\nB\n', "B\n"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_where_the_header_ends(text: str, body: str, strict: bool) -> None:
    """Three dashes alone on an unindented line open and close, whatever blanks and breaks follow."""
    kit = fenced(text, strict=strict)["kit"]
    assert kit.instructions == body
    assert kit.description.startswith("D.")
    assert not any(sign in kit.name + kit.description for sign in "\r\ufeff")


@pytest.mark.parametrize(
    "above", ["\n\n", "<!-- made by a tool -->\n", "<!-- a\nb\n-->\n\n", " \n<!-- x -->\n"]
)
def test_what_may_stand_above_the_header(above: str) -> None:
    """Blank lines and comments above the header cost a warning, and the skill in strict mode."""
    text = f"{above}---\n{HEAD}---\nB\n"
    assert (fenced(text)["kit"].instructions, codes(fenced(text))) == ("B\n", {"header-not-first"})
    assert "kit" not in fenced(text, strict=True)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "header-missing"),
        ("# Only a heading\nname: kit\n", "header-missing"),
        (f"intro\n---\n{HEAD}---\nB\n", "header-missing"),
        (f" ---\n{HEAD} ---\nB\n", "header-missing"),
        (f"<!-- open\n---\n{HEAD}---\nB\n", "header-missing"),
        (f"---\n{HEAD}\n# Steps\nallowed-tools: Bash\n", "header-unclosed"),
        (f"---\n{HEAD}----\nB\n", "header-unclosed"),
        (f"---\n{HEAD}---text\nB\n", "header-unclosed"),
        ('---\nname: kit\ndescription: "Use for\n---\nall."\n---\nB\n', "quote-open"),
        ("---\nname: kit\ndescription: 'Use for\nallowed-tools: Bash\n---\nB\n", "quote-open"),
        ("---\n- a\n- b\n---\nB\n", "description-missing"),
        ("---\n---\nB\n", "description-missing"),
    ],
)
def test_a_header_that_cannot_be_trusted_costs_the_skill(text: str, code: str, strict: bool) -> None:
    """Nothing of it is guessed: one error says what is wrong, and the next file is read."""
    index = fenced(text, strict=strict)
    assert list(index) == ["control"]
    assert "Bash" not in repr(index.snapshot().entries)
    errors = [finding for finding in index.findings if finding.severity is Severity.ERROR]
    assert code in {finding.code for finding in errors} or "not-a-mapping" in codes(index)
    assert all(finding.path.endswith("kit/SKILL.md") and finding.line for finding in errors)


@pytest.mark.parametrize(
    "comment", ["<!-- generated -->", "<!-- owner: ops -->", "<!-- a: b -->\n<!-- c -->"]
)
def test_comments_of_html_are_no_keys(comment: str) -> None:
    """A comment line in the header is ignored with a warning, with a colon in it or not."""
    index = one(f"name: kit\n{comment}\ndescription: D.")
    assert (index["kit"].description, dict(index["kit"].extra)) == ("D.", {})
    assert codes(index) == {"html-comment"}


# Bytes to text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"])
def test_other_encodings_are_refused_and_not_guessed(encoding: str) -> None:
    """No skill has wrong letters for a name: what is not UTF-8 is an error about one file."""
    text = "---\nname: kit\ndescription: Größe, café und mehr.\n---\nB\n"
    index = fenced(text.encode(encoding))
    assert list(index) == ["control"]
    assert codes(index) <= {"not-utf8", "not-text"}


def test_the_locale_decides_nothing(make: Make) -> None:
    """Under an ASCII locale, text is read as UTF-8 and the commands write UTF-8."""
    said = "Prüft — schnell → Ziel ⚠"
    root = make({"kit/SKILL.md": f"---\nname: kit\ndescription: {said}\n---\nÜber\n"})
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for command in ("list", "describe"):
        arguments = [sys.executable, "-m", "skill_index", command, *(["kit"] * (command == "describe"))]
        done = subprocess.run(  # noqa: S603 - our own interpreter and arguments
            [*arguments, "--path", str(root)], env=environment, capture_output=True, check=True
        )
        assert said.split()[-1] in done.stdout.decode("utf-8")


# Types

TYPED = ["12306", "007", "12:30", "1_000", "0x1f", "0o17", "1e3", "1.10", ".inf", "yes", "on", "2024-01-01"]
TYPED += ["2024-13-45", "2026-02-03T10:00:00Z", "=", "<<", "9" * 5000, "!!int abc", "!!float x", "!!bool 7"]


@pytest.mark.parametrize("typed", TYPED)
def test_values_are_their_source_text(typed: str) -> None:
    """No number, date or truth value comes of a text field, and all of it can be written as JSON."""
    index = one(f"name: kit\ndescription: {typed}\nversion: {typed}\nmetadata:\n  made: {typed}")
    kit, text = index["kit"], typed.rpartition(" ")[2]
    assert (kit.description, kit.extra["version"], kit.metadata["made"]) == (text, text, text)
    reply = Toolkit(index).call("describe_skill", {"name": "kit"})
    assert reply.data is not None
    assert json.loads(reply.data.model_dump_json())["hits"][0]["description"] == text


@pytest.mark.parametrize("name", ["12306", "007", "12:30", "1_000", "0x1f", "yes", "2024-01-01", "1.10"])
def test_names_are_their_source_text(name: str) -> None:
    """A name that looks like a number is that text, and finds its skill."""
    index = one(f"name: {name}\ndescription: D.", name="folder")
    assert index[name].name == name
    assert index.search(name).names[0] == name


@pytest.mark.parametrize("nothing", ["", "~", "null", "NULL", '""', "[]", "{}", "[a]", "{a: b}", "|", ">-"])
def test_no_text_is_no_description(nothing: str) -> None:
    """A skill without a text that says what it is for is not advertised, and its file is named."""
    index = one(f"name: kit\ndescription: {nothing}")
    assert list(index) == ["control"]
    assert "description-missing" in codes(index)


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        ("backend", ("backend",)),
        ("backend, web", ("backend", "web")),
        ("[backend, 2, null]", ("backend", "2")),
        ("\n  - backend\n  - web", ("backend", "web")),
        ("12", ("12",)),
        ("", ()),
    ],
)
def test_a_text_is_no_list_of_letters(value: str, tags: tuple[str, ...]) -> None:
    """Tags and aliases are lists of texts, however they were written."""
    index = one(f"name: kit\ndescription: D.\ntags: {value}\naliases: {value}")
    assert index["kit"].tags == index["kit"].aliases == tags
    assert "field-not-text" not in codes(index)


@pytest.mark.parametrize("value", ["{a: b}", "[[a], b]", "[{a: b}]", "\n  a: b"])
@pytest.mark.parametrize("key", ["tags", "aliases", "keywords"])
def test_tags_of_another_shape_are_reported(key: str, value: str) -> None:
    """What is no text and no list of texts is left out of tags, and said to be."""
    index = one(f"name: kit\ndescription: D.\n{key}: {value}")
    assert "a" not in (*index["kit"].tags, *index["kit"].aliases)
    assert lines(index, "field-not-text") == [4]


# One bad file


@settings(max_examples=80, deadline=None)
@given(
    strategies.broken_files()
    | st.binary(max_size=300)
    | strategies.hostile_texts().map(lambda text: text.encode(errors="replace"))
)
def test_no_bytes_stop_the_rest(data: bytes) -> None:
    """Whatever is in one file, the other is read, and a file that is lost is named by an error."""
    for strict in (False, True):
        index = fenced(data, strict=strict)
        assert "control" in index
        lost = len(index) == 1
        errors = [finding for finding in index.findings if finding.severity is Severity.ERROR]
        assert lost == bool(errors)
        assert all(finding.path.endswith("kit/SKILL.md") for finding in index.findings)
