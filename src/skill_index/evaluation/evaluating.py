"""
From a judged set to its report: every query asked once, as an agent would ask it.

    JudgedSet ─ search(limit) ─▶ answers ─ metrics ─▶ figures ─ bootstrap ─▶ rows by kind and group
                                    └─ negatives ─▶ abstention

The default answer is measured, with the gate on: a needed skill that was held back counts as missed.
A run of another system goes the same way from its lists on.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillIndexError
from skill_index.evaluation.abstention import Answered, abstention
from skill_index.evaluation.judged import JudgedQuery, JudgedSet
from skill_index.evaluation.kinds import kinds_of
from skill_index.evaluation.metrics import measure
from skill_index.evaluation.report import (
    Abstention,
    HitReport,
    Latency,
    NegativeReport,
    Piece,
    QueryReport,
    SetReport,
)
from skill_index.evaluation.rows import rows_by_group, rows_by_kind
from skill_index.evaluation.trec import Run
from skill_index.results import Hit, SearchResults

LIMIT = 10
"""Hits asked for: what the figures look at."""

_EXPLAINED = 3  # first hits whose evidence is kept; those of needed skills are, too
_PIECES = 5  # strongest parts of a score that are kept

Progress = Callable[[int], None]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class _Answer:
    hits: tuple[HitReport, ...]
    results: SearchResults | None = None
    ms: float | None = None


def evaluate(
    judged: JudgedSet,
    *,
    catalog: SkillCatalog | None = None,
    distractors: int = 0,
    limit: int = LIMIT,
    baseline: SetReport | None = None,
    baseline_name: str = "baseline",
    progress: Progress | None = None,
    clock: Clock = time.perf_counter,
) -> SetReport:
    """
    Return how well a catalog, by default that of the set's own skills, answers the set's queries.

    `distractors` is only told: how many skills of the catalog are there to be confused with.
    Raises `SkillIndexError` where a needed skill is not in the catalog, or where the baseline
    lacks a query.
    """
    catalog = SkillCatalog(judged.skills) if catalog is None else catalog
    needed = _needed(judged, catalog)
    catalog.ranker()  # the index is built before the first query is timed
    asked: dict[str, _Answer] = {}
    for count, query in enumerate((*judged.queries, *judged.negatives), start=1):
        began = clock()
        results = catalog.search(query.text, limit=limit)
        taken = (clock() - began) * 1000
        grades = needed.get(query.id, {})
        hits = tuple(_hit(hit, place, grades) for place, hit in enumerate(results.hits))
        asked[query.id] = _Answer(hits, results, taken)
        if progress is not None:
            progress(count)
    return _report(judged, needed, asked, len(catalog), distractors, limit, (baseline, baseline_name))


def evaluate_run(
    judged: JudgedSet,
    run: Run,
    *,
    limit: int = LIMIT,
    baseline: SetReport | None = None,
    baseline_name: str = "baseline",
) -> SetReport:
    """Return what the ranked lists of another system are worth on a set; their states are not known."""
    lists = {
        query.id: _Answer(
            tuple(
                HitReport(name=name, score=score, grade=judged.qrels[query.id].get(name, 0))
                for name, score in run.get(query.id, ())[:limit]
            )
        )
        for query in judged.queries
    }
    return _report(judged, judged.qrels, lists, len(judged.skills), 0, limit, (baseline, baseline_name))


def _report(
    judged: JudgedSet,
    needed: Mapping[str, Mapping[str, int]],
    asked: Mapping[str, _Answer],
    skills: int,
    distractors: int,
    limit: int,
    against: tuple[SetReport | None, str],
) -> SetReport:
    ranked = {query.id: [hit.name for hit in asked[query.id].hits] for query in judged.queries}
    figures = measure(needed, ranked)
    queries = tuple(
        _query(query, asked[query.id], needed[query.id], figures[query.id]) for query in judged.queries
    )
    baseline, name = against
    before = _paired(baseline, queries, name)
    answered = [(query, results) for query in judged.negatives if (results := _results(asked, query))]
    return SetReport(
        name=judged.name,
        skills=skills,
        distractors=distractors,
        limit=limit,
        baseline=name if baseline is not None else None,
        rows=rows_by_kind(queries, before),
        groups=rows_by_group(queries, before),
        latency=_latency([answer.ms for answer in asked.values() if answer.ms is not None]),
        abstention=_abstention(
            [results for query in judged.queries if (results := _results(asked, query))],
            [results for _, results in answered],
        ),
        queries=queries,
        negatives=tuple(_negative(query, results) for query, results in answered),
    )


def _needed(judged: JudgedSet, catalog: SkillCatalog) -> dict[str, dict[str, int]]:
    """Return the judgments with the names under which hits are answered."""
    holders = Counter(entry.skill.name for entry in catalog.entries)
    keys = {entry.id: entry.key for entry in catalog.entries}
    keys |= {entry.skill.name: entry.key for entry in catalog.entries if holders[entry.skill.name] == 1}
    keys |= {entry.key: entry.key for entry in catalog.entries}
    for query in judged.queries:
        for name in judged.needed(query.id):
            if name not in keys:
                message = (
                    f"the judged set {judged.name!r} needs {name!r} for query {query.id!r}, "
                    f"which is not among its {len(catalog)} skills; correct qrels.tsv or add the skill"
                )
                raise SkillIndexError(message)
    return {
        query.id: {keys.get(name, name): grade for name, grade in sorted(judged.qrels[query.id].items())}
        for query in judged.queries
    }


def _query(
    query: JudgedQuery, answer: _Answer, grades: Mapping[str, int], figures: Mapping[str, float]
) -> QueryReport:
    needed = {name: grade for name, grade in grades.items() if grade > 0}
    places = (place for place, hit in enumerate(answer.hits, start=1) if hit.grade > 0)
    return QueryReport(
        id=query.id,
        text=query.text,
        group=query.group,
        kinds=kinds_of(query.text, len(needed)),
        needed=needed,
        state=answer.results.state if answer.results is not None else None,
        coverage=answer.results.coverage if answer.results is not None else 0.0,
        hits=answer.hits,
        rank=next(places, None),
        ms=answer.ms,
        metrics=dict(figures),
    )


def _negative(query: JudgedQuery, results: SearchResults) -> NegativeReport:
    said = _answered(results)
    hit = results.hits[0].name if results.hits else None
    return NegativeReport(
        id=query.id,
        text=query.text,
        group=query.group,
        state=said.state,
        coverage=said.coverage,
        score=said.score,
        hit=hit,
    )


def _hit(hit: Hit, place: int, grades: Mapping[str, int]) -> HitReport:
    grade = grades.get(hit.name, 0)
    kept = place < _EXPLAINED or grade > 0
    strongest = sorted(hit.evidence, key=lambda piece: -abs(piece.score))[:_PIECES] if kept else ()
    pieces = (Piece(word=p.word, how=p.how, fields=p.fields, score=p.score) for p in strongest)
    return HitReport(name=hit.name, score=hit.score, grade=grade, evidence=tuple(pieces))


def _results(asked: Mapping[str, _Answer], query: JudgedQuery) -> SearchResults | None:
    return asked[query.id].results if query.id in asked else None


def _answered(results: SearchResults) -> Answered:
    score = results.hits[0].score if results.hits else 0.0
    return Answered(results.state, results.coverage, score)


def _abstention(positives: Sequence[SearchResults], negatives: Sequence[SearchResults]) -> Abstention | None:
    if not positives or not negatives:
        return None
    return abstention([_answered(each) for each in positives], [_answered(each) for each in negatives])


def _latency(taken: Iterable[float]) -> Latency | None:
    ordered = sorted(taken)
    if not ordered:
        return None
    last = len(ordered) - 1
    return Latency(p50=ordered[round(last * 0.5)], p95=ordered[round(last * 0.95)])


def _paired(
    baseline: SetReport | None, queries: Sequence[QueryReport], name: str
) -> dict[str, Mapping[str, float]] | None:
    if baseline is None:
        return None
    known: dict[str, Mapping[str, float]] = {query.id: query.metrics for query in baseline.queries}
    for query in queries:
        if query.id not in known:
            message = f"{name!r} has no answer to query {query.id!r}; measure it on the same set"
            raise SkillIndexError(message)
    return known
