"""
Faults that users meet with names and permissions, by class: each test holds a whole kind.

The classes: one resolver behind every surface, the rules for names, names that are no paths,
and one filtered view behind every surface.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import (
    MemorySource,
    Origin,
    PatternError,
    Severity,
    Skill,
    SkillCatalog,
    SkillIndex,
    SkillNotFoundError,
)
from skill_index.prompt import build_section, skill_index_section
from skill_index.testing import strategies
from skill_index.tools import Toolkit

Make = Callable[[Mapping[str, str | bytes]], Path]


def text(name: str, description: str = "D.", body: str = "B") -> str:
    """Return a SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}\n"


def named(*names: str, strict: bool = False) -> SkillIndex:
    """Index skills of these names, each in a folder of its name."""
    return SkillIndex([MemorySource({f"{name}/SKILL.md": text(name) for name in names})], strict=strict)


def labelled(**skills: str) -> SkillCatalog:
    """Return a catalog in which each source holds one skill, described by its source."""
    return SkillCatalog(
        [
            Skill(name, f"From {label}.", label, origin=Origin(label, f"/{label}", f"{name}/SKILL.md"))
            for label, name in skills.items()
        ]
    )


def described(skills: SkillCatalog | SkillIndex, name: str) -> list[str]:
    """Return the headings of what describe_skill answers."""
    reply = Toolkit(skills).call("describe_skill", {"name": name})
    return [line.removeprefix("## Skill: ") for line in reply.text.split("\n") if line.startswith("## ")]


# One resolver

VARIANTS = [
    " code-review ",
    "code-review\n",
    "'code-review'",
    '"code-review"',
    "`code-review`",
    "code_review",
    "Code Review",
    "CODE-REVIEW",
    "code  review",
    "ｃｏｄｅ-review",
    "team:code-review",
    "team:Code_Review",
]


@pytest.mark.parametrize("asked", VARIANTS)
def test_every_surface_reads_a_name_alike(asked: str) -> None:
    """Blanks, quotes, case and separators do not matter to a lookup, a tool or a selection."""
    catalog = labelled(team="code-review", other="deploy")
    assert catalog[asked].name == "code-review"
    assert asked in catalog
    assert catalog.search(asked).state == "exact"
    assert catalog.search(asked).names[0] == "code-review"
    assert catalog.search(f"select:{asked}").names == ("code-review",)
    assert described(catalog, asked) == ["code-review"]


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "''", '""'])
def test_an_empty_name_is_no_name(blank: str) -> None:
    """It is told to be empty, or not found; never the first skill, never all."""
    catalog = labelled(team="code-review")
    assert blank not in catalog
    with pytest.raises(SkillNotFoundError):
        catalog[blank]
    assert described(catalog, blank) == []
    assert Toolkit(catalog).call("describe_skill", {"name": blank}).error is not None


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("(Pod Functions)", "pod-functions"),
        ("pod-function", "pod-functions"),
        ("podfunctions", "pod-functions"),
        ("pod-fucntions", "pod-functions"),
        ("wrong:pod-functions", "pod-functions"),
        ("skill: pod-functions", "pod-functions"),
        ("code-reviewer", "code-review"),
        ("the pod_functions skill", "pod-functions"),
        ("pod-functions/SKILL.md", "pod-functions"),
        ("skills/main/pod-functions", "pod-functions"),
        ("POD-FUNCTIONS;code-review", "pod-functions"),
        ("**技能**", "技能"),
        ("@技能", "技能"),
        ("$技能", "技能"),
        ("技能.md", "技能"),
    ],
)
def test_a_miss_names_the_nearest_few(asked: str, near: str) -> None:
    """A name that is not there is answered with the nearest first, and few of them."""
    catalog = SkillCatalog(
        [
            *(Skill(f"filler-{number}", "D.") for number in range(40)),
            Skill("pod-functions", "D."),
            Skill("code-review", "D."),
            Skill("技能", "D."),
        ]
    )
    with pytest.raises(SkillNotFoundError) as caught:
        catalog[asked]
    assert caught.value.nearby[0] == near
    assert len(caught.value.nearby) <= 3
    reply = Toolkit(catalog).call("describe_skill", {"name": f"select:{asked}"})
    assert reply.error is not None
    assert reply.error.nearby[0] == near


