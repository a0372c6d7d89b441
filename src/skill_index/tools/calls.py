"""
How a tool is declared, and what is answered to a call that does not fit a declaration.

Models call tools that are not there, call a skill as if it were one, and send arguments of the
wrong shape.  Each gets an answer from which the next call can be right.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from skill_index.names import nearest
from skill_index.naming import Entry
from skill_index.tools.context import Context, Tool
from skill_index.tools.reply import ToolFailure, ToolReply, failed

RUN = "run_skill_script"
"""Our name of the tool that runs scripts, which are asked about first."""

_FAULTS = 5  # wrong arguments told of in one answer
Fault = Mapping[str, Any]
NESTING = 32
"""Values within values of arguments at most."""

_NAMED_SCHEMAS = {"properties", "$defs"}  # their keys are names: an argument may be called "title"
_VALUES = {"default", "const", "enum", "examples"}  # no schemas, whatever they look like


class ToolSchema(BaseModel):
    """How a tool is declared to a model, and what the data of its replies looks like to a host."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any] = Field(description="JSON schema of the arguments.")
    returns: dict[str, Any] = Field(description="JSON schema of the reply's data.")


def declared(tool: Tool, name: str) -> ToolSchema:
    """Return how a tool is declared under a name; the schemas are the caller's own."""
    return ToolSchema(
        name=name,
        description=tool.description,
        parameters=json.loads(_schema(tool.arguments, "validation")),
        returns=json.loads(_schema(tool.data, "serialization")),
    )


@cache
def _schema(model: type[BaseModel], mode: Literal["validation", "serialization"]) -> str:
    # Making one takes milliseconds, and some hosts ask before every request to a model.
    schema = untitled(model.model_json_schema(mode=mode))
    schema.pop("description", None)  # of our class
    return json.dumps(schema)


def untitled(schema: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return a JSON schema without titles, which here are names said twice and paid for in every request.

    >>> untitled({"title": "Book", "properties": {"title": {"title": "Title", "type": "string"}}})
    {'properties': {'title': {'type': 'string'}}}
    """
    return {key: _below(key, value) for key, value in schema.items() if key != "title"}


def _below(key: str, value: object) -> object:
    """Return what stands under a keyword of a schema, the schemas in it without titles."""
    if key in _VALUES:
        return value
    if isinstance(value, Mapping):
        if key in _NAMED_SCHEMAS:
            return {name: untitled(schema) for name, schema in value.items()}
        return untitled(value)
    return [_below("", inner) for inner in value] if isinstance(value, list) else value


def unknown_tool(context: Context, name: str) -> ToolReply:
    """Return the answer to a call of a tool that is not there."""
    entry = context.catalog.entry(name) if name in context.catalog else None
    if entry is not None:
        return _not_here(entry) if entry.skill.is_tool else _called_as_tool(context, entry)
    if name == RUN:
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
        subject=RUN,
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
    """Return the answer to a call of a tool that the catalog only lists: its host has to offer it."""
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
