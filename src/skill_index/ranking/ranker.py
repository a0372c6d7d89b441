"""
From records and a query to ranked, explained answers.

    records ─analyse→ postings, neighbours, spellings                             once
    word ─match→ parts, by BM25F and more                            once for each word
    query ─parts─add→ scores ─filters→ candidates ─gate→ hits | near ─explain→

Rejected: scoring each field or signal by itself and fusing ranks, which cannot say why a
record has the score it has.

What analyses records is imported when there are some: an index from a store answers without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from skill_index.findings import Note
from skill_index.query import Query
from skill_index.ranking.briefs import Briefs
from skill_index.ranking.copies import copies_last
from skill_index.ranking.filters import blocking, candidates
from skill_index.ranking.gate import confidence, least_coverage, state_of, strength
from skill_index.ranking.held_back import all_held_back, required_missing
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.postings import Array, Brief
from skill_index.ranking.records import Ranking, Record, Scored
from skill_index.ranking.segments import Segment
from skill_index.ranking.stored import flattened, restored
from skill_index.ranking.tables import Tables
from skill_index.ranking.weighing import Taken, Weighed
from skill_index.settings import SearchSettings

_POOL = 20  # records among which copies go last: as many for a short answer, which begins a longer one


class Ranker:
    """A frozen index of records that answers queries; made by `build`, cut to size by `restrict`."""

    def __init__(self, index: Indexed) -> None:
        self._index = index

    @classmethod
    def build(
        cls,
        records: Sequence[Record],
        settings: SearchSettings = SearchSettings(),
        progress: Callable[[int], None] | None = None,
    ) -> Ranker:
        """Analyse the records and index them; `progress` is told how many are done."""
        from skill_index.ranking.building import build_tables

        tables = build_tables(records, settings.stop_words, progress)
        return cls(Indexed.of(records, tables.briefs, tables.postings, tables.pairs, settings))

    @classmethod
    def restored(cls, tables: Tables, records: Sequence[Record], settings: SearchSettings) -> Ranker:
        """Return the ranker whose tables these are, over the same records; see `ranking.stored`."""
        return cls(restored(tables, records, settings))

    def flattened(self) -> dict[str, Any]:
        """Return the ranker as flat tables by name."""
        return flattened(self._index)

    def updated(self, records: Sequence[Record], known: Sequence[int | None]) -> Ranker:
        """
        Return the ranker over other records, where `known` tells which of these each one was.

        What was analysed is not analysed again, nor copied: a record at a known place may differ from
        the one there in its key and sources only.
        """
        from skill_index.ranking.builder import PostingsBuilder

        index = self._index
        builder = PostingsBuilder(index.settings.stop_words)
        briefs: list[Brief] = []
        moved = np.full(len(index.records), -1, dtype=np.intp)
        places: list[int] = []
        for place, (record, before) in enumerate(zip(records, known, strict=True)):
            if before is None:
                briefs.append(builder.add(record))
                places.append(place)
            else:
                moved[before] = place
        added = Segment(Briefs.of(briefs), *builder.build())
        return Ranker(index.updated(records, moved, added, np.array(places, dtype=np.intp)))

    def restrict(self, keep: Sequence[int]) -> Ranker:
        """Return the ranker over the records at `keep` (ascending), as if there were no others."""
        return Ranker(self._index.restrict(keep))

    def rank(self, query: Query, limit: int, *, first: Sequence[int] = (), more: int = 0) -> Ranking:
        """
        Answer a query with at most `limit` hits; those at `first` lead, whatever they score.

        The order is: `first`, then score, then terms in the name, shorter name, name, key; of those that
        score best, copies come after the others.  Up to `more` positions after the last hit are told
        without a reason, which costs the most.
        """
        weighed = Weighed(self._index, query)
        hits, short, missed = self._candidates(weighed, first)
        ranked = self._ordered(weighed, hits, first, max(1, limit + more))
        chosen, cut = ranked[: max(limit, 0)], ranked[max(limit, 0) : max(limit, 0) + more]
        fewest = self._index.settings.near_limit
        rejected = [] if short is None else weighed.best(short, fewest)
        near = [] if ranked else rejected
        if not ranked and not rejected and missed is not None:
            near = weighed.best(missed, fewest)
        taken = weighed.taken([*ranked[:1], *chosen, *rejected, *near])
        told = {at: weighed.explain(at, taken[at], named=at in first) for at in {*ranked[:1], *chosen}}
        trust = 1.0 if first else 0.0
        if ranked and not first:
            top = ranked[0]
            sure = weighed.surely(top, taken[top])
            told_surely = told[top] if sure == taken[top] else weighed.explain(top, sure)
            trust = self._trust(weighed.covered(sure), told_surely)
        state = "exact" if first else state_of(trust, self._index.settings) if ranked else "none"
        return Ranking(
            state=state,
            confidence=trust,
            hits=tuple([told[at] for at in chosen]),
            following=tuple(cut),
            near=tuple([weighed.explain(at, taken[at]) for at in near]),
            rejected=tuple([(at, self._too_little(weighed, taken[at])) for at in rejected]),
            total=len(first) + int(np.count_nonzero(hits)),
            notes=(*weighed.notes, *([] if ranked or rejected else self._why_none(weighed, query, missed))),
        )

    def order(self, query: Query, limit: int, first: Sequence[int] = ()) -> list[int]:
        """Return the first `limit` positions of the answer to a query, and nothing that explains them."""
        weighed = Weighed(self._index, query)
        hits, _, _ = self._candidates(weighed, first)
        return self._ordered(weighed, hits, first, limit)

    def matched(self, query: Query, first: Sequence[int] = ()) -> list[int]:
        """Return every position that is a hit, in no order: what `Ranking.total` counts."""
        weighed = Weighed(self._index, query)
        hits, _, _ = self._candidates(weighed, first)
        return [*first, *weighed.reach.positions(hits.nonzero()[0]).tolist()]

    def why_not(self, query: Query, at: int) -> str:
        """Return why a record is no hit of a query, or "" if it is one."""
        weighed = Weighed(self._index, query, also=[at])
        hits, short, _ = self._candidates(weighed, ())
        place = weighed.reach.place(at)
        if hits[place]:
            return ""
        if short is not None and short[place]:
            return f"it {self._too_little(weighed, weighed.taken([at])[at])}"
        held_by = blocking(self._index, query, at)
        if held_by:
            return held_by
        denied = weighed.denied(at)
        if denied:
            return f"it says that it is not for {', '.join(denied)}"
        words = ", ".join(weighed.words)
        told = f"; other skills have {words}" if words else ""
        return f"no word of the query is in its name, tags, description or instructions{told}"

    def _ordered(self, weighed: Weighed, hits: Array, first: Sequence[int], limit: int) -> list[int]:
        """Return the first `limit` positions of an answer: those at `first`, then what scores best."""
        found = weighed.best(hits, max(_POOL, limit - len(first)))
        leading = copies_last(self._index.records, first, found[:_POOL])
        return [*leading, *found[_POOL:]][: max(limit, 0)]

    def _candidates(self, weighed: Weighed, first: Sequence[int]) -> tuple[Array, Array | None, Array | None]:
        """
        Return masks of the hits, of what covers too little to be one, and of what lacks a required word.

        They are over the records that are reached.  The others are None where nothing can be held back for
        that.
        """
        passing, missed = candidates(weighed.filters, weighed.reach, weighed.scores)
        for at in first:
            place = weighed.reach.place(at)
            if place is not None:
                passing[place] = False
        # `+word` is a choice made by name; what passes it need not cover the rest of the query.
        least = least_coverage(weighed.terms, self._index.settings) if missed is None else 0.0
        if not least:
            return passing, None, missed
        enough = weighed.enough(least)
        return (passing, None, missed) if enough is None else (passing & enough, passing & ~enough, missed)

    def _trust(self, covered: float, top: Scored) -> float:
        """Return how far the best hit can be trusted, which covers so much of the query."""
        settings = self._index.settings
        return confidence(covered, strength(top.evidence, settings), len(self._index.records), settings)

    def _too_little(self, weighed: Weighed, taken: Sequence[Taken]) -> str:
        least = least_coverage(weighed.terms, self._index.settings)
        return f"covers {weighed.covered(taken):.0%} of the query, less than {least:.0%}"

    def _why_none(self, weighed: Weighed, query: Query, missed: Array | None) -> list[Note]:
        """Say what a filter has to do with it that there is no hit."""
        if missed is None:
            return [all_held_back(query)] if any(weighed.filters) and weighed.scores.any() else []
        corrected = {note.subject: note.suggestions for note in weighed.notes if note.code == "corrected"}
        held = dict(zip(query.required, weighed.filters.required, strict=True))
        return [required_missing(self._index, held, corrected, near=bool(missed.any()))]
