"""
What a query adds to the records: the parts of all its words, summed, and told apart again for a hit.

    words ─matches→ parts ─add→ scores        hits ─look up in each part→ evidence

Evidence is the list of the parts that a record took, so what is explained is what was added,
never a second computation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate
from operator import and_
from typing import NamedTuple, TypeVar

import numpy as np

from skill_index.findings import Note
from skill_index.query import Query
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import saturated
from skill_index.ranking.matching import match_term
from skill_index.ranking.neighbours import match_neighbours, match_phrase
from skill_index.ranking.parts import FIELDS_OF, Match, Part
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked, asked_pairs, asked_terms, only_common
from skill_index.ranking.records import Evidence, Scored
from skill_index.ranking.segments import NOTHING

_COMMON = Note("common-words", "only common words: looked for them in names; say what the skill should do")

_Number = TypeVar("_Number", float, Array)
_NEARLY = 1 - 1e-7  # what rounding may take from a sum that is just enough


class Taken(NamedTuple):
    """A part that a record took: where it stands in it, and the weight and text of the word in the query."""

    part: Part
    place: int
    weight: float
    word: str


class Weighed:
    """
    All parts of one query, what they come to for every record, and what there is to say about it.

    `asked` is the news of all that the query asks for, in so many `terms`.
    """

    def __init__(self, index: Indexed, query: Query) -> None:
        self._index = index
        self._added: list[tuple[Part, float, str]] = []
        self._terms: dict[Asked, Match] = {}
        self.notes: list[Note] = []
        self.asked = 0.0
        self.terms = 0
        self._match_terms(query)
        for phrase in query.phrases:
            self._add(match_phrase(index, phrase), 1.0, phrase.text)
        for pair, written in asked_pairs(query, index.settings).items():
            self._add(match_neighbours(index, pair, written), 1.0, written)
        added = [(part.docs, part.values, weight) for part, weight, _ in self._added]
        self.scores = _added_up(added, len(index.records))
        self._said = self._add_names()
        self._denied = {term.stem: match for term, match in self._terms.items() if len(match.denied)}
        self._against = self._take_denied()

    def _match_terms(self, query: Query) -> None:
        settings = self._index.settings
        asked = asked_terms(query, settings)
        if asked and only_common(asked, settings):
            self.notes.append(_COMMON)
        counted: dict[tuple[str, tuple[int, ...]], list[Asked]] = {}
        for term in asked:
            counted.setdefault((term.stem, term.fields), []).append(term)
        slips = 0
        for same in counted.values():
            match = match_term(self._index, same[0], guess=True)
            if match.guessed:
                slips += 1
                if slips > settings.corrected_words:
                    match = match_term(self._index, same[0], guess=False)
            self._terms[same[0]] = match
            if match.corrected:
                self.notes.append(_corrected(same[0], match.corrected))
            worth = settings.fragment if all(term.fragment for term in same) else 1.0
            repeated = 1.0 if len(same) == 1 else saturated(len(same), settings.k3)
            self._add(match, worth * repeated, same[0].word)

    def _add(self, match: Match, weight: float, word: str) -> None:
        for part in match.parts:
            self._added.append((part, weight, word))
        self.asked += match.news
        self.terms += match.terms

    def enough(self, least: float) -> Array:
        """Return a mask of the records that cover so much of the query."""
        covering = [(part.docs, part.covered, 1.0) for part, _, _ in self._added if part.covered is not None]
        enough: Array = _added_up(covering, len(self._index.records)) >= least * self.asked * _NEARLY
        return enough

    def _add_names(self) -> Array:
        """Add to each record what share of its name the query says, times what it says of it."""
        size = len(self._index.records)
        terms = {term.stem: match for term, match in self._terms.items() if term.fields == ALL}
        named = [match for match in terms.values() if len(match.named)]
        if not named:
            return np.zeros(size)
        docs = np.concatenate([match.named for match in named])
        worth = np.repeat([match.worth for match in named], [len(match.named) for match in named])
        said = np.bincount(docs, worth, size)
        # A record that several words name stands here several times, and is given the same each time.
        self.scores[docs] += self._lift(said[docs], self._index.name_news[docs])
        return said

    def _lift(self, said: _Number, news: _Number) -> _Number:
        return self._index.settings.name_lift * said * said / news

    def _take_denied(self) -> Array:
        """Take from each record what words cost that only its "Not for ..." clause holds."""
        size = len(self._index.records)
        if not self._denied:
            return NOTHING
        docs = np.concatenate([match.denied for match in self._denied.values()])
        costs = [match.worth * self._index.settings.negative for match in self._denied.values()]
        against = np.bincount(
            docs, np.repeat(costs, [len(each.denied) for each in self._denied.values()]), size
        )
        self.scores[docs] = np.maximum(
            0.0, self.scores[docs] - against[docs]
        )  # no hit is worth less than nothing
        return against

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the query that some record holds."""
        return tuple(dict.fromkeys(word for _, _, word in self._added))

    def order(self, positions: Array) -> Array:
        """Return what settles equal scores: more terms in the name, then the order of the index."""
        named = np.zeros(len(positions), dtype=np.int64)
        for match in {term.stem: match for term, match in self._terms.items()}.values():
            if len(match.named):
                named += match.named.take(match.named.searchsorted(positions), mode="clip") == positions
        return self._index.ties[positions] - named * (len(self._index.records) + 1)

    def taken(self, positions: Iterable[int]) -> dict[int, list[Taken]]:
        """Return, for each of some records, every part it took."""
        taken: dict[int, list[Taken]] = {at: [] for at in positions}
        listing = [part.docs for part, _, _ in self._added if part.docs is not None]
        found = _places(listing, taken, len(self._index.records))
        for part, weight, word in self._added:
            whole = part.fields if part.docs is None else None
            held = next(found) if whole is None else [(at, at) for at in taken if whole.item(at)]
            for at, place in held:
                taken[at].append(Taken(part, place, weight, word))
        return taken

    def covered(self, taken: Iterable[Taken]) -> float:
        """Return the share of the query that is covered by the parts a record took."""
        covered = sum(each.part.cover(each.place) for each in taken)
        return min(covered / self.asked, 1.0) if self.asked else covered

    def explain(self, at: int, taken: Iterable[Taken], *, named: bool = False) -> Scored:
        """Return a record with every part it took, and with its name first where that was asked for."""
        name = self._index.records[at].name
        evidence = [Evidence(name, name, ("name",), "name", 0.0)] if named else []
        masks: dict[str, int] = {}
        for part, place, weight, word in taken:
            way, score = part.way(place), part.values.item(place) * weight
            if part.fields is None:  # what stands side by side does so where both stand; most were just met
                stems = way.stem.split()
                mask = reduce(and_, (masks.get(stem) or self._index.fields(stem, at) for stem in stems))
            else:
                mask = masks[way.stem] = part.fields.item(place)
            evidence.append(Evidence(word, way.stem, FIELDS_OF[mask], way.how, score))
        said = self._said.item(at)
        if said:
            lift = self._lift(said, self._index.name_news.item(at))
            evidence.append(Evidence(name, name, ("name",), "named", lift))
        score = sum(piece.score for piece in evidence)
        if self._denied and self._against.item(at):
            for stem in sorted(stem for stem, match in self._denied.items() if at in match.denied):
                cost = min(score, self._denied[stem].worth * self._index.settings.negative)
                evidence.append(Evidence(stem, stem, ("description",), "negative", -cost))
                score -= cost
        return Scored(at, score, tuple(evidence))


