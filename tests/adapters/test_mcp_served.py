"""What an MCP server says, without any MCP package: the JSON of every answer."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog, SkillIndex
from skill_index.adapters.mcp import served as served_module
from skill_index.adapters.mcp.addresses import OWN, SCHEME, Addresses
from skill_index.adapters.mcp.manifest import MAX_BYTES, MAX_FILES
from skill_index.adapters.mcp.served import Served
from skill_index.adapters.mcp.shelf import INDEX_URI, PAGE_FILES, PAGE_SKILLS
from skill_index.adapters.mcp.wire import FAILURE, RefusedError
from skill_index.prompt import estimate_tokens
from skill_index.settings import Limits
from skill_index.sources import DirectorySource, MemorySource
from skill_index.testing import strategies
from skill_index.tools import Toolkit

EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"
TEXT = "---\nname: {0}\ndescription: Does {0}.\n---\nSteps of {0}.\n"


def memory(files: dict[str, str | bytes]) -> SkillIndex:
    """Return an index of skills in a mapping."""
    return SkillIndex([MemorySource(files)])


def pages(ask: Callable[[str | None], dict[str, Any]], key: str) -> list[list[Any]]:
    """Return all pages of a list."""
    found = []
    cursor: str | None = None
    while True:
        answer = ask(cursor)
        assert answer["resultType"] == "complete"
        found.append(answer[key])
        cursor = answer.get("nextCursor")
        if cursor is None:
            return found


def read(served: Served, uri: str) -> bytes:
    """Return the bytes behind a URI."""
    (content,) = served.shelf.read(uri)["contents"]
    assert content["uri"] == uri
    return content["text"].encode() if "text" in content else base64.b64decode(content["blob"])


def test_tools_are_the_toolkits_own() -> None:
    """Names, texts and schemas are said as they are, with hints of what only reads."""
    toolkit = Toolkit(SkillCatalog()).prefixed("s_")
    said = {tool["name"]: tool for tool in Served(toolkit).tools()["tools"]}
    schemas = {schema.name: schema for schema in toolkit.schemas}
    assert said.keys() == schemas.keys() - {"s_unload_skill"}
    for name, tool in said.items():
        assert tool["inputSchema"] == schemas[name].parameters
        assert tool["outputSchema"] == schemas[name].returns
        assert tool["description"] == schemas[name].description
        assert tool["annotations"]["readOnlyHint"] is True


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("load_skill", {"skill_name": "nope"}, "skill-not-found"),
        ("load_skill", {"skill": "a"}, "bad-arguments"),
        ("load_skill", None, "bad-arguments"),
        ("pdf-forms", {}, "unknown-tool"),
        (
            "read_skill_resource",
            {"skill_name": "pdf-forms", "resource_name": "../../etc/passwd"},
            "unsafe-path",
        ),
    ],
)
def test_a_failure_is_an_answer(name: str, arguments: Any, code: str) -> None:
    """The model reads what to do next; a program finds the facts beside it."""
    served = Served(SkillIndex.from_paths(EXAMPLES))
    result = served.call(name, arguments)
    assert result["isError"] is True
    assert result["_meta"][FAILURE]["code"] == code
    assert result["content"][0]["text"].startswith("Error: ")


def test_no_conversation_hears_of_another() -> None:
    """A server does not know who calls, so instructions come whole every time, unless told otherwise."""
    served = Served(memory({"a/SKILL.md": TEXT.format("a")}))
    texts = {served.call("load_skill", {"skill_name": "a"})["content"][0]["text"] for _ in range(3)}
    assert len(texts) == 1
    assert "Steps of a." in texts.pop()
    alone = Served(memory({"a/SKILL.md": TEXT.format("a")}), one_conversation=True)
    assert "unload_skill" in {tool["name"] for tool in alone.tools()["tools"]}
    first, second = (alone.call("load_skill", {"skill_name": "a"})["content"][0]["text"] for _ in range(2))
    assert "Steps of a." in first
    assert "Steps of a." not in second


@pytest.mark.parametrize("one_conversation", [True, False])
def test_a_call_looks_for_changes_once(monkeypatch: pytest.MonkeyPatch, *, one_conversation: bool) -> None:
    """An answer is about one state of the skills, and nothing that depends on it alone is made again."""
    index = memory({"a/SKILL.md": TEXT.format("a")})
    viewed: list[SkillCatalog] = []

    def view(catalog: SkillCatalog) -> SkillCatalog:
        viewed.append(catalog)
        return catalog

    served = Served(Toolkit(index, view=view), one_conversation=one_conversation)
    assert served.instructions
    looked = counted(monkeypatch, SkillIndex, "snapshot")
    sections = counted(monkeypatch, served_module, "skill_index_section")
    addresses = counted(monkeypatch, Addresses, "of")
    requests: list[Callable[[], object]] = [
        lambda: served.call("load_skill", {"skill_name": "a"}),
        lambda: served.call("describe_skill", {"name": "nothing of the kind"}),
        served.tools,
        lambda: served.shelf.resources(None),
        lambda: served.shelf.read("skill://a/SKILL.md"),
        lambda: served.shelf.skills(None),
    ]
    for number, ask in enumerate(requests, start=1):
        ask()
        assert served.instructions
        assert len(looked) == number
    assert (len(viewed), sections, addresses) == (1, [], [])


def counted(monkeypatch: pytest.MonkeyPatch, place: Any, name: str) -> list[str]:
    """Let a function go on as it is, and return a list with an entry for each call of it."""
    calls: list[str] = []
    function = getattr(place, name)

    def counting(*arguments: Any, **options: Any) -> Any:
        calls.append(name)
        return function(*arguments, **options)

    monkeypatch.setattr(place, name, counting)
    return calls


def test_instructions_keep_their_budget_and_stay_true(tmp_path: Path) -> None:
    """They are the index of the skills of now, under the names of the tools."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / OWN).write_text(TEXT.format("one"), "utf-8")
    index = SkillIndex.from_paths(tmp_path)
    served = Served(Toolkit(index).prefixed("s_"), budget_tokens=300)
    assert "one" in served.instructions
    assert "s_load_skill" in served.instructions
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / OWN).write_text(TEXT.format("two"), "utf-8")
    served.tools()
    assert "two" in served.instructions
    assert "one" not in Served(index, budget_tokens=300, count=lambda text: 10 * len(text)).instructions
    assert estimate_tokens(Served(SkillIndex.from_paths(EXAMPLES)).instructions) <= 600


