"""
LangChain and LangGraph: tools, a middleware that carries a thread's skills, and both at once as a setup.

    agent = create_agent(model, middleware=[SkillMiddleware(index)], checkpointer=InMemorySaver())
    builder.add_node("tools", ToolNode(as_tools(index)))                a graph of your own

`as_tools` are plain tools over one session.  A graph serves many threads, so `SkillMiddleware` keeps what
each has loaded in the graph's state, where checkpoints save, restore and fork it.  It gives every call a
toolkit of its thread's session and lets the tool run as any other, so that traces, retries and the wrappers
of others see it.  Tools that take the state as injected arguments were rejected: those exist for arguments
made from a function's signature, and ours are JSON schemas already.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypeGuard

from skill_index import prompt
from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, carried, facts, get, joined, toolkit_of
from skill_index.adapters.sections import IndexSection
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.session import Loaded, Session
from skill_index.tools import Toolkit, ToolReply

with extra("langchain"):
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.tools.tool_node import ToolCallRequest
    from langchain_core.messages import AIMessage, SystemMessage, ToolMessage
    from langchain_core.tools import BaseTool
    from langgraph.types import Command

LOADED = "loaded_skills"
"""Where the graph's state keeps what a thread has loaded."""

Rows: TypeAlias = dict[str, list[str] | None]
"""Loaded skills as JSON, by id: name, digest, and the hash of the message that showed it; None drops one."""

Answered: TypeAlias = "ToolMessage | Command[Any]"
Called: TypeAlias = "ModelResponse[Any] | AIMessage"


