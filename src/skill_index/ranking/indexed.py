"""
What a ranker knows of its records: postings, impacts, and what the short fields say in order.

Frozen, and a function of the records alone, so that a part of it can be made again for a
filtered catalog: `restrict` gives what a fresh build over the kept records would.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from skill_index.names import fold_name
from skill_index.ranking.background import SHARES
from skill_index.ranking.kernel import idf, impacts
from skill_index.ranking.pairs import Pairs
from skill_index.ranking.postings import Array, Brief, Postings
from skill_index.ranking.querying import Widener
from skill_index.ranking.records import FIELDS, SHORT_FIELDS, Record
from skill_index.settings import SearchSettings

NOTHING: Array = np.empty(0, dtype=np.int64)
"""No record."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """
    The tables of one set of records; positions in all of them are those of `records`.

    `ties` is the place of each record in the order that settles equal scores (shorter name, name,
    key), `form_docs` the records that write a word in a form other than its stem, `negative`
    those that speak of a stem in a "Not for ..." clause, and otherwise at most in their body.
    """

    records: tuple[Record, ...]
    briefs: tuple[Brief, ...]
    postings: Postings
    pairs: Pairs
    settings: SearchSettings
    impacts: Array
    name_news: Array
    ties: Array
    form_docs: dict[str, Array]
    negative: dict[str, Array]
    widener: Widener
    labels: frozenset[str]

    @classmethod
    def of(
        cls,
        records: Iterable[Record],
        briefs: Iterable[Brief],
        postings: Postings,
        pairs: Pairs,
        settings: SearchSettings,
    ) -> Indexed:
        """Return the tables of analysed records."""
        records, briefs = tuple(records), tuple(briefs)
        forms: dict[str, list[int]] = defaultdict(list)
        negative: dict[str, list[int]] = defaultdict(list)
        stems: dict[str, str] = {}
        for number, brief in enumerate(briefs):
            for form, stem in brief.forms:
                stems[form] = stem
                forms[form].append(number)
            stated = frozenset(stem for _, stem in brief.forms)
            for stem in brief.negative:
                if stem not in stated:
                    negative[stem].append(number)
        # Where a stem is written in one way only, writing it so says nothing.
        spellings = Counter(stems.values())
        telling = {form: docs for form, docs in forms.items() if spellings[stems[form]] > 1}
        return cls(
            records=records,
            briefs=briefs,
            postings=postings,
            pairs=pairs,
            settings=settings,
            impacts=impacts(postings, settings),
            name_news=_name_news(postings, settings.background),
            ties=_ties(records),
            form_docs={form: np.array(docs) for form, docs in telling.items()},
            negative={stem: np.array(docs) for stem, docs in negative.items()},
            widener=Widener(stems, settings),
            labels=frozenset(label for record in records for label in record.sources),
        )

    def restrict(self, keep: Sequence[int]) -> Indexed:
        """Return the tables of the records at `keep` (ascending), as if there were no others."""
        places = np.full(len(self.records), -1, dtype=np.int64)
        places[list(keep)] = np.arange(len(keep))
        return Indexed.of(
            (self.records[at] for at in keep),
            (self.briefs[at] for at in keep),
            self.postings.restrict(np.array(keep, dtype=np.int64)),
            self.pairs.moved(places),
            self.settings,
        )

    def news(self, stem: str, having: int) -> float:
        """Return the idf of a term that so many records hold; see `ranking.background`."""
        return _news(stem, having, len(self.records), self.settings.background)

    def rows(self, stem: str) -> int:
        """Return how many records hold a term."""
        row = self.postings.row(stem)
        return 0 if row is None else row.stop - row.start

    def fields_of(self, stem: str, at: int) -> tuple[str, ...]:
        """Return the names of the fields in which a record holds a term."""
        row = self.postings.row(stem)
        if row is None:
            return ()
        index = int(self.postings.docs[row].searchsorted(at))
        counts = self.postings.counts[row][index]
        return tuple(name for name, count in zip(FIELDS, counts, strict=True) if count)

    def from_source(self, label: str) -> Array:
        """Return a mask of the records of one source."""
        asked = fold_name(label)
        wanted = {known for known in self.labels if fold_name(known) == asked}
        held = [not wanted.isdisjoint(record.sources) for record in self.records]
        return np.array(held, dtype=bool)

    def with_sequence(self, stems: Sequence[str], columns: Sequence[int]) -> Array:
        """Return the records in which the stems follow each other in one of these short fields."""
        short = [column for column in columns if column < len(SHORT_FIELDS)]
        if not short or not stems:
            return NOTHING
        common = self.postings.holders(stems[0], short)
        for stem in stems[1:]:
            common = np.intersect1d(common, self.postings.holders(stem, short), assume_unique=True)
        wanted = tuple(stems)
        held = [at for at in common.tolist() if self._follows(at, wanted, short)]
        return np.array(held, dtype=np.int64)

    def _follows(self, at: int, stems: tuple[str, ...], columns: Iterable[int]) -> bool:
        for column in columns:
            sequence = self.briefs[at].sequences[column]
            places = range(len(sequence) - len(stems) + 1)
            if any(sequence[place : place + len(stems)] == stems for place in places):
                return True
        return False


def _news(stem: str, having: int, total: int, background: float) -> float:
    return idf(total + background, having + background * SHARES.get(stem, 0.0))


def _name_news(postings: Postings, background: float) -> Array:
    """Return the news of all terms of each record's name."""
    named = postings.counts[:, FIELDS.index("name")] > 0
    having = np.diff(postings.starts).tolist()
    news = [
        _news(stem, count, postings.size, background)
        for stem, count in zip(postings.vocabulary, having, strict=True)
    ]
    terms = np.repeat(np.arange(len(having)), having)[named]
    parts: list[list[float]] = [[] for _ in range(postings.size)]
    for at, term in zip(postings.docs[named].tolist(), terms.tolist(), strict=True):
        parts[at].append(news[term])
    # Exact sums: the order of the vocabulary must not show in the last bits.
    return np.array([math.fsum(part) for part in parts])


def _ties(records: Sequence[Record]) -> Array:
    def rank(at: int) -> tuple[int, str, str]:
        return (len(records[at].name), records[at].name, records[at].key)

    places = np.empty(len(records), dtype=np.int64)
    places[sorted(range(len(records)), key=rank)] = np.arange(len(records))
    return places
