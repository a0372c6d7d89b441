"""
One contest: every system builds the same skills, each in a process of its own, then all are asked.

The question: what one system has loaded or left on the heap must not weigh on another, and other
work on the machine must not fall on one of them alone.  The choice: a fresh process for each system
and build, in turn; the last ones stay, and the queries go round from one to the next in small
batches, so that only one computes at any time and a slow minute hits all.  No query is asked twice,
so no cache of answers helps.  A query's time is that of the processor, which all threads of a system
share; on an idle machine it is the wall's, and on a busy one the work of others is not in it.  A build,
which may have reason to use several cores, is timed by the wall as well; what its helpers hold meanwhile is
its memory.

A system that needs longer than it may is ended, or not asked on, and its row says so.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.systems import MissingPackageError
from benchmarks.timing.entrants import ENTRANTS, asking, requires
from benchmarks.timing.memory import Peak, memory_mb
from benchmarks.timing.texts import Query, read_skills

LIMIT = 5
ROUNDS = 5
BUILDS = 3
QUICK = 2.0  # seconds: what builds faster builds again, and its best time counts
COUNTED = ("numpy", "pydantic", "whoosh")  # what is loaded in the build is part of its time and memory
READING = 600.0  # seconds for the skills to be in memory, before any clock runs

_PROCESSOR = time.get_clock_info("process_time").resolution < 1e-6  # too coarse on some systems
clock = time.process_time if _PROCESSOR else time.perf_counter

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds that a system has for its build with a first answer, and for all queries of one kind."""

    build: float = 300.0
    queries: float = 0.5