class SkillTool(BaseTool):
    """One tool of a toolkit; what goes wrong is a message of status "error", never an exception."""

    toolkit: Toolkit
    commands: bool = False
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"

    def _to_args_and_kwargs(
        self, tool_input: str | dict[str, Any], tool_call_id: str | None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        # As one value: a model's arguments may have any names, also those of parameters here.
        return (tool_input, tool_call_id), {}

    def _run(self, arguments: object, call: str | None) -> tuple[Any, Any]:
        return self._answer(self.toolkit.call(self.name, arguments), call)

    async def _arun(self, arguments: object, call: str | None) -> tuple[Any, Any]:
        return self._answer(await self.toolkit.acall(self.name, arguments), call)

    def _answer(self, reply: ToolReply, call: str | None) -> tuple[Any, Any]:
        # Plain data, since that is what a checkpoint gives back for a model of ours.
        artifact = facts(reply).get("data")
        if call is None:
            return reply.text, artifact
        message = ToolMessage(
            reply.text,
            artifact=artifact,
            tool_call_id=call,
            name=self.name,
            status="success" if reply.error is None else "error",
        )
        return Command(update={"messages": [message]}) if self.commands else message, artifact


def as_tools(skills: Skills, *, beside: Iterable[str] = (), commands: bool = False) -> list[BaseTool]:
    """
    Return the skill tools, sync and async, whose messages carry the reply's data as their artifact.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    With `commands` a call answers with the `Command` that puts its message into the graph's state, for
    nodes that pass on what tools return.
    """
    toolkit = toolkit_of(skills, beside)
    return [
        SkillTool(
            name=schema.name,
            description=schema.description,
            args_schema=schema.parameters,
            toolkit=toolkit,
            commands=commands,
        )
        for schema in toolkit.schemas
    ]


@dataclass(frozen=True, slots=True)
class SkillSearchSetup:
    """The section for the system prompt, the tools, and the skills it stands for; empty without skills."""

    section: str
    tools: tuple[BaseTool, ...]
    names: frozenset[str]


def build_skill_search_setup(
    skills: Skills,
    *,
    beside: Iterable[str] = (),
    enabled: bool = True,
    budget_tokens: int = BUDGET_TOKENS,
    count: Count | None = None,
) -> SkillSearchSetup:
    """
    Return section and tools for a graph that puts its prompt together itself.

    With `enabled` false the section holds all metadata and there are no tools; without skills there is
    neither.
    """
    toolkit = toolkit_of(skills, beside)
    setup = prompt.build_skill_search_setup(
        toolkit.catalog(),
        enabled=enabled,
        budget_tokens=budget_tokens,
        count=count,
        tools=toolkit.names if enabled else (),
    )
    tools = tuple(as_tools(toolkit)) if enabled and setup.names else ()
    return SkillSearchSetup(setup.section, tools, setup.names)


def _changed(held: Rows, changes: Rows) -> Rows:
    """Return loaded skills with the changes of one call; calls of one step change different skills."""
    return {skill: row for skill, row in {**held, **changes}.items() if row is not None}


class SkillState(AgentState[Any]):
    """The state of an agent that carries loaded skills."""

    loaded_skills: NotRequired[Annotated[Rows, _changed]]


class SkillMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """
    Skills for `create_agent`: tools, the index in the system message, and what each thread has loaded.

    The same skills give the same bytes after the host's own system message.  Instructions whose message
    was trimmed, cleared or summarised away follow it in full until they are unloaded; so list this after
    any middleware that edits the messages of a call.  In a graph of your own, with `SkillState` among its
    state, pass `wrap_tool_call` and `awrap_tool_call` to the `ToolNode` of its `tools`.
    """

    state_schema = SkillState

    def __init__(
        self, skills: Skills, *, budget_tokens: int = BUDGET_TOKENS, count: Count | None = None
    ) -> None:
        self._toolkit = toolkit_of(skills)
        self._section = IndexSection(self._toolkit, budget_tokens, count)
        self.tools = as_tools(self._toolkit)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Called]
    ) -> Called:
        """Show the skills for this call only: the state keeps no prompt."""
        return handler(self._shown(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[Called]]
    ) -> Called:
        """Do what `wrap_model_call` does, in a worker thread since an index may look for changes."""
        return await handler(await asyncio.to_thread(self._shown, request))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Answered]
    ) -> Answered:
        """Give one of our tools its thread's session, and keep what it changed."""
        if not self._is_ours(request.tool):
            return handler(request)
        session = _session(_rows(request.state))
        before = session.loaded
        return _kept(handler(self._bound(request, request.tool, session)), before, session)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Answered]]
    ) -> Answered:
        """Do what `wrap_tool_call` does, for tools that are awaited."""
        if not self._is_ours(request.tool):
            return await handler(request)
        session = _session(_rows(request.state))
        before = session.loaded
        return _kept(await handler(self._bound(request, request.tool, session)), before, session)

    def _is_ours(self, tool: object) -> TypeGuard[SkillTool]:
        # Also a copy of one, as other middleware makes them.
        return isinstance(tool, SkillTool) and tool.toolkit is self._toolkit

    def _bound(self, request: ToolCallRequest, tool: SkillTool, session: Session) -> ToolCallRequest:
        return request.override(tool=tool.model_copy(update={"toolkit": self._toolkit.with_session(session)}))

    def _shown(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        others = [tool for tool in request.tools if not self._is_ours(tool)]
        toolkit_of(self._toolkit, [str(get(tool, "name")) for tool in others])
        if not self._toolkit.catalog():
            return request.override(tools=others)
        unseen = _session(_unseen(_rows(request.state), request.messages))
        sections = (self._section.text(), carried(self._toolkit.with_session(unseen)))
        return request.override(system_message=_with(request.system_message, *sections))


def _with(message: SystemMessage | None, *sections: str) -> SystemMessage | None:
    """Return a system message with sections at its end, its own part unchanged."""
    text = joined(*sections)
    if message is None or not text:
        return message if not text else SystemMessage(text)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": joined(message.content, text)})
    return message.model_copy(update={"content": [*message.content, {"type": "text", "text": text}]})


def _rows(state: object) -> Rows:
    """Return what a graph's state, of whatever kind, tells of its thread's skills."""
    held = get(state, LOADED)
    return dict(held) if isinstance(held, Mapping) else {}


def _session(held: Rows) -> Session:
    loaded = [[row[0], skill, row[1]] for skill, row in held.items() if row is not None]
    return Session.from_json(json.dumps({"loaded": loaded, "evicted": []}))


def _unseen(held: Rows, messages: Iterable[object]) -> Rows:
    """Return the loaded skills whose instructions are in no message as they were shown."""
    seen = {_hash(message) for message in messages if isinstance(message, ToolMessage)} if held else set()
    return {skill: row for skill, row in held.items() if row is not None and row[2] not in seen}


def _kept(answer: Answered, before: tuple[Loaded, ...], session: Session) -> Answered:
    """Return an answer with what the call changed in the session, as a change of the graph's state."""
    if not isinstance(answer, ToolMessage):
        return answer
    now = {one.id: one for one in session.loaded}
    changes: Rows = {one.id: None for one in before if one.id not in now}
    shown = (one for one in now.values() if one not in before)
    changes.update({one.id: [one.name, one.digest, _hash(answer)] for one in shown})
    return Command(update={"messages": [answer], LOADED: changes}) if changes else answer


def _hash(message: ToolMessage) -> str:
    return hashlib.sha256(str(message.text).encode("utf-8", "surrogatepass")).hexdigest()[:16]