def test_every_file_is_listed_and_read_as_it_is() -> None:
    """Text and bytes come back byte for byte, under the names a skill gives them."""
    files: dict[str, str | bytes] = {
        "a/SKILL.md": TEXT.format("a"),
        "a/notes/x y.md": "ä\r\nö\ufeff",
        "a/data.bin": b"\0\xff",
        "a/latin.txt": b"caf\xe9",
        "a/nul.txt": b"a\0b",
        "a/ünï#?%2F.md": "odd",
        "a/empty.md": "",
    }
    served = Served(memory(files))
    (listed,) = pages(served.shelf.resources, "resources")
    assert listed[0]["uri"] == INDEX_URI
    assert listed[1]["description"] == "Does a."
    assert {unquote(one["uri"][len(SCHEME) :]) for one in listed[1:]} == files.keys()
    for one in listed[1:]:
        content = files[unquote(one["uri"][len(SCHEME) :])]
        expected = content.encode() if isinstance(content, str) else content
        assert read(served, one["uri"]) == expected
        assert one["size"] == len(expected)
        assert served.shelf.resource(one["uri"])


def test_a_skill_made_in_code_has_a_file_too() -> None:
    """Its SKILL.md is written when asked for, and its digest is that of what is read."""
    served = Served(SkillCatalog([Skill("made", "Made in code.", "Steps.", allowed_tools=("Read",))]))
    (skill,) = served.shelf.skills(None)["skills"]
    assert skill["frontmatter"] == {"name": "made", "description": "Made in code.", "allowed-tools": ["Read"]}
    data = read(served, skill["uri"])
    assert skill["resources"] == [
        {"uri": skill["uri"], "digest": f"sha256:{hashlib.sha256(data).hexdigest()}", "size": len(data)}
    ]


def test_entries_are_complete_and_true() -> None:
    """Each entry lists every file once, SKILL.md among them, with its digest and size."""
    served = Served(SkillIndex.from_paths(EXAMPLES))
    skills = [skill for page in pages(served.shelf.skills, "skills") for skill in page]
    assert len(skills) == len(SkillIndex.from_paths(EXAMPLES))
    for skill in skills:
        uris = [file["uri"] for file in skill["resources"]]
        assert len(uris) == len(set(uris))
        assert skill["uri"] in uris
        assert unquote(skill["uri"]).split("/")[-2] == skill["frontmatter"]["name"]
        for file in skill["resources"]:
            data = read(served, file["uri"])
            assert (file["digest"], file["size"]) == (f"sha256:{hashlib.sha256(data).hexdigest()}", len(data))
        assert served.shelf.skill(skill["uri"])["skill"] == skill


REFUSED = {
    "Upper": "name is not made of",
    "naïve": "name is not made of",
    "a--b": "name is not made of",
    "x" * 65: "name is not made of",
}