@pytest.mark.parametrize("parted", [" ", ";", "; ", " | ", "/", "+", " & ", "  ", "\t"])
def test_names_parted_otherwise_are_the_nearest(parted: str) -> None:
    """Several names asked for as one, as models list them, are told one by one."""
    names = ("pdf-forms", "pdf-merge", "chart")
    catalog = SkillCatalog([Skill(name, "D.") for name in (*names, "pdf-forms-and-merge", "other")])
    note = catalog.search(f"select:{parted.join(names)}").notes[0]
    assert (note.code, set(note.suggestions)) == ("not-found", set(names))


def test_a_unique_name_needs_no_label() -> None:
    """The bare name, the id and a folder's name reach a skill; a wrong label reaches none."""
    index = SkillIndex([MemorySource({"folder-x/SKILL.md": text("name-y")}, label="agent-plugin-viz")])
    for asked in ("name-y", "agent-plugin-viz:name-y", "folder-x", "select:name-y", "select:folder-x"):
        assert described(index, asked) == ["name-y"]
    for asked in ("viz:name-y", "agent-plugin:name-y", "agent-plugin-viz-2:name-y"):
        assert asked not in index
        with pytest.raises(SkillNotFoundError, match="name-y"):
            index[asked]


def test_labels_are_compared_whole() -> None:
    """A label that begins or ends like another is another."""
    catalog = labelled(fork="x", acme="x", acmefork="x")
    for label in ("acme", "fork", "acmefork"):
        assert catalog[f"{label}:x"].origin.label == label
        assert catalog.search(f"select:{label}:x").hits[0].skill.origin.label == label
    assert "acm:x" not in catalog


def test_an_ambiguous_name_lists_its_skills() -> None:
    """Where no skill keeps the bare name, each is told under the id that reaches it."""
    files = {"a/tool/SKILL.md": text("tool", "One."), "b/tool/SKILL.md": text("tool", "Two.")}
    index = SkillIndex([MemorySource(files, label="s")])
    with pytest.raises(SkillNotFoundError) as caught:
        index["tool"]
    assert caught.value.ambiguous
    assert {index[name].description for name in caught.value.nearby} == {"One.", "Two."}
    (note,) = index.search("select:tool").notes
    assert set(note.suggestions) == set(caught.value.nearby)


ODD_NAMES = [
    "select:a",
    "+plus",
    "-minus",
    "name:x",
    "a,b",
    'say "hi"',
    "Report Writer",
    "a\n- b: c",
    "x:y:z",
]
ODD_NAMES += [
    "12:30",
    "<b>&amp;",
    "R&D",
    "it's",
    "c++",
    ".net",
    "???",
    "A",
    "a",
    "a_b",
    "a-b",
    "pdf\u200bforms",
    " +0",
    " -0",
    "a +b",
    "-a",
]
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20) | st.sampled_from(
    ODD_NAMES
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(NAMES, strategies.words()), min_size=1, max_size=5))
def test_what_is_shown_can_be_passed_back(given_names: list[tuple[str, str]]) -> None:
    """Every name in a prompt or a reply, as it stands there, finds that skill on every surface."""
    skills = [Skill(name, word, word) for name, word in given_names if name.strip()]
    catalog = SkillCatalog(skills)
    for key, entry in zip(catalog, catalog.entries, strict=True):
        assert catalog.entry(key) is entry
        assert catalog.search(key).names[0] == key
        assert catalog.search(key).state == "exact"


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(NAMES, strategies.words()), min_size=1, max_size=4))
def test_what_a_file_is_called_by_can_be_passed_back(given_names: list[tuple[str, str]]) -> None:
    """The same for names that come from files, in the form in which a model sees them."""
    files = {f"f{at}/SKILL.md": text(json.dumps(name), word) for at, (name, word) in enumerate(given_names)}
    index = SkillIndex([MemorySource(files)])
    listing = build_section(index, form="available_skills", budget_tokens=None, tools=()).text
    shown = [after for before, after in pairwise(listing.split("\n")) if before == "<name>"]
    assert [html.unescape(name) for name in shown] == list(index)
    for key, name in zip(index, shown, strict=True):
        assert index.search(key).names[0] == key
        assert described(index, key)[:1] == described(index, name)[:1] == [name]


