"""
What a search answers with: hits that say why, near misses apart, and what was left out.

`ranking` speaks of positions and terms; a user wants skills under names that can be passed
back verbatim.  These are those values, free of any text made for models (`skill_index.render`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from skill_index.findings import Note
from skill_index.model import Skill
from skill_index.ranking import Evidence

State = Literal["exact", "strong", "weak", "none"]


@dataclass(frozen=True, slots=True)
class Hit:
    """
    One skill of an answer.

    `name` is what every tool accepts for it: the bare name where that is unambiguous, else the
    qualified `id`.  `evidence` says which word met which term, where and how; its scores sum to
    `score`, which is finite and comparable within one answer only.
    """

    name: str
    id: str
    skill: Skill
    score: float
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A skill that matched and was held back, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class SearchResults:
    """
    The answer to one query, honest about what it left out.

    `state` is "exact" (the query names these skills), "strong", "weak" (hits, but they cover
    little of the query) or "none" (no hits; `near` may hold what came closest).  `total` counts
    every match, `remaining` those not in `hits`, and `follow_up` is a query for the next of them.
    """

    query: str
    state: State
    hits: tuple[Hit, ...] = ()
    near: tuple[Hit, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[Note, ...] = ()
    total: int = 0
    follow_up: str | None = None

    @property
    def remaining(self) -> int:
        """How many matches are not in `hits`."""
        return self.total - len(self.hits)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the hits, best first."""
        return tuple(hit.name for hit in self.hits)
