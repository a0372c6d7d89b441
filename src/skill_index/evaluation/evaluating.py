"""
From a judged set to its report.

    JudgedSet ─ search(limit) ─▶ answers ─ metrics ─▶ figures ─ bootstrap ─▶ rows by kind and group
                                    └─ negatives ─▶ abstention

The default answer is measured, with the gate on: a needed skill that was held back counts as missed.
A run of another system goes the same way from its lists on.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillIndexError
from skill_index.evaluation.abstention import abstention
from skill_index.evaluation.asking import Answer, Clock, Grades, Progress, ask, grades_in
from skill_index.evaluation.judged import JudgedQuery, JudgedSet
from skill_index.evaluation.kinds import kinds_of
from skill_index.evaluation.metrics import measure
from skill_index.evaluation.report import HitReport, Latency, NegativeReport, QueryReport, SetReport
from skill_index.evaluation.rows import rows_by_group, rows_by_kind
from skill_index.evaluation.trec import Run

LIMIT = 10
"""Hits asked for: as far as the figures look."""


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

    `limit` hits are asked for of each query.  `distractors` is only passed on to the report: how many
    skills of the catalog were put there to be confused with.  With a `baseline`, the report of
    another catalog on the same set, every figure comes with its difference to that.

    Raises `SkillIndexError` where a needed skill is not in the catalog, or where the baseline lacks
    a query.
    """
    catalog = SkillCatalog(judged.skills) if catalog is None else catalog
    grades = grades_in(judged, catalog)
    queries = (*judged.queries, *judged.negatives)
    answers = ask(catalog, queries, grades, limit=limit, progress=progress, clock=clock)
    rows = _queries(judged.queries, answers, grades)
    before = _paired(baseline, rows, baseline_name)
    negatives = [answers[query.id] for query in judged.negatives]
    return SetReport(
        name=judged.name,
        skills=len(catalog),
        distractors=distractors,
        limit=limit,
        baseline=baseline_name if baseline is not None else None,
        rows=rows_by_kind(rows, before),
        groups=rows_by_group(rows, before),
        latency=_latency(answers.values()),
        abstention=abstention([answers[query.id] for query in judged.queries], negatives)
        if negatives
        else None,
        queries=rows,
        negatives=tuple(map(_negative, judged.negatives, negatives)),
    )


def evaluate_run(
    judged: JudgedSet,
    run: Run,
    *,
    limit: int = LIMIT,
    baseline: SetReport | None = None,
    baseline_name: str = "baseline",
) -> SetReport:
    """Return what the ranked lists of another system are worth on a set; their states are not known."""
    answers = {
        query.id: Answer(_listed(run.get(query.id, ())[:limit], judged.qrels[query.id]))
        for query in judged.queries
    }
    rows = _queries(judged.queries, answers, judged.qrels)
    before = _paired(baseline, rows, baseline_name)
    return SetReport(
        name=judged.name,
        skills=len(judged.skills),
        distractors=0,
        limit=limit,
        baseline=baseline_name if baseline is not None else None,
        rows=rows_by_kind(rows, before),
        groups=rows_by_group(rows, before),
        latency=None,
        abstention=None,
        queries=rows,
        negatives=(),
    )


def _listed(ranked: Iterable[tuple[str, float]], grades: Mapping[str, int]) -> tuple[HitReport, ...]:
    return tuple(
        HitReport(name=name, score=score, grade=max(0, grades.get(name, 0))) for name, score in ranked
    )


def _queries(
    queries: Iterable[JudgedQuery], answers: Mapping[str, Answer], grades: Grades
) -> tuple[QueryReport, ...]:
    figures = measure(grades, {query: [hit.name for hit in answers[query].hits] for query in grades})
    return tuple(_query(query, answers[query.id], grades[query.id], figures[query.id]) for query in queries)


def _query(
    query: JudgedQuery, answer: Answer, grades: Mapping[str, int], figures: Mapping[str, float]
) -> QueryReport:
    needed = {name: grade for name, grade in sorted(grades.items()) if grade > 0}
    places = (place for place, hit in enumerate(answer.hits, start=1) if hit.name in needed)
    return QueryReport(
        id=query.id,
        text=query.text,
        group=query.group,
        kinds=kinds_of(query.text, len(needed)),
        needed=needed,
        state=answer.state,
        confidence=answer.confidence,
        hits=answer.hits,
        rank=next(places, None),
        ms=answer.ms,
        metrics=dict(figures),
    )


def _negative(query: JudgedQuery, answer: Answer) -> NegativeReport:
    return NegativeReport(
        id=query.id,
        text=query.text,
        group=query.group,
        state=answer.state or "none",
        confidence=answer.confidence,
        score=answer.score,
        hit=answer.hits[0].name if answer.hits else None,
    )


def _latency(answers: Iterable[Answer]) -> Latency:
    taken = sorted(answer.ms or 0.0 for answer in answers)
    last = len(taken) - 1
    return Latency(p50=taken[round(last * 0.5)], p95=taken[round(last * 0.95)])


def _paired(
    baseline: SetReport | None, queries: Sequence[QueryReport], name: str
) -> dict[str, Mapping[str, float]] | None:
    """Return the figures of a baseline by query id; raises `SkillIndexError` where it lacks a query."""
    if baseline is None:
        return None
    known: dict[str, Mapping[str, float]] = {query.id: query.metrics for query in baseline.queries}
    for query in queries:
        if query.id not in known:
            message = f"{name!r} has no answer to query {query.id!r}; measure it on the same set"
            raise SkillIndexError(message)
    return known
