"""
A server of the official MCP package, version 1 or 2, that gives the answers of `Served`.

Version 2 speaks the protocol of 2026-07-28 and with it Skills over MCP; version 1 knows a fixed
list of requests, so through it there are tools, resources and `skill://index.json`.  The low-level
server is used in both, since schemas and texts are given and must not be made anew from functions.

Every answer is worked out in a thread: a search, or a file on a slow disk, must not stop the loop
that other calls wait on.  A call that is cancelled is forgotten; its thread ends by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import skill_index
from skill_index.adapters.hosting import Skills, needed
from skill_index.adapters.mcp.served import EXTENSION, INSTRUCTIONS_TOKENS, Served
from skill_index.adapters.mcp.wire import RefusedError
from skill_index.prompt.sections import Count


def as_server(
    skills: Skills,
    *,
    name: str = "skill_index",
    one_conversation: bool = False,
    budget_tokens: int = INSTRUCTIONS_TOKENS,
    count: Count | None = None,
) -> Any:
    """
    Return an MCP server (`mcp.server.Server`) over skills: tools, resources and Skills over MCP.

    `skills` may be a `Toolkit`, if scripts, a view or other names of tools are wanted.  Its
    instructions are the index of the skills, at most `budget_tokens` long as `count` counts.  With
    `one_conversation` the toolkit's session counts what was loaded; say so only if each server
    serves one conversation.  Raises `SkillIndexError` if the extra `mcp` is not installed.
    """
    served = Served(skills, one_conversation=one_conversation, budget_tokens=budget_tokens, count=count)
    return server_of(served, name)


def server_of(served: Served, name: str) -> Any:
    """Return the server of the installed package that gives these answers."""
    return _modern(served, name) if is_version_2() else _handshake(served, name)


def is_version_2() -> bool:
    """Return whether the installed package is of version 2."""
    return hasattr(needed("mcp.server.lowlevel", "mcp").Server, "add_request_handler")


def _modern(served: Served, name: str) -> Any:
    """Version 2: requests by method, results as they are on the wire."""
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import MCPError

    server: Any = Server(name, version=skill_index.__version__, instructions=served.instructions)

    def handle(method: str, params: Any, answer: Callable[[Any], Any]) -> None:
        async def handler(_: Any, given: Any) -> Any:
            try:
                result, instructions = await asyncio.to_thread(_answered, served, answer, given)
            except RefusedError as refused:
                raise MCPError(code=refused.code, message=str(refused)) from None
            server.instructions = instructions
            return result

        server.add_request_handler(method, params, handler)

    page, one = types.PaginatedRequestParams, types.ReadResourceRequestParams
    handle("tools/list", page, lambda _: served.tools())
    handle("tools/call", types.CallToolRequestParams, lambda given: served.call(given.name, given.arguments))
    handle("resources/list", page, lambda given: served.shelf.resources(given.cursor))
    handle("resources/read", one, lambda given: served.shelf.read(str(given.uri)))
    handle("skills/list", page, lambda given: served.shelf.skills(given.cursor))
    handle("skills/get", one, lambda given: served.shelf.skill(str(given.uri)))
    handle("resources/directory/read", one, lambda given: served.shelf.directory(str(given.uri)))
    server.extensions[EXTENSION] = {"directoryRead": True}
    return server


def _handshake(served: Served, name: str) -> Any:
    """Version 1: requests and results are classes."""
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.shared.exceptions import McpError

    server: Any = Server(name, version=skill_index.__version__, instructions=served.instructions)

    def handle(request: Any, result: Any, answer: Callable[[Any], Any]) -> None:
        async def handler(asked: Any) -> Any:
            try:
                said, instructions = await asyncio.to_thread(_answered, served, answer, asked.params)
            except RefusedError as refused:
                raise McpError(types.ErrorData(code=refused.code, message=str(refused))) from None
            server.instructions = instructions
            return types.ServerResult(result.model_validate(said))

        server.request_handlers[request] = handler

    def cursor(given: Any) -> str | None:
        return given.cursor if given else None

    handle(types.ListToolsRequest, types.ListToolsResult, lambda _: served.tools())
    handle(
        types.CallToolRequest, types.CallToolResult, lambda given: served.call(given.name, given.arguments)
    )
    handle(
        types.ListResourcesRequest,
        types.ListResourcesResult,
        lambda given: served.shelf.resources(cursor(given)),
    )
    handle(
        types.ReadResourceRequest, types.ReadResourceResult, lambda given: served.shelf.read(str(given.uri))
    )
    return server


def _answered(served: Served, answer: Callable[[Any], Any], given: Any) -> tuple[Any, str]:
    """Return an answer, and the instructions for clients that come later: skills may have changed."""
    return answer(given), served.instructions
