"""
The OpenAI Agents SDK: function tools, and instructions that hold the index.

    agent = Agent("Clerk", instructions=instructions(index, "Be brief."), tools=as_tools(index))

An agent is defined once and runs for many people; what one conversation has loaded belongs into the run's
context, where the SDK keeps such things.  `session` tells where it is there:

    as_tools(index, session=lambda run: run.context.skills)

Without it the toolkit's own session serves, which is right for one conversation.  Strict schemas are off:
they would make models fill in every optional argument.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeAlias

from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, facts, from_json, joined, lost, toolkit_of
from skill_index.adapters.sections import IndexSection
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.session import Session
from skill_index.tools import Toolkit, ToolReply, ToolSchema
from skill_index.tools.calls import RUN

with extra("openai-agents"):
    from agents import Agent, FunctionTool, RunContextWrapper, Tool
    from agents.tool import FunctionToolCustomDataContext
    from agents.tool_context import ToolContext

SessionOf: TypeAlias = Callable[[RunContextWrapper[Any]], Session]
"""Where a run keeps what its conversation has loaded."""

Approval: TypeAlias = bool | Callable[[RunContextWrapper[Any], dict[str, Any], str], Awaitable[bool]]
"""Whether a call waits for a person, as the SDK asks it."""

Instructions: TypeAlias = Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]
"""What `Agent(instructions=...)` takes."""


class Said(str):
    """What a model reads, with the reply it is from, whose facts become the output item's custom data."""

    __slots__ = ("reply",)
    reply: ToolReply


def as_tools(
    skills: Skills,
    *,
    beside: Iterable[str] = (),
    session: SessionOf | None = None,
    needs_approval: Approval = True,
) -> list[Tool]:
    """
    Return the skill tools, which are there while there are skills.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    `needs_approval` is for scripts alone: the run is interrupted before one runs; give False where the
    toolkit asks by itself (`Toolkit.approving`).  Output items have the reply's `data` and `error` as
    their custom data.
    """
    toolkit = toolkit_of(skills, beside)
    return [
        _tool(toolkit, schema, session, needs_approval if schema.name == toolkit.names.get(RUN) else False)
        for schema in toolkit.schemas
    ]


def _tool(
    toolkit: Toolkit, schema: ToolSchema, session: SessionOf | None, needs_approval: Approval
) -> FunctionTool:
    async def invoke(run: ToolContext[Any], arguments: str) -> str:
        reply = await _of_run(toolkit, session, run).acall(schema.name, from_json(arguments))
        said = Said(reply.text)
        said.reply = reply
        return said

    async def is_enabled(*_: object) -> bool:
        return bool(await asyncio.to_thread(toolkit.catalog))

    return FunctionTool(
        name=schema.name,
        description=schema.description,
        params_json_schema=schema.parameters,
        on_invoke_tool=invoke,
        strict_json_schema=False,
        is_enabled=is_enabled,
        needs_approval=needs_approval,
        custom_data_extractor=_facts,
    )


def instructions(
    skills: Skills,
    base: str = "",
    *,
    session: SessionOf | None = None,
    budget_tokens: int = BUDGET_TOKENS,
    count: Count | None = None,
) -> Instructions:
    """
    Return instructions that end in the index, made anew for each turn and the same while the skills are.

    What a session was told to have lost (`Session.on_evicted`) is named after it.
    """
    toolkit = toolkit_of(skills)
    section = IndexSection(toolkit, budget_tokens, count)

    def text(run: RunContextWrapper[Any]) -> str:
        return joined(base, section.text(), lost(_of_run(toolkit, session, run)))

    async def instruct(run: RunContextWrapper[Any], agent: Agent[Any]) -> str:  # noqa: ARG001  (the SDK's form)
        return await asyncio.to_thread(text, run)

    return instruct


def _of_run(toolkit: Toolkit, session: SessionOf | None, run: RunContextWrapper[Any]) -> Toolkit:
    return toolkit if session is None else toolkit.with_session(session(run))


def _facts(context: FunctionToolCustomDataContext) -> dict[str, Any] | None:
    """Return a reply's facts; None for an output that a guardrail put in its place."""
    return facts(context.output.reply) if isinstance(context.output, Said) else None
