"""Skills from a function: what it may return, and what becomes of what it may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.discovery import Reader
from skill_index.errors import SourceError
from skill_index.findings import Finding, Severity
from skill_index.model import Origin, RawSkill, Skill
from skill_index.sources import CallableSource, Item, MemorySource

GOOD = "---\nname: {0}\ndescription: Does {0}.\n---\n"
TOLD = Finding("mine", Severity.INFO, "said")


def source(returned: Any, **options: Any) -> CallableSource:
    """Return a source of what a function returns."""
    return CallableSource(lambda: returned, "store", **options)


def items(returned: Any, **options: Any) -> list[Item]:
    """Return what such a source yields."""
    return list(source(returned, **options).scan())


def test_skills_raw_skills_and_findings_pass() -> None:
    """Each in its order; what does not say where it is from is from this source."""
    raw = RawSkill(Origin("far", "", "x/SKILL.md"), b"x")
    skill = Skill("a", "b")
    first, second, third = items([skill, raw, TOLD])
    assert isinstance(first, Skill)
    assert (first.origin, first.digest) == (Origin("store"), skill.digest)
    assert (second, third) == (raw, TOLD)


def test_a_mapping_is_read_as_memory_is() -> None:
    """Paths to texts and bytes, with this label."""
    files: dict[str, str | bytes] = {"a/SKILL.md": "x", "b/SKILL.md": b"y", "b/z.md": "z"}
    assert items(files) == list(MemorySource(files, "store").scan())


def test_trust_can_be_taken_and_not_given() -> None:
    """With trust, an origin's own claim counts; without, none does."""
    both = [
        Skill("a", "b"),
        Skill("c", "d", origin=Origin("far", trusted=False)),
        RawSkill(Origin("far"), b"x"),
    ]
    for trusted, expected in ((True, [True, False, True]), (False, [False] * 3)):
        found = items(both, trusted=trusted)
        assert [item.origin.trusted for item in found if not isinstance(item, Finding)] == expected
    (raw,) = items({"a/SKILL.md": "x"}, trusted=False)
    assert isinstance(raw, RawSkill)
    assert not raw.origin.trusted


def test_it_is_called_at_each_scan() -> None:
    """Nothing is kept; a generator function works as well as a list."""
    calls: list[int] = []

    def skills() -> Iterator[Item]:
        calls.append(1)
        yield Skill(f"s{len(calls)}", "x")

    store = CallableSource(skills, "")
    assert store.label.endswith("skills")
    assert [item.name for _ in range(2) for item in store.scan() if isinstance(item, Skill)] == ["s1", "s2"]


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ([None], "item 0 is nothing"),
        ([3], "item 0 is a value of type int"),
        ([{"name": "x"}], "type dict"),
        (["x"], "type str"),
        ([Skill], "type type"),
        ({3: "x"}, "maps a value of type int"),
        ({"a/SKILL.md": None}, "to nothing"),
        ({"a\n/SKILL.md": 3}, "to a value of type int"),
    ],
)
def test_a_wrong_item_is_told_and_costs_itself(returned: Any, said: str) -> None:
    """Its place and type are named, and what stands beside it is read."""
    more = {**returned, "z/SKILL.md": "z"} if isinstance(returned, dict) else [*returned, Skill("z", "z")]
    finding, kept = items(more)
    assert isinstance(finding, Finding)
    assert (finding.code, finding.path, said in finding.message) == ("wrong-type", "store", True)
    assert not isinstance(kept, Finding)


@pytest.mark.parametrize("returned", [None, 3, "text", b"bytes", Skill("a", "b"), object()])
def test_what_holds_no_skills_is_an_error(returned: Any) -> None:
    """It is no empty list: the last good skills must not be given up for it."""
    with pytest.raises(SourceError, match=r"store.*it returned .*return a list"):
        items(returned)


@given(
    st.recursive(
        st.none() | st.integers() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.integers() | st.text(), inner),
    )
)
def test_any_result_is_survived(returned: Any) -> None:
    """Whatever comes back is findings, or one error of the source."""
    try:
        found = items(returned)
    except SourceError:
        found = []
    assert not any(isinstance(item, Skill) for item in found)


@pytest.mark.parametrize(
    "error", [ValueError("bad row"), KeyError("x"), OSError(5, "I/O"), RecursionError("deep")]
)
def test_what_it_raises_is_an_error_of_the_source(error: Exception) -> None:
    """Type and words are told, and the cause is kept."""

    def broken() -> list[Skill]:
        raise error

    with pytest.raises(SourceError, match=type(error).__name__) as caught:
        list(CallableSource(broken, "store").scan())
    assert (caught.value.origin, caught.value.__cause__) == ("store", error)


def test_its_own_source_errors_pass_as_they_are() -> None:
    """Who knows how to say it, says it."""

    def broken() -> list[Skill]:
        raise SourceError("db", "is down", "start it")

    with pytest.raises(SourceError, match=r"^cannot read skills from 'db': is down; start it$"):
        list(CallableSource(broken, "store").scan())


def test_an_exit_is_not_caught() -> None:
    """A program that is told to stop stops."""

    def stop() -> list[Skill]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(CallableSource(stop, "store").scan())


@pytest.mark.parametrize("good", range(4))
def test_breaking_off_anywhere_keeps_the_last_good_skills(good: int) -> None:
    """A generator that fails at its n-th skill takes none of the others away."""
    broken = False

    def skills() -> Iterator[Item]:
        for number in range(3):
            if broken and number == good:
                message = "line dead"
                raise ConnectionError(message)
            yield Skill(f"s{number}", "x")
        if broken and good == 3:
            message = "line dead"
            raise ConnectionError(message)

    reader = Reader((CallableSource(skills, "store"), MemorySource({"m/SKILL.md": GOOD.format("m")})))
    before = [skill.name for skill in reader.read()[0]]
    broken = True
    found, findings = reader.read()
    assert [skill.name for skill in found] == before == ["s0", "s1", "s2", "m"]
    assert [finding.code for finding in findings] == ["unreadable"] + ["kept-old"] * (3 - good)
    broken = False
    assert [skill.name for skill in reader.read()[0]] == before


def test_what_cannot_be_called_is_refused() -> None:
    """At once, not at the first scan."""
    with pytest.raises(TypeError, match="needs a function, not list"):
        CallableSource([], "store")  # type: ignore[arg-type]  # that it is refused is what is tested
