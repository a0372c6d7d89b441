"""
How much memory this process and those that it started hold together, at most.

Linux keeps the most that one process ever held, but not the most that several held at once, and to add up
the most of each would count helpers that never met.  So they are looked at in turn, many times a second:
a peak between two looks is missed.  Pages that processes share are counted for each.
"""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType

EVERY = 0.05
"""Seconds between two looks."""


def memory_mb(what: str, process: str = "self") -> float:
    """Return what Linux says a process holds now ("VmRSS") or held at most ("VmHWM"); 0 elsewhere."""
    try:
        lines = Path("/proc", process, "status").read_text("ascii", "replace").splitlines()
    except OSError:  # another system, or a process that ended meanwhile
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(what)), 0.0)


def helpers() -> list[str]:
    """Return the numbers of the processes that this one started and that still run."""
    found: list[str] = []
    for children in Path("/proc/self/task").glob("*/children"):
        try:
            found += children.read_text("ascii").split()
        except OSError:  # the thread ended meanwhile
            continue
    return found


class Peak:
    """
    Looks while its block runs; `mb` is the most that was held at once, helpers included.

    It is never less than the most that Linux knows of this process alone.
    """

    def __init__(self) -> None:
        self.mb = 0.0
        self._done = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Peak:
        self._looking.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._looking.join()
        self.mb = max(self.mb, memory_mb("VmHWM"))

    def _look(self) -> None:
        while not self._done.wait(EVERY):
            if there := helpers():
                held = memory_mb("VmRSS") + sum(memory_mb("VmRSS", helper) for helper in there)
                self.mb = max(self.mb, held)
