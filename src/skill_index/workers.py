"""
Run one function over many items on all cores: other processes do it, and this one if they cannot.

    item ─pickle─▶ stdin of a process ─function─▶ stdout ─pickle─▶ result, in the order of the items

The processes are plain interpreters that import this library and nothing of the program around it.
Rejected: `multiprocessing`, whose fresh processes run the main script once more (a script without
a guard would do everything twice) and whose forked ones inherit locks that a thread of the host
may hold.

Whatever goes wrong with a process is no error: the item is done here instead, with the same result.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from operator import length_hint
from typing import IO, Any, TypeVar, cast

T = TypeVar("T")
R = TypeVar("R")

_START = "import sys; sys.path[:] = sys.argv[1:]; from skill_index.workers import serve; serve()"

_KEEPING = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}
"""Tells glibc to keep what is freed: to get it anew for each item took a process a sixteenth of its time."""

MOST = 4
"""Processes at most: each holds words of its own, and what is done here meanwhile does not get faster."""


def cores() -> int:
    """Return how many processes are worth starting: one for each core this one may use, up to `MOST`."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(own, MOST)


def mapped(function: Callable[[T], R], items: Iterable[T], processes: int) -> Iterator[R]:
    """
    Yield what `function` returns for each item, in order; with less than two `processes`, in this one.

    The processes are started first and take the first items while later ones are still made; all are made
    before the first result is given.

    `function` is sent to a process once, so what it remembers of one item serves the next; items
    and results must be picklable.  It runs again here where a process fails, so it must do nothing
    but return.
    """
    workers = _started(function, min(processes, length_hint(items, processes)))
    if not workers:
        yield from map(function, items)
        return
    with ExitStack() as stack:
        idle = list(workers)
        threads = stack.enter_context(ThreadPoolExecutor(len(workers)))
        for worker in workers:
            stack.callback(worker.stop)  # before the threads are waited for: they wait for the processes
        stack.callback(threads.shutdown, wait=False, cancel_futures=True)
        asked = deque((item, threads.submit(_asked, idle, item)) for item in items)
        while asked:
            yield _result(function, *asked.popleft())  # a result that was used is not kept


def serve() -> None:
    """Answer the process that started this one until it closes the pipe."""
    import gc

    gc.disable()  # what is made here is kept or freed at once, and looking for cycles in it takes long
    given, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what the function prints must not get among the answers
    function = pickle.load(given)  # noqa: S301  (from the process that started this one)
    while True:
        try:
            item = pickle.load(given)  # noqa: S301
        except EOFError:
            return
        _send(function(item), answers)


class _Worker:
    """One process, which is told the function before its first item."""

    def __init__(self, function: object) -> None:
        self._function: object = function
        self._process = subprocess.Popen(  # noqa: S603  (this interpreter)
            [sys.executable, "-c", _START, *filter(_is_text, sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**_KEEPING, **os.environ},
        )
        self._pipes = cast("tuple[IO[bytes], IO[bytes]]", (self._process.stdin, self._process.stdout))

    def ask(self, item: object) -> Any:
        """Return the answer for an item; raises whatever goes wrong."""
        given, answers = self._pipes
        if self._function is not None:
            _send(self._function, given)
            self._function = None
        _send(item, given)
        return pickle.load(answers)  # noqa: S301  (from a process that this one started)

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        # What it was not told any more is still in the buffer.
        with suppress(OSError), self._process:
            pass


def _started(function: object, number: int) -> list[_Worker]:
    """Return processes that wait for items, none where that would be one or cannot be done."""
    if number < 2 or not _is_python(sys.executable):
        return []
    workers: list[_Worker] = []
    try:
        for _ in range(number):
            workers.append(_Worker(function))  # noqa: PERF401  (those before a failure are kept)
    except OSError:
        pass  # no right to start one, or no room: those that run are enough
    return workers


def _is_python(executable: str | None) -> bool:
    """Return whether a file is an interpreter, and not a program that has one inside."""
    name = os.path.basename(executable or "").lower()  # noqa: PTH119  (a text that may be empty)
    return name.startswith(("python", "pypy")) and not getattr(sys, "frozen", False)


def _is_text(entry: object) -> bool:
    return isinstance(entry, str)


def _send(value: object, stream: IO[bytes]) -> None:
    pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()


def _asked(idle: list[_Worker], item: object) -> Any:
    worker = idle.pop()  # there are as many as there are threads
    result = worker.ask(item)
    idle.append(worker)  # not after an error: what it would answer next is not known
    return result


def _result(function: Callable[[T], R], item: T, future: Future[R]) -> R:
    try:
        return future.result()
    except Exception:  # noqa: BLE001  (a process that ended, a value that cannot be pickled: done here instead)
        return function(item)
