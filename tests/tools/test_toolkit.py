"""The tools as one set: declared, renamed, narrowed, called with anything, and never speaking of more."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import CallableSource, Origin, Skill, SkillCatalog, SkillIndex
from skill_index.errors import ToolkitError
from skill_index.prompt import build_section
from skill_index.resources import InlineResources
from skill_index.running import ScriptCall, ScriptResult
from skill_index.testing import strategies
from skill_index.text import well_formed
from skill_index.tools import Event, Session, Toolkit, ToolReply
from skill_index.tools.calls import untitled

OURS = (
    "describe_skill",
    "list_skills",
    "load_skill",
    "unload_skill",
    "read_skill_resource",
    "run_skill_script",
)


class Echo:
    """A runner that prints the arguments it got."""

    def supports(self, script: str) -> bool:
        """Python files only."""
        return script.endswith(".py")

    def run(self, call: ScriptCall) -> ScriptResult:
        """Print them."""
        return ScriptResult(0, stdout=" ".join(call.args))


def fill(page: int) -> str:
    """Fill a page."""
    return str(page)


SKILLS = [
    Skill(
        "kit",
        "Fill PDF forms.",
        "# Body\n" + "line\n" * 40_000,
        resources=InlineResources(
            {"refs/a.md": "x\n" * 20_000, "a.py": "print()", "b.bin": b"\0", "h.md": "# H"}
        ),
        scripts={"fill": fill},
    ),
    *(Skill(f"pdf-{number:02}", f"Fill PDF form {number}.", "Body.") for number in range(20)),
    Skill("db", "Query the database.", input_schema={"type": "object", "title": "\ud800<b>"}),
    Skill("web", "From the web.", "Body.", origin=Origin("web", trusted=False), scripts={"fill": fill}),
]


def tools(**more: Any) -> Toolkit:
    """Return all tools over some skills."""
    return Toolkit(SkillCatalog(SKILLS), runner=Echo(), **more)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("describe_skill", {"name": "kit"}),
    ("describe_skill", {"name": "db"}),
    ("describe_skill", {"name": "query database"}),
    ("describe_skill", {"name": "pdf form"}),
    ("describe_skill", {"name": "kitt"}),
    ("describe_skill", {"name": "zzzzz"}),
    ("describe_skill", {"name": "select:kit,db,none"}),
    ("list_skills", {}),
    ("list_skills", {"query": "pdf"}),
    ("list_skills", {"offset": 99}),
    ("load_skill", {"skill_name": "kit"}),
    ("load_skill", {"skill_name": "kit"}),
    ("load_skill", {"skill_name": "kit", "offset": 39_999}),
    ("load_skill", {"skill_name": "web"}),
    ("load_skill", {"skill_name": "db"}),
    ("load_skill", {"skill_name": "kitt"}),
    ("load_skill", {"skill_name": "zzzzz"}),
    ("load_skill", {"skill_name": "kit", "offset": 99_999}),
    ("load_skill", {"wrong": 1}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "refs/a.md"}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "h.md", "outline": True}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "b.bin"}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "."}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "refs"}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "none.md"}),
    ("read_skill_resource", {"skill_name": "kit", "resource_name": "../x"}),
    ("run_skill_script", {"skill_name": "kit", "script_name": "a.py", "args": ["x"]}),
    ("run_skill_script", {"skill_name": "kit", "script_name": "fill", "args": {"page": 1}}),
    ("run_skill_script", {"skill_name": "kit", "script_name": "fill", "args": {"page": "x"}}),
    ("run_skill_script", {"skill_name": "kit", "script_name": "none.py"}),
    ("run_skill_script", {"skill_name": "kit", "script_name": "a.py", "args": "x"}),
    ("run_skill_script", {"skill_name": "web", "script_name": "fill", "args": [1]}),
    ("unload_skill", {"skill_name": "kit"}),
    ("unload_skill", {"skill_name": "kit"}),
]


def replies(toolkit: Toolkit, rename: str = "{}") -> Iterator[tuple[str, ToolReply]]:
    """Make every call, in order, with the tools' names here; also of tools that are not here."""
    for name, arguments in CALLS:
        yield name, toolkit.call(rename.format(name), arguments)
    for name in ("kit", "db", "none"):
        yield "", toolkit.call(name, {})


