"""
A server that runs: over standard input and output, or over streamable HTTP.

A local address only takes requests that name a local host, so that no web page in a browser of
this machine can talk to it.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from skill_index.adapters.hosting import needed
from skill_index.errors import SkillIndexError

HTTP_PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "::1")


def serve(server: Any, http: tuple[str, int] | None = None) -> None:
    """
    Serve until the client is gone (standard input ends), or with `http` until interrupted.

    `server` is what `as_server` returned; `http` is a host and a port, and the endpoint is `/mcp`.
    """
    asyncio.run(serve_stdio(server) if http is None else serve_http(server, *http))


async def serve_stdio(server: Any) -> None:
    """Serve the one client at standard input and output."""
    stdio = needed("mcp.server.stdio", "mcp")
    async with stdio.stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def serve_http(server: Any, host: str, port: int) -> None:
    """Serve any number of clients at `http://host:port/mcp`."""
    uvicorn = needed("uvicorn", "mcp")
    config = uvicorn.Config(http_app(server, host), host=host, port=port, log_level="warning")
    with _listening(host, port) as listening:
        await uvicorn.Server(config).serve(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """Bind before anything else: the server would only leave the program."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        message = f"cannot listen at {host}:{port}: {error.strerror or error}; choose another address or port"
        raise SkillIndexError(message) from None


def http_app(server: Any, host: str = "127.0.0.1") -> Any:
    """Return the ASGI application of a server, to be run or mounted by a host of its own."""
    if hasattr(server, "streamable_http_app"):
        return server.streamable_http_app(streamable_http_path=HTTP_PATH, host=host)
    return _handshake_app(server, host)


def _handshake_app(server: Any, host: str) -> Any:
    """Put together what version 2 of the package has ready."""
    from mcp.server.fastmcp.server import StreamableHTTPASGIApp
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Route

    local = host in _LOCAL
    names = [f"{name}:*" for name in ("127.0.0.1", "localhost", "[::1]")] if local else []
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=local,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )
    manager = StreamableHTTPSessionManager(app=server, security_settings=security)
    route = Route(HTTP_PATH, endpoint=StreamableHTTPASGIApp(manager))
    return Starlette(routes=[route], lifespan=lambda _: manager.run())
