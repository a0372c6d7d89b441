"""All of a score beside the same written plainly, one record and one word at a time."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skill_index.query import parse_query
from skill_index.ranking import Ranker, Record, terms_of
from skill_index.ranking.background import SHARES
from skill_index.ranking.related import related
from skill_index.settings import SearchSettings

SETTINGS = SearchSettings(
    synonyms=(("deck", "slide", "keynote"), ("pdf", "acrobat")), related_beside=2, corrections=0
)
WORDS = ["deck", "slides", "slide", "keynote", "pdf", "PDFs", "acrobat", "merging", "merge", "pizza", "meal"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
RECORDS = st.lists(
    st.builds(Record, st.just(""), TEXTS.filter(bool), TEXTS, TEXTS), min_size=1, max_size=8
).map(lambda records: [dataclasses.replace(record, key=f"k{n}") for n, record in enumerate(records)])
QUERIES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9)
PLAIN = ("name", "description", "body")


class Plain:
    """A scorer without any index, that counts anew whatever it is asked."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.texts = [[getattr(record, name).split() for name in PLAIN] for record in records]
        self.stems = [[terms_of(" ".join(words)) for words in texts] for texts in self.texts]

    def having(self, stem: str) -> list[int]:
        """Return the records that hold a stem."""
        return [at for at, fields in enumerate(self.stems) if any(stem in field for field in fields)]

    def news(self, stem: str, having: int, background: float = SETTINGS.background) -> float:
        """Return the idf of a stem that so many records hold."""
        total, held = len(self.stems) + background, having + background * SHARES.get(stem, 0.0)
        return math.log(1 + (total - held + 0.5) / (held + 0.5))

    def impact(self, stem: str, at: int) -> float:
        """Return BM25F of one stem in one record."""
        mixed = 0.0
        for column, name in enumerate(PLAIN):
            weight = getattr(SETTINGS.weights, name)
            lengths = [len(fields[column]) for fields in self.stems]
            count = self.stems[at][column].count(stem)
            if count:
                average = sum(lengths) / sum(length > 0 for length in lengths)
                mixed += weight.weight * count / (1 - weight.b + weight.b * lengths[at] / average)
        return mixed * (SETTINGS.k1 + 1) / (mixed + SETTINGS.k1)

    def word(self, stem: str, at: int) -> tuple[float, float, float]:
        """Return what the best way to hold a word adds, what it covers, and what the word asks for."""
        groups = [terms_of(" ".join(group)) for group in SETTINGS.synonyms]
        group = next((group for group in groups if stem in group), [stem])
        ways = [(stem, 1.0), *((other, SETTINGS.synonym_discount) for other in group if other != stem)]
        if len(self.having(stem)) <= SETTINGS.related_beside:
            ways += [
                (to, SETTINGS.related_discount * grade) for to, grade in related(stem) if to not in group
            ]
        ways = [way for way in ways if self.having(way[0])] or ways[:1]
        rare = {way: self.news(way, max(1, len(self.having(way)))) for way in (stem, *(w for w, _ in ways))}
        asked = max(rare[way] for way in {stem, *(w for w, _ in ways)})
        best, covered = 0.0, 0.0
        for way, discount in ways:
            value = self.impact(way, at) * min(rare[way], rare[stem]) * discount
            if value > best + 1e-12:
                stated = any(way in field for field in self.stems[at][:2])
                best, covered = value, asked * discount * (1.0 if stated else SETTINGS.gate_body)
        return best, covered, asked

    def written(self, form: str, stem: str, at: int) -> float:
        """Return what writing a word as the query does adds."""
        shown = [{word.casefold() for field in fields[:2] for word in field} for fields in self.texts]
        forms = {word for words in shown for word in words if terms_of(word) == [stem]}
        holders = [number for number, words in enumerate(shown) if form in words]
        told = len(forms) > 1 and at in holders
        return self.news(stem, len(holders)) * SETTINGS.exact_form if told else 0.0

    def beside(self, pair: tuple[str, str], at: int) -> float:
        """Return what two words side by side add."""
        often = [
            sum(
                (1 + (name != "body")) * [*pairwise(field)].count(pair)
                for name, field in zip(PLAIN, fields, strict=True)
            )
            for fields in self.stems
        ]
        held = sum(count > 0 for count in often)
        times = min(often[at], 15)
        return self.news("", held, 0.0) * SETTINGS.pair_lift * 2 * times / (times + 1)

    def named(self, stems: set[str], at: int) -> float:
        """Return the share of the words of the name that are said."""
        name = set(self.stems[at][0])
        return len(name & stems) / len(name)

    def score(self, query: Sequence[str], at: int) -> tuple[float, float]:
        """Return the score of a record, and the share of the query that it covers."""
        asked = [(word.casefold(), *terms_of(word)) for word in query]
        score = covered = news = 0.0
        for stem, times in Counter(stem for _, stem in asked).items():
            weight = (SETTINGS.k3 + 1) * times / (SETTINGS.k3 + times)
            form = next(form for form, other in asked if other == stem)
            value, covers, wanted = self.word(stem, at)
            score += weight * (value + self.written(form, stem, at))
            covered, news = covered + covers, news + wanted
        stems = [stem for _, stem in asked]
        score += sum(self.beside(pair, at) for pair in set(pairwise(stems)))
        return score * (1 + SETTINGS.name_lift * self.named(set(stems), at)), covered / news


def ranker_over(records: list[Record], data: st.DataObject) -> Ranker:
    """Return a ranker over the records in one of the ways in which there can be one."""
    way = data.draw(st.sampled_from(["built", "cut", "updated", "cut after an update"]))
    others = [dataclasses.replace(record, key=f"x{n}") for n, record in enumerate(data.draw(RECORDS))]
    if way == "built":
        return Ranker.build(records, SETTINGS)
    if way == "cut":
        return Ranker.build([*records, *others], SETTINGS).restrict(range(len(records)))
    known = [at if data.draw(st.booleans()) else None for at in range(len(records))]
    old = Ranker.build([*records, *others], SETTINGS)
    if way == "updated":
        return old.updated(records, known)
    places: list[int | None] = [None] * len(others)
    return old.updated([*others, *records], [*places, *known]).restrict(
        range(len(others), len(others) + len(records))
    )


@settings(deadline=None)
@given(RECORDS, QUERIES, st.data())
def test_a_score_is_what_plain_lines_give(
    records: list[Record], query: list[str], data: st.DataObject
) -> None:
    """The same records are hits, by the same scores, to five places, however the index came about."""
    plain = Plain(records)
    scores = [plain.score(query, at) for at in range(len(records))]
    terms = len({stem for word in query for stem in terms_of(word)})
    least = SETTINGS.gate_least if terms >= SETTINGS.gate_terms else 0.0
    expected = {at: score for at, (score, covered) in enumerate(scores) if score > 0 and covered >= least}
    ranking = ranker_over(records, data).rank(parse_query(" ".join(query)), 99)
    assert {hit.position: hit.score for hit in ranking.hits} == pytest.approx(expected, abs=1e-5)
    assert ranking.total == len(expected)
    told = [hit.score for hit in ranking.hits]
    if len({record.name for record in records}) == len(records):  # or copies come last
        assert told == pytest.approx(sorted(told, reverse=True))
