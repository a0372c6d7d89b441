"""Wrappers: what they do to skills of files, to ready-made ones, and to what is unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.discovery import Reader
from skill_index.errors import SourceError
from skill_index.findings import Finding, Severity
from skill_index.index import SkillIndex
from skill_index.model import Origin, RawSkill, Skill, Unchanged
from skill_index.names import fold_name
from skill_index.sources import (
    CachedSource,
    CallableSource,
    DirectorySource,
    FilteredSource,
    Item,
    Known,
    LayeredSource,
    LiveSource,
    MemorySource,
    PrefixedSource,
    Source,
    unknown,
)

GOOD = "---\nname: {0}\ndescription: Does {0}.\n---\n"


@dataclass
class Live:
    """A source whose skills have stamps, which counts what it reads and breaks off when told to."""

    label: str
    names: list[str]
    ready: bool = False
    breaks: int | None = None
    read: list[str] = field(default_factory=list)

    def scan(self) -> Iterator[Item]:
        """Yield every skill."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield every skill, those that are known as unchanged."""
        for number, name in enumerate(self.names):
            if number == self.breaks:
                raise SourceError(self.label, "line dead")
            origin = Origin(self.label, "", f"{number}/SKILL.md")
            if self.ready:
                yield Skill(name, "ready made", origin=origin)
            elif known(origin) == name:
                yield Unchanged(origin)
            else:
                self.read.append(name)
                yield RawSkill(origin, GOOD.format(name).encode(), stamp=name)
        if self.breaks == len(self.names):
            raise SourceError(self.label, "line dead")


def reading(reader: Reader) -> list[str]:
    """Return 'label:name' of each skill and '!code path' of each finding on a source of one more reading."""
    skills, findings = reader.read()
    told = [f"!{found.code} {found.path}" for found in findings if not found.code.startswith("name-")]
    return [f"{skill.origin.label}:{skill.name}" for skill in skills] + told


def not_b(skill: Skill) -> bool:
    """Keep what is not called b."""
    return skill.name != "b"


Wrap = Callable[[Source], Source]
WRAPS: dict[str, tuple[Wrap, list[str]]] = {
    "filter": (lambda inner: FilteredSource(inner, not_b), ["s:a", "s:c"]),
    "prefix": (lambda inner: PrefixedSource(inner, "x-"), ["s:x-a", "s:x-b", "s:x-c"]),
    "layer": (lambda inner: LayeredSource([inner], "all"), ["s:a", "s:b", "s:c"]),
    "cache": (lambda inner: CachedSource(inner, 0), ["s:a", "s:b", "s:c"]),
    "filter, prefix": (lambda inner: PrefixedSource(FilteredSource(inner, not_b), "x-"), ["s:x-a", "s:x-c"]),
    "prefix, filter": (
        lambda inner: FilteredSource(PrefixedSource(inner, "x-"), not_b),
        ["s:x-a", "s:x-b", "s:x-c"],
    ),
    "prefix, cache": (
        lambda inner: CachedSource(PrefixedSource(inner, "x-"), 0),
        ["s:x-a", "s:x-b", "s:x-c"],
    ),
    "cache, filter": (lambda inner: FilteredSource(CachedSource(inner, 0), not_b), ["s:a", "s:c"]),
}
wrapped = pytest.mark.parametrize(("wrap", "expected"), WRAPS.values(), ids=list(WRAPS))


@wrapped
@pytest.mark.parametrize("ready", [False, True])
def test_each_wrapper_does_its_work(wrap: Wrap, expected: list[str], ready: bool) -> None:
    """For skills of files and for ready-made ones, at the first reading and later."""
    reader = Reader((wrap(Live("s", ["a", "b", "c"], ready)),))
    assert [reading(reader) for _ in range(3)] == [expected] * 3


@wrapped
def test_what_is_unchanged_is_read_once(wrap: Wrap, expected: list[str]) -> None:
    """A wrapper passes on what the reader knows, and adds its step to what is unchanged."""
    live = Live("s", ["a", "b", "c"])
    source = wrap(live)
    assert isinstance(source, LiveSource)
    reader = Reader((source,))
    for _ in range(3):
        assert reading(reader) == expected
    assert live.read == ["a", "b", "c"]
    live.names[0] = "d"
    assert reading(reader) == [line.replace("a", "d") for line in expected]
    assert live.read == ["a", "b", "c", "d"]
    assert not any(isinstance(item, Unchanged) for item in source.scan())


