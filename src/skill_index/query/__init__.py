"""
Turn any text into nodes; pure, and strange to skills.

    tokens → selection | keywords → nodes

`parse_query` is the door; the rest are the values it gives back.
"""

from skill_index.query.nodes import (
    Clause,
    Excluded,
    Operand,
    Phrase,
    Query,
    Required,
    Select,
    Word,
    select_query,
)
from skill_index.query.parser import parse_query

__all__ = [
    "Clause",
    "Excluded",
    "Operand",
    "Phrase",
    "Query",
    "Required",
    "Select",
    "Word",
    "parse_query",
    "select_query",
]
