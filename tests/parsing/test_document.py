"""One SKILL.md from bytes to a skill: modes, fields, findings, and any bytes at all."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.findings import Severity
from skill_index.frozen import FrozenMap
from skill_index.model import Origin, RawSkill, Skill
from skill_index.parsing import CODES, Parsed, parse_skill
from skill_index.settings import Limits


def read(text: str | bytes, *, strict: bool = False, path: str = "pdf/SKILL.md", root: str = "") -> Parsed:
    """Read one SKILL.md."""
    data = text if isinstance(text, bytes) else text.encode()
    return parse_skill(RawSkill(Origin(root=root, path=path), data), strict=strict)


def header(*lines: str, strict: bool = False) -> Parsed:
    """Read a SKILL.md with these lines of front matter."""
    return read("\n".join(["---", *lines, "---", "Steps.\n"]), strict=strict)


def skill(*lines: str) -> Skill:
    """Read a skill with these lines beside name and description."""
    found = header("name: pdf", "description: d", *lines).skill
    assert found is not None
    return found


def codes(parsed: Parsed) -> list[tuple[str, int | None]]:
    """Return the codes and lines of the findings."""
    return [(finding.code, finding.line) for finding in parsed.findings]


def test_a_whole_skill_is_read() -> None:
    """Every field of the specification lands in its place, in both modes and without a finding."""
    text = (
        "---\nname: pdf\ndescription: >-\n  Fill forms.\n  Merge files.\nlicense: MIT\n"
        "compatibility: Needs qpdf\nmetadata:\n  author: Ann\n  version: 1.10\n"
        "allowed-tools: Read Bash(qpdf *)\n---\n\n# Steps\n"
    )
    for strict in (False, True):
        parsed = read(text, strict=strict)
        assert parsed.findings == ()
        assert parsed.skill == Skill(
            "pdf",
            "Fill forms. Merge files.",
            "# Steps\n",
            license="MIT",
            compatibility="Needs qpdf",
            metadata={"author": "Ann", "version": "1.10"},
            allowed_tools=("Read", "Bash(qpdf *)"),
            origin=Origin(path="pdf/SKILL.md"),
            digest=hashlib.sha256(text.encode()).hexdigest(),
        )


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["name: PDF", "description: d"], "name-not-lowercase", 2),
        (["name: other", "description: d"], "name-not-folder", 2),
        (["description: d"], "name-missing", 1),
        (["name: [a, b]", "description: d"], "field-not-text", 2),
        (["name: pdf", "description: " + "d" * 1025], "description-too-long", 3),
        (["name: pdf", "description: d", "compatibility: " + "c" * 501], "compatibility-too-long", 4),
        (["name: pdf", "description: d", "license: {a: b}"], "field-not-text", 4),
        (["name: pdf", "description: d", "metadata: text"], "metadata-not-a-mapping", 4),
        (["name: pdf", "description: d", "metadata: {a: [b]}"], "metadata-nested", 4),
        (["name: pdf", "description: d", "version: 1.10"], "extension-key", 4),
        (["name: pdf", "description: d", "zzz: 1"], "unknown-key", 4),
        (["name: pdf", "Description: d"], "misspelt-key", 3),
        (["name: pdf", "description: d", "description: e"], "duplicate-key", 4),
        (["name: pdf", "description: !x d"], "yaml-tag", 3),
        (["name: pdf", "<!-- a: b -->", "description: d"], "html-comment", 3),
        (["name: pdf", "<!-- a -->", "description: d"], "html-comment", 3),
        (["name: pdf", "words", "description: d"], "stray-line", 3),
        (["name: pdf", "description: d", "allowed-tools: Bash(x"], "tools-unreadable", 4),
        (["name: pdf", "description: a\x07b"], "control-character", 3),
    ],
)
def test_a_broken_rule_warns_in_lenient_and_refuses_in_strict_mode(
    lines: list[str], code: str, line: int
) -> None:
    """Both modes find the same on the same line; only strict mode calls it an error and refuses the skill."""
    lenient, strict = header(*lines), header(*lines, strict=True)
    assert (code, line) in codes(lenient)
    assert codes(lenient) == codes(strict)
    assert lenient.skill is not None
    assert all(finding.severity is not Severity.ERROR for finding in lenient.findings)
    assert strict.skill is None
    assert {finding.code for finding in strict.findings if finding.severity is Severity.ERROR} >= {code}


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("# Title\n", "header-missing", 1),
        ("---\nname: pdf\ndescription: d\n", "header-unclosed", 1),
        ("---\n---\n", "description-missing", 1),
        ("---\nname: pdf\n---\n", "description-missing", 1),
        ("---\nname: pdf\ndescription: ' '\n---\n", "description-missing", 3),
        ("---\nname: pdf\ndescription: ~\n---\n", "description-missing", 3),
        ("---\nname: pdf\ndescription: \u200b\u3164\n---\n", "description-missing", 3),
        ("---\nname: pdf\ndescription: [a, b]\n---\n", "description-missing", 3),
        ("---\n- name: pdf\n---\n", "not-a-mapping", 2),
        ('---\nname: pdf\ndescription: "open\n---\nclosed"\n---\n', "quote-open", 3),
        ("---\n@\n---\n", "yaml-invalid", 2),
        ("---\ndescription: d\na: &x @b\nk: *x\n---\n", "yaml-invalid", 3),
        ("---\nname: pdf\ndescription: d\nk: " + "[" * 50 + "\n---\n", "yaml-too-complex", 4),
        (
            "---\nname: pdf\ndescription: d\nk: !!python/object/apply:os.mkdir ['x']\nl: &a [*a]\n---\n",
            "yaml-too-complex",
            5,
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_both_modes(text: str, code: str, line: int) -> None:
    """Without a readable header and a description there is no skill, only an error that says where."""
    for strict in (False, True):
        parsed = read(text, strict=strict)
        assert parsed.skill is None
        errors = [(f.code, f.line) for f in parsed.findings if f.severity is Severity.ERROR]
        assert (code, line) in errors


def test_repaired_text_is_a_warning_or_a_strict_error_with_its_column() -> None:
    """Both modes name the key, the line and the column, and say to quote."""
    lines = ("name: pdf", "description: Fill: fast", "metadata: {a: 1.0}")
    lenient, strict = header(*lines), header(*lines, strict=True)
    assert lenient.skill is not None
    assert lenient.skill.description == "Fill: fast"
    assert lenient.skill.metadata == FrozenMap({"a": "1.0"})
    assert codes(lenient) == [("repaired", 3)]
    assert codes(strict) == [("yaml-invalid", 3)]
    for parsed in (lenient, strict):
        assert "'description'" in parsed.findings[0].message
        assert "column 18" in parsed.findings[0].message
        assert "quotes" in parsed.findings[0].message


def test_lost_text_is_shown_and_kept_lost() -> None:
    """A comment that cuts a description is a warning in both modes; beside other values it is information."""
    for strict in (False, True):
        parsed = header("name: pdf", "description: Posts to #ops daily", "license: MIT # free", strict=strict)
        assert parsed.skill is not None
        assert parsed.skill.description == "Posts to"
        assert [(f.code, f.severity) for f in parsed.findings] == [
            ("comment-cut", Severity.WARNING),
            ("comment", Severity.INFO),
        ]
        assert "#ops daily" in parsed.findings[0].message


def test_a_header_below_a_comment_keeps_its_line_numbers() -> None:
    """Lines count from the top of the file, and strict mode wants the header there."""
    text = "<!-- made -->\n\n---\nname: PDF\ndescription: d\n---\n"
    assert codes(read(text)) == [("header-not-first", 3), ("name-not-lowercase", 4), ("name-not-folder", 4)]
    assert read(text, strict=True).skill is None


@pytest.mark.parametrize(
    ("path", "root", "name"),
    [
        ("a/pdf/SKILL.md", "/skills", "pdf"),
        ("SKILL.md", "/skills/pdf", "pdf"),
        ("SKILL.md", "/skills/pdf/", "pdf"),
        ("SKILL.md", "C:\\skills\\pdf", "pdf"),
        ("a\\b/SKILL.md", "/skills", "a\\b"),
        ("a\nb /SKILL.md", "/skills", "a b"),
        ("\u202epdf\udcff/SKILL.md", "/skills", "pdf"),
    ],
)
def test_a_missing_name_is_the_folders(path: str, root: str, name: str) -> None:
    """The nearest folder names the skill, and the finding names the whole path of the file."""
    parsed = read("---\ndescription: d\n---\n", path=path, root=root)
    assert parsed.skill is not None
    assert parsed.skill.name == name
    assert parsed.findings[0].path == f"{root.rstrip('/')}/{path}"


@pytest.mark.parametrize(
    "path", ["SKILL.md", "  /SKILL.md", "a/\u200b/SKILL.md", "\n/SKILL.md", "\udcff/SKILL.md"]
)
def test_without_name_and_folder_there_is_no_skill(path: str) -> None:
    """Nothing to call it by is an error in either mode, as is a folder whose name cannot be shown."""
    parsed = read("---\ndescription: d\n---\n", path=path)
    assert parsed.skill is None
    assert codes(parsed) == [("name-unknown", 1)]


def test_any_name_is_kept_as_typed_on_one_line() -> None:
    """A name that breaks rules still names the skill, with its line breaks folded."""
    parsed = header('name: "  Report\\n  Writer_2 "', "description: d")
    assert parsed.skill is not None
    assert parsed.skill.name == "Report Writer_2"


@pytest.mark.parametrize(
    ("lines", "tools"),
    [
        ([], None),
        (["allowed-tools:"], None),
        (["allowed-tools: null"], None),
        (["allowed-tools: []"], ()),
        (["allowed-tools: ''"], ()),
        (["allowed-tools: [Read, Bash(git add *, git commit)]"], ("Read", "Bash(git add *, git commit)")),
        (["allowed-tools:", "  - Read", "  - Bash(git *)"], ("Read", "Bash(git *)")),
        (["allowed_tools: Read"], ("Read",)),
        (["allowed-tools: Read", "allowed-tools: Bash"], ("Read",)),
        (["allowed-tools: Read\t Grep"], ("Read", "Grep")),
        (["allowed-tools: *"], ()),
        (["allowed-tools: [Read, Bash"], ()),
        (["allowed-tools: {Read: yes}"], ()),
        (["allowed-tools:", "Bash"], ()),
        (["allowed-tools:", "- Read", "- @Bash"], ()),
        (["@allowed-tools: Bash", "x: a: b"], None),
        (["license: a: b", "metadata: {", "allowed-tools: Bash", "}"], None),
        (["allowed-tools: [[Bash], Read]"], ("Read",)),
    ],
)
def test_tools_are_never_wider_than_written(lines: list[str], tools: tuple[str, ...] | None) -> None:
    """Nothing said is None, an empty or unreadable list is (), and no mending adds a tool."""
    assert skill(*lines).allowed_tools == tools


@pytest.mark.parametrize(
    ("lines", "tags"),
    [
        (["tags: backend"], ("backend",)),
        (["tags: a, b c ,, a"], ("a", "b c")),
        (["tags: [a, b]", "keywords: 7"], ("a", "b", "7")),
        (["metadata: {tags: [a], keywords: 'b, c'}"], ("a", "b", "c")),
        (["tags: [@a, b]"], ("@a", "b")),
        (["tags:", "  - @a", "  - b"], ("@a", "b")),
        (["tags:", "- a: b: c", "- '#d'"], ("a: b: c", "#d")),
        (["tags: {a: b}"], ()),
        (["tags:"], ()),
        (["tags: [[a], ~, b]"], ("b",)),
        (["tags: |", "  a b", "  c"], ("a b", "c")),
        (["tags: |", "  - a", "  - b-c"], ("a", "b-c")),
        (["tags: 写作，翻译、编辑"], ("写作", "翻译", "编辑")),
        (['tags: \'["a b", "c"]\''], ("a b", "c")),
        (["tags: ['a', @b]"], ("a", "@b")),
    ],
)
def test_tags_are_whole_words_from_any_place(lines: list[str], tags: tuple[str, ...]) -> None:
    """Lists and texts with commas or lines give tags, never letters; the top comes before `metadata`."""
    assert skill(*lines).tags == tags


def test_aliases_and_extra_keys_are_kept() -> None:
    """Aliases are read like tags; every other key is kept as text, tuples and mappings."""
    made = skill("aliases: [forms, acroform]", "version: 1.10", "hooks: {on: [a, ~], off: }", "empty:")
    assert made.aliases == ("forms", "acroform")
    assert made.extra == FrozenMap({"version": "1.10", "hooks": FrozenMap({"on": ("a",), "off": ""})})


def test_metadata_can_be_written_as_json() -> None:
    """Dates, sets, nested and merged values all come down to text, lists and mappings."""
    made = skill(
        "base: &b {owner: Ann}",
        "metadata:",
        "  <<: *b",
        "  reviewed: 2026-02-03T10:00:00Z",
        "  parts: !!set {a, b}",
        "  nested: {list: [1, {two: 2}]}",
    )
    shown = json.loads(json.dumps(made.metadata, default=dict))
    assert shown == {
        "reviewed": "2026-02-03T10:00:00Z",
        "parts": {"a": "", "b": ""},
        "nested": {"list": ["1", {"two": "2"}]},
        "owner": "Ann",
    }


METADATA = [
    ("{a: 1, b: 2.50, c: 1e3, d: 0x1F, e: 1_000, f: 007, g: -0}", "1|2.50|1e3|0x1F|1_000|007|-0"),
    ("{a: true, b: No, c: on, d: .inf, e: 1:30}", "true|No|on|.inf|1:30"),
    ("{a: null, b: ~, c: , d}", "|||"),
    ("{a: 2025-12-01, b: 2026-02-03T10:00:00Z}", "2025-12-01|2026-02-03T10:00:00Z"),
    ("{a: '1', \"b\": \"x y\", c: it''s}", "1|x y|it''s"),
    ("{a: !!int 5, b: !!str 6,}", "5|6"),
    ("{a: http://x.y/z?n=1, b: 50%}", "http://x.y/z?n=1|50%"),
    ("{}", ""),
]


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize(("flow", "values"), METADATA)
def test_metadata_on_one_line_is_text_as_typed(flow: str, values: str, *, broken: bool) -> None:
    """Numbers, dates and booleans are not converted, nothing is "", and there is no finding."""
    if broken:  # over several lines
        flow = flow.replace("{", "{\n  ").replace(", ", ",\n  ").replace("}", "\n}")
    parsed = header("name: pdf", "description: d", *f"metadata: {flow}".split("\n"))
    assert parsed.skill is not None
    assert "|".join(parsed.skill.metadata.values()) == values
    assert parsed.findings == ()


def test_keys_of_metadata_are_text_as_typed() -> None:
    """Whatever YAML would make of them; of one that stands twice the first is used, and that is told."""
    metadata = skill("metadata: {1: a, true: b, null: c, 2025-01-01: d}").metadata
    assert dict(metadata) == {"1": "a", "true": "b", "null": "c", "2025-01-01": "d"}
    parsed = header("name: pdf", "description: d", "metadata: {a: 1, a: 2}")
    assert parsed.skill is not None
    assert (dict(parsed.skill.metadata), codes(parsed)) == ({"a": "1"}, [("duplicate-key", 4)])


@pytest.mark.parametrize("flow", ["{a: 1", "{a: @x}", "{a: x: y}", "{a: *b}", "[a, b]", "[]", "5"])
def test_metadata_that_is_no_mapping_is_empty_and_told(flow: str) -> None:
    """No part of it is made up, and the skill is there."""
    parsed = header("name: pdf", "description: d", f"metadata: {flow}")
    assert parsed.skill is not None
    assert dict(parsed.skill.metadata) == {}
    assert codes(parsed)[-1] == ("metadata-not-a-mapping", 4)


def test_every_problem_is_told_at_once_and_in_order() -> None:
    """One reading tells all that strict mode refuses, from the top down."""
    parsed = header("name: A_b", "version: 1", "allowed_tools: Bash(", "description: x: y", strict=True)
    assert codes(parsed) == [
        ("name-not-lowercase", 2),
        ("name-characters", 2),
        ("name-not-folder", 2),
        ("extension-key", 3),
        ("misspelt-key", 4),
        ("tools-unreadable", 4),
        ("yaml-invalid", 5),
    ]


def test_limits_can_be_set() -> None:
    """A caller's limits hold, and the finding names the bound."""
    raw = RawSkill(Origin(path="pdf/SKILL.md"), b"---\nname: pdf\ndescription: d\n---\n")
    parsed = parse_skill(raw, limits=Limits(file_bytes=10))
    assert parsed.skill is None
    assert "10 bytes" in parsed.findings[0].message


