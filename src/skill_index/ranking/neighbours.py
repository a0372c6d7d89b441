"""
What holds words of a query in order: side by side but for stop words, in a phrase, as one word or as two.

A writer may join what a searcher parts, and the other way round: "doc string" is a docstring, and
"docfile" may be a doc file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from skill_index.query import Phrase, Query, Word
from skill_index.ranking.analysis import Token
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import idf
from skill_index.ranking.parts import Match, Part
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked, field_columns, sequence_stems, split_stems, standing
from skill_index.ranking.segments import NOTHING, Rows
from skill_index.settings import SearchSettings

_TIMES = np.arange(256.0)
_OFTEN = (2 * _TIMES / (_TIMES + 1)).astype(np.float32)  # what so many times are worth beside once


class Neighbours(NamedTuple):
    """Two words of a query that follow each other, and whether they `touch`: no stop word is between."""

    first: Token
    second: Token
    touch: bool


def asked_pairs(
    query: Query, settings: SearchSettings, meant: Mapping[str, str]
) -> dict[tuple[str, str], Neighbours]:
    """
    Return the neighbours among the plain words of a query by their stems, each pair once.

    `meant` are the stems of words that are meant by mistyped ones.

    Words that say nothing are passed over, as they are in records.
    """
    pairs: dict[tuple[str, str], Neighbours] = {}
    before: Token | None = None
    touch = True
    for clause in query.clauses:
        if not isinstance(clause, (Word, Phrase)) or clause.field is not None:
            before = None
            continue
        for token in standing(clause.text):
            if token.form in settings.stop_words:
                touch = False
                continue
            if before:
                stems = meant.get(before.stem, before.stem), meant.get(token.stem, token.stem)
                known = pairs.get(stems)
                if known is None or (touch and not known.touch):
                    pairs[stems] = Neighbours(before, token, touch)
            before, touch = token, True
    return pairs


def match_neighbours(index: Indexed, pairs: Mapping[tuple[str, str], Neighbours]) -> Iterator[Part]:
    """Yield what holds two words side by side, the more the higher it counts, and what writes them as one."""
    for (stems, pair), beside in zip(pairs.items(), index.beside(list(pairs)), strict=True):
        first, second, touch = pair
        joined = index.joined(first, second) if touch else ""
        if not len(beside[0]) and not joined:  # of most pairs nothing is known
            continue
        written = f"{first.form} {second.form}"
        asked = Asked(written, written, " ".join(stems), ALL, "together")
        together = _beside(index, asked, beside, index.settings.pair_lift)
        if together:
            yield together
        if joined:
            asked = Asked(written, first.form + second.form, joined, ALL, "joined")
            yield from _joined(index, asked, beside[0])


def match_phrase(index: Indexed, phrase: Phrase) -> Match:
    """Return what holds the words of a phrase in sequence; nothing for a phrase of one word."""
    stems = sequence_stems(phrase)
    if len(stems) < 2:
        return Match()
    docs = index.in_sequence(stems, field_columns(phrase.field))
    if not len(docs):
        return Match()
    news = sum(index.news(stem, index.rows(stem)) for stem in stems)
    term = Asked(phrase.text, phrase.text, stems[0], ALL, "phrase")
    once = np.ones(len(docs), dtype=np.float32)
    return Match((Part((term,), docs, once, news * index.settings.phrase_lift),))


def match_split(index: Indexed, term: Asked) -> Match | None:
    """
    Return what writes an unknown word as two: a docstring is a "doc string".

    Whether a stop word stands between the two is not known of neighbours, so "doc of a string" is one, too.
    """
    halves = list(split_stems(term.form))
    found = zip(index.beside(halves), halves, strict=True)
    beside, chosen = max(
        found, key=lambda each: (len(each[0][0]), each[1]), default=((NOTHING, NOTHING), ("", ""))
    )
    split = Asked(term.word, term.form, " ".join(chosen), ALL, "split")
    part = _beside(index, split, beside, 1.0)
    if part is None:
        return None
    news = idf(len(index.records), len(beside[0]))
    denied, worth = index.denying(term.stem), index.news(term.stem, 0)
    part = part._replace(covers=(news,), in_body=index.settings.gate_body)
    return Match((part,), news, 1, denied=denied, worth=worth, guessed=True)


def _beside(index: Indexed, asked: Asked, found: Rows, lift: float) -> Part | None:
    """Return what holds two stems side by side, the more the higher it counts."""
    docs, counts = found
    if not len(docs):
        return None
    return Part((asked,), docs, _OFTEN.take(counts), lift * idf(len(index.records), len(docs)))


def _joined(index: Indexed, asked: Asked, held: Array) -> Iterator[Part]:
    """Yield what writes two neighbours of the query only as one word: "doc string" is a docstring."""
    docs, fields, values = index.posting(asked.stem)
    worth = index.news(asked.stem, len(docs))
    if len(held):
        # An identifier is known as a whole and by its parts; who has the parts side by side has both.
        alone = held.take(held.searchsorted(docs), mode="clip") != docs
        if not alone.any():
            return
        docs, fields, values = docs[alone], fields[alone], values[alone]
    yield Part((asked,), docs, values, worth, fields)
