"""
Skills and tools of a FastMCP server, found by this library's ranking.

    server = FastMCP("office", tools=as_tools(index))     the toolkit's tools alone
    server.add_provider(as_provider(index))               them, skill:// resources and Skills over MCP
    server.add_transform(as_transform())                  search_tools and call_tool instead of all tools

The provider says what `adapters.mcp` says, through FastMCP's own classes, so a host keeps its
middleware and namespaces.  Those classes are subclassed inside of functions: this module can be
imported, and its documentation tested, without FastMCP.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from skill_index.adapters.hosting import Skills, needed, toolkit_of
from skill_index.adapters.mcp.served import EXTENSION, Served
from skill_index.adapters.mcp.wire import Json, RefusedError
from skill_index.adapters.tool_ranking import RankedTools
from skill_index.errors import ToolkitError
from skill_index.settings import SearchSettings

_NONE = "No tool matches. Search with other words of the task, or do without a tool."


def as_tools(skills: Skills, *, beside: Iterable[str] = (), one_conversation: bool = False) -> list[Any]:
    """
    Return the skill tools for `FastMCP(tools=...)` or `add_tool`.

    `beside` are the names of the host's own tools; ToolkitError if one of ours is among them.
    With `one_conversation` the toolkit's session counts what was loaded; say so only if each server serves
    one conversation.  Raises `SkillIndexError` if FastMCP is not installed.
    """
    needed("fastmcp", "fastmcp")
    served = Served(skills, one_conversation=one_conversation)
    toolkit_of(served.toolkit, beside)
    return _tools(served)


def as_provider(skills: Skills, *, one_conversation: bool = False) -> Any:
    """
    Return a FastMCP `Provider` of the toolkit's tools, of `skill://` resources and of Skills over MCP.

    With `one_conversation` as in `as_tools`.  A server that has a tool of the same name does not start: it
    raises `ToolkitError`, since one of the two would be hidden.
    Other names come from `Toolkit.prefixed`; a namespace of FastMCP would also move the resources from
    where Skills over MCP say they are.  Raises `SkillIndexError` if FastMCP is not installed.
    """
    needed("fastmcp", "fastmcp")
    return _provider(Served(skills, one_conversation=one_conversation))


def as_transform(
    *,
    max_results: int = 5,
    always_visible: Sequence[str] = (),
    search_tool_name: str = "search_tools",
    call_tool_name: str = "call_tool",
    settings: SearchSettings = SearchSettings(),
) -> Any:
    """
    Return a FastMCP transform that shows a search instead of all tools, as its own transforms do.

    Tools are ranked by name, description and parameters; any query of this library is one here,
    `select:a,b` too.  Names in `always_visible` stay in the list.
    """
    needed("fastmcp", "fastmcp")
    return _transform(
        settings,
        max_results,
        always_visible=list(always_visible),
        search_tool_name=search_tool_name,
        call_tool_name=call_tool_name,
    )


def _provider(served: Served) -> Any:
    from fastmcp.server.providers import Provider

    tools = {tool.name: tool for tool in _tools(served)}
    resource_of = _resources(served)
    extension = _extension(served, tuple(map(type, tools.values())))

    def resources() -> list[Any]:
        page = served.shelf.resources(None)
        found = [*page["resources"]]
        while "nextCursor" in page:
            page = served.shelf.resources(page["nextCursor"])
            found += page["resources"]
        return list(map(resource_of, found))

    def resource(uri: str) -> Any:
        said = served.shelf.resource(uri)
        return said and resource_of(said)

    class SkillProvider(Provider):
        """The tools and resources of skills; Skills over MCP come with it as an extension."""

        def required_extensions(self) -> Sequence[Any]:
            return (extension,)

        async def _list_tools(self) -> list[Any]:
            return list(tools.values())

        async def _get_tool(self, name: str, version: Any = None) -> Any:  # noqa: ARG002
            return tools.get(name)

        async def _list_resources(self) -> list[Any]:
            return await asyncio.to_thread(resources)

        async def _get_resource(self, uri: str, version: Any = None) -> Any:  # noqa: ARG002
            return await asyncio.to_thread(resource, str(uri))

    return SkillProvider()


def _tools(served: Served) -> list[Any]:
    from fastmcp.tools.base import Tool, ToolResult

    class SkillTool(Tool):
        """A tool of the toolkit; a namespace may change its name, not what it calls."""

        shown: str

        async def run(self, arguments: Json) -> Any:
            result = await asyncio.to_thread(served.call, self.shown, arguments)
            return ToolResult(
                content=result["content"][0]["text"],
                structured_content=result.get("structuredContent"),
                meta=result.get("_meta"),
                is_error=result["isError"],
            )

    def tool_of(said: Json) -> Any:
        about = {"parameters": said["inputSchema"], "output_schema": said["outputSchema"]}
        about |= {"description": said["description"], "annotations": said["annotations"]}
        return SkillTool(name=said["name"], shown=said["name"], **about)

    return list(map(tool_of, served.declarations()))


def _resources(served: Served) -> Callable[[Json], Any]:
    from fastmcp.exceptions import ResourceError
    from fastmcp.resources import Resource
    from fastmcp.resources.base import ResourceContent, ResourceResult

    class SkillResource(Resource):
        """A file of a skill, read when it is asked for."""

        asked: str

        async def read(self) -> Any:
            try:
                said = await asyncio.to_thread(lambda: served.shelf.read(self.asked))
            except RefusedError as refused:
                raise ResourceError(str(refused)) from None
            content = said["contents"][0]
            data = content["text"] if "text" in content else base64.b64decode(content["blob"])
            return ResourceResult([ResourceContent(data, mime_type=content["mimeType"])])

    def resource_of(said: Json) -> Any:
        about = {key: said[key] for key in ("name", "description") if key in said}
        return SkillResource(uri=said["uri"], asked=said["uri"], mime_type=said["mimeType"], **about)

    return resource_of


def _extension(served: Served, own: tuple[type, ...]) -> Any:
    from fastmcp.server.extensions import MethodBinding, ServerExtension
    from mcp import types
    from mcp.shared.exceptions import MCPError

    def bound(method: str, params: Any, answer: Callable[[Any], Json]) -> Any:
        async def handler(_: Any, given: Any) -> Any:
            try:
                return await asyncio.to_thread(answer, given)
            except RefusedError as refused:
                raise MCPError(code=refused.code, message=str(refused)) from None

        return MethodBinding(method, params, handler)

    class SkillsExtension(ServerExtension):
        """Skills over MCP, and the check that no tool of the server hides one of ours."""

        identifier = EXTENSION
        auto_register = True

        def clone(self) -> Any:
            return SkillsExtension()

        def settings(self) -> Json:
            return {"directoryRead": True}

        def methods(self) -> Sequence[Any]:
            page, one = types.PaginatedRequestParams, types.ReadResourceRequestParams
            return (
                bound("skills/list", page, lambda given: served.shelf.skills(given.cursor)),
                bound("skills/get", one, lambda given: served.shelf.skill(str(given.uri))),
                bound("resources/directory/read", one, lambda given: served.shelf.directory(str(given.uri))),
            )

        @asynccontextmanager
        async def lifespan(self) -> AsyncIterator[None]:
            # Asked one by one, since a transform of the server may hide what clashes.
            tools = [tool for provider in self.server.providers for tool in await provider.list_tools()]
            ours = set(served.toolkit.names.values())
            clashing = sorted(
                {tool.name for tool in tools if tool.name in ours and not isinstance(tool, own)}
            )
            if clashing:
                reason = f"the server has tools of its own named {', '.join(clashing)}"
                raise ToolkitError(reason, 'give ours other names: as_provider(toolkit.prefixed("skills_"))')
            yield

    return SkillsExtension()


def _transform(settings: SearchSettings, limit: int, **options: Any) -> Any:
    from fastmcp.server.dependencies import get_context
    from fastmcp.server.transforms.search.base import BaseSearchTransform
    from fastmcp.tools.base import Tool

    class RankedSearch(BaseSearchTransform):
        """A search over all tools of a server that the caller may see."""

        def __init__(self) -> None:
            super().__init__(max_results=limit, **options)
            self._ranked = RankedTools(settings)

        def _make_search_tool(self) -> Any:
            async def search_tools(query: str) -> Any:
                tools = await self._get_visible_tools(get_context())
                found = await self._search(tools, query)
                return await self._render_results(found) if found else _NONE

            description = (
                "Find tools by words of the task, or by name with select:name,name. Returns the best "
                "matches first, each with its arguments."
            )
            return Tool.from_function(fn=search_tools, name=self._search_tool_name, description=description)

        async def _search(self, tools: Sequence[Any], query: str) -> Sequence[Any]:
            by_name = {tool.name: tool for tool in tools}
            told = [(one.name, one.description, one.parameters, tuple(sorted(one.tags))) for one in tools]
            found = await asyncio.to_thread(self._ranked.names, told, query, limit)
            return [by_name[name] for name in found]

    return RankedSearch()
