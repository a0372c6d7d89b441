"""The adapter for pydantic-ai, driven by its own agent with scripted models."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="needs skill_index[pydantic-ai]")

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, RunContext, Tool
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.messages import (
    CompactionPart,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition

from skill_index import Skill, SkillCatalog
from skill_index.adapters.hosting import Skills
from skill_index.adapters.pydantic_ai import SkillToolset, as_tools, session_of, tool_search
from skill_index.running import FunctionsOnly
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

CATALOG = SkillCatalog(SKILLS)
Calls = Sequence[tuple[str, Any]]


class Scripted(FunctionModel):
    """A model that makes the given calls, one a turn, and remembers what it was told."""

    def __init__(self, calls: Calls) -> None:
        self.left = list(calls)
        self.seen: list[AgentInfo] = []
        super().__init__(self.respond)

    def respond(self, _: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Return the next call, or the end."""
        self.seen.append(info)
        if not self.left:
            return ModelResponse([TextPart("done")])
        name, arguments = self.left.pop(0)
        return ModelResponse([ToolCallPart(name, arguments)])


def returns(messages: Iterable[ModelMessage]) -> list[ToolReturnPart]:
    """Return what tools gave back, in order."""
    return [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def ran(agent: Agent[None, Any], *prompt: str, **options: Any) -> Any:
    """Return the result of a run; the framework's own `run_sync` leaves its loop open."""
    return asyncio.run(agent.run(*prompt, **options))


async def run(agent: Agent[None, Any], calls: Calls, **options: Any) -> list[ToolReturnPart]:
    """Return the answers to these calls in one run."""
    result = await agent.run("go", model=Scripted(calls), **options)
    return returns(result.new_messages())


def text(part: ToolReturnPart) -> str:
    """Return what the model reads of an answer, where failures have a flag."""
    return str(part.model_response_str(wrap_if_error=False))


class TestTools(Contract):
    """Plain tools, called by a real agent."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As the model is told of them."""
        model = TestModel(call_tools=[])
        ran(Agent(model, tools=as_tools(skills, beside=beside)), "go")
        assert model.last_model_request_parameters is not None
        return [declared(tool) for tool in model.last_model_request_parameters.function_tools]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a model calls them."""
        [part] = await run(Agent(tools=as_tools(toolkit)), [(name, arguments)])
        return Answer(text(part), part.outcome == "failed")


class TestToolset(Contract):
    """The toolset, in a real agent; a call stands alone, so the toolkit's session goes with it."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As the model is told of them."""
        model = TestModel(call_tools=[])
        ran(Agent(model, toolsets=[SkillToolset(skills, beside=beside)]), "go")
        assert model.last_model_request_parameters is not None
        return [declared(tool) for tool in model.last_model_request_parameters.function_tools]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a model calls them."""
        agent = Agent(toolsets=[OneSession(toolkit)])
        [part] = await run(agent, [(name, arguments)])
        return Answer(text(part), part.outcome == "failed")


class OneSession(SkillToolset):
    """The toolset for calls that are each a run of its own, in one session."""

    async def for_run(self, _: RunContext[Any]) -> SkillToolset:
        """Keep the session."""
        return self

    async def for_run_step(self, _: RunContext[Any]) -> SkillToolset:
        """Take nothing away."""
        return self


def declared(tool: ToolDefinition) -> Declared:
    """Return a tool as the model is told of it."""
    return Declared(tool.name, tool.description or "", tool.parameters_json_schema)


JOURNEY: Calls = [
    ("describe_skill", {"name": "fill a form"}),
    ("load_skill", {"skill_name": "pdf-forms"}),
    ("read_skill_resource", {"skill_name": "pdf-forms", "resource_name": "refs/fields.md"}),
]


def test_an_agent_finds_loads_and_reads() -> None:
    """In one run: the section in the prompt, then each answer with its data."""
    model = Scripted(JOURNEY)
    agent = Agent(model, toolsets=[SkillToolset(CATALOG)], instructions="Be brief.")
    result = ran(agent, "fill in the form")
    described, loaded, read = returns(result.all_messages())
    assert "pdf-forms" in text(described)
    assert "Use pdftk." in text(loaded)
    assert "name, date" in text(read)
    assert loaded.metadata["data"].instructions == "Use pdftk.\nSee refs/fields.md."
    assert model.seen[0].instructions is not None
    assert "describe_skill(" in model.seen[0].instructions
    assert all(info.instructions == model.seen[0].instructions for info in model.seen)


def test_without_skills_nothing_is_added() -> None:
    """No empty section, and no tools that can only fail."""
    model = Scripted([])
    ran(Agent(model, toolsets=[SkillToolset(SkillCatalog([]))]), "go")
    assert (model.seen[0].function_tools, model.seen[0].instructions) == ([], None)


def test_a_conversation_remembers_and_another_does_not() -> None:
    """What is loaded follows the message history, also through JSON, and nothing else."""
    load: Calls = [("load_skill", {"skill_name": "pdf-forms"})]
    agent = Agent(toolsets=[SkillToolset(CATALOG)])
    first = ran(agent, "go", model=Scripted(load)).all_messages()
    kept = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(first))
    assert [one.name for one in session_of(kept).loaded] == ["pdf-forms"]
    for history in (first, kept):
        [again] = asyncio.run(run(agent, load, message_history=history))
        assert "loaded already" in text(again)
    [anew] = asyncio.run(run(agent, load))
    assert "Use pdftk." in text(anew)


def test_what_a_compaction_took_away_is_loaded_in_full() -> None:
    """A summary replaces what stood before it; the skill is then one to be restored."""
    load: Calls = [("load_skill", {"skill_name": "pdf-forms"})]
    agent = Agent(toolsets=[SkillToolset(CATALOG)])
    messages = ran(agent, "go", model=Scripted(load)).all_messages()
    summary = ModelResponse([CompactionPart("summed up"), TextPart("on we go")])
    session = session_of([*messages, summary])
    assert (session.loaded, [one.name for one in session.evicted]) == ((), ["pdf-forms"])
    [again] = asyncio.run(run(agent, load, message_history=[*messages, summary]))
    assert "Use pdftk." in text(again)


def test_a_compaction_within_a_run_is_seen() -> None:
    """The next step loads in full again."""
    load = ToolCallPart("load_skill", {"skill_name": "pdf-forms"})
    turns = [
        ModelResponse([load]),
        ModelResponse([CompactionPart("summed up"), ToolCallPart("list_skills", {})]),
        ModelResponse([load]),
        ModelResponse([TextPart("done")]),
    ]
    agent = Agent(FunctionModel(lambda *_: turns.pop(0)), toolsets=[SkillToolset(CATALOG)])
    *_, last = returns(ran(agent, "go").all_messages())
    assert "Use pdftk." in text(last)


def test_an_unloaded_skill_stays_unloaded() -> None:
    """Unloading counts in the next run too, whatever way the name was written; others stay."""
    calls: Calls = [
        ("load_skill", {"skill_name": "pdf-forms"}),
        ("load_skill", {"skill_name": "幻灯片"}),
        ("unload_skill", {"skill_name": "PDF Forms"}),
    ]
    agent = Agent(toolsets=[SkillToolset(CATALOG)])
    messages = ran(agent, "go", model=Scripted(calls)).all_messages()
    assert [one.name for one in session_of(messages).loaded] == ["幻灯片"]


def test_a_later_piece_is_not_the_whole() -> None:
    """Who has read only the end of a skill does not hold it, in this run or the next."""
    catalog = SkillCatalog([Skill("long", "Long.", "\n".join(f"line {n}" for n in range(50)))])
    piece: Calls = [("load_skill", {"skill_name": "long", "offset": 40})]
    agent = Agent(toolsets=[SkillToolset(catalog)])
    messages = ran(agent, "go", model=Scripted(piece)).all_messages()
    assert session_of(messages).loaded == ()
    whole: Calls = [("load_skill", {"skill_name": "long"})]
    [loaded] = asyncio.run(run(agent, whole, message_history=messages))
    assert "line 3\n" in text(loaded)


@pytest.mark.parametrize("written", ["[1]", "{broken", '"pdf-forms"', "7"])
def test_arguments_that_are_no_object_are_answered(written: str) -> None:
    """The run goes on, and the answer is the toolkit's."""
    for agent in (Agent(toolsets=[SkillToolset(CATALOG)]), Agent(tools=as_tools(CATALOG))):
        [part] = asyncio.run(run(agent, [("load_skill", written)]))
        assert part.outcome == "failed"
        assert text(part).startswith("Error: load_skill was called with wrong arguments")


def test_many_failures_end_no_run() -> None:
    """A failure costs no retry, and a repeated one is told so."""
    agent = Agent(toolsets=[SkillToolset(CATALOG)])
    parts = asyncio.run(run(agent, [("load_skill", {"skill_name": "nothing"})] * 5))
    assert [part.outcome for part in parts] == ["failed"] * 5
    assert "failed 5 times" in text(parts[-1])


def test_a_changed_index_is_appended() -> None:
    """The prompt's prefix stays what it was, so that a cache holds; the new section comes behind it."""
    model = Scripted([])
    first = ran(Agent(model, toolsets=[SkillToolset(CATALOG)]), "go").all_messages()
    grown = SkillToolset(CATALOG.with_(Skill("new-skill", "Newly there.")))
    second = ran(Agent(model, toolsets=[grown]), "on", message_history=first)
    assert model.seen[1].instructions == model.seen[0].instructions
    assert "new-skill" in str(second.all_messages()[len(first) :])


SCRIPTS = SkillCatalog([Skill("clock", "Tell the time.", scripts={"now": lambda: "noon"})])
NOW: Calls = [("run_skill_script", {"skill_name": "clock", "script_name": "now"})]


def test_scripts_wait_for_approval() -> None:
    """The framework asks, with what it needs to show; a yes runs the script, a no does not."""
    for agent in (
        Agent(toolsets=[SkillToolset(Toolkit(SCRIPTS, runner=FunctionsOnly()))]),
        Agent(tools=as_tools(Toolkit(SCRIPTS, runner=FunctionsOnly()))),
    ):
        asked = ran(agent, "go", model=Scripted(NOW), output_type=[str, DeferredToolRequests])
        requests = asked.output
        assert isinstance(requests, DeferredToolRequests)
        [call] = requests.approvals
        told = requests.metadata[call.tool_call_id]
        assert (told["skill"], told["script"]) == ("memory:clock", "now")
        assert len(told["content_hash"]) == 64
        for yes, told_back in ((True, "noon"), (False, "denied")):
            [part] = asyncio.run(
                run(
                    agent,
                    [],
                    message_history=asked.all_messages(),
                    deferred_tool_results=DeferredToolResults(
                        approvals={call.tool_call_id: yes}, metadata=requests.metadata
                    ),
                )
            )
            assert told_back in text(part)


def test_a_yes_to_other_content_is_asked_again() -> None:
    """What changed after the question is not what was approved."""
    skills = [Skill("clock", "Tell the time.", "old", scripts={"now": lambda: "noon"})]
    agent = Agent(toolsets=[SkillToolset(Toolkit(SkillCatalog(skills), runner=FunctionsOnly()))])
    asked = ran(agent, "go", model=Scripted(NOW), output_type=[str, DeferredToolRequests])
    assert isinstance(asked.output, DeferredToolRequests)
    changed = SkillCatalog([Skill("clock", "Tell the time.", "new", scripts={"now": lambda: "noon"})])
    other = Agent(toolsets=[SkillToolset(Toolkit(changed, runner=FunctionsOnly()))])
    again = ran(
        other,
        message_history=asked.all_messages(),
        deferred_tool_results=asked.output.build_results(approve_all=True, metadata=asked.output.metadata),
        model=Scripted([]),
        output_type=[str, DeferredToolRequests],
    )
    assert isinstance(again.output, DeferredToolRequests)


def test_nothing_is_asked_for_a_script_of_no_skill_or_where_the_host_asks() -> None:
    """An unknown skill is answered at once; with False the toolkit's own approver decides."""
    toolkit = Toolkit(SCRIPTS, runner=FunctionsOnly())
    unknown: Calls = [("run_skill_script", {"skill_name": "clok", "script_name": "now"})]
    [part] = asyncio.run(run(Agent(toolsets=[SkillToolset(toolkit)]), unknown))
    assert "clock" in text(part)
    own = SkillToolset(toolkit.approving(lambda approval: approval.script == "now"), requires_approval=False)
    [part] = asyncio.run(run(Agent(toolsets=[own]), NOW))
    assert "noon" in text(part)


def host_tool(name: str, description: str, **arguments: str) -> Tool[None]:
    """Return a deferred tool of the host."""
    properties = {key: {"type": "string", "description": told} for key, told in arguments.items()}

    def function(**given: str) -> str:
        return f"{name} was called"

    tool: Tool[None] = Tool.from_schema(
        function, name, description, {"type": "object", "properties": properties}
    )
    tool.defer_loading = True
    return tool


DEFERRED = [
    host_tool("send_mail", "Send a message to somebody.", to="The mailbox of the recipient."),
    host_tool("get_weather", "Forecast for a town."),
    host_tool("list_mailboxes", "List all mailboxes."),
    host_tool("演示文稿", "制作幻灯片"),
]


def discovered(part: ToolReturnPart) -> list[str]:
    """Return the names that the framework's search tool answered with."""
    return [one["name"] for one in json.loads(text(part))["discovered_tools"]]


@pytest.mark.parametrize(
    ("queries", "found"),
    [
        (["weather forecast"], ["get_weather"]),
        (["sending messages"], ["send_mail"]),
        (["recipient"], ["send_mail"]),
        (["幻灯片"], ["演示文稿"]),
        (["forecasts", "list mailboxes"], ["get_weather", "list_mailboxes", "send_mail"]),
        (["select:send_mail,get_weather"], ["send_mail", "get_weather"]),
        (["nothing of the kind"], []),
    ],
)
def test_an_agent_finds_its_deferred_tools(queries: list[str], found: list[str]) -> None:
    """The framework's own search tool answers with our ranking, and what it found can be called."""
    calls: list[tuple[str, Any]] = [("search_tools", {"queries": queries}), *((name, {}) for name in found)]
    agent: Agent[None, str] = Agent(tools=DEFERRED, capabilities=[ToolSearch(strategy=tool_search())])
    searched, *called = asyncio.run(run(agent, calls))
    assert discovered(searched) == found
    assert [part.content for part in called] == [f"{name} was called" for name in found]


def test_tools_not_seen_yet_come_first() -> None:
    """Where the answer is cut, a tool that the model has already takes no place of another."""
    strategy = tool_search()
    agent: Agent[None, str] = Agent(
        tools=DEFERRED, capabilities=[ToolSearch(strategy=strategy, max_results=1)]
    )
    asked = ("search_tools", {"queries": ["mailboxes"]})
    first, second = asyncio.run(run(agent, [asked, asked]))
    assert discovered(first) == ["list_mailboxes"]
    assert discovered(second) == ["send_mail"]


def test_the_word_index_is_kept_while_the_tools_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs of one agent build it once; another tool, or another text of one, builds it anew."""
    built: list[int] = []

    class Counted(SkillCatalog):
        def __init__(self, skills: Iterable[Skill] = (), **options: Any) -> None:
            super().__init__(skills, **options)
            built.append(len(self))

    monkeypatch.setattr("skill_index.adapters.tool_ranking.SkillCatalog", Counted)
    strategy = tool_search()
    asked = [("search_tools", {"queries": ["mail"]})]
    told = host_tool("get_weather", "Mail the forecast.")
    for tools in (DEFERRED, DEFERRED, [*DEFERRED[:1], told], [*DEFERRED[:1], told]):
        agent: Agent[None, str] = Agent(tools=tools, capabilities=[ToolSearch(strategy=strategy)])
        asyncio.run(run(agent, asked))
    assert built == [0, 4, 2]


def test_a_tool_entry_that_is_described_is_revealed() -> None:
    """A deferred tool of the host, found by describe_skill, can be called from then on."""
    agent: Agent[None, str] = Agent(tools=DEFERRED, toolsets=[SkillToolset(CATALOG)])
    calls: Calls = [("describe_skill", {"name": "send a mail"}), ("send_mail", {"to": "ann"})]
    described, sent = asyncio.run(run(agent, calls))
    assert "send_mail" in text(described)
    assert sent.content == "send_mail was called"
