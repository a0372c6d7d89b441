"""What adapters share beside `hosting`: what a person is asked, and the section that is made once."""

from __future__ import annotations

from typing import Any

import pytest

from skill_index import CallableSource, Origin, Skill, SkillCatalog, SkillIndex
from skill_index.adapters.asking import approved, asked
from skill_index.adapters.hosting import instructions
from skill_index.adapters.sections import IndexSection
from skill_index.running import FunctionsOnly
from skill_index.tools import Toolkit, content_hash


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


def test_nothing_is_asked_without_a_runner() -> None:
    """There is no such tool then."""
    assert asked(Toolkit(SkillCatalog([clock()])), "run_skill_script", NOW) is None


def test_a_yes_is_for_one_content() -> None:
    """It also frees an untrusted skill's script, and falls with any change."""
    skill = clock(trusted=False)
    approval = asked(toolkit(skill), "run_skill_script", NOW)
    assert approval is not None
    assert toolkit(skill).call("run_skill_script", NOW).error is not None
    assert approved(toolkit(skill), approval).call("run_skill_script", NOW).error is None
    changed = approved(toolkit(clock("new", trusted=False)), approval).call("run_skill_script", NOW)
    assert changed.error is not None
    assert changed.error.code == "not-approved"


def test_a_section_is_made_once_for_each_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests between two changes cost nothing, and a change is seen at once."""
    made: list[int] = []

    def counted(tools: Toolkit, *budget: Any) -> str:
        made.append(len(tools.catalog()))
        return instructions(tools, *budget)

    monkeypatch.setattr("skill_index.adapters.sections.instructions", counted)
    skills = [clock()]
    index = SkillIndex([CallableSource(lambda: list(skills), "web")])
    section = IndexSection(Toolkit(index))
    assert section.text() == section.text() == instructions(Toolkit(index))
    skills.append(Skill("newcomer", "New here."))
    index.refresh()
    assert "newcomer" in section.text()
    assert made == [1, 2]
    assert IndexSection(Toolkit(SkillCatalog([]))).text() == ""
