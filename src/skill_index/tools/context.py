"""
What every tool is given beside its arguments: one catalog, one conversation, one way to see paths.

Within one call the catalog is one snapshot, so what is listed can be loaded, and what a view leaves
out is nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillNotFoundError
from skill_index.findings import Severity
from skill_index.index import SkillIndex, catalog_of, checked_skills
from skill_index.naming import Entry
from skill_index.render import Locations, call_text
from skill_index.session import Session
from skill_index.tools.reply import ToolFailure, ToolReply, failed


@dataclass(frozen=True, slots=True)
class Context:
    """
    What one call is about, beside its arguments.

    `names` maps our names of the tools that the model has to those it knows them under.  The tool
    writes into `facts` what the event of this call will tell (see `Event`).
    """

    catalog: SkillCatalog
    session: Session = field(default_factory=Session)
    locations: Locations = Locations()
    names: Mapping[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def call(self, tool: str, **arguments: str | int) -> str:
        """Return a call as the model would write it, still to be escaped; "" if it lacks the tool."""
        return call_text(self.names[tool], **arguments) if tool in self.names else ""

    def folder(self, entry: Entry) -> str | None:
        """Return a skill's folder as the agent sees it, None for a skill that is in no folder."""
        folder = entry.skill.resources.folder
        return self.locations.seen(folder) if folder else None


class View:
    """The skills as a host narrows them, worked out once for each catalog; any thread may ask."""

    def __init__(
        self, skills: SkillCatalog | SkillIndex, narrow: Callable[[SkillCatalog], SkillCatalog] | None
    ) -> None:
        self._skills, self._narrow = checked_skills(skills), narrow
        self._made: tuple[SkillCatalog, SkillCatalog] | None = None

    def now(self) -> SkillCatalog:
        """Return the skills there are now; an index looks for changes."""
        current = catalog_of(self._skills)
        if self._narrow is None:
            return current
        made = self._made
        if made is None or made[0] is not current:
            made = self._made = (current, self._narrow(current))
        return made[1]


class Tool(Protocol):
    """One tool: how it is declared, and what it does with checked arguments."""

    @property
    def name(self) -> str:
        """The name this library calls it by."""
        ...

    @property
    def description(self) -> str:
        """What a model is told of it."""
        ...

    @property
    def arguments(self) -> type[BaseModel]:
        """The model of its arguments."""
        ...

    @property
    def data(self) -> type[BaseModel]:
        """The model of its reply's data."""
        ...

    def __call__(self, context: Context, arguments: Any) -> ToolReply:
        """Answer one call; what goes wrong is an answer with an `error`."""
        ...


def find_skill(context: Context, name: str) -> Entry | ToolReply:
    """Return the skill a model means, or the answer that says which names there are."""
    try:
        entry = context.catalog.entry(name)
    except SkillNotFoundError as error:
        return _not_found(context, name, error)
    context.facts.update(skill=entry.id, version=entry.skill.digest[:12])
    return _is_a_tool(entry, context) if entry.skill.is_tool else entry


def _not_found(context: Context, name: str, error: SkillNotFoundError) -> ToolReply:
    if context.session.knew(name):
        message, code = f"the skill {name!r} is no longer available: it was removed", "skill-removed"
        recovery = "go on without it, and tell the user"
    elif error.ambiguous:
        message, code = f"{name!r} names several skills", "skill-ambiguous"
        recovery = "ask again with one of the names given here"
    elif not name.strip():
        message, code, recovery = "the name is empty", "skill-not-found", "give the name of a skill"
    else:
        message, code = f"no skill is named {name!r}", "skill-not-found"
        search = context.call("describe_skill", name="words of the task")
        recovery = "ask for one of the names given here" if error.nearby else "go on without it"
        recovery += f", or search: {search}" if search else ""
    unread = unread_note(context.catalog)
    return failed(
        ToolFailure(
            code=code, message=message, subject=name, nearby=error.nearby, recovery=recovery, retryable=True
        ),
        *unread,
    )


def unread_note(catalog: SkillCatalog) -> list[str]:
    """Say that there may be more: "no such skill" and "could not look" must not read the same."""
    errors = sum(finding.severity is Severity.ERROR for finding in catalog.findings)
    problems = "a problem" if errors == 1 else f"{errors} problems"
    return [f"Note: {problems} kept skills from being read; tell the user."] if errors else []


def _is_a_tool(entry: Entry, context: Context) -> ToolReply:
    call = context.call("describe_skill", name=entry.key)
    recovery = "call the tool itself by its name" + (f"; {call} shows its arguments" if call else "")
    return failed(
        ToolFailure(
            code="is-a-tool",
            message=f"{entry.key!r} is a tool, not a skill: it has no instructions",
            subject=entry.key,
            recovery=recovery,
            retryable=False,
        )
    )