def test_schemas_are_what_hosts_take() -> None:
    """Plain objects of named properties, each with a type and most with a word on it, and no references."""
    schemas = tools().schemas
    assert tuple(schema.name for schema in schemas) == OURS
    for schema in schemas:
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", schema.name)
        assert 20 < len(schema.description) < 1_024
        parameters = schema.parameters
        assert parameters["type"] == "object"
        assert parameters["additionalProperties"] is False
        assert set(parameters.get("required", [])) <= set(parameters["properties"])
        assert "$ref" not in json.dumps(parameters)
        for given_property in parameters["properties"].values():
            assert given_property["description"]
            assert {"type", "anyOf"} & set(given_property)
        assert schema.returns["type"] == "object"


def test_schemas_hold_nothing_that_is_said_twice() -> None:
    """A title would repeat a property's name; a property or a value of that name is none."""
    for schema in tools().schemas:
        assert '"title"' not in json.dumps([schema.parameters, schema.returns])
        assert "description" not in {*schema.parameters, *schema.returns}
    titled = {"title": "T", "type": "object"}
    told = {"title": {**titled, "properties": {"title": titled}}, "other": {"default": titled}}
    kept = {"title": {"type": "object", "properties": {"title": {"type": "object"}}}, "other": told["other"]}
    whole = {"properties": told, "$defs": told, "anyOf": [titled, True], "items": titled, "enum": [titled]}
    assert untitled({"title": "Book", **whole}) == {
        "properties": kept,
        "$defs": kept,
        "enum": [titled],
        "anyOf": [{"type": "object"}, True],
        "items": {"type": "object"},
    }


def test_what_a_host_does_to_a_schema_is_its_own_affair() -> None:
    """Frameworks mend schemas in place; the next one is as it was."""
    tools().schemas[0].parameters["properties"].clear()
    assert tools().schemas[0].parameters["properties"]


