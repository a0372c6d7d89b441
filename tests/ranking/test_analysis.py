"""The one analyzer: what a text falls into, and what two spellings of one word share."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.ranking import terms_of
from skill_index.ranking.analysis import (
    _ENDINGS,
    _PLAIN_RUN,
    _SNOWBALL,
    Token,
    _plain_run,
    _run,
    analyze,
    analyze_once,
    plain_forms,
    stem,
    tokens,
)
from skill_index.ranking.cutting import _LOOSE, loosely, words
from skill_index.ranking.folding import fold

FORMS = [
    # plain words and joints
    ("Fill the form.", ["fill", "the", "form"]),
    ("risk-review", ["risk", "review", "riskreview"]),
    ("load_all_rows", ["load", "all", "rows", "loadallrows"]),
    ("vue.js and A/B", ["vue", "js", "vuejs", "and", "a", "b", "ab"]),
    ("one/two/three/four/five", ["one", "two", "three", "four", "five"]),
    ("@tag, #tag; (tag) [tag] {tag} tag?!", ["tag"] * 6),
    # an ampersand joins, and stays: its parts are letters and function words, and "Q&A" is no "QA"
    ("AT&T's Q&A, R＆D", ["at", "t", "at&t", "s", "q", "a", "q&a", "r", "d", "r&d"]),
    ("S&OP-ready P&L/budget", ["s", "op", "s&op", "ready", "p", "l", "p&l", "budget"]),
    ("e-mail&web a&&b &x y& R & D", ["e", "mail", "email", "web", "a", "b", "x", "y", "r", "d"]),
    ("C&C++ c#&d", ["c", "c++", "c#", "d"]),
    ("a&b&c&d&e", ["a", "b", "c", "d", "e"]),
    ("e‐mail data‑analysis 2–3 a−b", ["e", "mail", "email", "data", "analysis", "dataanalysis", *"23ab"]),
    # humps
    ("openFile", ["open", "file", "openfile"]),
    ("JSONReader", ["json", "reader", "jsonreader"]),
    ("readXMLNode", ["read", "xml", "node", "readxmlnode"]),
    ("URLs IDs", ["urls", "ids"]),
    ("GitHub", ["git", "hub", "github"]),
    # a name with humps beside a joint is a name of its own
    ("iOS/Android", ["i", "os", "android", "ios", "iosandroid"]),
    ("YouTube-TikTok", ["you", "tube", "tik", "tok", "youtube", "tiktok", "youtubetiktok"]),
    ("MySQL's", ["my", "sql", "s", "mysql", "mysqls"]),
    ("a/b/c/d/iPad", ["a", "b", "c", "d", "i", "pad", "ipad"]),
    # letters with digits
    ("K8s S3 12306 h264 2fa", ["k8s", "s3", "12306", "h264", "2fa"]),
    ("v1.2", ["v1", "2", "v12"]),
    ("html2pdf md2docx", ["html", "pdf", "html2pdf", "md", "docx", "md2docx"]),
    ("seq2seq-model", ["seq", "seq", "model", "seq2seq", "seq2seqmodel"]),
    (
        "p2p b2b ec2 x264 web20 mp42x HTTP2Server",
        ["p2p", "b2b", "ec2", "x264", "web20", "mp42x", "http2", "server", "http2server"],
    ),
    # symbols
    ("C++ c++", ["c++", "c++"]),
    ("C# and F#", ["c#", "and", "f#"]),
    (".NET, .net", [".net", ".net"]),
    ("ASP.NET", ["asp", ".net", "aspnet"]),
    ("C, R, Go", ["c", "r", "go"]),
    ("a+b #3", ["a", "b", "3"]),
    # runs without spaces
    ("表格", ["表", "表格", "格"]),
    ("导出CSV表", ["导", "导出", "出", "csv", "表"]),
    ("サーバー", ["サ", "サー", "ー", "ーバ", "バ", "バー", "ー"]),
    ("ｻｰﾊﾞｰ", ["サ", "サー", "ー", "ーバ", "バ", "バー", "ー"]),
    ("時々", ["時", "時々", "々"]),
    ("로그인", ["로", "로그", "그", "그인", "인"]),
    ("ไทย", ["ไ", "ไท", "ท", "ทย", "ย"]),
    # marks and pictures
    ("किताब", ["किताब"]),
    ("🚀 launch", ["🚀", "launch"]),
    # nothing
    ("+ -- ** \\ .. ??", []),
    ("\ud83d\x00\x1f", []),
    ("\u00b4 \u00a8 \u0301", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "forms"), FORMS)
def test_what_a_text_falls_into(text: str, forms: list[str]) -> None:
    """Words, parts of identifiers and the whole, symbols, characters and their pairs, in order."""
    assert [token.form for token in tokens(text)] == forms


SAME = [
    ("chart", "Charts"),
    ("deploy", "deploying"),
    ("plan", "planning"),
    ("query", "queries"),
    ("status", "statuses"),
    ("pdf", "PDFs"),
    ("url", "URLs"),
    ("Zürich", "ZURICH"),
    ("cafe\u0301", "café"),
    ("naïve", "naive"),
    ("Straße", "STRASSE"),
    ("λόγος", "ΛΟΓΟΣ"),
    ("ﬂow", "flow"),
    ("ＣＳＶ", "csv"),
    ("İzmir", "izmir"),
    ("Łódź", "lodz"),
    ("smørrebrød", "smorrebrod"),
    ("ガイド", "ｶﾞｲﾄﾞ"),
    ("pass\u00adword", "password"),
    ("①", "1"),
    # what a script writes in two ways
    ("हिन्दी", "हिंदी"),
    ("सम्पर्क", "संपर्क"),
    ("पाँच", "पांच"),
    ("अंग्रेज़ी", "अंग्रेजी"),
    ("الرسائل", "رسائل"),
    ("والبريد", "بريد"),
    ("للترجمة", "ترجمه"),
    ("إلكتروني", "الإلكتروني"),
    ("مستشفى", "مستشفي"),
    ("کتاب", "كتاب"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_spellings_of_one_word(one: str, other: str) -> None:
    """Case, accents, compatibility forms, invisible characters and English endings do not matter."""
    assert terms_of(one) == terms_of(other)


APART = [
    ("status", "statue"),
    ("file", "fill"),
    ("site", "sit"),
    ("bus", "bu"),
    ("ios", "io"),
    ("aws", "aw"),
    ("class", "clas"),
    ("basis", "basi"),
    ("c", "c++"),
    ("c", "c#"),
    ("f#", "f"),
    ("net", ".net"),
    ("は", "ば"),
    ("カ", "ガ"),
    ("कम", "काम"),
    ("जनता", "जंता"),
    ("الله", "له"),
    ("بالون", "ون"),
    ("ولد", "لد"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_words_stay_apart(one: str, other: str) -> None:
    """Short words and symbols keep all of themselves, and marks that carry meaning are no accents."""
    assert not set(terms_of(one)) & set(terms_of(other))


@pytest.mark.parametrize(
    "word", ["api", "app", "add", "box", "css", "run", "use", "red", "ads", "c++", ".net"]
)
def test_short_words_are_left_alone(word: str) -> None:
    """Three letters have no ending to lose."""
    assert terms_of(word) == [word]


def test_an_accent_is_kept_beside_what_it_folds_to() -> None:
    """The form is as written, so that it can come first; the stem is what it is found by."""
    (token,) = tokens("ZÜRICH")
    assert (token.form, token.stem) == ("zürich", "zurich")


FOLDED = [
    ("café", "cafe"),
    ("ό", "ο"),
    ("й", "и"),
    ("が", "が"),
    ("किताबें", "किताबें"),
    ("æon", "aeon"),
    ("plain", "plain"),
]


@pytest.mark.parametrize(("form", "folded"), FOLDED)
def test_folding_keeps_what_is_no_accent(form: str, folded: str) -> None:
    """Accents of Latin, Greek and Cyrillic go; kana voicing and Indic vowels stay."""
    assert fold(form) == folded


def test_only_repeats_have_no_place() -> None:
    """Wholes and pairs say again what their parts say; all others stand in the text."""
    assert [token.form for token in tokens("risk-review 表格 c++") if token.stands] == [
        *("risk", "review", "表", "格", "c++")
    ]


def loose_words(text: str) -> list[str]:
    """Return the raw words of a long text."""
    return [raw for raw in loosely(text).decode("utf-8", "surrogatepass").split(" ") if raw]


def test_long_texts_are_cut_at_joints() -> None:
    """In a body a path is its pieces, and symbols still stand."""
    assert loose_words("run ./bin/load_rows.py with F# or .NET") == [
        *("run", "bin", "load", "rows", "py", "with", "F#", "or", ".NET")
    ]


SIGNED = st.lists(
    st.sampled_from(
        [*"acC1éＣ²‐_", "net", "NET", "++", "#", ".", "\u00ad", " ", "\n", "\u2028", "x.y", "(", "解"]
    )
).map("".join)


@given(SIGNED | st.text())
def test_a_fast_cut_is_the_cut(text: str) -> None:
    """Turning signs into blanks gives the terms that the pattern does, symbols included, in order."""
    found = [token for raw in loose_words(text) for token in analyze(raw)]
    assert found == [token for raw in _LOOSE.findall(text) for token in analyze(raw)]


ENDINGS = st.sampled_from(
    [
        *"seylidgrntcm",
        "ed",
        "ing",
        "edly",
        "ies",
        "ation",
        "ator",
        "izer",
        "ful",
        "ness",
        "ous",
        "ism",
        "ement",
        "bli",
    ]
)


@given(st.builds(str.__add__, st.text("abeilnorstuvyz", min_size=3, max_size=9), ENDINGS))
def test_only_endings_are_stemmed(word: str) -> None:
    """A word that is not given to the stemmer is one that it would give back."""
    if not word.endswith(_ENDINGS):
        assert _SNOWBALL(word) == word


@given(st.text())
def test_any_text_is_analysed(text: str) -> None:
    """Nothing raises; forms and stems hold something, and no blank; equal forms have equal stems."""
    found = tokens(text)
    assert all(token.form and token.stem for token in found)
    assert not any(character.isspace() for token in found for character in token.form + token.stem)
    assert len({(token.form, token.stem) for token in found}) == len({token.form for token in found})


@given(st.text(st.characters(categories=["L", "M", "N", "P", "Zs"])))
def test_composed_and_decomposed_are_one(text: str) -> None:
    """Either form of a text gives the same terms, since keyboards and systems differ in it."""
    composed = unicodedata.normalize("NFC", text)
    assert terms_of(composed) == terms_of(unicodedata.normalize("NFD", composed))


@given(st.lists(st.text(), max_size=4))
def test_lines_are_analysed_alone(lines: list[str]) -> None:
    """A text has the terms of its lines and no others, so query and document meet word by word."""
    assert terms_of("\n".join(lines)) == [term for line in lines for term in terms_of(line)]


@given(st.text())
def test_bodies_and_short_fields_meet(text: str) -> None:
    """Every term of a body cut at its joints is one that the whole analysis of its words gives."""
    assert all(terms_of(raw) == [token.stem for token in analyze(raw)] for raw in loose_words(text))


@given(st.text(min_size=1))
def test_remembering_changes_nothing(text: str) -> None:
    """The remembered analysis is the analysis."""
    assert all(analyze(raw) == analyze_once(raw) for raw in words(text))


def test_most_runs_need_no_folding() -> None:
    """The short way for them is the long one: for each of their characters, and beside any other."""
    plain = [chr(code) for code in range(0x3000, 0xD7A4) if _PLAIN_RUN.fullmatch(chr(code))]
    assert len(plain) == 86 + 90 + 1 + 20_992 + 11_172
    for text in ("".join(plain), "".join(plain[::2] + plain[1::2]), *plain[::500]):
        assert _plain_run(text) == _run(text)


HARD = [
    "a-",
    "-a",
    "a.",
    "++",
    "c++",
    "#",
    "a'",
    "'",
    "aA",
    "A",
    "9",
    "a\u0301",
    "\u0301",
    "表",
    "/",
    "_",
    ".net",
]


@pytest.mark.parametrize("piece", HARD)
def test_work_grows_with_the_text(piece: str) -> None:
    """However a text repeats itself, it has at most so many terms, and their letters add up to no more."""
    found = tokens(piece * 2_000)
    assert len(found) <= 2 * len(piece) * 2_000
    assert sum(len(token.form) for token in found) <= 3 * len(piece) * 2_000


@given(st.from_regex(r"[a-z0-9]*[A-Za-z0-9]{1,12}|[a-z]{1,3}2[a-z]{1,3}", fullmatch=True))
def test_plain_forms_are_those_of_the_analysis(word: str) -> None:
    """The short way for most words is the long one, and says which form is the whole of the others."""
    forms, whole = plain_forms(word)
    found = [Token(form, stem(form), "part" if len(forms) > 1 else "word") for form in forms]
    found += [Token(whole, stem(whole), "whole")] if whole else []
    assert found == list(analyze_once(word))
