"""
Read and index a folder of real skills, and account for every file.

    python benchmarks/corpus.py FOLDER [--json FILE]

Prints how many files loaded, were repaired or refused, by finding code; the time each step took;
and the answers to a few queries.  Exits 1 when a file is unaccounted for or fewer than 98.5 %
load.  The folder is not part of the project; without one there is nothing to run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(
    0, str(Path(__file__).resolve().parents[1])
)  # run as a script, only this file's folder is there

from benchmarks.timing.memory import Peak, memory_mb
from skill_index import Severity, SkillCatalog, SkillIndex

LOADED_AT_LEAST = 0.985
QUERIES = (
    "fill in a pdf form",
    "review a pull request for security problems",
    "kubernetes deployment keeps crashing",
    "+podcast script",
    "幻灯片",
    "select:pdf,docx",
    "book a flight to Lisbon and reserve a hotel",
)


def main() -> int:
    """Run the report and return the exit code."""
    parser = argparse.ArgumentParser(description="Index a folder of real skills and account for every file.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    if not options.folder.is_dir():
        print(f"skipped: no data ({options.folder} is not a folder)")
        return 0
    figures = measure(options.folder)
    report(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", "utf-8")
    failed = figures["unaccounted"] or figures["loaded_share"] < LOADED_AT_LEAST
    print("FAILED" if failed else "ok: every file is accounted for")
    return 1 if failed else 0


def measure(folder: Path) -> dict[str, Any]:
    """Index the folder and return the figures."""
    files = skill_files(folder)
    with Peak() as peak:
        started, spent = time.perf_counter(), processor()
        index = SkillIndex.from_paths(folder, hidden=True, nested=True)
        read, spent_reading = time.perf_counter(), processor()
        catalog = index.snapshot()
        catalog.ranker()
        built, spent_at_all = time.perf_counter(), processor()
    refused = {finding.path for finding in index.findings if finding.severity is Severity.ERROR}
    loaded = {place.location for entry in catalog.entries for place in entry.places}
    codes = Counter((str(finding.severity), finding.code) for finding in index.findings)
    return {
        "files": len(files),
        "loaded": len(loaded),
        "loaded_share": round(len(loaded) / len(files), 4),
        "refused": len(refused),
        "unaccounted": sorted(files - loaded - refused),
        "skills": len(catalog),
        "merged_copies": len(loaded) - len(catalog),
        "qualified_names": sum(entry.key != entry.skill.name for entry in catalog.entries),
        "findings": {f"{severity} {code}": count for (severity, code), count in sorted(codes.items())},
        "seconds_read_and_parse": round(read - started, 2),
        "seconds_index": round(built - read, 2),
        "processor_seconds_read_and_parse": round(spent_reading - spent, 2),
        "processor_seconds_index": round(spent_at_all - spent_reading, 2),
        "peak_memory_mb": round(memory_mb("VmHWM")),
        "peak_memory_with_helpers_mb": round(peak.mb),
        "queries": [answer(catalog, query) for query in QUERIES],
    }


def processor() -> float:
    """Return the processor's seconds of this process and of those that worked for it and ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def skill_files(folder: Path) -> set[str]:
    """Return every file under the folder that is a SKILL.md in any case, found without the library."""
    return {
        os.path.join(base, name)  # noqa: PTH118 - plain texts, as the library's locations are
        for base, _, names in os.walk(os.path.abspath(folder))  # noqa: PTH100
        for name in names
        if name.casefold() == "skill.md"
    }


def answer(catalog: SkillCatalog, query: str) -> dict[str, Any]:
    """Ask one query, warm, and return what came back and how long it took."""
    catalog.search(query)
    started = time.perf_counter()
    results = catalog.search(query)
    milliseconds = (time.perf_counter() - started) * 1000
    return {
        "query": query,
        "state": results.state,
        "total": results.total,
        "first": list(results.names[:3]),
        "ms": round(milliseconds, 2),
    }


def report(figures: dict[str, Any]) -> None:
    """Print the figures for a person."""
    for name, value in figures.items():
        if name == "findings":
            for code, count in value.items():
                print(f"  {count:>7}  {code}")
        elif name == "queries":
            for row in value:
                timed = f"{row['ms']:>7} ms  {row['state']:<6} {row['total']:>5}"
                print(f"  {timed}  {row['query']}: {row['first']}")
        else:
            print(f"{name:<34}{value}")


if __name__ == "__main__":
    sys.exit(main())
