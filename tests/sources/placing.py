"""What the tests of layouts share: skills put into folders, and what an index makes of sources."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from skill_index.index import SkillIndex
from skill_index.sources import Source


def put(folder: Path, *names: str) -> Path:
    """Write a skill of each name into a folder of skills; each says where it is."""
    for name in names:
        (folder / name).mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {name}\ndescription: Of {'/'.join(folder.parts[-4:])}.\n---\n"
        (folder / name / "SKILL.md").write_text(text, "utf-8")
    return folder


def write(path: Path, value: object) -> Path:
    """Write a value as JSON, or a text as it stands."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def reading(sources: Iterable[Source]) -> list[str]:
    """Return the names by which skills are reached, * where not trusted, ! where not to be edited."""
    entries = SkillIndex(sources).snapshot().entries
    origins = [(entry.key, entry.places[0]) for entry in entries]
    return [
        f"{key}{'' if origin.trusted else '*'}{'' if origin.editable else '!'}" for key, origin in origins
    ]


def told(sources: Iterable[Source]) -> list[str]:
    """Return the codes of findings beyond empty places and shared names."""
    passed = {"root-missing", "name-not-folder", "name-shared"}
    return [found.code for found in SkillIndex(sources).findings if found.code not in passed]
