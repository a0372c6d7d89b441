"""
How a tool is declared, and what is answered to a call that does not fit a declaration.

Models call tools that are not there, call a skill as if it were one, and send arguments of the
wrong shape.  Each gets an answer from which the next call can be right.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skill_index.names import nearest
from skill_index.naming import Entry
from skill_index.render import VALUE_LIMIT
from skill_index.text import escape
from skill_index.tools.context import Context, Tool
from skill_index.tools.reply import ToolFailure, ToolReply, failed

_RUN = "run_skill_script"
_FAULTS = 5  # wrong arguments told of in one answer


class ToolSchema(BaseModel):
    """How a tool is declared to a model, and what the data of its replies looks like to a host."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON schema of the arguments.")
    returns: dict[str, Any] = Field(description="JSON schema of the reply's data.")


def unknown_tool(context: Context, name: str) -> ToolReply:
    """Return the answer to a call of a tool that is not there."""
    entry = context.catalog.entry(name) if name in context.catalog else None
    if entry is not None and not entry.skill.is_tool:
        return _called_as_tool(context, entry)
    if name == _RUN:
        return _no_runner(context)
    shown = tuple(context.names.values())
    error = ToolFailure(
        code="unknown-tool",
        message=f"there is no tool named {name!r}",
        subject=name,
        nearby=nearest(name, shown) or shown,
        recovery="call one of the tools named here",
        retryable=True,
    )
    return failed(error)


def _no_runner(context: Context) -> ToolReply:
    read = context.names.get("read_skill_resource")
    error = ToolFailure(
        code="scripts-off",
        message="scripts are switched off: this host runs none",
        subject=_RUN,
        recovery=f"read the script with {read} and do its work by other means"
        if read
        else "go on without it",
        retryable=False,
    )
    return failed(error)


def _called_as_tool(context: Context, entry: Entry) -> ToolReply:
    load = context.call("load_skill", skill_name=escape(entry.key, VALUE_LIMIT))
    error = ToolFailure(
        code="unknown-tool",
        message=f"{entry.key!r} is a skill, not a tool",
        subject=entry.key,
        recovery=f"call {load}" if load else "read its instructions first",
        retryable=True,
    )
    return failed(error)


def bad_arguments(name: str, tool: Tool, problem: ValidationError) -> ToolReply:
    """Return the answer that says what is wrong with the arguments, and which there are."""
    faults = problem.errors(include_url=False, include_context=False, include_input=False)
    told = [_told(fault["loc"], fault["msg"]) for fault in faults[:_FAULTS]]
    fields = tool.arguments.model_fields
    needed = [field for field, info in fields.items() if info.is_required()]
    error = ToolFailure(
        code="bad-arguments",
        message=f"{name} cannot take {'; '.join(told)}",
        subject=".".join(map(str, faults[0]["loc"])) or "arguments",
        nearby=tuple(fields),
        recovery=f"give {', '.join(needed) or 'its arguments'} as declared",
        retryable=True,
    )
    return failed(error)


def _told(where: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, where))!r}: {message}" if where else message
