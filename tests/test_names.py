"""Spellings compared: folding, nearest names, distances."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.names import _QUOTES, NameList, fold_name, fold_piece, nearest, within_distance
from skill_index.text import one_line

FOLDED = [
    ("Data_Analysis", "data-analysis"),
    ("data analysis", "data-analysis"),
    ("  'data-analysis'\n", "data-analysis"),
    ("“data  analysis”", "data-analysis"),
    ("ＤＡＴＡ", "data"),
    ("data\u2010analysis", "data-analysis"),
    ("data\u2011analysis", "data-analysis"),
    ("data \u2212 analysis", "data-analysis"),
    ("data\u2013analysis", "data\u2013analysis"),
    ("Straße", "strasse"),
    ("re\u0301sume\u0301", "résumé"),
    ("a:b/c.d", "a:b/c.d"),
    ("\u202eabc\u200b", "abc"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "folded"), FOLDED)
def test_what_folds_alike(text: str, folded: str) -> None:
    """Case, form, quotes, hidden characters and separators do not matter; dots, slashes and colons do."""
    assert fold_name(text) == folded


@given(st.text(max_size=30))
def test_folding_is_done_once(text: str) -> None:
    """What is folded folds to itself, but for quotes that folding laid bare."""
    once = fold_name(text)
    assert fold_name(once).strip("-") in once


NEAR = [
    ("pdf-frms", ["pdf-forms", "xls", "podcast"], ("pdf-forms",)),
    ("[Pod Functions]", ["pod-functions", "functions-of-time"], ("pod-functions",)),
    ("orders", ["get-orders", "deploy"], ("get-orders",)),
    ("viz:chart-kit", ["chart-kit"], ("chart-kit",)),
    ("zzzz", ["pdf", "xls"], ()),
    ("nope-nope", ["no", "gno", "pet"], ()),
    ("", ["pdf"], ()),
    ("aaa", ["aaab", "aaac", "aaa"], ("aaa", "aaab", "aaac")),
]


@pytest.mark.parametrize(("name", "candidates", "expected"), NEAR)
def test_which_names_are_near(name: str, candidates: list[str], expected: tuple[str, ...]) -> None:
    """The likest come first, of equal ones the shorter; being inside a long text makes none near."""
    assert nearest(name, candidates)[: len(expected)] == expected
    assert bool(nearest(name, candidates)) is bool(expected)
    assert NameList(candidates).nearest(name, 1) == expected[:1]


@given(st.lists(st.text("abc-", min_size=1, max_size=6)), st.text("abc-", max_size=6), st.randoms())
def test_nearest_does_not_depend_on_the_order(names: list[str], asked: str, rng: random.Random) -> None:
    """Shuffled candidates give the same answer, each of them a candidate."""
    shuffled = list(names)
    rng.shuffle(shuffled)
    found = nearest(asked, names)
    assert nearest(asked, shuffled) == found
    assert set(found) <= set(names)


DISTANCES = [
    ("kuberntes", 2, [("kubernetes", 1)]),
    ("dokcer", 1, [("docker", 1)]),  # an exchange of neighbours is one edit
    ("dcoker", 2, [("docker", 1)]),
    ("docker", 1, [("docker", 0), ("dockers", 1)]),
    ("xyz", 1, []),
]


@pytest.mark.parametrize(("word", "most", "expected"), DISTANCES)
def test_how_many_edits_apart(word: str, most: int, expected: list[tuple[str, int]]) -> None:
    """Neighbours come nearest first, with their distance."""
    candidates = ["kubernetes", "docker", "dockers", "podman"]
    assert within_distance(word, candidates, most)[: len(expected) or None] == expected


@given(st.text(st.characters(max_codepoint=127)) | st.text("aB-_ '\"`x", max_size=8))
def test_plain_names_are_folded_as_all_others(text: str) -> None:
    """The short way that most names go leads where the long one does."""
    assert fold_name(text) == fold_piece(one_line(text).strip().strip(_QUOTES).strip())
