"""
Answers of an MCP server as JSON: replies, contents of files, pages, errors.

Tool results carry a reply whole: its text for the model, its data as structured content, and the
facts of a failure, which no schema of a result has room for, as metadata.
"""

from __future__ import annotations

import base64
from mimetypes import MimeTypes
from typing import Any

from skill_index.adapters.hosting import facts
from skill_index.text import well_formed
from skill_index.tools import ToolReply

FAILURE = "skill-index/failure"
"""The key of a failure's facts in the `_meta` of a tool's result."""

FRESH_MS = 5_000
"""Milliseconds for which an answer is current: as long as a large index is used before it looks again."""

INVALID_PARAMS = -32602
"""JSON-RPC's code for a request that names what is not there."""

_READING = {"describe_skill", "list_skills", "load_skill", "unload_skill", "read_skill_resource"}
_TYPES = MimeTypes()  # the built-in table: a system's own would say something else on each machine
_TYPES.add_type("text/markdown", ".md")

Json = dict[str, Any]


class RefusedError(Exception):
    """A request that cannot be answered; `code` is JSON-RPC's."""

    def __init__(self, message: str, code: int = INVALID_PARAMS) -> None:
        super().__init__(message)
        self.code = code


def result_of(reply: ToolReply) -> Json:
    """Return a reply as the result of a tool call: text for the model, data for the host."""
    result: Json = {"content": [{"type": "text", "text": well_formed(reply.text)}]}
    told = facts(reply)
    if "data" in told:
        result["structuredContent"] = told["data"]
    if "error" in told:
        result["_meta"] = {FAILURE: told["error"]}
    return {**result, "isError": reply.error is not None, "resultType": "complete"}


def tool_hints(ours: str) -> Json:
    """Return what a host may assume of a tool, so that it need not ask before one that only reads."""
    if ours in _READING:
        return {"readOnlyHint": True, "openWorldHint": False}
    return {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}


def content_of(data: bytes) -> Json:
    """Return bytes as text where that gives back the very same bytes, else in base64."""
    if b"\0" not in data:
        try:
            return {"text": data.decode("utf-8")}
        except UnicodeDecodeError:
            pass
    return {"blob": base64.b64encode(data).decode("ascii")}


def type_of(name: str) -> str:
    """Return the media type of a file by its name, the same on every machine."""
    return _TYPES.guess_type(f"file:{name.rpartition('/')[2]}")[0] or "application/octet-stream"


def complete(result: Json, following: str | None = None) -> Json:
    """Return a result with what the protocol wants beside it: how long it is current, what comes next."""
    more = {"nextCursor": following} if following else {}
    return {**result, "resultType": "complete", "ttlMs": FRESH_MS, "cacheScope": "private", **more}


def encoded(key: str) -> str:
    """Return the cursor of the page behind a skill."""
    return base64.urlsafe_b64encode(key.encode("utf-8", "surrogatepass")).decode("ascii")


def decoded(cursor: str) -> str:
    """Return the skill a cursor stands behind."""
    try:
        return base64.b64decode(cursor, altchars=b"-_", validate=True).decode("utf-8", "surrogatepass")
    except ValueError:
        message = "this cursor is not from here; ask again without one"
        raise RefusedError(message) from None
