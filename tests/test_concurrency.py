"""
Fault class "atomic-state": many threads at once, and every answer is all of one state.

Each skill says its version in its description and in its body, so an answer put together from
two states shows.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skill_index import DirectorySource, RawSkill, SkillCatalog, SkillIndex
from skill_index.changes import Changes
from skill_index.prompt import build_section
from skill_index.tools import Toolkit

SKILLS = 30
SECONDS = 3.0
ENOUGH = 30.0  # seconds after which a thread hangs

VERSION = re.compile(r"version v(\d+)\b")


def write(root: Path, number: int, version: int) -> None:
    """Save a skill as careful editors do, so that no state of the disk is half of one."""
    name = f"skill-{number}"
    (root / name).mkdir(parents=True, exist_ok=True)
    new = root / name / ".new"
    header = f"---\nname: {name}\ndescription: Draws charts, version v{version}.\n---\n"
    new.write_text(f"{header}Body, version v{version}.\n", "utf-8")
    new.replace(root / name / "SKILL.md")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a root of many skills."""
    for number in range(SKILLS):
        write(tmp_path / "skills", number, 0)
    return tmp_path / "skills"


class Crew:
    """Threads that each repeat one thing until the time is up, and what they raised."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.raised: list[BaseException] = []
        self.rounds: dict[str, int] = {}
        self._threads: list[threading.Thread] = []

    def loop(self, name: str, work: Callable[[], object]) -> None:
        """Repeat some work in a thread."""

        def run() -> None:
            rounds = 0
            try:
                while not self.stop.is_set():
                    work()
                    rounds += 1
            except BaseException as error:  # noqa: BLE001 - it is raised again where the test sees it
                self.raised.append(error)
                self.stop.set()
            self.rounds[name] = rounds

        self._threads.append(threading.Thread(target=run, name=name, daemon=True))

    def run(self, seconds: float) -> None:
        """Run them all for some time, and see each of them end."""
        for thread in self._threads:
            thread.start()
        self.stop.wait(seconds)
        self.stop.set()
        for thread in self._threads:
            thread.join(ENOUGH)
        assert not [thread.name for thread in self._threads if thread.is_alive()], "deadlock"
        if self.raised:
            raise self.raised[0]
        assert all(self.rounds.values())


def versions(text: str) -> set[str]:
    """Return the versions a text speaks of."""
    return set(VERSION.findall(text))


def agrees(catalog: SkillCatalog) -> None:
    """Check that every skill of a snapshot is of one version, however it is reached."""
    assert len(catalog) == SKILLS
    for entry in catalog.entries:
        assert versions(entry.skill.description) == versions(entry.skill.instructions)
    results = catalog.search("draws charts", limit=SKILLS)
    assert {hit.name: hit.skill for hit in results.hits} == dict(catalog)


def check_surfaces(index: SkillIndex) -> None:
    """Use every surface once and check that each answer is whole."""
    assert len(re.findall(r"(?m)^- skill-\d+:", build_section(index, budget_tokens=None).text)) == SKILLS
    assert index.search("draws charts").total == SKILLS
    agrees(index.snapshot())
    toolkit = Toolkit(index)
    described = toolkit.call("describe_skill", {"name": "skill-7"})
    loaded = toolkit.call("load_skill", {"skill_name": "skill-7"})
    assert (described.error, loaded.error) == (None, None)
    assert len(versions(described.text)) == len(versions(loaded.text)) == 1
    # What is asked for later is never older.
    assert int(versions(described.text).pop()) <= int(versions(loaded.text).pop())


@pytest.mark.parametrize("interval", [None, 0.05], ids=["every use", "now and then"])
def test_every_answer_is_all_of_one_state(root: Path, interval: float | None) -> None:
    """Four threads use the index, two refresh it, one edits; nothing fails, hangs or is torn."""
    index = SkillIndex.from_paths(root, refresh_interval=interval)
    told: list[Changes] = []
    index.on_change(told.append)
    count = itertools.count(1)

    def edit() -> None:
        number = next(count)
        write(root, number % SKILLS, number)
        time.sleep(0.002)

    crew = Crew()
    for number in range(4):
        crew.loop(f"user {number}", lambda: check_surfaces(index))
    for number in range(2):
        crew.loop(f"refresher {number}", index.refresh)
    crew.loop("editor", edit)
    crew.run(SECONDS / 2)
    index.refresh()
    assert told
    assert dict(told[-1].catalog) == dict(index.snapshot()) == dict(SkillIndex.from_paths(root).snapshot())
    assert all(changes.changed and not changes.added and not changes.removed for changes in told)


def test_skills_that_are_moved_about_are_always_there(root: Path) -> None:
    """Folders renamed under the feet of the looks: each skill is in each state, exactly once."""
    index = SkillIndex.from_paths(root)
    places = [root / f"skill-{number}" for number in range(3)]

    def move() -> None:
        for at, place in enumerate(places):
            target = place.with_name(f"moved-{at}" if place.name.startswith("skill") else f"skill-{at}")
            places[at] = place.rename(target)
            time.sleep(0.03)  # a few looks long: who moves all the time is not met at all

    def check() -> None:
        assert len(index) == SKILLS

    crew = Crew()
    crew.loop("mover", move)
    for number in range(2):
        crew.loop(f"user {number}", check)
    crew.run(SECONDS / 3)


def test_async_calls_go_on_during_refreshes(root: Path) -> None:
    """Twenty calls at once, while the index refreshes: each is answered whole."""
    index = SkillIndex.from_paths(root)
    toolkit = Toolkit(index)
    crew = Crew()
    count = itertools.count(1)

    def edit() -> None:
        number = next(count)
        write(root, number % SKILLS, number)
        index.refresh()

    async def main() -> None:
        for _ in range(3):
            calls = [
                toolkit.acall("load_skill", {"skill_name": f"skill-{n}", "force": True}) for n in range(20)
            ]
            for reply in await asyncio.wait_for(asyncio.gather(*calls), ENOUGH):
                assert reply.error is None
                assert len(versions(reply.text)) == 1

    crew.loop("editor", edit)
    crew.loop("caller", lambda: asyncio.run(main()))
    crew.run(SECONDS / 3)


@pytest.mark.parametrize("use", ["refresh", "search", "another thread", "subscribe"])
def test_a_callback_may_use_the_index(root: Path, use: str) -> None:
    """Also from a thread that it waits for: no lock is held while it runs."""
    index = SkillIndex.from_paths(root)
    shown: list[str] = []

    def look() -> None:
        index.refresh()
        shown.append(index["skill-0"].description)

    def callback(_: Changes) -> None:
        if use == "refresh":
            index.refresh()
        elif use == "subscribe":
            index.on_change(lambda _: None)()
        elif use == "another thread":
            thread = threading.Thread(target=look, daemon=True)
            thread.start()
            thread.join(ENOUGH / 2)
            assert not thread.is_alive()
        look()

    index.on_change(callback)
    write(root, 0, 1)
    thread = threading.Thread(target=index.refresh, daemon=True)
    thread.start()
    thread.join(ENOUGH)
    assert not thread.is_alive()
    assert set(shown) == {"Draws charts, version v1."}
    assert len(shown) == 1 + (use == "another thread")


def test_nothing_an_answer_holds_changes_the_index(root: Path) -> None:
    """What a search returns is frozen, or a copy of what is inside."""
    index = SkillIndex.from_paths(root)
    before = index.search("draws charts")
    hit = before.hits[0]
    for target, name in (
        (before, "hits"),
        (hit, "name"),
        (hit.skill, "description"),
        (hit.skill.origin, "path"),
    ):
        with pytest.raises(AttributeError):
            setattr(target, name, "mine")
    with pytest.raises(TypeError):
        hit.skill.metadata["mine"] = 1  # type: ignore[index]
    data = Toolkit(index).call("list_skills", {}).data
    assert data is not None
    data.skills = ()  # type: ignore[attr-defined]
    assert index.search("draws charts") == before
    assert "1 of" not in Toolkit(index).call("list_skills", {}).text
    assert len(index) == SKILLS


def test_scans_side_by_side_are_all_whole(root: Path) -> None:
    """Eight threads read one source, each all of it, in its order."""
    source = DirectorySource(root)
    seen: list[list[str]] = []

    def scan() -> None:
        items: Iterator[object] = source.scan()
        seen.append([item.origin.path for item in items if isinstance(item, RawSkill)])

    threads = [threading.Thread(target=scan) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ENOUGH)
    assert len(seen) == 8
    assert [len(paths) for paths in seen] == [SKILLS] * 8
    assert all(paths == seen[0] for paths in seen)


def test_a_first_search_by_many_threads_builds_one_word_index(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second waits for the first instead of doing the work again."""
    from skill_index.ranking import Ranker

    built: list[int] = []
    real = Ranker.build

    def build(*arguments: object, **named: object) -> Ranker:
        built.append(1)
        time.sleep(0.05)
        return real(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Ranker, "build", build)
    catalog = SkillIndex.from_paths(root).snapshot()
    names: list[tuple[str, ...]] = []
    threads = [
        threading.Thread(target=lambda: names.append(catalog.search("charts").names)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ENOUGH)
    assert (len(built), len(names), len(set(names))) == (1, 8, 1)
