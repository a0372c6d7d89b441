"""
What mistyped words cost: judged queries as they are, and with one slip in each of their longer words.

    python -m benchmarks.typos DATA [--seeds 5] [--json FILE]

DATA/ranking holds the judged sets.  A slip leaves out, doubles, replaces or swaps a letter of every word
of five letters or more, by chance; nDCG@10 is the mean over so many draws.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import re
import statistics
import string
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.judging import Bench, lacks
from skill_index.evaluation import JudgedSet
from skill_index.settings import SearchSettings

SETS = ("skillsbench-keywords", "nvidia-skills", "bfcl-live", "metatool-multi")
LONG = 5  # letters from which on a word is mistyped
_WORD = re.compile(rf"[A-Za-z]{{{LONG},}}")


def main() -> int:
    """Measure every set and return the exit code."""
    parser = argparse.ArgumentParser(description="Measure what mistyped words cost.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, default=5, help="draws of slips")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    if lacks(options.data, SETS):
        return 0
    figures = {name: measured(options.data / "ranking" / name, options.seeds) for name in SETS}
    table = Table("set", "as it is", "mistyped", "least and most of the draws")
    for name, (as_is, mistyped, least, most) in figures.items():
        table.add_row(name, f"{as_is:.1f}", f"{mistyped:.1f}", f"{least:.1f} to {most:.1f}")
    Console(width=100).print(table)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def measured(folder: Path, seeds: int) -> tuple[float, float, float, float]:
    """Return nDCG@10 of a set as it is, and its mean, least and most with slips, in per cent."""
    judged = JudgedSet.load(folder)
    draws = [_score(with_slips(judged, seed)) for seed in range(seeds)]
    found = (_score(judged), statistics.fmean(draws), min(draws), max(draws))
    return tuple(round(value, 1) for value in found)  # type: ignore[return-value]


def _score(judged: JudgedSet) -> float:
    return Bench.of(judged).score(SearchSettings())


def with_slips(judged: JudgedSet, seed: int) -> JudgedSet:
    """Return a set with a slip in each longer word of its queries."""
    rng = random.Random(seed)  # noqa: S311 - a sample, no secret
    queries = (
        dataclasses.replace(query, text=_WORD.sub(lambda word: slip(word[0], rng), query.text))
        for query in judged.queries
    )
    return dataclasses.replace(judged, queries=tuple(queries))


def slip(word: str, rng: random.Random) -> str:
    """Return a word with one letter left out, doubled, replaced or swapped with the next."""
    at = rng.randrange(len(word) - 1)
    before, letter, after = word[:at], word[at], word[at + 1 :]
    way = rng.randrange(4)
    if way == 0:
        return before + after
    if way == 1:
        return before + letter + letter + after
    if way == 2:
        others = string.ascii_lowercase.replace(letter.lower(), "")
        return before + rng.choice(others) + after
    return before + after[0] + letter + after[1:]


if __name__ == "__main__":
    sys.exit(main())
