"""
What an evaluation found, as values that go to JSON and come back equal.

Everything that a table, a page or a comparison shows is here, so that none of them asks a catalog
again, and a report of last month can be compared with one of today.  Evidence is kept for the first
hits and for the needed ones, and only its strongest pieces: all of it would be larger than the skills.
"""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skill_index.errors import SkillIndexError
from skill_index.ranking import State
from skill_index.tools.reply import Text


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Piece(_Frozen):
    """A part of a hit's score: which word of the query met the skill, where, and how."""

    word: Text
    how: str
    fields: tuple[str, ...]
    score: float


class HitReport(_Frozen):
    """A hit; `grade` is 0 for a skill that the query does not need."""

    name: Text
    score: float
    grade: int
    evidence: tuple[Piece, ...] = ()


class QueryReport(_Frozen):
    """A query, how it was answered, and what the answer is worth."""

    id: Text
    text: Text
    group: Text
    kinds: tuple[str, ...]
    needed: dict[Text, int] = Field(description="Names of the skills it needs, with their grades.")
    state: State | None = Field(description="null: the list came from another system.")
    coverage: float
    hits: tuple[HitReport, ...]
    rank: int | None = Field(description="Place of the first needed skill; null: not among the hits.")
    ms: float | None
    metrics: dict[str, float]


class NegativeReport(_Frozen):
    """A query that no skill serves, and what was answered all the same."""

    id: Text
    text: Text
    group: Text
    state: State
    coverage: float
    score: float
    hit: Text | None


class Interval(_Frozen):
    """A mean over queries, and the ends of its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


class Row(_Frozen):
    """The figures of some queries of a set; `delta` is what they gained over the baseline, paired."""

    name: Text
    queries: int
    metrics: dict[str, Interval]
    delta: dict[str, Interval] | None = None


class Point(_Frozen):
    """Which shares of the queries are answered when an answer needs so much."""

    threshold: float
    positives: float
    negatives: float


class Abstention(_Frozen):
    """Shares answered strong or exact, and how they would move with a threshold of one's own."""

    positives: int
    negatives: int
    strong_positives: float
    strong_negatives: float
    by_coverage: tuple[Point, ...]
    by_score: tuple[Point, ...]


class Latency(_Frozen):
    """Milliseconds a query, once the index is built."""

    p50: float
    p95: float


class SetReport(_Frozen):
    """Everything about one judged set; the first of `rows` is about all its queries."""

    name: Text
    skills: int
    distractors: int
    limit: int
    baseline: Text | None
    rows: tuple[Row, ...]
    groups: tuple[Row, ...]
    latency: Latency | None
    abstention: Abstention | None
    queries: tuple[QueryReport, ...]
    negatives: tuple[NegativeReport, ...]


class Report(_Frozen):
    """Several sets; `to_json` and `from_json` are exact inverses."""

    version: int = 1
    sets: tuple[SetReport, ...]

    def to_json(self) -> str:
        """Return the report as JSON."""
        return self.model_dump_json()

    @classmethod
    def from_json(cls, text: str | bytes, name: str = "the text") -> Self:
        """Return the report that `to_json` wrote; raises `SkillIndexError` for any other text."""
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            message = f"{name} is no report of an evaluation: {where or 'whole'}: {first['msg']}"
            raise SkillIndexError(message) from error

    def set_named(self, name: str) -> SetReport | None:
        """Return the report of a set, None when there is none of that name."""
        return next((each for each in self.sets if each.name == name), None)
