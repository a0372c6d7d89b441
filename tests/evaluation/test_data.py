"""Real judged sets, where there are some: the variable SKILL_INDEX_DATA names a folder of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skill_index.evaluation import JudgedSet, evaluate

DATA = os.environ.get("SKILL_INDEX_DATA", "")
SETS = sorted(path.parent for path in Path(DATA).glob("*/queries.jsonl")) if DATA else []


@pytest.mark.skipif(not SETS, reason="skipped: no data")
@pytest.mark.parametrize("folder", SETS or [Path()], ids=lambda folder: folder.name)
def test_real_sets_can_be_measured(folder: Path) -> None:
    """Every query has its figures, and most have a needed skill among the first ten."""
    judged = JudgedSet.load(folder)
    report = evaluate(judged)
    assert report.rows[0].queries == len(judged.queries)
    assert report.rows[0].metrics["Recall@10"].mean > 0.3
