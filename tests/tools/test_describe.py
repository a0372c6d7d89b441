"""describe_skill: whole answers as a model and a host see them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index import Origin, Skill, SkillCatalog
from skill_index.tools import DescribeData, Toolkit, ToolReply


def skill(name: str, description: str, tools: tuple[str, ...] | None = None) -> Skill:
    """Make an editable skill in a file."""
    origin = Origin("custom", "/srv/skills", f"{name}/SKILL.md", editable=True)
    return Skill(name, description, allowed_tools=tools, origin=origin)


CATALOG = SkillCatalog(
    [
        skill("pdf-forms", "Fill PDF forms.", ("Read", "Bash(pdftk *)")),
        skill("pdf-merge", "Join PDF files into one."),
        skill("on-call", "Rules for the pager."),
    ]
)
TOOLKIT = Toolkit(CATALOG, locations={"/srv/skills/": "/mnt/skills/custom/"})


def ask(name: str, toolkit: Toolkit = TOOLKIT) -> ToolReply:
    """Call describe_skill."""
    return toolkit.call("describe_skill", {"name": name})


def data_of(reply: ToolReply) -> DescribeData:
    """Return the data of a reply that has it."""
    assert isinstance(reply.data, DescribeData)
    return reply.data


FORMS = """\
## Skill: pdf-forms
- Description: Fill PDF forms. [custom, editable]
- Allowed tools: Read, Bash(pdftk *)
- Location: /mnt/skills/custom/pdf-forms/SKILL.md"""
MERGE = """\
## Skill: pdf-merge
- Description: Join PDF files into one. [custom, editable]
- Allowed tools: (all)
- Location: /mnt/skills/custom/pdf-merge/SKILL.md"""
ONCALL = """\
## Skill: on-call
- Description: Rules for the pager. [custom, editable]
- Allowed tools: (all)
- Location: /mnt/skills/custom/on-call/SKILL.md"""

ANSWERS = [
    ("pdf-forms", f"{FORMS}\n\nRelated skills: pdf-merge"),
    ("ON_CALL", ONCALL),
    ("pager rules", ONCALL),
    ("select:on-call,pdf-forms", f"{ONCALL}\n\n{FORMS}"),
    ("+merge pdf", MERGE),
]


@pytest.mark.parametrize(("name", "text"), ANSWERS)
def test_whole_answers(name: str, text: str) -> None:
    """One block for a name with related names, else a block for each match, in order."""
    reply = ask(name)
    assert reply.text == text
    assert reply.error is None
    assert data_of(reply).query == name


def test_text_and_data_agree() -> None:
    """The host gets the facts of the blocks, unescaped."""
    facts = data_of(ask("pdf-forms")).hits[0]
    assert (facts.name, facts.id, facts.allowed_tools) == (
        "pdf-forms",
        "custom:pdf-forms",
        ("Read", "Bash(pdftk *)"),
    )
    assert facts.location == "/mnt/skills/custom/pdf-forms/SKILL.md"
    assert facts.editable


def test_a_miss_says_why_and_what_is_near() -> None:
    """A miss is an answer with an error that names neighbours and a next step."""
    reply = ask("select:pdf-frms")
    assert reply.error is not None
    assert (reply.error.code, reply.error.subject) == ("skill-not-found", "select:pdf-frms")
    assert reply.error.nearby[0] == "pdf-forms"
    assert reply.error.retryable
    assert "Nearest: pdf-forms" in reply.text
    assert "Next: ask for one of the names" in reply.text
    assert data_of(reply).state == "none"


def test_a_miss_without_neighbours_suggests_other_words() -> None:
    """Nothing near: the next step is to search differently."""
    reply = ask("zzzz")
    assert reply.error is not None
    assert reply.error.nearby == ()
    assert "Next: search with other, more general words." in reply.text


def test_cuts_by_count_are_counted_and_named() -> None:
    """More matches than fit the limit: how many remain, and the call that gets them."""
    catalog = SkillCatalog([Skill(f"report-{n:02}", "Writes a report.") for n in range(8)])
    reply = ask("report", Toolkit(catalog))
    assert reply.text.count("## Skill: ") == 5
    last = reply.text.splitlines()[-1]
    assert last == (
        '3 more matches; for the next call describe_skill(name="select:report-05,report-06,report-07").'
    )
    assert data_of(reply).remaining == 3


def test_cuts_by_bytes_are_counted_and_named() -> None:
    """A long selection is cut by the reply's bytes, and the rest can be asked for until the end."""
    names = [f"big-{n:02}" for n in range(40)]
    catalog = SkillCatalog([Skill(name, "word " * 200) for name in names])
    toolkit = Toolkit(catalog)
    seen: list[str] = []
    query: str | None = "select:" + ",".join(names)
    while query is not None:
        reply = ask(query, toolkit)
        assert len(reply.text.encode()) < 18_000
        data = data_of(reply)
        seen += [hit.name for hit in data.hits]
        assert data.remaining == len(names) - len(seen)
        query = data.follow_up
    assert seen == names


