"""
What holds words of a query in order: side by side, in a phrase, as one word or as two.

A writer may join what a searcher parts, and the other way round: "doc string" is a docstring, and
"docfile" may be a doc file.
"""

from __future__ import annotations

import numpy as np

from skill_index.query import Phrase
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import idf
from skill_index.ranking.parts import Match, Part, listed
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked, asked_tokens, field_columns, sequence_stems, split_stems

_TIMES = np.arange(256.0)
_OFTEN = 2 * _TIMES / (_TIMES + 1)  # what so many times are worth beside once


def match_neighbours(index: Indexed, pair: tuple[str, str], written: str) -> Match:
    """Return what holds two words side by side, more if it does so often, and what writes them as one."""
    key = (pair, written)
    found: Match | None = index.memo.get(key)
    if found is None:
        term = Asked(written, written, " ".join(pair), ALL, "together")
        beside = index.beside(*pair)
        together = _beside(index, term, beside, index.settings.pair_lift)
        joined = _joined(index, written, beside[0])
        found = Match(tuple(part for part in (together, joined) if part))
        index.memo.put(key, found, found.bytes)
    return found


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
    lift = np.full(len(docs), news * index.settings.phrase_lift)
    return Match((listed(term, docs, lift),))


def match_split(index: Indexed, term: Asked) -> Match | None:
    """Return what writes an unknown word as two: a docstring is a "doc string"."""
    found = [(len(index.beside(*halves)[0]), halves) for halves in split_stems(term.form)]
    most, halves = max(found, default=(0, ("", "")))
    split = Asked(term.word, term.form, " ".join(halves), ALL, "split")
    part = _beside(index, split, index.beside(*halves), 1.0)
    if part is None:
        return None
    news = idf(len(index.records), most)
    covers = (news * index.settings.gate_body,)
    covered = np.full(most, covers[0], dtype=np.float32)
    part = part._replace(grades=np.zeros(most, dtype=np.uint8), covers=covers, covered=covered)
    denied, worth = index.denying(term.stem), index.news(term.stem, 0)
    return Match((part,), news, 1, denied=denied, worth=worth, guessed=True)


def _beside(index: Indexed, asked: Asked, found: tuple[Array, Array], lift: float) -> Part | None:
    """Return what holds two stems side by side, more if it does so often."""
    docs, counts = found
    if not len(docs):
        return None
    return listed(asked, docs, _OFTEN.take(counts) * (lift * idf(len(index.records), len(docs))))


def _joined(index: Indexed, written: str, held: Array) -> Part | None:
    """Return what writes two neighbours of the query only as one word: "doc string" is a docstring."""
    joined = asked_tokens(written.replace(" ", ""))
    if len(joined) != 1 or not index.rows(joined[0].stem):
        return None
    term = Asked(written, joined[0].form, joined[0].stem, ALL, "joined")
    docs, fields, values = index.held(term.stem, ALL)
    # An identifier is known as a whole and by its parts; who has the parts side by side has both.
    alone = ~np.isin(docs, held, assume_unique=True)
    if not alone.any():
        return None
    worth = index.news(term.stem, len(docs))
    return listed(term, docs[alone], values[alone] * worth, fields[alone])
