"""The server as clients of the official package see it: in process, as a command, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from skill_index import Skill, SkillCatalog, SkillIndex
from skill_index.adapters.hosting import Skills
from skill_index.adapters.mcp import as_server, as_tools
from skill_index.adapters.mcp.wire import FAILURE
from skill_index.session import Session
from skill_index.sources.mcp import McpSource
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

mcp = pytest.importorskip("mcp", reason="needs skill_index[mcp]")

MODERN = hasattr(mcp, "Client")
EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"
COMMAND = [sys.executable, "-m", "skill_index", "mcp", "--path", str(EXAMPLES)]
TEXT = "---\nname: {0}\ndescription: Does {0}.\n---\nSteps of {0}.\n"

modern = pytest.mark.skipif(not MODERN, reason="needs version 2 of the mcp package")


@asynccontextmanager
async def client_of(target: Any) -> AsyncIterator[Any]:
    """Connect a client of the installed version to a URL, a command, or a server in this process."""
    from mcp import StdioServerParameters

    command = StdioServerParameters(command=target[0], args=target[1:]) if isinstance(target, list) else None
    if MODERN:
        async with mcp.Client(command or target) as client:
            yield client
        return
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.memory import create_connected_server_and_client_session

    if not isinstance(target, str | list):
        async with create_connected_server_and_client_session(target) as session:
            yield session
        return
    transport = stdio_client(command) if command else streamable_http_client(target)
    async with transport as (incoming, outgoing, *_), mcp.ClientSession(incoming, outgoing) as session:
        await session.initialize()
        yield session


def wire(result: Any) -> Any:
    """Return a result as it is on the wire, which is the same in both versions of the package."""
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def read(client: Any, uri: str) -> Any:
    """Return the one content of a resource."""
    from pydantic import AnyUrl

    (content,) = wire(await client.read_resource(uri if MODERN else AnyUrl(uri)))["contents"]
    return content


def office(tools: list[Any]) -> Any:
    """Return a server of the host's own, with a tool of its own beside these."""
    if MODERN:
        from mcp.server import MCPServer as Office
    else:
        from mcp.server.fastmcp import FastMCP as Office
    server: Any = Office("office", tools=tools)

    @server.tool()  # type: ignore[untyped-decorator,unused-ignore]
    def send_mail(to: str) -> str:
        """Send a mail."""
        return f"sent to {to}"

    return server if MODERN else server._mcp_server


async def declared_by(server: Any) -> list[Declared]:
    """Return the tools as a client is told of them."""
    async with client_of(server) as client:
        tools = wire(await client.list_tools())["tools"]
    # Version 2 puts a schema's type first; what is in it has the order that we gave it.
    return [
        Declared(tool["name"], tool["description"], dict(sorted(tool["inputSchema"].items())))
        for tool in tools
    ]


async def answer_of(server: Any, name: str, arguments: dict[str, Any]) -> Answer:
    """Return what a client gets for a call."""
    async with client_of(server) as client:
        result = wire(await client.call_tool(name, arguments))
    return Answer(result["content"][0]["text"], result["isError"])


class TestTools(Contract):
    """Our tools beside those of a host's own server."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As a client lists them, without the host's own."""
        tools = as_tools(skills, beside=beside, one_conversation=True)
        *ours, last = asyncio.run(declared_by(office(tools)))
        assert last.name == "send_mail"
        return ours

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a client of that server gets it."""
        return await answer_of(office(as_tools(toolkit, one_conversation=True)), name, arguments)


class TestServer(Contract):
    """The server that has nothing but skills; it declares and answers the same."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As a client lists them."""
        as_tools(skills, beside=beside)  # nothing can be beside them on this server
        return asyncio.run(declared_by(as_server(skills, one_conversation=True)))

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a client gets it."""
        return await answer_of(as_server(toolkit, one_conversation=True), name, arguments)


def test_tools_beside_others_are_those_of_the_server() -> None:
    """Schemas, hints and data are the same, and no conversation hears of another."""
    catalog = SkillCatalog(SKILLS)
    ours = asyncio.run(everything(office(as_tools(catalog))))
    own = ours["tools"].pop()
    assert own["name"] == "send_mail"
    assert ours == asyncio.run(everything(as_server(catalog)))
    assert [tool["name"] for tool in ours["tools"]][-1] == "read_skill_resource"
    assert ours["tools"][0]["annotations"]["readOnlyHint"] is True
    first, second = ours["answers"]
    assert first == second
    assert first["structuredContent"]["name"] == "pdf-forms"


async def everything(server: Any) -> dict[str, Any]:
    """Return the declarations of a server's tools, and its answers to one call made twice."""
    async with client_of(server) as client:
        tools = wire(await client.list_tools())["tools"]
        calls = [await client.call_tool("load_skill", {"skill_name": "pdf-forms"}) for _ in range(2)]
        answers = list(map(wire, calls))
    for answer in answers:
        answer.pop("_meta", None)  # the server's name
    return {"tools": tools, "answers": answers}


