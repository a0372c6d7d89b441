"""
The other forms of a word that stemming does not make one: each is the word to whoever asks for it.

British and American spellings, plurals that end as a singular does ("apis", "analyses"), "verify" and
"verification", a number at the end or none.  They are made by rules on endings when a query asks for a
word; a rule may make what is no word, which no skill then holds.

Rejected: to spell all words one way when they are analysed.  There a rule must not be wrong ("precise"
would no longer be found by "precisely"), and the exceptions are longer than the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_MEMO = 1 << 13
# Too short to be stemmed, or left as "status" is; by a rule "css" and "status" would be plurals, too.
_SHORT = ["ai", "api", "cli", "cpu", "db", "emoji", "gpu", "gui", "id", "kpi", "menu", "pc", "pr", "taxi"]
_SHORT += ["tv", "ui", "uri", "vm", "wiki"]
_WORDS = {**{word: f"{word}s" for word in _SHORT}, **{f"{word}s": word for word in _SHORT}}
_AFTER_S = ("e", "ed", "es", "er", "ers", "ing", "able", "ation", "ations")
_AFTER_R = ("", "s", "ed", "ing", "ite", "ites", "able", "al", "ally", "ful", "less", "hood", "y")
_AFTER_C = ("e", "ed", "es")
_BEFORE_RE = ("cent", "theat", "met", "lit", "fib", "calib", "spect", "lust", "somb")
_AFTER_L = ("led", "ling", "ler", "lers", "lor", "lors")
_LAST_L = re.compile(r"(.*[aeiouy][^aeiou]+[aeiou])(ll?)([eio]\w+)")  # not "filling", which is no "filing"
_NUMBERED = re.compile(r"([^\W\d_]{3,})\d{1,3}")  # with fewer letters it is a name: "co2", "ec2"
_DERIVED = [
    (2, "ify", "ification"),
    (2, "ifies", "ifications"),
]  # other words for the same, not other spellings


def _rules() -> Iterator[tuple[int, str, str]]:
    """Yield endings that stand for each other, after so many letters."""
    yield from ((2, f"{vowel}s{end}", f"{vowel}z{end}") for vowel in "iy" for end in _AFTER_S)
    yield from ((2, f"our{end}", f"or{end}") for end in _AFTER_R)
    yield from ((0, f"{start}re{end}", f"{start}er{end}") for start in _BEFORE_RE for end in ("", "s"))
    yield from ((0, f"{start}c{end}", f"{start}s{end}") for start in ("en", "ti") for end in _AFTER_C)
    yield from ((3, "ses", "sis"), *_DERIVED)


_ENDINGS = {
    old: (letters, new) for letters, *pair in _rules() for old, new in (pair, reversed(pair))
}  # looked up by length: sixteen patterns would cost a new word more than all else
_LONGEST = max(map(len, _ENDINGS))
_NOUNS = tuple(noun for _, _, noun in _DERIVED)


@lru_cache(maxsize=_MEMO)
def respelt(form: str) -> tuple[str, ...]:
    """
    Return the other forms of a word, and perhaps what is no word.

    >>> respelt("summarise"), respelt("behavior"), respelt("modelling"), respelt("filling")
    (('summarize',), ('behaviour',), ('modeling',), ())
    """
    found = [_WORDS[form]] if form in _WORDS else []
    for size in range(min(len(form), _LONGEST), 1, -1):
        letters, ending = _ENDINGS.get(form[-size:], (size, ""))
        before = form[:-size]
        # "advise" and "revise" are written in one way.
        if ending and len(before) >= letters and not (before.endswith("v") and ending[1:2] in "sz"):
            found.append(before + ending)
    if form.endswith(_AFTER_L) and (parts := _LAST_L.fullmatch(form)):
        found.append(parts[1] + ("l" if parts[2] == "ll" else "ll") + parts[3])
    return tuple(found)


def spellings(form: str) -> tuple[str, ...]:
    """
    Return the other spellings of a word, and its plural, but no other word.

    >>> spellings("summarise"), spellings("apis"), respelt("verify"), spellings("verify")
    (('summarize',), ('api',), ('verification',), ())
    """
    noun = form.endswith(_NOUNS)
    return tuple(other for other in respelt(form) if other.endswith(_NOUNS) == noun)


def without_number(form: str) -> list[str]:
    """
    Return what may stand for a word with a number in it: one or several of it, the word alone.

    >>> without_number("mp3s"), without_number("html5"), without_number("ec2"), without_number("html")
    (['mp3'], ['html5s', 'html'], ['ec2s'], [])
    """
    numbered = _NUMBERED.fullmatch(form)
    if form[-1:].isdecimal():
        return [f"{form}s", numbered[1]] if numbered else [f"{form}s"]
    return [form[:-1]] if form.endswith("s") and form[-2:-1].isdecimal() else []
