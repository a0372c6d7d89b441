"""
Ranking: plain records and query nodes in, scored and explained answers out.

Pure: it knows no files and no skills.  `Ranker` loads numpy and Whoosh, and is therefore found
here only when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skill_index.ranking.records import STATES, Evidence, Ranking, Record, Scored, State

if TYPE_CHECKING:
    from skill_index.ranking.ranker import Ranker

__all__ = ["STATES", "Evidence", "Ranker", "Ranking", "Record", "Scored", "State", "terms_of"]


def __getattr__(name: str) -> Any:
    if name == "Ranker":
        from skill_index.ranking.ranker import Ranker

        return Ranker
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def terms_of(text: str) -> list[str]:
    """Return the terms under which the words of a text are found, as they stand in `Evidence.term`."""
    from skill_index.ranking.analysis import tokens

    return [token.stem for token in tokens(text)]