@contextmanager
def http_server() -> Iterator[str]:
    """Run the command on a free port of this machine and yield its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*COMMAND, "--http", f"127.0.0.1:{port}"], stderr=subprocess.PIPE)  # noqa: S603
    try:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.communicate(timeout=30)


async def use(target: Any) -> None:
    """Use all there is through one connection."""
    async with client_of(target) as client:
        tools = wire(await client.list_tools())["tools"]
        schemas = {schema.name: schema for schema in Toolkit(SkillCatalog()).schemas}
        assert [tool["name"] for tool in tools] == [name for name in schemas if name != "unload_skill"]
        assert all(tool["inputSchema"] == schemas[tool["name"]].parameters for tool in tools)

        found = wire(await client.call_tool("describe_skill", {"name": "fill in a PDF form"}))
        assert found["structuredContent"]["hits"][0]["name"] == "pdf-forms"
        assert found["content"][0]["text"].startswith("## Skill: pdf-forms")
        assert not found["isError"]

        missed = wire(await client.call_tool("load_skill", {"skill_name": "pdf-fromes"}))
        assert missed["isError"]
        assert missed["_meta"][FAILURE]["code"] == "skill-not-found"
        assert "pdf-forms" in missed["content"][0]["text"]

        names = list(SkillIndex.from_paths(EXAMPLES))[:20]
        calls = [client.call_tool("load_skill", {"skill_name": name}) for name in names]
        results = [wire(result) for result in await asyncio.gather(*calls)]
        assert [result["structuredContent"]["name"] for result in results] == names

        listed = wire(await client.list_resources())["resources"]
        assert len(listed) > len(names)
        content = await read(client, "skill://pdf-forms/SKILL.md")
        folder = SkillIndex.from_paths(EXAMPLES)["pdf-forms"].resources
        assert content["text"].encode() == folder.read("SKILL.md", 1 << 20)
        assert json.loads((await read(client, "skill://index.json"))["text"])["skills"]
        with pytest.raises(Exception, match="no resource is served"):
            await read(client, "skill://nope/SKILL.md")


def test_a_client_in_this_process_uses_all_there_is() -> None:
    """Tools, failures, twenty calls at once, resources."""
    asyncio.run(use(as_server(SkillIndex.from_paths(EXAMPLES))))


def test_a_client_of_the_command_uses_all_there_is() -> None:
    """The same over standard input and output of a process of its own."""
    asyncio.run(use(COMMAND))


def test_a_port_in_use_is_told() -> None:
    """One sentence with the cure, and no traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run([*COMMAND, "--http", place], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 2
    assert f"cannot listen at {place}: " in done.stderr
    assert "choose another address or port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_client_over_http_uses_all_there_is() -> None:
    """The same over streamable HTTP, twice, since clients come and go."""
    with http_server() as url:
        asyncio.run(use(url))
        asyncio.run(use(url))


def test_nothing_but_protocol_is_on_standard_output() -> None:
    """What is served is said on standard error."""
    version = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    asked: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": version},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    process = subprocess.Popen(  # noqa: S603
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines = []
    for message in asked:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        if "id" in message:
            lines.append(json.loads(process.stdout.readline()))
    rest, told = process.communicate(timeout=60)
    assert rest == ""
    assert [line["id"] for line in lines] == [1, 2]
    assert lines[0]["result"]["instructions"].startswith("<skill_index>")
    assert "skill-index mcp: 65 skills at stdin and stdout" in told
    assert process.returncode == 0


def test_a_call_that_is_given_up_breaks_nothing() -> None:
    """The loop goes on meanwhile, and later calls are answered."""
    entered, leave = threading.Event(), threading.Event()

    def slow(catalog: SkillCatalog) -> SkillCatalog:
        if entered.is_set():
            leave.wait(20)
        return catalog

    index = SkillIndex.from_paths(EXAMPLES)
    server = as_server(Toolkit(index, view=slow))

    async def main() -> None:
        async with client_of(server) as client:
            await client.list_tools()
            entered.set()
            index_changes(index)
            call = asyncio.ensure_future(client.call_tool("load_skill", {"skill_name": "pdf-forms"}))
            await asyncio.sleep(0.2)
            assert not call.done()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            leave.set()
            result = wire(await client.call_tool("load_skill", {"skill_name": "pdf-forms"}))
            assert not result["isError"]

    asyncio.run(main())


def index_changes(index: SkillIndex) -> None:
    """Give an index another catalog with the same skills, so that its view is worked out anew."""
    index._catalog = index.snapshot().with_(Skill("another", "Another skill."))


def test_one_conversation_keeps_its_session() -> None:
    """What it has loaded is said once, and the host can look."""
    session = Session()
    toolkit = Toolkit(SkillCatalog([Skill("a", "Does a.", "Steps.")]), session=session)
    server = as_server(toolkit, one_conversation=True)

    async def main() -> list[str]:
        async with client_of(server) as client:
            answers = [wire(await client.call_tool("load_skill", {"skill_name": "a"})) for _ in range(2)]
            return [answer["content"][0]["text"] for answer in answers]

    first, second = asyncio.run(main())
    assert "Steps." in first
    assert "Steps." not in second
    assert session.loaded


@modern
def test_ten_thousand_skills_are_read_back_by_our_own_source() -> None:
    """Every page is asked for, every file verified, and nothing is lost."""
    catalog = SkillCatalog(
        Skill(f"skill-{number:05}", f"Number {number}.", "Steps.") for number in range(10_000)
    )
    server = as_server(catalog)
    index = SkillIndex([McpSource(lambda: server, "many")])
    assert index.findings == ()
    assert list(index) == list(catalog)
    assert index["skill-09999"].instructions == "Steps."


@pytest.mark.parametrize("way", ["process", "command", "http"])
def test_our_source_reads_our_server_over_every_transport(way: str) -> None:
    """By Skills over MCP with version 2 of the package, by the older index with version 1."""
    local = SkillIndex.from_paths(EXAMPLES)
    if way == "http":
        with http_server() as url:
            check_source(McpSource(url, "docs"), local)
    elif way == "command":
        check_source(McpSource(COMMAND, "docs"), local)
    elif MODERN:
        server = as_server(local)
        check_source(McpSource(lambda: server, "docs"), local)


def check_source(source: McpSource, local: SkillIndex) -> None:
    """Compare the skills of a source with those of the folder behind it."""
    index = SkillIndex([source])
    assert list(index) == list(local)
    for name in ("pdf-forms", "pdf-merge"):
        remote, here = index[name], local[name]
        assert remote.instructions == here.instructions
        assert remote.digest == here.digest
        names = [file.name for file in here.resources.listing().resources]
        assert [file.name for file in remote.resources.listing().resources] == names
        assert remote.resources.read(names[0], 1 << 20) == here.resources.read(names[0], 1 << 20)


@modern
@pytest.mark.parametrize("name", ["größe", "技能", "Skill Name", "a%2Fb", "x.y~z", "emoji-😀"])
def test_names_in_any_script_are_served(name: str) -> None:
    """URIs are percent-encoded, and lead back to the skill."""
    catalog = SkillCatalog([Skill(name, "Does something.", "Steps.")])

    async def main() -> None:
        async with client_of(as_server(catalog)) as client:
            resources = wire(await client.list_resources())["resources"]
            assert resources[1]["name"] == name
            assert "Steps." in (await read(client, resources[1]["uri"]))["text"]
            assert not wire(await client.call_tool("load_skill", {"skill_name": name}))["isError"]

    asyncio.run(main())


def test_a_server_that_is_not_there_is_a_finding() -> None:
    """Neither a refused port nor a command that ends costs other skills or hangs."""
    sources = [
        McpSource("http://127.0.0.1:9/mcp", "port", timeout=10),
        McpSource([sys.executable, "-c", "pass"], "command", timeout=10),
    ]
    index = SkillIndex(sources)
    assert [(finding.code, finding.path) for finding in index.findings] == [
        ("unreadable", "port"),
        ("unreadable", "command"),
    ]


def test_standard_error_of_a_failing_command_does_not_hang(tmp_path: Path) -> None:
    """A folder that is missing ends the command with its message."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "skill_index", "mcp", "--path", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 2
    assert "there is no such folder" in done.stderr
    assert done.stdout == ""
