"""LangChain: its nodes and agents drive the tools, and a thread's skills live in the graph's state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

pytest.importorskip("langchain.agents", reason="needs skill_index[langchain]")

from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    HumanInTheLoopMiddleware,
    SummarizationMiddleware,
)
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatResult
from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt import ToolNode
from langgraph.types import Command

from skill_index import Skill, SkillCatalog
from skill_index.adapters.hosting import Skills, instructions
from skill_index.adapters.langchain import (
    SkillMiddleware,
    SkillState,
    as_tools,
    build_skill_search_setup,
)
from skill_index.errors import ToolkitError
from skill_index.running import FunctionsOnly
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

CATALOG = SkillCatalog(SKILLS)


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    """Return a tool call as a model's message holds it."""
    return {
        "name": name,
        "args": arguments,
        "id": f"{name}-{len(json.dumps(arguments))}",
        "type": "tool_call",
    }


def calling(*calls: dict[str, Any]) -> AIMessage:
    """Return a model's message that calls tools."""
    return AIMessage("", tool_calls=list(calls))


def node(tools: Sequence[Any], **wrappers: Any) -> Any:
    """Return a graph of one tool node."""
    builder = StateGraph(SkillState)
    builder.add_node("tools", ToolNode(tools, **wrappers))
    builder.add_edge(START, "tools")
    return builder.compile()


class Scripted(GenericFakeChatModel):
    """A model that says what is written down, and remembers what it was told."""

    told: list[list[AnyMessage]]
    offered: list[list[str]]

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        """Remember the tools' names."""
        self.offered.append([convert_to_openai_tool(one)["function"]["name"] for one in tools])
        return self

    def _generate(self, messages: list[Any], *more: Any, **options: Any) -> ChatResult:
        self.told.append(messages)
        return super()._generate(messages, *more, **options)

    @property
    def systems(self) -> list[str]:
        """The system message of each call."""
        return [str(told[0].text) if isinstance(told[0], SystemMessage) else "" for told in self.told]


def scripted(*messages: AIMessage | str) -> Scripted:
    """Return a model that says these."""
    return Scripted(messages=iter(messages), told=[], offered=[])


class TestLangChain(Contract):
    """The suite, through a graph with a tool node."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As chat models are told of tools."""
        functions = [convert_to_openai_tool(one)["function"] for one in as_tools(skills, beside=beside)]
        return [Declared(one["name"], one["description"], one["parameters"]) for one in functions]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """Through the node, without waiting."""
        state = {"messages": [calling(call(name, **arguments))]}
        message = (await node(as_tools(toolkit)).ainvoke(state))["messages"][-1]
        assert isinstance(message, ToolMessage)
        assert message.name == name
        return Answer(str(message.content), message.status == "error")


DESCRIBE = call("describe_skill", name="fill a form")
LOAD = call("load_skill", skill_name="pdf-forms")
READ = call("read_skill_resource", skill_name="pdf-forms", resource_name="refs/fields.md")
UNLOAD = call("unload_skill", skill_name="pdf-forms")


def say(text: str) -> Any:
    """Return what a user says, as an agent takes it."""
    return {"messages": [HumanMessage(text)]}


def thread(name: str) -> Any:
    """Return the configuration of a thread."""
    return {"configurable": {"thread_id": name}}


def answers(state: dict[str, Any]) -> list[ToolMessage]:
    """Return the tools' messages of a state."""
    return [message for message in state["messages"] if isinstance(message, ToolMessage)]


def invoked(agent: Any, given: Any, config: Any = None) -> Any:
    """Run a graph to its end."""
    return agent.invoke(given, config)


def awaited(agent: Any, given: Any, config: Any = None) -> Any:
    """Run a graph to its end in a loop."""
    return asyncio.run(agent.ainvoke(given, config))


RUNS = pytest.mark.parametrize("run", [invoked, awaited])
Run = Callable[..., Any]


@RUNS
def test_an_agent_finds_loads_and_reads(run: Run) -> None:
    """The whole journey in a real graph, with the toolkit's words and data in its messages."""
    steps = [call("list_skills"), DESCRIBE, LOAD, READ]
    model = scripted(*(calling(step) for step in steps), "Done.")
    agent = create_agent(model, system_prompt="Be brief.", middleware=[SkillMiddleware(CATALOG)])
    state = run(agent, say("Fill in this form."))
    plain = Toolkit(CATALOG)
    for step, message in zip(steps, answers(state), strict=True):
        reply = plain.call(step["name"], step["args"])
        assert reply.data is not None
        assert (message.text, message.status) == (reply.text, "success")
        assert message.artifact == reply.data.model_dump(mode="json")
    assert state["messages"][-1].text == "Done."
    # The host's prompt leads, and not a byte changes while the thread goes on.
    assert model.systems == [f"Be brief.\n\n{instructions(plain)}"] * 5
    assert model.offered == [list(plain.names)] * 5
    assert json.loads(json.dumps(state["loaded_skills"])) == state["loaded_skills"]
    assert list(state["loaded_skills"]) == ["memory:pdf-forms"]


