"""
Tool definitions and answers as the Responses and the Chat Completions API take them: plain dicts.

    response = client.responses.create(tools=as_tools(toolkit), input=items)
    items += [*response.output, *answers(toolkit, response.output)]

Both APIs call functions; they differ in the envelope.  A definition is asked for by API, and a call
shows by its own shape which answer it wants.  Strict mode is off: it would make models fill in every
optional argument.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from skill_index.adapters.hosting import Skills, from_json, get, toolkit_of
from skill_index.tools import Toolkit


def as_tools(
    skills: Skills, *, beside: Iterable[str] = (), api: Literal["responses", "chat"] = "responses"
) -> list[dict[str, Any]]:
    """
    Return the definitions of the skill tools, for one of the two APIs.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    ValueError for another API.
    """
    if api not in {"responses", "chat"}:
        message = f"there is no API {api!r}; take 'responses' or 'chat'"
        raise ValueError(message)
    functions = [
        {
            "name": schema.name,
            "description": schema.description,
            "parameters": schema.parameters,
            "strict": False,
        }
        for schema in toolkit_of(skills, beside).schemas
    ]
    if api == "chat":
        return [{"type": "function", "function": function} for function in functions]
    return [{"type": "function", **function} for function in functions]


def answer(toolkit: Toolkit, call: object) -> dict[str, Any]:
    """
    Return the answer to one call, given as a dict or as the client's object.

    A `function_call` item gets a `function_call_output`, a tool call of a chat message gets a message
    of role "tool".
    """
    name, arguments = _asked(call)
    return _enveloped(call, toolkit.call(name, from_json(arguments)).text)


async def aanswer(toolkit: Toolkit, call: object) -> dict[str, Any]:
    """Return what `answer` does, without keeping the event loop waiting."""
    name, arguments = _asked(call)
    return _enveloped(call, (await toolkit.acall(name, from_json(arguments))).text)


def answers(toolkit: Toolkit, calls: Iterable[object] | None) -> list[dict[str, Any]]:
    """
    Return the answers to every call of our tools, in order.

    Takes `response.output` or `message.tool_calls`, which may be None; what is no call of ours is
    passed over.
    """
    ours = set(toolkit.names.values())
    return [answer(toolkit, call) for call in calls or () if _asked(call)[0] in ours]


def _asked(call: object) -> tuple[str, object]:
    """Return the name and the arguments of a call of either API; the name is "" for anything else."""
    function = get(call, "function") if get(call, "type") != "function_call" else call
    name = get(function, "name")
    return (name if isinstance(name, str) else "", get(function, "arguments"))


def _enveloped(call: object, text: str) -> dict[str, Any]:
    if get(call, "type") == "function_call":
        return {"type": "function_call_output", "call_id": get(call, "call_id"), "output": text}
    return {"role": "tool", "tool_call_id": get(call, "id"), "content": text}
