"""
From many records to tables: in chunks, each by itself, and the chunks put together.

    records ─┬─ chunk ─analyse─▶ part ─┐
             └─ chunk ─analyse─▶ part ─┴─ put together ─▶ postings, pairs

A chunk is what one process takes at a time, and what bounds the memory while words are counted.
Terms are numbered as they are met, in a chunk as in the whole, so where the chunks end and who
analyses them changes nothing: the arrays are those of one build over all records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from skill_index.keeping import keeping_all
from skill_index.ranking.briefs import Briefs, Collected
from skill_index.ranking.builder import PostingsBuilder
from skill_index.ranking.numbering import Lexicon, Numbers
from skill_index.ranking.packing import sorted_rows
from skill_index.ranking.pairs import Pairs, split_key, whole_key
from skill_index.ranking.postings import Array, Postings
from skill_index.ranking.recognising import Recogniser
from skill_index.ranking.records import FIELDS, Record
from skill_index.workers import cores, mapped

CHUNK = 8_000_000
"""
Characters of text in a chunk, a thousand skills with bodies: some 100 MB while its words are counted.

With half as many, what two chunks have in common is sent and put together twice, a twentieth of a build.
"""

RECORD = 400
"""Characters that take as long as a record takes beside its text: many short ones are much to do, too."""

ALONE = 3
"""Chunks that one process does by itself: to start others and send them the texts takes a second."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What is known of some records: what is kept of each, and what stands where."""

    briefs: Briefs
    postings: Postings
    pairs: Pairs


@keeping_all()
def build_tables(
    records: Sequence[Record],
    stop_words: frozenset[str],
    progress: Callable[[int], None] | None = None,
    *,
    processes: int | None = None,
    chunk: int = CHUNK,
) -> Tables:
    """
    Analyse the records; `progress` is told how many are done.

    `processes` work on it, by default as many as there are cores if there is much to do.
    """
    chunks = list(_chunks(records, chunk))
    if processes is None:
        processes = cores() if len(chunks) > ALONE else 1
    analyst = _Analyst(stop_words)
    briefs = Collected()
    postings: list[Postings] = []
    pairs: list[Pairs] = []
    stems: Numbers[str] = Numbers()
    numbers: list[Array] = []  # of the terms of each part among all
    done = 0
    for taken, part in zip(chunks, mapped(analyst, chunks, processes), strict=True):
        briefs.add(part.briefs)
        numbers.append(np.fromiter(map(stems.__getitem__, part.postings.vocabulary), np.int32))
        # Texts that others have, too, are let go.
        postings.append(replace(part.postings, vocabulary=stems))
        pairs.append(replace(part.pairs, numbers=stems))
        if progress is not None:
            for number in range(done, done + len(taken)):
                progress(number + 1)
        done += len(taken)
    vocabulary = dict(stems)
    if len(chunks) == 1:
        own = replace(postings[0], vocabulary=vocabulary), replace(pairs[0], numbers=vocabulary)
        return Tables(briefs.together(), *own)
    offsets = np.cumsum([0, *(part.size for part in postings)])
    return Tables(
        briefs.together(),
        pairs=_pairs_together(vocabulary, pairs, numbers, offsets),
        postings=_postings_together(vocabulary, postings, numbers, offsets),
    )


def _chunks(records: Sequence[Record], most: int) -> Iterator[Sequence[Record]]:
    """Yield the records in runs of at most so many characters, or of one record that has more."""
    start = length = 0
    for at, record in enumerate(records):
        own = RECORD + len(record.body) + len(record.description)
        if at > start and length + own > most:
            yield records[start:at]
            start, length = at, 0
        length += own
    yield records[start:]


class _Analyst:
    """Turns a chunk into its tables; what a word falls into is remembered for the next chunk."""

    def __init__(self, stop_words: frozenset[str]) -> None:
        self._recogniser = Recogniser(Lexicon(stop_words))

    def __call__(self, records: Sequence[Record]) -> Tables:
        builder = PostingsBuilder(recogniser=self._recogniser)
        briefs = [builder.add(record) for record in records]
        return Tables(Briefs.of(briefs), *builder.build())


def _pairs_together(
    vocabulary: dict[str, int], parts: list[Pairs], numbers: Sequence[Array], offsets: Array
) -> Pairs:
    """Sort the entries of all parts, which are let go one by one, by their new keys."""
    most = max(int(part.counts.max(initial=0)) for part in parts)
    largest = (len(vocabulary), len(vocabulary), int(offsets[-1]), most)
    first, second, docs, counts = sorted_rows(_renumbered(parts, numbers, offsets), largest)
    keys = whole_key(first, second)
    return Pairs(vocabulary, keys, docs.astype(np.int32, copy=False), counts.astype(np.uint8))


def _renumbered(
    parts: list[Pairs], numbers: Sequence[Array], offsets: Array
) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Yield the pairs of each part by the numbers that all have: first, second, record and count."""
    for own, offset in zip(numbers, offsets.tolist(), strict=False):
        part = parts.pop(0)
        first, second = split_key(part.keys)
        yield own[first], own[second], part.docs + np.int32(offset), part.counts


def _postings_together(
    vocabulary: dict[str, int], parts: list[Postings], numbers: Sequence[Array], offsets: Array
) -> Postings:
    """Put the rows of each term behind each other: later parts hold later records."""
    lengths = np.concatenate([part.lengths for part in parts])
    sizes = np.zeros(len(vocabulary), dtype=np.int64)
    for part, own in zip(parts, numbers, strict=True):
        sizes[own] += np.diff(part.starts)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    docs = np.empty(starts[-1], dtype=np.int32)
    counts = np.empty((starts[-1], len(FIELDS)), dtype=np.uint16)
    free = starts[:-1].copy()  # where the next entry of each term goes
    for own, offset in zip(numbers, offsets.tolist(), strict=False):
        part = parts.pop(0)
        rows = np.diff(part.starts)
        places = np.repeat(free[own] - part.starts[:-1], rows) + np.arange(len(part.docs))
        docs[places] = part.docs + np.int32(offset)
        counts[places] = part.counts
        free[own] += rows
    return Postings(vocabulary, starts, docs, counts, lengths)
