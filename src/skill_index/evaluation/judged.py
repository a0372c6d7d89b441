"""
A judged set: skills, queries, and which skills each query needs.

    folder ─▶ skills.jsonl     {"name", "description", "body"?, "allowed_tools"?}
              queries.jsonl    {"id", "text", "group"?}
              qrels.tsv        query id, skill name, grade     (TREC's four columns do, too)
              negatives.jsonl  {"id", "text", "group"?}: queries that no skill serves; optional

The values are sorted by id and name, so that a set is its content and never the order of its
lines.  `skills.jsonl` may be missing where queries are judged over skills that lie elsewhere;
whoever evaluates the set then passes their catalog.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from skill_index.errors import SkillIndexError
from skill_index.evaluation.files import bad_line, json_lines, required, text_lines, text_of
from skill_index.frozen import FrozenMap
from skill_index.model import Skill
from skill_index.parsing.tools import split_tools
from skill_index.text import well_formed

_GRADE = re.compile(r"-?[0-9]{1,3}")  # what counts keeps a place for every grade up to the highest


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query; `group` is whatever its author sorts queries by, such as a topic."""

    id: str
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """
    Skills, queries over them and judgments: `qrels` maps query ids to skill names to grades.

    A grade of 1 or more means that the query needs the skill.  Raises `SkillIndexError` for ids
    that stand twice, judgments of no query, and queries that need no skill.
    """

    name: str
    skills: tuple[Skill, ...] = field(repr=False)
    queries: tuple[JudgedQuery, ...] = field(repr=False)
    qrels: Mapping[str, Mapping[str, int]] = field(repr=False)
    negatives: tuple[JudgedQuery, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "skills", tuple(sorted(self.skills, key=lambda skill: skill.name)))
        object.__setattr__(self, "queries", _by_id(self.queries))
        object.__setattr__(self, "negatives", _by_id(self.negatives))
        object.__setattr__(self, "qrels", FrozenMap(self.qrels))
        self._refuse_twice("skill", (skill.name for skill in self.skills))
        self._refuse_twice("query", (query.id for query in (*self.queries, *self.negatives)))
        known = {query.id for query in self.queries}
        if not known:
            raise self._error("has no queries")
        for asked in sorted(known ^ self.qrels.keys()):
            if asked not in known:
                raise self._error(f"judges {asked!r}, which is none of its queries")
        for query in self.queries:
            if not self.needed(query.id):
                raise self._error(
                    f"has no skill for query {query.id!r}; judge one, or put it into negatives.jsonl"
                )

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Self:
        """Return the set of a folder; raises `SkillIndexError` that names the file and the line."""
        place = Path(folder)
        skills = place / "skills.jsonl"
        negatives = place / "negatives.jsonl"
        return cls(
            name=well_formed(place.resolve().name),
            skills=tuple(load_skills(skills)) if skills.exists() else (),
            queries=tuple(_load_queries(place / "queries.jsonl")),
            qrels=load_qrels(place / "qrels.tsv"),
            negatives=tuple(_load_queries(negatives)) if negatives.exists() else (),
        )

    def needed(self, query: str) -> tuple[str, ...]:
        """Return the names of the skills that a query needs, sorted."""
        return tuple(sorted(name for name, grade in self.qrels.get(query, {}).items() if grade > 0))

    def _refuse_twice(self, what: str, names: Iterable[str]) -> None:
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            raise self._error(f"has the {what} {twice[0]!r} twice")

    def _error(self, reason: str) -> SkillIndexError:
        return SkillIndexError(f"the judged set {self.name!r} {reason}")


def load_skills(path: str | os.PathLike[str]) -> Iterable[Skill]:
    """Yield the skills of a JSON Lines file."""
    for number, record in json_lines(path):
        yield Skill(
            required(record, "name", path, number),
            text_of(record, "description", path, number),
            text_of(record, "body", path, number),
            allowed_tools=_tools(record.get("allowed_tools"), path, number),
        )


def load_qrels(path: str | os.PathLike[str]) -> dict[str, dict[str, int]]:
    """
    Return judgments by query and name: three columns, or the four of TREC (the second is ignored).

    Columns are parted by tabs where a line has one, since names may hold blanks.
    """
    qrels: dict[str, dict[str, int]] = {}
    for number, line in text_lines(path):
        columns = columns_of(line)
        if len(columns) == 4:
            del columns[1]
        if len(columns) != 3:
            raise bad_line(path, number, "has not three columns: query id, skill name, grade")
        query, name, grade = columns
        judged = int(grade) if _GRADE.fullmatch(grade) else None
        if judged is None:
            raise bad_line(path, number, f"the grade is a whole number up to 999, not {grade!r}")
        if qrels.setdefault(query, {}).setdefault(name, judged) != judged:
            raise bad_line(path, number, f"judges {name!r} for {query!r} a second time, with another grade")
    return qrels


def columns_of(line: str) -> list[str]:
    """Return the columns of a line, parted by tabs, or by blanks where there is no tab."""
    return [well_formed(column.strip()) for column in line.split("\t")] if "\t" in line else line.split()


def _load_queries(path: Path) -> Iterable[JudgedQuery]:
    for number, record in json_lines(path):
        yield JudgedQuery(
            required(record, "id", path, number),
            required(record, "text", path, number),
            text_of(record, "group", path, number),
        )


def _tools(value: Any, path: str | os.PathLike[str], number: int) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return split_tools(value)[0]
    raise bad_line(path, number, "'allowed_tools' is a text or a list of texts")


def _by_id(queries: Iterable[JudgedQuery]) -> tuple[JudgedQuery, ...]:
    return tuple(sorted(queries, key=lambda query: query.id))
