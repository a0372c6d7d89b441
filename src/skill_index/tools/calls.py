"""
How a tool is declared, and what is answered to a call that does not fit a declaration.

Models call tools that are not there, call a skill as if it were one, and send arguments of the
wrong shape.  Each gets an answer from which the next call can be right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from skill_index.names import nearest
from skill_index.naming import Entry
from skill_index.tools.context import Context, Tool
from skill_index.tools.reply import ToolFailure, ToolReply, failed

_RUN = "run_skill_script"
_FAULTS = 5  # wrong arguments told of in one answer
Fault = Mapping[str, Any]
NESTING = 32
"""Values within values of arguments at most."""


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
    if entry is not None:
        return _not_here(entry) if entry.skill.is_tool else _called_as_tool(context, entry)
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
    load = context.call("load_skill", skill_name=entry.key)
    error = ToolFailure(
        code="unknown-tool",
        message=f"{entry.key!r} is a skill, not a tool",
        subject=entry.key,
        recovery=f"call {load}" if load else "go on without it",
        retryable=True,
    )
    return failed(error)


def _not_here(entry: Entry) -> ToolReply:
    """Return the answer to a call of a listed tool: the host that has it must call it itself."""
    error = ToolFailure(
        code="unknown-tool",
        message=f"{entry.key!r} is a tool of the host that is only listed here, and was not called",
        subject=entry.key,
        recovery="go on without it, and tell the user",
        retryable=False,
    )
    return failed(error)


def is_nested(arguments: object, depth: int = NESTING) -> bool:
    """Return whether arguments are nested deeper than any are meant: deep ones stop whoever walks them."""
    layer = [arguments]
    for _ in range(depth):
        layer = [inner for value in layer for inner in _inside(value)]
    return bool(layer)


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def too_nested(name: str) -> ToolReply:
    """Return the answer to arguments that are nested too deeply."""
    error = ToolFailure(
        code="bad-arguments",
        message=f"{name} was called with arguments nested more than {NESTING} deep",
        subject="arguments",
        recovery="give plain values",
        retryable=True,
    )
    return failed(error)


def bad_arguments(name: str, tool: Tool, problem: ValidationError) -> ToolReply:
    """Return the answer that says what is wrong with the arguments, and which there are."""
    faults: dict[str, list[Fault]] = defaultdict(list)
    found: list[Any] = problem.errors(include_url=False, include_context=False, include_input=False)
    for fault in found:
        faults[str(fault["loc"][0]) if fault["loc"] else ""].append(fault)
    fields = tool.arguments.model_fields
    told = [_told(argument, wrong, fields) for argument, wrong in islice(faults.items(), _FAULTS)]
    needed = [field for field, info in fields.items() if info.is_required()]
    error = ToolFailure(
        code="bad-arguments",
        message=f"{name} was called with wrong arguments: {'; '.join(told)}",
        subject=next(iter(faults)) or "arguments",
        nearby=tuple(fields),
        recovery=f"call it again with {' and '.join(needed) or 'none or some of these arguments'}",
        retryable=True,
    )
    return failed(error)


def _told(argument: str, faults: list[Fault], fields: Mapping[str, FieldInfo]) -> str:
    """Say in our words what is commonly wrong: a validator's are about types of this program."""
    if not argument:
        return "they must be one JSON object"
    kind = faults[0]["type"]
    if kind == "missing":
        return f"{argument!r} is missing"
    if kind == "extra_forbidden":
        return f"there is no {argument!r}"
    # An argument of several shapes has a fault for each shape; its description says them all.
    if len(faults) > 1 or len(faults[0]["loc"]) > 1:
        return f"{argument!r} does not fit: {str(fields[argument].description).rstrip('.')}"
    message = faults[0]["msg"]
    return f"{argument!r}: {message[:1].lower()}{message[1:]}"
