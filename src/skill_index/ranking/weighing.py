"""
What a query adds to the records: the parts of all its words, summed, and told apart again for a hit.

    words ─matches→ parts ─add→ scores        hits ─look up in each part→ evidence

Evidence is the list of the parts that a record took, so what is explained is what was added,
never a second computation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from skill_index.findings import Note
from skill_index.query import Query
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import saturated
from skill_index.ranking.matching import match_term
from skill_index.ranking.neighbours import match_neighbours, match_phrase
from skill_index.ranking.parts import Match, Part, places
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import ALL, Asked, asked_pairs, asked_terms, only_common
from skill_index.ranking.records import Evidence, Scored

_COMMON = Note("common-words", "only common words: looked for them in names; say what the skill should do")

_Number = TypeVar("_Number", float, Array)
_NEARLY = 1 - 1e-9  # what rounding may take from a sum that is just enough


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
        self._denied: list[tuple[str, Array, Array]] = []
        self.notes: list[Note] = []
        self.asked = 0.0
        self.terms = 0
        self._match_terms(query)
        for phrase in query.phrases:
            self._add(match_phrase(index, phrase), 1.0, phrase.text)
        for pair, written in asked_pairs(query, index.settings).items():
            self._add(match_neighbours(index, pair, written), 1.0, written)
        added = [(part.docs, _times(part.values, weight)) for part, weight, _ in self._added]
        self.scores = _added_up(added, len(index.records))
        self._said = self._add_names()
        self._take_denied()

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
        needed = least * self.asked * _NEARLY
        # Most words are enough by themselves; only of the others it must be added up what they cover.
        strong: list[Part] = []
        weak: list[tuple[Array | None, Array]] = []
        for part, _, _ in self._added:
            if part.grades is None:
                continue
            if min(part.covers[: 2 * len(part.asked)]) >= needed:
                strong.append(part)
            else:
                weak.append((part.docs, np.array(part.covers).take(part.grades)))
        enough = _added_up(weak, len(self._index.records)) >= needed
        for part in strong:
            if part.docs is None:
                enough |= part.fields != 0
            else:
                enough[part.docs] = True
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

    def _take_denied(self) -> None:
        """Count against a record what only its "Not for ..." clause holds."""
        denied = {term.stem: match for term, match in self._terms.items() if len(match.denied)}
        for stem in sorted(denied):
            docs = denied[stem].denied
            cost = denied[stem].worth * self._index.settings.negative
            taken = np.minimum(cost, self.scores[docs])  # no hit is worth less than nothing
            self.scores[docs] -= taken
            self._denied.append((stem, docs, taken))

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
        asked = np.array(list(taken), dtype=np.int32)
        for part, weight, word in self._added:
            for at, place in part.places(asked):
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
        for part, place, weight, word in taken:
            way, score = part.way(place), part.values.item(place) * weight
            evidence.append(Evidence(word, way.stem, part.fields_at(place), way.how, score))
        said = self._said.item(at)
        if said:
            lift = self._lift(said, self._index.name_news.item(at))
            evidence.append(Evidence(name, name, ("name",), "named", lift))
        for stem, docs, cost in self._denied:
            for _, place in places(docs, np.array([at])):
                evidence.append(Evidence(stem, stem, ("description",), "negative", -cost.item(place)))
        # What takes all that others gave may miss zero by the last bits.
        return Scored(at, max(0.0, sum(piece.score for piece in evidence)), tuple(evidence))


def _corrected(term: Asked, forms: tuple[str, ...]) -> Note:
    message = f"{term.form!r} is in no skill; searched for {' and '.join(map(repr, forms))}"
    return Note("corrected", message, term.word, forms)


def _times(values: Array, weight: float) -> Array:
    return values if weight == 1.0 else np.multiply(values, weight, dtype=np.float64)


def _added_up(added: Sequence[tuple[Array | None, Array]], size: int) -> Array:
    """Return the sum of what is added at each position: to those listed, or else to all of them."""
    listed = [(docs, values) for docs, values in added if docs is not None]
    if listed:
        every, each = map(np.concatenate, zip(*listed, strict=True))
        total: Array = np.bincount(every, each, size)
    else:
        total = np.zeros(size)
    for docs, row in added:
        if docs is None:
            total += row
    return total
