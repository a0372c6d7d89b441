"""
Skills in pydantic-ai: tools, a toolset that knows its conversation, and a ranking for its tool search.

    agent = Agent(model, toolsets=[SkillToolset(index)])
    agent = Agent(model, tools=deferred, capabilities=[ToolSearch(strategy=tool_search())])

What a conversation has loaded is read from its message history, where the answers stand with their data:
it is kept, copied, forked and shortened as the messages are, and nothing has to be stored beside them.  A
table by conversation would have to be emptied, and would go on believing in what a compaction took away.

A call that failed is a `ToolFailed`, which the framework flags and which costs no retry.  A tool entry
that `describe_skill` finds is revealed, if the agent has a deferred tool of its name.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from skill_index.adapters.asking import approved, asked, is_for, told, unasked
from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, from_json, get, toolkit_of
from skill_index.adapters.sections import IndexSection
from skill_index.adapters.tool_ranking import RankedTools
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.settings import SearchSettings
from skill_index.tools import DescribeData, Session, Toolkit, ToolReply, ToolSchema

with extra("pydantic-ai"):
    from pydantic_ai import RunContext, Tool
    from pydantic_ai.exceptions import ApprovalRequired, ToolFailed
    from pydantic_ai.messages import (
        InstructionPart,
        ModelMessage,
        ToolReturn,
        ToolReturnPart,
        post_compaction_window,
    )
    from pydantic_ai.tools import ToolDefinition
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

_MARK = "skill_index"


def as_tools(
    skills: Skills, *, beside: Iterable[str] = (), requires_approval: bool = True
) -> list[Tool[Any]]:
    """
    Return the skill tools, over one session, for `Agent(tools=...)`.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    With `requires_approval` a script is run only after the framework's own asking.
    """
    toolkit = toolkit_of(skills, beside)
    return [_tool(toolkit, schema, requires_approval) for schema in toolkit.schemas]


class SkillToolset(AbstractToolset[Any]):
    """
    The skill tools with the index section as their instructions; one serves any number of conversations.

    With `requires_approval` a call that would run a script raises `ApprovalRequired`, whose metadata
    names skill, script and a hash over all files of the skill.  Give that metadata back with the approval
    (`DeferredToolResults(metadata=requests.metadata)`) and the yes falls with any change to them.
    It takes the place of an approver of the toolkit; pass False to keep that one, or for none.
    """

    def __init__(
        self,
        skills: Skills,
        *,
        beside: Iterable[str] = (),
        requires_approval: bool = True,
        budget_tokens: int = BUDGET_TOKENS,
        count: Count | None = None,
        id: str = "skills",  # noqa: A002  (the framework's word)
    ) -> None:
        self._toolkit = toolkit_of(skills, beside)
        self._section = IndexSection(self._toolkit, budget_tokens, count)
        self._requires_approval = requires_approval
        self._id = id

    @property
    def id(self) -> str:
        """What tells this toolset from the agent's others."""
        return self._id

    @property
    def toolkit(self) -> Toolkit:
        """The tools, with the session of the run that this toolset is for."""
        return self._toolkit

    async def for_run(self, ctx: RunContext[Any]) -> SkillToolset:
        """Return the toolset of one run, which knows what the messages before it have loaded."""
        other = copy.copy(self)
        other._toolkit = self._toolkit.with_session(session_of(ctx.messages))  # noqa: SLF001  (a copy of this)
        return other

    async def for_run_step(self, ctx: RunContext[Any]) -> SkillToolset:
        """Tell the session what a compaction within the run took away."""
        session = self._toolkit.session
        held = {row[1] for row in _loads(post_compaction_window(ctx.messages))}
        session.on_evicted([known.id for known in session.loaded if known.id not in held])
        return self

    async def get_instructions(self, ctx: RunContext[Any]) -> InstructionPart | None:  # noqa: ARG002  (the same for all)
        """Return the index section; a change is appended, so that a cached prompt stays valid."""
        section = await asyncio.to_thread(self._section.text)
        return InstructionPart(section, name="index", on_change="append") if section else None

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """Return the tools as the toolkit declares them; without skills none, since they could only fail."""
        if not await asyncio.to_thread(self._toolkit.catalog):
            return {}
        return {
            schema.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=schema.name,
                    description=schema.description,
                    parameters_json_schema=schema.parameters,
                ),
                max_retries=ctx.max_retries,
                args_validator=_Arguments(self._toolkit, schema.name),
            )
            for schema in self._toolkit.schemas
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> ToolReturn[str]:
        """Answer a call; `tool` is what `get_tools` made of it, and says nothing more."""
        del tool
        return await _answer(self._toolkit, ctx, name, tool_args, self._requires_approval)


