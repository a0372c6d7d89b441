"""
What to say where filters leave no hit: what nothing has, what was meant, or what holds all back.

A filter stays as strict as it was written.  Who wrote it should learn what to change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from skill_index.findings import Note
from skill_index.query import Excluded, Query, Required
from skill_index.ranking.filters import holding
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import asked_tokens


def required_missing(
    index: Indexed, held: Mapping[Required, Array], corrected: Mapping[str, Sequence[str]], *, near: bool
) -> Note:
    """
    Return the note that no record has what is required, or that those which have it are held back.

    `held` are the records that hold what each clause requires, `corrected` near words for those that no
    record holds: a filter is not changed to them unasked.
    """
    absent = [clause for clause, docs in held.items() if not len(docs)]
    words = " ".join(map(str, absent or held))
    meant = tuple(str(each) for clause in absent for each in _near(index, clause, corrected))
    if not absent and len(reduce(np.intersect1d, held.values())):
        told = f"every skill that has {words} where it is required is held back by the rest of the query"
    else:
        told = f"no skill has {words} where it is required"
    if meant:
        told += f"; did you mean {' or '.join(meant)}"
    elif near:
        told += "; the nearest have the words elsewhere or otherwise"
    return Note("required-missing", told, words, meant)


def _near(index: Indexed, clause: Required, corrected: Mapping[str, Sequence[str]]) -> list[Required]:
    """Return a clause of one word with each word that is near and that some record has there."""
    if len(asked_tokens(clause.item.text)) > 1:
        return []
    meant = [Required(replace(clause.item, text=form)) for form in corrected.get(clause.item.text, ())]
    return [each for each in meant if len(holding(index, each))]


def all_held_back(query: Query) -> Note:
    """Return the note that filters leave nothing of what the words of a query find."""
    held_by = (each for each in query.clauses if isinstance(each, Excluded) or each in query.sources)
    words = " ".join(map(str, held_by))
    return Note("all-held-back", f"every skill that fits the words is held back, as {words} asks for", words)
