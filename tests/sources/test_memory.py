"""The source in memory, which is also the fake for users' tests."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from skill_index import Skill
from skill_index.findings import Finding
from skill_index.model import RawSkill
from skill_index.settings import Limits
from skill_index.sources import MemorySource, Source


def shown(source: Source) -> list[str]:
    """Return the paths of the skills, and the findings as '!code path', in order."""
    return [
        f"!{item.code} {item.path}" if isinstance(item, Finding) else item.origin.path
        for item in source.scan()
    ]


def test_skills_come_in_the_order_of_paths() -> None:
    """The order of the mapping does not matter."""
    files = {"b/SKILL.md": "B", "A/SKILL.md": "A", "a/x/SKILL.md": "ax", "SKILL.md": "root"}
    paths = ["A/SKILL.md", "a/x/SKILL.md", "b/SKILL.md", "SKILL.md"]
    assert shown(MemorySource(files)) == paths
    assert shown(MemorySource(dict(reversed(files.items())))) == paths


def test_texts_become_bytes_with_their_origin() -> None:
    """Texts are UTF-8, bytes stay, half a surrogate pair is left to the parser, and there is no root."""
    files: dict[str, str | bytes] = {"a/SKILL.md": "é", "b/SKILL.md": b"\xff", "c/SKILL.md": "\ud800"}
    raws = [item for item in MemorySource(files, "team:x").scan() if isinstance(item, RawSkill)]
    assert [raw.data for raw in raws] == [b"\xc3\xa9", b"\xff", b"\xed\xa0\x80"]
    assert {(raw.origin.label, raw.origin.root, raw.origin.editable) for raw in raws} == {
        ("team-x", "", False)
    }
    assert raws[0].origin.location == "a/SKILL.md"


def test_the_file_name_rule_is_that_of_folders() -> None:
    """Another spelling is used with a warning, a second one is told and ignored, others are passed by."""
    files = {"low/skill.md": "x", "twin/skill.md": "x", "twin/SKILL.md": "x", "twin/README.md": "x"}
    assert shown(MemorySource(files)) == [
        "!file-name low/skill.md",
        "low/skill.md",
        "twin/SKILL.md",
        "!second-file twin/skill.md",
    ]


def test_root_and_slash_are_two_folders() -> None:
    """A path that begins with a slash is not confused with one that has no folder."""
    assert shown(MemorySource({"SKILL.md": "x", "/skill.md": "x"})) == [
        "!file-name /skill.md",
        "/skill.md",
        "SKILL.md",
    ]


@pytest.mark.parametrize(("size", "kept"), [(9, True), (10, True), (11, False)])
def test_the_byte_limit_holds(size: int, kept: bool) -> None:
    """A text of exactly the limit is kept, one byte more is a finding."""
    items = shown(MemorySource({"a/SKILL.md": "x" * size}, limits=Limits(file_bytes=10)))
    assert items == (["a/SKILL.md"] if kept else ["!file-too-large a/SKILL.md"])


@pytest.mark.parametrize("files", [None, "pdf/SKILL.md", [Skill("pdf", "Fill forms.")]])
def test_what_is_no_mapping_is_refused_with_the_way_to_go(files: Any) -> None:
    """Skills made in code are given to a catalog or by a function."""
    with pytest.raises(TypeError, match=r"a mapping from paths to texts, not .*SkillCatalog"):
        MemorySource(files)


def test_a_source_is_a_frozen_value() -> None:
    """A source keeps what it was given, cannot change, and can be sent to another process."""
    files: dict[str, str | bytes] = {"a/SKILL.md": "x"}
    source = MemorySource(files)
    files["b/SKILL.md"] = "y"
    assert shown(source) == ["a/SKILL.md"]
    assert pickle.loads(pickle.dumps(source)) == source  # noqa: S301  (bytes made one call earlier)
    with pytest.raises(FrozenInstanceError):
        source.label = "x"  # type: ignore[misc]  # that it is refused is what is tested
    assert isinstance(source, Source)
