"""
From the texts of records to postings: analyse each word once, number it, count the numbers.

    records ─cut→ raw words ─number→ one long row ─expand→ terms ─sort→ counts by term, record, field

What a word falls into is worked out in Python, what stands where in numpy: the first happens for
each distinct word, the second for each word of a hundred million characters.
"""

from __future__ import annotations

import re
from itertools import chain
from operator import itemgetter

import numpy as np

from skill_index.markdown import titles
from skill_index.ranking.analysis import tokens
from skill_index.ranking.cutting import joined, loosely, words
from skill_index.ranking.numbering import Lexicon
from skill_index.ranking.packing import counted, met
from skill_index.ranking.pairs import Pairs
from skill_index.ranking.postings import Array, Brief, Postings
from skill_index.ranking.recognising import Recogniser
from skill_index.ranking.records import FIELDS, SHORT_FIELDS, Record
from skill_index.ranking.triggers import quotes, uses

_FORMS, _STEMS = itemgetter(0), itemgetter(1)  # of what is spelt
_MOST = 0xFFFF  # a count above this says nothing more
_BESIDE = np.array(
    [field in {*SHORT_FIELDS, "body"} for field in FIELDS]
)  # fields whose words have neighbours
_NOT_FOR = re.compile(
    r"(?:^|(?<=[.;!?(\u2014]\s)|(?<=[.;!?(]))\s*"
    r"(?:not\s+(?:for|to\s+be\s+used|meant|intended)|do\s+not\s+use|don['\u2019]t\s+use|never\s+use)\b[^.;!?)\n]*",
    re.IGNORECASE,
)

_BATCH = 1 << 18  # bytes of words that are numbered at once: what that takes stays near the processor
_NOT_SIGNS = ("not", "don", "never")  # one of these is in every clause, in any case


def _split_negative(description: str) -> tuple[str, str]:
    """
    Return what a description is for, and what it says it is not for.

    >>> _split_negative("Fills forms. Not for merging files.")
    ('Fills forms', 'Not for merging files')
    """
    folded = description.casefold()
    if not any(sign in folded for sign in _NOT_SIGNS):  # most have none, and to find that out takes it long
        return description.strip(" ."), ""
    negative = [clause[0] for clause in _NOT_FOR.finditer(description)]
    return _NOT_FOR.sub(" ", description).strip(" ."), " ".join(negative).strip()


class PostingsBuilder:
    """
    Takes one record after another, and then makes the arrays.

    Words become numbers as they come in; what stands where is counted for all records at once, by
    one sort at the end.
    """

    def __init__(
        self, stop_words: frozenset[str] = frozenset(), recogniser: Recogniser | None = None
    ) -> None:
        self._recogniser = recogniser or Recogniser(Lexicon(stop_words))
        self._lexicon = self._recogniser.lexicon
        self._cells: list[bytes] = []  # the words of each field of each record, still to be numbered
        self._waiting = 0  # bytes of them
        self._found: list[Array] = []
        self._sizes: list[Array] = []

    def add(self, record: Record) -> Brief:
        """Add the next record; words of a "Not for ..." clause count for nothing but against it."""
        positive, negative = _split_negative(record.description)
        short = (record.name, "\n".join(record.aliases), "\n".join(record.tags), positive)
        fields = [words(text) if text else [] for text in short]
        spelt = [list(map(self._lexicon.spelt.__getitem__, raws)) for raws in fields]
        sequences = tuple(tuple(chain.from_iterable(map(_STEMS, found))) for found in spelt)
        forms = dict.fromkeys(chain.from_iterable(map(_FORMS, chain.from_iterable(spelt))))
        fields.append(words(f"{uses(positive)}\n{record.uses}"))
        cells = (*map(joined, fields), *_of_body(record.body))
        self._cells += cells
        self._waiting += sum(map(len, cells))
        if self._waiting > _BATCH:
            self._number()
        against = dict.fromkeys(token.stem for token in tokens(negative)) if negative else ()
        return Brief(sequences, tuple(forms), tuple(against))

    def build(self) -> tuple[Postings, Pairs]:
        """Return the postings and the pairs of every record added."""
        self._number()
        found = np.concatenate(self._found)
        terms, telling, ends = self._lexicon.spread(found)
        # A cell is one field of one record; its terms end where those of its last word do.
        ends = np.concatenate(([0], ends)).take(np.cumsum(np.concatenate(self._sizes)))
        lengths = np.diff(ends, prepend=0)
        cells = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        vocabulary, numbers = self._vocabulary(terms)
        terms = numbers.take(terms)
        pairs = _pairs(vocabulary, terms, telling, cells)
        (held, places), times = counted((terms, cells))
        docs, fields = np.divmod(places, len(FIELDS))
        new = np.ones(len(held), dtype=bool)
        new[1:] = (held[1:] != held[:-1]) | (docs[1:] != docs[:-1])
        counts = np.zeros((int(new.sum()), len(FIELDS)), dtype=np.uint16)
        counts[np.cumsum(new) - 1, fields] = np.minimum(times, _MOST)
        sizes = np.bincount(held[new], minlength=len(vocabulary))
        postings = Postings(
            vocabulary=vocabulary,
            starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            docs=docs[new].astype(np.int32),
            counts=counts,
            lengths=lengths.reshape(-1, len(FIELDS)).astype(np.float64),
        )
        return postings, pairs

    def _number(self) -> None:
        found, sizes = self._recogniser.rows(self._cells)
        self._found.append(found)
        self._sizes.append(sizes)
        self._cells, self._waiting = [], 0

    def _vocabulary(self, terms: Array) -> tuple[dict[str, int], Array]:
        """Return the stems of the terms, numbered as they are met, and the number of each in the lexicon."""
        stems = list(self._lexicon.stems)
        used, numbers = met(terms, len(stems))
        return dict(zip(map(stems.__getitem__, used.tolist()), range(len(used)), strict=True)), numbers


def _pairs(vocabulary: dict[str, int], terms: Array, telling: Array, cells: Array) -> Pairs:
    """
    Return the pairs of the fields that have a word order, which is that of the terms that tell.

    What a record says of itself in short counts twice as often as what its body mentions.
    """
    fields = cells % len(FIELDS)
    standing = np.flatnonzero(_BESIDE.take(fields) & telling)
    texts, twice = cells.take(standing), fields.take(standing) < len(SHORT_FIELDS)
    return Pairs.of(vocabulary, terms.take(standing), texts, texts // len(FIELDS), twice)


def _of_body(body: str) -> tuple[bytes, bytes, bytes]:
    """Return the raw words of a body's headings, of what it quotes, and of all of it."""
    if not body:
        return b"", b"", b""
    return loosely("\n".join(titles(body))), loosely(quotes(body)), loosely(body)
