"""The judged queries over the sample skills: every kind keeps a floor."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from skill_index import SkillIndex

EXAMPLES = Path(__file__).parents[1] / "examples"
QUERIES = [json.loads(line) for line in (EXAMPLES / "queries.jsonl").read_text("utf-8").splitlines()]
INDEX = SkillIndex.from_paths(EXAMPLES / "skills")

# Share of queries whose every relevant skill is among the first five, set below what is measured,
# so that a change that costs a kind several answers is seen and a tie that moves is not.
FLOORS = {
    "name": 1.0,
    "keyword": 0.97,
    "paraphrase": 0.95,
    "typo": 0.9,
    "multi": 0.9,
    "non-english": 0.9,
}
FALSE_STRONG = 0.2
"""Share of the negatives that may be answered strong: they share words with skills on purpose."""


def test_there_are_enough_queries_of_each_kind() -> None:
    """At least 150 in all, and every name judged exists."""
    kinds = Counter(query["kind"] for query in QUERIES)
    assert set(kinds) == {*FLOORS, "negative"}
    assert len(QUERIES) >= 150
    assert min(kinds.values()) >= 20
    assert all(name in INDEX for query in QUERIES for name in query["relevant"])


def found() -> dict[str, list[bool]]:
    """Return, for each kind, whether every relevant skill of each query is in the first five."""
    results: dict[str, list[bool]] = defaultdict(list)
    for query in QUERIES:
        names = set(INDEX.search(query["query"], limit=5).names)
        results[query["kind"]].append(set(query["relevant"]) <= names)
    return results


@pytest.mark.parametrize("kind", FLOORS)
def test_each_kind_keeps_its_floor(kind: str) -> None:
    """The right skills are among the first five."""
    hits = found()[kind]
    assert sum(hits) / len(hits) >= FLOORS[kind], f"{sum(hits)} of {len(hits)}"


def test_most_negatives_are_not_answered_strong() -> None:
    """What no skill serves is answered weak or not at all, mostly."""
    states = [INDEX.search(query["query"]).state for query in QUERIES if query["kind"] == "negative"]
    assert states.count("exact") == 0
    assert states.count("strong") / len(states) <= FALSE_STRONG
