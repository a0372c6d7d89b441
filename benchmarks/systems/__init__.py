"""
The systems that are measured side by side: this library first, then what a user could take instead.

Each has a file of its own, so that it can be judged by itself: what it indexes, how it asks, and
where it was helped.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.systems.agent_skill_search import AgentSkillSearchSystem
from benchmarks.systems.agentskills_retrieval import AgentSkillsRetrievalSystem
from benchmarks.systems.base import MissingPackageError, System
from benchmarks.systems.bm25 import bm25_long_stop_list, bm25_short, bm25_whole
from benchmarks.systems.deerflow import DeerFlowNew, DeerFlowOld
from benchmarks.systems.fastmcp_search import FastMCPSystem
from benchmarks.systems.fts5 import FTS5System
from benchmarks.systems.minibot import MinibotSystem
from benchmarks.systems.ours import SkillIndexSystem
from benchmarks.systems.rapidfuzz_alone import RapidFuzzSystem
from benchmarks.systems.tantivy_index import tantivy_one_field, tantivy_two_fields
from benchmarks.systems.whoosh_index import WhooshSystem

__all__ = ["OURS", "SYSTEMS", "MissingPackageError", "System"]

OURS = SkillIndexSystem.name
SYSTEMS: tuple[Callable[[], System], ...] = (
    SkillIndexSystem,
    bm25_long_stop_list,
    bm25_whole,
    bm25_short,
    tantivy_one_field,
    tantivy_two_fields,
    FTS5System,
    WhooshSystem,
    AgentSkillSearchSystem,
    AgentSkillsRetrievalSystem,
    FastMCPSystem,
    DeerFlowNew,
    DeerFlowOld,
    MinibotSystem,
    RapidFuzzSystem,
)
