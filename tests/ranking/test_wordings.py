"""How what a filter asks for may be written, and which forms of a stem are one word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.query import Phrase, Word
from skill_index.ranking.analysis import stem
from skill_index.ranking.inflected import inflections
from skill_index.ranking.querying import sequence_stems
from skill_index.ranking.respelt import respelt, spellings
from skill_index.ranking.wordings import wordings


def unspelt(form: str) -> tuple[str, ...]:
    """Return no other form of a word."""
    return ()


STEMS = [
    ("PDFs", ["pdf"], "pdf"),
    ("data-analysis", ["data", "analysis"], "dataanalysis"),
    ("XMLParser", ["xml", "parser"], "xmlparser"),
    ("asp.net", ["asp", ".net"], "aspnet"),
    ("a/b/c/d/e", ["a", "b", "c", "d", "e"], ""),
    ("解析", ["解", "析"], "解析"),
    ("解析文件", ["解", "析", "文", "件"], ""),
    ("人", ["人"], "人"),
    ("解析pdf", ["解", "析", "pdf"], ""),
    ("c++17", ["c++", "17"], ""),
    ("Q&A", ["q", "a"], ""),
    ("on-call(pager", ["on", "call", "pager"], ""),
    ("on-call(on-call", ["on", "call", "on", "call"], ""),
    ("a(a", ["a", "a"], ""),
    ("???", [], ""),
]


@pytest.mark.parametrize(("text", "stems", "single"), STEMS)
def test_a_word_in_sequence_and_as_one(text: str, stems: list[str], single: str) -> None:
    """A sequence has a stem for each place; one stem stands for all only where it says all."""
    for item in (Word(text), Phrase(text)):
        assert sequence_stems(item) == stems
        said = [wording.stems for wording in wordings(item, unspelt)]
        assert said == [(single,)] * bool(single) + [tuple(stems)] * (len(stems) > 1)


SPELT = [
    ("organised", ["organised", "organized"]),
    ("organise-files", ["organisefiles", "organizefiles", "organise files", "organize files"]),
    ("tidyColours", ["tidycolours", "tidycolors", "tidy colours", "tidy colors"]),
    ("analyse the behaviour", ["analyse the behaviour", "analyse the behavior", *["analyze the behaviour"]]),
    ("pdf", ["pdf"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "said"), SPELT)
def test_every_part_has_its_other_spellings(text: str, said: list[str]) -> None:
    """By itself, in sequence and joined; what was written comes first."""
    found = [" ".join(wording.forms) for wording in wordings(Phrase(text), respelt)]
    assert found[: len(said)] == said
    assert len(found) == len(said) + (len(said) == 3)  # both words may be spelt otherwise


@given(st.lists(st.sampled_from(["analyse", "colour", "pdf", "centre"]), max_size=16).map(" ".join))
def test_a_long_phrase_has_no_more_ways_than_are_looked_for(text: str) -> None:
    """Two for each word would be tens of thousands; the stems are those of the forms."""
    found = wordings(Phrase(text), respelt)
    assert len(found) == len(set(found)) <= 64
    assert all(stems == tuple(map(stem, forms)) for forms, stems in found)


SAME = [
    *("form forms", "box boxes", "policy policies", "class classes", "crisis crises", "test testing"),
    *("merge merged merging merges", "plan plans planned planning", "try tries tried trying", "café cafes"),
    *("visit visited visiting", "travel travelled travelling traveling", "debug debugging debugged"),
]
OTHERS = [
    *("notify notification", "organ organize", "police policy", "operator operation", "merge merger"),
    *("deploy deployment", "universe university", "general generation", "test tester", "daily day"),
]


@pytest.mark.parametrize("words", SAME)
def test_number_and_tense_leave_a_word_what_it_is(words: str) -> None:
    """Each form is one word with each other, and with itself."""
    for one in words.split():
        assert all(inflections(one, [other]) and inflections(other, [one]) for other in words.split())


@pytest.mark.parametrize("words", OTHERS)
def test_a_word_made_of_another_is_another(words: str) -> None:
    """Whatever stem they share."""
    one, other = words.split()
    assert not inflections(one, [other])
    assert not inflections(other, [one])
    assert other not in spellings(one)


@given(st.text("aeiourlsyzcentifd", max_size=12))
def test_spellings_are_some_of_the_other_forms(word: str) -> None:
    """In their order, and both ways."""
    assert [form for form in respelt(word) if form in spellings(word)] == list(spellings(word))
    assert all(word in spellings(other) for other in spellings(word))
