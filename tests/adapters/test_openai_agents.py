"""The OpenAI Agents SDK: its runner drives the tools, with a model that says what is written down."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

pytest.importorskip("agents", reason="needs skill_index[openai-agents]")

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    RunState,
    ToolCallOutputItem,
    ToolGuardrailFunctionOutput,
    Usage,
    tool_output_guardrail,
)
from agents.models.openai_responses import Converter
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from skill_index import Skill, SkillCatalog
from skill_index.adapters import hosting
from skill_index.adapters.hosting import Skills
from skill_index.adapters.openai_agents import as_tools, instructions
from skill_index.errors import ToolkitError
from skill_index.running import FunctionsOnly
from skill_index.session import Session
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

CATALOG = SkillCatalog(SKILLS)
QUIET = RunConfig(tracing_disabled=True)
"""No test reports to anybody's servers."""


class Scripted(Model):
    """A model that says what is written down, and remembers what it was told."""

    def __init__(self, outputs: Iterable[Any]) -> None:
        self._outputs = list(outputs)
        self.systems: list[str | None] = []
        self.offered: list[list[str]] = []

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        """Return the next output."""
        told = (
            dict(zip(("system_instructions", "input", "model_settings", "tools"), given, strict=False))
            | named
        )
        self.systems.append(told["system_instructions"])
        self.offered.append([tool.name for tool in told["tools"]])
        return ModelResponse(output=[self._outputs.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Fail: no test streams."""
        pytest.fail("the runner asked for a stream")


def scripted(*outputs: Any) -> Scripted:
    """Return a model that says these, and then that it is done."""
    return Scripted(_numbered(output, number) for number, output in enumerate((*outputs, "Done.")))


def _numbered(output: Any, number: int) -> Any:
    if isinstance(output, str):
        text = ResponseOutputText(type="output_text", text=output, annotations=[])
        return ResponseOutputMessage(
            id=f"m{number}", type="message", role="assistant", status="completed", content=[text]
        )
    name, arguments = output
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return ResponseFunctionToolCall(type="function_call", call_id=f"c{number}", name=name, arguments=written)


def outputs(result: Any) -> list[ToolCallOutputItem]:
    """Return what tools answered in a run."""
    return [item for item in result.new_items if isinstance(item, ToolCallOutputItem)]


def run(agent: Agent[Any], given: Any = "Do it.", context: Any = None) -> Any:
    """Run an agent to its end."""
    return asyncio.run(Runner.run(agent, given, context=context, run_config=QUIET))


class TestOpenAIAgents(Contract):
    """The suite, through the runner."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As the SDK's own model sends tools."""
        sent: Any = Converter.convert_tools(as_tools(skills, beside=beside), []).tools
        assert all(tool["strict"] is False for tool in sent)
        return [Declared(tool["name"], tool["description"], tool["parameters"]) for tool in sent]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a model's call in a run of its own."""
        agent = Agent("Clerk", model=scripted((name, arguments)), tools=as_tools(toolkit))
        [item] = outputs(await Runner.run(agent, "Do it.", run_config=QUIET))
        return Answer(str(item.output))


LOAD = ("load_skill", {"skill_name": "pdf-forms"})


def test_an_agent_finds_loads_and_reads() -> None:
    """The whole journey in the runner, with the toolkit's words in the items and its data beside them."""
    steps = [
        ("list_skills", {}),
        ("describe_skill", {"name": "fill a form"}),
        LOAD,
        ("read_skill_resource", {"skill_name": "pdf-forms", "resource_name": "refs/fields.md"}),
        ("load_skill", {"skill_name": "pdf-from"}),
    ]
    model = scripted(*steps)
    told = instructions(CATALOG, "Be brief.")
    result = run(Agent("Clerk", instructions=told, model=model, tools=as_tools(CATALOG)))
    plain = Toolkit(CATALOG)
    for (name, arguments), item in zip(steps, outputs(result), strict=True):
        reply = plain.call(name, arguments)
        facts = {"data": reply.data, "error": reply.error}
        assert item.output == reply.text
        assert isinstance(item.raw_item, dict)
        assert item.raw_item["output"] == reply.text
        assert item.custom_data == {key: fact.model_dump(mode="json") for key, fact in facts.items() if fact}
    assert result.final_output == "Done."
    # The host's own part leads, and not a byte changes from turn to turn.
    assert model.systems == [f"Be brief.\n\n{hosting.instructions(plain)}"] * 6
    assert model.offered == [list(plain.names)] * 6


def test_conversations_keep_their_sessions_in_the_context() -> None:
    """One agent serves many; each conversation knows what it loaded, and is told what it lost."""
    told = instructions(CATALOG, session=lambda run: run.context["skills"])
    tools = as_tools(CATALOG, session=lambda run: run.context["skills"])
    sessions = {"a": Session(), "b": Session()}

    def answer(who: str) -> tuple[str, str]:
        model = scripted(LOAD)
        result = run(
            Agent("Clerk", instructions=told, model=model, tools=tools), context={"skills": sessions[who]}
        )
        return str(outputs(result)[0].output), str(model.systems[0])

    assert ["Use pdftk." in answer(who)[0] for who in ("a", "b", "a")] == [True, True, False]
    sessions["a"].on_evicted(["pdf-forms"])
    text, system = answer("a")
    assert "Skills that were loaded before: pdf-forms" in system
    assert "Use pdftk." in text
    assert "loaded before" not in answer("b")[1]


CLOCK = ("run_skill_script", {"skill_name": "clock", "script_name": "now"})


def clock(ran: list[str]) -> Toolkit:
    """Return a toolkit with one script, which remembers that it ran."""

    def now() -> str:
        """Tell the time."""
        ran.append("now")
        return "noon"

    skill = Skill("clock", "Tell the time.", "Run now.", scripts={"now": now})
    return Toolkit(SkillCatalog([skill]), runner=FunctionsOnly())


@pytest.mark.parametrize("approved", [True, False])
def test_scripts_wait_for_a_person(approved: bool) -> None:
    """The run stops before a script runs, goes on with the decision, and a no is an answer."""
    ran: list[str] = []
    agent = Agent("Clerk", model=scripted(LOAD, CLOCK), tools=as_tools(clock(ran)))
    result = run(agent)
    [waiting] = result.interruptions
    assert waiting.tool_name == "run_skill_script"
    assert ran == []
    # A person may take days: the state waits as JSON, also for another process.
    written = json.dumps(result.to_state().to_json())
    state = asyncio.run(RunState.from_json(agent, json.loads(written)))
    [waiting] = state.get_interruptions()
    if approved:
        state.approve(waiting)
    else:
        state.reject(waiting)
    text = str(outputs(run(agent, state))[-1].output)
    assert ("noon" in text, ran) == (approved, ["now"] if approved else [])


def test_approval_can_be_left_to_the_toolkit() -> None:
    """A toolkit that asks by itself is not asked for twice, and a renamed tool is still the script's."""
    ran: list[str] = []
    toolkit = clock(ran).approving(lambda _: False).prefixed("my_")
    call = (f"my_{CLOCK[0]}", CLOCK[1])
    result = run(Agent("Clerk", model=scripted(call), tools=as_tools(toolkit, needs_approval=False)))
    assert "was not approved" in str(outputs(result)[0].output)
    assert run(Agent("Clerk", model=scripted(call), tools=as_tools(toolkit))).interruptions
    assert ran == []


def test_without_skills_nothing_is_shown() -> None:
    """No section, and no tool that can only fail."""
    model = scripted()
    empty = SkillCatalog([])
    told = instructions(empty, "Be brief.")
    run(Agent("Clerk", instructions=told, model=model, tools=as_tools(empty)))
    assert (model.systems, model.offered) == (["Be brief."], [[]])


@pytest.mark.parametrize("written", ["", "{broken", "[1, 2]", '"pdf-forms"', "null"])
def test_whatever_a_model_writes_is_answered(written: str) -> None:
    """Arguments that are no object, or no JSON at all, are no exception."""
    agent = Agent("Clerk", model=scripted(("load_skill", written)), tools=as_tools(CATALOG))
    assert str(outputs(run(agent))[0].output).startswith("Error: ")


def test_prompts_speak_of_renamed_tools() -> None:
    """A shaped toolkit's names are in the instructions."""
    model = scripted()
    toolkit = Toolkit(CATALOG).prefixed("my_")
    run(Agent("Clerk", instructions=instructions(toolkit), model=model, tools=as_tools(toolkit)))
    assert "my_describe_skill(" in str(model.systems[0])
    with pytest.raises(ToolkitError):
        as_tools(toolkit, beside=["my_load_skill"])


def test_an_output_that_a_guardrail_replaced_has_no_facts() -> None:
    """What the model was not told is not told beside it either."""

    @tool_output_guardrail
    def refuse(_: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content("Withheld.")

    tools: list[Any] = as_tools(CATALOG)
    for tool in tools:
        tool.tool_output_guardrails = [refuse]
    [item] = outputs(run(Agent("Clerk", model=scripted(LOAD), tools=tools)))
    assert (item.output, item.custom_data) == ("Withheld.", None)
