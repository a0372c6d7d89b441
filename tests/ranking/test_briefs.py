"""Briefs as rows of numbers tell what briefs as they are tell, however they came together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skill_index.ranking.briefs import Briefs, Collected
from skill_index.ranking.postings import Brief
from skill_index.ranking.records import SHORT_FIELDS
from skill_index.ranking.spellings import Spellings
from skill_index.ranking.texts import Texts

TEXTS = st.sampled_from(["a", "bc", "file", "filing", "fil", "文", "\ud800", ""])
ROWS = st.lists(TEXTS, max_size=5).map(tuple)
BRIEFS = st.lists(
    st.builds(
        Brief,
        st.tuples(*[ROWS] * len(SHORT_FIELDS)),
        st.lists(st.tuples(TEXTS, TEXTS), max_size=5, unique=True).map(tuple),
        st.lists(TEXTS, max_size=3, unique=True).map(tuple),
    ),
    max_size=6,
)
NOTHING: tuple[tuple[str, ...], ...] = ((),) * len(SHORT_FIELDS)


def unpacked(briefs: Briefs) -> list[Brief]:
    """Return the briefs as they are."""
    texts = list(briefs.numbers)

    def told(numbers: np.ndarray) -> tuple[str, ...]:
        return tuple(texts[number] for number in numbers)

    rows = len(SHORT_FIELDS)
    return [
        Brief(
            tuple(told(briefs.sequences[row]) for row in range(at * rows, (at + 1) * rows)),
            tuple(zip(told(briefs.forms[at]), told(briefs.stems[at]), strict=True)),
            told(briefs.negative[at]),
        )
        for at in range(len(briefs.negative.sizes))
    ]


def same(first: Briefs, second: Briefs) -> bool:
    """Say whether all tables are equal, to the last byte and in their order."""
    one, two = first.tables(), second.tables()
    return list(one) == list(two) and all(bytes(one[name]) == bytes(two[name]) for name in one)


@given(BRIEFS)
def test_briefs_are_all_there(briefs: list[Brief]) -> None:
    """Word for word, also where there are none."""
    assert unpacked(Briefs.of(briefs)) == briefs


@given(st.lists(BRIEFS, min_size=1, max_size=4))
@example([[Brief(NOTHING, (("a", "b"),), ("c",))], [Brief(NOTHING, (("c", "d"), ("b", "d")), ())]])
@example([[Brief((("c",), (), (), ()), (), ())], [Brief(NOTHING, (("a", "b"),), ())]])
def test_where_they_are_cut_changes_nothing(parts: list[list[Brief]]) -> None:
    """Texts have the numbers that they have in one list of all, whichever parts they stand in."""
    whole = [brief for part in parts for brief in part]
    collected = Collected()
    for part in parts:
        collected.add(Briefs.of(part))
    assert unpacked(collected.together()) == whole
    assert same(collected.together(), Briefs.of(whole))


@given(BRIEFS, st.data())
def test_what_is_left_out_leaves_no_trace(briefs: list[Brief], data: st.DataObject) -> None:
    """Some of the briefs are what these make by themselves."""
    keep = [at for at in range(len(briefs)) if data.draw(st.booleans())]
    chosen = Briefs.of(briefs).chosen(np.array(keep, dtype=np.intp))
    assert same(chosen, Briefs.of([briefs[at] for at in keep]))


@given(BRIEFS, st.lists(TEXTS, min_size=1, max_size=3), st.sets(st.sampled_from(range(4)), min_size=1))
@example([Brief((("a",), ("b",), (), ()), (), ())] * 2, ["a", "b"], {0, 1})
@example([Brief((("b",), (), (), ()), (), ()), Brief((("a",), (), (), ()), (), ())], ["b", "a"], {0})
def test_a_sequence_is_found_in_its_field(briefs: list[Brief], stems: list[str], columns: set[int]) -> None:
    """Where stems follow each other, in one field of one record; never from one into the next."""

    def follow(row: Sequence[str]) -> bool:
        return any(list(row[at : at + len(stems)]) == stems for at in range(len(row) - len(stems) + 1))

    found = Briefs.of(briefs).in_sequence(stems, np.arange(len(briefs), dtype=np.int32), sorted(columns))
    told = [at for at, brief in enumerate(briefs) if any(follow(brief.sequences[c]) for c in columns)]
    assert found.dtype == np.dtype(np.int32)
    assert found.tolist() == told


@given(BRIEFS, st.sets(TEXTS))
@example([Brief((("文", "文", "件"), (), (), ()), (), ()), Brief((("文",), (), (), ()), (), ())], set())
def test_how_many_words_there_are_in_names(briefs: list[Brief], passed: set[str]) -> None:
    """Each once, and of characters that follow each other the pairs; in memory and from a file alike."""

    def told(name: Sequence[str]) -> int:
        run = [stem in {"文", "件"} for stem in name]
        pairs = {(name[at], name[at + 1]) for at in range(len(name) - 1) if run[at] and run[at + 1]}
        alone = [
            at
            for at in range(len(name))
            if not run[at] or not ((at and run[at - 1]) or (at + 1 < len(name) and run[at + 1]))
        ]
        firsts = {(first, second) for first, second in pairs if first not in passed}
        return len(firsts) + len({name[at] for at in alone if name[at] not in passed})

    fresh = Briefs.of(briefs)
    stored = replace(fresh, numbers=Texts(**Texts.tables(list(fresh.numbers))))
    wanted = [told(brief.sequences[0]) for brief in briefs]
    assert fresh.name_words(passed).tolist() == stored.name_words(passed).tolist() == wanted


@given(BRIEFS)
@example([Brief(NOTHING, (("a", "b"), ("a", "c")), ("c", "d")), Brief(NOTHING, (), ("b",))])
def test_spellings_are_those_of_one_record_after_another(briefs: list[Brief]) -> None:
    """Who writes a form, its first stem, the forms of a stem in order, and who only speaks against it."""
    forms: dict[str, list[int]] = {}
    stems: dict[str, str] = {}
    denied: dict[str, list[int]] = {}
    for at, brief in enumerate(briefs):
        for form, stem in brief.forms:
            forms.setdefault(form, []).append(at)
            stems.setdefault(form, stem)
        for stem in brief.negative:
            if stem not in {stated for _, stated in brief.forms}:
                denied.setdefault(stem, []).append(at)
    told = Spellings.of(Briefs.of(briefs))
    assert [(form, docs.tolist()) for form, docs in told.forms.items()] == list(forms.items())
    assert list(told.stems.items()) == list(stems.items())
    assert {stem: docs.tolist() for stem, docs in told.denied.items() if len(docs)} == denied
    variants = {stem: tuple(form for form in stems if stems[form] == stem) for stem in stems.values()}
    assert {stem: each for stem, each in told.variants.items() if each} == variants


@pytest.mark.parametrize("text", ["c", "x"])
def test_what_is_no_form_is_not_told(text: str) -> None:
    """A stem that nobody writes, and a text that is nowhere."""
    told = Spellings.of(Briefs.of([Brief(NOTHING, (("a", "c"),), ())]))
    assert (text in told.forms, told.forms.get(text), len(told.forms)) == (False, None, 1)
    with pytest.raises(KeyError):
        told.forms[text]