@wrapped
@pytest.mark.parametrize("breaks", range(4))
@pytest.mark.parametrize("ready", [False, True])
def test_breaking_off_anywhere_takes_nothing_away(
    wrap: Wrap, expected: list[str], breaks: int, ready: bool
) -> None:
    """Whichever item a source fails at, the last good skills stay, and the bare names are those they were."""
    live = Live("s", ["a", "b", "c"], ready)
    other = MemorySource(
        {f"{name}/SKILL.md": GOOD.format(name) + "other" for name in ("a", "x-a", "c", "x-c")}
    )
    index_of = Reader((wrap(live), other))
    before = names_of(index_of)
    live.breaks = breaks
    assert names_of(index_of) == before
    live.breaks = None
    assert names_of(index_of) == before
    assert [line for line in reading(index_of) if line.startswith("s:")] == expected


def names_of(reader: Reader) -> dict[str, str]:
    """Return which source's skill each name of a catalog means."""
    from skill_index.catalog import SkillCatalog

    catalog = SkillCatalog(reader.read()[0])
    return {entry.key: entry.skill.origin.label for entry in catalog.entries}


def test_folders_stay_live_under_wrappers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of one file is read alone, under every wrapper at once."""
    monkeypatch.setattr("skill_index.sources.stamps.SETTLED_NS", -(1 << 60))
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(GOOD.format(name), "utf-8")
    source = PrefixedSource(FilteredSource(DirectorySource(tmp_path, "d"), lambda _: True), "x-")
    reader = Reader((LayeredSource([source], "all"),))
    assert reading(reader) == ["d:x-a", "d:x-b"]
    known = {item.origin: item.stamp for item in source.scan() if isinstance(item, RawSkill)}
    (tmp_path / "b" / "SKILL.md").write_text(GOOD.format("b") + "more", "utf-8")
    assert [type(item) for item in source.rescan(known.get)] == [Unchanged, RawSkill]
    assert list(SkillIndex([source])) == ["x-a", "x-b"]


# The filter


def test_a_filter_that_raises_keeps_its_skill_out() -> None:
    """A mistake in a filter shows nothing, is told with the place, and costs only its skill."""

    def picky(skill: Skill) -> bool:
        if skill.name == "b":
            message = "no tags"
            raise KeyError(message)
        return True

    for ready in (False, True):
        reader = Reader((FilteredSource(Live("s", ["a", "b"], ready), picky),))
        assert reading(reader) == ["s:a", "!step-failed 1/SKILL.md"]
        (finding,) = (found for found in reader.read()[1] if found.code == "step-failed")
        assert "'b' is left out: a filter or step of its source raised KeyError" in finding.message


def test_a_filter_that_changes_its_mind_is_followed() -> None:
    """What is kept is asked anew at each reading, of unchanged skills too."""
    hidden: set[str] = set()
    for ready in (False, True):
        reader = Reader(
            (FilteredSource(Live("s", ["a", "b"], ready), lambda skill: skill.name not in hidden),)
        )
        assert reading(reader) == ["s:a", "s:b"]
        hidden.add("a")
        assert reading(reader) == ["s:b"]
        hidden.clear()
        assert reading(reader) == ["s:a", "s:b"]


def test_findings_pass_a_filter() -> None:
    """What is wrong with a source is told, whatever is kept of it."""
    told = Finding("mine", Severity.INFO, "said")
    source = FilteredSource(CallableSource(lambda: [told, Skill("a", "b")], "s"), lambda _: False)
    assert (SkillIndex([source]).findings, len(SkillIndex([source])), source.label) == ((told,), 0, "s")


# The prefix


def test_the_old_name_means_nothing() -> None:
    """A prefixed skill is found by its new name only, and is not another skill's copy."""
    inner = MemorySource({"forms/SKILL.md": GOOD.format("pdf")}, "m")
    catalog = SkillIndex([PrefixedSource(inner, "team-")])
    assert (list(catalog), "pdf" in catalog, catalog["team-pdf"].aliases) == (["team-pdf"], False, ())
    assert catalog["team-pdf"].origin.label == "m"
    assert list(SkillIndex([inner, PrefixedSource(MemorySource(inner.files, "n"), "team-")])) == [
        "pdf",
        "team-pdf",
    ]


