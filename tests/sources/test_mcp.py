"""Skills from an MCP server: whatever it says, nothing unverified is used and nothing local is hidden."""

from __future__ import annotations

import asyncio
import hashlib
import json
import pickle
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from skill_index import SkillIndex
from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.settings import Limits
from skill_index.sources import MemorySource, is_live, mcp, mcp_client
from skill_index.sources.mcp import McpSource
from skill_index.sources.mcp_entries import MAX_BYTES, MAX_FILES, BadEntryError, read_entry
from skill_index.tools import Toolkit

TEXT = "---\nname: {0}\ndescription: Does {0}.\n---\nSteps of {0}.\n"
INDEX = "skill://index.json"


class FakeServer:
    """A server in the shape the client sees; counts what is read."""

    def __init__(self, files: dict[str, bytes], entries: list[Any], *, speaks_skills: bool = True) -> None:
        self.files, self.entries, self.speaks_skills = files, entries, speaks_skills
        self.reads: list[str] = []
        self.page = 2

    async def request(self, method: str, params: dict[str, Any]) -> Any:
        """Answer `skills/list` and `skills/get`."""
        await asyncio.sleep(0)
        if method == "skills/get":
            return {"skill": next(entry for entry in self.entries if entry["uri"] == params["uri"])}
        begin = int(params.get("cursor", "0"))
        following = {"nextCursor": str(begin + self.page)} if begin + self.page < len(self.entries) else {}
        return {"skills": self.entries[begin : begin + self.page], **following}

    async def read(self, uri: str) -> bytes:
        """Answer `resources/read`."""
        self.reads.append(uri)
        await asyncio.sleep(0)
        if uri not in self.files:
            message = f"no resource at {uri}"
            raise ConnectionError(message)
        return self.files[uri]

    async def resources(self, cursor: str | None) -> tuple[list[tuple[str, int | None]], str | None]:
        """Answer `resources/list`."""
        assert cursor is None
        return [(uri, len(data)) for uri, data in self.files.items()], None


def listed(files: dict[str, bytes], uri: str, **frontmatter: Any) -> dict[str, Any]:
    """Return the entry of a skill as an honest server lists it."""
    folder = uri.rpartition("/")[0]
    name = folder.rpartition("/")[2]
    resources = [
        {"uri": other, "digest": f"sha256:{hashlib.sha256(data).hexdigest()}", "size": len(data)}
        for other, data in files.items()
        if other.startswith(f"{folder}/")
    ]
    said = {"name": name, "description": f"Does {name}.", **frontmatter}
    return {"uri": uri, "frontmatter": said, "resources": resources}


def honest(*names: str, **more: bytes) -> FakeServer:
    """Return a server of plain skills."""
    files = {f"skill://{name}/SKILL.md": TEXT.format(name).encode() for name in names}
    files |= {f"skill://{path}": data for path, data in more.items()}
    return FakeServer(files, [listed(files, uri) for uri in files if uri.endswith("/SKILL.md")])


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a source that is given a function talk to what that returns."""

    @asynccontextmanager
    async def connected(server: Any, seconds: float) -> AsyncIterator[Any]:
        yield server()

    monkeypatch.setattr(mcp_client, "_connected", connected)


def index_of(server: FakeServer, label: str = "docs", **options: Any) -> SkillIndex:
    """Return an index of one server's skills."""
    return SkillIndex([McpSource(lambda: server, label, **options)])


pytestmark = pytest.mark.usefixtures("connect")


def test_skills_are_read_over_all_pages() -> None:
    """Each is known by label and URI, not editable, not trusted, and loads."""
    index = index_of(honest("a", "b", "c", "d", "e"))
    assert list(index) == ["a", "b", "c", "d", "e"]
    origin = index["c"].origin
    assert (origin.label, origin.location) == ("docs", "mcp://docs/c/SKILL.md")
    assert not origin.editable
    assert not origin.trusted
    assert "not trusted" in Toolkit(index).call("describe_skill", {"name": "c"}).text
    assert index["c"].instructions == "Steps of c.\n"


