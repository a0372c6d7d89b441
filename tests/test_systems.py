"""The systems a ranking is compared with do what their descriptions say."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.systems import OURS, SYSTEMS, MissingPackageError, System
from benchmarks.systems.base import package, split_words
from benchmarks.systems.deerflow import BUDGET, DeerFlowNew, DeerFlowOld
from benchmarks.systems.fts5 import FTS5System
from benchmarks.systems.minibot import MinibotSystem
from benchmarks.systems.ours import SkillIndexSystem
from benchmarks.systems.rapidfuzz_alone import RapidFuzzSystem
from benchmarks.systems.whoosh_index import WhooshSystem
from skill_index import Skill

SKILLS = (
    Skill("chart-visualization", "Turn data into charts and graphs."),
    Skill("data-analysis", "Analyse tables of numbers."),
    Skill("image-generation", "Generate pictures from a text."),
    Skill("podcast-generation", "Turn an article into spoken audio."),
    Skill("ppt-generation", "Make slide decks."),
    Skill("video-generation", "Generate a clip from a text."),
    Skill("b", "A skill of one letter."),
)
ALWAYS_HERE: tuple[Callable[[], System], ...] = (
    SkillIndexSystem,
    DeerFlowOld,
    DeerFlowNew,
    MinibotSystem,
    FTS5System,
    WhooshSystem,
    RapidFuzzSystem,
)
SIGNS = ["a AND", '"', "(((", "c++", "name:x", "*", "'s", "+", "select:"]
QUERIES = st.text(max_size=60) | st.sampled_from(SIGNS)


def made(make: Callable[[], System]) -> System:
    """Make a system, or skip where its package is missing."""
    try:
        return make()
    except MissingPackageError as missing:
        pytest.skip(str(missing))


def asked(make: Callable[[], System], query: str, limit: int = 10) -> list[str]:
    """Return what a system ranks over the skills above."""
    system = made(make)
    system.build(SKILLS)
    return system.rank(query, limit)


@pytest.mark.parametrize("make", SYSTEMS)
def test_every_system_finds_an_easy_one_and_keeps_the_limit(make: Callable[[], System]) -> None:
    """Words that one skill alone has find it, whoever searches; names only, each from the set."""
    system = made(make)
    system.build(SKILLS)
    assert system.rank("slide", 1) == ["ppt-generation"]
    names = {skill.name for skill in SKILLS}
    for query in ("generation", "turn", "Generate a text"):
        found = system.rank(query, 2)
        assert len(found) == len(set(found)) <= 2
        assert set(found) <= names


@pytest.mark.parametrize("make", SYSTEMS)
def test_a_system_can_be_built_again(make: Callable[[], System]) -> None:
    """Nothing of the set before is found."""
    system = made(make)
    system.build(SKILLS)
    assert system.rank("podcast", 5)
    system.build([Skill("tea", "Brew tea."), Skill("rice", "Cook rice."), Skill("bread", "Bake bread.")])
    assert "podcast-generation" not in system.rank("podcast", 5)
    assert system.rank("tea", 1) == ["tea"]


@given(
    st.text(max_size=60) | st.sampled_from(["a AND", '"', "(((", "c++", "name:x", "*", "'s", "+", "select:"])
)
def test_no_query_breaks_those_that_are_always_here(query: str) -> None:
    """Any text is a query; none of its signs is an operator that fails."""
    for make in ALWAYS_HERE:
        system = made(make)
        system.build(SKILLS[:2])
        assert set(system.rank(query, 5)) <= {"chart-visualization", "data-analysis"}, system.name


def test_the_first_is_ours_and_names_are_distinct() -> None:
    """Rows are told apart by their names."""
    systems = []
    for make in SYSTEMS:
        try:
            systems.append(make().name)
        except MissingPackageError:
            continue
    assert systems[0] == OURS
    assert len(set(systems)) == len(systems)


def test_a_missing_package_is_named() -> None:
    """What to install stands in the message."""
    with pytest.raises(MissingPackageError, match=r"a-package is not installed \(see bench"):
        package("no_such_module_anywhere", "a-package")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getUserName", "get User Name"),
        ("get_user-name__x", "get user name x"),
        ("HTTPServer a1B", "HTTPServer a1 B"),
        ("plain", "plain"),
    ],
)
def test_words_are_split_at_their_joints(text: str, words: str) -> None:
    """Names of functions become words."""
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("chart visualization", []),
        ("visualization chart", []),
        ("podcasts", []),
        ("slides", []),
        ("data analysis", []),
        ("make a podcast", []),
        ("data", ["data-analysis", "chart-visualization"]),
        ("CHART|pictures", ["chart-visualization", "image-generation"]),
        ("(bad", []),
        ("", []),
        ("  ", []),
        ("+", []),
        ("+ ", []),
        ("+gen", ["image-generation", "podcast-generation", "ppt-generation", "video-generation"]),
        ("+gen a text", ["image-generation", "video-generation", "podcast-generation", "ppt-generation"]),
        ("+nope", []),
        ("select:", []),
        ("select:nope", []),
        ("select:ppt-generation, b", ["ppt-generation", "b"]),
        ("select:b,b", ["b"]),
        ("SELECT:b", []),
    ],
)
def test_deer_flow_by_pattern(query: str, expected: list[str]) -> None:
    """A query is one pattern, so its words in any other order find nothing."""
    assert asked(DeerFlowOld, query) == expected


def test_a_pattern_that_never_ends_finds_nothing_in_time() -> None:
    """Doubled repetition would run for hours; the budget ends it."""
    system = DeerFlowOld()
    system.build([Skill("a" * 40 + "!", "x")])
    started = time.perf_counter()
    assert system.rank("(a+)+$", 5) == []
    assert time.perf_counter() - started < BUDGET * 20


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("visualization chart", ["chart-visualization"]),
        ("Chart_Visualization", ["chart-visualization"]),
        ("art", ["chart-visualization", "podcast-generation"]),
        ("slides", []),
        ("podcasts", []),
        ("b", ["b"]),
        ("a", []),
        ("generate clip", ["video-generation", "image-generation"]),
        ("data", ["data-analysis", "chart-visualization"]),
        ("+gen +video", ["video-generation", "image-generation", "podcast-generation", "ppt-generation"]),
        ("+gen", ["image-generation", "podcast-generation", "ppt-generation", "video-generation"]),
        ("+ -", []),
        ("+", []),
        ("select:data-analysis,b", ["data-analysis", "b"]),
        ("select:chart_visualization", []),
        ("SELECT:data-analysis", ["data-analysis", "chart-visualization"]),
        (".*", []),
        ("", []),
    ],
)
def test_deer_flow_by_words(query: str, expected: list[str]) -> None:
    """More words found lead, then the name; a part of a word is found too, and stop words count."""
    assert asked(DeerFlowNew, query) == expected


def test_deer_flow_by_words_reads_the_beginning_of_a_long_query() -> None:
    """What stands after 256 characters, or after 16 words, is not read."""
    assert asked(DeerFlowNew, "x " * 128 + "podcast") == []
    assert asked(DeerFlowNew, " ".join(f"q{number}q" for number in range(16)) + " podcast") == []
    assert asked(DeerFlowNew, " ".join(f"q{number}q" for number in range(15)) + " podcast")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("B", ["b"]),
        ("data", ["data-analysis", "chart-visualization"]),
        ("generation", ["ppt-generation", "image-generation", "video-generation", "podcast-generation"]),
        ("turn", ["chart-visualization", "podcast-generation"]),
        ("a", ["data-analysis", "chart-visualization", "image-generation", "podcast-generation"]),
        ("p", ["ppt-generation", "podcast-generation"]),
    ],
)
def test_minibot_tiers(query: str, expected: list[str]) -> None:
    """Whole names, beginnings (short first), in names (early first), in descriptions (early first)."""
    assert asked(MinibotSystem, query)[: len(expected)] == expected


def test_minibot_guesses_only_where_nothing_holds_the_query() -> None:
    """A query of words in another order is guessed at, and the guess has no floor."""
    assert asked(MinibotSystem, "visualization chart")[0] == "chart-visualization"
    assert len(asked(MinibotSystem, "visualization chart")) == len(SKILLS)
    assert asked(MinibotSystem, "zzzz") == ["chart-visualization"]  # for its one z
    assert asked(MinibotSystem, "7777") == []
    assert asked(MinibotSystem, "", 2) == ["b", "chart-visualization"]
