"""
The engine of choice for many documents on one machine: tantivy, with English stems.

One field holds the name twice and all else once; two fields score name and text apart, the name
double.  Both are what a user would write first; the query is the OR of its words.  Stop words cost it
half of its time and more, so where speed is measured they are dropped as the index is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from benchmarks.systems.base import package, whole_text
from skill_index import Skill

_WORD = re.compile(r"\w+")


class TantivySystem:
    """A tantivy index in memory."""

    def __init__(self, name: str, weights: dict[str, float], stop_words: Collection[str] = ()) -> None:
        self.name = name
        self._weights = weights
        self._stop_words = stop_words
        self._tantivy = package("tantivy", "tantivy")
        self._names: list[str] = []
        self._index: Any = None
        self._searcher: Any = None

    def build(self, skills: Sequence[Skill]) -> None:
        """Index the skills by their place."""
        schema = self._tantivy.SchemaBuilder()
        schema.add_unsigned_field("at", stored=True)
        for field in self._weights:
            schema.add_text_field(field, tokenizer_name="stopped" if self._stop_words else "en_stem")
        self._index = self._tantivy.Index(schema.build())
        if self._stop_words:
            self._index.register_tokenizer("stopped", self._stopping())
        self._names = [skill.name for skill in skills]
        writer = self._index.writer(heap_size=256_000_000, num_threads=1)
        for at, skill in enumerate(skills):
            writer.add_document(self._document(at, skill))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def _stopping(self) -> Any:
        """Return the analyzer that en_stem names, with a stop list."""
        filters = self._tantivy.Filter
        words = self._tantivy.TextAnalyzerBuilder(self._tantivy.Tokenizer.simple())
        kept = words.filter(filters.remove_long(40)).filter(filters.lowercase())
        kept = kept.filter(filters.custom_stopword(sorted(self._stop_words)))
        return kept.filter(filters.stemmer("english")).build()

    def _document(self, at: int, skill: Skill) -> Any:
        text = whole_text(skill)
        if len(self._weights) == 1:
            return self._tantivy.Document(at=at, text=f"{skill.name}\n{text}")
        return self._tantivy.Document(at=at, name=skill.name, text=text.partition("\n")[2])

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the best scored skills."""
        return self._found(_words(text), limit)

    def rank_required(self, required: str, text: str, limit: int) -> list[str]:
        """Return the same of those with one word in the name; in one field, anywhere."""
        place = "name:" if "name" in self._weights else ""
        return self._found(f"+{place}{_words(required)} {_words(text)}", limit)

    def _found(self, words: str, limit: int) -> list[str]:
        if not words:
            return []
        try:
            query = self._index.parse_query(words, list(self._weights), field_boosts=self._weights)
        except ValueError:  # stop words alone, of which nothing is left to look for
            return []
        found = self._searcher.search(query, limit, count=False).hits
        return [self._names[self._searcher.doc(address)["at"][0]] for _, address in found]


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text)).lower()  # lower: AND, OR and NOT are operators


def tantivy_one_field() -> TantivySystem:
    """Make the form in which the name is repeated."""
    return TantivySystem("tantivy, one field", {"text": 1.0})


def tantivy_two_fields() -> TantivySystem:
    """Make the form in which the name has a field of its own."""
    return TantivySystem("tantivy, two fields", {"name": 2.0, "text": 1.0})
