"""The tables of the benchmark page, made from the result file so that the two cannot differ."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.datasets import DEV_SETS, HAYSTACK_SETS, MORE_SETS, POOLED
from benchmarks.systems import OURS

BEGIN, END = "<!-- ranking tables -->", "<!-- end of ranking tables -->"
MEASURES = ("nDCG@10", "Recall@10", "Hit@1", "MRR")

Rows = Mapping[str, Mapping[str, Any]]  # by set, what one system did there


def render(figures: Mapping[str, Any]) -> str:
    """Return the tables for all that is in the result file."""
    rows: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, of_set in figures["sets"].items():
        for system, row in of_set["systems"].items():
            if row["queries"]:
                rows[system][name] = {**row, "sampled": row["queries"] < of_set["queries"]}
    buried = [f"{name}{POOLED}" for name in HAYSTACK_SETS]
    parts = [
        *_titled("Averages over the first nine sets of the next table:", _averages(rows, DEV_SETS)),
        *_titled("nDCG@10 on each set (skills; queries):", _each(figures, rows, [*DEV_SETS, *MORE_SETS])),
        *_titled("Averages over the five sets of real skills, each among the pool:", _averages(rows, buried)),
        *_titled("nDCG@10 on each of them:", _each(figures, rows, buried)),
        *_titled(
            "\\* Of a random sample, as large as the time for a set allowed; queries answered:",
            _samples(figures),
        ),
        *_titled("Measured again, apart from the others, so that times do not compare:", _runs(figures)),
        "Versions: " + ", ".join(f"{name} {version}" for name, version in figures["versions"].items()) + ".",
    ]
    return "\n\n".join(parts)


def insert(page: Path, text: str, begin: str = BEGIN, end: str = END) -> None:
    """Put the tables between the marks of a page."""
    before, _, rest = page.read_text("utf-8").partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        message = f"{page} has no line {end}; write it and {begin} where the tables belong"
        raise ValueError(message)
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", "utf-8")


def _averages(rows: Mapping[str, Rows], sets: Sequence[str]) -> str:
    lines = []
    for system, found in rows.items():
        if not all(name in found for name in sets):
            continue
        means = [statistics.fmean(found[name][key] for name in sets) for key in MEASURES]
        times = [ratio for name in sets if (ratio := _times_ours(rows, system, name)) is not None]
        ratio = statistics.geometric_mean(times) if len(times) == len(sets) else None
        sampled = any(found[name]["sampled"] for name in sets)
        time = "" if ratio is None else f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"
        lines.append((means[0], [system, *(_percent(mean, sampled=sampled) for mean in means), time]))
    lines.sort(key=lambda line: -line[0])
    return table(["system", *MEASURES, "time, ours = 1"], [cells for _, cells in lines])


def _times_ours(rows: Mapping[str, Rows], system: str, name: str) -> float | None:
    """Return the time of a query beside ours, None for another run: the machine may have been another."""
    theirs, ours = rows[system][name], rows[OURS][name]
    return float(theirs["p50_ms"] / ours["p50_ms"]) if theirs["run"] == ours["run"] else None


def _each(figures: Mapping[str, Any], rows: Mapping[str, Rows], sets: Sequence[str]) -> str:
    sets = [name for name in sets if name in figures["sets"]]
    sizes = [figures["sets"][name] for name in sets]
    heads = [
        f"{name.removesuffix(POOLED)} ({size['skills']:,}; {size['queries']:,})"
        for name, size in zip(sets, sizes, strict=True)
    ]
    found = {system: [row.get(name) for name in sets] for system, row in rows.items()}
    lines = [
        [system, *(_percent(row["nDCG@10"], sampled=row["sampled"]) if row else "" for row in of_system)]
        for system, of_system in sorted(found.items(), key=lambda pair: -_total(pair[1]))
        if any(of_system)
    ]
    return table(["system", *heads], lines)


def _total(rows: Sequence[Mapping[str, Any] | None]) -> float:
    return sum(float(row["nDCG@10"]) for row in rows if row)


def _samples(figures: Mapping[str, Any]) -> str:
    """Say which systems were too slow for all queries, and how many they answered."""
    slow: dict[str, list[str]] = defaultdict(list)
    for name, of_set in figures["sets"].items():
        for system, row in of_set["systems"].items():
            if not row["queries"]:
                slow[system].append(f"none on {name} (one took {row['first_query_seconds']} s)")
            elif row["queries"] < of_set["queries"]:
                slow[system].append(f"{row['queries']} on {name}")
    return "\n".join(f"* {system}: {', '.join(counts)}" for system, counts in slow.items())


def _runs(figures: Mapping[str, Any]) -> str:
    """Return the systems that were measured apart from the others of a set, with their runs."""
    apart: dict[str, set[str]] = defaultdict(set)
    for of_set in figures["sets"].values():
        runs = [row["run"] for row in of_set["systems"].values()]
        for system, row in of_set["systems"].items():
            if row["run"] != statistics.mode(runs):
                apart[system].add(row["run"])
    return "\n".join(f"* {system}: {', '.join(sorted(runs))} UTC" for system, runs in apart.items())


def _percent(share: float, *, sampled: bool) -> str:
    return f"{100 * share:.1f}" + ("\\*" if sampled else "")


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a table, or nothing where it would have no lines."""
    marks = ["---", *("--:" for _ in heads[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, marks, *lines]) if lines else ""


def _titled(title: str, text: str) -> list[str]:
    return [title, text] if text else []