@pytest.mark.parametrize(("name", "reason"), REFUSED.items())
def test_a_name_the_protocol_refuses_is_served_otherwise(name: str, reason: str) -> None:
    """One such entry would cost a strict client the whole page; tools and resources have the skill."""
    served = Served(memory({f"{name}/SKILL.md": TEXT.format(name), "good/SKILL.md": TEXT.format("good")}))
    assert [skill["frontmatter"]["name"] for skill in served.shelf.skills(None)["skills"]] == ["good"]
    uri = next(one["uri"] for one in served.shelf.resources(None)["resources"] if one["name"] == name)
    with pytest.raises(RefusedError, match=reason):
        served.shelf.skill(uri)
    assert read(served, uri).decode() == TEXT.format(name)
    assert served.call("load_skill", {"skill_name": name})["isError"] is False


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({f"a/{number}.md": "x" for number in range(MAX_FILES)}, "more than 512 files"),
        ({"a/big": bytes(MAX_BYTES)}, "16 MiB"),
        ({"a/SKILL.md": "---\nname: a\ndescription: b: c\n---\n"}, "no plain YAML"),
        ({"a/SKILL.md": f"---\nname: a\ndescription: {'x' * 1025}\n---\n"}, "1,024 characters"),
        ({"a/SKILL.md": "---\nname: a\ndescription: b\nlicense: [x]\n---\n"}, "'license'"),
        ({"a/SKILL.md": "---\nname: a\ndescription: b\nallowed-tools: {x: y}\n---\n"}, "'allowed-tools'"),
    ],
)
def test_what_no_host_must_take_is_left_out(files: dict[str, str | bytes], reason: str) -> None:
    """The limits and the format are those of the protocol; who asks is told why."""
    served = Served(memory({"a/SKILL.md": TEXT.format("a"), **files}))
    assert served.shelf.skills(None)["skills"] == []
    with pytest.raises(RefusedError, match=reason):
        served.shelf.skill("skill://a/SKILL.md")


def test_a_listing_of_one_file_less_than_the_limit_is_served() -> None:
    """512 files, SKILL.md among them, are allowed."""
    files = {f"a/{number}.md": "x" for number in range(MAX_FILES - 1)}
    (skill,) = Served(memory({"a/SKILL.md": TEXT.format("a"), **files})).shelf.skills(None)["skills"]
    assert len(skill["resources"]) == MAX_FILES


def test_a_listing_that_was_cut_is_no_manifest(tmp_path: Path) -> None:
    """A list of files that is not complete would make the others unreadable for careful hosts."""
    (tmp_path / "a").mkdir()
    for name in ("b.md", "c.md", "d.md"):
        (tmp_path / "a" / name).write_text("x", "utf-8")
    (tmp_path / "a" / OWN).write_text(TEXT.format("a"), "utf-8")
    source = DirectorySource(tmp_path, limits=Limits(resource_files=2))
    assert Served(SkillIndex([source])).shelf.skills(None)["skills"] == []


def test_ten_thousand_skills_come_in_pages() -> None:
    """Every skill comes once, in order, whatever is added or removed between two pages."""
    catalog = SkillCatalog(Skill(f"skill-{number:05}", "One of many.") for number in range(10_000))
    served = Served(catalog)
    found = pages(served.shelf.skills, "skills")
    assert len(found) == 10_000 // PAGE_SKILLS
    names = [skill["frontmatter"]["name"] for page in found for skill in page]
    assert names == list(catalog)
    assert sum(map(len, pages(served.shelf.resources, "resources"))) == 10_001


def test_a_page_ends_early_for_skills_of_many_files() -> None:
    """A page of a hundred skills with 500 files each would be 50,000 entries."""
    files = {f"s{skill}/{number}.md": "x" for skill in range(6) for number in range(400)}
    files |= {f"s{skill}/SKILL.md": TEXT.format(f"s{skill}") for skill in range(6)}
    for page in pages(Served(memory({**files})).shelf.skills, "skills"):
        assert sum(len(skill["resources"]) for skill in page[:-1]) < PAGE_FILES


def test_a_cursor_outlives_the_skill_it_stands_behind() -> None:
    """A page begins behind a name, so a skill that goes away moves nothing."""
    skills = [Skill(f"s{number:03}", "One.") for number in range(150)]
    cursor = Served(SkillCatalog(skills)).shelf.skills(None)["nextCursor"]
    rest = Served(SkillCatalog(skills[:99] + skills[100:])).shelf.skills(cursor)["skills"]
    assert [skill["frontmatter"]["name"] for skill in rest] == [f"s{number:03}" for number in range(100, 150)]


