"""
What a ranker knows of its records: terms, neighbours, spellings, and how common each is among them.

A function of the records alone, however they came together: the same answers come out of one fresh
segment, of a dozen edits, and of a view that hides most of what its segments hold.  What costs time
is worked out when a query first needs it, so that an edit or a view costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from skill_index.names import fold_name
from skill_index.ranking.analysis import Token, stem
from skill_index.ranking.background import SHARES
from skill_index.ranking.briefs import Briefs
from skill_index.ranking.folding import fold
from skill_index.ranking.inflected import inflections
from skill_index.ranking.kernel import bits, idf, impacts, shares
from skill_index.ranking.memo import Memo
from skill_index.ranking.pairs import Pairs
from skill_index.ranking.postings import Array, Postings
from skill_index.ranking.querying import Widener
from skill_index.ranking.records import FIELDS, Record
from skill_index.ranking.segments import NOTHING, Rows, Segment, Shelf, merged, together
from skill_index.ranking.spellings import WordsByLength, by_length
from skill_index.settings import SearchSettings

_NO_ROW = (NOTHING, np.empty((0, len(FIELDS)), dtype=np.uint16))
_AT_ONCE = 1 << 18  # postings of which the impacts are worked out at once, in a few MB
_SEVERAL, _MANY = 2, 1000  # records that hold a word that is spelt right: so many, and one of so many
_REMEMBERED = 16 << 20  # bytes of worked-out words that are kept, or as many as their index takes


class Posting(NamedTuple):
    """
    The records that hold a term, ascending, by two facts of each.

    `fields` has a bit for each of `FIELDS` in which it holds the term; `impacts` is what it counts
    there, saturated, before it is known how much news the term is.
    """

    docs: Array
    fields: Array
    impacts: Array

    def within(self, fields: Sequence[int]) -> Posting:
        """Return the same of those records that hold the term in any of the fields."""
        if len(fields) == len(FIELDS):
            return self
        asked = self.fields & _mask(fields) != 0
        return Posting(*(column[asked] for column in self))


class Indexed:
    """The records of a ranker with all that is counted of them; positions are those of `records`."""

    def __init__(self, records: Sequence[Record], shelves: Sequence[Shelf], settings: SearchSettings) -> None:
        self.records = records
        self.settings = settings
        self.shelves = tuple(shelves)
        """The segments of the records, and where each is shown."""
        self.ready: Posting | None = None
        """Every posting of the one segment, worked out ahead; None where that is not so."""
        self.memo = Memo[Any](max(_REMEMBERED, sum(shelf.segment.bytes for shelf in shelves)))
        """What was worked out for the words of queries; see `ranking.matching`."""

    @classmethod
    def of(
        cls,
        records: Iterable[Record],
        briefs: Briefs,
        postings: Postings,
        pairs: Pairs,
        settings: SearchSettings,
    ) -> Indexed:
        """Return the index of analysed records."""
        records = tuple(records)
        segment = Segment(briefs, postings, pairs)
        index = cls(records, [Shelf(segment, np.arange(len(records), dtype=np.intp))], settings)
        index.ready = index._all()
        return index

    def restrict(self, keep: Sequence[int]) -> Indexed:
        """Return the index of the records at `keep` (ascending), as if there were no others."""
        positions = np.full(len(self.records), -1, dtype=np.intp)
        positions[list(keep)] = np.arange(len(keep))
        shelves = [shelf.moved(positions) for shelf in self.shelves]
        return Indexed([self.records[at] for at in keep], shelves, self.settings)

    def updated(self, records: Sequence[Record], moved: Array, added: Segment, places: Array) -> Indexed:
        """
        Return the index of other records: this one's where `moved` has them (-1: gone), `added` at `places`.

        Segments of like size are merged, so that there are never more than a few.
        """
        shelves = [shelf.moved(moved) for shelf in self.shelves]
        shelves = [shelf for shelf in shelves if shelf.shown]
        if len(places) or not shelves:
            shelves.append(Shelf(added, places))
        while len(shelves) > 1 and shelves[-2].shown <= 2 * shelves[-1].shown:
            shelves[-2:] = [merged(*shelves[-2:])]
        return Indexed(records, shelves, self.settings)

    def under(self, settings: SearchSettings) -> Indexed:
        """Return the index of the same records, ranked by other settings."""
        return Indexed(self.records, self.shelves, settings)

    def news(self, stem: str, having: int) -> float:
        """Return the idf of a term that so many records hold; see `ranking.background`."""
        background = self.settings.background
        return idf(len(self.records) + background, having + background * SHARES.get(stem, 0.0))

    def rows(self, stem: str) -> int:
        """Return how many records hold a term."""
        rows = 0
        for shelf in self.shelves:
            rows += shelf.rows(stem)
        return rows

    def posting(self, stem: str) -> Posting:
        """Return what is known of a term in the records that hold it."""
        if self.ready is None:
            return self._weighed(*self._row(stem))
        row = self.shelves[0].segment.postings.row(stem)
        if row is None:
            return _NO_POSTING
        docs, fields, values = self.ready
        return Posting(docs[row], fields[row], values[row])

    def _row(self, stem: str) -> Rows:
        return together(shelf.row(stem) for shelf in self.shelves) or _NO_ROW

    def _weighed(self, docs: Array, counts: Array) -> Posting:
        return Posting(docs, bits(counts), impacts(docs, counts, self._shares, self.settings.k1))

    def _all(self) -> Posting:
        """
        Return the postings of all terms, behind each other.

        To work out every impact takes some 20 ms for a million postings: little of a build, too much after
        an edit or for a view, which work out the impacts of the words that they are asked for.
        """
        postings = self.shelves[0].segment.postings
        size = len(postings.docs)
        found = Posting(postings.docs, np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.float32))
        for start in range(0, size, _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            _, found.fields[some], found.impacts[some] = self._weighed(
                postings.docs[some], postings.counts[some]
            )
        return found

    def fields(self, stem: str, at: int) -> int:
        """Return in which fields a record that holds a term holds it, a bit for each of `FIELDS`."""
        docs, counts = self._row(stem)
        place = int(docs.searchsorted(at))
        return int(bits(counts[place : place + 1])[0])

    def beside(self, pairs: Sequence[tuple[str, str]]) -> list[Rows]:
        """Return for each pair of stems where they are neighbours: the records, ascending, and the counts."""
        found = zip(*(shelf.beside(pairs) for shelf in self.shelves), strict=True)
        return [together(rows) or (NOTHING, NOTHING) for rows in found]

    def joined(self, first: Token, second: Token) -> str:
        """
        Return the stem of the word that two words make when written as one, "" if no record holds it.

        To stem what they would make takes longer than all else that is done with two words, so it is
        looked up: as some short field writes it, or as the first word with the stem of the second.
        """
        written = first.form + second.form
        for shelf in self.shelves:
            if shelf.shows(written):
                return shelf.segment.spellings.stems[written]
        stem = first.form + second.stem
        return stem if self.rows(stem) else ""

    def spelt(self, form: str) -> Array:
        """Return the records that write a word so in a short field, ascending."""
        return _first([shelf.spelt(form) for shelf in self.shelves])

    def forms(self, stem: str) -> set[str]:
        """Return the ways in which short fields write a stem, also those of records that are not shown."""
        return {form for shelf in self.shelves for form in shelf.segment.spellings.variants.get(stem, ())}

    def writing(self, form: str, forms: Collection[str], docs: Array) -> Array:
        """
        Return those of some records that write this word, and not only others of its stem, which has `forms`.

        Which field writes it is not known: a name that says "important" over an "import" is taken for both.
        """
        same = inflections(form, forms)
        if len(same) == len(forms) or not len(docs):
            return docs
        written = np.concatenate([NOTHING, *map(self.spelt, same)])
        if not len(written):
            return docs[:0]
        written.sort()  # several times faster than `isin`
        found: Array = docs[written.take(written.searchsorted(docs), mode="clip") == docs]
        return found

    def varied(self, forms: Collection[str]) -> bool:
        """Say whether the short fields of all records write a stem that has these `forms` in several ways."""
        shown = filter(self._shows, forms)
        return len(forms) > 1 and any(shown) and any(shown)  # one, and another

    def denying(self, stem: str) -> Array:
        """Return the records that speak of a stem only to say that they are not for it, ascending."""
        return _first([shelf.denying(stem) for shelf in self.shelves])

    def in_sequence(self, stems: Sequence[str], columns: Sequence[int]) -> Array:
        """Return the records in which stems follow each other in one of these short fields, ascending."""
        return _first([shelf.in_sequence(stems, columns) for shelf in self.shelves])

    def from_source(self, label: str) -> Array:
        """Return the records of one source, ascending."""
        asked = fold_name(label)
        wanted = {known for known in self._labels if fold_name(known) == asked}
        held = [at for at, record in enumerate(self.records) if not wanted.isdisjoint(record.sources)]
        return np.array(held, dtype=np.int32)

    @cached_property
    def widener(self) -> Widener:
        """What finds near spellings and other words among those of the records."""
        spellings = [shelf.segment.spellings for shelf in self.shelves]
        return Widener(spellings, self.settings, self._shows, lambda: self.common)

    def _shows(self, form: str) -> bool:
        return any(shelf.shows(form) for shelf in self.shelves)

    @cached_property
    def common(self) -> WordsByLength:
        """The stems that several records hold, in any field, by their length."""
        least = max(_SEVERAL, len(self.records) // _MANY)
        stems: dict[str, None] = {}
        for shelf in self.shelves:
            elsewhere = len(self.records) - shelf.shown
            enough = shelf.having >= max(1, least - elsewhere)
            stems.update(dict.fromkeys(compress(shelf.segment.postings.vocabulary, enough.tolist())))
        return by_length(stem for stem in stems if stem.isalpha() and self.rows(stem) >= least)

    @cached_property
    def name_words(self) -> Array:
        """How many words that tell something each record's name has, 1 where it has none."""
        stop_words = {stem(fold(word)) for word in self.settings.stop_words}
        words = np.ones(len(self.records))
        for shelf in self.shelves:
            shown = shelf.places >= 0
            words[shelf.places[shown]] = shelf.segment.briefs.name_words(stop_words)[shown]
        return np.maximum(words, 1.0)

    @cached_property
    def ties(self) -> Array:
        """The place of each record in the order that settles equal scores: shorter name, name, key."""

        def rank(at: int) -> tuple[int, str, str]:
            return (len(self.records[at].name), self.records[at].name, self.records[at].key)

        places = np.empty(len(self.records), dtype=np.int64)
        places[sorted(range(len(self.records)), key=rank)] = np.arange(len(self.records))
        return places

    @cached_property
    def _shares(self) -> Array:
        lengths = np.zeros((len(self.records), len(FIELDS)))
        for shelf in self.shelves:
            shown = shelf.places >= 0
            lengths[shelf.places[shown]] = shelf.segment.postings.lengths[shown]
        return shares(lengths, self.settings)

    @cached_property
    def _labels(self) -> frozenset[str]:
        return frozenset(label for record in self.records for label in record.sources)


_NO_POSTING = Posting(NOTHING, np.empty(0, dtype=np.uint8), np.empty(0, dtype=np.float32))


def _mask(fields: Iterable[int]) -> int:
    return sum(1 << column for column in fields)


def _first(found: Iterable[Rows | None]) -> Array:
    rows = together(found)
    return NOTHING if rows is None else rows[0]
