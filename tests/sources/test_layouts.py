"""Layouts of skills on disk: which are found, who hides whom, and what is trusted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from skill_index.index import SkillIndex
from skill_index.sources import Source, agent_framework_sources, agents_sources
from skill_index.sources.layouts import up_to_repository


def put(folder: Path, *names: str, says: str = "Does it.") -> Path:
    """Write a skill of each name into a folder of skills."""
    for name in names:
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {says}\n---\n", "utf-8")
    return folder


def reading(sources: Iterable[Source]) -> dict[str, str]:
    """Return the names by which skills are reached, with their sources' labels, * if not trusted, ! if fixed."""
    index = SkillIndex(sources)
    found = {}
    for entry in index.snapshot().entries:
        origin = entry.places[0]
        marks = ("" if origin.trusted else "*") + ("" if origin.editable else "!")
        found[entry.key] = origin.label + marks
    return found


def told(sources: Iterable[Source], *codes: str) -> list[tuple[str, str]]:
    """Return the findings of these codes with the last parts of their paths."""
    findings = SkillIndex(sources).findings
    return [(found.code, "/".join(Path(found.path).parts[-3:])) for found in findings if found.code in codes]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with skills in both of the usual folders."""
    for place in (".agents", ".claude"):
        put(tmp_path / "home" / place / "skills", "mine", "both", says=f"From {place}.")
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder two levels inside a repository, with skills at each level and one outside."""
    inner = tmp_path / "outside" / "repo" / "packages" / "app"
    (tmp_path / "outside" / "repo" / ".git").mkdir(parents=True)
    for place in (".agents", ".claude"):
        put(inner / place / "skills", "near", "both", "level", says=f"Near, in {place}.")
        put(inner.parents[1] / place / "skills", "far", "level", says=f"Far, in {place}.")
        put(inner.parents[2] / place / "skills", "beyond")
    return inner


def test_agents_skills_of_a_project_stand_beside_those_of_the_user(home: Path, project: Path) -> None:
    """A clone's skills are not trusted, and take no name of the user's; nearer ones hide farther ones."""
    sources = agents_sources(project, home)
    assert reading(sources) == {
        "agents-project:both": "agents-project*",
        "both": "agents-user",
        "far": "agents-project*",
        "level": "agents-project*",
        "mine": "agents-user",
        "near": "agents-project*",
    }
    assert told(sources, "shadowed") == [("shadowed", "skills/level/SKILL.md")]
    level = SkillIndex(sources).snapshot()["level"]
    assert level.description == "Near, in .agents."


def test_a_trusted_project_hides_what_the_user_has(home: Path, project: Path) -> None:
    """Then the nearest of all has the name, and what is hidden is told."""
    sources = agents_sources(project, home, trusted=True)
    assert reading(sources) == {
        "both": "agents-project",
        "far": "agents-project",
        "level": "agents-project",
        "mine": "agents-user",
        "near": "agents-project",
    }
    assert told(sources, "shadowed") == [
        ("shadowed", "skills/level/SKILL.md"),
        ("shadowed", "skills/both/SKILL.md"),
    ]


def test_a_skill_that_comes_later_is_found(home: Path, project: Path) -> None:
    """Folders that do not exist yet are looked into at each look."""
    index = SkillIndex(agents_sources(project, home), refresh_interval=0)
    put(project.parent / ".agents" / "skills", "new")
    assert "new" in index.snapshot()


@pytest.mark.parametrize(
    ("mark", "levels"),
    [("folder", ["c", "b", "a"]), ("file", ["c", "b", "a"]), ("none", ["c"]), ("own", ["c"])],
)
def test_folders_up_to_the_repository(tmp_path: Path, mark: str, levels: list[str]) -> None:
    """A folder or a file `.git` ends the way up; without one only the folder itself counts."""
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    if mark == "folder":
        (tmp_path / "a" / ".git").mkdir()
    elif mark == "file":
        (tmp_path / "a" / ".git").write_text("gitdir: elsewhere", "utf-8")
    elif mark == "own":
        (folder / ".git").mkdir()
    assert [level.name for level in up_to_repository(folder)] == levels


def test_a_project_that_is_the_home_counts_once(home: Path) -> None:
    """The same files by two ways are the user's."""
    assert reading(agents_sources(home, home)) == {"both": "agents-user", "mine": "agents-user"}


def test_agent_framework_looks_two_levels_deep_and_takes_the_first(tmp_path: Path) -> None:
    """A third level is told; of two folders the earlier hides by name, case aside."""
    put(tmp_path / "one", "top")
    put(tmp_path / "one" / "group", "second")
    put(tmp_path / "one" / "group" / "sub", "third")
    put(tmp_path / "two", "Top", "other")
    sources = agent_framework_sources(tmp_path / "one", tmp_path / "two")
    assert reading(sources) == {"other": "two", "second": "one", "top": "one"}
    assert [code for code, _ in told(sources, "too-deep", "shadowed")] == ["too-deep", "shadowed"]