KINDS_OF_JSON: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def fits(value: object, schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Return whether a JSON value fits a schema, as far as ours go."""
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in schema:
        return any(fits(value, choice, whole) for choice in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    if "type" not in schema:
        return True
    if not isinstance(value, KINDS_OF_JSON[schema["type"]]):
        return False
    if isinstance(value, list):
        return all(fits(item, schema.get("items", {}), whole) for item in value)
    return not isinstance(value, dict) or fits_object(value, schema, whole)


def fits_object(value: dict[str, Any], schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Return whether an object has the properties it needs and no others, where they are named."""
    known = schema.get("properties")
    if known is None:
        return True
    named = set(schema.get("required", [])) <= set(value) <= set(known)
    return named and all(fits(item, known[name], whole) for name, item in value.items())


def test_data_fits_its_schema_and_texts_are_whole() -> None:
    """Whatever a tool answers, a host can read it as declared, as JSON and as UTF-8."""
    toolkit = tools()
    returns = {schema.name: schema.returns for schema in toolkit.schemas}
    answered = set()
    for name, reply in replies(toolkit):
        assert reply.text == well_formed(reply.text)
        assert reply.text.strip()
        assert not reply.text.endswith("\n")
        if reply.error is not None:
            assert json.loads(reply.error.model_dump_json())["code"] == reply.error.code
            assert re.fullmatch(r"[a-z]+(-[a-z]+)+", reply.error.code)
            assert reply.error.message
            assert reply.error.recovery
            assert not reply.error.recovery.endswith(".")
        if reply.data is not None:
            answered.add(name)
            assert fits(json.loads(reply.data.model_dump_json()), returns[name], returns[name])
    assert answered == set(OURS)


def test_no_text_ends_a_sentence_twice() -> None:
    """What strangers wrote may end in a stop; what is made of it has one."""
    for _, reply in replies(tools()):
        for line in reply.text.splitlines():
            assert not re.search(r"[^.]\.\.( |$)|:\.|\?\.", line)


SUBSETS: list[tuple[str, ...]] = [
    (),
    ("load_skill",),
    ("read_skill_resource", "list_skills"),
    ("describe_skill", "run_skill_script"),
    OURS[2:],
]


@pytest.mark.parametrize("kept", [*SUBSETS, *((name,) for name in OURS if name != "load_skill")])
@pytest.mark.parametrize("prefix", ["", "x_"])
def test_no_text_names_a_tool_the_model_lacks(kept: tuple[str, ...], prefix: str) -> None:
    """Texts and declarations speak of the tools there are, by the names they have, and no other."""
    toolkit = tools().only(*kept).prefixed(prefix)
    assert dict(toolkit.names) == {name: prefix + name for name in OURS if name in kept}
    allowed = set(toolkit.names.values())
    texts = [reply.text for name, reply in replies(toolkit, prefix + "{}") if name in kept or not name]
    texts += [reply.error.recovery for _, reply in replies(toolkit, prefix + "{}") if reply.error]
    for schema in toolkit.schemas:
        texts.append(json.dumps(schema.model_dump()))
    for text in texts:
        for name in OURS:
            mentioned = re.findall(rf"[\w-]*{name}\b", text)
            unknown = set(mentioned) - allowed
            asked = re.search(r"there is no tool named '([^']*)'", text)
            assert not unknown - ({asked[1]} if asked else set()), text[:300]


def test_tools_are_renamed_swapped_and_chosen() -> None:
    """By the names they have now; what cannot be is an error of the program."""
    toolkit = tools()
    swapped = toolkit.renamed({"load_skill": "unload_skill", "unload_skill": "load_skill"})
    assert swapped.call("unload_skill", {"skill_name": "kit"}).text.startswith("Skill kit, from memory.")
    assert swapped.call("load_skill", {"skill_name": "kit"}).text.startswith("The skill kit is unloaded")
    assert list(toolkit.prefixed("a_").prefixed("b_").only("b_a_list_skills").names) == ["list_skills"]
    assert list(toolkit.only().schemas) == []
    for wrong in ({"load_skill": "list_skills"}, {"load_skill": ""}, {"none": "x"}):
        with pytest.raises(ToolkitError):
            toolkit.renamed(wrong)
    for odd in ("a b", "x" * 65, "läd", "a\n"):
        with pytest.raises(ToolkitError, match=r"cannot be the name of a tool.*1 to 64 letters"):
            toolkit.renamed({"load_skill": odd})
    with pytest.raises(ToolkitError, match="cannot be the name"):
        toolkit.prefixed("my tools ")
    with pytest.raises(ToolkitError, match="there is no tool 'none' here"):
        toolkit.only("none")
    assert tuple(toolkit.names) == OURS


SECRET = Skill(
    "secretkit",
    "Does hushword with PDF forms.",
    "hushword",
    aliases=("quietalias",),
    tags=("mutedtag",),
    resources=InlineResources({"hushword.md": "hushword"}),
    origin=Origin("vault", "/vaultroot", "secretkit/SKILL.md"),
)
HIDDEN = ("secretkit", "hushword", "quietalias", "mutedtag", "vault")


@pytest.mark.parametrize(
    "view",
    [lambda c: c.only(["kit", "pdf-*", "db", "web"]), lambda c: c.without("secretkit")],
    ids=["only", "without"],
)
def test_what_a_view_hides_is_in_no_reply(view: Any) -> None:
    """Not in a suggestion, a group, a folder, a count, nor by asking for something like it."""
    seen = Toolkit(SkillCatalog([*SKILLS, SECRET]), view=view, runner=Echo())
    alone = Toolkit(SkillCatalog(SKILLS), runner=Echo())
    near = [
        ("describe_skill", {"name": name}) for name in ("secretki", "hushwrd", "mutedta", "select:secretki")
    ]
    near += [("list_skills", {"query": name}) for name in ("hushwrd", "name:secretk")]
    near += [("load_skill", {"skill_name": name}) for name in ("secretki", "quietalia", "vaul:secretki")]
    near += [("read_skill_resource", {"skill_name": "secretki", "resource_name": "a.md"})]
    for name, arguments in (*CALLS, *near):
        reply, other = seen.call(name, arguments), alone.call(name, arguments)
        assert reply == other or reply.text == other.text
        told = reply.text + str(reply.error) + (reply.data.model_dump_json() if reply.data else "")
        assert not [word for word in HIDDEN if word in told.casefold()]


def test_a_view_is_worked_out_once_for_each_state() -> None:
    """For all conversations alike, whatever copies of the toolkit they are answered by."""
    seen: list[SkillCatalog] = []

    def narrowed(catalog: SkillCatalog) -> SkillCatalog:
        seen.append(catalog)
        return catalog

    skills = [Skill("one", "First.")]
    index = SkillIndex([CallableSource(lambda: list(skills), "code")])
    toolkit = Toolkit(index, view=narrowed)
    for count in (1, 2):
        for conversation in (toolkit.with_session(Session()), toolkit.prefixed("my_"), toolkit):
            assert len(conversation.catalog()) == count
        assert len(seen) == count
        skills.append(Skill("two", "Second."))
        index.refresh()


def test_the_exact_name_of_a_hidden_skill_is_unknown_to_every_tool() -> None:
    """The answers are those to a name that never was."""
    view = Toolkit(SkillCatalog([*SKILLS, SECRET]), view=lambda c: c.without("secretkit"), runner=Echo())
    alone = Toolkit(SkillCatalog(SKILLS), runner=Echo())
    for asked in ("secretkit", "vault:secretkit", "quietalias"):
        for name, arguments in CALLS:
            given = {
                key: asked if key in {"skill_name", "name", "query"} else value
                for key, value in arguments.items()
            }
            assert view.call(name, given).text == alone.call(name, given).text
        assert view.call(asked, {}).text == alone.call(asked, {}).text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | strategies.hostile_texts(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = [
    "name",
    "skill_name",
    "resource_name",
    "script_name",
    "query",
    "offset",
    "column",
    "lines",
    "force",
]
ARGUMENTS += ["outline", "args", "timeout"]
LIKELY = st.sampled_from(
    ["kit", "db", "web", "a.py", "fill", "refs/a.md", 1, 0, -1, True, "1", 10**400, 1e308]
)


@settings(deadline=None, max_examples=200)
@given(
    st.sampled_from(OURS) | st.text(max_size=10) | JSON,
    JSON | st.dictionaries(st.sampled_from(ARGUMENTS), JSON | LIKELY, max_size=5),
)
def test_any_json_is_answered(name: Any, arguments: object) -> None:
    """Nothing raises, whatever stands for name and arguments; the answer is text and JSON."""
    reply = tools().call(name, arguments)
    assert reply.text == well_formed(reply.text)
    assert len(reply.text) < 150_000
    for part in (reply.data, reply.error):
        if part is not None:
            json.loads(part.model_dump_json())


@pytest.mark.parametrize("name", [None, 3, ["load_skill"]])
def test_a_name_that_is_no_text_is_an_unknown_tool(name: Any) -> None:
    """A framework passes on what a model sent; the answer names the tools, and the event can be read."""
    told: list[Event] = []
    reply = Toolkit(SkillCatalog(), on_event=told.append).call(name, {})
    assert reply.error is not None
    assert reply.error.code == "unknown-tool"
    assert "load_skill" in reply.error.nearby
    assert Event.from_json(told[0].to_json()) == told[0]


def nested(depth: int) -> object:
    """Return lists within lists."""
    value: object = "x"
    for _ in range(depth):
        value = [value]
    return value


ODD: list[object] = [
    None,
    nested(50_000),
    {"skill_name": nested(50_000)},
    {"skill_name": "kit", "script_name": "fill", "args": {"page": nested(5_000)}},
    {1: 2, "a": 3},
    {b"a": {1, 2}},
    object(),
]


@pytest.mark.parametrize("arguments", ODD, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", OURS)
def test_what_is_hardly_json_is_answered_too(name: str, arguments: object) -> None:
    """Nested a thousand deep, keys that are no text, no object at all: each twice."""
    toolkit = tools().approving(lambda _: True)
    for _ in range(2):
        reply = toolkit.call(name, arguments)
        if name != "list_skills" or arguments:
            assert reply.error is not None
            assert reply.error.code == "bad-arguments"
        assert len(reply.text) < 2_000


WRONG: list[tuple[str, object, str, str]] = [
    ("load_skill", "kit", "they must be one JSON object", "call it again with skill_name"),
    ("load_skill", {}, "'skill_name' is missing", "call it again with skill_name"),
    ("load_skill", {"skill_name": "kit", "x": 1}, "there is no 'x'", "call it again with skill_name"),
    (
        "load_skill",
        {"skill_name": 5},
        "'skill_name': input should be a valid string",
        "call it again with skill_name",
    ),
    (
        "list_skills",
        {"offset": -1},
        "'offset': input should be greater than or equal to 0",
        "call it again with none or some of these arguments",
    ),
    (
        "run_skill_script",
        {"skill_name": "kit", "script_name": "a.py", "args": "a b"},
        "'args' does not fit: A list of arguments, or an object of options: {key: value} is --key value",
        "call it again with skill_name and script_name",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "told", "recovery"), WRONG)
def test_wrong_arguments_are_told_in_words(name: str, arguments: object, told: str, recovery: str) -> None:
    """What is wrong, which arguments there are, and which are needed."""
    error = tools().call(name, arguments).error
    assert error is not None
    assert error.message == f"{name} was called with wrong arguments: {told}"
    assert error.recovery == recovery
    assert set(error.nearby) == set(
        next(s for s in tools().schemas if s.name == name).parameters["properties"]
    )


def test_the_same_failing_call_is_refused_more_firmly() -> None:
    """The second time it says so, and that no further try will help; another call is not meant."""
    toolkit = tools()
    call = {"skill_name": "kitt", "force": True}
    first = toolkit.call("load_skill", call)
    second = toolkit.call("load_skill", dict(reversed(call.items())))
    third = toolkit.call("load_skill", call)
    other = toolkit.call("load_skill", {"skill_name": "kitts"})
    assert first.error is not None
    assert second.error is not None
    assert other.error is not None
    assert [first.error.retryable, second.error.retryable, other.error.retryable] == [True, False, True]
    assert second.text.startswith(first.text + "\nThis same call has failed 2 times. Do not repeat it: ")
    assert "has failed 3 times" in third.text
    again = toolkit.with_session(Session()).call("load_skill", call)
    assert again.text == first.text


def test_a_tool_of_the_host_is_not_called_here() -> None:
    """One that only waits in the catalog is named as that; a skill called as a tool says how to load it."""
    toolkit = tools()
    assert toolkit.call("db", {}).text.startswith(
        "Error: 'db' is a tool of the host that is only listed here"
    )
    assert toolkit.call("Kit", {}).text.endswith('Next: call load_skill(skill_name="kit").')
    unloadable = toolkit.only("list_skills").call("kit", {}).text
    assert unloadable.endswith("Next: go on without it.")
    assert toolkit.call("load", {}).text.splitlines()[1] == "Known: load_skill, unload_skill"


def test_a_tool_entry_is_marked_wherever_it_is_shown() -> None:
    """By name or by words, in the list and in the prompt; its schema is escaped, and it is not loaded."""
    toolkit = tools()
    for asked in ("db", "query the database"):
        text = toolkit.call("describe_skill", {"name": asked}).text
        assert text.startswith(
            "## Tool: db\n- Description: Query the database.\n- Arguments (JSON schema): {"
        )
        assert "&lt;b&gt;" in text
        assert "<b>" not in text
    assert "- db: Query the database. [tool]" in toolkit.call("list_skills", {}).text
    assert toolkit.call("load_skill", {"skill_name": "db"}).text == (
        "Error: 'db' is a tool, not a skill: it has no instructions.\n"
        'Next: call the tool itself by its name; describe_skill(name="db") shows its arguments.'
    )
    assert re.search(r"\bdb\b[^\n]*\btool\b", build_section(toolkit.catalog()).text)


KINDS = {
    "describe_skill": {"described", "searched", "refused"},
    "list_skills": {"listed", "refused"},
    "load_skill": {"loaded", "refused"},
    "unload_skill": {"unloaded", "refused"},
    "read_skill_resource": {"read", "refused"},
    "run_skill_script": {"ran", "refused"},
}


def test_every_call_is_one_event_without_content() -> None:
    """Also what failed; bodies, files, arguments and output are in none of them."""
    events: list[Event] = []
    skills = [
        Skill(
            "kit",
            "d",
            "bodytext",
            resources=InlineResources({"a.md": "filetext", "a.py": ""}),
            scripts={"fail": lambda: 1 // 0},
        )
    ]
    toolkit = Toolkit(SkillCatalog(skills), runner=Echo(), on_event=events.append)
    calls = [
        *CALLS,
        ("run_skill_script", {"skill_name": "kit", "script_name": "a.py", "args": ["argtext"]}),
        ("read_skill_resource", {"skill_name": "kit", "resource_name": "a.md"}),
        ("run_skill_script", {"skill_name": "kit", "script_name": "fail"}),
        ("load_skill", {"skill_name": "kit", "argtext": 1}),
    ]
    for number, (name, arguments) in enumerate(calls, 1):
        reply = toolkit.call(name, arguments)
        assert len(events) == number
        event = events[-1]
        assert event.tool == name
        assert event.kind in KINDS[name]
        assert event.code == (reply.error.code if reply.error else "")
        assert not re.search("bodytext|filetext|argtext|division", event.to_json())
    assert (events[-2].kind, events[-2].code) == ("ran", "script-failed")


def test_a_listener_that_fails_does_not_break_a_call(caplog: pytest.LogCaptureFixture) -> None:
    """The host's own mistake is logged."""

    def broken(_: Event) -> None:
        raise RuntimeError("full")

    assert tools(on_event=broken).call("list_skills", {}).error is None
    assert "on_event failed" in caplog.text


def test_a_call_can_be_awaited() -> None:
    """It answers as a plain call does, several at a time."""

    async def both() -> list[ToolReply]:
        toolkit = tools()
        calls = (toolkit.acall("load_skill", {"skill_name": name}) for name in ("kit", "web"))
        return list(await asyncio.gather(*calls))

    kit, web = asyncio.run(both())
    assert kit.text == tools().call("load_skill", {"skill_name": "kit"}).text
    assert web.text == tools().call("load_skill", {"skill_name": "web"}).text


def test_a_skill_written_between_two_calls_is_there_in_the_second(tmp_path: Path) -> None:
    """A live index is asked at each call, through the view."""
    toolkit = Toolkit(SkillIndex.from_paths(tmp_path, refresh_interval=0), view=lambda c: c.without("b"))
    assert toolkit.call("list_skills", {}).text.startswith("0 skills.")
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(
            f"---\nname: {name}\ndescription: Kit {name}.\n---\n", "utf-8"
        )
    assert toolkit.call("list_skills", {}).text.startswith("1 skill:\n- a: Kit a.")
    assert toolkit.call("load_skill", {"skill_name": "b"}).error is not None


HOSTILE = strategies.hostile_texts().map(well_formed)
LINE = re.compile(
    r"(## (Skill|Tool)|- (Description|Allowed tools|Location|Arguments)|Skill |The skill |Compatibility: |"
    r"Pre-approved tools: |Files: |Scripts |Error: |Known: |Next: |Note: |Groups: |Found in: |"
    r"Related skills: |No skill matches |Nearest: |Weak match: |Lines |This same call |Encoding: |"
    r"It gave no output|SEALED|\d+ more|\d+ (matching )?skills?|- |\d+ headings? of |More follows|$)"
)
SEALED = re.compile(r'<([a-z_]+_[0-9a-f]{12})((?: [a-z]+="[^"<>\n]*")*)>\n(?:.*?\n)?</\1>', re.DOTALL)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(HOSTILE.filter(str.strip), HOSTILE, HOSTILE), min_size=1, max_size=3),
    strategies.queries(),
    HOSTILE,
)
def test_nothing_a_stranger_writes_forges_anything(
    written: list[tuple[str, str, str]], query: str, asked: str
) -> None:
    """Outside of sealed content every line is one of ours, and no tag or hidden character is theirs."""
    skills = [
        Skill(
            name,
            text,
            f"{other}\n{text}",
            compatibility=other,
            allowed_tools=(text,),
            aliases=(other,),
            resources=InlineResources({f"a{text}.md": other, "b.md": text, "a.py": text}),
            scripts={f"f{other}": fill},
            input_schema={"title": text} if len(other) % 3 == 1 else None,
            origin=Origin(other, text, other, trusted=len(text) % 2 == 0),
        )
        for name, text, other in written
    ]
    toolkit = Toolkit(SkillCatalog(skills), runner=Echo(), locations={"/": text_of(written)})
    calls: list[tuple[str, dict[str, Any]]] = [("list_skills", {}), ("list_skills", {"query": query})]
    calls += [("describe_skill", {"name": name}) for name in (query, asked)]
    for entry in toolkit.catalog().entries:
        for name in (entry.key, entry.id, asked):
            calls += [("load_skill", {"skill_name": name}), ("describe_skill", {"name": name})]
            calls += [
                ("run_skill_script", {"skill_name": name, "script_name": one}) for one in ("a.py", asked)
            ]
            calls += [
                ("read_skill_resource", {"skill_name": name, "resource_name": one, "outline": outline})
                for one in (".", "b.md", asked)
                for outline in (False, True)
            ]
            calls += [(name, {}), ("unload_skill", {"skill_name": name})]
    for name, arguments in calls:
        text = toolkit.call(name, arguments).text
        outside = SEALED.sub("SEALED", text)
        assert not re.search("[<>\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", outside), outside
        for line in outside.split("\n"):
            assert (
                LINE.match(line)
                or "is no text: " in line
                or "ended well" in line
                or "has no headings" in line
            ), line


def text_of(written: list[tuple[str, str, str]]) -> str:
    """Return some text of a stranger, as a folder the agent sees."""
    return written[0][1]
