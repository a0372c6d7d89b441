"""
Labelled sets and the pool of other skills, read from a folder that is not part of the project.

    DATA/ranking/SET/{skills.jsonl,queries.jsonl,qrels.tsv}     DATA/corpus/skills.tar.xz

A haystack is a set among all skills of the pool that are not in it under another file (see
`skill_index.evaluation.new_skills`); a pool is read once for all sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skill_index import Skill
from skill_index.evaluation import JudgedSet, new_skills, read_pool

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
"""The sets that averages are over, and that the defaults were learned on."""

MORE_SETS = ("bfcl-synthetic", "seal-tools")
"""Sets of generated function names, shown but not averaged."""

HAYSTACK_SETS = DEV_SETS[:5]
"""The sets of real skills, which are also searched among the pool."""

POOLED = " + pool"


@dataclass(frozen=True, slots=True)
class Task:
    """A judged set and the skills among which its queries are answered."""

    name: str
    judged: JudgedSet
    skills: tuple[Skill, ...]


def tasks(data: Path, names: Sequence[str], part: str) -> Iterator[Task]:
    """Read each set alone (part "sets"), those of real skills among the pool ("pool"), or "all" of these."""
    sets = [JudgedSet.load(data / "ranking" / name) for name in names]
    if part != "pool":
        yield from (Task(judged.name, judged, judged.skills) for judged in sets)
    buried = [judged for judged in sets if judged.name in HAYSTACK_SETS]
    if part != "sets" and buried:
        others = read_pool(data / "corpus" / "skills.tar.xz")
        for judged in buried:
            skills = (*judged.skills, *new_skills(others, judged.skills))
            yield Task(judged.name + POOLED, judged, skills)
