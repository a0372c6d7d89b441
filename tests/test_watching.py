"""Being told of changes: soon, each once, with and without watchfiles, and until one says stop."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_index import MemorySource, SkillIndex
from skill_index.changes import Changes
from skill_index.watching import awatch, watch

ENOUGH = 20.0  # seconds after which something that should have happened did not


def write(root: Path, name: str, description: str = "Does it.") -> None:
    """Write a skill."""
    (root / name).mkdir(parents=True, exist_ok=True)
    (root / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\n", "utf-8")


@pytest.fixture(params=["watchfiles", "clock"])
def index(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SkillIndex:
    """Return an index of one skill, where watchfiles is installed and where it is not."""
    if request.param == "watchfiles":
        pytest.importorskip("watchfiles")
    else:
        real = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name: None if name == "watchfiles" else real(name)
        )
    write(tmp_path / "skills", "a")
    return SkillIndex.from_paths(tmp_path / "skills")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the folder of that index."""
    return tmp_path / "skills"


class Watcher:
    """A thread that watches, and what it was told."""

    def __init__(self, index: SkillIndex, interval: float = 0.05) -> None:
        self.told: list[Changes] = []
        self.stop = threading.Event()
        self._index, self._interval = index, interval
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for changes in watch(self._index, interval=self._interval, stop=self.stop):
            self.told.append(changes)

    def wait(self, count: int) -> list[str]:
        """Return what was told once there are so many."""
        until = time.monotonic() + ENOUGH
        while len(self.told) < count and time.monotonic() < until:
            time.sleep(0.01)
        return [str(changes) for changes in self.told]

    def end(self) -> None:
        """Stop, and see that it does."""
        self.stop.set()
        self._thread.join(ENOUGH)
        assert not self._thread.is_alive()


@pytest.fixture
def watcher(index: SkillIndex) -> Iterator[Watcher]:
    """Return a running watcher."""
    running = Watcher(index)
    yield running
    running.end()


def test_changes_are_told_as_they_happen(root: Path, watcher: Watcher) -> None:
    """An addition, an edit and a removal, each with its names and the catalog after it."""
    write(root, "b")
    assert watcher.wait(1) == ["1 added: b"]
    write(root, "b", "Does more.")
    assert watcher.wait(2)[1] == "1 changed: b"
    (root / "b" / "SKILL.md").unlink()
    assert watcher.wait(3)[2] == "1 removed: b"
    assert ["b" in changes.catalog for changes in watcher.told] == [True, True, False]


