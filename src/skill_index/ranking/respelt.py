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
from functools import lru_cache

_MEMO = 1 << 13
_LONG_L = r"([aeiouy][^aeiou]+[aeiou])"  # not "filling", which is no "filing"
# Too short to be stemmed, or left as "status" is; by a rule "css" and "status" would be plurals, too.
_SHORT = "(ai|api|cli|cpu|db|emoji|gpu|gui|id|kpi|menu|pc|pr|taxi|tv|ui|uri|vm|wiki)"
_OUR = r"(?=(?:s|ed|ing|ites?|able|al|ally|ful|less|hood|y)?$)"
_NUMBERED = re.compile(r"([^\W\d_]{3,})\d{1,3}")  # with fewer letters it is a name: "co2", "ec2"
_RULES = tuple(
    (re.compile(pattern), into)
    for pattern, into in (
        (r"(?<=[a-z]{2})(?<!v)([iy])s(?=(?:e|ed|es|ers?|ing|able|ations?)$)", r"\1z"),
        (r"(?<=[a-z]{2})(?<!v)([iy])z(?=(?:e|ed|es|ers?|ing|able|ations?)$)", r"\1s"),
        (rf"(?<=[a-z]{{2}})our{_OUR}", "or"),
        (rf"(?<=[a-z]{{2}})or{_OUR}", "our"),
        (r"(cent|theat|met|lit|fib|calib|spect|lust|somb)re(?=s?$)", r"\1er"),
        (r"(cent|theat|met|lit|fib|calib|spect|lust|somb)er(?=s?$)", r"\1re"),
        (r"(?<=en|ti)c(?=e[sd]?$)", "s"),
        (r"(?<=en|ti)s(?=e[sd]?$)", "c"),
        (rf"{_LONG_L}ll(?=(?:ed|ing|ers?|ors?)$)", r"\1l"),
        (rf"{_LONG_L}l(?=(?:ed|ing|ers?|ors?)$)", r"\1ll"),
        (r"(?<=[a-z]{3}s)es$", "is"),
        (r"(?<=[a-z]{3}s)is$", "es"),
        (rf"^{_SHORT}s$", r"\1"),
        (rf"^{_SHORT}$", r"\1s"),
        (r"(?<=[a-z]{2}if)ication(?=s?$)", "y"),
        (r"(?<=[a-z]{2}if)y$", "ication"),
    )
)


@lru_cache(maxsize=_MEMO)
def respelt(form: str) -> tuple[str, ...]:
    """
    Return the other forms of a word, and perhaps what is no word.

    >>> respelt("summarise"), respelt("behavior"), respelt("modelling"), respelt("filling")
    (('summarize',), ('behaviour',), ('modeling',), ())
    """
    if not form.isascii():
        return ()
    spelt = (pattern.sub(into, form) for pattern, into in _RULES)
    return tuple(dict.fromkeys(other for other in spelt if other != form))


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