def test_files_are_fetched_when_read_and_verified_each_time() -> None:
    """Only SKILL.md is read for the index; a file that changed meanwhile is refused."""
    server = honest("a", **{"a/notes.md": b"old"})
    skill = index_of(server)["a"]
    assert server.reads == ["skill://a/SKILL.md"]
    assert [file.name for file in skill.resources.listing().resources] == ["notes.md", "SKILL.md"]
    assert skill.resources.read("notes.md", 100) == b"old"
    server.files["skill://a/notes.md"] = b"new"
    with pytest.raises(SourceError, match="digest"):
        skill.resources.read("notes.md", 100)
    server.files["skill://a/notes.md"] = b"longer"
    with pytest.raises(SourceError, match="6 bytes, and 3 were announced"):
        skill.resources.read("notes.md", 100)
    with pytest.raises(SourceError, match="at most 2"):
        skill.resources.read("notes.md", 2)
    with pytest.raises(ResourceNotFoundError):
        skill.resources.read("unlisted.md", 100)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        TEXT.format("a").encode() + b"more",
        TEXT.format("a").replace("Steps", "Stamp").encode(),
    ],
)
def test_a_file_that_is_not_as_announced_is_no_skill(data: bytes) -> None:
    """A wrong size or digest leaves the skill out, says so, and costs no other skill."""
    server = honest("a", "b")
    server.files["skill://a/SKILL.md"] = data
    index = index_of(server)
    assert list(index) == ["b"]
    assert [(finding.code, finding.path) for finding in index.findings] == [
        ("unverified", "mcp://docs/a/SKILL.md")
    ]


@pytest.mark.parametrize(
    "said",
    [
        {"description": "Does what was approved."},
        {"license": "MIT"},
        {"metadata": {"author": "somebody"}},
        {"model": "opus"},
    ],
)
def test_front_matter_that_differs_from_the_file_is_no_skill(said: dict[str, Any]) -> None:
    """Nobody is shown one description and loads another."""
    server = honest("a", "b")
    server.entries[0]["frontmatter"] |= said
    index = index_of(server)
    assert list(index) == ["b"]
    assert [finding.code for finding in index.findings] == ["unverified"]


def test_front_matter_the_entry_keeps_silent_about_is_a_difference_too() -> None:
    """An entry says everything the file says."""
    data = TEXT.format("a").replace("---\nSteps", "hooks: run\n---\nSteps").encode()
    files = {"skill://a/SKILL.md": data}
    index = index_of(FakeServer(files, [listed(files, "skill://a/SKILL.md")]))
    assert not len(index)
    assert "unverified" in {finding.code for finding in index.findings}


def test_front_matter_of_all_types_compares_equal() -> None:
    """JSON has types where our values are text; the same header must never look like another."""
    header = """name: a
description: >-
  Does: all
  of it.
license: MIT
version: 1.10
flag: yes
off: false
none:
when_to_use: |
  Often.
  Always.
paths: [a, "1", 2]
allowed-tools: Read Bash
tags: [x, y]
metadata:
  n: 012
  deep: {a: [b, true]}
"""
    files = {"skill://a/SKILL.md": f"---\n{header}---\nBody.".encode()}
    said = {
        "name": "a",
        "description": "Does: all of it.",
        "license": "MIT",
        "version": 1.1,
        "flag": True,
        "off": False,
        "none": None,
        "when_to_use": "Often.\nAlways.\n",
        "paths": ["a", "1", 2],
        "allowed-tools": "Read Bash",
        "tags": ["x", "y"],
        "metadata": {"n": 10, "deep": {"a": ["b", True]}},
    }
    entry = listed(files, "skill://a/SKILL.md")
    index = index_of(FakeServer(files, [{**entry, "frontmatter": said}]))
    assert list(index) == ["a"]
    assert index["a"].allowed_tools == ("Read", "Bash")


def entry_of(**changes: Any) -> dict[str, Any]:
    """Return a good entry, changed."""
    files = {"skill://a/SKILL.md": TEXT.format("a").encode(), "skill://a/x.md": b"x"}
    return {**listed(files, "skill://a/SKILL.md"), **changes}


def resource(uri: str, **changes: Any) -> dict[str, Any]:
    """Return a good entry of a file, changed."""
    return {"uri": uri, "digest": f"sha256:{'0' * 64}", "size": 1, **changes}