def test_a_change_that_a_search_found_first_is_told_too(
    root: Path, index: SkillIndex, watcher: Watcher
) -> None:
    """A small index looks at each use, which must not hide the change from who watches."""
    write(root, "first")
    watcher.wait(1)
    for number in range(10):
        write(root, f"b{number}")
        assert f"b{number}" in index
    until = time.monotonic() + ENOUGH
    while sum(len(changes.added) for changes in watcher.told) < 11 and time.monotonic() < until:
        time.sleep(0.01)
    added = [name for changes in watcher.told for name in changes.added]
    assert sorted(added) == ["b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "first"]


def test_every_watcher_is_told(root: Path, index: SkillIndex, watcher: Watcher) -> None:
    """Two of one index hear the same, in the same order."""
    other = Watcher(index)
    try:
        write(root, "b")
        assert (watcher.wait(1), other.wait(1)) == (["1 added: b"], ["1 added: b"])
    finally:
        other.end()


def test_an_end_takes_its_subscription_along(root: Path, index: SkillIndex) -> None:
    """A watcher that is over or was left leaves nothing behind in the index."""
    Watcher(index).end()
    assert not index._callbacks
    write(root, "b")
    assert str(next(watch(index, interval=0.01))) == "1 added: b"
    gc.collect()
    assert not index._callbacks


def test_stopped_before_it_began_it_tells_nothing(index: SkillIndex, root: Path) -> None:
    """No look, no change, no waiting."""
    stop = threading.Event()
    stop.set()
    write(root, "b")
    assert list(watch(index, stop=stop)) == []


@pytest.mark.parametrize("interval", [-1, math.nan, math.inf, 1e300])
def test_an_interval_that_cannot_be_waited_for_is_refused(index: SkillIndex, interval: float) -> None:
    """In words, and not by what the system's clock cannot hold."""
    with pytest.raises(ValueError, match="interval is a number of seconds from 0 to 86,400"):
        next(watch(index, interval=interval))


def test_a_folder_that_comes_later_is_seen(tmp_path: Path) -> None:
    """Nothing to watch is no reason not to look."""
    running = Watcher(SkillIndex.from_paths(tmp_path / "later"))
    try:
        write(tmp_path / "later", "b")
        assert running.wait(1) == ["1 added: b"]
    finally:
        running.end()


def test_sources_in_no_folder_are_looked_at_by_the_clock() -> None:
    """A watcher of skills in memory waits like any other, and ends."""
    running = Watcher(SkillIndex([MemorySource({})]))
    time.sleep(0.1)
    running.end()
    assert running.told == []


def test_where_the_system_cannot_tell_the_clock_does(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No watches left, or a folder that went: changes come at the next look all the same."""
    watchfiles = pytest.importorskip("watchfiles")

    def full(*_: object, **__: object) -> Iterator[object]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(watchfiles, "watch", full)
    write(root, "a")
    running = Watcher(SkillIndex.from_paths(root))
    try:
        write(root, "b")
        assert running.wait(1) == ["1 added: b"]
    finally:
        running.end()


def test_a_loop_is_told_and_goes_on(root: Path, index: SkillIndex) -> None:
    """The changes of an async watcher, while other tasks run; the event ends it."""

    async def main() -> list[str]:
        stop, told, ticks = asyncio.Event(), [], 0

        async def watching() -> None:
            async for changes in awatch(index, interval=0.05, stop=stop):
                told.append(str(changes))  # noqa: PERF401 - while it waits, others read the list

        task = asyncio.create_task(watching())
        write(root, "b")
        until = time.monotonic() + ENOUGH
        while not told and time.monotonic() < until:
            ticks += 1
            await asyncio.sleep(0.01)
        stop.set()
        await asyncio.wait_for(task, ENOUGH)
        assert ticks
        return told

    assert asyncio.run(main()) == ["1 added: b"]
    assert not index._callbacks


@pytest.mark.parametrize("how", ["cancelled", "left"])
def test_a_loop_may_end_the_watch_in_other_ways(root: Path, index: SkillIndex, how: str) -> None:
    """A cancelled task and a loop that was left end the thread too, at once and in silence."""

    async def main() -> None:
        async def watching() -> None:
            changes = awatch(index, interval=0.05 if how == "left" else 0.2)
            async for _ in changes:
                break
            await changes.aclose()

        task = asyncio.create_task(watching())
        await asyncio.sleep(0.1)
        if how == "cancelled":
            task.cancel()
        else:
            write(root, "b")
        done, _ = await asyncio.wait({task}, timeout=ENOUGH)
        assert done
        assert task.cancelled() is (how == "cancelled")

    asyncio.run(main())
    assert not index._callbacks


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_an_interrupt_ends_the_program(root: Path) -> None:
    """Ctrl-C is for the host: a watcher does not keep it to itself."""
    pytest.importorskip("watchfiles")
    write(root, "a")
    code = (
        "import sys; from skill_index import SkillIndex; from skill_index.watching import watch\n"
        "index = SkillIndex.from_paths(sys.argv[1])\n"
        "index.on_change(lambda _: print('watching', flush=True))\n"
        "for _ in watch(index, interval=60): pass\n"
    )
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", code, str(root)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert process.stdout is not None
            told = threading.Thread(target=process.stdout.readline)
            told.start()
            until = time.monotonic() + ENOUGH
            while told.is_alive() and time.monotonic() < until:
                write(root, "b", str(time.monotonic()))
                told.join(0.2)
            process.send_signal(signal.SIGINT)
            assert process.wait(ENOUGH) != 0
        finally:
            process.kill()