@pytest.mark.parametrize("prefix", ["", " ", "a:", "a\n", "a\u202e", "\ud800"])
def test_a_prefix_is_to_be_said(prefix: str) -> None:
    """No colon, no break, no hidden sign."""
    with pytest.raises(ValueError, match="a prefix is a text"):
        PrefixedSource(MemorySource({}), prefix)


# Layers


@pytest.mark.parametrize("ready", [(False, False), (True, True), (True, False), (False, True)])
def test_the_earlier_layer_hides_the_later(ready: tuple[bool, bool]) -> None:
    """Names are compared folded; what is hidden is told with both places."""
    team, user = Live("team", ["pdf_forms", "xls"], ready[0]), Live("user", ["zip", "PDF-Forms"], ready[1])
    reader = Reader((LayeredSource([team, user], "all"),))
    for _ in range(3):
        assert reading(reader) == ["team:pdf_forms", "team:xls", "user:zip", "!shadowed 1/SKILL.md"]
    (finding,) = (found for found in reader.read()[1] if found.code == "shadowed")
    assert finding.severity is Severity.INFO
    assert "'PDF-Forms' is that of 0/SKILL.md" in finding.message


def test_one_layer_hides_nothing_of_its_own() -> None:
    """Equal names in one source are told apart by the catalog, as ever."""
    reader = Reader((LayeredSource([Live("team", ["a", "A"]), Live("user", ["a"])], "all"),))
    assert reading(reader) == ["team:a", "team:A", "!shadowed 0/SKILL.md"]


def test_what_was_removed_hides_no_more() -> None:
    """The names are asked anew at each scan, though nothing else has changed."""
    team, user = Live("team", ["a"]), Live("user", ["a"])
    reader = Reader((LayeredSource([team, user], "all"),))
    assert reading(reader) == ["team:a", "!shadowed 0/SKILL.md"]
    team.names.clear()
    assert reading(reader) == ["user:a"]
    team.names.append("a")
    assert reading(reader) == ["team:a", "!shadowed 0/SKILL.md"]
    assert user.read == ["a"]


_names = st.lists(st.sampled_from(["a", "A", "b", "B", "c-d", "c_d"]), max_size=4, unique=True)


@given(st.lists(st.lists(_names, min_size=1, max_size=3), min_size=1, max_size=3), st.integers(1, 3))
def test_layers_are_those_of_a_plain_rule(states: list[list[list[str]]], layers: int) -> None:
    """Whatever changes between readings, what is seen is what one reading from nothing sees."""
    lives = [Live(f"l{number}", []) for number in range(layers)]
    layered = LayeredSource(lives, "all")
    reader = Reader((layered,))
    for state in states:
        for number, live in enumerate(lives):
            live.names[:] = state[number] if number < len(state) else []
        assert reading(reader) == reading(Reader((layered,)))
        expected = [
            f"{live.label}:{name}"
            for number, live in enumerate(lives)
            for name in live.names
            if not any(fold_name(name) in map(fold_name, above.names) for above in lives[:number])
        ]
        assert [line for line in reading(reader) if line[0] != "!"] == expected


def test_a_layer_that_fails_is_told_as_a_source() -> None:
    """The others are read, and what it gave last stays."""
    team, user = Live("team", ["a"]), Live("user", ["b"])
    layered = LayeredSource([team, user], "all: x")
    reader = Reader((layered,))
    reading(reader)
    team.breaks = 0
    assert sorted(reading(reader)) == ["!kept-old 0/SKILL.md", "!unreadable team", "team:a", "user:b"]
    assert layered.label == "all- x"


@pytest.mark.parametrize("breaks", range(3))
def test_a_cached_layer_that_fails_holds_its_place(breaks: int) -> None:
    """With its last good answer, the names it had hide as before."""
    team, user = Live("team", ["a", "b"]), Live("user", ["b", "a", "c"])
    reader = Reader((LayeredSource([CachedSource(team, 0), user], "all"),))
    before = reading(reader)
    team.breaks = breaks
    assert sorted(reading(reader)) == sorted([*before, "!last-good team"])