@dataclass(slots=True)
class Tally:
    """
    What one system did with the queries of one kind.

    `over` is how long a first one took that took too long; `ended` says that its process is gone.
    """

    times: list[float] = field(default_factory=list)
    found: int = 0
    over: float | None = None
    ended: bool = False

    def row(self) -> dict[str, float]:
        """Return what is written down: times in milliseconds, or the seconds of one query over budget."""
        if self.ended:
            return {"ended": True}
        if self.over is not None:
            return {"over_seconds": round(self.over, 2)}
        return {
            "queries": len(self.times),
            "p50_ms": _digits(statistics.median(self.times) * 1000),
            "p95_ms": _digits(sorted(self.times)[len(self.times) * 95 // 100] * 1000),
            "found": round(self.found / len(self.times), 3),
        }


class Entrant:
    """A system in a process of its own."""

    def __init__(self, name: str, skills: Path, first: Query) -> None:
        context = multiprocessing.get_context("spawn")
        self.name = name
        self._pipe, theirs = context.Pipe()
        # No daemon: those may not start processes of their own, and a build may.
        self._process = context.Process(target=compete, args=(name, skills, first, theirs))
        self._process.start()
        theirs.close()

    def built(self, seconds: float) -> dict[str, Any]:
        """Return the row of the build: its figures, or why there are none."""
        told = self.told(READING)
        if told == "ready":
            told = self.told(seconds)
        if told is None:
            failed = not self._process.is_alive()
            self.end()
            return {"failed": self._process.exitcode} if failed else {"over_budget": seconds}
        return dict(told)

    def answers(
        self, queries: Sequence[Query], seconds: float, patience: float
    ) -> tuple[list[float], int] | None:
        """Return the times of the queries it got to, and how many found their skill; None if it ended."""
        if not self._process.is_alive():
            return None
        self._pipe.send((queries, seconds))
        told: tuple[list[float], int] | None = self.told(patience)
        if told is None:
            self.end()
        return told

    def told(self, seconds: float) -> Any:
        """Return what the process says within the time, None if it does not."""
        try:
            return self._pipe.recv() if self._pipe.poll(seconds) else None
        except (EOFError, OSError):
            self._process.join()
            return None

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def steps(systems: int, kinds: int) -> int:
    """Return how often a contest says what it does, at most."""
    return systems * (BUILDS + (ROUNDS + 1) * kinds)


def hold(
    skills: Path,
    queries: Mapping[str, Sequence[Query]],
    budget: Budget,
    say: Say,
    names: Iterable[str] = tuple(ENTRANTS),
) -> dict[str, dict[str, Any]]:
    """Let systems build a file of skills and answer queries of several kinds; return a row for each."""
    first = next(iter(queries.values()))[0]
    rows: dict[str, dict[str, Any]] = {}
    there: dict[str, Entrant] = {}
    try:
        for turn in range(BUILDS):
            for name in names:
                if turn and rows[name].get("build_seconds", QUICK) >= QUICK:
                    continue
                say(f"{name}: build")
                if name in there:
                    there.pop(name).end()
                there[name] = Entrant(name, skills, first)
                rows[name] = _better(rows.get(name), there[name].built(budget.build))
        asked = [there[name] for name, row in rows.items() if "build_seconds" in row]
        for name, kinds in _asked(asked, queries, budget, say).items():
            rows[name]["kinds"] = {kind: tally.row() for kind, tally in kinds.items()}
    finally:
        for entrant in there.values():
            entrant.end()
    return rows


def _better(before: dict[str, Any] | None, now: dict[str, Any]) -> dict[str, Any]:
    """Return the least of each figure; a build that failed at all has failed."""
    if before is None or "build_seconds" not in now:
        return now
    return {name: min(before[name], value) for name, value in now.items()}


def _asked(
    entrants: Sequence[Entrant], queries: Mapping[str, Sequence[Query]], budget: Budget, say: Say
) -> dict[str, dict[str, Tally]]:
    """Ask everyone the first query of each kind, then the others in rounds."""
    tallies = {entrant.name: {kind: Tally() for kind in queries} for entrant in entrants}
    for turn in range(ROUNDS + 1):
        for kind, of_kind in queries.items():
            batch = of_kind[:1] if turn == 0 else of_kind[turn::ROUNDS]
            for entrant in entrants:
                tally = tallies[entrant.name][kind]
                if tally.ended or tally.over is not None:
                    continue
                say(f"{entrant.name}: {kind}")
                told = entrant.answers(batch, budget.queries / ROUNDS, budget.build)
                if told is None:
                    tally.ended = True
                elif turn:
                    tally.times += told[0]
                    tally.found += told[1]
                elif told[0][0] > budget.queries:
                    tally.over = told[0][0]
    return tallies


def compete(name: str, skills: Path, first: Query, pipe: Connection) -> None:
    """Be the process of one system: build, then answer batches of queries until the pipe ends."""
    if early := [module for module in COUNTED if module in sys.modules]:
        message = f"{early} is loaded before the clock runs; import it later in what starts the contest"
        raise RuntimeError(message)
    given = list(read_skills(skills))
    held = memory_mb("VmRSS")
    pipe.send("ready")
    started, spent = time.perf_counter(), _spent()
    try:
        system = ENTRANTS[name]()
    except MissingPackageError as missing:
        pipe.send({"skipped": str(missing)})
        return
    with Peak() as peak:
        system.build(given)
        ask = asking(system, LIMIT)
        ask(first)
    seconds, processor = time.perf_counter() - started, _spent() - spent
    pipe.send(
        {
            "build_seconds": _digits(seconds),
            "build_processor_seconds": _digits(processor),
            "added_mb": round(peak.mb - held, 1),
            "requires": requires(name, system),
        }
    )
    del given
    while True:
        try:
            queries, budget = pipe.recv()
        except EOFError:
            return
        pipe.send(_timed(ask, queries, budget))


def _timed(
    ask: Callable[[Query], list[str]], queries: Sequence[Query], budget: float
) -> tuple[list[float], int]:
    times: list[float] = []
    found = 0
    until = clock() + budget
    for query in queries:
        began = clock()
        names = ask(query)
        ended = clock()
        times.append(ended - began)
        found += query.target in names
        if ended > until:
            break
    return times, found


def _spent() -> float:
    """Return the processor's seconds of this process and of those that it had work for it and end."""
    times = os.times()
    return clock() + times.children_user + times.children_system


def _digits(value: float) -> float:
    """Return a value to three digits that count."""
    return float(f"{value:.3g}")
