"""What adapters share: one verb, what a person is asked, and what is made once and not for each request."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from skill_index import CallableSource, Origin, Skill, SkillCatalog, SkillIndex
from skill_index.adapters import hosting
from skill_index.adapters.asking import approved, asked, is_for, told, unasked
from skill_index.adapters.hosting import instructions
from skill_index.adapters.sections import IndexSection
from skill_index.adapters.tool_ranking import Described, RankedTools
from skill_index.running import FunctionsOnly
from skill_index.settings import SearchSettings
from skill_index.tools import Toolkit, content_hash

ADAPTERS = Path(hosting.__file__).parent
DOORS = (
    *("agent_framework", "anthropic", "fastmcp", "google_adk", "langchain"),
    *("mcp/tools", "openai", "openai_agents", "pydantic_ai"),
)


@pytest.mark.parametrize("module", DOORS)
def test_every_adapter_has_the_one_verb(module: str) -> None:
    """Skills first, then by keyword what stands beside them, and only then what is the framework's own."""
    functions = {
        node.name: node
        for node in ast.parse((ADAPTERS / f"{module}.py").read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    verb = functions["as_tools"]
    assert [argument.arg for argument in verb.args.args] == ["skills"]
    assert verb.args.kwonlyargs[0].arg == "beside"
    said = " ".join((ast.get_docstring(verb) or "").split())
    assert (
        "`beside` are the names of the host's own tools; ToolkitError if one of ours is among them." in said
    )


def test_every_door_is_named_above() -> None:
    """A new adapter has the verb, too."""
    found = {
        path.relative_to(ADAPTERS).with_suffix("").as_posix()
        for path in ADAPTERS.rglob("*.py")
        if re.search(r"^def as_tools\(", path.read_text("utf-8"), re.MULTILINE)
    }
    assert found == set(DOORS)


def clock(text: str = "old", *, trusted: bool = True) -> Skill:
    """Return a skill with a script."""
    origin = Origin("web", trusted=trusted)
    return Skill("clock", "Tell the time.", text, scripts={"now": lambda: "noon"}, origin=origin)


def toolkit(skill: Skill) -> Toolkit:
    """Return a toolkit that runs functions."""
    return Toolkit(SkillCatalog([skill]), runner=FunctionsOnly())


NOW = {"skill_name": "clock", "script_name": "now"}


def test_a_person_is_told_what_would_run() -> None:
    """Skill by id, script, arguments and hash, also where the tool has another name."""
    skill = clock()
    for tools in (toolkit(skill), toolkit(skill).prefixed("my_")):
        approval = asked(tools, tools.names["run_skill_script"], NOW)
        assert approval is not None
        assert (approval.tool, approval.skill, approval.script) == ("run_skill_script", "web:clock", "now")
        assert dict(approval.arguments) == NOW
        assert approval.content_hash == content_hash(skill)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("load_skill", {"skill_name": "clock"}),
        ("run_skill_script", {"skill_name": "nothing", "script_name": "now"}),
        ("run_skill_script", {"skill_name": "clock", "script_name": "then"}),
        ("run_skill_script", {**NOW, "timeout": -1}),
        ("run_skill_script", {"skill_name": 7}),
        ("run_skill_script", {}),
        ("run_skill_script", ["clock"]),
        ("run_skill_script", None),
        ("unknown", NOW),
    ],
)
def test_nothing_is_asked_where_nothing_would_run(name: str, arguments: Any) -> None:
    """Other tools, and calls that the tool itself refuses."""
    assert asked(toolkit(clock()), name, arguments) is None


def test_what_comes_between_the_question_and_the_run_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there was no script to ask about, one that is there at the call was approved by nobody."""
    catalogs = iter([SkillCatalog(), SkillCatalog([clock()])])
    late = toolkit(clock())
    monkeypatch.setattr(late._view, "now", lambda: next(catalogs))
    assert asked(late, "run_skill_script", NOW) is None
    reply = unasked(late, "run_skill_script").call("run_skill_script", NOW)
    assert reply.error is not None
    assert reply.error.code == "not-approved"
    assert unasked(late, "load_skill") is late


def test_nothing_is_asked_without_a_runner() -> None:
    """There is no such tool then."""
    assert asked(Toolkit(SkillCatalog([clock()])), "run_skill_script", NOW) is None


def test_a_yes_is_for_one_content() -> None:
    """It also frees an untrusted skill's script, and falls with any change."""
    skill = clock(trusted=False)
    approval = asked(toolkit(skill), "run_skill_script", NOW)
    assert approval is not None
    assert is_for(told(approval), approval)
    assert is_for(None, approval)
    assert not is_for({**told(approval), "content_hash": "another"}, approval)
    assert toolkit(skill).call("run_skill_script", NOW).error is not None
    assert approved(toolkit(skill), approval).call("run_skill_script", NOW).error is None
    changed = approved(toolkit(clock("new", trusted=False)), approval).call("run_skill_script", NOW)
    assert changed.error is not None
    assert changed.error.code == "not-approved"


def test_a_section_is_made_once_for_each_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests between two changes cost nothing, and a change is seen at once."""
    made: list[int] = []

    def counted(tools: Toolkit, **budget: Any) -> str:
        made.append(len(tools.catalog()))
        return instructions(tools, **budget)

    monkeypatch.setattr("skill_index.adapters.sections.instructions", counted)
    skills = [clock()]
    index = SkillIndex([CallableSource(lambda: list(skills), "web")])
    section = IndexSection(Toolkit(index), 1000, None)
    assert section.text() == section.text() == instructions(Toolkit(index))
    skills.append(Skill("newcomer", "New here."))
    index.refresh()
    assert "newcomer" in section.text()
    assert made == [1, 2]
    assert IndexSection(Toolkit(SkillCatalog([])), 1000, None).text() == ""


def test_tools_are_ranked_by_all_that_is_said_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, description, arguments and tags; the word index is made anew only for other tools."""
    made: list[int] = []

    def counted(skills: Any, **settings: Any) -> SkillCatalog:
        made.append(1)
        return SkillCatalog(skills, **settings)

    monkeypatch.setattr("skill_index.adapters.tool_ranking.SkillCatalog", counted)
    schema = {"type": "object", "properties": {"latitude": {"description": "In degrees."}, "unit": True}}
    tools: list[Described] = [
        ("send_mail", "Write to somebody.", None, ()),
        ("forecast", None, schema, ()),
        ("draw", "Draw.", {"properties": {}}, ("charts",)),
    ]
    ranked = RankedTools(SearchSettings())
    for query, first in [("mail", "send_mail"), ("latitude", "forecast"), ("degrees", "forecast")]:
        assert ranked.names(tools, query, 5) == [first]
    assert ranked.names(tools, ["chart", "zzz"], 5) == ["draw"]
    assert len(ranked.names(tools, ["chart", "forecast"], 1)) == 1
    assert len(made) == 2
    assert ranked.names([*tools, ("map", "Show a place.", None, ())], "place", 5) == ["map"]
    assert len(made) == 3
