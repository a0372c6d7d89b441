"""
Learn field weights, saturation and lifts from judged sets: how the defaults were found.

    python -m benchmarks.tune DATA [--seconds 600] [--candidates N] [--queries 100] [--seed 1] [--json FILE]

DATA/ranking holds the judged sets, one a folder.  From the defaults on, one to three numbers at a
time take a random step, weights and lifts by a factor, length penalties by a difference, and a
candidate is kept if the mean nDCG@10 of the sets grows; every set counts alike, however many queries
it has.  The gate is open, since what it holds back is no matter of order.  A number of candidates
gives the same result every time; seconds do not.

A search like this finds luck, too.  So the last row leaves one set out at a time: each set is
measured with the settings that were best on the mean of the others.  And what is found is only
suggested, rounded: a person decides, and `settings.py` is written by hand.

Rejected: gradients (a ranking has none), a grid (23 numbers), and learning weights for each set,
which users could not repeat for theirs.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.datasets import DEV_SETS
from benchmarks.judging import Bench, lacks, load
from skill_index.settings import SearchSettings

_FIELDS = ("name", "description", "uses", "headings", "quotes", "body")  # the sets have no aliases or tags
_FACTORS = {
    **{f"weights.{field}.weight": 1.5 for field in _FIELDS},
    "k1": 1.4,
    "k3": 1.8,
    "background": 2.0,
    "pair_lift": 1.6,
    "name_lift": 1.6,
    "synonym_discount": 1.4,
    "related_discount": 1.4,
    "fragment": 1.5,
    "exact_form": 2.0,
    "phrase_lift": 1.6,
    "negative": 1.6,
}
"""What a step multiplies or divides by at most."""

_DIFFERENCES = {f"weights.{field}.b": 0.2 for field in _FIELDS}
"""What a step adds or takes at most; a length penalty stays between 0 and 1."""

PARAMETERS = (*_FACTORS, *_DIFFERENCES)
Scores = tuple[float, ...]
Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Settings that were tried, and their figure on each set."""

    settings: SearchSettings
    scores: Scores

    @property
    def mean(self) -> float:
        """The mean of the sets, which is what grows."""
        return mean(self.scores)


def mean(scores: Sequence[float]) -> float:
    """Return the mean; every set counts alike."""
    return math.fsum(scores) / len(scores)


def values_of(settings: SearchSettings) -> Values:
    """Return the numbers that are learned, by their paths such as `weights.name.b`."""
    found: Values = {}
    for path in PARAMETERS:
        value: Any = settings
        for name in path.split("."):
            value = getattr(value, name)
        found[path] = float(value)
    return found


def turned(settings: SearchSettings, values: Mapping[str, float]) -> SearchSettings:
    """
    Return the settings with some numbers replaced.

    >>> turned(SearchSettings(), {"k1": 1.2, "weights.name.b": 0.75}).weights.name
    FieldWeight(weight=6.5, b=0.75)
    """
    for path, value in values.items():
        settings = _replaced(settings, path.split("."), value)
    return settings


def _replaced(node: Any, names: Sequence[str], value: float) -> Any:
    first, *rest = names
    changed = _replaced(getattr(node, first), rest, value) if rest else value
    return dataclasses.replace(node, **{first: changed})


def stepped(values: Values, rng: random.Random) -> Values:
    """Return the numbers with one to three of them moved."""
    moved = dict(values)
    for path in rng.sample(PARAMETERS, rng.randint(1, 3)):
        step = rng.uniform(-1, 1)
        if path in _FACTORS:
            moved[path] *= _FACTORS[path] ** step
        else:
            moved[path] = min(1.0, max(0.0, moved[path] + _DIFFERENCES[path] * step))
    return moved


def tried(
    benches: Sequence[Bench], start: SearchSettings, seed: int, go_on: Callable[[int], bool]
) -> Iterator[Candidate]:
    """Yield the start and then one candidate after another, each a step from the best so far."""
    rng = random.Random(seed)  # noqa: S311 - steps of a search, no secret
    best = _measured(benches, start)
    yield best
    count = 0
    while go_on(count):
        count += 1
        candidate = _measured(benches, turned(start, stepped(values_of(best.settings), rng)))
        if candidate.mean > best.mean:
            best = candidate
        yield candidate