@RUNS
def test_threads_do_not_mix_and_outlive_the_agent(run: Run) -> None:
    """A thread knows what it loaded, also in another process; no other thread does."""
    saver = InMemorySaver()

    def agent() -> Any:
        model = scripted(calling(LOAD), "Loaded.")
        return create_agent(model, middleware=[SkillMiddleware(CATALOG)], checkpointer=saver)

    first = run(agent(), say("Load."), thread("a"))
    other = run(agent(), say("Load."), thread("b"))
    again = run(agent(), say("Load it again."), thread("a"))
    assert "Use pdftk." in answers(first)[-1].text
    assert "Use pdftk." in answers(other)[-1].text
    assert "loaded already" in answers(again)[-1].text
    assert again["loaded_skills"] == first["loaded_skills"]


def test_a_host_without_checkpoints_can_keep_the_state_itself() -> None:
    """What came out of one run goes into the next."""
    agent: Any = create_agent(
        scripted(calling(LOAD), "1", calling(LOAD), "2"), middleware=[SkillMiddleware(CATALOG)]
    )
    first = agent.invoke(say("Load."))
    second = agent.invoke({"loaded_skills": first["loaded_skills"], "messages": first["messages"]})
    assert "loaded already" in answers(second)[-1].text


def test_instructions_that_left_the_messages_are_carried() -> None:
    """After the messages were dropped, the prompt holds what is loaded until it is unloaded."""
    model = scripted(calling(LOAD), "Loaded.", "Still here.", calling(UNLOAD), "Gone.")
    agent = create_agent(model, middleware=[SkillMiddleware(CATALOG)], checkpointer=InMemorySaver())
    agent.invoke(say("Load."), thread("a"))
    dropped = {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), HumanMessage("Summary: loaded a skill.")]}
    agent.update_state(thread("a"), dropped)
    agent.invoke(say("Go on."), thread("a"))
    section = instructions(Toolkit(CATALOG))
    assert model.systems[:2] == [section, section]
    assert model.systems[2].startswith(f"{section}\n\nSkills in use")
    assert "Use pdftk." in model.systems[2]
    state = agent.invoke(say("Unload."), thread("a"))
    assert state["loaded_skills"] == {}
    assert model.systems[-1] == section


def test_instructions_that_were_summarised_are_carried() -> None:
    """The framework's own summary replaces messages in the state, and not what is loaded."""
    summary = SummarizationMiddleware(
        scripted("A skill was loaded."), trigger=("messages", 4), keep=("messages", 1)
    )
    model = scripted(calling(LOAD), "Loaded.", "Still here.")
    agent = create_agent(model, middleware=[summary, SkillMiddleware(CATALOG)], checkpointer=InMemorySaver())
    agent.invoke(say("Load."), thread("a"))
    state = agent.invoke(say("Go on."), thread("a"))
    assert answers(state) == []
    assert ["Use pdftk." in system for system in model.systems] == [False, False, True]


def test_instructions_that_were_cleared_are_carried() -> None:
    """A message that is still there but was emptied shows nothing any more."""
    clearing = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=1, keep=0)])
    model = scripted(calling(LOAD), "Loaded.")
    agent = create_agent(model, middleware=[clearing, SkillMiddleware(CATALOG)])
    agent.invoke(say("Load."))
    assert [message.text for message in model.told[1] if isinstance(message, ToolMessage)] == ["[cleared]"]
    assert "Use pdftk." in model.systems[1]


@RUNS
def test_loads_of_one_step_are_all_kept(run: Run) -> None:
    """Calls of one message start from one state, and none undoes another."""
    other = call("load_skill", skill_name="幻灯片")
    model = scripted(
        calling(LOAD, other), calling(UNLOAD, call("load_skill", skill_name="chart-maker")), "Done."
    )
    state = run(create_agent(model, middleware=[SkillMiddleware(CATALOG)]), say("Load both."))
    assert sorted(state["loaded_skills"]) == ["memory:chart-maker", "memory:幻灯片"]


