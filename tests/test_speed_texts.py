"""Texts and queries by chance keep their promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import speed
from benchmarks.timing import texts
from benchmarks.timing.texts import KINDS, REQUIRED
from skill_index import Skill
from skill_index.wordlists import STOP_WORDS

_RANKED = ("the", "of", "a", "fill", "form", "pdf", "chart", "draw", "table", "audio")
WORDS = {word: 1 / rank for rank, word in enumerate(_RANKED, 1)}


def test_synthetic_skills_are_the_same_every_time_and_a_larger_catalog_begins_with_the_smaller() -> None:
    """Names are distinct, also where words are few, and descriptions keep their size."""
    few, many = list(texts.synthetic(WORDS, 70)), list(texts.synthetic(WORDS, 2100))
    assert many[:70] == few
    assert len({skill.name for skill in many}) == 2100
    assert all(len(skill.name.split("-")) >= 2 for skill in many)
    lengths = [len(skill.description) for skill in many]
    assert (min(lengths) >= 60, max(lengths) <= 420, 180 < sum(lengths) / 2100 < 220) == (True, True, True)
    said = {word for skill in few for word in skill.description.lower().rstrip(".").split()}
    assert said <= WORDS.keys() | {str(number) for number in range(2100)}


def test_common_words_are_drawn_more_often() -> None:
    """The first word stands about twice as often as the second."""
    told = " ".join(skill.description.lower() for skill in texts.synthetic(WORDS, 500)).split()
    assert 1.7 < told.count("the") / told.count("of") < 2.3


def test_real_words_are_inflected_and_ordered_by_use() -> None:
    """The commonest word of English comes first; forms of one stem are words of their own."""
    pytest.importorskip("wordfreq")
    words = texts.vocabulary()
    assert next(iter(words)) == "the"
    assert {"run", "runs", "running", "runner"} <= words.keys()
    assert list(words.values()) == sorted(words.values(), reverse=True)


def test_queries_are_different_and_as_long_as_they_say() -> None:
    """Each kind has the words it promises; a required one is a word of the name, and says something."""
    skills = list(texts.synthetic({f"word{n}": 1 / n for n in range(1, 400)}, 100))
    asked = texts.queries(skills, 30)
    assert tuple(asked) == KINDS
    assert asked == texts.queries(skills, 30)
    for kind, queries in asked.items():
        assert len({query.text for query in queries}) == len(queries) == 30
        words = 5 - 1 if kind == REQUIRED else int(kind.split()[0])
        assert {len(query.text.split()) for query in queries} == {words}
        assert all(bool(query.required) == (kind == REQUIRED) for query in queries)
        assert all(query.target in {skill.name for skill in skills} for query in queries)
    for query in asked[REQUIRED]:
        assert query.required in query.target.split("-")
        assert query.required not in STOP_WORDS


@given(st.lists(st.builds(Skill, st.text(min_size=1).filter(str.strip), st.text(), st.text())))
def test_written_skills_read_back_equal(
    tmp_path_factory: pytest.TempPathFactory, skills: list[Skill]
) -> None:
    """Whatever stands in them, line ends too."""
    file = tmp_path_factory.mktemp("skills") / "skills.jsonl"
    assert texts.write_skills(file, skills) == len(skills)
    assert list(texts.read_skills(file)) == skills


def test_real_skills_come_with_their_bodies() -> None:
    """Every sample skill is read, with its name, its description and its instructions."""
    skills = texts.real(speed.ROOT / "examples" / "skills")
    assert "pdf-forms" in {skill.name for skill in skills}
    assert all(skill.description and skill.instructions for skill in skills)
