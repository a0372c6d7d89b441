"""
How the short fields of records spell their words: the dictionary of an index.

Bodies are no dictionary.  They hold ten times as many words, most of them seen once and many of them
slips: looking for near spellings among them would take longer than the search, and find worse.  Only
what several bodies hold is looked at, and last (`Indexed.common`).
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from skill_index.ranking.postings import Array, Brief

SHORTEST = 3
"""Letters of a word at least that another is corrected to."""

Docs: TypeAlias = Sequence[int] | Array
"""Records, ascending."""

WordsByLength: TypeAlias = Mapping[int, Sequence[str]]


class Spellings:
    """
    How the short fields of records spell their words.

    `forms` are the records that write a word so, `stems` the stem of each form and `variants` the
    forms of each stem; `denied` the records that speak of a stem in a "Not for ..." clause, and
    otherwise at most in their body.
    """

    forms: Mapping[str, Docs]
    stems: Mapping[str, str]
    variants: Mapping[str, Sequence[str]]
    denied: Mapping[str, Docs]

    def __init__(self, briefs: Iterable[Brief]) -> None:
        forms: dict[str, array[int]] = {}
        stems: dict[str, str] = {}
        variants: dict[str, list[str]] = defaultdict(list)
        denied: dict[str, list[int]] = defaultdict(list)
        for number, brief in enumerate(briefs):
            for form, stem in brief.forms:
                held = forms.get(form)
                if held is None:
                    held = forms[form] = array("i")
                    stems[form] = stem
                    variants[stem].append(form)
                held.append(number)
            if brief.negative:
                stated = {stem for _, stem in brief.forms}
                for stem in brief.negative:
                    if stem not in stated:
                        denied[stem].append(number)
        self.forms, self.stems, self.variants, self.denied = forms, stems, variants, denied

    @cached_property
    def long_forms(self) -> WordsByLength:
        """The forms to which others may be corrected, by their length."""
        return by_length(form for form in self.forms if len(form) >= SHORTEST)

    @cached_property
    def long_stems(self) -> WordsByLength:
        """The stems of those forms, by their length."""
        return by_length({self.stems[form]: None for form in self.forms if len(form) >= SHORTEST})


def by_length(words: Iterable[str]) -> WordsByLength:
    """Return words by their length, each in the order in which they come."""
    found: dict[int, list[str]] = defaultdict(list)
    for word in words:
        found[len(word)].append(word)
    return found