def test_instructions_shown_again_count_as_shown() -> None:
    """Instructions that a model insisted on stand twice in its messages, and not in the prompt, too."""
    again = call("load_skill", skill_name="pdf-forms", force=True)
    model = scripted(calling(LOAD), calling(again), "Done.")
    agent = create_agent(model, middleware=[SkillMiddleware(CATALOG)])
    assert [message.text.count("Use pdftk.") for message in answers(agent.invoke(say("Load.")))] == [1, 1]
    assert not any("Skills in use" in system for system in model.systems)


def test_a_hosts_tool_of_one_of_our_names_is_refused() -> None:
    """The graph would let the later hide the former; the error says what to write."""

    @tool
    def load_skill(path: str) -> str:
        """Load something else."""
        return path

    agent = create_agent(scripted("Never."), tools=[load_skill], middleware=[SkillMiddleware(CATALOG)])
    with pytest.raises(ToolkitError, match=r"load_skill.*prefixed"):
        agent.invoke(say("Hello."))
    renamed = SkillMiddleware(Toolkit(CATALOG).prefixed("skills_"))
    model = scripted(calling(call("load_skill", path="x")), "Done.")
    state = create_agent(model, tools=[load_skill], middleware=[renamed]).invoke(say("Hello."))
    assert [message.text for message in answers(state)] == ["x"]
    assert "skills_describe_skill(" in model.systems[0]


class Marked(AgentMiddleware):
    """Another's middleware, which sends copies of the tools."""

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        """Mark each tool."""
        marked = [one.model_copy(update={"extras": {"marked": True}}) for one in request.tools]
        return handler(request.override(tools=marked))


def test_a_copy_of_our_tool_is_ours() -> None:
    """A tool that another middleware marked is no second tool of its name."""
    model = scripted(calling(LOAD), "Done.")
    state = create_agent(model, middleware=[Marked(), SkillMiddleware(CATALOG)]).invoke(say("Load."))
    assert list(state["loaded_skills"]) == ["memory:pdf-forms"]


def test_without_skills_nothing_is_shown() -> None:
    """No section, and no tool that can only fail."""
    model = scripted("Hello.")
    create_agent(model, middleware=[SkillMiddleware(SkillCatalog([]))]).invoke(say("Hello."))
    assert (model.systems, model.offered) == ([""], [])


def test_a_system_message_of_blocks_keeps_its_blocks() -> None:
    """What a host marked for a cache is sent as it was, with the section as one more block."""
    block = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    model = scripted("Hello.")
    prompt = SystemMessage([block])
    create_agent(model, system_prompt=prompt, middleware=[SkillMiddleware(CATALOG)]).invoke(say("Hello."))
    assert model.told[0][0].content == [block, {"type": "text", "text": instructions(Toolkit(CATALOG))}]


@RUNS
def test_a_graph_of_ones_own_keeps_its_threads(run: Run) -> None:
    """The middleware's wrappers serve a bare tool node."""
    skills = SkillMiddleware(CATALOG)
    graph = node(skills.tools, wrap_tool_call=skills.wrap_tool_call, awrap_tool_call=skills.awrap_tool_call)
    first = run(graph, {"messages": [calling(LOAD)]})
    again = run(graph, {**first, "messages": [calling(LOAD)]})
    fresh = run(graph, {"messages": [calling(LOAD)]})
    told = ["loaded already" in answers(state)[-1].text for state in (first, again, fresh)]
    assert told == [False, True, False]


class Upper(AgentMiddleware):
    """Another's wrapper, which answers in its own way."""

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Return a command instead of the message."""
        answer = handler(request)
        return Command(update={"messages": [answer.model_copy(update={"content": answer.text.upper()})]})


def test_what_another_wrapper_made_of_an_answer_is_left() -> None:
    """An answer that is no message any more passes as it is."""
    model = scripted(calling(LOAD), "Done.")
    state = create_agent(model, middleware=[SkillMiddleware(CATALOG), Upper()]).invoke(say("Load."))
    assert "USE PDFTK." in answers(state)[-1].text


@RUNS
@pytest.mark.parametrize(("decision", "text"), [("approve", "noon"), ("reject", "not now")])
def test_scripts_wait_for_a_person(run: Run, decision: str, text: str) -> None:
    """The framework's own approval stops the graph before a script runs, and a no is an answer."""
    ran: list[str] = []

    def now() -> str:
        """Tell the time."""
        ran.append("now")
        return "noon"

    clock = SkillCatalog([Skill("clock", "Tell the time.", "Run now.", scripts={"now": now})])
    asked = call("run_skill_script", skill_name="clock", script_name="now")
    agent = create_agent(
        scripted(calling(asked), "Done."),
        middleware=[
            HumanInTheLoopMiddleware(interrupt_on={"run_skill_script": True}),
            SkillMiddleware(Toolkit(clock, runner=FunctionsOnly())),
        ],
        checkpointer=InMemorySaver(),
    )
    waiting = run(agent, say("What time is it?"), thread("a"))
    [request] = waiting["__interrupt__"][0].value["action_requests"]
    assert (request["name"], request["args"]) == ("run_skill_script", asked["args"])
    assert ran == []
    answer: dict[str, str] = {"type": decision, **({"message": "not now"} if decision == "reject" else {})}
    state = run(agent, Command(resume={"decisions": [answer]}), thread("a"))
    assert text in answers(state)[-1].text
    assert ran == (["now"] if decision == "approve" else [])


