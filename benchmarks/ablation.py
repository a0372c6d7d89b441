"""
What each part of the ranking earns: the defaults, and the defaults with one part off.

    python -m benchmarks.ablation DATA [--queries 0] [--json FILE]

DATA/ranking holds the judged sets, one a folder.  Every row is nDCG@10 of the default answer, the
first ten hits with the gate on.  The average is that of the nine sets on which the defaults were
learned; the two beside them have no part in it.  The data is not part of the project;
without it there is nothing to run.

Bodies are told apart in two ways: "no body words" gives what stands in them no weight, but
neighbours in bodies still count; "no pairs" takes those.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.datasets import DEV_SETS, MORE_SETS
from benchmarks.judging import lacks, load
from benchmarks.tune import mean, turned
from skill_index.settings import FieldWeights, SearchSettings

RESULTS = Path(__file__).parent / "results" / "ablation.json"
MOST = {"seal-tools": 300, "metatool-single": 600}  # queries; thousands more say the same more slowly
_DEFAULTS = SearchSettings()
_TEXTBOOK = {f"weights.{field.name}.b": 0.75 for field in dataclasses.fields(FieldWeights)} | {"k1": 1.2}

ROWS: dict[str, SearchSettings] = {
    "defaults": _DEFAULTS,
    "no background": turned(_DEFAULTS, {"background": 0.0}),
    "no pairs": turned(_DEFAULTS, {"pair_lift": 0.0}),
    "no name lift": turned(_DEFAULTS, {"name_lift": 0.0}),
    "no uses": turned(_DEFAULTS, {"weights.uses.weight": 0.0}),
    "no quotes": turned(_DEFAULTS, {"weights.quotes.weight": 0.0}),
    "no headings": turned(_DEFAULTS, {"weights.headings.weight": 0.0}),
    "no body words": turned(
        _DEFAULTS, {f"weights.{field}.weight": 0.0 for field in ("body", "headings", "quotes")}
    ),
    "no synonyms": dataclasses.replace(_DEFAULTS, synonyms=()),
    "no related words": turned(_DEFAULTS, {"related_discount": 0.0}),
    "fragments as words": turned(_DEFAULTS, {"fragment": 1.0}),
    "no exact form": turned(_DEFAULTS, {"exact_form": 0.0}),
    "no corrections": dataclasses.replace(_DEFAULTS, corrected_words=0),
    "no negative": turned(_DEFAULTS, {"negative": 0.0}),
    "textbook": turned(_DEFAULTS, _TEXTBOOK),
    "gate off": turned(_DEFAULTS, {"gate_least": 0.0}),
}
"""Each row's settings; "textbook" is the usual k1 = 1.2 and b = 0.75 for every field."""


def main() -> int:
    """Measure every row and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure what each part of the ranking earns.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--queries", type=int, default=0, help="queries of a set at most; 0 for all")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    if lacks(options.data, (*DEV_SETS, *MORE_SETS)):
        return 0
    figures = ablate(options.data, options.queries)
    report(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def ablate(data: Path, queries: int) -> dict[str, Any]:
    """Return the figure of every row on every set."""
    rows: dict[str, dict[str, float]] = {row: {} for row in ROWS}
    asked: dict[str, int] = {}
    for name in (*DEV_SETS, *MORE_SETS):
        bench = load(data, name, min(filter(None, (queries, MOST.get(name, 0))), default=0))
        asked[name] = len(bench.queries)
        for row, settings in ROWS.items():
            rows[row][name] = round(bench.score(settings), 2)
        print(f"{name}: {rows['defaults'][name]}", file=sys.stderr, flush=True)
    averages = {row: round(mean([scores[name] for name in DEV_SETS]), 2) for row, scores in rows.items()}
    return {"measure": "nDCG@10", "queries": asked, "rows": rows, "averages": averages}


def report(figures: Mapping[str, Any]) -> None:
    """Print the figures for a person."""
    table = Table("", "average", *figures["queries"])
    for row, scores in figures["rows"].items():
        table.add_row(row, f"{figures['averages'][row]:.2f}", *(f"{score:.1f}" for score in scores.values()))
    Console(width=220).print(table)


if __name__ == "__main__":
    sys.exit(main())
