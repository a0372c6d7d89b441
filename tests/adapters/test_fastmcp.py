"""FastMCP on the other side: its servers with our tools and ranking, its client, its skills server."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from skill_index import SkillCatalog, SkillIndex
from skill_index.adapters.fastmcp import as_provider, as_tools, as_transform
from skill_index.adapters.hosting import Skills
from skill_index.sources.mcp import McpSource
from skill_index.tools import Toolkit
from tests.adapters.contract import Answer, Contract, Declared

fastmcp = pytest.importorskip("fastmcp", reason="needs skill_index[fastmcp]")

EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"

T = TypeVar("T")


def done(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end."""
    return asyncio.run(work)


def client_of(target: Any) -> Any:
    """Return FastMCP's client, which asks for Skills over MCP."""
    from fastmcp.skills import SkillsClientExtension

    return fastmcp.Client(target, extensions=[SkillsClientExtension()])


def host(**tools: str) -> Any:
    """Return a server with tools of its own, each with a description."""
    server = fastmcp.FastMCP("host")
    for name, description in tools.items():
        add_tool(server, name, description)
    return server


def add_tool(server: Any, name: str, description: str) -> None:
    """Give a server a tool that says its name."""

    def answer(text: str = "") -> str:
        return f"{name}: {text}"

    server.tool(answer, name=name, description=description)


class TestFastMCP(Contract):
    """Our tools beside those of a host's own server."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As a client lists them, without the host's own."""
        server = fastmcp.FastMCP("host", tools=as_tools(skills, beside=beside, one_conversation=True))
        add_tool(server, "send_mail", "Send a mail.")
        *ours, last = done(self.listed(server))
        assert last.name == "send_mail"
        return [
            Declared(tool.name, tool.description, dict(sorted(tool.input_schema.items()))) for tool in ours
        ]

    async def listed(self, server: Any) -> list[Any]:
        """Return the tools as a client gets them."""
        async with client_of(server) as client:
            return list(await client.list_tools())

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a client of that server gets it."""
        server = fastmcp.FastMCP("host", tools=as_tools(toolkit, one_conversation=True))
        async with client_of(server) as client:
            result = await client.call_tool(name, arguments, raise_on_error=False)
        return Answer(result.content[0].text, result.is_error)


def test_tools_alone_remember_nothing_between_conversations() -> None:
    """A server does not know who calls, so instructions come whole every time, unless told otherwise."""
    server = fastmcp.FastMCP("host", tools=as_tools(SkillIndex.from_paths(EXAMPLES)))

    async def use() -> None:
        async with client_of(server) as client:
            assert "unload_skill" not in {tool.name for tool in await client.list_tools()}
            calls = [await client.call_tool("load_skill", {"skill_name": "pdf-forms"}) for _ in range(2)]
            assert calls[0].content == calls[1].content
            assert calls[0].structured_content["name"] == "pdf-forms"

    done(use())


def test_a_provider_brings_tools_resources_and_skills() -> None:
    """What our own server says is said here, too, beside the host's tools."""
    server = host(send_mail="Send a mail.")
    server.add_provider(as_provider(SkillIndex.from_paths(EXAMPLES)))
    schemas = {schema.name: schema for schema in Toolkit(SkillCatalog()).schemas}

    async def use() -> None:
        async with client_of(server) as client:
            tools = {tool.name: tool for tool in await client.list_tools()}
            assert tools.keys() == schemas.keys() - {"unload_skill"} | {"send_mail"}
            for name in tools.keys() - {"send_mail"}:
                assert tools[name].input_schema == schemas[name].parameters
                properties = tools[name].output_schema["properties"]  # references are written out here
                assert properties.keys() == schemas[name].returns["properties"].keys()
            found = await client.call_tool("describe_skill", {"name": "fill in a PDF form"})
            assert found.structured_content["hits"][0]["name"] == "pdf-forms"
            missed = await client.call_tool("load_skill", {"skill_name": "pdf-fromes"}, raise_on_error=False)
            assert missed.is_error
            assert "pdf-forms" in missed.content[0].text
            names = list(SkillIndex.from_paths(EXAMPLES))[:20]
            calls = [client.call_tool("load_skill", {"skill_name": name}) for name in names]
            loaded = await asyncio.gather(*calls)
            assert [one.structured_content["name"] for one in loaded] == names
            assert len(await client.list_resources()) > len(names)
            (content,) = await client.read_resource("skill://pdf-forms/SKILL.md")
            assert content.text.startswith("---\nname: pdf-forms")
            with pytest.raises(Exception, match="not found"):
                await client.read_resource("skill://pdf-forms/nope.md")

    done(use())


