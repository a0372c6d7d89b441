"""
How two spellings of a name or word are compared: folding, nearest names, edit distance.

The only home of rapidfuzz, imported when first needed so that importing the library stays
cheap.  Distances are "optimal string alignment": an exchange of two neighbouring letters is
one edit, since that is the commonest slip of a typist.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

from skill_index.text import one_line

_QUOTES = "\"'`“”‘’«»「」"
_SEPARATORS = re.compile("[-_\\s\u2010\u2212]+")  # with a hyphen and a minus, which models write for "-"
_LENGTHS = (0.5, 4.0)  # a near name is at least half and at most four times as long as the one asked for
_NEAR_ENOUGH = 72.0  # of 100 by rapidfuzz's WRatio; below it, "nearest" names read as noise


def fold_name(text: str) -> str:
    r"""
    Return the form in which two spellings of one name are equal.

    Case, quotes around it, Unicode form and the choice of '-', '_' or blank do not matter.
    Dots, slashes and colons do: they tell names and sources apart.

    >>> fold_name(' "Data_Analysis"\n'), fold_name("ｄａｔａ-analysis")
    ('data-analysis', 'data-analysis')
    >>> fold_name("data\u2011analysis")
    'data-analysis'
    """
    if text.isascii() and text.isprintable():  # most names, several times each: nothing to compose or to hide
        return _SEPARATORS.sub("-", text.strip().strip(_QUOTES).strip().lower())
    return fold_piece(one_line(text).strip().strip(_QUOTES).strip())


def fold_piece(text: str) -> str:
    """Fold a part of a name, blanks at its edges included: they stand between it and the next part."""
    # Folding case can undo composition (as for "İ"), so the text is composed once more.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _SEPARATORS.sub("-", folded)


class NameList:
    """Names prepared for being asked which of them is nearest, since folding them is most of the work."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(set(names), key=lambda name: (len(name), name))
        self._folded = [fold_name(name) for name in self._names]

    def nearest(self, name: str, limit: int) -> tuple[str, ...]:
        """Return the names most like `name`; see `nearest`."""
        from rapidfuzz import fuzz, process

        asked = fold_name(name).strip("[]()<>{}")
        if not asked or limit < 1:
            return ()
        # A short text is inside many long ones; that it is, says nothing.
        alike = range(math.ceil(len(asked) * _LENGTHS[0]), math.floor(len(asked) * _LENGTHS[1]) + 1)
        folded = [text if len(text) in alike else "" for text in self._folded]
        found = process.extract(asked, folded, scorer=fuzz.WRatio, limit=None, score_cutoff=_NEAR_ENOUGH)
        best = sorted(found, key=lambda entry: (-round(entry[1], 6), entry[2]))
        return tuple(self._names[position] for _, _, position in best[:limit])


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """
    Return the candidates most like `name`, best first, and none when nothing is like it.

    Similarity is judged on folded forms, so `[Pod Functions]` is next to `pod-functions`.
    Equal similarity is settled by the shorter, then the alphabetically first name, so the
    answer does not depend on the order of the candidates.

    >>> nearest("pdf-form", ["xls", "pdf-forms", "docx"])
    ('pdf-forms',)
    """
    return NameList(candidates).nearest(name, limit)


def within_distance(word: str, candidates: Sequence[str], distance: int) -> list[tuple[str, int]]:
    """
    Return the candidates at most `distance` edits from `word`, nearest first, then alphabetically.

    >>> within_distance("kuberntes", ["kubernetes", "docker"], 2)
    [('kubernetes', 1)]
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(word, candidates, scorer=OSA.distance, limit=None, score_cutoff=distance)
    return sorted(((text, int(edits)) for text, edits, _ in found), key=lambda pair: (pair[1], pair[0]))