def _measured(benches: Sequence[Bench], settings: SearchSettings) -> Candidate:
    opened = dataclasses.replace(settings, gate_least=0.0)
    return Candidate(settings, tuple(bench.score(opened) for bench in benches))


def best_of(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate with the best mean, the earliest of equals."""
    return max(candidates, key=lambda candidate: candidate.mean)


def left_out(candidates: Sequence[Candidate]) -> Scores:
    """Return for each set the figure of the candidate that is best on the mean of the others."""
    if len(candidates[0].scores) < 2:
        return candidates[0].scores  # no other set to choose by, so nothing was chosen
    found = []
    for place in range(len(candidates[0].scores)):

        def others(candidate: Candidate, place: int = place) -> float:
            return mean(candidate.scores[:place] + candidate.scores[place + 1 :])

        found.append(max(candidates, key=others).scores[place])
    return tuple(found)


def readable(value: float) -> float:
    """
    Return a number rounded to halves of its first digit.

    >>> [readable(value) for value in (8.3, 2.43, 0.81, 137.0, 0.0)]
    [8.5, 2.5, 0.8, 150.0, 0.0]
    """
    if value < 0.01:
        return 0.0
    step = 10 ** math.floor(math.log10(value)) / 2
    return float(f"{round(value / step) * step:.6g}")


def main() -> int:
    """Search for the time and return the exit code."""
    parser = argparse.ArgumentParser(description="Learn the weights of the ranking from judged sets.")
    parser.add_argument("data", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--candidates", type=int, help="try so many, however long it takes")
    parser.add_argument("--queries", type=int, default=100, help="queries of a set at most; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    if lacks(options.data, DEV_SETS):
        return 0
    benches = [load(options.data, name, options.queries, options.seed) for name in DEV_SETS]
    ends, most = time.monotonic() + options.seconds, options.candidates

    def go_on(count: int) -> bool:
        return time.monotonic() < ends if most is None else count < int(most)

    figures = learn(benches, options.seed, go_on)
    report(figures)
    if options.json:
        figures |= {"seconds": options.seconds if most is None else None, "queries": options.queries}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def learn(benches: Sequence[Bench], seed: int, go_on: Callable[[int], bool]) -> dict[str, Any]:
    """Search from the defaults on, print what gets better, and return the figures."""
    start = SearchSettings()
    candidates: list[Candidate] = []
    for candidate in tried(benches, start, seed, go_on):
        if not candidates or candidate.mean > best_of(candidates).mean:
            print(f"{len(candidates):>5}  {candidate.mean:.2f}  {_changed(start, candidate)}", flush=True)
        candidates.append(candidate)
    best = values_of(best_of(candidates).settings)
    suggested = {path: readable(value) for path, value in best.items()}
    rounded = _measured(benches, turned(start, suggested))
    names = [bench.name for bench in benches]
    rows = {
        "defaults": candidates[0].scores,
        "best": best_of(candidates).scores,
        "best, rounded": rounded.scores,
        "one set left out": left_out(candidates),
    }
    return {
        "measure": "nDCG@10, gate open",
        "seed": seed,
        "candidates": len(candidates) - 1,
        "rows": {row: _told(names, scores) for row, scores in rows.items()},
        "averages": {row: round(mean(scores), 2) for row, scores in rows.items()},
        "parameters": {
            path: {"default": value, "best": round(best[path], 3), "rounded": suggested[path]}
            for path, value in values_of(start).items()
        },
    }


def _told(names: Sequence[str], scores: Scores) -> dict[str, float]:
    return {name: round(score, 2) for name, score in zip(names, scores, strict=True)}


def _changed(start: SearchSettings, candidate: Candidate) -> str:
    before, after = values_of(start), values_of(candidate.settings)
    return ", ".join(f"{path} {after[path]:.3g}" for path in PARAMETERS if after[path] != before[path])


def report(figures: Mapping[str, Any]) -> None:
    """Print the figures for a person."""
    for path, values in figures["parameters"].items():
        print(f"{path:<28} {values['default']:>8.3g} {values['best']:>8.3g} {values['rounded']:>8.3g}")
    for row, scores in figures["rows"].items():
        told = " ".join(f"{score:>5.1f}" for score in scores.values())
        print(f"{row:<18} {figures['averages'][row]:>6.2f}  {told}")


if __name__ == "__main__":
    sys.exit(main())
