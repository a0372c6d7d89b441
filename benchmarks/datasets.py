"""
Labelled sets and the pool of other skills, read from a folder that is not part of the project.

    DATA/ranking/SET/{skills.jsonl,queries.jsonl,qrels.tsv}     DATA/corpus/skills.tar.xz

A haystack is a set among all the skills of the pool that are not in it under another file: none of
the pool that shares a name or the beginning of its description with a skill of the set, since an
unlabelled copy of a right answer would count as a wrong one.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skill_index import Origin, RawSkill, Skill
from skill_index.parsing import parse_skill

DEV_SETS = (
    "nvidia-skills",
    "uipath-activation",
    "author-evals",
    "skillsbench",
    "skillsbench-keywords",
    "bfcl-live",
    "metatool-single",
    "metatool-multi",
    "livemcpbench",
)
"""The sets that averages are over."""

MORE_SETS = ("bfcl-synthetic", "seal-tools")
"""Sets of generated function names, shown but not averaged."""

HAYSTACK_SETS = DEV_SETS[:5]
"""The sets of real skills, which are also searched among the pool."""

_SAME_BEGINNING = 200


@dataclass(frozen=True, slots=True)
class Dataset:
    """Skills, queries by id, and for each query the names of the skills that answer it."""

    name: str
    skills: tuple[Skill, ...]
    queries: tuple[tuple[str, str], ...]
    relevant: dict[str, dict[str, int]]


def load(data: Path, name: str) -> Dataset:
    """Read one set."""
    folder = data / "ranking" / name
    skills = tuple(
        Skill(row["name"], row["description"], row.get("body") or "")
        for row in _rows(folder / "skills.jsonl")
    )
    relevant: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines():
        query, skill, grade = line.split("\t")
        relevant.setdefault(query, {})[skill] = int(grade)
    queries = tuple(
        (row["id"], row["text"]) for row in _rows(folder / "queries.jsonl") if row["id"] in relevant
    )
    return Dataset(name, skills, queries, relevant)


def load_pool(data: Path) -> tuple[Skill, ...]:
    """Parse every SKILL.md of the corpus, each name and description once, in the order of their paths."""
    found: dict[tuple[str, str], Skill] = {}
    for path, content in sorted(_files(data / "corpus" / "skills.tar.xz")):
        skill = parse_skill(RawSkill(Origin("pool", "/pool", path), content)).skill
        if skill is not None:
            found.setdefault((skill.name, skill.description), skill)
    return tuple(found.values())


def among(dataset: Dataset, pool: tuple[Skill, ...]) -> Dataset:
    """Return the set with every skill of the pool that cannot be one of its own."""
    names = {skill.name for skill in dataset.skills}
    beginnings = {skill.description[:_SAME_BEGINNING] for skill in dataset.skills}
    others = [
        skill
        for skill in pool
        if skill.name not in names and skill.description[:_SAME_BEGINNING] not in beginnings
    ]
    return Dataset(f"{dataset.name} + pool", (*dataset.skills, *others), dataset.queries, dataset.relevant)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            opened = archive.extractfile(member) if member.isfile() else None
            if opened is not None:
                yield member.name, opened.read()
