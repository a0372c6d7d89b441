"""
Skills in Google's Agent Development Kit: tools, and a toolset that adds the index section.

    agent = LlmAgent(name="helper", model=model, tools=[SkillIndexToolset(index)])

An agent there is one object for all its conversations, so what each has loaded stands in the session's
state, by agent: it is stored, rewound and listed with it.  Within one invocation the tools share what they
know.  Answers are dicts: `result`, or `error` with an `error_code`, which the framework's own tools use and
its telemetry reads.  For the framework's registry of skills see `google_adk_registry`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from typing import Any

from skill_index.adapters.asking import approved, asked, is_for, told, unasked
from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, get, toolkit_of
from skill_index.adapters.sections import IndexSection
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.text import one_line
from skill_index.tools import Approval, Session, Toolkit, ToolReply, ToolSchema

with extra("google-adk"):
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.base_toolset import BaseToolset
    from google.genai import types

_KEPT = 64  # invocations at work at once whose sessions are shared by their tools


def as_tools(
    skills: Skills, *, beside: Iterable[str] = (), require_confirmation: bool = True
) -> list[BaseTool]:
    """
    Return the skill tools for `LlmAgent(tools=...)`.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    With `require_confirmation` a script is run only after the framework's own asking, which takes the
    place of an approver of the toolkit.
    """
    toolkit = toolkit_of(skills, beside)
    invocations = _Invocations(toolkit)
    return [_SkillTool(invocations, schema, require_confirmation) for schema in toolkit.schemas]


class SkillIndexToolset(BaseToolset):
    """
    The skill tools with the index section in the system instruction; nothing of both without skills.

    A call that would run a script requests a confirmation, whose payload names skill, script and a hash
    over all files of the skill.  Give that payload back with the confirmation and the yes falls with any
    change to them.
    """

    def __init__(
        self,
        skills: Skills,
        *,
        beside: Iterable[str] = (),
        require_confirmation: bool = True,
        budget_tokens: int = BUDGET_TOKENS,
        count: Count | None = None,
    ) -> None:
        super().__init__()
        self._toolkit = toolkit_of(skills, beside)
        self._section = IndexSection(self._toolkit, budget_tokens, count)
        self._tools = as_tools(self._toolkit, require_confirmation=require_confirmation)

    async def get_tools(self, readonly_context: Any = None) -> list[BaseTool]:  # noqa: ARG002  (the same for all)
        """Return the tools."""
        return list(self._tools) if await asyncio.to_thread(self._toolkit.catalog) else []

    async def process_llm_request(self, *, tool_context: Any, llm_request: Any) -> None:  # noqa: ARG002
        """Add the index section."""
        section = await asyncio.to_thread(self._section.text)
        if section:
            llm_request.append_instructions([section])


class _Invocations:
    """The toolkit of each invocation, over the session that the framework's state holds."""

    def __init__(self, toolkit: Toolkit) -> None:
        self._toolkit = toolkit
        self._lock = threading.Lock()  # the framework may call tools in a pool of threads
        self._kept: dict[tuple[str, str], Toolkit] = {}

    def toolkit(self, context: Any) -> Toolkit:
        """Return the toolkit for a call; calls of one invocation share it."""
        invocation = (context.invocation_id, context.agent_name)
        with self._lock:
            kept = self._kept.get(invocation)
            if kept is None:
                text = context.state.get(_key(context))
                kept = self._toolkit.with_session(Session.from_json(text) if text else Session())
                self._kept[invocation] = kept
                if len(self._kept) > _KEPT:
                    del self._kept[next(iter(self._kept))]
            return kept


def _key(context: Any) -> str:
    return f"skill_index:{context.agent_name}"


class _SkillTool(BaseTool):
    """One tool of the toolkit."""

    def __init__(self, invocations: _Invocations, schema: ToolSchema, require_confirmation: bool) -> None:  # noqa: FBT001
        super().__init__(name=schema.name, description=schema.description)
        self._invocations, self._schema = invocations, schema
        self._require_confirmation = require_confirmation

    def _get_declaration(self) -> types.FunctionDeclaration:
        # `BaseTool` documents this method as the one to write.
        return types.FunctionDeclaration(
            name=self.name, description=self.description, parameters_json_schema=self._schema.parameters
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> dict[str, Any]:
        """Answer a call."""
        kept = toolkit = self._invocations.toolkit(tool_context)
        if self._require_confirmation:
            approval = await asyncio.to_thread(asked, toolkit, self.name, args)
            if approval is None:
                toolkit = unasked(toolkit, self.name)
            elif tool_context.tool_confirmation is None:
                return _request(approval, tool_context)
            else:
                toolkit = _decided(toolkit, approval, tool_context.tool_confirmation)
        reply = await toolkit.acall(self.name, args)
        known = kept.session.to_json()
        if known != tool_context.state.get(_key(tool_context)):
            tool_context.state[_key(tool_context)] = known
        return _result(reply)

    def _detect_error_in_response(self, response: object) -> object:
        # What the framework's telemetry asks a tool for, if it has it.
        return get(response, "error_code")


def _decided(toolkit: Toolkit, approval: Approval, confirmation: Any) -> Toolkit:
    """Return the toolkit after a person's answer; a yes to other content is a no, and may be asked again."""
    if confirmation.confirmed and is_for(confirmation.payload, approval):
        return approved(toolkit, approval)
    return toolkit.approving(lambda _: False)


def _request(approval: Approval, context: Any) -> dict[str, Any]:
    hint = f"Run the script {one_line(approval.script)!r} of the skill {one_line(approval.skill)!r}?"
    context.request_confirmation(hint=hint, payload=told(approval))
    context.actions.skip_summarization = True
    return {"error": "This call waits for a person's yes.", "error_code": "confirmation-required"}


def _result(reply: ToolReply) -> dict[str, Any]:
    if reply.error is not None:
        return {"error": reply.text, "error_code": reply.error.code}
    return {"result": reply.text}