OWN = resource("skill://a/SKILL.md")
BAD_ENTRIES = [
    None,
    {},
    {"uri": 1},
    entry_of(frontmatter=None),
    entry_of(frontmatter={"name": "a"}),
    entry_of(frontmatter={"name": "b", "description": "x"}),
    entry_of(uri="skill://a/skill.md"),
    entry_of(uri="SKILL.md"),
    entry_of(uri="skill://a/SKILL.md?x=1"),
    entry_of(uri="skill://[/SKILL.md"),
    entry_of(resources=None),
    entry_of(resources="dynamic"),
    entry_of(resources=[]),
    entry_of(resources=[resource("skill://a/x.md")]),
    entry_of(resources=[OWN, OWN]),
    entry_of(resources=[OWN, resource("skill://b/x.md")]),
    entry_of(resources=[OWN, resource("other://a/x.md")]),
    entry_of(resources=[OWN, resource("skill://a/../b/x.md")]),
    entry_of(resources=[OWN, resource("skill://a/%2e%2e/x.md")]),
    entry_of(resources=[OWN, resource("skill://a/..%2Fx.md")]),
    entry_of(resources=[OWN, resource("skill://a/a%0Ab.md")]),
    entry_of(resources=[OWN, resource("skill://a/a%00b.md")]),
    entry_of(resources=[OWN, resource("skill://a/x%5Cy.md")]),
    entry_of(resources=[OWN, resource("skill://a/x.md", size=-1)]),
    entry_of(resources=[OWN, resource("skill://a/x.md", size=True)]),
    entry_of(resources=[OWN, resource("skill://a/x.md", size=float("inf"))]),
    entry_of(resources=[OWN, resource("skill://a/x.md", size=None)]),
    entry_of(resources=[OWN, resource("skill://a/x.md", digest="md5:0")]),
    entry_of(resources=[OWN, resource("skill://a/x.md", digest=f"sha256:{'A' * 64}")]),
    entry_of(resources=[OWN, resource("skill://a/x.md", size=MAX_BYTES)]),
    entry_of(resources=[OWN, *(resource(f"skill://a/{number}") for number in range(MAX_FILES))]),
]


@pytest.mark.parametrize("said", BAD_ENTRIES, ids=range(len(BAD_ENTRIES)))
def test_an_entry_that_breaks_a_rule_costs_only_itself(said: Any) -> None:
    """It is a finding with the server's label, and the other skills are there."""
    with pytest.raises(BadEntryError):
        read_entry(said)
    server = honest("good")
    server.entries.append(said)
    index = index_of(server)
    assert list(index) == ["good"]
    assert [(finding.code, finding.path) for finding in index.findings] == [("bad-entry", "docs")]


def test_a_good_entry_is_read_whole() -> None:
    """The largest skill that every host must take is taken."""
    most = [OWN, *(resource(f"skill://a/{number}") for number in range(MAX_FILES - 1))]
    assert len(read_entry(entry_of(resources=most)).files) == MAX_FILES
    assert (
        read_entry(entry_of(resources=[resource("skill://a/SKILL.md", size=2.0)])).files["SKILL.md"].size == 2
    )


@pytest.mark.parametrize("first", ["server", "folder"])
def test_a_local_name_is_never_the_servers(first: str) -> None:
    """Wherever the server stands among the sources, the local skill keeps the bare name."""
    remote = McpSource(lambda: honest("deploy", "other"), "docs")
    local = MemorySource({"deploy/SKILL.md": TEXT.format("deploy") + "Ours."}, "mine")
    index = SkillIndex([remote, local] if first == "server" else [local, remote])
    assert sorted(index) == ["deploy", "docs:deploy", "other"]
    assert index["deploy"].origin.label == "mine"
    assert index["docs:deploy"].origin.label == "docs"


def test_servers_share_no_name_either() -> None:
    """Of two servers none gets the bare name; it is ambiguous and both are named."""
    sources = [
        McpSource(lambda: honest("deploy"), "one"),
        McpSource(lambda: FakeServer(files, [listed(files, "skill://x/deploy/SKILL.md")]), "two"),
    ]
    files = {"skill://x/deploy/SKILL.md": TEXT.format("deploy").encode() + b"Other."}
    index = SkillIndex(sources)
    assert sorted(index) == ["one:deploy", "two:deploy"]
    reply = Toolkit(index).call("load_skill", {"skill_name": "deploy"})
    assert reply.error is not None
    assert reply.error.code == "skill-ambiguous"


def test_skills_of_one_name_on_one_server_are_all_there() -> None:
    """Names are labels: what tells them apart is the path."""
    files = {
        f"skill://{team}/deploy/SKILL.md": TEXT.format("deploy").encode() + team.encode()
        for team in ("a", "b")
    }
    index = index_of(FakeServer(files, [listed(files, uri) for uri in files]))
    assert list(index) == ["docs/a:deploy", "docs/b:deploy"]


