"""
What of a word's spelling does not count when it is looked for: accents, and what a script writes in two ways.

    Zürich ─▶ zurich        हिन्दी ─▶ हिंदी        الرسائل ─▶ رسائل

Folding makes the key, never the form: an exact form still counts more.  Its rules are those of which
writers of a language are free to keep either; what changes the word stays, as vowel signs and kana voicing.
"""

from __future__ import annotations

import re
import unicodedata

# Of Latin, Greek, Cyrillic, the points of Hebrew and Arabic, the dot below of Devanagari.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u093c]"
)
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"}
    | {"\u0629": "\u0647", "\u0649": "\u064a"}  # at the end of Arabic words
    | {"\u06a9": "\u0643", "\u06cc": "\u064a"}  # of Persian keyboards
)
# A nasal before a consonant of Devanagari is written as a letter or as a dot.
_NASAL = re.compile("[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])|\u0901")
# "The" of Arabic, alone or behind "and", "with", "as" or "for", before three letters at least.
_ARTICLE = re.compile(
    "\\A(?:[\u0648\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)(?:\u0627\u0644)*(?=\\w{3})"
)


def fold(form: str) -> str:
    """
    Return `form` as the key under which it is found, however it is spelt.

    >>> fold("zürich"), fold("ガ"), fold("किताब")
    ('zurich', 'ガ', 'किताब')
    """
    if form.isascii():
        return form
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", form)).translate(_LETTERS)
    bare = _ARTICLE.sub("", _NASAL.sub("\u0902", bare))
    return unicodedata.normalize("NFC", bare)
