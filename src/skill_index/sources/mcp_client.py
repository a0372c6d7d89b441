"""
A connection to an MCP server for as long as one errand takes: its skills, its resources.

The official package is asynchronous and two major versions of it differ; here both give the same
four verbs.  Each errand has a thread with a loop of its own, so a scan works inside a host whose
loop runs, and no connection is held between errands: somebody would have to close it.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Protocol, TypeAlias, TypeVar

from skill_index.errors import SourceError

EXTENSION = "io.modelcontextprotocol/skills"
INSTALL = 'pip install "skill_index[mcp]"'

Server: TypeAlias = str | Sequence[str] | Callable[[], Any]
"""A URL, the words of a command, or a function that makes what the package's client connects to."""

T = TypeVar("T")


class Connection(Protocol):
    """What is asked of a server; any of it raises what the package raises."""

    speaks_skills: bool

    async def request(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a request of Skills over MCP as JSON."""
        ...

    async def read(self, uri: str) -> bytes:
        """Return the bytes of a resource."""
        ...

    async def resources(self, cursor: str | None) -> tuple[list[tuple[str, int | None]], str | None]:
        """Return a page of resources, each with its URI and size, and the cursor of the next."""
        ...


def on_errand(label: str, server: Server, seconds: float, errand: Callable[[Connection], Awaitable[T]]) -> T:
    """Do something with a connection and return its result; whatever goes wrong is a `SourceError`."""

    async def go() -> T:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(seconds):
                connection = await stack.enter_async_context(_connected(server, seconds))
            return await errand(connection)

    try:
        with ThreadPoolExecutor(1, thread_name_prefix="skill-index-mcp") as pool:
            return pool.submit(asyncio.run, go()).result()
    except SourceError:
        raise
    except ImportError as error:
        raise SourceError(label, f"a package is missing ({error})", INSTALL) from error
    except Exception as error:
        raise SourceError(label, told(error), "see that the server runs and answers") from error


def told(error: BaseException) -> str:
    """Return what an error says, the first of its kind where several came at once."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


@asynccontextmanager
async def _connected(server: Server, seconds: float) -> AsyncIterator[Connection]:
    import mcp

    connect = _modern if hasattr(mcp, "Client") else _handshake
    async with connect(server, seconds) as connection:
        yield connection


@asynccontextmanager
async def _modern(server: Server, seconds: float) -> AsyncIterator[Connection]:
    """Version 2 of the package."""
    from mcp import Client, StdioServerParameters
    from mcp.client import advertise

    target = server() if callable(server) else server
    if not callable(server) and not isinstance(server, str):
        target = StdioServerParameters(command=server[0], args=list(server[1:]))
    extensions = [advertise(EXTENSION)]
    async with Client(target, read_timeout_seconds=seconds, cache=None, extensions=extensions) as client:
        yield _Modern(client)


class _Modern:
    def __init__(self, client: Any) -> None:
        self._client = client
        self.speaks_skills = EXTENSION in (client.server_capabilities.extensions or {})

    async def request(self, method: str, params: dict[str, Any]) -> Any:
        from mcp import types
        from pydantic import TypeAdapter

        request = types.Request[dict[str, Any], str](method=method, params=params)
        return await self._client.session.send_request(request, TypeAdapter(dict[str, Any]))

    async def read(self, uri: str) -> bytes:
        return _bytes(await self._client.read_resource(uri), uri)

    async def resources(self, cursor: str | None) -> tuple[list[tuple[str, int | None]], str | None]:
        page = await self._client.list_resources(cursor=cursor)
        return [(str(resource.uri), resource.size) for resource in page.resources], page.next_cursor


@asynccontextmanager
async def _handshake(server: Server, seconds: float) -> AsyncIterator[Connection]:
    """Version 1 of the package, which knows no Skills over MCP."""
    from datetime import timedelta

    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    if callable(server):
        transport = server()
    elif isinstance(server, str):
        transport = streamable_http_client(server)
    else:
        transport = stdio_client(StdioServerParameters(command=server[0], args=list(server[1:])))
    async with (
        transport as (incoming, outgoing, *_),
        ClientSession(incoming, outgoing, read_timeout_seconds=timedelta(seconds=seconds)) as session,
    ):
        await session.initialize()
        yield _Handshake(session)


class _Handshake:
    speaks_skills = False

    def __init__(self, session: Any) -> None:
        self._session = session

    async def request(self, method: str, params: dict[str, Any]) -> Any:  # noqa: ARG002  (as the other is asked)
        raise SourceError(method, "version 1 of the mcp package cannot ask for it", "install version 2")

    async def read(self, uri: str) -> bytes:
        from pydantic import AnyUrl

        return _bytes(await self._session.read_resource(AnyUrl(uri)), uri)

    async def resources(self, cursor: str | None) -> tuple[list[tuple[str, int | None]], str | None]:
        from mcp import types

        page = await self._session.list_resources(params=types.PaginatedRequestParams(cursor=cursor))
        return [(str(resource.uri), resource.size) for resource in page.resources], page.nextCursor


def _bytes(result: Any, uri: str) -> bytes:
    """Return the one content of a resource."""
    if len(result.contents) != 1:
        raise SourceError(uri, f"it was answered with {len(result.contents)} contents instead of one")
    content = result.contents[0]
    text = getattr(content, "text", None)
    return text.encode("utf-8") if text is not None else base64.b64decode(content.blob, validate=True)
