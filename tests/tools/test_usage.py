"""What a log of events says about the skills."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.tools import Event, UsageReport
from skill_index.tools.usage import read_events


def search(query: str, state: str, *found: str) -> Event:
    """Make the event of a search."""
    return Event("searched", "search", query=query, state=state, total=len(found), found=found)


def load(skill: str, rank: int | None = None) -> Event:
    """Make the event of a load."""
    return Event("loaded", "load", skill=skill, rank=rank)


def counted(counts: tuple[object, ...]) -> list[tuple[object, ...]]:
    """Return counts as plain tuples."""
    return [tuple(vars(each).values()) for each in counts]


EVENTS = [
    search("Fill a form", "strong", "a:pdf", "a:xls"),
    search("kubernetes", "none"),
    search("fill  a_FORM", "weak", "a:pdf"),
    search("“Kubernetes”", "none"),
    search("kubernetes", "exact", "a:k8s"),
    Event("described", "describe", query="xls", state="exact", found=("a:xls", "a:xls")),
    load("a:pdf", 1),
    load("a:pdf", 4),
    load("a:pdf"),
    load("a:doc"),
    Event("refused", "load", code="skill-not-found"),
    Event("refused", "run", code="not-allowed"),
    Event("refused", "load", code="skill-not-found"),
    Event("listed", "list", found=("a:listed",)),
]
NAMES = ["a:pdf", "a:xls", "a:doc", "a:never", "a:listed"]


def test_the_whole_report() -> None:
    """Every list counts what it says, greatest first, then by name."""
    report = UsageReport.of(EVENTS, NAMES, unread=3)
    assert (report.events, report.unread) == (14, 3)
    assert counted(report.kinds) == [
        ("searched", 5),
        ("loaded", 4),
        ("refused", 3),
        ("described", 1),
        ("listed", 1),
    ]
    assert counted(report.states) == [
        ("exact", 2, 2 / 6),
        ("none", 2, 2 / 6),
        ("strong", 1, 1 / 6),
        ("weak", 1, 1 / 6),
    ]
    assert report.never_found == ("a:doc", "a:listed", "a:never")
    assert counted(report.never_loaded) == [("a:xls", 2), ("a:k8s", 1)]
    assert counted(report.missed) == [("kubernetes", 2), ("fill a_FORM", 1)]
    assert counted(report.loaded) == [("a:pdf", 3, 2.5), ("a:doc", 1, None)]
    assert counted(report.refused) == [("skill-not-found", 2), ("not-allowed", 1)]
    assert report.elsewhere == ("a:k8s",)


def test_without_names_nothing_is_missing() -> None:
    """Which skills there are is not guessed from the events."""
    report = UsageReport.of(EVENTS)
    assert (report.never_found, report.elsewhere) == ((), ())


def test_no_events_make_an_empty_report() -> None:
    """Nothing is divided by nothing; every skill was found by no search."""
    report = UsageReport.of([], ["a:pdf"])
    assert (report.events, report.states, report.missed, report.loaded) == (0, (), (), ())
    assert report.never_found == ("a:pdf",)


@pytest.mark.parametrize("query", ["", "  ", "\u200b\n"])
def test_a_query_of_nothing_is_no_missed_one(query: str) -> None:
    """What cannot be shown is not listed."""
    assert UsageReport.of([search(query, "none")]).missed == ()


IDS = st.sampled_from(["a:1", "a:2", "a:3", "a:4"])
LOGS = st.lists(
    st.builds(
        Event,
        st.sampled_from(["searched", "described", "loaded", "refused", "read"]),
        st.just("t"),
        query=st.sampled_from(["", "one", "ONE", "two words", "two-words"]),
        skill=IDS,
        rank=st.none() | st.integers(1, 9),
        state=st.sampled_from(["", "none", "weak", "strong"]),
        found=st.lists(IDS, max_size=3).map(tuple),
        code=st.sampled_from(["x", "y"]),
    ),
    max_size=30,
)


@given(LOGS, st.integers())
def test_the_order_of_events_does_not_matter(events: list[Event], seed: int) -> None:
    """But for the spelling of a missed query, which is that of the first."""
    shuffled = random.Random(seed).sample(events, len(events))
    hidden = {"missed"}
    names = ["a:1", "a:2", "a:5"]
    report, again = UsageReport.of(events, names), UsageReport.of(shuffled, names)
    assert report.model_dump(exclude=hidden) == again.model_dump(exclude=hidden)
    assert sorted(each.count for each in report.missed) == sorted(each.count for each in again.missed)


@given(LOGS)
def test_the_counts_add_up(events: list[Event]) -> None:
    """Every event is of a kind, shares make one, and a skill is found or it is not."""
    names = ["a:1", "a:2", "a:3", "a:4"]
    report = UsageReport.of(events, names)
    assert sum(each.count for each in report.kinds) == len(events) == report.events
    assert not report.states or sum(each.share for each in report.states) == pytest.approx(1)
    found = {name for event in events if event.kind in ("searched", "described") for name in event.found}
    assert set(report.never_found) == set(names) - found
    loaded = {each.name for each in report.loaded}
    assert {each.name for each in report.never_loaded} == found - loaded
    assert UsageReport.model_validate_json(report.model_dump_json()) == report


def test_lines_that_are_no_events_are_counted() -> None:
    """One bad line stops nothing, blank ones count for nothing, bytes and texts are read alike."""
    lines: list[str | bytes] = [
        EVENTS[0].to_json(),
        "garbage",
        "",
        "  \n",
        b"\xff",
        EVENTS[6].to_json().encode() + b"\r\n",
    ]
    assert read_events(lines) == ([EVENTS[0], EVENTS[6]], 2)
    assert read_events([]) == ([], 0)
