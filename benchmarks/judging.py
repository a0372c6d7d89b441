"""
Judged sets that can be asked again and again under other settings, each analysed once.

What a skill says does not change with the weight of a field, so only the tables that depend on
settings are made anew (`Indexed.under`).  The order comes from the code behind `SkillCatalog.search`,
without the evidence, which takes half of its time; the figures come from `skill_index.evaluation`.
Tests hold that a bench answers as a fresh catalog with the same settings does.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

from skill_index import SkillCatalog
from skill_index.evaluation import JudgedQuery, JudgedSet
from skill_index.evaluation.asking import Grades, grades_in
from skill_index.evaluation.metrics import measure
from skill_index.naming import Entry
from skill_index.query import Query, parse_query
from skill_index.ranking import Ranker
from skill_index.ranking.indexed import Indexed
from skill_index.resolving import Resolver
from skill_index.searching import Searcher
from skill_index.settings import SearchSettings

T = TypeVar("T")
LIMIT = 10
FIGURE = "nDCG@10"


@dataclass(frozen=True, slots=True)
class Asked:
    """One query, read: the words it ranks by, and the skills whose name it is."""

    id: str
    query: Query
    named: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bench:
    """One judged set, analysed, with the queries that are asked of it."""

    name: str
    entries: tuple[Entry, ...]
    index: Indexed
    queries: tuple[Asked, ...]
    grades: Grades

    @classmethod
    def of(cls, judged: JudgedSet, queries: int = 0, seed: int = 1) -> Self:
        """Return the bench of a set with at most so many of its queries, 0 for all."""
        catalog = SkillCatalog(judged.skills)
        searcher = Searcher(catalog.entries, Resolver(catalog.entries), catalog.ranker, catalog.settings)
        grades = grades_in(judged, catalog)
        chosen = sampled(judged.queries, queries, seed)
        return cls(
            name=judged.name,
            entries=catalog.entries,
            index=catalog.ranker()._index,  # noqa: SLF001 - its tables are what is weighed anew
            queries=tuple(_read(query, searcher) for query in chosen),
            grades={query.id: grades[query.id] for query in chosen},
        )

    def answers(self, settings: SearchSettings) -> dict[str, list[str]]:
        """Return the first ten names for every query, as a catalog with these settings would."""
        ranker = Ranker(self.index.under(settings))
        ranked = ((asked.id, ranker.order(asked.query, LIMIT, asked.named)) for asked in self.queries)
        return {name: [self.entries[at].key for at in order[:LIMIT]] for name, order in ranked}

    def score(self, settings: SearchSettings) -> float:
        """Return the mean nDCG@10 of the queries under these settings, in per cent."""
        figures = measure(self.grades, self.answers(settings))
        return 100 * sum(figures[asked.id][FIGURE] for asked in self.queries) / len(self.queries)


def _read(query: JudgedQuery, searcher: Searcher) -> Asked:
    parsed = parse_query(query.text, settings=searcher.settings)
    return Asked(query.id, parsed, searcher._named(query.text, parsed))  # noqa: SLF001 - the rule of one place


def sampled(queries: Sequence[T], most: int, seed: int | str) -> tuple[T, ...]:
    """Return at most so many of the queries, 0 for all, the same ones for the same seed."""
    if not 0 < most < len(queries):
        return tuple(queries)
    chosen = random.Random(seed).sample(range(len(queries)), most)  # noqa: S311 - a sample, no secret
    return tuple(queries[at] for at in sorted(chosen))


def load(data: Path, name: str, queries: int = 0, seed: int = 1) -> Bench:
    """Return the bench of a named set under `data`/ranking."""
    return Bench.of(JudgedSet.load(data / "ranking" / name), queries, seed)


def missing(data: Path, names: Iterable[str]) -> list[str]:
    """Return which of the named sets are not there."""
    return [name for name in names if not (data / "ranking" / name / "qrels.tsv").is_file()]


def lacks(data: Path, names: Iterable[str]) -> bool:
    """Say whether any of the named sets is not there, and tell the reader."""
    lacking = missing(data, names)
    if lacking:
        print(f"skipped: no data ({data} has no ranking/{lacking[0]})")
    return bool(lacking)
