"""
The tools of one catalog under their names, called with what a model sends.

    name + arguments ─check─▶ one snapshot, one view ─approval─▶ tool ─▶ ToolReply, and an event

A model sends JSON that may be anything.  Arguments are checked against the tool's pydantic
model, and what does not fit comes back as an answer it can mend, never as a traceback.

A toolkit does not change: `only`, `renamed`, `prefixed`, `approving` and `with_session` give another
one over the same skills.
"""

from __future__ import annotations

import copy
import hashlib
import json
import logging
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from skill_index.catalog import SkillCatalog
from skill_index.errors import ToolkitError
from skill_index.frozen import FrozenMap
from skill_index.index import SkillIndex
from skill_index.render import Locations
from skill_index.session import Session
from skill_index.text import escape, well_formed
from skill_index.tools.approval import Approval, Approver, Grants
from skill_index.tools.asking import approval_for, not_approved
from skill_index.tools.calls import (
    RUN,
    ToolSchema,
    bad_arguments,
    declared,
    is_nested,
    too_nested,
    unknown_tool,
)
from skill_index.tools.context import Context, Tool, View
from skill_index.tools.describe import DescribeTool
from skill_index.tools.events import Event
from skill_index.tools.listing import ListTool, WritableFolder
from skill_index.tools.load import LoadTool, UnloadTool
from skill_index.tools.read import ReadTool
from skill_index.tools.reply import ToolFailure, ToolReply
from skill_index.tools.run import RunTool
from skill_index.tools.slash import RESERVED, find_slash

if TYPE_CHECKING:
    from skill_index.running import ScriptRunner

