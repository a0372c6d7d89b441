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
        ("---\n- a\n- b\n---\nB\n", "not-a-mapping"),
        ("---\n---\nB\n", "description-missing"),
    ],
)
def test_a_header_that_cannot_be_trusted_costs_the_skill(text: str, code: str, strict: bool) -> None:
    """Nothing of it is guessed: one error says what is wrong, and the next file is read."""
    index = fenced(text, strict=strict)
    assert list(index) == ["control"]
    assert "Bash" not in repr(index.snapshot().entries)
    errors = [finding for finding in index.findings if finding.severity is Severity.ERROR]
    assert code in {finding.code for finding in errors}
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
        assert said.rsplit(maxsplit=1)[-1] in done.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="names are no bytes there")
def test_names_are_utf8_whatever_the_locale(make: Make) -> None:
    """Under an ASCII locale a folder is called, a file listed and an argument understood as anywhere else."""
    root = make({"技能/SKILL.md": "---\nname: 技能\ndescription: d\n---\nÜber\n", "技能/参考/é.md": "Ziel\n"})
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for arguments, answer in (
        (["validate", "--strict", str(root)], "1 skills, 0 errors, 0 warnings"),
        (["load", "技能", "--path", str(root)], f"Skill folder: {root.as_posix()}/技能."),
        (["read", "技能", ".", "--path", str(root)], "参考/é.md"),
        (["read", "技能", "参考/é.md", "--path", str(root)], "Ziel"),
        (["describe", "select:技能", "--path", str(root)], "Skill: 技能"),
    ):
        command = [sys.executable, "-m", "skill_index", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, check=True)  # noqa: S603 - our own
        assert answer in done.stdout.decode("utf-8")


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


@pytest.mark.parametrize(
    "typed", ["a 🦊 b", "👩\u200d💻", "caf\u00e9 — 检", 'say "x": y', "tab\tand\nbreak", "\ufffd"]
)
def test_values_may_be_written_as_json(typed: str) -> None:
    """A header whose values a program wrote as JSON, escapes and all, is read as what they mean."""
    index = one(f"name: kit\ndescription: D.\nlicense: {json.dumps(typed)}")
    assert (index["kit"].license, index.findings) == (typed, ())


@pytest.mark.parametrize(
    "typed", ["a \\ud83e b", "\\udd8a", "\\udd8a\\ud83e", "a \\u0000", "\\x07", "\\U00110000"]
)
def test_escapes_of_no_character_are_reported(typed: str) -> None:
    """Half a pair, a control character or a number beyond Unicode stays as it was typed, with a warning."""
    index = one(f'name: kit\ndescription: "{typed}"')
    assert index["kit"].description == f'"{typed}"'
    assert lines(index, "repaired") == [3]
    skill_index_section(index).encode("utf-8")


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


# Small inputs of large cost, and data that could act


def bomb(levels: int, width: int) -> str:
    """Return a header whose aliases repeat each other."""
    rows = [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels)]
    return "\n".join(["a0: &a0 [x, x]", *rows])


COSTLY = {
    "aliases of aliases": bomb(9, 9),
    "an alias of itself": "a: &a [1, *a]",
    "a mapping of itself": "a: &a {b: *a}",
    "merges of merges": "a: &a {x: 1}\n" + "\n".join(["b: {<<: *a}"] * 60),
    "deep lists": "a: " + "[" * 3000 + "]" * 3000,
    "deep mappings": "a: " + "{b: " * 3000 + "1" + "}" * 3000,
    "deep lines": "\n".join(" " * depth + "a:" for depth in range(300)),
    "many broken keys": "\n".join(f"k{number}: a: b" for number in range(2_000)),
    "many opening quotes": "\n".join(f'k{number}: "a' for number in range(1_000)),
    "blank lines": "license: a\n" + "\n" * 50_000,
    "blanks": "license: a" + " " * 50_000 + "b: c",
    "a long key": "k" * 60_000 + ": v",
    "a large header": "license: |\n" + "  text and more text\n" * 4_000,
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY.keys())
def test_small_files_cost_little(text: str) -> None:
    """Nesting, repeats and mending have limits: the file is refused or read, and what is kept is small."""
    index = one(f"name: kit\ndescription: D.\n{text}")
    assert "control" in index
    assert len(repr(index.snapshot().entries)) < 500_000
    assert index.findings or "kit" in index
    assert len(Toolkit(index).call("describe_skill", {"name": "kit"}).text) < 64_000


