"""
Which forms that share a stem are one word: "notification" and "notifications", not "organ" and "organize".

A stem is greedy, which helps to find.  To hide by it would hide what never says the word.  So two forms
of a stem are compared by what they may be the plural, past or participle of.

Rejected: a lighter stemmer beside the other, whose stems every index would have to hold.
"""

from __future__ import annotations

import re

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
_DOUBLED = re.compile(r"(\w+([^\W\d_aeiou]))\2(?:ed|ing)")


def inflected(form: str, other: str) -> bool:
    """
    Say whether two forms of one stem are one word in number and tense, and not one made of the other.

    >>> [inflected("merge", other) for other in ("merges", "merged", "merging", "merger")]
    [True, True, True, False]
    >>> inflected("plans", "planning"), inflected("policy", "policies"), inflected("policy", "police")
    (True, True, False)
    """
    return not _bases(fold(form)).isdisjoint(_bases(fold(other)))


def _bases(form: str) -> set[str]:
    """Return a word and what it may be a form of, some of it no word."""
    found = {form}
    for ending, bases in _ENDINGS.items():
        if form.endswith(ending):
            found.update(form.removesuffix(ending) + base for base in bases)
    doubled = _DOUBLED.fullmatch(form)
    return found | {doubled[1]} if doubled else found
