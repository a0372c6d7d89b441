"""
The tools of one catalog under their names, called with what a model sends.

A model sends JSON that may be anything.  Arguments are checked against the tool's pydantic
model, and what does not fit comes back as an answer it can mend, never as a traceback.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skill_index.catalog import SkillCatalog
from skill_index.index import SkillIndex
from skill_index.names import nearest
from skill_index.render import Locations, names_line
from skill_index.text import escape
from skill_index.tools.describe import DescribeTool
from skill_index.tools.reply import ToolFailure, ToolReply


class ToolSchema(BaseModel):
    """How a tool is declared to a model."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON schema of the arguments.")


class Toolkit:
    """
    The tools over an index or a catalog.

    A live index is asked for its current catalog at each call; within one call it is the same.
    `locations` tells how the agent sees this machine's folders (see `render.Locations`).

    >>> from skill_index import Skill, SkillCatalog
    >>> toolkit = Toolkit(SkillCatalog([Skill("pdf-forms", "Fill PDF forms.")]))
    >>> print(toolkit.call("describe_skill", {"name": "fill a form"}).text)
    ## Skill: pdf-forms
    - Description: Fill PDF forms. [built-in]
    - Allowed tools: (all)
    - Location: (in memory: memory)
    """

    def __init__(
        self,
        skills: SkillCatalog | SkillIndex,
        *,
        locations: Mapping[str, str] = {},
        limit: int | None = None,
    ) -> None:
        self._skills = skills
        tools = (DescribeTool(Locations(locations), limit=limit),)
        self._tools = {tool.name: tool for tool in tools}

    @property
    def schemas(self) -> tuple[ToolSchema, ...]:
        """Every tool as a model must be told of it."""
        return tuple(
            ToolSchema(
                name=tool.name,
                description=tool.description,
                parameters=tool.arguments.model_json_schema(),
            )
            for tool in self._tools.values()
        )

    def call(self, name: str, arguments: object) -> ToolReply:
        """
        Call a tool by name with what a model sent, which should be an object of its arguments.

        Whatever is wrong with the call is in the reply's `error`.
        """
        tool = self._tools.get(name)
        if tool is None:
            return self._unknown_tool(name)
        try:
            # A model may send a list or a text where an object belongs; pydantic says so.
            given = dict(arguments) if isinstance(arguments, Mapping) else arguments
            checked = tool.arguments.model_validate(given)
        except ValidationError as problem:
            return _bad_arguments(tool, problem)
        return tool(self._catalog(), checked)

    def _catalog(self) -> SkillCatalog:
        return self._skills.snapshot() if isinstance(self._skills, SkillIndex) else self._skills

    def _unknown_tool(self, name: str) -> ToolReply:
        names = nearest(name, self._tools) or tuple(self._tools)
        message = f"there is no tool named {name!r}"
        return _failed("unknown-tool", message, name, names, "call one of the tools named here")


def _bad_arguments(tool: DescribeTool, problem: ValidationError) -> ToolReply:
    first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "arguments"
    wanted = tuple(tool.arguments.model_fields)
    message = f"{tool.name} cannot take {where!r}: {first['msg']}"
    return _failed("bad-arguments", message, where, wanted, f"give {', '.join(wanted)} as declared")


def _failed(code: str, message: str, subject: str, nearby: tuple[str, ...], recovery: str) -> ToolReply:
    error = ToolFailure(
        code=code, message=message, subject=subject, nearby=nearby, recovery=recovery, retryable=True
    )
    lines = [f"Error: {escape(message)}.", names_line("Known", nearby), f"Next: {escape(recovery)}."]
    return ToolReply("\n".join(lines), None, error)
