"""
Rank the skills of labelled sets with this library and with what could be used instead.

    python benchmarks/ranking.py DATA [--only ours] [--sets NAME ...] [--no-pool] [--queries N]

Every system answers the queries of every set, once among the skills of the set alone and, for sets
of real skills, once among all skills of a pool.  DATA (or SKILL_INDEX_DATA) is a folder outside
the project; without one there is nothing to run.  What was not run again keeps its rows in the
result file, and the tables of benchmarks/README.md say so.

The queries come in one shuffled order.  A system has `--seconds` for the queries of a set; a slow
one answers only the first of them, which is a fair sample, and its row says how many.
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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, only this file's folder is there

from benchmarks import tables  # noqa: E402
from benchmarks.datasets import DEV_SETS, HAYSTACK_SETS, MORE_SETS, Dataset, among, load, load_pool  # noqa: E402
from benchmarks.measures import measure  # noqa: E402
from benchmarks.systems import OURS, SYSTEMS, MissingPackageError, System  # noqa: E402

LIMIT = 10
LEAST = 20  # queries a slow system answers all the same
PACKAGES = [
    "bm25s",
    "PyStemmer",
    "tantivy",
    "Whoosh",
    "RapidFuzz",
    "agent-skill-search",
    "agentskills-retrieval",
    "fastmcp",
    "ir-measures",
]


def main() -> int:
    """Run what was asked for and write the result file and the tables."""
    options = parse_options()
    if options.data is None or not (options.data / "ranking").is_dir():
        print(f"skipped: no data ({options.data} holds no ranking/)")
        return 0
    systems = list(available(options.only))
    figures = read(options.json)
    stamp = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    for dataset in datasets(options.data, options.sets, pool=options.pool):
        row = figures["sets"].setdefault(dataset.name, {"systems": {}})
        row["skills"], row["queries"] = len(dataset.skills), len(dataset.queries)
        for system in systems:
            found = run(system, dataset, options.queries, options.seconds)
            row["systems"][system.name] = {"run": stamp, **found}
            print(f"{dataset.name:32}{system.name:32}{found}")
            write(options.json, figures)
    figures["versions"] = versions()
    write(options.json, figures)
    if options.page:
        tables.insert(options.page, tables.render(figures))
    return 0


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare rankings on labelled sets.")
    default = os.environ.get("SKILL_INDEX_DATA")
    parser.add_argument("data", type=Path, nargs="?", default=Path(default) if default else None)
    parser.add_argument("--only", nargs="+", help=f"systems to run, by name; 'ours' is {OURS}")
    parser.add_argument("--sets", nargs="+", default=[*DEV_SETS, *MORE_SETS])
    parser.add_argument("--no-pool", dest="pool", action="store_false", help="leave the haystacks out")
    parser.add_argument("--queries", type=int, help="at most so many queries of a set, a fixed sample")
    parser.add_argument("--seconds", type=float, default=30.0, help="for one system's queries of one set")
    parser.add_argument("--json", type=Path, default=ROOT / "benchmarks" / "results" / "ranking.json")
    parser.add_argument("--page", type=Path, help="write the tables into this page, between its marks")
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


def datasets(data: Path, names: Sequence[str], *, pool: bool) -> Iterator[Dataset]:
    """Read the sets, alone first; the pool is parsed once."""
    sets = [load(data, name) for name in names]
    yield from sets
    buried = [dataset for dataset in sets if dataset.name in HAYSTACK_SETS]
    if pool and buried:
        others = load_pool(data)
        yield from (among(dataset, others) for dataset in buried)


def run(system: System, dataset: Dataset, queries: int | None, seconds: float) -> dict[str, Any]:
    """Build a system on a set, ask it the queries, and return what it is worth and what it took."""
    started = time.perf_counter()
    system.build(dataset.skills)
    built = time.perf_counter() - started
    ranked: dict[str, list[str]] = {}
    took: list[float] = []
    asked = shuffled(dataset)[:queries]
    system.rank(asked[0][1], LIMIT)  # what is made at the first question is not the time of one
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task(f"{dataset.name}: {system.name}", total=len(asked))
        until = time.perf_counter() + seconds
        for query, text in asked:
            before = time.perf_counter()
            if before > until and len(took) >= LEAST:
                break
            ranked[query] = system.rank(text, LIMIT)
            took.append(time.perf_counter() - before)
            progress.advance(bar)
    return {
        "queries": len(ranked),
        **measure(dataset.relevant, ranked),
        "build_seconds": round(built, 2),
        "p50_ms": round(statistics.median(took) * 1000, 3),
    }


def shuffled(dataset: Dataset) -> list[tuple[str, str]]:
    """Return the queries in the one order in which all systems meet them."""
    return random.Random(0).sample(dataset.queries, len(dataset.queries))  # noqa: S311 - a sample, no secret


def versions() -> dict[str, str]:
    """Return the versions of the packages that are installed."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in PACKAGES:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


def read(path: Path) -> dict[str, Any]:
    """Return the figures of earlier runs."""
    if not path.exists():
        return {"versions": {}, "sets": {}}
    figures: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return figures


def write(path: Path, figures: dict[str, Any]) -> None:
    """Write the figures, so that a run that is stopped keeps what it had."""
    path.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
