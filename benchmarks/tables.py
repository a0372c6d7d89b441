"""The tables of the benchmark page, made from the result file so that the two cannot differ."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.datasets import DEV_SETS, HAYSTACK_SETS, MORE_SETS
from benchmarks.measures import MEASURES
from benchmarks.systems import OURS

BEGIN, END = "<!-- ranking tables -->", "<!-- end of ranking tables -->"
POOLED = " + pool"

Rows = Mapping[str, Mapping[str, Any]]  # by set, what one system did there


def render(figures: Mapping[str, Any]) -> str:
    """Return the tables for all that is in the result file."""
    systems = list(dict.fromkeys(name for row in figures["sets"].values() for name in row["systems"]))
    rows = {
        system: {
            name: row["systems"][system] for name, row in figures["sets"].items() if system in row["systems"]
        }
        for system in systems
    }
    buried = [f"{name}{POOLED}" for name in HAYSTACK_SETS]
    parts = [
        "Averages over the nine sets of the first part of the next table:",
        _averages(rows, DEV_SETS),
        "nDCG@10 on each set, skills and queries in its head (the last two are not in the averages):",
        _each(figures, rows, [*DEV_SETS, *MORE_SETS]),
        "Averages over the five sets of real skills, each among the pool:",
        _averages(rows, buried),
        "nDCG@10 on each of them:",
        _each(figures, rows, buried),
        *_remarks(figures, rows),
    ]
    return "\n\n".join(parts)


def insert(page: Path, text: str) -> None:
    """Put the tables between the marks of a page."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        message = f"{page} has no lines {BEGIN} and {END}; write them where the tables belong"
        raise ValueError(message)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def _averages(rows: Mapping[str, Rows], sets: Sequence[str]) -> str:
    lines = []
    for system, found in rows.items():
        if not all(name in found for name in sets):
            continue
        means = [statistics.fmean(found[name][key] for name in sets) for key in MEASURES]
        ratio = statistics.geometric_mean(_times_ours(rows, system, name) for name in sets)
        lines.append([system, *map(_percent, means), f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"])
    lines.sort(key=lambda line: -float(line[1]))
    return _table(["system", *MEASURES.values(), "time, ours = 1"], lines)


def _times_ours(rows: Mapping[str, Rows], system: str, name: str) -> float:
    return float(rows[system][name]["p50_ms"] / rows[OURS][name]["p50_ms"])


def _each(figures: Mapping[str, Any], rows: Mapping[str, Rows], sets: Sequence[str]) -> str:
    sets = [name for name in sets if name in figures["sets"]]
    sizes = [figures["sets"][name] for name in sets]
    heads = [
        f"{name.removesuffix(POOLED)} ({size['skills']:,}; {size['queries']:,})"
        for name, size in zip(sets, sizes, strict=True)
    ]
    lines = [
        [system, *(_percent(found[name]["ndcg"]) if name in found else "" for name in sets)]
        for system, found in rows.items()
        if any(name in found for name in sets)
    ]
    return _table(["system", *heads], lines)


def _remarks(figures: Mapping[str, Any], rows: Mapping[str, Rows]) -> list[str]:
    """Say what is not as the tables suggest: queries left out for time, rows of different runs."""
    samples = {
        system: [
            f"{row['queries']} of {figures['sets'][name]['queries']} on {name}"
            for name, row in found.items()
            if row["queries"] < figures["sets"][name]["queries"]
        ]
        for system, found in rows.items()
    }
    runs = {system: sorted({row["run"] for row in found.values()}) for system, found in rows.items()}
    remarks = [
        f"{system} is slow and answered a sample: {', '.join(counts)}."
        for system, counts in samples.items()
        if counts
    ]
    if len({run for stamps in runs.values() for run in stamps}) > 1:
        told = "; ".join(f"{system}: {', '.join(stamps)}" for system, stamps in runs.items())
        remarks.append(f"Not all rows are of one run, so that times compare only within one ({told}, UTC).")
    return remarks


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    marks = ["---", *("--:" for _ in heads[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, marks, *lines])
