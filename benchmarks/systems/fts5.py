"""
Full text search as everyone already has it: SQLite FTS5, porter stems, its own bm25.

Every word of the query is quoted, so that none is an operator, and any of them may match; weights
are those of a usual table with a name, a description and a body.  It scores every row that has a word
of the query, so where speed is measured stop words are dropped from the query.
"""

from __future__ import annotations

import re
import sqlite3
import weakref
from collections.abc import Collection, Sequence

from skill_index import Skill

_WORD = re.compile(r"\w+")
_TABLE = "CREATE VIRTUAL TABLE skills USING fts5(name, description, body, tokenize = 'porter unicode61')"
_RANKED = "SELECT name FROM skills WHERE skills MATCH ? ORDER BY bm25(skills, 2.0, 1.0, 1.0), rowid LIMIT ?"


class FTS5System:
    """One FTS5 table in memory."""

    name = "SQLite FTS5"

    def __init__(self, stop_words: Collection[str] = ()) -> None:
        self._stop_words = stop_words
        self._base = self._opened()

    def build(self, skills: Sequence[Skill]) -> None:
        """Fill a fresh table."""
        self._base.close()
        self._base = self._opened()
        self._base.execute(_TABLE)
        rows = ((skill.name, skill.description, skill.instructions) for skill in skills)
        self._base.executemany("INSERT INTO skills VALUES (?, ?, ?)", rows)
        self._base.commit()

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the best scored skills."""
        return self._found(self._any(text), limit)

    def rank_required(self, required: str, text: str, limit: int) -> list[str]:
        """Return the same of those with one word in the name."""
        return self._found(f'name : "{required}" AND ({self._any(f"{required} {text}")})', limit)

    def _opened(self) -> sqlite3.Connection:
        """Return a new base that is closed with this system: from Python 3.13 on, an open one warns."""
        base = sqlite3.connect(":memory:", check_same_thread=False)
        weakref.finalize(self, base.close)
        return base

    def _any(self, text: str) -> str:
        words = dict.fromkeys(word.casefold() for word in _WORD.findall(text))
        return " OR ".join(f'"{word}"' for word in words if word not in self._stop_words)

    def _found(self, matching: str, limit: int) -> list[str]:
        if not matching:
            return []
        return [name for (name,) in self._base.execute(_RANKED, (matching, limit))]
