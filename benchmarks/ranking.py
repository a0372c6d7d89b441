"""
Rank the skills of labelled sets with this library and with what could be used instead.

    python benchmarks/ranking.py DATA [--only ours] [--part sets|pool] [--sets NAME ...] [--queries N]

Every system answers the queries of every set, once among the skills of the set alone and, for sets
of real skills, once among all skills of a pool.  DATA (or SKILL_INDEX_DATA) is a folder outside
the project; without one there is nothing to run.  What was not run again keeps its rows in the
result file, and the tables of benchmarks/README.md say so.

The queries come in one shuffled order.  A system has `--seconds` for the queries of a set; a slow
one answers only the first of them, which is a fair sample, and its row says how many.  One that
needs longer than `--patience` for its first query is not asked another.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, only this file's folder is there

from benchmarks.datasets import DEV_SETS, MORE_SETS, Task, tasks  # noqa: E402
from benchmarks.systems import OURS, SYSTEMS, MissingPackageError, System  # noqa: E402
from benchmarks.tables import MEASURES, insert, render  # noqa: E402
from skill_index.evaluation import JudgedQuery  # noqa: E402
from skill_index.evaluation.metrics import measure  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "ranking.json"
PAGE = ROOT / "benchmarks" / "README.md"
LIMIT = 10
LEAST = 20  # queries a slow system answers all the same
PACKAGES = ("bm25s", "PyStemmer", "tantivy", "Whoosh", "RapidFuzz", "ir-measures")
PEERS = ("agent-skill-search", "agentskills-retrieval", "fastmcp")


def main() -> int:
    """Run what was asked for and write the result file and the tables."""
    options = parse_options()
    if options.data is None or not (options.data / "ranking").is_dir():
        print(f"skipped: no data ({options.data} holds no ranking/)")
        return 0
    systems = list(available(options.only))
    stamp = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    for task in tasks(options.data, options.sets, options.part):
        for system in systems:
            found = run(system, task, options)
            print(f"{task.name:28} {system.name:36}", *found.values(), flush=True)
            record(options.json, task, system.name, {"run": stamp, **found})
    if options.json == RESULTS:
        insert(PAGE, render(read(RESULTS)))
    return 0


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare rankings on labelled sets.")
    default = os.environ.get("SKILL_INDEX_DATA")
    parser.add_argument("data", type=Path, nargs="?", default=Path(default) if default else None)
    parser.add_argument("--only", nargs="+", help=f"systems to run, by name; 'ours' is {OURS}")
    parser.add_argument("--sets", nargs="+", default=[*DEV_SETS, *MORE_SETS])
    parser.add_argument(
        "--part", choices=("all", "sets", "pool"), default="all", help="alone, or among the pool"
    )
    parser.add_argument("--queries", type=int, help="at most so many queries of a set, a fixed sample")
    parser.add_argument("--seconds", type=float, default=30.0, help="for one system's queries of one set")
    parser.add_argument("--patience", type=float, default=3.0, help="seconds for the first query")
    parser.add_argument("--json", type=Path, default=RESULTS)
    return parser.parse_args()


def available(only: Sequence[str] | None) -> Iterator[System]:
    """Make the systems asked for, saying which cannot be made."""
    wanted = {OURS if name == "ours" else name for name in only or ()}
    for make in SYSTEMS:
        try:
            system = make()
        except MissingPackageError as missing:
            print(f"skipped: {missing}")
            continue
        if not wanted or system.name in wanted:
            yield system


def run(system: System, task: Task, options: argparse.Namespace) -> dict[str, Any]:
    """Build a system on a set, ask it the queries, and return what it is worth and what it took."""
    asked = shuffled(task)[: options.queries]
    build_seconds = seconds_of(lambda: system.build(task.skills))
    # What is made at the first question is not the time of one, so it is asked apart.
    first_seconds = seconds_of(lambda: system.rank(asked[0].text, LIMIT))
    if first_seconds > options.patience:
        return {"queries": 0, "first_query_seconds": round(first_seconds, 1)}
    ranked: dict[str, list[str]] = {}
    took: list[float] = []
    until = time.perf_counter() + options.seconds
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        for query in progress.track(asked, description=f"{task.name}: {system.name}"):
            before = time.perf_counter()
            if before > until and len(took) >= LEAST:
                break
            ranked[query.id] = system.rank(query.text, LIMIT)
            took.append(time.perf_counter() - before)
    found = measure({query: task.judged.qrels[query] for query in ranked}, ranked).values()
    return {
        "queries": len(ranked),
        **{name: round(statistics.fmean(row[name] for row in found), 4) for name in MEASURES},
        "build_seconds": round(build_seconds, 2),
        "p50_ms": round(statistics.median(took) * 1000, 3),
    }


def seconds_of(act: Callable[[], object]) -> float:
    """Return how long something takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def shuffled(task: Task) -> list[JudgedQuery]:
    """Return the queries in the one order in which all systems meet them."""
    queries = task.judged.queries
    return random.Random(0).sample(queries, len(queries))  # noqa: S311 - a sample, no secret


def versions(packages: Sequence[str] = (*PACKAGES, *PEERS)) -> dict[str, str]:
    """Return the versions of the packages that are installed."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in packages:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def read(path: Path) -> dict[str, Any]:
    """Return the figures of earlier runs."""
    if not path.exists():
        return {"versions": {}, "sets": {}}
    figures: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return figures


def record(path: Path, task: Task, system: str, row: dict[str, Any]) -> None:
    """Put one row into the result file at once, so that a run that is stopped keeps what it had."""
    figures = read(path)
    # What is not installed now was when its rows were measured.
    figures["versions"] = figures["versions"] | versions()
    of_set = figures["sets"].setdefault(task.name, {"systems": {}})
    of_set |= {"skills": len(task.skills), "queries": len(task.judged.queries)}
    of_set["systems"][system] = row
    path.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
