"""The live index: what is on disk now, swapped whole."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skill_index import MemorySource, Skill, SkillCatalog, SkillIndex, SkillNotFoundError
from skill_index.model import ReadySkill
from skill_index.prompt import skill_index_section
from skill_index.tools import Toolkit


def write(root: Path, name: str, description: str = "Does it.") -> None:
    """Write a skill."""
    (root / name).mkdir(parents=True, exist_ok=True)
    (root / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\n", "utf-8")


def test_it_reads_as_its_catalog_does(tmp_path: Path) -> None:
    """The index answers as the mapping it holds."""
    write(tmp_path, "a")
    write(tmp_path, "b")
    index = SkillIndex.from_paths(tmp_path)
    assert (list(index), len(index), "A" in index, "x" in index) == (["a", "b"], 2, True, False)
    assert index["a"] is index.snapshot()["a"]
    assert repr(index) == "<SkillIndex of 2 skills from 1 sources>"
    with pytest.raises(SkillNotFoundError):
        index["x"]


def test_refresh_sees_what_changed_and_old_snapshots_stay(tmp_path: Path) -> None:
    """An edit, an addition and a removal are seen at once; who holds the old catalog keeps it."""
    write(tmp_path, "a", "Draws charts.")
    write(tmp_path, "gone")
    index = SkillIndex.from_paths(tmp_path)
    before = index.snapshot()
    write(tmp_path, "a", "Fills forms.")
    write(tmp_path, "new")
    (tmp_path / "gone" / "SKILL.md").unlink()
    counts: list[int] = []
    changes = index.refresh(counts.append)
    assert changes.catalog is index.snapshot()
    assert (changes.added, changes.changed, changes.removed) == (("new",), ("a",), ("gone",))
    assert str(changes) == "1 added: new; 1 changed: a; 1 removed: gone"
    assert counts == [1, 2]
    assert (list(index), list(before)) == (["a", "new"], ["a", "gone"])
    assert index.search("forms").names == ("a",)
    assert before.search("charts").names == ("a",)


def test_labels_are_given_or_told_apart(tmp_path: Path) -> None:
    """Two folders called alike get the tails that tell them apart, or the labels of the caller."""
    for side in ("x", "y"):
        write(tmp_path / side / "skills", "tool", f"From {side}.")
    roots = [tmp_path / "x" / "skills", tmp_path / "y" / "skills"]
    assert list(SkillIndex.from_paths(*roots)) == ["tool", "y/skills:tool"]
    assert list(SkillIndex.from_paths(*roots, labels=["one", "two"])) == ["tool", "two:tool"]


@pytest.mark.parametrize(
    ("paths", "labels", "kind", "told"),
    [
        (
            [["a", "b"]],
            None,
            TypeError,
            r"not list; .*from_paths\(\*folders\)",
        ),
        ([None], None, TypeError, "a text or a Path, not NoneType"),
        (["a", "b"], ["one"], ValueError, "one label for each path, not 1 for 2 paths"),
        (["a"], [], ValueError, "not 0 for 1 paths"),
        (["a"], "x", ValueError, "not one text"),
    ],
)
def test_paths_and_labels_that_do_not_fit_are_refused_in_words(
    paths: list[Any], labels: Any, kind: type[Exception], told: str
) -> None:
    """The commonest slips, a list in place of its items and labels too few, say what belongs there."""
    with pytest.raises(kind, match=told):
        SkillIndex.from_paths(*paths, labels=labels)


@pytest.mark.parametrize("interval", [-1, math.nan])
def test_an_interval_that_is_none_is_refused(interval: float) -> None:
    """NaN, which is less than nothing and more than nothing, would never look again, in silence."""
    with pytest.raises(ValueError, match="refresh_interval is at least 0 seconds"):
        SkillIndex([], refresh_interval=interval)


def test_hidden_and_nested_folders_are_searched_on_request(tmp_path: Path) -> None:
    """By default neither is."""
    write(tmp_path, "top")
    write(tmp_path / "top", "below")
    write(tmp_path / ".quiet", "dotted")
    assert list(SkillIndex.from_paths(tmp_path)) == ["top"]
    assert list(SkillIndex.from_paths(tmp_path, hidden=True)) == ["dotted", "top"]
    assert list(SkillIndex.from_paths(tmp_path, nested=True)) == ["below", "top"]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    """None of its skills, and a finding that names it."""
    index = SkillIndex.from_paths(tmp_path / "nowhere")
    assert len(index) == 0
    assert [finding.code for finding in index.findings] == ["root-missing"]


def test_where_narrows_one_search() -> None:
    """The predicate of one call hides from that call only."""
    files = {f"{name}/SKILL.md": f"---\nname: {name}\ndescription: pdf\n---\n" for name in ("a", "b")}
    index = SkillIndex([MemorySource(files)])
    assert index.search("pdf", where=lambda skill: skill.name == "b").names == ("b",)
    assert index.search("pdf").names == ("a", "b")


def test_an_archive_is_a_place_of_skills(tmp_path: Path) -> None:
    """A path with the name of an archive is read as one; a folder of that name is a folder."""
    write(tmp_path / "folder.zip", "a")
    with zipfile.ZipFile(tmp_path / "kit.skill", "w") as archive:
        archive.writestr("SKILL.md", "---\nname: kit\ndescription: Does it.\n---\n")
    index = SkillIndex.from_paths(tmp_path / "folder.zip", tmp_path / "kit.skill")
    assert list(index) == ["a", "kit"]
    assert (index["a"].origin.trusted, index["kit"].origin.trusted) == (True, False)
    assert index.findings == ()


class Failing:
    """A source whose step fails for one skill."""

    label = "s"

    def scan(self) -> Iterator[ReadySkill]:
        """Yield two skills with a step."""
        for name in ("a", "b"):
            yield ReadySkill(Skill(name, "Does it."), (_no_b,))


def _no_b(skill: Skill) -> Skill:
    if skill.name == "b":
        raise RuntimeError(skill.name)
    return skill


def test_a_step_that_raises_costs_its_skill_only() -> None:
    """The others stay, and a finding names the one that was lost."""
    index = SkillIndex([Failing()])
    assert list(index) == ["a"]
    assert [(finding.code, finding.message) for finding in index.findings] == [
        ("step-failed", "'b' is left out: a filter or step of its source raised RuntimeError: b")
    ]


@pytest.mark.parametrize(
    "make",
    [
        Toolkit,
        skill_index_section,
        lambda wrong: SkillIndex([wrong]),
        lambda wrong: SkillCatalog([wrong]),
        lambda wrong: SkillCatalog().search(wrong),
        lambda wrong: SkillCatalog().search([wrong]),
    ],
)
@pytest.mark.parametrize("wrong", [None, 3, b"pdf", [None]])
def test_what_is_no_skills_is_refused_at_the_door(make: Callable[[Any], object], wrong: object) -> None:
    """A mistake of the host is told where it is made, with what belongs there, not at the first call."""
    with pytest.raises(TypeError, match=r"skills are a|a query is a|is made of sources|a catalog holds"):
        make(wrong)


def test_a_folder_given_for_sources_is_told_the_way() -> None:
    """The commonest slip has its cure in the message."""
    with pytest.raises(TypeError, match="from_paths"):
        SkillIndex("skills")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="SkillCatalog"):
        SkillIndex([Skill("pdf", "Reads PDF.")])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="from_paths"):
        Toolkit("skills")  # type: ignore[arg-type]


def test_a_path_no_folder_can_have_is_a_finding() -> None:
    """A NUL in a path is told like a folder that cannot be read, and other folders are served."""
    index = SkillIndex.from_paths("a\0b")
    assert [finding.code for finding in index.findings] == ["unreadable"]