def check(parsed: Parsed, strict: bool) -> None:
    """Assert what holds of every answer, whatever was read."""
    for finding in parsed.findings:
        code = CODES[finding.code]
        assert finding.severity is (code.strict if strict else code.lenient)
        assert finding.message
        assert finding.path == "pdf/SKILL.md"
    refused = any(finding.severity is Severity.ERROR for finding in parsed.findings)
    assert (parsed.skill is None) == refused
    if parsed.skill is not None:
        assert parsed.skill.name.strip()
        assert parsed.skill.description.strip()
        assert "\0" not in parsed.skill.name + parsed.skill.description
        everything = [
            parsed.skill.extra,
            parsed.skill.metadata,
            parsed.skill.tags,
            parsed.skill.allowed_tools,
        ]
        json.dumps(everything, default=dict, ensure_ascii=False).encode()
        assert pickle.loads(pickle.dumps(parsed)) == parsed  # noqa: S301  our own bytes


# fmt: off
PIECES = [
    "---\n", "---", "name: pdf\n", "description: text\n", "description: ", "metadata:\n  k: ",
    "allowed-tools: ", "tags: ", "x: ", ": ", "\n", "\n  ", "\n\t", "- ", "[", "]", "{", "}", ",", '"', "'",
    " #", "&a ", "*a ", "!!python/x ", "|", ">", "? ", "@", "`", "%", "<<: ", "\\", "\\0", "\\ud800",
    "null", "Bash(", ")", "Read", "\r\n", "\x00", "\ufeff", "\u2028", "é", "<!-- ", "-->", "...",
]
# fmt: on
ALMOST = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@settings(max_examples=300, deadline=None)
@given(ALMOST, st.booleans())
def test_almost_yaml_never_raises(text: str, strict: bool) -> None:
    """Any mixture of YAML's own signs in a header gives a skill or an error, and only text as values."""
    check(read(f"---\nname: pdf\ndescription: d\n{text}\n---\nSteps.", strict=strict), strict)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=200), ALMOST.map(str.encode)), st.booleans())
