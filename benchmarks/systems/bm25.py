"""
Plain BM25 by bm25s, the usual baseline of retrieval papers: one text a skill, stemmed.

Three forms: name and description, as most users index; everything, as most papers do; and that with
the longer of the stop lists of bm25s, which takes the politeness out of requests.  Words are split at
inner capitals, underscores and hyphens before they are counted, so that `getUserName` is found by
"user name"; without that BM25 looks worse than it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.systems.base import package, short_text, split_words, whole_text
from skill_index import Skill


class BM25System:
    """bm25s with its defaults, English stop words and Snowball stems."""

    def __init__(self, name: str, text_of: Callable[[Skill], str], stop_list: str | list[str] = "en") -> None:
        self.name = name
        self._text_of = text_of
        self._stop_list = stop_list
        self._bm25s = package("bm25s", "bm25s")
        self._stem = package("Stemmer", "PyStemmer").Stemmer("english")
        self._names: list[str] = []
        self._index: Any = None

    def build(self, skills: Sequence[Skill]) -> None:
        """Index one text a skill."""
        self._names = [skill.name for skill in skills]
        self._index = self._bm25s.BM25()
        texts = [self._text_of(skill) for skill in skills]
        self._index.index(self._words(texts), show_progress=False)

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the best scored skills that share a word with the query."""
        found, scores = self._index.retrieve(
            self._words([text]), k=min(limit, len(self._names)), show_progress=False
        )
        return [self._names[at] for at, score in zip(found[0], scores[0], strict=True) if score > 0]

    def _words(self, texts: Sequence[str]) -> Any:
        split = [split_words(text) for text in texts]
        return self._bm25s.tokenize(split, stopwords=self._stop_list, stemmer=self._stem, show_progress=False)


def bm25_short() -> BM25System:
    """Make the form over names and descriptions."""
    return BM25System("bm25s, name and description", short_text)


def bm25_whole() -> BM25System:
    """Make the form over everything."""
    return BM25System("bm25s, whole text", whole_text)


def bm25_long_stop_list() -> BM25System:
    """Make the form over everything in which more words count as saying nothing."""
    return BM25System("bm25s, whole text, long stop list", whole_text, "en_plus")