_log = logging.getLogger("skill_index")

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What every model API takes as the name of a tool."""


class Toolkit:
    """
    The tools over an index or a catalog, for one conversation.

    A live index is asked for its current catalog at each call; within one call it is the same.
    `session` is what the conversation has loaded, by default a new one.  `view` narrows the skills,
    for all tools alike.  `locations` maps folders of this machine to where the agent sees them.
    `limit` is how many skills describe_skill shows of a search (default `settings.limit`).  Scripts
    are run only by a `runner`; without one there is no tool for them.  `writable` is where
    list_skills says that a new skill may be written.  `on_event` is told of every call, never of
    content.  Raises ValueError for a negative limit.

    >>> from skill_index import Skill, SkillCatalog
    >>> toolkit = Toolkit(SkillCatalog([Skill("pdf-forms", "Fill PDF forms.", "Use pdftk.")]))
    >>> print(toolkit.call("describe_skill", {"name": "fill a form"}).text)
    ## Skill: pdf-forms
    - Description: Fill PDF forms. [built-in]
    - Allowed tools: (all)
    - Location: (in memory: memory)
    >>> toolkit.call("load_skill", {"skill_name": "pdf-forms"}).data.instructions
    'Use pdftk.'
    """

    def __init__(
        self,
        skills: SkillCatalog | SkillIndex,
        *,
        session: Session | None = None,
        view: Callable[[SkillCatalog], SkillCatalog] | None = None,
        locations: Mapping[str, str] | Locations = {},
        limit: int | None = None,
        runner: ScriptRunner | None = None,
        writable: WritableFolder | None = None,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self._view = View(skills, view)
        self.session = session or Session()
        self._locations = Locations(locations)
        self._on_event = on_event
        self._approvers: dict[str, Approver] = {}
        self._grants = Grants()
        tools: list[Tool] = [
            DescribeTool(limit=limit),
            ListTool(writable),
            LoadTool() if runner is None else LoadTool(runner.supports),
            UnloadTool(),
            ReadTool(),
        ]
        if runner is not None:
            tools.append(RunTool(runner))
        self._tools = {tool.name: tool for tool in tools}
        self._names = {name: name for name in self._tools}

    @property
    def names(self) -> Mapping[str, str]:
        """The tools there are, by this library's names, with the names a model calls them by."""
        return FrozenMap(self._names)

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """Every tool as a model must be told of it."""
        return tuple(declared(self._tools[name], shown) for name, shown in self._names.items())

    def only(self, *names: str) -> Toolkit:
        """Return a toolkit with these tools only, by the names they have now."""
        ours = self._ours(names)
        return self._with(_names={name: shown for name, shown in self._names.items() if name in ours})

    def renamed(self, names: Mapping[str, str]) -> Toolkit:
        """Return a toolkit in which tools have other names; its texts speak of the new ones."""
        ours = self._ours(names)
        given = dict(zip(ours, names.values(), strict=True))
        renamed = {name: given.get(name, shown) for name, shown in self._names.items()}
        if len(set(renamed.values())) < len(renamed):
            raise ToolkitError("two tools cannot have one name", "give each its own")
        odd = next((shown for shown in given.values() if not TOOL_NAME.fullmatch(shown)), None)
        if odd is not None:
            hint = "take 1 to 64 letters, digits, `_` and `-` of ASCII: model APIs refuse others"
            raise ToolkitError(f"{odd!r} cannot be the name of a tool", hint)
        return self._with(_names=renamed)

    def prefixed(self, prefix: str) -> Toolkit:
        """Return a toolkit whose tools' names begin with a prefix."""
        return self.renamed({shown: prefix + shown for shown in self._names.values()})

    def approving(self, approver: Approver, tools: Iterable[str] | None = None) -> Toolkit:
        """
        Return a toolkit that asks before the named tools act; whatever is not a yes is a no.

        Without names it asks before scripts are run, whatever that tool is called here.

        `approver` is called with an `Approval` in the thread of the call.  A standing grant
        (`Decision.WHILE_UNCHANGED`) falls with any change to a file of the skill.
        """
        ours = self._ours([self._names.get(RUN, RUN)] if tools is None else tools)
        return self._with(_approvers={**self._approvers, **dict.fromkeys(ours, approver)}, _grants=Grants())

    def with_session(self, session: Session) -> Toolkit:
        """
        Return the same toolkit for another conversation, which can be done for each call.

        A standing grant holds in the conversation it was given in, wherever its session is given again.
        """
        return self._with(session=session)

    def call(self, name: str, arguments: object) -> ToolReply:
        """
        Call a tool by name with what a model sent, which should be an object of its arguments.

        Whatever is wrong with the call is in the reply's `error`.
        """
        begun = time.perf_counter()
        asked: object = name  # the model's word, whatever the types say
        name = asked if isinstance(asked, str) else str(asked)
        context = self._context()
        reply = self._answer(context, name, arguments)
        if reply.error is not None:
            reply = self._counted(name, arguments, reply, reply.error)
        self._tell(name, context, reply, time.perf_counter() - begun)
        return reply

    async def acall(self, name: str, arguments: object) -> ToolReply:
        """Do what `call` does in a worker thread, for hosts whose event loop must not wait."""
        import asyncio

        return await asyncio.to_thread(self.call, name, arguments)

    def activate(self, text: str, reserved: Collection[str] = RESERVED) -> ToolReply | None:
        """
        Answer a text such as `/skill-name rest of the task` with the loaded skill and the rest.

        None for any other text, and for the host's own `reserved` words.
        """
        slash = find_slash(text, reserved)
        if slash is None or "load_skill" not in self._names:
            return None
        reply = self.call(self._names["load_skill"], {"skill_name": slash.name})
        if reply.error is not None or not slash.rest:
            return reply
        return ToolReply(f"{reply.text}\n\nTask: {well_formed(slash.rest)}", reply.data)

    def catalog(self) -> SkillCatalog:
        """Return the skills as this toolkit sees them now."""
        return self._view.now()

    def _with(self, **changes: Any) -> Toolkit:
        other = copy.copy(self)
        for attribute, value in changes.items():
            setattr(other, attribute, value)
        return other

    def _ours(self, names: Iterable[str]) -> list[str]:
        """Return our names of tools given by the names they have here."""
        known = {shown: name for name, shown in self._names.items()}
        given = [names] if isinstance(names, str) else list(names)
        for name in given:
            if name not in known:
                raise ToolkitError(f"there is no tool {name!r} here", f"take some of {', '.join(known)}")
        return [known[name] for name in given]

    def _context(self) -> Context:
        return Context(self.catalog(), self.session, self._locations, self._names)

    def approval(self, name: str, arguments: object) -> Approval | None:
        """
        Return what a person is to be asked before this call, for hosts that ask by themselves.

        None for a call that cannot succeed (an unknown tool, skill or script, wrong arguments): nobody
        need be asked about it, and the call itself says what is wrong.
        """
        context = self._context()
        checked = self._checked(context, name, arguments)
        if isinstance(checked, ToolReply):
            return None
        ours, given = checked
        return approval_for(context, self._tools[ours], given, self._approvers)

    def _answer(self, context: Context, name: str, arguments: object) -> ToolReply:
        checked = self._checked(context, name, arguments)
        if isinstance(checked, ToolReply):
            return checked
        ours, given = checked
        refusal = self._refused(context, ours, given) if ours in self._approvers else None
        return refusal or self._tools[ours](context, given)

    def _checked(self, context: Context, name: str, arguments: object) -> tuple[str, BaseModel] | ToolReply:
        """Return our name of a tool and its checked arguments, or the answer that says what does not fit."""
        ours = next((ours for ours, shown in self._names.items() if shown == name), None)
        if ours is None:
            return unknown_tool(context, name)
        if is_nested(arguments):
            return too_nested(name)
        try:
            # A model may send a list or a text where an object belongs; pydantic says so.
            given = dict(arguments) if isinstance(arguments, Mapping) else arguments
            return ours, self._tools[ours].arguments.model_validate(given)
        except ValidationError as problem:
            return bad_arguments(name, self._tools[ours], problem)

    def _refused(self, context: Context, ours: str, arguments: BaseModel) -> ToolReply | None:
        """Ask the approver, and return the answer that says no, if it did."""
        approval = approval_for(context, self._tools[ours], arguments, self._approvers)
        if approval is None:
            return None
        if not self._grants.decide(self.session, approval, self._approvers[ours]):
            return not_approved(self._names[ours], approval)
        context.facts["approved"] = approval.content_hash
        return None

    def _counted(self, name: str, arguments: object, reply: ToolReply, error: ToolFailure) -> ToolReply:
        """Say more firmly what was said before: models repeat a call that cannot succeed."""
        try:
            call = json.dumps([name, arguments], sort_keys=True, default=str)
        except (TypeError, ValueError, RecursionError):  # no JSON, or nested beyond use
            call = f"{name} {error.code}"
        times = self.session.failed(hashlib.sha256(call.encode("utf-8", "replace")).hexdigest())
        if times == 1:
            return reply
        firmly = f"This same call has failed {times} times. Do not repeat it: {escape(error.recovery)}."
        stopped = error.model_copy(update={"retryable": False})
        return ToolReply(f"{reply.text}\n{firmly}", reply.data, stopped)

    def _tell(self, name: str, context: Context, reply: ToolReply, seconds: float) -> None:
        """Report the call; what a host does with events must not break the call."""
        facts = {key: value for key, value in context.facts.items() if key != "approved"}
        if facts.get("found"):
            self.session.answered(facts["found"])
        if self._on_event is None:
            return
        if reply.error is not None:
            # A search that found nothing was a search; what never began was refused.
            facts = {"kind": "refused", **facts, "code": reply.error.code}
        try:
            self._on_event(Event(tool=name, seconds=seconds, **facts))
        except Exception:  # noqa: BLE001  (a stranger's code)
            _log.exception("on_event failed")
