"""The adapter for Google's Agent Development Kit, driven by its own runner with a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import pytest

pytest.importorskip("google.adk", reason="needs skill_index[google-adk]")

from google.adk.agents import LlmAgent
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.skill_toolset import SkillToolset
from google.genai import types
from pydantic import PrivateAttr

from skill_index import DirectorySource, Origin, Skill, SkillCatalog, SkillIndex
from skill_index.adapters.google_adk import SkillIndexToolset, as_tools
from skill_index.adapters.google_adk_registry import IndexRegistry
from skill_index.adapters.hosting import Skills
from skill_index.errors import SkillNotFoundError, ToolkitError
from skill_index.running import FunctionsOnly
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

CATALOG = SkillCatalog(SKILLS)
Calls = Sequence[tuple[str, dict[str, Any]]]
CONFIRM = "adk_request_confirmation"


class Scripted(BaseLlm):
    """A model that makes the given calls, one a turn, and remembers what it was told."""

    _left: list[tuple[str, dict[str, Any]]] = PrivateAttr()
    _seen: list[LlmRequest] = PrivateAttr(default_factory=list)

    def __init__(self, calls: Calls = ()) -> None:
        super().__init__(model="scripted")
        self._left = list(calls)

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: ARG002
    ) -> AsyncGenerator[LlmResponse, None]:
        """Yield the next call, or the end."""
        self._seen.append(llm_request)
        part = types.Part(text="done")
        if self._left:
            name, arguments = self._left.pop(0)
            part = types.Part(function_call=types.FunctionCall(name=name, args=arguments))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))

    @property
    def system(self) -> str:
        """The system instruction of the first request."""
        return str(self._seen[0].config.system_instruction or "")


class Chat:
    """Conversations with agents over one session service."""

    def __init__(self) -> None:
        self.sessions = InMemorySessionService()

    async def say(
        self, model: Scripted, tools: list[Any], *, said: types.Part | None = None, session: str = "s"
    ) -> list[Any]:
        """Return the events of one turn of a new agent in a session."""
        agent = LlmAgent(name="helper", model=model, tools=tools)
        runner = Runner(app_name="app", agent=agent, session_service=self.sessions, auto_create_session=True)
        message = types.Content(role="user", parts=[said or types.Part(text="go")])
        running = runner.run_async(user_id="u", session_id=session, new_message=message)
        return [event async for event in running]

    async def run(self, calls: Calls, tools: list[Any], session: str = "s") -> list[dict[str, Any]]:
        """Return the answers to these calls in one turn."""
        return responses(await self.say(Scripted(calls), tools, session=session))


def responses(events: Iterable[Any]) -> list[dict[str, Any]]:
    """Return what tools gave back, in order."""
    found = (response for event in events for response in event.get_function_responses())
    return [response.response for response in found if response.name != CONFIRM]


def requests(events: Iterable[Any]) -> list[Any]:
    """Return the confirmations that the framework asks for."""
    return [call for event in events for call in event.get_function_calls() if call.name == CONFIRM]


def declared(model: Scripted) -> list[Declared]:
    """Return the tools that a model was told of."""
    offered: list[Any] = list(model._seen[0].config.tools or ())
    tools = [one for tool in offered for one in tool.function_declarations or ()]
    return [Declared(one.name, one.description, one.parameters_json_schema) for one in tools]


class TestTools(Contract):
    """Plain tools, called by a real runner; a toolkit's calls are turns of one session."""

    chats: ClassVar[WeakKeyDictionary[Toolkit, Chat]] = WeakKeyDictionary()

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As the model is told of them."""
        model = Scripted()
        asyncio.run(Chat().say(model, list(as_tools(skills, beside=beside))))
        return declared(model)

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a model calls them."""
        chat = self.chats.setdefault(toolkit, Chat())
        [response] = await chat.run([(name, arguments)], list(as_tools(toolkit)))
        return Answer(response.get("result") or response["error"], "error" in response)


JOURNEY: Calls = [
    ("describe_skill", {"name": "fill a form"}),
    ("load_skill", {"skill_name": "pdf-forms"}),
    ("read_skill_resource", {"skill_name": "pdf-forms", "resource_name": "refs/fields.md"}),
]
LOAD: Calls = [("load_skill", {"skill_name": "pdf-forms"})]


def test_a_toolset_refuses_names_of_the_host() -> None:
    """Where the framework would let one hide the other."""
    with pytest.raises(ToolkitError, match="load_skill"):
        SkillIndexToolset(CATALOG, beside=["load_skill"])


def test_an_agent_finds_loads_and_reads() -> None:
    """In one run: the section in the system instruction, then each answer."""
    model = Scripted(JOURNEY)
    events = asyncio.run(Chat().say(model, [SkillIndexToolset(CATALOG)]))
    described, loaded, read = responses(events)
    assert "pdf-forms" in described["result"]
    assert "Use pdftk." in loaded["result"]
    assert "name, date" in read["result"]
    assert "describe_skill(" in model.system
    assert len(declared(model)) == 5


