"""Pools of other skills: read from any place, without copies of what is judged."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index import Skill
from skill_index.errors import SkillIndexError
from skill_index.evaluation import new_skills, read_pool


def text(name: str) -> bytes:
    """Return a SKILL.md."""
    return f"---\nname: {name}\ndescription: Does {name}.\n---\nBody of {name}.\n".encode()


FILES = {"kit/one/SKILL.md": text("one"), "kit/.hidden/two/SKILL.md": text("two"), "kit/one/notes.md": b"x"}


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".xz": lzma.compress,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
}


def tar(path: Path) -> None:
    """Write the files into a tar, compressed as its name says."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in FILES.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    path.write_bytes(PACKERS.get(path.suffix, bytes)(packed.getvalue()))


@pytest.mark.parametrize("name", ["p.tar.xz", "p.tar.gz", "p.tar.bz2", "p.tar"])
def test_tars_are_pools(tmp_path: Path, name: str) -> None:
    """Every SKILL.md of a tar, hidden folders too."""
    tar(tmp_path / name)
    skills = read_pool(tmp_path / name)
    assert sorted(skill.name for skill in skills) == ["one", "two"]
    assert {skill.instructions.strip() for skill in skills} == {"Body of one.", "Body of two."}


def test_folders_are_pools(tmp_path: Path) -> None:
    """SKILL.md files in a folder, hidden ones too; a skills.jsonl goes before them."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert sorted(skill.name for skill in read_pool(tmp_path)) == ["one", "two"]
    (tmp_path / "skills.jsonl").write_text(json.dumps({"name": "three", "description": "d"}), "utf-8")
    assert [skill.name for skill in read_pool(tmp_path)] == ["three"]


def test_zips_are_pools(tmp_path: Path) -> None:
    """A zip or .skill file is read as everywhere in the library."""
    with zipfile.ZipFile(tmp_path / "p.skill", "w") as archive:
        archive.writestr("one/SKILL.md", text("one"))
    seen: list[int] = []
    assert [skill.name for skill in read_pool(tmp_path / "p.skill", seen.append)] == ["one"]
    assert seen == [1]


def test_what_is_no_pool_is_told(tmp_path: Path) -> None:
    """A missing, empty, broken or unknown file is one sentence with its path."""
    (tmp_path / "broken.tar.xz").write_bytes(b"\xfd7zXZ\x00 and no more")
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    (tmp_path / "empty").mkdir()
    for name in ("missing", "broken.tar.xz", "broken.zip", "notes.txt", "empty"):
        with pytest.raises(SkillIndexError, match=name.replace(".", r"\.")):
            read_pool(tmp_path / name)


LONG = "x" * 200


def test_copies_and_siblings_stay_out() -> None:
    """The name, or the first 200 characters of the description, of a judged skill."""
    judged = [Skill("a", LONG + "first"), Skill("b", "Fills.")]
    pool = [
        Skill("a", "Another."),
        Skill("sibling", LONG + "second"),
        Skill("near", LONG[1:] + "second"),
        Skill("copy", "Fills."),
        Skill("c", "Draws.", "one"),
        Skill("c", "Draws.", "two"),
        Skill("c", "Paints."),
    ]
    kept = new_skills(pool, judged)
    assert [(skill.name, skill.description) for skill in kept] == [
        ("c", "Draws."),
        ("c", "Paints."),
        ("near", LONG[1:] + "second"),
    ]
    assert kept[0].instructions == "one"


SKILLS = st.lists(st.builds(Skill, st.sampled_from("abc"), st.sampled_from(["d", "e", "f"])), max_size=6)


@given(SKILLS, SKILLS)
def test_what_comes_in_is_new(pool: list[Skill], judged: list[Skill]) -> None:
    """Each once, none judged, and a second pass changes nothing."""
    kept = new_skills(pool, judged)
    assert len({(skill.name, skill.description) for skill in kept}) == len(kept)
    assert not {skill.name for skill in kept} & {skill.name for skill in judged}
    assert new_skills(kept, judged) == kept
