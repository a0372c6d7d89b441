"""The cache: when it looks, what it keeps, and what it says when there is nothing new."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from skill_index.discovery import Reader
from skill_index.errors import SourceError
from skill_index.findings import Finding, Severity
from skill_index.model import Origin, RawSkill, Skill, Unchanged
from skill_index.sources import CachedSource, Item, Known, MemorySource, unknown
from skill_index.sources.caching import KEYS

GOOD = "---\nname: {0}\ndescription: Does {0}.\n---\n"


@dataclass
class Store:
    """A store of one skill, whose name says how often it was looked at."""

    label: str = "store"
    looks: int = 0
    error: Exception | None = None
    stamp: str | None = None

    def scan(self) -> Iterator[Item]:
        """Yield the skill, or fail."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield the skill, unchanged where its stamp is known."""
        self.looks += 1
        origin = Origin("store", "", "a/SKILL.md")
        if self.stamp is not None and known(origin) == self.stamp:
            yield Unchanged(origin)
        else:
            yield RawSkill(origin, GOOD.format(f"n{self.looks}").encode(), stamp=self.stamp)
        if self.error is not None:
            raise self.error


@dataclass
class Clock:
    """A clock that is set by hand."""

    now: float = 100.0

    def __call__(self) -> float:
        """Return the time that was set."""
        return self.now


def shown(source: CachedSource, known: Known = unknown) -> list[str]:
    """Return the names of the skills and the codes of findings, unchanged ones as '='."""
    lines = []
    for item in source.rescan(known):
        if isinstance(item, RawSkill):
            lines.append(item.data.split()[2].decode())
        else:
            lines.append(f"!{item.code}" if isinstance(item, Finding) else "=")
    return lines


def test_it_looks_again_when_it_is_due() -> None:
    """Within the interval the answer is that of the last look; at its end there is a new one."""
    store, clock = Store(), Clock()
    source = CachedSource(store, 10, clock=clock)
    seen = []
    for clock.now in (100.0, 109.9, 110.0, 119.9, 120.0):
        seen += shown(source)
    assert (seen, store.looks, source.label) == (["n1", "n1", "n2", "n2", "n3"], 3, "store")


def test_an_interval_of_nothing_always_looks() -> None:
    """Then only failures are bridged."""
    source = CachedSource(Store(), 0, clock=Clock())
    assert shown(source) + shown(source) == ["n1", "n2"]


@pytest.mark.parametrize("interval", [-1, float("nan")])
def test_an_interval_is_a_time(interval: float) -> None:
    """A negative one is a mistake."""
    with pytest.raises(ValueError, match="at least 0 seconds"):
        CachedSource(Store(), interval)


@pytest.mark.parametrize(
    "error", [SourceError("store", "is down", "start it"), OSError(5, "I/O"), ValueError("odd")]
)
def test_a_failure_shows_the_last_good_answer(error: Exception) -> None:
    """Whole, though the new one broke off after its first skill; with a warning that stays the same."""
    store, clock = Store(), Clock()
    source = CachedSource(store, 10, clock=clock)
    shown(source)
    store.error = error
    clock.now += 10
    first, second = list(source.scan()), list(source.scan())
    finding, skill = first
    assert isinstance(finding, Finding)
    assert isinstance(skill, RawSkill)
    assert (finding.code, finding.severity, finding.path) == ("last-good", Severity.WARNING, "store")
    assert "the last good answer is shown" in finding.message
    assert b"n1" in skill.data
    assert (first, store.looks) == (second, 2)
    store.error = None
    clock.now += 10
    assert shown(source) == ["n3"]


def test_without_a_good_answer_the_failure_is_raised_until_it_is_due() -> None:
    """A server that is down is not asked at every search."""
    store, clock = Store(error=SourceError("x", "is down", "start it")), Clock()
    source = CachedSource(store, 10, clock=clock)
    caught = []
    for _ in range(2):
        with pytest.raises(SourceError, match="'store': is down; start it") as error:
            shown(source)
        caught.append(error.value)
    assert caught[0] is not caught[1]
    assert store.looks == 1
    store.error = None
    clock.now += 10
    assert shown(source) == ["n2"]


def test_what_is_unchanged_is_said_to_those_who_know_it() -> None:
    """A reader with the stamp gets no bytes, one without gets them, whoever caused the look."""
    store, clock = Store(stamp="v1"), Clock()
    source = CachedSource(store, 10, clock=clock)
    (raw,) = source.scan()
    assert isinstance(raw, RawSkill)
    known = {raw.origin: raw.stamp}.get
    for clock.now in (105.0, 115.0, 125.0):
        assert (shown(source, known), shown(source)) == (["="], ["n1"])
    store.stamp = "v2"
    clock.now = 200
    assert (shown(source, known), shown(source)) == (["n4"], ["n4"])


def test_readers_of_one_cache_do_not_mix() -> None:
    """Each gets every skill, in whatever order they read."""
    store, clock = Store(stamp="v1"), Clock()
    source = CachedSource(store, 0, clock=clock)
    first, second = Reader((source,)), Reader((source,))
    for reader in (first, first, second, first, second):
        assert [skill.name for skill in reader.read()[0]] == ["n1"]


@dataclass
class Keyed:
    """A key that is set by hand."""

    now: int = 0
    asked: list[int] = field(default_factory=list)

    def __call__(self) -> int:
        """Return the key that was set."""
        return self.now

    def scan_of(self, source: CachedSource, key: int) -> list[str]:
        """Return what a key sees."""
        self.now = key
        return shown(source)


def test_each_key_has_its_own_answer() -> None:
    """What one user may see is not shown to another."""
    key = Keyed()
    source = CachedSource(Store(), 10, key=key, clock=Clock())
    assert [key.scan_of(source, who) for who in (1, 2, 1, 2)] == [["n1"], ["n2"], ["n1"], ["n2"]]


def test_the_key_used_least_recently_is_given_up() -> None:
    """Sixty-four answers are kept; one used again stays."""
    key, store = Keyed(), Store()
    source = CachedSource(store, 10, key=key, clock=Clock())
    for who in range(KEYS):
        key.scan_of(source, who)
    key.scan_of(source, 0)
    assert store.looks == KEYS
    key.scan_of(source, KEYS)
    assert (key.scan_of(source, 0), store.looks) == (["n1"], KEYS + 1)
    assert key.scan_of(source, 1) == [f"n{KEYS + 2}"]


def test_threads_share_one_look() -> None:
    """Many at once ask once, and all get the same answer."""
    gate = threading.Barrier(8)
    store = Store()
    source = CachedSource(store, 1_000)

    def ask(_: int) -> list[str]:
        gate.wait(10)
        return shown(source)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(8))) == [["n1"]] * 8
    assert store.looks == 1


def test_ready_made_skills_and_findings_are_kept_as_they_are() -> None:
    """Only what has a stamp can be said to be unchanged."""
    told = Finding("mine", Severity.INFO, "said")

    @dataclass
    class Ready:
        label: str = "ready"

        def scan(self) -> Iterator[Item]:
            yield told
            yield Skill("a", "b")
            yield from MemorySource({"m/SKILL.md": GOOD.format("m")}).scan()

    source = CachedSource(Ready(), 10)
    first, second = list(source.rescan(lambda _: None)), list(source.rescan(lambda _: None))
    assert first == second
    assert [type(item) for item in first] == [Finding, Skill, RawSkill]