def test_generated_calls_fit_the_schema() -> None:
    """Tools and arguments named in texts for models are those of the schemas."""
    catalog = labelled(team="code-review", other="deploy")
    toolkit = Toolkit(catalog)
    texts = [skill_index_section(catalog), *(tool.description for tool in toolkit.schemas)]
    texts += [
        toolkit.call("describe_skill", {"name": query}).text for query in ("zebra", "code", "", "select:")
    ]
    texts += [toolkit.call("describe", {}).text, toolkit.call("describe_skill", {"query": "x"}).text]
    parameters = {tool.name: set(tool.parameters["properties"]) for tool in toolkit.schemas}
    calls = [call for shown in texts for call in re.findall(r"\b(\w+)\((\w+)=", shown)]
    assert calls
    assert all(argument in parameters[tool] for tool, argument in calls)


# Rules for names


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a_b", "name-characters"),
        ("a.b", "name-characters"),
        ("a b", "name-characters"),
        ("PDF-Kit", "name-not-lowercase"),
        ("É", "name-not-lowercase"),
        ("-lead", "name-edge-hyphen"),
        ("trail-", "name-edge-hyphen"),
        ("dou--ble", "name-double-hyphen"),
        ("a" * 65, "name-too-long"),
        ("技" * 65, "name-too-long"),
    ],
)
def test_a_name_against_the_rules(name: str, code: str) -> None:
    """Lenient reading warns and finds it by that very name; strict refuses it with one precise error."""
    index, strict = named(name), named(name, strict=True)
    assert (index[name].name, list(index)) == (name, [name])
    assert [(f.code, f.severity) for f in index.findings] == [(code, Severity.WARNING)]
    assert list(strict) == []
    assert [(f.code, f.severity, f.line) for f in strict.findings] == [(code, Severity.ERROR, 2)]


@pytest.mark.parametrize("name", ["a", "ok-1", "1", "a" * 64, "技能" * 32, "é" * 64, "über-1", "データ-2"])
def test_a_name_within_the_rules(name: str) -> None:
    """Letters of any script count as one character each."""
    assert (list(named(name, strict=True)), named(name, strict=True).findings) == ([name], ())


@pytest.mark.parametrize(
    "name", ["mcp-proxy", "ai-review", "claude-notes", "anthropic", "skill", "con", "none"]
)
def test_no_name_is_reserved(name: str) -> None:
    """The specification has no list of forbidden words."""
    assert named(name, strict=True).findings == ()


@pytest.mark.parametrize(("length", "fits"), [(1024, True), (1025, False)])
@pytest.mark.parametrize("letter", ["x", "é", "检", "🦊"])
def test_descriptions_are_measured_in_characters(letter: str, length: int, fits: bool) -> None:
    """At most 1,024 of them, whatever bytes each takes."""
    source = MemorySource({"kit/SKILL.md": text("kit", letter * length)})
    assert ("kit" in SkillIndex([source], strict=True)) == fits
    assert {f.code for f in SkillIndex([source]).findings} == (set() if fits else {"description-too-long"})


def test_names_that_look_alike_are_one_name() -> None:
    """Characters nobody sees are left out of a name and reported: they cannot make a second one."""
    files = {"a/SKILL.md": text('"kit\\u200b"', "One."), "kit/SKILL.md": text("kit", "Two.")}
    index = SkillIndex([MemorySource(files, label="s")])
    assert {index[key].name for key in index} == {"kit"}
    assert {"hidden-character", "name-shared"} <= {finding.code for finding in index.findings}


@pytest.mark.parametrize(
    "asked", ["../outside", "..", ".", "/", "{root}/outside", "kit/../outside", "~", "a\\..\\b"]
)
def test_a_name_is_no_path(make: Make, asked: str) -> None:
    """Names are looked up and never joined to a folder: what is outside stays there."""
    root = make({"outside/SKILL.md": text("secret", "HIDDEN"), "s/kit/SKILL.md": text("kit")})
    index = SkillIndex.from_paths(root / "s")
    name = asked.format(root=root)
    assert name not in index
    toolkit = Toolkit(index)
    assert toolkit.call("describe_skill", {"name": f"select:{name}"}).error is not None
    for query in (name, f"select:{name}"):
        assert "HIDDEN" not in toolkit.call("describe_skill", {"name": query}).text


# Filters

GIT = ("git-safe", "git-force", "docs", "dangerous")


