"""
Tool definitions and answers as the Messages API takes them: plain dicts, no package needed.

    client.messages.create(tools=as_tools(toolkit), messages=[...])
    messages.append({"role": "user", "content": answers(toolkit, response.content)})

Tools of the host that wait in the catalog (`Skill(..., input_schema=...)`) can be sent with
`deferred_tools`; an answer that finds some of them then refers to them, and the API shows them to the model.
A reference to a tool that was not sent is refused by the API, so only those named are referred to.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from skill_index.adapters.hosting import Skills, get, toolkit_of
from skill_index.frozen import FrozenMap
from skill_index.tools import DescribeData, Toolkit, ToolReply

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
"""What the API takes as the name of a tool."""


def as_tools(skills: Skills, *, beside: Iterable[str] = ()) -> list[dict[str, Any]]:
    """
    Return the definitions of the skill tools.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    """
    return [
        {"name": schema.name, "description": schema.description, "input_schema": schema.parameters}
        for schema in toolkit_of(skills, beside).schemas
    ]


def deferred_tools(skills: Skills) -> list[dict[str, Any]]:
    """
    Return the definitions of the tools that wait in the catalog, to be sent with `defer_loading`.

    One whose name the API does not take is left out, and so never referred to.
    """
    catalog = toolkit_of(skills).catalog()
    return [
        {
            "name": entry.key,
            "description": entry.skill.description,
            "input_schema": FrozenMap(entry.skill.input_schema or {}).plain(),
            "defer_loading": True,
        }
        for entry in map(catalog.entry, catalog)
        if entry.skill.is_tool and TOOL_NAME.fullmatch(entry.key)
    ]


def answer(toolkit: Toolkit, block: object, *, deferred: Collection[str] = ()) -> dict[str, Any]:
    """
    Return the `tool_result` for one `tool_use` block, given as a dict or as the client's object.

    `deferred` are the names of the deferred tools sent.
    """
    reply = toolkit.call(str(get(block, "name")), get(block, "input"))
    return _result(str(get(block, "id")), reply, deferred)


async def aanswer(toolkit: Toolkit, block: object, *, deferred: Collection[str] = ()) -> dict[str, Any]:
    """Return what `answer` does, without keeping the event loop waiting."""
    reply = await toolkit.acall(str(get(block, "name")), get(block, "input"))
    return _result(str(get(block, "id")), reply, deferred)


def answers(
    toolkit: Toolkit, content: Iterable[object] | None, *, deferred: Collection[str] = ()
) -> list[dict[str, Any]]:
    """
    Return the results of every call of our tools in a message's content, in order.

    Calls of other tools are the host's to answer and are passed over; the API wants all results of one
    message in one message.
    """
    ours = tuple(toolkit.names.values())
    used = (block for block in content or () if get(block, "type") == "tool_use")
    return [answer(toolkit, block, deferred=deferred) for block in used if get(block, "name") in ours]


def _result(use: str, reply: ToolReply, deferred: Collection[str]) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}]
    if reply.error is not None:
        # The API takes only text beside `is_error`.
        return {"type": "tool_result", "tool_use_id": use, "content": content, "is_error": True}
    if isinstance(reply.data, DescribeData):
        found = (hit.name for hit in reply.data.hits if hit.input_schema is not None)
        content += [{"type": "tool_reference", "tool_name": name} for name in found if name in deferred]
    return {"type": "tool_result", "tool_use_id": use, "content": content}