@dataclass(frozen=True, slots=True)
class _Arguments:
    """Arguments as they come: the toolkit checks them, and answers in words the model can mend."""

    toolkit: Toolkit
    tool: str

    def validate_json(self, input: str | bytes | bytearray, **_: Any) -> dict[str, Any]:  # noqa: A002  (the framework's word)
        """Return the object a model wrote as JSON text."""
        return self.validate_python(from_json(input))

    def validate_python(self, input: Any, **_: Any) -> dict[str, Any]:  # noqa: A002
        """Return the object; anything else the framework could not pass on, so it is answered here."""
        if isinstance(input, dict):
            return input
        raise ToolFailed(self.toolkit.call(self.tool, input).text)


def session_of(messages: Sequence[ModelMessage]) -> Session:
    """
    Return the session of a conversation: what its messages show, and what was compacted away.

    Read from the data of our answers, which a history keeps when it is written to JSON and read again.
    """
    held = {row[1]: row for row in _loads(post_compaction_window(messages))}
    lost = [row for row in _loads(messages) if row[1] not in held]
    return Session.from_json(json.dumps({"loaded": list(held.values()), "evicted": lost}))


def tool_search(
    *, settings: SearchSettings = SearchSettings(), limit: int = 50
) -> Callable[[RunContext[Any], Sequence[str], Sequence[ToolDefinition]], list[str]]:
    """
    Return a strategy for `ToolSearch(strategy=...)` that ranks deferred tools as skills are ranked.

    The names and descriptions of a tool's arguments count as its body does.  Tools the model has not seen
    yet come first, since an answer is cut; `ToolSearch(max_results=...)` says where.
    """
    ranked = RankedTools(settings)

    def search(ctx: RunContext[Any], queries: Sequence[str], tools: Sequence[ToolDefinition]) -> list[str]:
        described = ((tool.name, tool.description, tool.parameters_json_schema, ()) for tool in tools)
        found = ranked.names(described, queries, limit)
        return sorted(found, key=lambda name: name in ctx.discovered_tool_names)

    return search


def _tool(toolkit: Toolkit, schema: ToolSchema, requires_approval: bool) -> Tool[Any]:  # noqa: FBT001
    async def function(ctx: RunContext[Any], /, **arguments: Any) -> ToolReturn[str]:
        return await _answer(toolkit, ctx, schema.name, arguments, requires_approval)

    tool = Tool.from_schema(function, schema.name, schema.description, schema.parameters, takes_ctx=True)
    tool.function_schema.validator = cast("Any", _Arguments(toolkit, schema.name))
    return tool


async def _answer(
    toolkit: Toolkit,
    ctx: RunContext[Any],
    name: str,
    arguments: object,
    requires_approval: bool,  # noqa: FBT001
) -> ToolReturn[str]:
    if requires_approval:
        toolkit = await _approved(toolkit, ctx, name, arguments)
    reply = await toolkit.acall(name, arguments)
    if reply.error is not None:
        raise ToolFailed(reply.text)
    return ToolReturn(reply.text, metadata=_metadata(toolkit, name, reply), tools=_found_tools(reply))


async def _approved(toolkit: Toolkit, ctx: RunContext[Any], name: str, arguments: object) -> Toolkit:
    """Return the toolkit for a call that may go on; raise ApprovalRequired for one that waits."""
    approval = await asyncio.to_thread(asked, toolkit, name, arguments)
    if approval is None:
        return unasked(toolkit, name)
    if ctx.tool_call_approved and is_for(ctx.tool_call_metadata, approval):
        return approved(toolkit, approval)
    raise ApprovalRequired({**told(approval)})


def _metadata(toolkit: Toolkit, name: str, reply: ToolReply) -> dict[str, Any]:
    """Return what the host finds beside an answer, and `session_of` reads."""
    ours = next(ours for ours, shown in toolkit.names.items() if shown == name)
    # Who has only a later piece of a skill does not hold it.
    held = any(known.id == get(reply.data, "id") for known in toolkit.session.loaded)
    return {_MARK: ours, "held": held, "data": reply.data}


def _found_tools(reply: ToolReply) -> list[str] | None:
    """Return the names of the tool entries an answer shows, for the framework to reveal those it has."""
    hits = reply.data.hits if isinstance(reply.data, DescribeData) else ()
    return [hit.name for hit in hits if hit.input_schema is not None] or None


def _loads(messages: Sequence[ModelMessage]) -> Iterator[tuple[str, str, str]]:
    """Yield name, id and digest of each skill whose instructions stand in the messages."""
    loaded: dict[str, tuple[str, str, str]] = {}
    for answer in _answers(messages):
        tool, data = answer[_MARK], answer["data"]  # after JSON the data is a dict
        if tool == "unload_skill":
            left = set(cast("Iterable[str]", get(data, "loaded")))
            loaded = {key: row for key, row in loaded.items() if row[0] in left}
        elif tool == "load_skill" and answer["held"] and get(data, "state") != "already-loaded":
            key = str(get(data, "id"))
            loaded[key] = (str(get(data, "name")), key, str(get(data, "version")))
    yield from loaded.values()


def _answers(messages: Sequence[ModelMessage]) -> Iterator[Mapping[str, Any]]:
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolReturnPart) and get(part.metadata, _MARK):
                yield part.metadata
