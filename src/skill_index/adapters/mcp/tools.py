"""
The skill tools as objects of the official MCP package, for a server that has tools of its own.

    server = MCPServer("office", instructions=instructions(index), tools=as_tools(index))     version 2
    server = FastMCP("office", instructions=instructions(index), tools=as_tools(index))       version 1

They are given to the constructor, since `add_tool` makes a tool anew from a function's signature.  The
low-level server has one handler for all tools, to which nothing can be added; `as_server` returns such a one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from skill_index.adapters.hosting import Skills, needed, toolkit_of
from skill_index.adapters.mcp.served import Served
from skill_index.adapters.mcp.servers import is_version_2
from skill_index.adapters.mcp.wire import Json


def as_tools(skills: Skills, *, beside: Iterable[str] = (), one_conversation: bool = False) -> list[Any]:
    """
    Return the skill tools for `MCPServer(tools=...)`, in version 1 of the package `FastMCP(tools=...)`.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    With `one_conversation` the toolkit's session counts what was loaded; say so only if each server serves
    one conversation.  Raises `SkillIndexError` if the extra `mcp` is not installed.
    """
    served = Served(skills, one_conversation=one_conversation)
    toolkit_of(served.toolkit, beside)
    make = _maker(served)
    return [make(said) for said in served.declarations()]


def _maker(served: Served) -> Any:
    """Return what makes a tool of the installed package; its classes are there only with it."""
    types = needed("mcp.types", "mcp")
    server = "mcp.server.mcpserver" if is_version_2() else "mcp.server.fastmcp"
    metadata = needed(f"{server}.utilities.func_metadata", "mcp")
    base = needed(f"{server}.tools", "mcp").Tool

    class SkillTool(base):
        """One tool of the toolkit, which checks the arguments and answers whatever is wrong with them."""

        async def run(self, arguments: Json, context: Any = None, convert_result: bool = False) -> Any:  # noqa: ARG002, FBT001, FBT002  (the package's form)
            result = await asyncio.to_thread(served.call, self.name, arguments)
            return types.CallToolResult.model_validate(result)

    def make(said: Json) -> Any:
        return SkillTool(
            fn=served.call,
            name=said["name"],
            description=said["description"],
            parameters=said["inputSchema"],
            fn_metadata=metadata.FuncMetadata(
                arg_model=metadata.ArgModelBase, output_schema=said["outputSchema"]
            ),
            is_async=False,
            annotations=types.ToolAnnotations.model_validate(said["annotations"]),
        )

    return make
