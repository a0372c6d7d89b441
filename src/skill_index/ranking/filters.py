"""Which records may answer a query: those that match, less what `-word` and `+word` hold back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skill_index.query import Excluded, Query, Required
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import field_columns
from skill_index.ranking.reach import Reach
from skill_index.ranking.respelt import respelt, spellings
from skill_index.ranking.segments import NOTHING
from skill_index.ranking.wordings import Wording, wordings

_NAME = field_columns("name")
# An exclusion is about what a skill is for: a body mentions much in passing, and `-draft` must
# not hide a skill whose instructions say "not a draft".  It hides what says the word, and nothing that
# says another word of its stem.
_STATED = field_columns("name") + field_columns("tag") + field_columns("description")


class Filters(NamedTuple):
    """
    What the clauses of a query hold back, as the records that each one is about, some of them twice.

    Of a hit each of `required` and of `sources` holds it, and none of `excluded`.
    """

    required: tuple[Array, ...]
    sources: tuple[Array, ...]
    excluded: tuple[Array, ...]


def filters(index: Indexed, query: Query) -> Filters:
    """Return what the clauses of a query hold back."""
    return Filters(
        required=tuple([holding(index, clause) for clause in query.required]),
        sources=tuple([index.from_source(item.text) for item in query.sources]),
        excluded=tuple([holding(index, clause) for clause in query.excluded]),
    )


def candidates(told: Filters, reach: Reach, scores: Array) -> tuple[Array, Array | None]:
    """
    Return masks of the records that match and pass, and of those that match and that a `+word` holds back.

    They are over the records that are reached, as the scores are.  The second is None for a query without
    one.  A query of nothing but `+word` is matched by whatever passes, with a score or without.
    """
    passing = np.ones(len(reach), dtype=bool)  # also where no record is: what a place without one scores is 0
    for docs in told.sources:
        passing &= reach.mask(docs)
    for docs in told.excluded:
        passing &= ~reach.mask(docs)
    matched = passing & (scores > 0)
    if not told.required:
        return matched, None
    for docs in told.required:
        passing &= reach.mask(docs)
    return passing, matched & ~passing


def blocking(index: Indexed, query: Query, at: int) -> str:
    """Return which clause of the query holds a record back, "" if none does."""
    for excluded in query.excluded:
        if at in holding(index, excluded):
            return f"it has what {excluded} excludes"
    for required in query.required:
        if at not in holding(index, required):
            return f"it lacks what {required} requires"
    for item in query.sources:
        if at not in index.from_source(item.text):
            return f"it is not from the source {item.text!r}"
    return ""


def holding(index: Indexed, clause: Required | Excluded) -> Array:
    """Return the records that hold a word or phrase where the clause asks for it, some of them twice."""
    item = clause.item
    if item.field == "source":
        return index.from_source(item.text)
    if isinstance(clause, Excluded):
        columns = _STATED if item.field in {None, "any"} else field_columns(item.field)
    else:
        columns = _NAME if item.field is None else field_columns(item.field)
    others = spellings if isinstance(clause, Excluded) else respelt
    found = [NOTHING]
    for wording in wordings(item, others):
        docs = _saying(index, wording, columns)
        found.append(_writing(index, wording, docs) if isinstance(clause, Excluded) else docs)
    return np.concatenate(found)


def _saying(index: Indexed, wording: Wording, columns: tuple[int, ...]) -> Array:
    """Return the records that hold these stems in one of the columns, in sequence if there are several."""
    if len(wording.stems) > 1:
        return index.in_sequence(wording.stems, columns)
    return index.posting(wording.stems[0]).within(columns).docs


def _writing(index: Indexed, wording: Wording, docs: Array) -> Array:
    """Return those of some records that write these very words, and not only others of the same stems."""
    for form, stem in zip(wording.forms, wording.stems, strict=True):
        docs = index.writing(form, index.forms(stem), docs)
    return docs