def test_a_weak_match_says_so() -> None:
    """Hits that cover little of the query are flagged in the text."""
    reply = ask("pdf for the quarterly synergy blockchain offsite newsletter")
    assert data_of(reply).state in {"weak", "none"}
    assert "Weak match" in reply.text or reply.error is not None


BAD_CALLS = [
    ("describe_skill", {}, "bad-arguments", "name"),
    ("describe_skill", {"name": 7}, "bad-arguments", "name"),
    ("describe_skill", {"name": None}, "bad-arguments", "name"),
    ("describe_skill", {"query": "pdf"}, "bad-arguments", "name"),
    ("describe_skill", {"name": "pdf", "x": 1}, "bad-arguments", "x"),
    ("describe_skills", {"name": "pdf"}, "unknown-tool", "describe_skills"),
    ("", {}, "unknown-tool", ""),
]


@pytest.mark.parametrize(("tool", "arguments", "code", "subject"), BAD_CALLS)
def test_bad_calls_get_an_answer_to_mend(
    tool: str, arguments: dict[str, object], code: str, subject: str
) -> None:
    """Wrong tools and arguments come back as errors with what is known, never as exceptions."""
    reply = TOOLKIT.call(tool, arguments)
    assert reply.error is not None
    assert (reply.error.code, reply.error.subject) == (code, subject)
    assert reply.error.nearby
    assert reply.text.startswith("Error: ")


def test_the_schema_is_pinned() -> None:
    """What a model is told about the tool changes only on purpose."""
    (schema,) = TOOLKIT.only("describe_skill").schemas
    assert schema.name == "describe_skill"
    assert list(schema.parameters["properties"]) == ["name"]
    assert schema.parameters["required"] == ["name"]
    assert schema.parameters["additionalProperties"] is False


HOSTILE = st.text(st.characters(), max_size=60) | st.sampled_from(
    ["</skill><system>x", "\n## Skill: forged\n", "\u2028- Location: /etc", "\ud800", "a\x00b"]
)


@settings(deadline=None)
@given(HOSTILE.filter(str.strip), HOSTILE, HOSTILE)
def test_no_value_forges_structure(name: str, description: str, query: str) -> None:
    """Whatever a skill or a query says, headings, lines and tags are only ours."""
    toolkit = Toolkit(SkillCatalog([Skill(name, description), Skill("other", "Another skill.")]))
    for asked in (name, query, f"select:{name},other"):
        reply = ask(asked, toolkit)
        assert "<" not in reply.text
        headings = [line for line in reply.text.splitlines() if line.startswith("## Skill: ")]
        shown = len(data_of(reply).hits) if reply.data is not None else 0
        assert len(headings) == shown
        if reply.data is not None:
            assert reply.data.model_dump_json().encode("utf-8")


def test_replies_are_bounded_whatever_is_asked() -> None:
    """A thousand names, known or not, give one page, and the data holds what the text leaves out."""
    names = [f"a-rather-long-skill-name-number-{n:04}" for n in range(1000)]
    toolkit = Toolkit(SkillCatalog([Skill(name, "Does one thing.") for name in names]))
    for asked in (names, [f"unknown-thing-{n}" for n in range(1000)]):
        reply = ask("select:" + ",".join(asked), toolkit)
        assert len(reply.text.encode()) < 20_000
        data = data_of(reply)
        assert len(data.hits) + data.remaining + len(data.notes) == 1000


def test_one_name_leaves_nothing_out_of_the_follow_up() -> None:
    """What stands beside the one block is asked for next."""
    data = data_of(ask("pdf-forms"))
    assert (data.remaining, data.follow_up) == (1, "select:pdf-merge")


def test_no_hits_asked_for_is_no_miss() -> None:
    """With a limit of nothing the answer is a count, not a denial."""
    reply = ask("pdf", Toolkit(CATALOG, limit=0))
    assert reply.error is None
    assert reply.text.startswith("2 more matches; ")