def test_without_skills_nothing_is_added() -> None:
    """No empty section, and no tools that can only fail."""
    model = Scripted()
    asyncio.run(Chat().say(model, [SkillIndexToolset(SkillCatalog([]))]))
    assert declared(model) == []
    assert "describe_skill" not in model.system


def test_a_conversation_remembers_and_another_does_not() -> None:
    """What is loaded stands in the state of the session; one toolset serves all of them."""
    toolset = SkillIndexToolset(CATALOG)

    async def conversations() -> None:
        chat = Chat()
        [first] = await chat.run(LOAD, [toolset])
        [again] = await chat.run(LOAD, [toolset])
        [other] = await chat.run(LOAD, [toolset], session="other")
        assert "Use pdftk." in first["result"]
        assert "loaded already" in again["result"]
        assert "Use pdftk." in other["result"]
        [fresh] = await chat.run(LOAD, [SkillIndexToolset(CATALOG)])
        assert "loaded already" in fresh["result"]
        kept = await chat.sessions.get_session(app_name="app", user_id="u", session_id="s")
        assert kept is not None
        assert "pdf-forms" in kept.state["skill_index:helper"]

    asyncio.run(conversations())


def test_a_turn_shares_what_it_knows() -> None:
    """The same failing call again is told so, and nothing of a failure is stored."""
    chat = Chat()
    answers = asyncio.run(chat.run([("load_skill", {"skill_name": "nothing"})] * 3, as_tools(CATALOG)))
    assert [answer["error_code"] for answer in answers] == ["skill-not-found"] * 3
    assert "failed 3 times" in answers[-1]["error"]


def test_invocations_are_not_kept_for_ever() -> None:
    """An agent that serves a hundred turns holds no more than it needs."""
    tools: list[Any] = list(as_tools(CATALOG))
    chat = Chat()

    async def turns() -> None:
        for turn in range(70):
            await chat.run([("list_skills", {})], tools, session=f"s{turn}")

    asyncio.run(turns())
    assert len(tools[0]._invocations._kept) == 64


SCRIPTS = SkillCatalog([Skill("clock", "Tell the time.", "old", scripts={"now": lambda: "noon"})])
NOW: Calls = [("run_skill_script", {"skill_name": "clock", "script_name": "now"})]


def runnable(catalog: SkillCatalog) -> SkillIndexToolset:
    """Return a toolset with scripts that are functions."""
    return SkillIndexToolset(Toolkit(catalog, runner=FunctionsOnly()))


def confirmed(request: Any, yes: bool, payload: object) -> types.Part:
    """Return what a client answers to a request."""
    response = {"confirmed": yes, "payload": payload}
    return types.Part(
        function_response=types.FunctionResponse(id=request.id, name=CONFIRM, response=response)
    )


@pytest.mark.parametrize(("yes", "text"), [(True, "noon"), (False, "was not approved")])
@pytest.mark.parametrize("given_back", [True, False])
def test_scripts_wait_for_confirmation(yes: bool, text: str, given_back: bool) -> None:
    """The framework asks, with what it needs to show; a yes runs the script, a no does not."""

    async def conversation() -> None:
        chat = Chat()
        events = await chat.say(Scripted(NOW), [runnable(SCRIPTS)])
        [request] = requests(events)
        told = request.args["toolConfirmation"]
        assert told["hint"] == "Run the script 'now' of the skill 'memory:clock'?"
        assert len(told["payload"]["content_hash"]) == 64
        said = confirmed(request, yes, told["payload"] if given_back else None)
        answers = responses(await chat.say(Scripted(), [runnable(SCRIPTS)], said=said))
        assert text in str(answers[-1])

    asyncio.run(conversation())


def test_a_yes_to_other_content_is_a_no() -> None:
    """What changed after the question is not what was confirmed."""
    changed = SkillCatalog([Skill("clock", "Tell the time.", "new", scripts={"now": lambda: "noon"})])

    async def conversation() -> None:
        chat = Chat()
        [request] = requests(await chat.say(Scripted(NOW), [runnable(SCRIPTS)]))
        said = confirmed(request, True, request.args["toolConfirmation"]["payload"])
        again = await chat.say(Scripted(NOW), [runnable(changed)], said=said)
        refused, _ = responses(again)
        assert refused["error_code"] == "not-approved"
        assert len(requests(again)) == 1

    asyncio.run(conversation())


def test_nothing_is_asked_for_a_script_of_no_skill_or_where_the_host_asks() -> None:
    """An unknown skill is answered at once; with False the toolkit's own approver decides."""
    toolkit = Toolkit(SCRIPTS, runner=FunctionsOnly())
    unknown: Calls = [("run_skill_script", {"skill_name": "clok", "script_name": "now"})]
    [answer] = asyncio.run(Chat().run(unknown, list(as_tools(toolkit))))
    assert "clock" in answer["error"]
    own = toolkit.approving(lambda approval: approval.script == "now")
    [answer] = asyncio.run(Chat().run(NOW, list(as_tools(own, require_confirmation=False))))
    assert "noon" in answer["result"]