@pytest.mark.parametrize(
    ("allow", "deny", "left"),
    [
        (["git-*"], None, ["git-force", "git-safe"]),
        (["*"], ["dangerous"], ["docs", "git-force", "git-safe"]),
        (["git-*"], ["git-force"], ["git-safe"]),
        (["git-force"], ["git-*"], []),
        (None, ["*"], []),
        (["[!d]*"], None, ["git-force", "git-safe"]),
        (["git-[fs]*"], None, ["git-force", "git-safe"]),
        (["GIT-*"], None, ["git-force", "git-safe"]),
        (["git_*", "Docs"], None, ["docs", "git-force", "git-safe"]),
        (["git"], None, []),
        (["*-safe"], None, ["git-safe"]),
        (["d?cs"], None, ["docs"]),
        ([], None, []),
        ((), None, []),
        (set(), None, []),
        (None, None, sorted(GIT)),
        (None, [], sorted(GIT)),
        ("docs", None, ["docs"]),
        (None, "docs", ["dangerous", "git-force", "git-safe"]),
    ],
)
def test_patterns(allow: list[str] | str | None, deny: list[str] | str | None, left: list[str]) -> None:
    """Whole names, case folded; deny wins in either order; nothing allowed is nothing."""
    catalog = SkillCatalog([Skill(name, "D.") for name in GIT])
    assert list(catalog.only(allow).without(deny)) == left
    assert list(catalog.without(deny).only(allow)) == left


UNREADABLE = [
    "",
    " ",
    "git-[fs",
    "[",
    "[!",
    "[]",
    "a[!]",
    "!git-force",
    " !docs",
    "git-{safe,force}",
    "{docs,}",
]


@pytest.mark.parametrize("pattern", UNREADABLE)
@pytest.mark.parametrize("how", ["only", "without"])
def test_a_pattern_that_cannot_be_read_is_refused(pattern: str, how: str) -> None:
    """It neither allows nor denies everything, alone or among others."""
    catalog = SkillCatalog([Skill(name, "D.") for name in GIT])
    for given_patterns in (pattern, [pattern], ["docs", pattern]):
        with pytest.raises(PatternError):
            getattr(catalog, how)(given_patterns)


@pytest.mark.parametrize("pattern", [None, 3, b"docs", ["docs"]])
def test_a_pattern_is_text(pattern: object) -> None:
    """Another type in a list of patterns is an error, and no pattern that matches nothing."""
    catalog = SkillCatalog([Skill(name, "D.") for name in GIT])
    with pytest.raises(PatternError):
        catalog.without([pattern])  # type: ignore[list-item]  # what an untyped host may pass


def test_views_of_views_only_narrow() -> None:
    """A sub-agent gets what its parent has, or less."""
    parent = SkillCatalog([Skill("safe", "D."), Skill("danger", "BOOM")]).only(["safe"])
    assert list(parent.only(None)) == ["safe"]
    assert list(parent.only(["danger", "safe"])) == ["safe"]
    assert list(parent.only(["*"])) == ["safe"]
    assert list(parent.only([])) == []
    assert list(parent.without(None)) == ["safe"]


@settings(max_examples=80, deadline=None)
@given(
    strategies.catalogs(min_size=1),
    st.lists(st.tuples(st.booleans(), st.lists(st.sampled_from([*strategies.WORDS, "*", "p*", "*-*"])))),
)
def test_no_chain_of_filters_brings_a_skill_back(
    catalog: SkillCatalog, steps: list[tuple[bool, list[str]]]
) -> None:
    """Each step holds a part of what was there before it, on every surface."""
    view = catalog
    for allow, patterns in steps:
        narrower = view.only(patterns) if allow else view.without(patterns)
        kept = {entry.id for entry in narrower.entries}
        assert kept <= {entry.id for entry in view.entries}
        for entry in catalog.entries:
            if entry.id not in kept:
                assert entry.id not in narrower
                assert entry.id not in narrower.search(f"select:{entry.id}").names
        view = narrower


def test_denying_one_of_two_of_a_name() -> None:
    """A bare name denies all of that name, an id only its own; the name then means what is left."""
    both = labelled(a="tool", b="tool")
    assert both["tool"].origin.label == "a"
    for view in (both.without(["tool"]), both.without("TOOL"), both.without(["*:tool"])):
        assert list(view) == []
        for name in ("tool", "a:tool", "b:tool", "select:tool"):
            assert name not in view
            assert described(view, name) == []
    first, second = both.without(["b:tool"]), both.without(["a:tool"])
    assert first["tool"].origin.label == "a"
    assert second["tool"].origin.label == "b"
    for view, gone in ((first, "b:tool"), (second, "a:tool")):
        assert gone not in view
        assert gone.partition(":")[0] not in repr(view.search("tool").names)
        assert f"From {gone[0]}." not in Toolkit(view).call("describe_skill", {"name": gone}).text
