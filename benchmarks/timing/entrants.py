"""
Who takes part in the speed contest, each as fast as its documentation lets it be.

All that stem words and can drop stop words do, with this library's list: a common word costs each of
them more than all others of a query together, so a longer list would win by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from benchmarks.systems import OURS, System
from benchmarks.systems.base import whole_text
from benchmarks.systems.bm25 import BM25System
from benchmarks.systems.fts5 import FTS5System
from benchmarks.systems.ours import SkillIndexSystem
from benchmarks.systems.rank_bm25_index import RankBM25System
from benchmarks.systems.rapidfuzz_alone import RapidFuzzSystem
from benchmarks.systems.regex_scan import RegexScanSystem
from benchmarks.systems.tantivy_index import TantivySystem
from benchmarks.systems.whoosh_index import WhooshSystem
from benchmarks.timing.texts import Query
from skill_index.wordlists import STOP_WORDS

REFERENCE = "tantivy, one field"

ENTRANTS: dict[str, Callable[[], System]] = {
    OURS: SkillIndexSystem,
    REFERENCE: lambda: TantivySystem(REFERENCE, {"text": 1.0}, STOP_WORDS),
    "tantivy, two fields": lambda: TantivySystem(
        "tantivy, two fields", {"name": 2.0, "text": 1.0}, STOP_WORDS
    ),
    "SQLite FTS5": lambda: FTS5System(STOP_WORDS),
    "bm25s": lambda: BM25System("bm25s", whole_text, sorted(STOP_WORDS)),
    "Whoosh 2.7.4 index": lambda: WhooshSystem(STOP_WORDS),
    "rank_bm25": RankBM25System,
    "rapidfuzz, names": lambda: RapidFuzzSystem("rapidfuzz, names", lambda skill: skill.name),
    "regular expression, scan": RegexScanSystem,
}
"""How to make each system, by the name of its row."""


@runtime_checkable
class Requiring(Protocol):
    """A system with an operator of its own for a word that must be there."""

    def rank_required(self, required: str, text: str, limit: int) -> list[str]:
        """Return the names of at most `limit` skills that have the required word, best first."""


def asking(system: System, limit: int) -> Callable[[Query], list[str]]:
    """Return the way to ask a system; `+word` is just a word to one that cannot require one."""
    rank = system.rank
    # Looked up here, since to ask a protocol takes as long as a quick search.
    required = system.rank_required if isinstance(system, Requiring) else _with_plus(rank)

    def ask(query: Query) -> list[str]:
        if query.required:
            return required(query.required, query.text, limit)
        return rank(query.text, limit)

    return ask


def _with_plus(rank: Callable[[str, int], list[str]]) -> Callable[[str, str, int], list[str]]:
    return lambda required, text, limit: rank(f"+{required} {text}", limit)


def requires(name: str, system: System) -> bool:
    """Return whether a system has an operator for a required word."""
    return name == OURS or isinstance(system, Requiring)
