"""
What a log of events says about the skills: what is found, what is missed, what is loaded.

The question: which descriptions should be rewritten, and which skills nobody needs.  The choice:
counts of plain facts, each with the skills or queries behind it, most telling first.  A skill
that no search finds needs other words; one that is found and never loaded promises something
else than it is; a query that misses often is a skill that is not there, or is called otherwise.

Rejected: rates per skill and trends over time, which a few hundred calls cannot carry.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from skill_index.names import fold_name
from skill_index.text import one_line
from skill_index.tools.events import Event
from skill_index.tools.reply import Text

_ASKING = ("searched", "described")  # the kinds of call that answer a query with hits
_MISSING = ("none", "weak")


class Count(BaseModel):
    """How often something was there."""

    model_config = ConfigDict(frozen=True)

    name: Text
    count: int


class Share(Count):
    """How often something was there, and which part of all answers that is, from 0 to 1."""

    share: float


class Loads(Count):
    """How often a skill was loaded, and at which place of the answer before it usually stood."""

    median_rank: float | None = Field(description="null: it was in no answer before.")


class UsageReport(BaseModel):
    """
    What events tell, every list with the greatest count first, then by name.

    >>> report = UsageReport.of([Event("searched", "t", query="Fill forms", state="none")], ["a:pdf"])
    >>> report.missed, report.never_found
    ((Count(name='Fill forms', count=1),), ('a:pdf',))
    """

    model_config = ConfigDict(frozen=True)

    events: int
    unread: int = Field(description="Lines of the log that hold no event.")
    kinds: tuple[Count, ...] = Field(description="Calls of each kind.")
    states: tuple[Share, ...] = Field(description="Answers of each state.")
    never_found: tuple[Text, ...] = Field(description="Skills of the catalog that were in no answer.")
    never_loaded: tuple[Count, ...] = Field(description="Skills found, how often, and never loaded.")
    missed: tuple[Count, ...] = Field(description="Queries that found little or nothing.")
    loaded: tuple[Loads, ...] = Field(description="Skills that were loaded.")
    refused: tuple[Count, ...] = Field(description="Refusals of each code.")
    elsewhere: tuple[Text, ...] = Field(description="Skills of events that the catalog does not have.")

    @classmethod
    def of(cls, events: Iterable[Event], names: Iterable[str] = (), *, unread: int = 0) -> Self:
        """
        Return the report on some events; `names` are the ids of the catalog they came from.

        Without names it cannot tell which skills were never found.  `unread` is passed on as it is.
        """
        told = list(events)
        known = set(names)
        found = Counter(hit for event in told if event.kind in _ASKING for hit in set(event.found))
        ranks = _ranks(told)
        states = Counter(event.state for event in told if event.state)
        return cls(
            events=len(told),
            unread=unread,
            kinds=_counts(Counter(event.kind for event in told)),
            states=tuple(
                Share(name=each.name, count=each.count, share=each.count / states.total())
                for each in _counts(states)
            ),
            never_found=tuple(sorted(known - found.keys())),
            never_loaded=_counts({name: count for name, count in found.items() if name not in ranks}),
            missed=_missed(told),
            loaded=tuple(
                Loads(name=each.name, count=each.count, median_rank=_median(ranks[each.name]))
                for each in _counts({name: len(places) for name, places in ranks.items()})
            ),
            refused=_counts(Counter(event.code for event in told if event.kind == "refused")),
            elsewhere=tuple(sorted((found.keys() | ranks.keys()) - known)) if known else (),
        )


def read_events(lines: Iterable[str | bytes]) -> tuple[list[Event], int]:
    """
    Return the events that lines hold, and how many lines hold none.

    Blank lines are passed by.  A log may be cut, mixed with another or from a later version: what
    can be read is worth reporting, and what cannot is counted.
    """
    events: list[Event] = []
    unread = 0
    for line in lines:
        if not line.strip():
            continue
        try:
            events.append(Event.from_json(line))
        except ValueError:
            unread += 1
    return events, unread


def _counts(counted: Mapping[str, int]) -> tuple[Count, ...]:
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Count(name=name, count=count) for name, count in ordered)


def _ranks(events: Iterable[Event]) -> dict[str, list[int | None]]:
    """Return for each skill that was loaded the place it had, each time."""
    ranks: dict[str, list[int | None]] = defaultdict(list)
    for event in events:
        if event.kind == "loaded":
            ranks[event.skill].append(event.rank)
    return ranks


def _median(places: Iterable[int | None]) -> float | None:
    from statistics import median

    known = [place for place in places if place is not None]
    return float(median(known)) if known else None


def _missed(events: Iterable[Event]) -> tuple[Count, ...]:
    """Count queries that found little, one for all spellings, shown as the first of them."""
    shown: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for event in events:
        query = one_line(event.query)
        if query and event.kind in _ASKING and event.state in _MISSING:
            folded = fold_name(query)
            shown.setdefault(folded, query)
            counted[folded] += 1
    return _counts({shown[folded]: count for folded, count in counted.items()})
