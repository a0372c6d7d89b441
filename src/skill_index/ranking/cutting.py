"""
The coarse cut: from text to raw words, which the analysis cuts further.

    short field ─words()→ "fill-form"        body ─loosely()→ "fill form"

What divides a raw word is worked out once for each distinct one, so this cut has to be fast, not fine:
it runs over every character of every skill.
"""

from __future__ import annotations

import re
from functools import lru_cache

# An ASCII sign in it is never part of a term, but for joints; the fine pattern sees to the rest.
_SIGN = r"\s!\"$%&()*,:;<=>?@\[\\\]^`{|}~"
_PIECE = rf"[^{_SIGN}\-_./'+#]++"
_RAW = re.compile(rf"\.?{_PIECE}(?:[-_./'&]++{_PIECE})*+(?:\+\+|\#)?")
_LOOSE = re.compile(rf"(?:(?<![^{_SIGN}])\.)?{_PIECE}(?:\+\+|\#)?")
_BLANKS = bytes(
    0x20 if chr(code) in " \t\n\r\v\f\x1c\x1d\x1e\x1f!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" else code
    for code in range(256)
)


@lru_cache(maxsize=1)
def _signed() -> tuple[re.Pattern[str], ...]:
    """
    Return where `_LOOSE` may find more than what stands between signs: "c++", "c#", ".net".

    Three patterns, since one that begins with a plain sign is found at twice the speed of one that begins
    with any of three.  They are made when the first body is read: a query has none.
    """
    return (
        re.compile(r"\+\+(?<=[A-Za-z\x80-\U0010ffff]\+\+)"),
        re.compile(r"\#(?<=[A-Za-z\x80-\U0010ffff]\#)(?<![A-Za-z\d][A-Za-z]\#)"),
        re.compile(rf"\.[nN\x80-\U0010ffff](?<![^{_SIGN}]\..)"),
    )


def words(text: str) -> list[str]:
    """
    Return the raw words of `text` in order, each to be given to `analyze`.

    >>> words("Fill PDF-forms (fast) with C++, .NET!")
    ['Fill', 'PDF-forms', 'fast', 'with', 'C++', '.NET']
    >>> words("An R&D budget & more")
    ['An', 'R&D', 'budget', 'more']
    """
    return _RAW.findall(text)


def loosely(text: str) -> bytes:
    """
    Return the raw words of a long text with blanks between them, those that `-_./'` join cut apart.

    Bodies hold paths, addresses and names from code: kept whole they would be half of all terms,
    double the time to build, and be asked for by nobody.

    Most lines are cut by turning signs into blanks, several times faster than by a pattern; a line
    that may hold a sign that is part of a word goes through the pattern.  As bytes, since words are
    looked up as such, and since to translate a text that is not ASCII looks up every character.  A blank
    that is not ASCII stays in its word, and the analysis finds the same words beside it.

    >>> loosely("run ./scripts/fill_form.py in C#").split()
    [b'run', b'scripts', b'fill', b'form', b'py', b'in', b'C#']
    """
    found: list[bytes] = []
    done = 0
    for signed in sorted(each.start() for pattern in _signed() for each in pattern.finditer(text)):
        if signed < done:
            continue
        start = text.rfind("\n", done, signed) + 1 or done
        end = text.find("\n", signed)
        end = len(text) if end < 0 else end
        found += _bytes(text[done:start]).translate(_BLANKS), joined(_LOOSE.findall(text, start, end))
        done = end
    return b" ".join((*found, _bytes(text[done:]).translate(_BLANKS)))


def joined(raws: list[str]) -> bytes:
    """Return raw words with blanks between them, as `loosely` does."""
    return _bytes(" ".join(raws))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
