"""deer-flow's skills where they lie: who hides whom, what is switched off, where the agent sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_index.index import SkillIndex
from skill_index.render import Locations
from skill_index.sources import deer_flow_locations, deer_flow_sources
from skill_index.tools import Toolkit
from tests.sources.placing import put, reading, told, write


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    """Return a checkout with public skills, some of them in a group, and custom ones."""
    put(tmp_path / "flow" / "skills" / "public", "research", "charts")
    put(tmp_path / "flow" / "skills" / "public" / "team", "helper")
    put(tmp_path / "flow" / "skills" / "custom", "charts", "mine")
    put(tmp_path / "flow" / "skills" / "custom" / ".history", "mine")
    return tmp_path / "flow"


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """Return the folder of a user without skills."""
    (tmp_path / "users" / "ann" / "skills").mkdir(parents=True)
    return tmp_path / "users" / "ann" / "skills"


def test_custom_skills_hide_public_ones(flow: Path) -> None:
    """What is hidden is told; only custom skills may be edited."""
    assert reading(deer_flow_sources(flow)) == ["charts", "helper!", "mine", "research!"]
    assert told(deer_flow_sources(flow)) == ["hidden-folder", "shadowed"]


@pytest.mark.parametrize(
    "place", ["extensions_config.json", "mcp_config.json", "backend/extensions_config.json"]
)
def test_a_state_file_switches_skills_off(flow: Path, place: str) -> None:
    """By name, so that a public skill does not come up from below a custom one; the first file counts."""
    states = {
        "charts": {"enabled": False},
        "helper": {"enabled": True},
        "research": {},
        "mine": {"enabled": "no"},
    }
    write(flow / place, {"mcpServers": {}, "skills": states})
    write(flow / "backend" / "mcp_config.json", {"skills": {"helper": {"enabled": False}}})
    assert reading(deer_flow_sources(flow)) == ["helper!", "research!"]
    assert told(deer_flow_sources(flow)).count("switched-off") == 2


def test_a_switch_is_seen_at_the_next_look(flow: Path) -> None:
    """Another process may turn it; no skill is read again for that."""
    index = SkillIndex(deer_flow_sources(flow), refresh_interval=0)
    mine = index["mine"]
    for enabled in (False, True):
        write(flow / "extensions_config.json", {"skills": {"mine": {"enabled": enabled}}})
        assert ("mine" in index.snapshot()) == enabled
    assert index["mine"] is mine


def test_a_broken_state_file_turns_nothing_on(flow: Path) -> None:
    """An index that knew the skills keeps them as they were; a new one shows none and says why."""
    write(flow / "extensions_config.json", {"skills": {"charts": {"enabled": False}}})
    index = SkillIndex(deer_flow_sources(flow), refresh_interval=0)
    assert sorted(index.snapshot()) == ["helper", "mine", "research"]
    write(flow / "extensions_config.json", '{"skills": {"charts"')
    assert sorted(index.snapshot()) == ["helper", "mine", "research"]
    assert {"unreadable", "kept-old"} <= {found.code for found in index.findings}
    assert (reading(deer_flow_sources(flow)), told(deer_flow_sources(flow))) == ([], ["unreadable"] * 2)


def test_each_user_has_custom_skills_of_their_own(flow: Path, user: Path) -> None:
    """Those of before there were users are shown, and not to be edited, to a user who has none."""
    sources = deer_flow_sources(flow, user=user)
    index = SkillIndex(sources, refresh_interval=0)
    assert reading(sources) == ["charts!", "helper!", "mine!", "research!"]
    put(user / "custom", "own", "research")
    assert reading(sources) == ["charts!", "helper!", "own", "research"]
    assert sorted(index.snapshot()) == ["charts", "helper", "own", "research"]


def test_a_user_switches_only_what_is_not_public(flow: Path, user: Path) -> None:
    """Both files can switch custom skills off, and neither can switch on what the other switched off."""
    put(user / "custom", "own", "off-for-all")
    states = {name: {"enabled": False} for name in ("own", "helper")}
    write(user / "_skill_states.json", {**states, "off-for-all": {"enabled": True}})
    write(flow / "extensions_config.json", {"skills": {"off-for-all": {"enabled": False}}})
    assert reading(deer_flow_sources(flow, user=user)) == ["charts!", "helper!", "research!"]


def test_the_agent_is_told_where_its_sandbox_has_the_files(flow: Path, user: Path) -> None:
    """Each kind of skill lies below its own folder there, with or without users."""
    plain = Toolkit(SkillIndex(deer_flow_sources(flow)), locations=deer_flow_locations(flow))
    text = plain.call("describe_skill", {"name": "select:helper,mine"}).text
    assert "- Location: /mnt/skills/public/team/helper/SKILL.md" in text
    assert "- Location: /mnt/skills/custom/mine/SKILL.md" in text
    locations = Locations(deer_flow_locations(flow, user=user, container="/skills/"))
    seen = {
        entry.key: locations.of(entry.places[0])
        for entry in SkillIndex(deer_flow_sources(flow, user=user)).snapshot().entries
    }
    assert (seen["mine"], seen["research"]) == (
        "/skills/legacy/mine/SKILL.md",
        "/skills/public/research/SKILL.md",
    )
    assert locations.seen(f"{user}/custom/own/SKILL.md") == "/skills/custom/own/SKILL.md"