@given(st.text())
def test_a_strange_cursor_is_refused(cursor: str) -> None:
    """Whatever is sent as a cursor gives a page or a refusal."""
    try:
        answer = Served(SkillCatalog([Skill("a", "b")])).shelf.skills(cursor)
    except RefusedError:
        return
    assert answer["resultType"] == "complete"


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "skill://",
        "skill://a",
        "skill://a/",
        "skill://b/SKILL.md",
        "file:///etc/passwd",
        "skill://a/SKILL.md/",
        "skill://a/../a/SKILL.md",
        "skill://a/%2e%2e/b",
        "skill://a/nope",
        "skill://a//SKILL.md",
        "SKILL://a/SKILL.md",
    ],
)
def test_what_is_not_served_is_refused(uri: str) -> None:
    """An unknown URI is an error of JSON-RPC for a read, for `skills/get` and for a folder."""
    shelf = Served(memory({"a/SKILL.md": TEXT.format("a")})).shelf
    with pytest.raises(RefusedError):
        shelf.read(uri)
    with pytest.raises(RefusedError):
        shelf.skill(uri)
    if uri != "skill://a":
        with pytest.raises(RefusedError):
            shelf.directory(uri)


def test_folders_are_read_one_level_at_a_time() -> None:
    """Children are named once each; folders have the type of folders and no slash at their end."""
    files = {
        "a/SKILL.md": TEXT.format("a"),
        "a/t/x.md": "",
        "a/t/u/y.md": "",
        "a/t/u/z.md": "",
        "a/tt.md": "",
    }
    shelf = Served(memory({**files})).shelf
    root = {one["uri"]: one["mimeType"] for one in shelf.directory("skill://a")["resources"]}
    assert root == {
        "skill://a/SKILL.md": "text/markdown",
        "skill://a/t": "inode/directory",
        "skill://a/tt.md": "text/markdown",
    }
    below = [one["name"] for one in shelf.directory("skill://a/t")["resources"]]
    assert sorted(below) == ["u", "x.md"]
    with pytest.raises(RefusedError, match="no folder"):
        shelf.directory("skill://a/SKILL.md")


def test_the_older_index_names_every_skill() -> None:
    """Hosts of before Skills over MCP read one document."""
    served = Served(memory({"a/SKILL.md": TEXT.format("a"), "Ä/SKILL.md": TEXT.format("Ä")}))
    index = json.loads(read(served, INDEX_URI))
    assert {skill["name"]: skill["url"] for skill in index["skills"]} == {
        "a": "skill://a/SKILL.md",
        "Ä": "skill://%C3%84/SKILL.md",
    }
    assert all(read(served, skill["url"]) for skill in index["skills"])


def test_two_skills_of_one_name_have_two_places() -> None:
    """No name hides another; the second is reached below its source."""
    sources = [MemorySource({"x/SKILL.md": TEXT.format("x") + word}, word) for word in ("one", "two")]
    served = Served(SkillIndex(sources))
    assert {skill["uri"] for skill in served.shelf.skills(None)["skills"]} == {
        "skill://x/SKILL.md",
        "skill://two/x/SKILL.md",
    }
    assert read(served, "skill://two/x/SKILL.md").endswith(b"two")


def test_no_place_lies_in_another() -> None:
    """A file of one skill cannot have the URI of another skill."""
    first = MemorySource(
        {
            "team/SKILL.md": TEXT.format("team"),
            "team/pdf/SKILL.md": "a file",
            "pdf/SKILL.md": TEXT.format("pdf"),
        },
        "a",
    )
    second = MemorySource({"pdf/SKILL.md": TEXT.format("pdf") + "other"}, "team")
    served = Served(SkillIndex([first, second]))
    assert read(served, "skill://team/pdf/SKILL.md") == b"a file"
    uris = {skill["uri"] for skill in served.shelf.skills(None)["skills"]}
    assert len(uris) == 3
    assert "skill://team/pdf/SKILL.md" not in uris


@given(strategies.catalogs())
def test_every_skill_is_found_at_its_own_place_alone(catalog: SkillCatalog) -> None:
    """Addresses and skills correspond one to one, and every URI is plain ASCII."""
    addresses = Addresses.of(catalog)
    entries = [entry for entry in catalog.entries if not entry.skill.is_tool]
    uris = [addresses.uri(entry) for entry in entries]
    assert len(set(uris)) == len(entries)
    for entry, uri in zip(entries, uris, strict=True):
        assert uri.isascii()
        assert addresses.find(uri) == (entry, OWN)


def test_many_threads_at_once_get_right_answers() -> None:
    """Readers and a writer share one server."""
    index = SkillIndex.from_paths(EXAMPLES)
    served = Served(index)
    stop = threading.Event()

    def refresh() -> None:
        while not stop.is_set():
            index.refresh()

    writer = threading.Thread(target=refresh)
    writer.start()
    try:
        names = list(index)
        with ThreadPoolExecutor(20) as pool:
            results = list(pool.map(lambda name: served.call("load_skill", {"skill_name": name}), names))
    finally:
        stop.set()
        writer.join()
    assert [result["structuredContent"]["name"] for result in results] == names