def test_other_schemes_are_other_skills() -> None:
    """The scheme is part of what identifies a skill."""
    files = {
        f"{scheme}://x/a/SKILL.md": TEXT.format("a").encode() + scheme.encode()
        for scheme in ("skill", "github")
    }
    index = index_of(FakeServer(files, [listed(files, uri) for uri in files]))
    assert {index[key].origin.location for key in index} == {
        "mcp://docs/x/a/SKILL.md",
        "mcp://docs/github:/x/a/SKILL.md",
    }


def test_only_what_changed_is_read_again() -> None:
    """A refresh lists; a use of the index asks nobody; an entry as it was is not fetched."""
    server = honest("a", "b")
    source = McpSource(lambda: server, "docs")
    assert not is_live(source)
    index = SkillIndex([source], refresh_interval=0)
    server.reads.clear()
    assert not index.refresh()
    index.snapshot()
    assert server.reads == []
    server.files["skill://b/SKILL.md"] += b"More."
    server.entries[1] = listed(server.files, "skill://b/SKILL.md")
    assert index.refresh().changed == ("b",)
    assert server.reads == ["skill://b/SKILL.md"]
    assert index["b"].instructions.endswith("More.")


def test_a_server_that_fails_later_takes_nothing_away() -> None:
    """What was there stays, with a finding; the other sources are read."""
    servers = [honest("a")]
    local = MemorySource({"mine/SKILL.md": TEXT.format("mine")})
    index = SkillIndex([McpSource(lambda: servers[0], "docs"), local])
    servers.clear()
    index.refresh()
    assert list(index) == ["a", "mine"]
    assert {"unreadable", "kept-old"} == {finding.code for finding in index.findings}


def test_a_server_that_is_not_there_is_one_finding() -> None:
    """The others are read, and the finding says which server and why."""

    def refuse() -> Any:
        message = "nobody listens"
        raise ConnectionRefusedError(message)

    index = SkillIndex([McpSource(refuse, "docs"), MemorySource({"mine/SKILL.md": TEXT.format("mine")})])
    assert list(index) == ["mine"]
    (finding,) = index.findings
    assert (finding.code, finding.path) == ("unreadable", "docs")
    assert "ConnectionRefusedError: nobody listens" in finding.message


def test_the_same_cursor_again_ends_the_listing() -> None:
    """A server that never ends is not followed for ever."""
    server = honest("a", "b", "c")

    async def request(method: str, params: dict[str, Any]) -> Any:
        return {"skills": server.entries, "nextCursor": "again"}

    server.request = request  # type: ignore[method-assign]
    assert list(index_of(server)) == ["a", "b", "c"]


def test_skills_that_are_not_listed_are_got_by_their_uri() -> None:
    """A server may serve more than it lists."""
    server = honest("a", "b")
    server.page = 1
    hidden = server.entries.pop()
    listing = list(server.entries)

    async def request(method: str, params: dict[str, Any]) -> Any:
        return {"skill": hidden} if method == "skills/get" else {"skills": listing}

    server.request = request  # type: ignore[method-assign]
    assert list(index_of(server, uris=["skill://b/SKILL.md"])) == ["a", "b"]


@pytest.mark.parametrize("announced", [True, False])
def test_a_file_above_the_limit_is_not_used(announced: bool) -> None:
    """A SKILL.md that is announced too large is not even fetched."""
    server = honest("a")
    if not announced:
        server = older({"a": {}})
    index = index_of(server, limits=Limits(file_bytes=20))
    assert not len(index)
    assert [finding.code for finding in index.findings] == ["file-too-large"]
    assert ("skill://a/SKILL.md" in server.reads) is not announced


def older(names: dict[str, dict[str, Any]], **more: bytes) -> FakeServer:
    """Return a server of before Skills over MCP: an index and resources."""
    files = {f"skill://{name}/SKILL.md": TEXT.format(name).encode() for name in names}
    files |= {f"skill://{path}": data for path, data in more.items()}
    skills = [
        {"name": name, "type": "skill-md", "description": f"Does {name}.", "url": f"skill://{name}/SKILL.md"}
        | said
        for name, said in names.items()
    ]
    files[INDEX] = json.dumps({"skills": skills}).encode()
    return FakeServer(files, [], speaks_skills=False)


