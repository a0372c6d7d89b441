"""Layouts of skills on disk: which are found, who hides whom, and what is trusted."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_index.index import SkillIndex
from skill_index.sources import agent_framework_sources, agents_sources
from skill_index.sources.layouts import up_to_repository
from tests.sources.placing import put, reading, told


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with skills in both of the usual folders."""
    for place in (".agents", ".claude"):
        put(tmp_path / "home" / place / "skills", "mine", "both")
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder two levels inside a repository, with skills at each level and one outside."""
    inner = tmp_path / "outside" / "repo" / "packages" / "app"
    (tmp_path / "outside" / "repo" / ".git").mkdir(parents=True)
    for place in (".agents", ".claude"):
        put(inner / place / "skills", "near", "both", "level")
        put(inner.parents[1] / place / "skills", "far", "level")
        put(inner.parents[2] / place / "skills", "beyond")
    return inner


def test_agents_skills_of_a_project_stand_beside_those_of_the_user(home: Path, project: Path) -> None:
    """A clone's skills are not trusted, and take no name of the user's; nearer ones hide farther ones."""
    sources = agents_sources(project, home)
    assert reading(sources) == ["agents-project:both*", "both", "far*", "level*", "mine", "near*"]
    assert told(sources) == ["shadowed"]
    assert SkillIndex(sources).snapshot()["level"].description == "Of packages/app/.agents/skills."


def test_a_trusted_project_hides_what_the_user_has(home: Path, project: Path) -> None:
    """Then the nearest of all has the name, and what is hidden is told."""
    sources = agents_sources(project, home, trusted=True)
    assert reading(sources) == ["both", "far", "level", "mine", "near"]
    assert told(sources) == ["shadowed", "shadowed"]
    assert SkillIndex(sources).snapshot()["both"].description == "Of packages/app/.agents/skills."


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
    assert reading(agents_sources(home, home)) == ["both", "mine"]


def test_agent_framework_looks_two_levels_deep_and_takes_the_first(tmp_path: Path) -> None:
    """A third level is told; of two folders the earlier hides by name, case aside."""
    put(tmp_path / "one", "top")
    put(tmp_path / "one" / "group", "second")
    put(tmp_path / "one" / "group" / "sub", "third")
    put(tmp_path / "two", "Top", "other")
    sources = agent_framework_sources(tmp_path / "one", tmp_path / "two")
    assert reading(sources) == ["other", "second", "top"]
    assert told(sources) == ["too-deep", "name-not-lowercase", "shadowed"]


def test_a_project_no_folder_can_be_is_a_finding(home: Path) -> None:
    """A NUL in the project's path is told, and the user's own skills are served."""
    index = SkillIndex(agents_sources("a\0b", home))
    assert list(index) == ["both", "mine"]
    assert "unreadable" in {finding.code for finding in index.findings}


def test_a_project_that_may_not_be_looked_at_is_a_finding(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders that nobody lets one enter cost their own skills, not the list of sources."""
    locked = home.parent / "locked" / "project"
    locked.mkdir(parents=True)

    def refused(look: Callable[..., Any]) -> Callable[..., Any]:
        def looked(path: Any, *arguments: Any, **options: Any) -> Any:
            if "locked/" in os.fspath(path):
                raise PermissionError(13, "Permission denied", path)  # a superuser may enter any folder
            return look(path, *arguments, **options)

        return looked

    for name in ("stat", "lstat", "scandir"):
        monkeypatch.setattr(os, name, refused(getattr(os, name)))
    index = SkillIndex(agents_sources(locked, home))
    assert list(index) == ["both", "mine"]
    assert "unreadable" in {finding.code for finding in index.findings}
