"""The command that serves skills to agents: `skill-index mcp`."""

from __future__ import annotations

import threading
from typing import Annotated

import typer

from skill_index.cli.options import Hidden, Nested, Paths, Store
from skill_index.cli.places import open_index
from skill_index.text import one_line


def mcp(
    path: Paths = None,
    http: Annotated[
        str | None,
        typer.Option(
            "--http", metavar="HOST:PORT", help="Serve over HTTP at /mcp instead of stdin and stdout."
        ),
    ] = None,
    name: Annotated[str, typer.Option("--name", help="What the server calls itself.")] = "skill_index",
    prefix: Annotated[str, typer.Option("--prefix", help="What the tools' names begin with.")] = "",
    hidden: Hidden = False,
    nested: Nested = False,
    store: Store = None,
) -> None:
    """Serve skills over MCP: tools, resources and Skills over MCP; needs the extra 'mcp'."""
    from skill_index.adapters.mcp import as_server, serve
    from skill_index.tools import Toolkit

    place = _place(http)
    index = open_index(path or [], hidden=hidden, nested=nested, store=store)
    server = as_server(Toolkit(index).prefixed(prefix), name=name)
    where = f"http://{http}/mcp" if http else "stdin and stdout"
    # Standard output is the protocol's.
    problems = f", {len(index.findings)} findings" if index.findings else ""
    typer.echo(f"skill-index mcp: {len(index)} skills{problems} at {one_line(where)}", err=True)
    # A client waits for its first answer as long as for any other, so the words are indexed meanwhile.
    threading.Thread(target=index.snapshot().ranker, name="skill-index-words", daemon=True).start()
    try:
        serve(server, place)
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _place(http: str | None) -> tuple[str, int] | None:
    if http is None:
        return None
    host, _, port = http.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) <= 65_535:
        message = f"{http!r} is no host and port; write --http 127.0.0.1:8000"
        raise typer.BadParameter(message)
    return host.strip("[]"), int(port)
