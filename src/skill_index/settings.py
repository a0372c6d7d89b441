"""
Every number a user may turn, with its reason beside it.

Frozen, so that a running index cannot change under a search; derive another with
`dataclasses.replace(settings, ...)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from skill_index.synonyms import SYNONYMS
from skill_index.wordlists import STOP_WORDS


def _refuse_odd(settings: Any) -> None:
    """Refuse a number that is none or below 0: it would drop skills from answers in silence."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        if isinstance(value, int | float) and not 0 <= value < math.inf:
            message = f"{type(settings).__name__}.{field.name} is {value}; it takes a number from 0 on"
            raise ValueError(message)


def _refuse_above_1(settings: Any, name: str) -> None:
    """Refuse a share of more than all: no field is so long, and no skill covers so much."""
    value = getattr(settings, name)
    if value > 1:
        message = f"{type(settings).__name__}.{name} is {value}; it takes a share, from 0 to 1"
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most: files come from strangers, and small inputs can cost much."""

    file_bytes: int = 1 << 20
    """A SKILL.md larger than 1 MiB is refused; the largest of 15,324 real ones has a tenth of it."""

    resource_bytes: int = 8 << 20
    """A resource larger than 8 MiB is not read for a model; a host reads it from its folder."""

    resource_files: int = 2_000
    """Files listed of one skill; four times what Skills over MCP allow."""

    resource_depth: int = 12
    """How many folders deep, below a skill's own, its files are listed."""

    header_bytes: int = 64 << 10
    """Front matter above 64 KiB is refused before YAML sees it."""

    yaml_depth: int = 20
    """Nesting of front matter; deeper text is an attack, not a skill."""

    yaml_aliases: int = 50
    """Uses of `*alias`; each may multiply what is built (the 'billion laughs' of YAML)."""

    def __post_init__(self) -> None:
        _refuse_odd(self)


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much one field counts, and how strongly its length is held against it (BM25F's w and b)."""

    weight: float
    b: float

    def __post_init__(self) -> None:
        _refuse_odd(self)
        _refuse_above_1(self, "b")


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """The weight and length penalty of every field, name first (see `ranking.kernel`)."""

    name: FieldWeight = FieldWeight(6.5, 0.7)
    """A name is short and chosen with care; a word in it says most, and the more the fewer there are."""

    aliases: FieldWeight = FieldWeight(6.5, 0.7)
    """Other names for the skill; they count as much as its name."""

    tags: FieldWeight = FieldWeight(3.5, 0.5)
    """Chosen words, but many of them are broad."""

    description: FieldWeight = FieldWeight(2.5, 0.2)
    """Written to be found by; little of its length is held against it."""

    uses: FieldWeight = FieldWeight(4.0, 0.5)
    """What a description says of when to use the skill, on top of what it says there as a description."""

    headings: FieldWeight = FieldWeight(0.2, 0.8)
    """They repeat in the body what they name; they count to be shown as a reason."""

    quotes: FieldWeight = FieldWeight(1.0, 0.2)
    """What a body quotes of users, on top of what it says there as a body."""

    body: FieldWeight = FieldWeight(0.7, 1.0)
    """Instructions mention much in passing; a long one gets no more for it than a short one."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How queries are answered: one default for every catalog."""

    limit: int = 5
    """Hits of a keyword query: enough to hold the right skill, few enough to read each turn."""

    near_limit: int = 3
    """Near misses beside them; a hint, not a second page."""

    query_chars: int = 4_000
    """Keyword text read at most, about 600 words; `select:` is never cut by it."""

    operator_words: int = 16
    """Operators act in one-line queries up to this long; models paste whole tasks, where `-` is a dash."""

    weights: FieldWeights = FieldWeights()
    """What a word counts in each field."""

    k1: float = 3.5
    """Saturation of a term in a skill: at a mixed count of k1 it gives half of what it can."""

    k3: float = 2.5
    """Saturation of a term repeated in the query: pasted tasks repeat their words."""

    fragment: float = 0.6
    """What a number, a letter or two, or a part of an identifier counts in a query beside a whole word."""

    exact_form: float = 0.1
    """What writing a word as the query does adds, in shares of its news: enough to settle near ties."""

    background: float = 100.0
    """Skills at large that stand beside a catalog when words are counted; see `ranking.background`."""

    pair_lift: float = 0.8
    """What two words side by side but for stop words add, in shares of the news of their meeting."""

    name_lift: float = 0.4
    """What saying a whole name adds, in shares of the score; saying half of its words adds half of that."""

    phrase_lift: float = 0.5
    """What a phrase found in sequence adds, in shares of the news of its words."""

    negative: float = 0.5
    """What a word costs that only a "Not for ..." clause holds, in shares of its news."""

    typo_discount: float = 0.8
    """What a corrected word counts beside one spelt as the skill spells it."""

    corrections: int = 2
    """Equally near spellings tried for one word; more would be guessing."""

    corrected_words: int = 16
    """Unknown words of one query that are corrected; each costs a walk over the vocabulary."""

    synonym_discount: float = 0.6
    """What another word for the same thing counts."""

    related_discount: float = 0.1
    """What a related word counts for each of its grades, which are at most 5; see `ranking.related`."""

    related_beside: int = 20
    """Records that may hold a word for its related words to be looked for too; more need no guess."""

    gate_terms: int = 4
    """From so many terms on a hit must cover a share of the query; shorter queries keep all they match."""

    gate_least: float = 0.05
    """That share, weighted by news: one telling word of twenty; less is a coincidence, not a hit."""

    gate_strong: float = 0.35
    """From this confidence on the answer is strong; see `ranking.gate.confidence`."""

    gate_half: float = 0.8
    """Full matches of one rare word that make an answer half trusted."""

    gate_words: int = 6
    """Words of a query whose scores count for trust, the strongest: long texts find some of everything."""

    gate_neighbours: float = 6.5
    """Score of neighbours from which trust grows with it: two pairs of telling words; 0 is never."""

    gate_long: int = 16
    """Terms from which on that share shrinks with the square root of the length: long texts say much else."""

    gate_body: float = 0.5
    """What a word covers that stands in the body only: instructions mention much in passing."""

    stop_words: frozenset[str] = STOP_WORDS
    """Words dropped from a query unless nothing else is left."""

    synonyms: tuple[tuple[str, ...], ...] = SYNONYMS
    """Groups of words for one thing."""

    def __post_init__(self) -> None:
        _refuse_odd(self)
        _refuse_above_1(self, "gate_least")