@pytest.mark.parametrize("size", [(1 << 20) + 1, 20 << 20])
def test_a_huge_file_is_refused_with_its_size(make: Make, size: int) -> None:
    """A file beyond the limit is not read, and the finding says how large it may be."""
    root = make({"kit/SKILL.md": f"---\n{HEAD}---\n", "control/SKILL.md": GOOD})
    os.truncate(root / "kit/SKILL.md", size)
    index = SkillIndex.from_paths(root)
    (finding,) = index.findings
    assert (list(index), finding.code) == (["control"], "file-too-large")
    assert f"{size:,}" in finding.message


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.mkdir [made]",
        "!!python/object/new:os.system [touch made]",
        "!!python/name:os.system made",
        "!<tag:yaml.org,2002:python/module:os> made",
        "${IFS}made $(touch made) `touch made`",
    ],
)
def test_reading_runs_nothing(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """Tags of Python and signs of a shell are text, and said to be where YAML would act on them."""
    monkeypatch.chdir(tmp_path)
    index = SkillIndex.from_paths(
        make({"s/kit/SKILL.md": f"---\nname: kit\ndescription: {value}\n---\n"}) / "s"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
    assert codes(index) or index["kit"].description == value


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_what_is_no_file_is_not_opened(make: Make) -> None:
    """A pipe, a folder or a link to a device in a SKILL.md's place is reported; the scan goes on."""
    root = make({"control/SKILL.md": GOOD})
    for name in ("pipe", "folder", "device"):
        (root / name).mkdir()
    os.mkfifo(root / "pipe/SKILL.md")
    (root / "folder/SKILL.md").mkdir()
    (root / "device/SKILL.md").symlink_to("/dev/zero")
    index = SkillIndex.from_paths(root)
    assert list(index) == ["control"]
    reported = {Path(finding.path).parent.name: finding.code for finding in index.findings}
    assert reported["pipe"] == "not-a-file"
    assert reported["device"] == "link-out"


@pytest.mark.parametrize("target", ["../outside.md", "../other/SKILL.md", "{root}/outside.md", "../../x.md"])
def test_links_out_of_a_skill_are_not_read(make: Make, target: str) -> None:
    """A SKILL.md that is a link is read only within its own folder: nothing else gets into a prompt."""
    secret = GOOD.replace("Says", "SECRET says")
    root = make({"s/outside.md": secret, "s/other/notes.md": secret, "x.md": secret})
    (root / "s/leak").mkdir()
    (root / "s/leak/SKILL.md").symlink_to(target.format(root=root / "s"))
    index = SkillIndex.from_paths(root / "s")
    assert "SECRET" not in skill_index_section(index) + repr(index.findings)
    assert codes(index) <= {"link-out", "dangling-link"}
    assert codes(index)


def test_a_link_within_a_skill_is_read(make: Make) -> None:
    """A SKILL.md that leads to a file of its own folder is that file."""
    root = make({"control/docs/real.md": GOOD})
    (root / "control/SKILL.md").symlink_to("docs/real.md")
    assert list(SkillIndex.from_paths(root)) == ["control"]


# Keys


@pytest.mark.parametrize("second", ["name: other", '"name": other', "name : other", "? name\n: other"])
def test_a_key_given_twice_is_reported(second: str) -> None:
    """However it is written, the second of two equal keys is told with the line of the first, and refused."""
    index = one(f"name: kit\ndescription: D.\n{second}")
    assert "kit" in index
    (finding,) = index.findings
    assert (finding.code, finding.line) == ("duplicate-key", 4)
    assert "line 2" in finding.message
    assert "kit" not in one(f"name: kit\ndescription: D.\n{second}", strict=True)


@pytest.mark.parametrize(
    "key", ["allowed_tools", "allowedTools", "Allowed-Tools", "ALLOWED-TOOLS", "allowed tools"]
)
def test_a_misspelt_key_is_read_and_reported(key: str) -> None:
    """A restriction is not lost to the style of its key."""
    index = one(f"name: kit\ndescription: D.\n{key}: Read")
    assert index["kit"].allowed_tools == ("Read",)
    assert any(f.code == "misspelt-key" and "allowed-tools" in f.message for f in index.findings)


@pytest.mark.parametrize("key", ["descripton", "licence", "compatability", "alowed-tools", "meta-data"])
def test_a_key_that_looks_misspelt_is_told(key: str) -> None:
    """A key that resembles one of the format is never passed over in silence."""
    assert "misspelt-key" in codes(one(f"name: kit\ndescription: D.\n{key}: x"))


def test_only_top_level_keys_are_fields() -> None:
    """A name or a list of tools below another key is no field of the skill."""
    index = one("metadata:\n  name: inner\n  allowed-tools: Bash\nname: kit\ndescription: D.")
    assert index["kit"].allowed_tools is None
    assert "inner" not in index


@pytest.mark.parametrize("pair", ['"name": "kit"', "'name': kit", "name:   kit   ", "? name\n: kit"])
def test_keys_may_be_written_as_yaml_allows(pair: str) -> None:
    """Quotes and blanks around keys change nothing, in either mode."""
    assert "kit" in one(f"{pair}\n'description': D.", strict=True)


# Links, scope and paths


def test_linked_folders_are_found_once(make: Make) -> None:
    """Roots and skills may be links; loops end; two ways to one folder are no conflict."""
    root = make({"pool/a/kit/SKILL.md": f"---\n{HEAD}---\n", "pool/control/SKILL.md": GOOD})
    (root / "skills").symlink_to("pool")
    (root / "again").symlink_to("pool/a")
    (root / "pool/a/kit/self").symlink_to(".")
    (root / "pool/a/up").symlink_to("..")
    (root / "pool/twin").symlink_to("a/kit")
    (root / "pool/gone").symlink_to("nowhere")
    for roots in (["skills"], ["pool", "skills"], ["skills", "again", "pool/a"]):
        index = SkillIndex.from_paths(*(root / name for name in roots))
        assert list(index) == ["control", "kit"]
        assert codes(index) <= {"link-up", "dangling-link"}


@pytest.mark.parametrize("folder", ["node_modules/p", ".git/x", "venv/lib/y", "__pycache__/z", ".venv/a/b"])
@pytest.mark.parametrize("above", ["", "group/"])
def test_pruned_folders_hold_no_skills(make: Make, folder: str, above: str) -> None:
    """Dependencies, environments, caches and version control are not searched at any depth."""
    root = make({f"{above}{folder}/SKILL.md": f"---\n{HEAD}---\n", "control/SKILL.md": GOOD})
    assert list(SkillIndex.from_paths(root)) == ["control"]


@pytest.mark.parametrize(
    "root", [".agents/skills", "node_modules/kit/skills", "_archived", "x.bak", "a [v2]/*"]
)
def test_rules_are_for_what_is_below_the_root(make: Make, root: str) -> None:
    """A root is searched whatever it is called, and its hidden and retired folders are not."""
    files = {f"{root}/control/SKILL.md": GOOD}
    files |= {f"{root}/{name}/kit/SKILL.md": f"---\n{HEAD}---\n" for name in (".cursor", "_old", "kit.bak-1")}
    assert list(SkillIndex.from_paths(make(files) / root)) == ["control"]


@pytest.mark.parametrize("name", ["bak-manager", "archive", "old-norse", "trash-sorting", "backup"])
def test_living_skills_are_not_retired(make: Make, name: str) -> None:
    """Only an unmistakable mark retires a folder."""
    root = make({f"{name}/SKILL.md": f"---\nname: {name}\ndescription: D.\n---\n"})
    assert list(SkillIndex.from_paths(root)) == [name]


def test_a_skill_ends_the_search_below_it(make: Make) -> None:
    """Files in a skill are its own: no skills, and no rivals of one; an option finds them."""
    inner = "---\nname: retro\ndescription: A template.\n---\n"
    root = make({"kit/SKILL.md": f"---\n{HEAD}---\n", "kit/refs/retro/SKILL.md": inner})
    make({"kit/templates/control.md": "# no skill", "a/b/c/d/control/SKILL.md": GOOD})
    index = SkillIndex.from_paths(root)
    assert list(index) == ["control", "kit"]
    assert not Toolkit(index).call("describe_skill", {"name": "control"}).error
    assert list(SkillIndex.from_paths(root, nested=True)) == ["control", "kit", "retro"]


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD", "skill.MD"])
def test_the_file_name_in_another_case(make: Make, name: str) -> None:
    """It is read with a warning, refused when strict, and never beside the right one."""
    root = make({f"kit/{name}": f"---\n{HEAD}---\n"})
    assert (list(SkillIndex.from_paths(root)), codes(SkillIndex.from_paths(root))) == (["kit"], {"file-name"})
    strict = SkillIndex.from_paths(root, strict=True)
    assert (list(strict), [finding.severity for finding in strict.findings]) == ([], [Severity.ERROR])
    make({"kit/SKILL.md": f"---\n{HEAD}license: right\n---\n"})
    both = SkillIndex.from_paths(root)
    assert (both["kit"].license, codes(both)) == ("right", {"second-file"})


@pytest.mark.parametrize(
    "folder", ["a [b]", "x*y", "q?", "{a,b}", "$HOME", "~", "a\\b", "a b", "-x", "é", "e\u0301", "'q\""]
)
def test_paths_have_no_meaning_but_their_text(make: Make, folder: str) -> None:
    """No sign of a pattern or a shell changes what is searched, and locations are '/'-paths."""
    root = make({f"{folder}/deep/control/SKILL.md": GOOD})
    for place in (root, root / folder):
        index = SkillIndex.from_paths(place)
        assert list(index) == ["control"]
        assert index["control"].origin.location == f"{root.as_posix()}/{folder}/deep/control/SKILL.md"


@pytest.mark.parametrize(
    ("path", "root", "shown"),
    [
        (PureWindowsPath(r"C:\s\kit\refs\api.md"), PureWindowsPath("C:/s/kit"), "refs/api.md"),
        (PureWindowsPath(r"\\host\share\kit\a.md"), PureWindowsPath(r"\\host\share"), "kit/a.md"),
        (PurePosixPath("/s/kit/refs/api.md"), PurePosixPath("/s/kit"), "refs/api.md"),
        (PurePosixPath("/s/kit/a\\b.md"), PurePosixPath("/s/kit"), "a\\b.md"),
    ],
)
def test_relative_paths_have_slashes(
    path: PureWindowsPath | PurePosixPath, root: PureWindowsPath | PurePosixPath, shown: str
) -> None:
    """On every system; a backslash that is a letter of a name stays one."""
    assert relative_path(path, root) == shown


def test_names_and_folders_may_differ_in_form_only(make: Make) -> None:
    """A composed name in a decomposed folder is no mismatch, and is found in both forms."""
    root = make({"re\u0301dacteur/SKILL.md": "---\nname: r\u00e9dacteur\ndescription: D.\n---\n"})
    index = SkillIndex.from_paths(root, strict=True)
    assert (len(index), index.findings) == (1, ())
    assert index["re\u0301dacteur"] is index["r\u00e9dacteur"]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_disk_does_not_matter(
    make: Make, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Names, ids, findings and the prompt are the same bytes in whatever order folders are listed."""
    files = {
        f"{folder}/{name}/SKILL.md": f"---\nname: {name}\ndescription: D: {folder}\n---\n"
        for folder in ("b", "A", "a-c")
        for name in ("zeta", "Alpha", "kit")
    }
    root = make(files)
    expected = SkillIndex.from_paths(root)
    shuffle, scandir = random.Random(seed), os.scandir

    class Shuffled:
        def __init__(self, path: str) -> None:
            with scandir(path) as listed:
                self._entries = list(listed)
            shuffle.shuffle(self._entries)

        def __enter__(self) -> Shuffled:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def __iter__(self) -> Iterator[os.DirEntry[str]]:
            return iter(self._entries)

    monkeypatch.setattr(os, "scandir", Shuffled)
    again = SkillIndex.from_paths(root)
    assert again.snapshot() == expected.snapshot()
    assert again.findings == expected.findings
    assert skill_index_section(again) == skill_index_section(expected)


# Lists written as text

TOOLS = [
    ("Read Write Glob", ("Read", "Write", "Glob")),
    ('"Read Write Glob"', ("Read", "Write", "Glob")),
    ("Read, Grep ,Bash", ("Read", "Grep", "Bash")),
    ("Read,Bash", ("Read", "Bash")),
    ("[Read, Grep]", ("Read", "Grep")),
    ("\n  - Read\n  - Bash(git *)", ("Read", "Bash(git *)")),
    ("|\n  Read\n  Bash(a b)", ("Read", "Bash(a b)")),
    ("Bash(git add *) Bash(git commit *)", ("Bash(git add *)", "Bash(git commit *)")),
    ("Bash(git push *), WebFetch", ("Bash(git push *)", "WebFetch")),
    ("Bash(git add *, git rm *) Read", ("Bash(git add *, git rm *)", "Read")),
    ("[Read, Bash(git add *, git rm *)]", ("Read", "Bash(git add *, git rm *)")),
    ("Bash(a (b) c),Read", ("Bash(a (b) c)", "Read")),
    ("Bash(npm: run), Read", ("Bash(npm: run)", "Read")),
    ("mcp__db__query Read", ("mcp__db__query", "Read")),
    ("Read\t Grep", ("Read", "Grep")),
    ("Read,, Grep,", ("Read", "Grep")),
    ("Read Read", ("Read",)),
    ("[]", ()),
    ('""', ()),
    ("null", None),
    ("~", None),
    ("", None),
]


@pytest.mark.parametrize(("value", "tools"), TOOLS)
def test_lists_of_tools_in_every_form(value: str, tools: tuple[str, ...] | None) -> None:
    """Blanks, commas and YAML lists are one list, cut outside brackets; nothing said is not none."""
    assert one(f"name: kit\ndescription: D.\nallowed-tools: {value}")["kit"].allowed_tools == tools


def test_absent_and_empty_lists_differ_for_hosts_and_models() -> None:
    """A skill that says nothing is not shown as one that may use nothing."""
    index = one("name: kit\ndescription: D.\nallowed-tools: []")
    toolkit = Toolkit(index)
    assert (index["control"].allowed_tools, index["kit"].allowed_tools) == (None, ())
    assert "Allowed tools: (all)" in toolkit.call("describe_skill", {"name": "control"}).text
    assert "Allowed tools: (none pre-approved)" in toolkit.call("describe_skill", {"name": "kit"}).text


BROKEN = ["Bash(git *", "Bash git *)", "Read Bash(rm", "Bash(a]b)", "Bash (git *)", "[Read, Bash(git *]", "*"]
BROKEN += ["{Bash: true}", "[[Bash]]", "[{Bash: x}]", "- Bash", "'Bash(git *'", "Bash(a, b)) Read"]


@pytest.mark.parametrize("value", BROKEN)
def test_a_broken_list_grants_nothing(value: str) -> None:
    """Where it was meant to end cannot be known, so no tool is granted, and the reader is told."""
    index = one(f"name: kit\ndescription: D.\nallowed-tools: {value}")
    assert index["kit"].allowed_tools == ()
    assert "tools-unreadable" in codes(index)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(strategies.TOOLS), min_size=1, max_size=5, unique=True), st.data())
def test_damage_never_widens_a_grant(tools: list[str], data: st.DataObject) -> None:
    """A list with one character taken out grants only what stands in it whole, or less."""
    text = data.draw(st.sampled_from([", ", " "])).join(tools)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + text[at + 1 :]
    granted = one(f"name: kit\ndescription: D.\nallowed-tools: {json.dumps(damaged)}")["kit"].allowed_tools
    assert granted is not None
    for tool in granted:
        assert tool in damaged
        # A pattern never loses the brackets that narrow it.
        assert ("(" in tool) or f"{tool}(" not in damaged
