"""
What a query adds to the records: the parts of all its words, summed, and told apart again for a hit.

    words ─matches→ parts ─add→ scores        hits ─look up in each part→ evidence

Evidence is the list of the parts that a record took, so what is explained is what was added,
never a second computation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from skill_index.findings import Note
from skill_index.query import Query
from skill_index.ranking.filters import filters
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import best, saturated, summed
from skill_index.ranking.matching import best_routes, match_term
from skill_index.ranking.neighbours import asked_pairs, match_neighbours, match_phrase
from skill_index.ranking.parts import FIELDS_OF, Match, Part
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked, asked_terms, only_common
from skill_index.ranking.reach import Reach
from skill_index.ranking.records import Evidence, Scored
from skill_index.ranking.segments import NOTHING

_COMMON = Note("common-words", "only common words: looked for them in names; say what the skill should do")
_EVERY_FIELD = len(FIELDS_OF) - 1
_NEARLY = 1 - 1e-7  # what rounding may take from a sum that is just enough

Added: TypeAlias = tuple[Part, float, str]
"""A part, the weight of its word in the query, and how the query writes that."""

Taken: TypeAlias = tuple[int, int, float]
"""The number of a part that a record took, the place of the record in it, and what it added."""


class Weighed:
    """
    All parts of one query, what they come to, and what there is to say about it.

    `scores` has a place for each record that is reached: what some word or `+word` leads to, and those that
    are `also` asked about.  `asked` is the news of all that the query asks for, in so many `terms`.
    """

    def __init__(self, index: Indexed, query: Query, *, also: Sequence[int] = ()) -> None:
        self._index = index
        self.filters = filters(index, query)
        self._added: list[Added] = []
        self._matches: list[tuple[Asked, Match]] = []
        self.notes: list[Note] = []
        self.asked = 0.0
        self.terms = 0
        self._match_terms(query)
        for phrase in query.phrases:
            if phrase in query.sources:
                continue
            self._add(match_phrase(index, phrase), 1.0, phrase.text)
        meant = {term.stem: match.meant for term, match in self._matches if match.meant}
        pairs = asked_pairs(query, index.settings, meant)
        if pairs:
            self._added += [(part, 1.0, part.asked[0].word) for part in match_neighbours(index, pairs)]
        self.scores = self._add_up(also)
        self._lifts = self._add_names()
        self._denied = {term.stem: match for term, match in self._matches if len(match.denied)}
        self._against = self._take_denied() if self._denied else NOTHING

    def _match_terms(self, query: Query) -> None:
        index, settings = self._index, self._index.settings
        counted: dict[tuple[str, tuple[int, ...]], list[Asked]] = {}
        asked = asked_terms(query, settings)
        if asked and only_common(asked, settings):
            self.notes.append(_COMMON)
        for term in asked:
            counted.setdefault((term.stem, term.fields), []).append(term)
        slips = 0
        for same in counted.values():
            term = same[0]
            match = match_term(index, term, guess=True)
            if match.guessed:
                slips += 1
                if slips > settings.corrected_words:
                    match = match_term(index, term, guess=False)
            self._matches.append((term, match))
            if match.corrected:
                self.notes.append(_corrected(term, match.corrected))
            weight = 1.0 if len(same) == 1 else saturated(len(same), settings.k3)
            if term.fragment and all(each.fragment for each in same):
                weight *= settings.fragment
            self._add(match, weight, term.word)

    def _add(self, match: Match, weight: float, word: str) -> None:
        for part in match.parts:
            self._added.append((part, weight, word))
        self.asked += match.news
        self.terms += match.terms

    def _naming(self) -> list[Array]:
        """Return whose name says each of the words that are asked for everywhere."""
        asked = {term.stem: match for term, match in self._matches if term.fields == ALL}
        # A slip says what it means, unless the query says so itself.
        said = {match.meant or stem: match for stem, match in asked.items() if match.meant not in asked}
        return [match.named for match in said.values()]

    def _add_up(self, also: Sequence[int]) -> Array:
        """Put what is listed end to end, to be looked through for each hit, and return the sum of all."""
        added = [(number, part, part.worth * weight) for number, (part, weight, _) in enumerate(self._added)]
        self._whole = [each for each in added if each[1].docs is None]
        # What covers something comes first: what is covered is summed over a beginning.
        listed = [each for each in added if each[1].docs is not None and each[1].covers]
        listed += [each for each in added if each[1].docs is not None and not each[1].covers]
        numbers, parts, worths = zip(*listed, strict=True) if listed else ((), (), ())
        sizes = [len(part.values) for part in parts]
        self._numbers = np.array(numbers, dtype=np.intp)
        self._starts = np.array([0, *accumulate(sizes)])
        # What names say is reached by some part, and has its places told along with these.
        named = np.concatenate([NOTHING, *self._naming()])
        others = (*self.filters.required, np.array(also, dtype=np.int32))
        docs = np.concatenate([NOTHING, *[part.docs for part in parts], named, *others])
        self._gains = np.concatenate([np.empty(0), *[part.values for part in parts]])
        self._gains *= np.array(worths, dtype=np.float64).repeat(sizes)
        self.reach = Reach(docs, len(self._index.records), everyone=bool(self._whole))
        self._places = self.reach.listed[: len(self._gains)]
        self._names = self.reach.listed[len(self._gains) :][: len(named)]
        scores = summed(self._places, self._gains, len(self.reach))
        for _, part, worth in self._whole:
            scores += part.values if worth == 1.0 else np.multiply(part.values, worth, dtype=np.float64)
        return scores

    def enough(self, least: float) -> Array | None:
        """Return a mask of the records that cover so much of the query, None where all that match do."""
        wanted = least * self.asked * _NEARLY
        covering = [part for part, _, _ in self._added if part.covers]
        stems = {part.asked[0].stem for part in covering if part.asked[0].fields == ALL}
        if all(_covers(part, wanted, stems) for part, _, _ in self._added):
            return None
        listed = [part.covered for part in covering if part.docs is not None]
        values = np.concatenate(listed) if listed else np.empty(0)
        covered = summed(self._places[: len(values)], values, len(self.reach))
        for _, part, _ in self._whole:
            covered += part.covered
        enough: Array = covered >= wanted
        return enough

    def _add_names(self) -> Array:
        """Lift each record by the share of its name that the query says, and return these lifts."""
        places = self._names
        said = np.bincount(places, minlength=len(self.reach))
        # A record that several words name stands here several times, and is given the same each time.
        shares = np.minimum(said[places] / self._index.name_words[self.reach.positions(places)], 1.0)
        lifts = np.zeros(len(self.reach))
        lifts[places] = shares * self._index.settings.name_lift
        self.scores[places] *= 1.0 + lifts[places]
        return lifts

    def _take_denied(self) -> Array:
        """Take from each record what words cost that only its "Not for ..." clause holds."""
        docs = np.concatenate([match.denied for match in self._denied.values()])
        costs = np.array([match.worth * self._index.settings.negative for match in self._denied.values()])
        each = costs.repeat([len(match.denied) for match in self._denied.values()])
        reached = self.reach.holds(docs)
        places = self.reach.places(docs[reached])
        against = summed(places, each[reached], len(self.reach))
        # No hit is worth less than nothing.
        self.scores[places] = np.maximum(0.0, self.scores[places] - against[places])
        return against

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the query that some record holds."""
        return tuple(dict.fromkeys(word for _, _, word in self._added))

    def denied(self, at: int) -> tuple[str, ...]:
        """Return the words of the query that a record speaks of to say that it is not for them."""
        return tuple(dict.fromkeys(term.word for term, match in self._matches if at in match.denied))

    def best(self, among: Array, limit: int) -> list[int]:
        """Return the positions of the `limit` best records among those of a mask over places."""
        places = best(self.scores, among, limit, self._order)
        positions: list[int] = self.reach.positions(places).tolist()
        return positions

    def _order(self, places: Array) -> Array:
        """Return what settles equal scores: more terms in the name, then the order of the index."""
        positions = self.reach.positions(places)
        named = np.zeros(len(positions), dtype=np.int64)
        for match in {term.stem: match for term, match in self._matches}.values():
            if len(match.named):
                named += match.named.take(match.named.searchsorted(positions), mode="clip") == positions
        return self._index.ties[positions] - named * (len(self._index.records) + 1)

    def taken(self, positions: Iterable[int]) -> dict[int, list[Taken]]:
        """Return, for each of some records, every part it took, in the order of the query."""
        taken: dict[int, list[Taken]] = {at: [] for at in positions}
        reached = {place: at for at in taken if (place := self.reach.place(at)) is not None}
        wanted = np.zeros(len(self.reach), dtype=bool)
        wanted[list(reached)] = True
        found = wanted.take(self._places).nonzero()[0]
        lists = self._starts.searchsorted(found, side="right") - 1
        held = (self._places[found], self._numbers[lists], found - self._starts[lists], self._gains[found])
        for place, number, entry, gain in zip(*(column.tolist() for column in held), strict=True):
            taken[reached[place]].append((number, entry, gain))
        for at, own in taken.items():
            own += [
                (number, at, part.values.item(at) * worth)
                for number, part, worth in self._whole
                if part.fields is not None and part.fields.item(at)
            ]
            own.sort()
        return taken

    def surely(self, at: int, taken: Iterable[Taken]) -> list[Taken]:
        """Return what a record takes by the words asked for alone, without any that these lead to."""
        sure: list[Taken] = []
        for number, place, gain in taken:
            part, weight, word = self._added[number]
            if part.way(at, place)[1] != "related":
                sure.append((number, place, gain))
            elif part.surely is not None:
                surely = best_routes(self._index, part.surely)
                if (own := surely.place(at)) is None:
                    continue
                sure.append((len(self._added), own, surely.values.item(own) * (surely.worth * weight)))
                self._added.append((surely, weight, word))  # added to no score, only to be told
        return sure

    def covered(self, taken: Iterable[Taken]) -> float:
        """Return the share of the query that is covered by the parts a record took."""
        covered = sum(self._added[number][0].cover(place) for number, place, _ in taken)
        return min(covered / self.asked, 1.0) if self.asked else covered

    def explain(self, at: int, taken: Iterable[Taken], *, named: bool = False) -> Scored:
        """Return a record with every part it took, and with its name first where that was asked for."""
        name = self._index.records[at].name
        evidence = [Evidence(name, name, ("name",), "name", 0.0)] if named else []
        masks: dict[str, int] = {}
        score = 0.0
        for number, place, gain in taken:
            part, _, word = self._added[number]
            stem, how = part.way(at, place)
            if part.fields is None:  # what stands side by side does so where both stand; most were just met
                mask = _EVERY_FIELD
                for each in stem.split():
                    if each not in masks:
                        masks[each] = self._index.fields(each, at)
                    mask &= masks[each]
            else:
                mask = masks[stem] = part.fields.item(place)
            evidence.append(Evidence(word, stem, FIELDS_OF[mask], how, gain))
            score += gain
        where = self.reach.place(at)
        lift = 0.0 if where is None else score * self._lifts.item(where)
        if lift:
            evidence.append(Evidence(name, name, ("name",), "named", lift))
            score += lift
        if self._denied and where is not None and self._against.item(where):
            for stem in sorted(stem for stem, match in self._denied.items() if at in match.denied):
                cost = min(score, self._denied[stem].worth * self._index.settings.negative)
                evidence.append(Evidence(stem, stem, ("description",), "negative", -cost))
                score -= cost
        return Scored(at, score, tuple(evidence))


def _covers(part: Part, wanted: float, stems: set[str]) -> bool:
    """Say whether whatever takes a part covers so much, by this part or by those of `stems` it rests on."""
    if part.covers:
        return min(part.covers) * part.in_body >= wanted
    # Who writes a word as the query does, or two side by side, holds these words.  Not every neighbour is
    # asked for by itself: of a run of Chinese only pairs are.
    first = part.asked[0]
    return first.how in {"exact form", "together"} and stems.issuperset(first.stem.split())


def _corrected(term: Asked, forms: tuple[str, ...]) -> Note:
    message = f"{term.form!r} is in no skill; searched for {' and '.join(map(repr, forms))}"
    return Note("corrected", message, term.word, forms)
