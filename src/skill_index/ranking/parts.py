"""
The parts of a score: each an addition with a name, to records that hold one term.

Evidence is the list of the parts that a record took, so what is explained is what was added,
never a second computation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from skill_index.findings import Note
from skill_index.query import Phrase, Query
from skill_index.ranking.indexed import Indexed
from skill_index.ranking.kernel import idf, saturated
from skill_index.ranking.postings import Array
from skill_index.ranking.querying import (
    Asked,
    asked_pairs,
    asked_terms,
    asked_tokens,
    field_columns,
    only_common,
    sequence_stems,
    split_stems,
)
from skill_index.ranking.records import FIELDS, Evidence, Scored

_ALL = tuple(range(len(FIELDS)))
_DESCRIPTION = (FIELDS.index("description"),)


@dataclass(frozen=True, slots=True)
class Part:
    """
    One addition: `docs` (ascending) get `values` for a term.

    `covers` is the share of news it covers in each of them, for the gate.
    """

    asked: Asked
    docs: Array
    values: Array
    covers: Array | None = None

    def only(self, held: Array) -> Part:
        """Return the part for some of its records, given as a mask."""
        covers = None if self.covers is None else self.covers[held]
        return Part(self.asked, self.docs[held], self.values[held], covers)


@dataclass(slots=True)
class Parts:
    """All parts of one query, what it asked for in sum, and what there is to say about it."""

    index: Indexed
    parts: list[Part] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    asked: float = 0.0
    terms: int = 0
    tried: int = 0

    @classmethod
    def gather(cls, index: Indexed, query: Query) -> Parts:
        """Return the parts of a query over an index."""
        gathered = cls(index)
        counted: dict[tuple[str, tuple[int, ...]], list[Asked]] = {}
        asked = asked_terms(query, index.settings)
        if asked and only_common(asked, index.settings):
            message = "only common words: looked for them in names; say what the skill should do"
            gathered.notes.append(Note("common-words", message))
        for term in asked:
            counted.setdefault((term.stem, term.fields), []).append(term)
        for same in counted.values():
            worth = index.settings.fragment if all(term.fragment for term in same) else 1.0
            gathered._add_term(same[0], worth * saturated(len(same), index.settings.k3))
        for phrase in query.phrases:
            gathered._add_phrase(phrase)
        for (first, second), written in asked_pairs(query, index.settings).items():
            held = gathered._add_pair(first, second, written)
            gathered._add_joined(written, held)
        gathered._add_named(dict.fromkeys(stem for stem, fields in counted if fields == _ALL))
        gathered._add_negative({stem for stem, _ in counted})
        return gathered

    def totals(self) -> tuple[Array, Array]:
        """Return the score and the share of the query covered, for every record."""
        scores = np.zeros(len(self.index.records))
        covered = np.zeros(len(self.index.records))
        for part in self.parts:
            scores[part.docs] += part.values
            if part.covers is not None:
                covered[part.docs] += part.covers
        return scores, np.minimum(covered / self.asked, 1.0) if self.asked else covered

    def _add_term(self, term: Asked, weight: float) -> None:
        """Add what a term matches: itself, else its corrections; and other words for it."""
        index = self.index
        bases = [term]
        known = index.rows(term.stem) > 0
        if term.repeats and not known:
            return
        # A function word is not misspelt because no name holds it, nor a word that other fields hold.
        if not known and term.form not in index.settings.stop_words and self._may_correct():
            if term.fields == _ALL and self._add_split(term, weight):
                return
            bases = list(index.widener.corrections(term))
            if bases:
                forms = tuple(base.form for base in bases)
                message = f"{term.form!r} is in no skill; searched for {' and '.join(map(repr, forms))}"
                self.notes.append(Note("corrected", message, term.word, forms))
        wider = [wide for base in bases or [term] for wide in index.widener.synonyms(base)]
        variants = [*bases, *(wide for wide in wider if self._frequency(wide))]
        # A word that no record holds is asked for all the same, as the rarest there could be.
        spelt = [variant for variant in variants if variant.how != "corrected"]
        news = max(index.news(variant.stem, max(1, self._frequency(variant))) for variant in spelt or [term])
        self.terms += 1
        self.asked += news
        # Another word for it is no better news than the word itself, however rare it is.
        most = index.news(term.stem, max(1, self._frequency(term)))
        found_parts = (self._match(variant, weight, news, most) for variant in variants)
        matched = [part for part in found_parts if part is not None]
        self.parts += _best_routes(matched)
        self._add_exact_form(term, weight)

    def _may_correct(self) -> bool:
        """Count the unknown words: each costs cuts and a walk over the vocabulary, and noise has many."""
        self.tried += 1
        return self.tried <= self.index.settings.corrected_words

    def _match(self, term: Asked, weight: float, covers: float, most: float) -> Part | None:
        postings = self.index.postings
        row = postings.row(term.stem)
        if row is None:
            return None
        docs, values, counts = postings.docs[row], self.index.impacts[row], postings.counts[row]
        if term.fields != _ALL:
            held = counts[:, list(term.fields)].any(axis=1)
            docs, values, counts = docs[held], values[held], counts[held]
        worth = weight * min(self.index.news(term.stem, len(docs)), most) * term.discount
        stated = counts[:, : FIELDS.index("body")].any(axis=1)
        strength = np.where(stated, 1.0, self.index.settings.gate_body)
        return Part(term, docs, values.astype(np.float64) * worth, strength * (covers * term.discount))

    def _add_exact_form(self, term: Asked, weight: float) -> None:
        """Put the records first that write the word as the query does, accents and ending too."""
        docs = self.index.form_docs.get(term.form)
        if docs is None or term.fields != _ALL:
            return
        bonus = weight * self.index.news(term.stem, len(docs)) * self.index.settings.exact_form
        form = Asked(term.word, term.form, term.stem, term.fields, "exact form")
        self.parts.append(Part(form, docs, np.full(len(docs), bonus)))

    def _add_phrase(self, phrase: Phrase) -> None:
        stems = sequence_stems(phrase)
        if len(stems) < 2:
            return
        docs = self.index.with_sequence(stems, field_columns(phrase.field))
        news = sum(self.index.news(stem, self.index.rows(stem)) for stem in stems)
        term = Asked(phrase.text, phrase.text, stems[0], _ALL, "phrase")
        lift = np.full(len(docs), news * self.index.settings.phrase_lift)
        self.parts.append(Part(term, docs, lift))

    def _add_pair(self, first: str, second: str, written: str) -> Array:
        """Add what holds two words of the query side by side, more if it does so often; return what does."""
        docs, counts = self.index.pairs.find(first, second)
        if not len(docs):
            return docs
        often = counts.astype(np.float64)
        worth = idf(len(self.index.records), len(docs)) * self.index.settings.pair_lift
        term = Asked(written, written, f"{first} {second}", _ALL, "together")
        self.parts.append(Part(term, docs, worth * 2 * often / (often + 1)))
        return docs

    def _add_joined(self, written: str, held: Array) -> None:
        """Add what writes two neighbours of the query only as one word: "doc string" is a docstring."""
        joined = asked_tokens(written.replace(" ", ""))
        if len(joined) != 1 or not self.index.rows(joined[0].stem):
            return
        term = Asked(written, joined[0].form, joined[0].stem, _ALL, "joined")
        part = self._match(term, 1.0, 0.0, math.inf)
        # An identifier is known as a whole and by its parts; who has the parts side by side has both.
        part = part and part.only(~np.isin(part.docs, held))
        self.parts += [part] if part and len(part.docs) else []

    def _add_split(self, term: Asked, weight: float) -> bool:
        """Add what writes an unknown word as two: a docstring is a "doc string"; return whether any does."""
        found = [(len(self.index.pairs.find(*halves)[0]), halves) for halves in split_stems(term.form)]
        most, (first, second) = max(found, default=(0, ("", "")))
        if not most:
            return False
        docs, counts = self.index.pairs.find(first, second)
        often = counts.astype(np.float64)
        news = idf(len(self.index.records), most)
        asked = Asked(term.word, term.form, f"{first} {second}", _ALL, "split")
        covers = np.full(most, news * self.index.settings.gate_body)
        self.parts.append(Part(asked, docs, weight * news * 2 * often / (often + 1), covers))
        self.asked += news
        self.terms += 1
        return True

    def _add_named(self, stems: Iterable[str]) -> None:
        """Add to each record what share of its name the query says, times what it says of it."""
        postings, column = self.index.postings, FIELDS.index("name")
        said = np.zeros(len(self.index.records))
        for stem in stems:
            docs = postings.holders(stem, (column,))
            said[docs] += self.index.news(stem, self.index.rows(stem))
        docs = np.flatnonzero(said)
        share = said[docs] / self.index.name_news[docs]
        lift = self.index.settings.name_lift * share * said[docs]
        self.parts.append(Part(Asked("", "", "", (column,), "named"), docs, lift))

    def _add_negative(self, stems: Iterable[str]) -> None:
        """Count against a record what only its "Not for ..." clause holds."""
        left, _ = self.totals()
        for stem in sorted(stems):
            docs = self.index.negative.get(stem)
            if docs is None:
                continue
            cost = self.index.news(stem, self.index.rows(stem)) * self.index.settings.negative
            term = Asked(stem, stem, stem, _DESCRIPTION, "negative")
            taken = np.minimum(cost, left[docs])  # no hit is worth less than nothing
            left[docs] -= taken
            self.parts.append(Part(term, docs, -taken))

    def _frequency(self, term: Asked) -> int:
        if term.fields == _ALL:
            return self.index.rows(term.stem)
        return len(self.index.postings.holders(term.stem, term.fields))

    def order(self) -> Array:
        """Return the places that settle equal scores: more terms in the name, then the fixed order."""
        postings = self.index.postings
        named = np.zeros(len(self.index.records), dtype=np.int64)
        for stem in {part.asked.stem for part in self.parts if part.asked.how == "exact"}:
            row = postings.row(stem)
            if row is not None:
                named[postings.docs[row]] += postings.counts[row][:, FIELDS.index("name")] > 0
        return self.index.ties - named * (len(self.index.records) + 1)

    def explain(self, at: int, *, named: bool = False) -> Scored:
        """Return a record with every part it took, and with its name first where that was asked for."""
        evidence = [piece for part in self.parts if (piece := self._evidence(part, at)) is not None]
        if named:
            name = self.index.records[at].name
            evidence.insert(0, Evidence(name, name, ("name",), "name", 0.0))
        # What takes all that others gave may miss zero by the last bits.
        score = max(0.0, sum(piece.score for piece in evidence))
        return Scored(at, score, tuple(evidence))

    def _evidence(self, part: Part, at: int) -> Evidence | None:
        place = int(part.docs.searchsorted(at))
        if place == len(part.docs) or part.docs[place] != at:
            return None
        asked, how = part.asked, part.asked.how
        if how == "exact" and asked.form != asked.stem:
            written = (asked.form, asked.stem) in self.index.briefs[at].forms
            how = "exact" if written else "stem"
        score = float(part.values[place])
        if how == "named":
            return Evidence(self.index.records[at].name, self.index.records[at].name, ("name",), how, score)
        if how == "negative":
            return Evidence(asked.word, asked.stem, ("description",), how, score)
        held = [self.index.fields_of(stem, at) for stem in asked.stem.split()]
        fields = tuple(name for name in held[0] if all(name in other for other in held))
        return Evidence(asked.word, asked.stem, fields, how, score)


def _best_routes(parts: list[Part]) -> list[Part]:
    """
    Leave each record only the best of several ways in which it matches one word of the query.

    A skill that says "spreadsheet", "Excel" and "xlsx" is about one thing, not about three.
    """
    if len(parts) < 2:
        return parts
    docs = np.concatenate([part.docs for part in parts])
    values = np.concatenate([part.values for part in parts])
    routes = np.repeat(np.arange(len(parts)), [len(part.docs) for part in parts])
    order = np.lexsort((routes, -values, docs))
    first = np.ones(len(order), dtype=bool)
    first[1:] = docs[order][1:] != docs[order][:-1]
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order[first]] = True
    kept = [chosen[routes == route] for route in range(len(parts))]
    return [part.only(held) for part, held in zip(parts, kept, strict=True) if held.any()]