def _corrected(term: Asked, forms: tuple[str, ...]) -> Note:
    message = f"{term.form!r} is in no skill; searched for {' and '.join(map(repr, forms))}"
    return Note("corrected", message, term.word, forms)


def _added_up(added: Iterable[tuple[Array | None, Array, float]], size: int) -> Array:
    """Return the weighted sum of what is added at each position: to those listed, or else to all of them."""
    listed: list[tuple[Array, Array, float]] = []
    whole: list[tuple[Array, float]] = []
    for docs, values, weight in added:
        if docs is None:
            whole.append((values, weight))
        else:
            listed.append((docs, values, weight))
    total: Array = np.zeros(size)
    if listed:
        lists, worths, weights = zip(*listed, strict=True)
        each = np.concatenate(worths)
        if min(weights) != 1.0 or max(weights) != 1.0:
            each = each * np.repeat(weights, [len(docs) for docs in lists])
        total = np.bincount(np.concatenate(lists), each, size)
    for row, weight in whole:
        total += row if weight == 1.0 else np.multiply(row, weight, dtype=np.float64)
    return total


def _places(lists: Sequence[Array], asked: Collection[int], size: int) -> Iterator[list[tuple[int, int]]]:
    """Yield for each of some lists of positions which of those asked for stand in it, each with where."""
    held: list[list[tuple[int, int]]] = [[] for _ in lists]
    if lists:
        wanted = np.zeros(size, dtype=bool)
        wanted[list(asked)] = True
        every = np.concatenate(lists)
        found = np.flatnonzero(wanted.take(every))
        ends = list(accumulate(map(len, lists)))
        number = start = 0
        for at, place in zip(every.take(found).tolist(), found.tolist(), strict=True):
            while place >= ends[number]:
                start, number = ends[number], number + 1
            held[number].append((at, place - start))
    return iter(held)