def test_tools_can_answer_with_commands() -> None:
    """The command holds the message, and a node passes it on to the state."""
    describe = as_tools(CATALOG, commands=True)[0]
    command = describe.invoke(DESCRIBE)
    assert isinstance(command, Command)
    assert command.update is not None
    [message] = command.update["messages"]
    assert (message.tool_call_id, message.name) == (DESCRIBE["id"], "describe_skill")
    [passed] = answers(node(as_tools(CATALOG, commands=True)).invoke({"messages": [calling(DESCRIBE)]}))
    assert (passed.text, passed.artifact) == (message.text, message.artifact)


def test_a_setup_is_a_section_with_its_tools_or_nothing() -> None:
    """On, off, and without skills; a shaped toolkit's names are in both."""
    on = build_skill_search_setup(Toolkit(CATALOG).only("describe_skill", "load_skill").prefixed("my_"))
    assert [one.name for one in on.tools] == ["my_describe_skill", "my_load_skill"]
    assert "my_describe_skill(" in on.section
    off = build_skill_search_setup(CATALOG, enabled=False)
    assert off.tools == ()
    assert "<location>" in off.section
    assert "load_skill" not in off.section
    assert on.names == off.names == {"pdf-forms", "chart-maker", "幻灯片", "send_mail"}
    nothing = build_skill_search_setup(SkillCatalog([]))
    assert (nothing.section, nothing.tools, nothing.names) == ("", (), frozenset())
    unlisted = build_skill_search_setup(CATALOG, budget_tokens=1)
    assert (unlisted.section, len(unlisted.tools)) == ("", 5)
    with pytest.raises(ToolkitError):
        build_skill_search_setup(CATALOG, beside=["load_skill"])


@pytest.mark.parametrize(
    "odd", ["self", "config", "runtime", "run_manager", "callbacks", "tool_call_id", "call"]
)
def test_any_argument_a_model_invents_is_answered(odd: str) -> None:
    """Names that mean something to the framework are arguments like any other."""
    arguments = {"skill_name": "pdf-forms", odd: {"x": 1}}
    step = {"name": "load_skill", "args": arguments, "id": "1", "type": "tool_call"}
    [message] = answers(node(as_tools(CATALOG)).invoke({"messages": [calling(step)]}))
    assert (message.text, message.status) == (Toolkit(CATALOG).call("load_skill", arguments).text, "error")


def test_a_tool_called_without_a_call_answers_in_text() -> None:
    """In a chain of the host's own there is no message to answer."""
    describe = as_tools(CATALOG)[0]
    arguments = {"name": "chart"}
    expected = Toolkit(CATALOG).call("describe_skill", arguments).text
    assert describe.invoke(arguments) == asyncio.run(describe.ainvoke(arguments)) == expected
    assert describe.invoke("chart").startswith("Error: ")


def test_threads_at_once_do_not_mix() -> None:
    """One middleware serves many threads together, and each keeps its own."""
    catalog = SkillCatalog([Skill(f"skill-{n}", f"Does number{n}.", f"Body {n}.") for n in range(10)])
    skills = SkillMiddleware(catalog)

    async def together() -> list[dict[str, Any]]:
        steps = (calling(call("load_skill", skill_name=f"skill-{n}")) for n in range(10))
        agents: list[Any] = [create_agent(scripted(step, "Done."), middleware=[skills]) for step in steps]
        return list(await asyncio.gather(*(agent.ainvoke(say("Load.")) for agent in agents)))

    for n, state in enumerate(asyncio.run(together())):
        assert list(state["loaded_skills"]) == [f"memory:skill-{n}"]
        assert f"Body {n}." in answers(state)[0].text
