"""Names: every skill has one, none hides another, and one resolver finds them all."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.model import Origin, Skill
from skill_index.names import fold_name
from skill_index.naming import Entry, name_entries
from skill_index.resolving import Resolver, _fold, _table


def skill(name: str, text: str = "x", *, label: str = "s", path: str = "", **more: object) -> Skill:
    """Make a skill at a place."""
    origin = Origin(label=label, root="/r", path=path or f"{name}/SKILL.md")
    return Skill(name, text, origin=origin, **more)  # type: ignore[arg-type]  # fields by keyword


def keys(*skills: Skill) -> list[str]:
    """Return the keys that the skills are given."""
    return [entry.key for entry in name_entries(skills)]


def test_a_name_of_its_own_is_the_key() -> None:
    """A skill whose name nobody shares is reached by it."""
    assert keys(skill("b"), skill("a")) == ["a", "b"]


def test_the_first_source_keeps_the_bare_name() -> None:
    """Of two sources with one name, the first keeps it and the other is qualified."""
    assert keys(skill("a", "1", label="one"), skill("a", "2", label="two")) == ["a", "two:a"]


def test_one_source_grows_folders() -> None:
    """Within one source nobody gets the bare name; ids tell the folders."""
    assert keys(skill("a", "1", path="x/a/SKILL.md"), skill("a", "2", path="y/z/a/SKILL.md")) == [
        "s/x:a",
        "s/y/z:a",
    ]


def test_a_folder_and_its_child_stay_apart() -> None:
    """Ids that would be shortened to the same text keep their whole folder."""
    found = keys(skill("a", "1", path="f/SKILL.md"), skill("a", "2", path="f/a/SKILL.md"))
    assert found == ["s/f/a:a", "s/f:a"]


def test_skills_made_in_code_are_told_apart_by_content() -> None:
    """Two skills without files and with one name are both addressable."""
    first, second = Skill("a", "one"), Skill("a", "two")
    assert set(keys(first, second)) == {
        f"memory/{first.digest[:8]}:a",
        f"memory/{second.digest[:8]}:a",
    }


def test_identical_copies_merge_and_keep_both_places() -> None:
    """The same bytes under one name are one skill, found in two places."""
    copies = [skill("a", digest="d", label=label) for label in ("one", "two")]
    (entry,) = name_entries(copies)
    assert [place.label for place in entry.places] == ["one", "two"]
    assert Resolver([entry]).resolve("two:a").found == 0


def test_ids_that_meet_across_sources_are_lengthened() -> None:
    """Label `a/b` with skill x and label `a` with folder b cannot share an id."""
    found = keys(
        skill("x", "1", label="a", path="b/x/SKILL.md"),
        skill("x", "2", label="a", path="c/x/SKILL.md"),
        skill("x", "3", label="a/b", path="x/SKILL.md"),
    )
    assert len(set(found)) == 3


@given(st.lists(st.tuples(st.sampled_from("abA"), st.sampled_from("xy"), st.integers(0, 3)), max_size=8))
def test_every_skill_is_addressable(made: list[tuple[str, str, int]]) -> None:
    """Whatever shares a name, every key and id finds its own skill."""
    skills = [
        skill(name, str(number), label=label, path=f"{number}/{name}/SKILL.md")
        for name, label, number in made
    ]
    entries = name_entries(skills)
    resolver = Resolver(entries)
    assert {entry.skill.digest for entry in entries} == {each.digest for each in skills}
    for position, entry in enumerate(entries):
        assert resolver.resolve(entry.key).found == position
        assert resolver.resolve(entry.id).found == position


@given(st.randoms(use_true_random=False))
def test_names_do_not_depend_on_the_order_within_a_source(rng: random.Random) -> None:
    """A shuffled listing of one source gives the same entries."""
    skills = [skill("a", str(n), path=f"{n}/a/SKILL.md") for n in range(5)] + [skill("b")]
    shuffled = list(skills)
    rng.shuffle(shuffled)
    assert name_entries(shuffled) == name_entries(skills)


RESOLVED = [
    ("pdf-forms", "pdf-forms"),
    (" pdf-forms\n", "pdf-forms"),
    ("'pdf-forms'", "pdf-forms"),
    ("PDF_Forms", "pdf-forms"),
    ("pdf forms", "pdf-forms"),
    ("ｐｄｆ-forms", "pdf-forms"),
    ("s:pdf-forms", "pdf-forms"),
    ("old-name", "pdf-forms"),
    ("Report Writer", "Report Writer"),
    ("report writer", "Report Writer"),
    ("re\u0301dacteur", "rédacteur"),
    ("folder-x", "name-y"),
    ("R&amp;D", "R&D"),
    ("acme:x", "acme:x"),
]


@pytest.mark.parametrize(("asked", "expected"), RESOLVED)
def test_spellings_that_find_a_skill(asked: str, expected: str) -> None:
    """Case, quotes, separators, Unicode form, blanks and escapes do not matter."""
    entries = name_entries(
        [
            skill("pdf-forms", aliases=("old-name",)),
            skill("Report Writer"),
            skill("rédacteur"),
            skill("name-y", path="folder-x/SKILL.md"),
            skill("R&D"),
            skill("x", "1", label="acme-fork"),
            skill("x", "2", label="acme"),
        ]
    )
    found = Resolver(entries).resolve(asked).found
    assert found is not None
    assert entries[found].key == expected


@pytest.mark.parametrize(
    "asked", ["", "  ", "../pdf-forms", "/pdf-forms", "pdf-forms/..", "[pdf forms]", "pdf"]
)
def test_texts_that_name_nothing(asked: str) -> None:
    """A name is looked up, never joined to a path, and never matched in part."""
    resolution = Resolver(name_entries([skill("pdf-forms")])).resolve(asked)
    assert resolution.found is None
    assert resolution.candidates == ()


def test_an_exact_spelling_beats_a_folded_one() -> None:
    """Two names that fold to the same text are both reached by their own spelling."""
    entries = name_entries([skill("Data Kit"), skill("data-kit")])
    resolver = Resolver(entries)
    assert [entries[at].key for at in resolver.matches("data-kit")] == ["data-kit"]
    assert len(resolver.resolve("DATA_KIT").candidates) == 2


def test_nearest_names_come_best_first() -> None:
    """An unknown name is answered with few, near names, and never with a dump."""
    entries = name_entries([skill(f"kit-{n}") for n in range(50)] + [skill("pod-functions")])
    resolver = Resolver(entries)
    assert resolver.nearest("[Pod Functions]", 3)[0] == "pod-functions"
    assert len(resolver.nearest("kit", 3)) == 3
    assert resolver.nearest("zzzzzz", 3) == ()


def test_an_unknown_name_is_near_a_folder_name() -> None:
    """A misspelt folder name leads to the skill that lies there."""
    entries = name_entries([skill("name-y", path="folder-x/SKILL.md")])
    assert Resolver(entries).nearest("folder-xx", 3) == ("name-y",)


TABLE_NAMES = st.lists(st.lists(st.sampled_from(["a", "A", "a-b", "a_b", "é", ""]), max_size=4), max_size=6)


@given(TABLE_NAMES)
def test_tables_hold_every_position_once(names: list[list[str]]) -> None:
    """Of a name that one or many have, once or several times; folded, they are put together."""
    entries = [Entry(str(at), "", Skill("x", "y"), ()) for at in range(len(names))]
    table = _table(entries, lambda entry: iter(names[int(entry.key)]))
    given_names = {name for own in names for name in own}
    assert table == {name: tuple(at for at, own in enumerate(names) if name in own) for name in given_names}
    folded = {fold_name(name) for name in given_names} - {""}
    assert _fold(table) == {
        key: tuple(at for at, own in enumerate(names) if key in map(fold_name, own)) for key in folded
    }
