"""
From text to terms: the one analyzer, used for skills and for queries alike.

    text ─words()→ raw words ─analyze()→ tokens (form, stem, kind)

A raw word is cut out by one compiled pattern and then analysed once, however often it stands
in the skills: of 15,000 real ones a hundred million characters are some 400,000 distinct words.
The steps for one raw word:

    NFKC → cut → identifiers split, and kept whole → case folded → accents folded → stem

Two spellings are kept of every term.  `form` is what stands in the text but for case; `stem`, the
key under which it is found, has lost accents and English endings too.  So a search finds "Zürich"
by "zurich" and "deploys" by "deploying", and can still put the exact form first.

Stems are those of Whoosh's Snowball stemmer.  Why not its ready `StemmingAnalyzer`?  Its Porter
stemmer leaves "planning" at "plann".  Why not its chain of filters?  It passes one token object from
generator to generator, which took most of the time of building an index.  Why
not a dictionary for Chinese, Japanese and Korean?  It is larger than this library; runs of such
script become single characters and overlapping pairs, which need none.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from whoosh.lang import stemmer_for_language

from skill_index.ranking.cutting import words
from skill_index.ranking.folding import fold
from skill_index.ranking.identifiers import joined, names_in, split

_MEMO = 1 << 16  # words remembered: the common ones of any text; about 20 MB when full
_WHOLE_PARTS = 4  # more parts than this are a path or an address, which nobody types as one word
_STEMMED = range(4, 21)  # letters; shorter words are spoilt by stemming, longer ones are no English words


REPEATING = frozenset({"whole", "pair"})
"""Kinds of tokens that only say once more what others say, and have no place of their own."""


class Token(NamedTuple):
    """
    One term of a text.

    `kind` is "word", "part" (of an identifier), "char" (of a run without spaces), "symbol", or
    one of the two that repeat what others say: "whole" (identifier) and "pair" (of characters).
    """

    form: str
    stem: str
    kind: str

    @property
    def stands(self) -> bool:
        """Whether the token has a place of its own in the text: wholes and pairs only repeat others."""
        return self.kind not in REPEATING


_SNOWBALL = stemmer_for_language("en")
# No step of the stemmer touches a word that ends in none of these, and to find that out takes it long.
_ENDINGS = ("s", "e", "y", "l", "i", "ed", "ing", "er", "or", "ion", "ic", "ant", "ent", "ism")


# Written without spaces: Han, kana, bopomofo, Hangul; Thai, Lao, Burmese, Khmer.
_RUN = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
    "\u0e01-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1780-\u17d3"
)
FIRST_OF_RUNS = "\u0e01"
"""No character before it is of a run."""
_VOWEL = re.compile(r"[aeiouy]")
_PLAIN_RUN = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]+")  # nothing to fold
_INVISIBLE = re.compile("[\u00ad\u034f\u200c-\u200f\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")


class _Fine(NamedTuple):
    """The fine cut, and one character of a run with its marks."""

    cut: re.Pattern[str]
    cluster: re.Pattern[str]


@lru_cache(maxsize=1)
def _fine() -> _Fine:
    """Return patterns that few queries need, and that take longer to make than most answers do."""
    mark = _marks()
    word = rf"[^\W_{_RUN}](?:[^\W_{_RUN}]|[{mark}])*+"  # a mark alone is no word
    token = (
        r"[^\W\d_]++\+\+"  # c++
        r"|(?<!\w)[A-Za-z]\#(?![^\W\d_])"  # c#, f#
        r"|\.(?i:net)(?!\w)"
        rf"|[{_RUN}][{_RUN}{mark}]*"
        rf"|{word}(?:&{word}(?!\+\+|\#))+"  # r&d
        rf"|{word}(?:[-\u2010_./'’]{word}(?!\+\+|\#))*"
        "|[\u2600-\u27bf\U0001f000-\U0001faff]"  # a picture
    )
    return _Fine(re.compile(token), re.compile(rf".[{mark}]*", re.DOTALL))


def _marks() -> str:
    """Return every combining mark, as the inside of a character class."""
    codes = [code for code in range(0x300, 0x20000) if unicodedata.category(chr(code))[0] == "M"]
    starts = [code for code in codes if unicodedata.category(chr(code - 1))[0] != "M"]
    ends = [code for code in codes if unicodedata.category(chr(code + 1))[0] != "M"]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


def analyze_once(raw: str) -> tuple[Token, ...]:
    """
    Return the terms of one raw word, in the order of the text.

    >>> [token.form for token in analyze_once("XMLParser")]
    ['xml', 'parser', 'xmlparser']
    >>> [(token.stem, token.kind) for token in analyze_once("解析PDFs")]
    [('解', 'char'), ('解析', 'pair'), ('析', 'char'), ('pdf', 'word')]
    """
    return tuple([token for piece in pieces(raw) for token in terms_of_piece(piece)])


analyze = lru_cache(maxsize=_MEMO)(analyze_once)
"""`analyze_once`, remembered: for texts that share their words. Building an index remembers more."""


def pieces(raw: str) -> list[str]:
    """
    Return what of a raw word is analysed by itself: words, runs and symbols, normalised.

    >>> pieces("解析PDFs")
    ['解析', 'PDFs']
    """
    if is_plain_word(raw) or is_plain_run(raw):  # most words: nothing to normalise or cut
        return [raw]
    return _fine().cut.findall(unicodedata.normalize("NFKC", _INVISIBLE.sub("", raw)))


def in_run(form: str) -> bool:
    """Return whether a piece or a term is a run without spaces, or of one."""
    return form >= FIRST_OF_RUNS and _run_pattern().match(form) is not None


@lru_cache(maxsize=1)
def _run_pattern() -> re.Pattern[str]:
    return re.compile(f"[{_RUN}]")


def is_plain_word(piece: str) -> bool:
    """Return whether a piece is of ASCII letters and digits alone, as most are."""
    return piece.isascii() and piece.isalnum()


def plain_forms(word: str) -> tuple[list[str], str]:
    """
    Return the forms of the parts of a plain word, and that of the whole where it has one beside them.

    What `analyze_once` says of such a word beside these forms is their stems and kinds.

    >>> plain_forms("Deploys"), plain_forms("XMLParser")
    ((['deploys'], ''), (['xml', 'parser'], 'xmlparser'))
    """
    whole = word.lower()
    plain = word.islower() or word[1:].islower() or word.isdigit() or (word.isupper() and word.isalpha())
    if plain and "2" not in word:
        return [whole], ""
    forms = [part.lower() for part in split(word)]
    return forms, whole if 1 < len(forms) <= _WHOLE_PARTS else ""


def is_plain_run(piece: str) -> bool:
    """Return whether a piece is a run of characters that no folding changes."""
    return not piece.isascii() and _PLAIN_RUN.fullmatch(piece) is not None


def tokens(text: str) -> list[Token]:
    """Return the terms of a whole text, in order."""
    return [token for raw in words(text) for token in analyze(raw)]


def terms_of_piece(piece: str) -> list[Token]:
    """Return the terms of one piece, in the order of the text."""
    if is_plain_word(piece):  # most pieces: neither a run nor a symbol
        return _word(piece)
    if is_plain_run(piece):
        return _plain_run(piece)
    if in_run(piece):
        return _run(piece)
    if piece.endswith(("++", "#")) or not piece[0].isalnum():
        return [_token(piece, "symbol")]
    return _word(piece)


def _word(piece: str) -> list[Token]:
    """
    Return the parts of an identifier and the whole of it; of any other word, the word.

    >>> [token.form for token in _word("iOS/Android")]
    ['i', 'os', 'android', 'ios', 'iosandroid']
    """
    parts = split(piece)
    if len(parts) == 1:
        return [_token(piece, "word")]
    found = [_part(part) for part in parts]
    # Each name between joints is asked for alone, and nobody splits "iOS" to do so.
    found += [_token(name, "whole") for name in names_in(piece)]
    if len(parts) <= _WHOLE_PARTS:
        # "Q&A" is no "QA", and of "AT&T" nothing else is left: its parts are function words.
        found.append(_token(piece if "&" in piece else joined(piece), "whole"))
    return found


def _run(piece: str) -> list[Token]:
    """Return each character of a run, with its marks, and each pair of neighbours."""
    characters = _fine().cluster.findall(piece)
    found = [_token(characters[0], "char")]
    for first, second in pairwise(characters):
        found += _token(first + second, "pair"), _token(second, "char")
    return found


def _plain_run(piece: str) -> list[Token]:
    """Return what `_run` does, of characters that no folding changes; each is a cluster of its own."""
    found = [Token(piece[0], piece[0], "char")]
    for first, second in pairwise(piece):
        pair = first + second
        found += Token(pair, pair, "pair"), Token(second, second, "char")
    return found


def _token(text: str, kind: str) -> Token:
    form = _fold_case(text)
    return Token(form, stem(fold(form)), kind)


@lru_cache(maxsize=_MEMO)
def _part(text: str) -> Token:
    """Return the token of a part: those of identifiers are few words, and each is in many."""
    return _token(text, "part")


def _fold_case(text: str) -> str:
    if text.isascii():
        return text.lower()
    # Folding case undoes composition; the dot that "İ" leaves behind is no letter of its own.
    return unicodedata.normalize("NFKC", text.casefold().replace("i\u0307", "i"))


@lru_cache(maxsize=_MEMO)
def stem(word: str) -> str:
    """
    Return a word without its English ending.

    Words that the stemmer would spoil stay as they are: short, not English, or like "status", "analysis".

    >>> [stem(word) for word in ("planning", "status", "pdfs", "aws")]
    ['plan', 'status', 'pdf', 'aws']
    """
    english = word.isascii() and word.isalpha() and len(word) in _STEMMED
    if not english or word.endswith(("us", "ss", "is")):
        return word
    if word.endswith("s") and not _VOWEL.search(word):
        return word[:-1]  # the stemmer keeps the plural of an acronym: it looks for a vowel before the "s"
    return str(_SNOWBALL(word)) if word.endswith(_ENDINGS) else word
