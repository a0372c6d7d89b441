"""
What a search answers with: hits that say why, near misses apart, and what was left out.

`ranking` speaks of positions and terms; a user wants skills under names that can be passed
back verbatim.  Text for models is made of these values elsewhere (`skill_index.render`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from skill_index.findings import Note
from skill_index.model import Skill
from skill_index.ranking import Evidence, State
from skill_index.text import escape, one_line


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
    """The name of a skill that has words of the query and is no hit all the same, and why."""

    name: str
    reason: str


class NoWhy:
    """Stands where results were made by hand or came out of a pickle, without their catalog."""

    def __call__(self, name: str) -> str:
        """Say that the question must be asked of a fresh search."""
        return f"these results are apart from their catalog; search again to ask about {one_line(name)!r}"


@dataclass(frozen=True, slots=True)
class SearchResults:
    """
    The answer to one query, honest about what it left out.

    `hits` are the skills found, best first; results without hits are false.  `state` is "exact"
    (the query names these skills), "strong", "weak" (they cover little of the query) or "none" (no
    hits).  `confidence` is the number behind it, from 0 to 1, for a threshold of one's own.

    `total` counts every match, `remaining` those not in `hits`, and `follow_up` is a query for the
    next of them, None if there are none.  `near` are the skills that came closest where nothing
    matched, `rejected` those that shared words with the query, but too few to count.  `notes` say
    what of the query was ignored, corrected, cut or not found.
    """

    query: str
    state: State
    hits: tuple[Hit, ...] = ()
    near: tuple[Hit, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[Note, ...] = ()
    total: int = 0
    follow_up: str | None = None
    confidence: float = 0.0
    why: Callable[[str], str] = field(default=NoWhy(), compare=False, repr=False)

    def why_not(self, name: str) -> str:
        """Return in one sentence why a skill is not among the hits, or at which place it is."""
        return self.why(name)

    def _repr_html_(self) -> str:
        """Return a table for notebooks; every value is escaped."""
        rows = "".join(
            f"<tr><td>{hit.score:.2f}</td><td>{escape(hit.name)}</td><td>{escape(hit.skill.description)}</td></tr>"
            for hit in self.hits
        )
        head = f"{escape(self.query, 200)}: {self.state}, {len(self.hits)} of {self.total}"
        notes = "".join(f"<li>{escape(note.message)}</li>" for note in self.notes)
        return f"<table><caption>{head}</caption>{rows}</table><ul>{notes}</ul>"

    def __bool__(self) -> bool:
        """Whether there are hits; near misses do not count."""
        return bool(self.hits)

    @property
    def remaining(self) -> int:
        """How many matches are not in `hits`."""
        return self.total - len(self.hits)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the hits, best first."""
        return tuple(hit.name for hit in self.hits)
