"""list_skills: eight at a time, with how many there are, and no name twice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Origin, Skill, SkillCatalog
from skill_index.tools import ListData, Toolkit, ToolReply, WritableFolder

TWENTY = SkillCatalog([Skill(f"kit-{number:02}", f"Fill form {number}.") for number in range(20)])


def listing(toolkit: Toolkit, **arguments: object) -> ToolReply:
    """Call list_skills."""
    return toolkit.call("list_skills", arguments)


def data_of(reply: ToolReply) -> ListData:
    """Return the data of an answer."""
    assert reply.error is None
    assert isinstance(reply.data, ListData)
    return reply.data


def test_a_whole_answer() -> None:
    """Rows, what is more and how to see it, groups, where they are found, and where to write one."""
    skills = [
        Skill(f"kit-{n}", "Fill <b>forms</b>.", origin=Origin("team", "/s", f"docs/kit-{n}/SKILL.md"))
        for n in range(9)
    ]
    tool = Skill("a-db", "Query it.", input_schema={"type": "object"}, origin=Origin("host"))
    toolkit = Toolkit(
        SkillCatalog([*skills, tool]),
        locations={"/s": "/mnt/skills"},
        writable=WritableFolder("/mnt/own", "write_file"),
    )
    assert listing(toolkit).text == (
        "10 skills, 1 to 8 shown:\n"
        "- a-db: Query it. [tool]\n"
        + "".join(f"- kit-{n}: Fill &lt;b&gt;forms&lt;/b&gt;. [team]\n" for n in range(7))
        + "2 more; for the next call list_skills(offset=8).\n"
        "Groups: host (1), team/docs (9)\n"
        "Found in: /mnt/skills\n"
        "A new skill may be written to /mnt/own/NAME/SKILL.md with write_file."
    )
    data = data_of(listing(toolkit))
    assert (data.total, data.returned, data.remaining) == (10, 8, 2)
    assert [row.is_tool for row in data.skills] == [True] + [False] * 7
    assert (data.write_folder, data.write_tool) == ("/mnt/own", "write_file")


@settings(deadline=None)
@given(st.integers(0, 30), st.none() | st.sampled_from(["fill form", "zzz", "kit-03", ""]))
def test_counts_agree(offset: int, query: str | None) -> None:
    """What is before, on and after a page is the total."""
    arguments = {} if query is None else {"query": query}
    data = data_of(listing(Toolkit(TWENTY), offset=offset, **arguments))
    assert data.returned == len(data.skills) <= 8
    assert data.returned == min(8, max(data.total - offset, 0))
    assert data.remaining == max(data.total - offset - data.returned, 0)


@pytest.mark.parametrize("query", [None, "fill form"])
def test_the_pages_together_are_all(query: str | None) -> None:
    """Each skill is on one page."""
    toolkit, names, offset = Toolkit(TWENTY), [], 0
    while True:
        data = data_of(listing(toolkit, query=query, offset=offset))
        names += [row.id for row in data.skills]
        offset += data.returned
        if not data.remaining:
            break
    assert sorted(names) == [entry.id for entry in TWENTY.entries]


TEXTS = [
    ({}, 0, "0 skills."),
    ({"query": "form"}, 0, "0 matching skills.\n"),
    ({}, 1, "1 skill:\n- kit-00: Fill form 0. [memory]"),
    ({"query": "form"}, 1, "1 matching skill:\n"),
    ({"offset": 1}, 1, "1 skill, none from offset 1 on."),
    ({"offset": 10**30}, 20, "20 skills, none from offset 1" + "0" * 30 + " on."),
    ({"offset": 16}, 20, "20 skills, 17 to 20 shown:\n"),
]


@pytest.mark.parametrize(("arguments", "count", "begins"), TEXTS)
def test_the_first_line_says_how_many(arguments: dict[str, object], count: int, begins: str) -> None:
    """Of none, one, many, and beyond the last."""
    toolkit = Toolkit(SkillCatalog(list(TWENTY.values())[:count]))
    assert listing(toolkit, **arguments).text.startswith(begins)


def test_the_next_call_asks_for_the_same_query() -> None:
    """Quotes in it do not end the argument."""
    toolkit = Toolkit(TWENTY).prefixed("x_")
    text = toolkit.call("x_list_skills", {"query": 'fill "form"'}).text
    assert 'for the next call x_list_skills(query="fill \\"form\\"", offset=8).' in text


def test_what_is_listed_is_loaded_by_its_name() -> None:
    """One resolver behind both: every name of the list is one that loads the skill of that row."""
    skills = [
        Skill(name, f"In {label}.", origin=Origin(label))
        for label in ("a", "b")
        for name in ("x", "y", 'q "t"', "A b")
    ]
    toolkit = Toolkit(SkillCatalog(skills))
    rows = data_of(listing(toolkit)).skills
    assert len({row.name for row in rows}) == len({row.id for row in rows}) == 8
    for row in rows:
        reply = toolkit.call("load_skill", {"skill_name": row.name, "force": True})
        assert reply.data is not None
        assert reply.data.model_dump()["id"] == row.id
