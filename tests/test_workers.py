"""Work in other processes: the results of this one in their order, whatever becomes of a process."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skill_index import workers
from skill_index.workers import mapped

HOME = os.getpid()  # in a process that was started: its own


def whose(_: object) -> int:
    """Return the process that this runs in."""
    return os.getpid()


class Fragile:
    """Returns what it is given, but ends any process but the first when that is `at`."""

    def __init__(self, at: int) -> None:
        self.at, self.home = at, os.getpid()

    def __call__(self, item: int) -> int:
        """Return the item."""
        if item == self.at and os.getpid() != self.home:
            os._exit(1)
        return item


class Remembering:
    """Tells the number of calls of this object before, in a process."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, _: object) -> tuple[int, int]:
        """Return the process and the number."""
        self.calls += 1
        return os.getpid(), self.calls - 1


def threaded(item: int) -> object:
    """Return what no pickle can hold, where the item is 2."""
    return threading.Lock() if item == 2 else item


def failing(item: int) -> int:
    """Raise for 2."""
    if item == 2:
        message = "two"
        raise ValueError(message)
    return item


def test_other_processes_do_it_in_order() -> None:
    """None of it is done here, and results come in the order of the items."""
    assert list(mapped(abs, range(-20, 0), 2)) == list(range(20, 0, -1))
    assert HOME not in set(mapped(whose, range(4), 2))


@pytest.mark.parametrize("processes", [0, 1])
def test_one_process_is_this_one(processes: int) -> None:
    """Nothing is started for one, nor for one item, nor for none."""
    assert list(mapped(whose, range(3), processes)) == [HOME] * 3
    assert list(mapped(whose, range(1), 2)) == [HOME]
    assert list(mapped(whose, range(0), 2)) == []


def test_what_a_function_remembers_serves_the_next_item() -> None:
    """It is sent to a process once."""
    told = list(mapped(Remembering(), range(6), 2))
    by_process: dict[int, list[int]] = {}
    for process, calls in told:
        by_process.setdefault(process, []).append(calls)
    assert all(calls == list(range(len(calls))) for calls in by_process.values())
    assert sum(map(len, by_process.values())) == 6


@pytest.mark.parametrize("at", [0, 3, 7])
def test_a_process_that_ends_costs_nothing(at: int) -> None:
    """Its item is done here, and so are those that no process is left for."""
    assert list(mapped(Fragile(at), range(8), 2)) == list(range(8))


def test_what_cannot_be_sent_is_done_here() -> None:
    """A function, an item or a result that no pickle holds."""
    assert list(mapped(lambda item: item + 1, [1, 2, 3], 2)) == [2, 3, 4]
    locks = [threading.Lock(), threading.Lock()]
    assert list(mapped(whose, locks, 2)) == [HOME] * 2
    first, second, third = mapped(threaded, [1, 2, 3], 2)
    assert (first, type(second), third) == (1, type(threading.Lock()), 3)


def test_what_the_function_raises_is_raised() -> None:
    """As if it had run here all along, after the results before it."""
    results = mapped(failing, [1, 2, 3], 2)
    assert next(results) == 1
    with pytest.raises(ValueError, match="two"):
        next(results)


def test_results_need_not_all_be_taken() -> None:
    """Whoever stops early leaves no process behind: one that is not waited for warns, which fails."""
    results = mapped(whose, range(8), 2)
    process = next(results)
    results.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("executable", ["", None, "/usr/bin/uwsgi", "/nowhere/python3"])
def test_a_program_that_is_no_interpreter_is_not_started(
    executable: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that has Python inside would run itself once more; one that is not there cannot be started."""
    monkeypatch.setattr(sys, "executable", executable)
    assert list(mapped(whose, range(3), 2)) == [HOME] * 3


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    """The main script is nothing that a process needs."""
    script = tmp_path / "main.py"
    script.write_text(
        "from skill_index.workers import mapped\nprint('once')\nprint(*mapped(abs, [-1, -2, -3], 2))\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.split() == ["once", "1", "2", "3"]
    assert done.stderr == ""


@pytest.mark.parametrize(("there", "used"), [(1, 1), (2, 2), (64, workers.MOST)])
def test_a_large_machine_is_not_filled(there: int, used: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process takes memory, so there is a bound to them."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: there)
    assert workers.cores() == used


def test_items_are_made_while_others_are_worked_on(tmp_path: Path) -> None:
    """A process has done the first before the second is made."""
    paths = [tmp_path / "first", tmp_path / "second"]
    done: list[bool] = []

    def items() -> Iterator[Path]:
        yield paths[0]
        until = time.monotonic() + 60
        while not paths[0].exists() and time.monotonic() < until:
            time.sleep(0.01)
        done.append(paths[0].exists())
        yield paths[1]

    assert list(mapped(Path.touch, items(), 2)) == [None, None]
    assert done == [True]
    assert paths[1].exists()


def test_processes_keep_what_they_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are told so, beside all that this one was told; what the host says of it counts."""
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "77")
    monkeypatch.setenv("SKILL_INDEX_TEST", "here")
    monkeypatch.delenv("MALLOC_MMAP_THRESHOLD_", raising=False)
    asked = ["MALLOC_TRIM_THRESHOLD_", "SKILL_INDEX_TEST", "MALLOC_MMAP_THRESHOLD_"]
    assert list(mapped(os.getenv, asked, 2)) == ["77", "here", str(1 << 25)]
