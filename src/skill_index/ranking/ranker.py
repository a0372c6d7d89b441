"""
From records and a query to ranked, explained answers.

    records ─analyse→ postings ─BM25F→ impacts                                    once
    query ─asked terms→ parts ─add→ scores ─filters→ candidates ─gate→ hits | near ─explain→

Rejected: scoring each field or signal by itself and fusing ranks, which cannot say why a
record has the score it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from skill_index.findings import Note
from skill_index.query import Query
from skill_index.ranking.filters import blocking, candidates
from skill_index.ranking.gate import confidence, least_coverage, state_of
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import best
from skill_index.ranking.pairs import PairsBuilder
from skill_index.ranking.parts import Parts
from skill_index.ranking.postings import Array, Brief, PostingsBuilder, join
from skill_index.ranking.records import Ranking, Record, State
from skill_index.settings import SearchSettings

_DIGITS = 9  # scores equal to so many places are ties: adding in another order moves only the last bits


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
        builder = PostingsBuilder(settings.stop_words)
        briefs: list[Brief] = []
        for count, record in enumerate(records, start=1):
            briefs.append(builder.add(record))
            if progress is not None:
                progress(count)
        return cls(Indexed.of(records, briefs, builder.build(), builder.pairs.build(), settings))

    def updated(self, records: Sequence[Record], known: Sequence[int | None]) -> Ranker:
        """
        Return the ranker over other records, where `known` tells which of these each one was.

        What was analysed is not analysed again: a record at a known place may differ from the one
        there in its key and sources only.
        """
        firsts = np.full(len(self._index.records), -1, dtype=np.int64)
        index = self._index
        builder = PostingsBuilder(index.settings.stop_words, PairsBuilder(dict(index.pairs.numbers)))
        briefs: list[Brief] = []
        seconds: list[int] = []
        for place, (record, before) in enumerate(zip(records, known, strict=True)):
            if before is None:
                briefs.append(builder.add(record))
                seconds.append(place)
            else:
                briefs.append(self._index.briefs[before])
                firsts[before] = place
        added = np.array(seconds, dtype=np.int64)
        postings = join(index.postings, firsts, builder.build(), added)
        pairs = index.pairs.moved(firsts).joined(builder.pairs.build().moved(added))
        return Ranker(Indexed.of(records, briefs, postings, pairs, index.settings))

    def restrict(self, keep: Sequence[int]) -> Ranker:
        """Return the ranker over the records at `keep` (ascending), as if there were no others."""
        return Ranker(self._index.restrict(keep))

    def rank(self, query: Query, limit: int, *, first: Sequence[int] = (), more: int = 0) -> Ranking:
        """
        Answer a query with at most `limit` hits; those at `first` lead, whatever they score.

        The order is: `first`, then score, then terms in the name, shorter name, name, key.  Up to
        `more` positions after the last hit are told without a reason, which costs the most.
        """
        parts, scores, coverage, least = self._weigh(query)
        passing, missed = candidates(self._index, query, scores)
        passing = passing[~np.isin(passing, first)]
        held = coverage[passing] >= least
        hits, short = passing[held], passing[~held]
        order = parts.order()
        trust = 1.0 if first else self._trust(best(scores, hits, 1, order), scores, coverage)
        state = self._state(first, hits, trust)
        ranked = list(first) + best(scores, hits, limit + more - len(first), order)
        chosen, cut = ranked[: max(limit, 0)], ranked[max(limit, 0) : max(limit, 0) + more]
        near_limit = self._index.settings.near_limit
        rejected = best(scores, short, near_limit, order)
        near = best(scores, short if len(short) else missed, near_limit, order) if state == "none" else []
        return Ranking(
            state=state,
            confidence=trust,
            hits=tuple(parts.explain(at, named=at in first) for at in chosen),
            following=tuple(cut),
            near=tuple(map(parts.explain, near)),
            rejected=tuple((at, _too_little(float(coverage[at]), least)) for at in rejected),
            total=len(first) + len(hits),
            notes=(*parts.notes, *_why_none(query, state, missed)),
            matched=np.concatenate((np.array(first, dtype=np.int64), hits)),
        )

    def _weigh(self, query: Query) -> tuple[Parts, Array, Array, float]:
        """Return the parts, every record's score and coverage, and the coverage a hit needs."""
        parts = Parts.gather(self._index, query)
        scores, coverage = parts.totals()
        # `+word` is a choice made by name; what passes it need not cover the rest of the query.
        least = 0.0 if query.required else least_coverage(parts.terms, self._index.settings)
        return parts, np.round(scores, _DIGITS), coverage, least

    def why_not(self, query: Query, at: int) -> str:
        """Return why a record is no hit of a query, or "" if it is one."""
        parts, scores, coverage, least = self._weigh(query)
        passing, _ = candidates(self._index, query, scores)
        if at in passing:
            held_back = coverage[at] < least
            return f"it {_too_little(float(coverage[at]), least)}" if held_back else ""
        held_by = blocking(self._index, query, at)
        if held_by:
            return held_by
        words = ", ".join(dict.fromkeys(part.asked.word for part in parts.parts))
        told = f"; other skills have {words}" if words else ""
        return f"no word of the query is in its name, tags, description or instructions{told}"

    def _trust(self, top: Sequence[int], scores: Array, coverage: Array) -> float:
        """Return how far the best hit can be trusted, 0 where there is none."""
        if not top:
            return 0.0
        covered, score = float(coverage[top[0]]), float(scores[top[0]])
        return confidence(covered, score, len(self._index.records), self._index.settings)

    def _state(self, first: Sequence[int], hits: Array, trust: float) -> State:
        if first:
            return "exact"
        return state_of(trust, self._index.settings) if len(hits) else "none"


def _too_little(coverage: float, least: float) -> str:
    return f"covers {coverage:.0%} of the query, less than {least:.0%}"


def _why_none(query: Query, state: State, missed: Array) -> list[Note]:
    if state != "none" or not query.required:
        return []
    words = " ".join(map(str, query.required))
    elsewhere = "; the nearest have the words elsewhere" if len(missed) else ""
    return [Note("required-missing", f"no skill has {words} where it is required{elsewhere}", words)]
