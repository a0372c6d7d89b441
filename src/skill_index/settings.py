"""
Every number a user may turn, with its reason beside it.

Frozen, so that a running index cannot change under a search; derive another with
`dataclasses.replace(settings, ...)`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most: files come from strangers, and small inputs can cost much."""

    file_bytes: int = 1 << 20
    """A SKILL.md larger than 1 MiB is refused; the largest of 15,324 real ones has a tenth of it."""

    header_bytes: int = 64 << 10
    """Front matter above 64 KiB is refused before YAML sees it."""

    yaml_depth: int = 20
    """Nesting of front matter; deeper text is an attack, not a skill."""

    yaml_aliases: int = 50
    """Uses of `*alias`; each may multiply what is built (the 'billion laughs' of YAML)."""


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much one field counts, and how strongly its length is held against it (BM25F's w and b)."""

    weight: float
    b: float


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How queries are answered: one default for every catalog."""

    limit: int = 5
    """Hits of a keyword query: enough to hold the right skill, few enough to read each turn."""

    near_limit: int = 3
    """Near misses beside them; a hint, not a second page."""

    query_chars: int = 4_000
    """Keyword text read at most, about 600 words; `select:` is never cut by it."""

    operator_words: int = 16
    """Operators act in one-line queries up to this long; models paste whole tasks, where `-` is a dash."""
