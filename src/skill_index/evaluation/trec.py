"""
Judgments and ranked lists in the formats of TREC, for runs that another system made.

A run has six columns: query id, "Q0", name, rank, score, tag.  As the evaluation tools of TREC
do, the score decides the order and the rank is not believed; equal scores keep the order of names,
so that the order of lines never counts.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from skill_index.evaluation.files import bad_line, text_lines
from skill_index.evaluation.judged import JudgedQuery, JudgedSet, columns_of, load_qrels
from skill_index.text import well_formed

Run: TypeAlias = Mapping[str, tuple[tuple[str, float], ...]]
"""Ranked names with their scores, best first, by query id."""


def load_run(path: str | os.PathLike[str]) -> Run:
    """Return the ranked lists of a run; raises `SkillIndexError` that names the line that is none."""
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in text_lines(path):
        columns = columns_of(line)
        if len(columns) != 6:
            raise bad_line(path, number, "has not six columns: query id, Q0, name, rank, score, tag")
        query, _, name, _, said, _ = columns
        try:
            score = float(said)
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise bad_line(path, number, f"the score is a number, not {said!r}")
        if name in scores[query]:
            raise bad_line(path, number, f"ranks {name!r} for {query!r} a second time")
        scores[query][name] = score
    return {
        query: tuple(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))
        for query, found in sorted(scores.items())
    }


def judged_by(place: str | os.PathLike[str]) -> JudgedSet:
    """
    Return the judgments of a folder, or of a qrels file alone: a set without texts and skills.

    Queries that no skill serves say nothing about a ranking and are left out of a file's.
    """
    if Path(place).is_dir():
        return JudgedSet.load(place)
    judged = {
        query: names
        for query, names in load_qrels(place).items()
        if any(grade > 0 for grade in names.values())
    }
    queries = tuple(JudgedQuery(query, "") for query in judged)
    return JudgedSet(well_formed(Path(place).name), (), queries, judged)


def load_trec(qrels: str | os.PathLike[str], run: str | os.PathLike[str]) -> tuple[JudgedSet, Run]:
    """Return judgments and the ranked lists to measure by them (see `judged_by`, `load_run`)."""
    return judged_by(qrels), load_run(run)
