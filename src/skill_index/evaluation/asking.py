"""
Asking a catalog every query of a set, once, as an agent would ask it, and timing each answer.

Only what a report keeps is held on to: an answer of a search refers to its whole catalog.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillIndexError
from skill_index.evaluation.judged import JudgedQuery, JudgedSet
from skill_index.evaluation.report import HitReport, Piece
from skill_index.ranking import State
from skill_index.results import Hit

_EXPLAINED = 3  # first hits whose evidence is kept; those of needed skills are, too
_PIECES = 5  # strongest parts of a score that are kept

Progress = Callable[[int], None]
Clock = Callable[[], float]
Grades = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits, and what only a search of ours says: the state, its coverage, how long it took."""

    hits: tuple[HitReport, ...]
    state: State | None = None
    coverage: float = 0.0
    ms: float | None = None

    @property
    def score(self) -> float:
        """The score of the first hit, 0 where there is none."""
        return self.hits[0].score if self.hits else 0.0


def ask(
    catalog: SkillCatalog,
    queries: Iterable[JudgedQuery],
    grades: Grades,
    *,
    limit: int,
    progress: Progress | None = None,
    clock: Clock = time.perf_counter,
) -> dict[str, Answer]:
    """Return the answers by query id; the index is built before the first query is timed."""
    catalog.ranker()
    answers: dict[str, Answer] = {}
    for count, query in enumerate(queries, start=1):
        began = clock()
        results = catalog.search(query.text, limit=limit)
        taken = (clock() - began) * 1000
        judged = grades.get(query.id, {})
        hits = tuple(_hit(hit, place, judged) for place, hit in enumerate(results.hits))
        answers[query.id] = Answer(hits, results.state, results.coverage, taken)
        if progress is not None:
            progress(count)
    return answers


def grades_in(judged: JudgedSet, catalog: SkillCatalog) -> dict[str, dict[str, int]]:
    """
    Return the judgments of a set by the names under which the catalog answers.

    A judgment may name a skill by key, id or a bare name that only one skill has.  Raises
    `SkillIndexError` for a needed skill that the catalog does not hold: it could not be found by
    any search, and every figure would be about that.
    """
    holders = Counter(entry.skill.name for entry in catalog.entries)
    keys = {entry.id: entry.key for entry in catalog.entries}
    keys |= {entry.skill.name: entry.key for entry in catalog.entries if holders[entry.skill.name] == 1}
    keys |= {entry.key: entry.key for entry in catalog.entries}
    for query in judged.queries:
        missing = [name for name in judged.needed(query.id) if name not in keys]
        if missing:
            message = (
                f"the judged set {judged.name!r} needs {missing[0]!r} for query {query.id!r}, "
                f"which is not among the {len(catalog)} skills; correct qrels.tsv or add the skill"
            )
            raise SkillIndexError(message)
    return {
        query.id: {keys.get(name, name): grade for name, grade in judged.qrels[query.id].items()}
        for query in judged.queries
    }


def _hit(hit: Hit, place: int, grades: Mapping[str, int]) -> HitReport:
    grade = grades.get(hit.name, 0)
    kept = place < _EXPLAINED or grade > 0
    strongest = sorted(hit.evidence, key=lambda piece: -abs(piece.score))[:_PIECES] if kept else ()
    pieces = (Piece(word=p.word, how=p.how, fields=p.fields, score=p.score) for p in strongest)
    return HitReport(name=hit.name, score=hit.score, grade=grade, evidence=tuple(pieces))
