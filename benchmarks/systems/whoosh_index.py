"""
Whoosh's own index: a pure Python engine with what it calls BM25F.

It scores each field by itself and adds the scores up, which is not BM25F as published (one
saturation over all fields).  Stems are Snowball's; Whoosh's default English stemmer is faulty.
The index lies in a folder of its own: the one in memory keeps temporary files under a name that all
processes of a machine share, and two of them delete each other's.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from collections.abc import Collection, Sequence
from typing import Any

from benchmarks.systems.base import package
from skill_index import Skill

_WORD = re.compile(r"\w+")
_FIELDS = {"name": 2.0, "description": 1.0, "body": 1.0}


class WhooshSystem:
    """A Whoosh index with any word of the query matching."""

    name = "Whoosh 2.7.4 index"

    def __init__(self, stop_words: Collection[str] | None = None) -> None:
        self._stop_words = stop_words
        self._folder = tempfile.mkdtemp(prefix="whoosh-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._searcher: Any = None
        self._parser: Any = None

    def build(self, skills: Sequence[Skill]) -> None:
        """Index the skills in three fields."""
        fields = package("whoosh.fields", "whoosh")
        analysis = package("whoosh.analysis", "whoosh")
        stops = (
            analysis.StopFilter() if self._stop_words is None else analysis.StopFilter(self._stop_words, 1)
        )
        words = analysis.RegexTokenizer() | analysis.LowercaseFilter() | stops
        analyzer = words | analysis.StemFilter(lang="en")
        schema = fields.Schema(
            at=fields.STORED,
            **{
                field: fields.TEXT(analyzer=analyzer, field_boost=weight, phrase=False)
                for field, weight in _FIELDS.items()
            },
        )
        if self._searcher is not None:
            self._searcher.close()
        index = package("whoosh.index", "whoosh").create_in(self._folder, schema)
        writer = index.writer(limitmb=512)
        for skill in skills:
            writer.add_document(
                at=skill.name, name=skill.name, description=skill.description, body=skill.instructions
            )
        writer.commit()
        weighting = package("whoosh.scoring", "whoosh").BM25F(name_B=0.3)
        self._searcher = index.searcher(weighting=weighting)
        parsing = package("whoosh.qparser", "whoosh")
        self._parser = parsing.MultifieldParser(list(_FIELDS), schema, plugins=[], group=parsing.OrGroup)

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the best scored skills."""
        query = self._parser.parse(" ".join(_WORD.findall(text)))
        return [hit["at"] for hit in self._searcher.search(query, limit=limit)]