REGISTERED = (
    *SKILLS,
    Skill("PDF Tools", "Split and merge PDF files. " + "x" * 2_000, compatibility="y" * 600),
    Skill("../../etc", "Leads out."),
)


def test_the_frameworks_own_toolset_searches_our_index() -> None:
    """It finds by our ranking, loads and reads; names that it could not take come back understood."""
    model = Scripted(
        [
            ("search_skills", {"query": "filling in forms"}),
            ("load_skill", {"skill_name": "pdf-forms"}),
            ("load_skill_resource", {"skill_name": "pdf-forms", "file_path": "assets/refs/fields.md"}),
            ("search_skills", {"query": "制作演示文稿"}),
            ("search_skills", {"query": "select:pdf-forms,PDF Tools"}),
            ("search_skills", {"query": "send mail"}),
            ("load_skill", {"skill_name": "pdf-fromes"}),
        ]
    )
    registry = IndexRegistry(SkillCatalog(REGISTERED))
    events = asyncio.run(Chat().say(model, [SkillToolset(registry=registry)]))
    found, loaded, read, slides, named, tools, missed = responses(events)
    assert found["result"][0]["name"] == "pdf-forms"
    assert loaded["instructions"].startswith("Use pdftk.")
    assert loaded["frontmatter"]["allowed_tools"] == "Read Bash(pdftk *)"
    assert read["content"].startswith("# Fields")
    [slide] = slides["result"]
    assert slide["description"].startswith("制作演示文稿")
    assert len(named["result"]) == 2
    assert tools["result"] == []
    assert "pdf-forms" in missed["error"]
    declaration = next(one for one in declared(model) if one.name == "search_skills")
    assert "select:first,second" in declaration.description


def test_every_found_skill_can_be_fetched_by_the_name_it_was_found_by() -> None:
    """Odd names, long texts and names that lead out are made fit, and no two are alike."""
    registry = IndexRegistry(SkillCatalog(REGISTERED))

    async def look() -> list[str]:
        names = []
        for query in ("forms", "charts", "制作", "split pdf", "leads out"):
            [first, *_] = await registry.search_skills(query=query)
            skill = await registry.get_skill(name=first.name)
            assert skill.frontmatter == first
            names.append(first.name)
        return names

    names = asyncio.run(look())
    assert names[:2] == ["pdf-forms", "chart-maker"]
    assert len(set(names)) == 5
    assert all("/" not in name and "." not in name and len(name) <= 64 for name in names)


def test_files_are_fetched_where_the_framework_looks(tmp_path: Path) -> None:
    """Its three folders, others below assets, bytes as bytes; what is too large is left out."""
    files = {
        "SKILL.md": b"---\nname: forms\ndescription: Forms.\n---\nBody.",
        "references/a.md": b"A",
        "assets/b.png": b"\x89PNG\xff",
        "scripts/fill.py": b"print(1)",
        "scripts/tool": b"\xff\xfe",
        "notes.md": b"N",
        "big.txt": b"x" * (2 << 20),
    }
    for name, data in files.items():
        file = tmp_path / "forms" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    registry = IndexRegistry(SkillIndex([DirectorySource(tmp_path)]))
    skill = asyncio.run(registry.get_skill(name="forms"))
    assert skill.instructions == "Body."
    assert skill.resources.references == {"a.md": "A"}
    assert skill.resources.assets == {"b.png": b"\x89PNG\xff", "notes.md": "N", "scripts/tool": b"\xff\xfe"}
    assert {name: script.src for name, script in skill.resources.scripts.items()} == {"fill.py": "print(1)"}


@pytest.mark.parametrize(
    ("given", "trusted", "told"),
    [
        ({"adk_inject_state": "true", "team": "a"}, True, {"adk_inject_state": True, "team": "a"}),
        ({"adk_inject_state": "true", "team": "a"}, False, {"team": "a"}),
        ({"adk_inject_state": "false"}, True, {}),
        ({"adk_additional_tools": ["x"]}, True, {"adk_additional_tools": ["x"]}),
        ({"adk_additional_tools": ["x"]}, False, {}),
        ({"adk_additional_tools": "x"}, True, {}),
    ],
)
def test_front_matter_grants_only_where_it_is_trusted(
    given: dict[str, Any], trusted: bool, told: dict[str, Any]
) -> None:
    """A stranger's skill gets no tools and no state by what it says of itself."""
    skill = Skill("a", "A.", metadata=given, origin=Origin("web", trusted=trusted))
    fetched = asyncio.run(IndexRegistry(SkillCatalog([skill])).get_skill(name="a"))
    assert fetched.frontmatter.metadata == told


def test_a_tool_entry_is_no_skill_there() -> None:
    """The framework could not call it."""
    with pytest.raises(SkillNotFoundError):
        asyncio.run(IndexRegistry(CATALOG).get_skill(name="send_mail"))
