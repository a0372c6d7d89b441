"""
Which forms that share a stem are one word: "notification" and "notifications", not "organ" and "organize".

A stem is greedy, which helps to find.  To hide by it would hide what never says the word.  So two forms
of a stem are compared by what they may be the plural, past or participle of.

Rejected: a lighter stemmer beside the other, whose stems every index would have to hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from skill_index.ranking.folding import fold

_ENDINGS = {
    "s": ("",),
    "es": ("",),
    "ses": ("sis",),
    "ies": ("y",),
    "ed": ("", "e"),
    "ied": ("y",),
    "ing": ("", "e"),
}
_LAST = {ending[-1] for ending in _ENDINGS}
_DOUBLED = re.compile(r"(\w+([^\W\d_aeiou]))\2(?:ed|ing)")


def inflections(form: str, others: Iterable[str]) -> list[str]:
    """
    Return those forms of one stem that are one word with `form` in number and tense, and not made of it.

    >>> inflections("merge", ["merges", "merged", "merging", "merger"])
    ['merges', 'merged', 'merging']
    >>> inflections("plans", ["planning"]), inflections("policy", ["policies", "police"])
    (['planning'], ['policies'])
    """
    bases = _bases(fold(form))
    return [other for other in others if other == form or not bases.isdisjoint(_bases(fold(other)))]


def _bases(form: str) -> set[str]:
    """Return a word and what it may be a form of, some of it no word."""
    found = {form}
    if form[-1:] not in _LAST:  # most: to try every ending would take longer than all else here
        return found
    for ending, bases in _ENDINGS.items():
        if form.endswith(ending):
            found.update([form.removesuffix(ending) + base for base in bases])
    doubled = _DOUBLED.fullmatch(form)
    return found | {doubled[1]} if doubled else found
