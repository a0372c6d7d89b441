"""
Does an answer know when it has none: judged queries beside queries that nothing answers.

    python -m benchmarks.abstention DATA [--queries 600] [--others 60] [--json FILE]

DATA/ranking holds the judged sets, one a folder.  Two kinds of negatives: a set's own (negatives.jsonl,
where it has one), and queries of all the other sets, which mostly ask for what this one has not.  Some
of either kind are answered all the same, by a skill that nobody judged, so no system gets to 100.

For each kind: the share of the set's queries whose confidence is above that of all but a tenth of the
negatives, and, at the settings' own threshold, the shares of queries and of negatives that are strong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.datasets import DEV_SETS, MORE_SETS
from benchmarks.judging import lacks, sampled
from skill_index import SkillCatalog
from skill_index.evaluation import JudgedSet

SETS = (*DEV_SETS, *MORE_SETS)
ANSWERED = 0.1  # share of the negatives that may be answered
Answers = list[tuple[float, bool]]
"""For each query its confidence, and whether the answer is strong or exact."""


def main() -> int:
    """Measure every set and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure whether answers know when they have none.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--queries", type=int, default=600, help="of a set at most")
    parser.add_argument("--others", type=int, default=60, help="queries of each other set")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    if lacks(options.data, SETS):
        return 0
    figures = measured(options.data, options.queries, options.others)
    report(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def measured(data: Path, queries: int, others: int) -> dict[str, dict[str, Any]]:
    """Return the figures of every set, by the kind of negatives."""
    sets = {name: JudgedSet.load(data / "ranking" / name) for name in SETS}
    texts = {name: [query.text for query in judged.queries] for name, judged in sets.items()}
    figures: dict[str, dict[str, Any]] = {}
    for name, judged in sets.items():
        catalog = SkillCatalog(judged.skills)
        positives = asked(catalog, sampled(texts[name], queries, name))
        foreign = [
            text
            for other in SETS
            if family(other) != family(name)
            for text in sampled(texts[other], others, name + other)
        ]
        kinds = {"own": [query.text for query in judged.negatives], "others": foreign}
        figures[name] = {
            kind: shares(positives, asked(catalog, negatives))
            for kind, negatives in kinds.items()
            if negatives
        }
        print(name, figures[name], file=sys.stderr, flush=True)
    return figures


def family(name: str) -> str:
    """Return what sets of the same skills share."""
    return name.partition("-")[0]


def asked(catalog: SkillCatalog, texts: Sequence[str]) -> Answers:
    """Return what a catalog makes of each text; without a hit it has no confidence at all."""
    found = (catalog.search(text, limit=1) for text in texts)
    return [
        (answer.confidence if answer.hits else -1.0, answer.state in {"strong", "exact"}) for answer in found
    ]


def shares(positives: Answers, negatives: Answers) -> dict[str, float]:
    """
    Return the shares in per cent, rounded, with the number of negatives.

    >>> shares([(0.9, True), (0.2, False)], [(0.3, False), (0.1, False)])
    {'negatives': 2, 'above': 50.0, 'strong': 50.0, 'wrong': 0.0}
    """
    highest = sorted((trust for trust, _ in negatives), reverse=True)
    least = highest[int(ANSWERED * len(highest))]
    return {
        "negatives": len(negatives),
        "above": _percent([trust > least for trust, _ in positives]),
        "strong": _percent([strong for _, strong in positives]),
        "wrong": _percent([strong for _, strong in negatives]),
    }


def _percent(held: Sequence[bool]) -> float:
    return round(100 * sum(held) / len(held), 1)


def report(figures: dict[str, dict[str, Any]]) -> None:
    """Print the figures for a person."""
    table = Table("set", "negatives", "number", "above nine tenths", "strong", "negatives strong")
    for name, kinds in figures.items():
        for kind, row in kinds.items():
            table.add_row(name, kind, *(str(value) for value in row.values()))
    Console(width=120).print(table)


if __name__ == "__main__":
    sys.exit(main())