def test_the_older_index_is_read() -> None:
    """Its skills have the files that the server lists below them; a digest counts where there is one."""
    good = f"sha256:{hashlib.sha256(TEXT.format('b').encode()).hexdigest()}"
    server = older(
        {"a": {}, "b": {"digest": good}, "c": {"digest": f"sha256:{'0' * 64}"}}, **{"a/n/x.md": b"x"}
    )
    index = index_of(server)
    assert list(index) == ["a", "b"]
    assert [finding.code for finding in index.findings] == ["unverified"]
    assert index["a"].resources.read("n/x.md", 10) == b"x"
    assert not index["a"].origin.trusted


@pytest.mark.parametrize(
    "said", [{"type": "archive"}, {"url": None}, {"digest": "abc"}, {"name": 1}, {"description": None}]
)
def test_an_odd_entry_of_the_older_index_costs_only_itself(said: dict[str, Any]) -> None:
    """The others are read."""
    index = index_of(older({"a": {}, "odd": said}))
    assert list(index) == ["a"]
    assert [finding.code for finding in index.findings] == ["bad-entry"]


def test_the_older_index_announces_names_and_descriptions() -> None:
    """They must be those of the file, too."""
    index = index_of(older({"a": {"description": "Something else."}}))
    assert [finding.code for finding in index.findings] == ["unverified"]


@pytest.mark.parametrize("data", [b"[]", b"{}", b"not json", b'{"skills": 1}'])
def test_a_server_without_skills_says_so(data: bytes) -> None:
    """Nothing is taken for a skill because of its URI alone."""
    server = older({"a": {}})
    server.files[INDEX] = data
    with pytest.raises(SourceError):
        list(McpSource(lambda: server, "docs").scan())
    del server.files[INDEX]
    with pytest.raises(SourceError, match=r"neither speaks Skills over MCP nor has skill://index.json"):
        list(McpSource(lambda: server, "docs").scan())


def test_a_scan_works_inside_of_a_running_loop() -> None:
    """A host whose loop runs may build an index."""

    async def main() -> list[str]:
        return list(index_of(honest("a")))

    assert asyncio.run(main()) == ["a"]


def test_a_label_is_the_hosts() -> None:
    """It is needed, and clean for ids."""
    assert McpSource("http://x/mcp", "my: docs").label == "my- docs"
    with pytest.raises(ValueError, match="label"):
        McpSource("http://x/mcp", " ")


def test_skills_of_a_url_can_be_sent_to_another_process() -> None:
    """A catalog is pickled for worker processes."""
    source = McpSource(["server", "--flag"], "docs")
    assert pickle.loads(pickle.dumps(source)) == source  # noqa: S301


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install."""
    monkeypatch.undo()
    monkeypatch.setitem(__import__("sys").modules, "mcp", None)
    with pytest.raises(SourceError, match=r'pip install "skill_index\[mcp\]"'):
        list(McpSource("http://127.0.0.1:9/mcp", "docs").scan())


@pytest.mark.parametrize("server", ["", [], None, 3, b"npx", ["npx", 3]])
def test_what_is_no_server_is_refused_at_the_door(server: Any) -> None:
    """An unset variable is told when the source is made, not as a fault of some server."""
    with pytest.raises(ValueError, match="a server is a URL"):
        McpSource(server, "docs")


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("speaks", [True, False])
def test_a_listing_without_end_ends(monkeypatch: pytest.MonkeyPatch, *, fresh: bool, speaks: bool) -> None:
    """Empty pages that always name a next one, be it new or the same, are asked for so often and no more."""
    monkeypatch.setattr(mcp, "MAX_SKILLS", 20)
    asked: list[str | None] = []

    class Endless(FakeServer):
        async def request(self, method: str, params: dict[str, Any]) -> Any:
            assert method == "skills/list"
            _, cursor = await self.resources(params.get("cursor"))
            return {"skills": [], "nextCursor": cursor}

        async def resources(self, cursor: str | None) -> tuple[list[tuple[str, int | None]], str | None]:
            asked.append(cursor)
            return [], str(len(asked)) if fresh else "again"

    server = Endless({INDEX: b'{"skills": []}'}, [], speaks_skills=speaks)
    assert not len(index_of(server))
    assert 2 <= len(asked) <= 22