def test_any_bytes_never_raise(data: bytes, strict: bool) -> None:
    """Whatever is in the file, there is an answer."""
    check(read(data, strict=strict), strict)


@settings(max_examples=100, deadline=None)
@given(ALMOST)
def test_the_modes_differ_in_severity_alone(text: str) -> None:
    """Strict mode finds what lenient mode finds, on the same lines."""
    lenient = read(f"---\ndescription: d\n{text}\n---\n")
    strict = read(f"---\ndescription: d\n{text}\n---\n", strict=True)
    renamed = [("yaml-invalid" if code == "repaired" else code, line) for code, line in codes(lenient)]
    assert renamed == codes(strict)


def test_importing_the_package_does_not_load_yaml() -> None:
    """PyYAML comes with the first file that is read, not before."""
    script = (
        "import sys, skill_index.parsing as p; assert 'yaml' not in sys.modules;"
        "from skill_index.model import Origin, RawSkill;"
        "p.parse_skill(RawSkill(Origin(), b'---\\nname: a\\n---')); assert 'yaml' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)  # noqa: S603  a fixed script


def test_a_header_without_a_blank_behind_any_colon_is_read() -> None:
    """One text to YAML, or keys that hold values; a list or a quoted text is no header."""
    for lines, described in (
        (("name：a", "description：填写 PDF：快"), "填写 PDF：快"),
        (("name:a", "description:Fills forms: fast"), "Fills forms: fast"),
        (("name: a", "description:Fills forms: fast"), "Fills forms: fast"),
    ):
        skill = header(*lines).skill
        assert skill is not None
        assert (skill.name, skill.description) == ("a", described)
    for text in ("- name:a", '"name:a\ndescription:b"', "words:a\nname:b"):
        assert [found.code for found in header(text).findings] == ["not-a-mapping"]


def test_the_folder_above_has_no_name_of_its_own() -> None:
    """A root that ends in '..' does not tell what its folder is called, so no name is compared with it."""
    text = "---\nname: pdf\ndescription: d\n---\n"
    assert read(text, path="SKILL.md", root="/skills/pdf/scripts/..", strict=True).findings == ()