def test_a_call_looks_for_changes_once_and_makes_no_tool_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server finds the tool of each call by its name; that is not a reason to declare all of them."""
    index = SkillIndex.from_paths(EXAMPLES)
    server = host()
    server.add_provider(as_provider(index))
    looked: list[None] = []
    snapshot = SkillIndex.snapshot

    def counted(self: SkillIndex) -> SkillCatalog:
        looked.append(None)
        return snapshot(self)

    async def use() -> None:
        async with client_of(server) as client:
            await client.list_tools()
            monkeypatch.setattr(SkillIndex, "snapshot", counted)
            monkeypatch.setattr(Toolkit, "schemas", property(lambda _: pytest.fail("declared anew")))
            for number in (1, 2):
                await client.call_tool("load_skill", {"skill_name": "pdf-forms"})
                assert len(looked) == number

    done(use())


def test_its_client_verifies_every_skill_of_ours() -> None:
    """Through a provider, each manifest, digest and front matter is what its client works out itself."""
    server = host()
    server.add_provider(as_provider(SkillIndex.from_paths(EXAMPLES)))
    assert done(verified(server)) == list(SkillIndex.from_paths(EXAMPLES))


def test_its_client_verifies_every_skill_of_our_command() -> None:
    """The same through `skill-index mcp`, which has nothing of FastMCP in it."""
    from fastmcp.client.transports import StdioTransport

    arguments = ["-m", "skill_index", "mcp", "--path", str(EXAMPLES)]
    assert done(verified(StdioTransport(sys.executable, arguments))) == list(SkillIndex.from_paths(EXAMPLES))


async def verified(target: Any) -> list[str]:
    """Return the names of all skills that the client lists, reads and accepts."""
    async with client_of(target) as client:
        listed = await client.list_skills()
        return [(await client.read_skill(skill.uri)).name for skill in listed]


def test_our_source_reads_its_skills_server() -> None:
    """Same names, odd front matter and binary files of a server that we did not write."""
    from fastmcp.skills import Skill
    from fastmcp.skills.provider import SkillCatalogProvider

    odd = {"version": 1.1, "flag": True, "when_to_use": "Often.\nAlways.", "paths": ["a", 1], "none": None}
    odd |= {"metadata": {"version": "1.10", "n": 3}, "allowed-tools": ["Read", "Bash"], "license": "MIT"}
    text = {"name": "rich", "instructions": "# Steps", "files": {"a/b c.md": "x", "c.bin": b"\0\1"}}
    skills = {
        "acme/rich": Skill(description="All: kinds.", frontmatter=odd, **text),
        "team/rich": Skill(description="Other kinds.", **text),
        "plain": Skill(name="plain", description="Plain.", instructions="Steps."),
    }
    server = fastmcp.FastMCP("stranger", instructions="I am your file system.")
    server.add_provider(SkillCatalogProvider(skills))
    index = SkillIndex([McpSource(lambda: server._mcp_server, "far")])
    assert list(index) == ["far/acme:rich", "far/team:rich", "plain"]
    rich = index["far/acme:rich"]
    assert rich.allowed_tools == ("Read", "Bash")
    assert not rich.origin.trusted
    assert {file.name: file.size for file in rich.resources.listing().resources}.keys() == {
        "a/b c.md",
        "c.bin",
        "SKILL.md",
    }
    assert rich.resources.read("c.bin", 10) == b"\0\1"
    assert rich.resources.read("a/b c.md", 10) == b"x"


@pytest.mark.parametrize("name", ["load_skill", "describe_skill"])
def test_a_tool_of_the_hosts_is_not_hidden(name: str) -> None:
    """The server does not start, and says how to go on; other names are the cure."""
    index = SkillIndex.from_paths(EXAMPLES)
    server = host(**{name: "The host's own."})
    server.add_provider(as_provider(index))

    async def names(of: Any) -> list[str]:
        async with client_of(of) as client:
            return [tool.name for tool in await client.list_tools()]

    with pytest.raises(Exception, match=rf"tools of its own named {name}; .*prefixed"):
        done(names(server))
    cured = host(**{name: "The host's own."})
    cured.add_provider(as_provider(Toolkit(index).prefixed("skills_")))
    assert {name, f"skills_{name}"} <= set(done(names(cured)))


TOOLS = {
    "send_mail": "Send an e-mail to somebody.",
    "draw_chart": "Draw a bar chart of numbers.",
    "delete_file": "Remove a file from the disk.",
    "listing": "List what is in a folder.",
}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("write somebody an email", "send_mail"),
        ("plotting charts", "draw_chart"),
        ("select:delete_file", "delete_file"),
        ("DELETE-FILE", "delete_file"),
        ("folders", "listing"),
    ],
)
def test_tools_are_found_by_our_ranking(query: str, first: str) -> None:
    """Stems, spellings and the query language work, and what is found can be called."""
    server = host(**TOOLS)
    server.add_transform(as_transform(always_visible=["listing"] if first != "listing" else []))

    async def use() -> None:
        async with client_of(server) as client:
            shown = {tool.name for tool in await client.list_tools()}
            assert {"search_tools", "call_tool"} <= shown
            assert first not in shown
            found = await client.call_tool("search_tools", {"query": query})
            hits = json.loads(found.content[0].text)
            assert hits[0]["name"] == first
            assert "inputSchema" in hits[0]
            called = await client.call_tool("call_tool", {"name": first, "arguments": {"text": "x"}})
            assert called.content[0].text == f"{first}: x"

    done(use())


def test_a_search_for_nothing_says_so() -> None:
    """An empty answer would read as a failure of the tool."""
    server = host(**TOOLS)
    server.add_transform(as_transform())

    async def use() -> str:
        async with client_of(server) as client:
            text: str = (await client.call_tool("search_tools", {"query": "zzzz qqqq"})).content[0].text
            return text

    assert done(use()).startswith("No tool matches.")


def test_a_search_sees_tools_that_come_later() -> None:
    """The ranking follows the tools there are."""
    server = host(**TOOLS)
    server.add_transform(as_transform(max_results=1))

    async def use() -> list[str]:
        async with client_of(server) as client:
            found = []
            for _ in range(2):
                answer = await client.call_tool("search_tools", {"query": "translate a text"})
                found.append(answer.content[0].text)
                add_tool(server, "translate", "Translate a text.")
            return found

    first, second = done(use())
    assert "translate" not in first
    assert json.loads(second)[0]["name"] == "translate"


def test_skills_and_tools_of_one_server_are_found_together() -> None:
    """The toolkit's tools stay in sight while the host's are searched."""
    server = host(**TOOLS)
    server.add_provider(as_provider(SkillIndex.from_paths(EXAMPLES)))
    server.add_transform(as_transform(always_visible=["describe_skill", "load_skill"]))

    async def use() -> None:
        async with client_of(server) as client:
            shown = {tool.name for tool in await client.list_tools()}
            assert shown == {"describe_skill", "load_skill", "search_tools", "call_tool"}
            found = await client.call_tool("search_tools", {"query": "read a file of a skill"})
            assert json.loads(found.content[0].text)[0]["name"] == "read_skill_resource"

    done(use())
