"""
Skills in the Microsoft Agent Framework: tools, and a context provider that knows its conversation.

    agent = Agent(client, context_providers=[SkillIndexProvider(index)])

What a conversation has loaded stands in the provider's state of the framework's session, as text, so it is
stored with it.  For the framework's own kind of skills, both ways, see `agent_framework_skills`.

The framework would check arguments itself and raise; here the toolkit answers them, in words a model can
mend.  Its results have a flag for raised errors only, so a failure is told in an answer's properties.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from skill_index.adapters.asking import approved, asked, unasked
from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, facts, toolkit_of
from skill_index.adapters.sections import IndexSection
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.tools import Session, Toolkit, ToolReply, ToolSchema
from skill_index.tools.calls import RUN

with extra("agent-framework"):
    from agent_framework import Content, ContextProvider, FunctionTool

ApprovalMode = Literal["always_require", "never_require"]


def as_tools(
    skills: Skills, *, beside: Iterable[str] = (), approval_mode: ApprovalMode = "always_require"
) -> list[FunctionTool]:
    """
    Return the skill tools, over one session, for `Agent(tools=...)`.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    `approval_mode` is that of run_skill_script; the framework's asking takes the place of an approver of
    the toolkit, which decides alone with "never_require".
    """
    toolkit = toolkit_of(skills, beside)
    return [_SkillTool(toolkit, schema, approval_mode) for schema in toolkit.schemas]


class SkillIndexProvider(ContextProvider):
    """
    The index section and the skill tools, for any number of conversations.

    `beside` and `approval_mode` are as in `as_tools`, `budget_tokens` and `count` as in the index section.
    One agent with two of them gives each its own `source_id`, and its toolkits other names.
    """

    def __init__(
        self,
        skills: Skills,
        *,
        beside: Iterable[str] = (),
        approval_mode: ApprovalMode = "always_require",
        budget_tokens: int = BUDGET_TOKENS,
        count: Count | None = None,
        source_id: str = "skill_index",
    ) -> None:
        super().__init__(source_id)
        self._toolkit = toolkit_of(skills, beside)
        self._section = IndexSection(self._toolkit, budget_tokens, count)
        self._approval_mode: ApprovalMode = approval_mode

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:  # noqa: ARG002  (the framework's arguments)
        """Add the section and the tools of this conversation; without skills nothing."""
        known = Session.from_json(state["session"]) if "session" in state else Session()
        toolkit = self._toolkit.with_session(known)
        if not await asyncio.to_thread(toolkit.catalog):
            return

        def keep() -> None:
            state["session"] = known.to_json()

        section = await asyncio.to_thread(self._section.text)
        if section:  # there is none where nothing fits the budget
            context.extend_instructions(self.source_id, section)
        tools = [_SkillTool(toolkit, schema, self._approval_mode, keep) for schema in toolkit.schemas]
        context.extend_tools(self.source_id, tools)


class _SkillTool(FunctionTool):
    """A tool whose arguments the toolkit checks; `after` is called when a call is answered."""

    def __init__(
        self,
        toolkit: Toolkit,
        schema: ToolSchema,
        approval_mode: ApprovalMode,
        after: Callable[[], None] = lambda: None,
    ) -> None:
        runs = schema.name == toolkit.names.get(RUN)
        ask = runs and approval_mode == "always_require"

        async def function(**arguments: Any) -> list[Content]:
            here = await asyncio.to_thread(_approved, toolkit, schema.name, arguments) if ask else toolkit
            reply = await here.acall(schema.name, arguments)
            after()
            return [_content(reply)]

        super().__init__(
            name=schema.name,
            description=schema.description,
            approval_mode="always_require" if ask else "never_require",
            func=function,
            input_model=schema.parameters,
        )
        self._answer = function

    async def invoke(self, *, arguments: Any = None, context: Any = None, **options: Any) -> Any:
        """Answer a call; arguments that the framework refuses are answered as well."""
        try:
            return await super().invoke(arguments=arguments, context=context, **options)
        except TypeError:  # what `invoke` raises for arguments that do not fit; the function raises none
            given = getattr(context, "arguments", None) if arguments is None else arguments
            return await self._answer(**dict(given or {}))


def _approved(toolkit: Toolkit, name: str, arguments: Mapping[str, Any]) -> Toolkit:
    """Return the toolkit for a call that the framework has asked about."""
    approval = asked(toolkit, name, dict(arguments))
    return unasked(toolkit, name) if approval is None else approved(toolkit, approval)


def _content(reply: ToolReply) -> Content:
    return Content.from_text(reply.text, additional_properties={"skill_index": facts(reply)})
