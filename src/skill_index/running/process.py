"""
One process from start to end: its outputs read, its time kept, and all it started ended with it.

    start ─▶ read until it exits ──────────▶ wait for open outputs ─▶ KILL the group ─▶ reap
                    └─ time is up ─▶ TERM ──────┘ (at most the grace)

A script is the leader of a process group, so that one signal reaches all that stays in it.  One
loop reads both outputs without blocking and asks whether the leader is gone: the end of an output
is no sign of it, since a script can close its own, and a process it left can hold them open.  The
leader is reaped last; until then its number, which names the group, cannot pass to a stranger.

Rejected: `subprocess.run`, which waits for as long as anyone holds an output and buffers all of
it; threads, which stay behind where a read never returns.  What leaves the group with `setsid`
outlives the script here; only a sandbox with its own process numbers ends it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from skill_index.running.capture import Capture

_CHUNK = 1 << 16
_NAP = 0.001, 0.05  # the first and the longest wait between two looks at whether the leader is gone
_LAST_CHUNKS = 16  # what a pipe can hold; someone may go on writing for ever
_AFTER_KILL = 0.1  # the dead close their outputs at once, unless someone outside the group has them


@dataclass(frozen=True, slots=True)
class Command:
    """What to start: an argument list, never a text for a shell."""

    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    timeout: float
    grace: float
    output_bytes: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended; `held` says that a process outside its group still has its outputs."""

    code: int
    timed_out: bool
    held: bool
    seconds: float
    stdout: Capture
    stderr: Capture


def run_process(command: Command) -> Ending:
    """Run a command to its end; raises `OSError` or `ValueError` for one that cannot start."""
    began = time.monotonic()
    with selectors.DefaultSelector() as selector, _started(command) as popen:
        process = _Process(popen, selector, command.output_bytes)
        try:
            process.watch()
            timed_out = not process.read(process.exited, began + command.timeout)
            if timed_out:
                process.signal(signal.SIGTERM)
            process.read(process.is_over, time.monotonic() + command.grace)
        finally:  # whatever happened: an interrupted host must not leave a script running
            process.end()
        seconds = time.monotonic() - began
        return Ending(popen.returncode, timed_out, process.is_held(), seconds, process.stdout, process.stderr)


def _started(command: Command) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  (a program of the host's table, no shell)
        command.argv,
        bufsize=0,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=command.cwd,
        env=dict(command.environment),
        start_new_session=True,
    )


class _Process:
    """A leader that was started, its group, and what is read of its outputs."""

    def __init__(self, popen: subprocess.Popen[bytes], selector: selectors.BaseSelector, limit: int) -> None:
        self.popen, self.selector = popen, selector
        self.stdout, self.stderr = Capture(limit), Capture(limit)

    def watch(self) -> None:
        """Let both outputs be read as far as there is something."""
        for pipe, capture in ((self.popen.stdout, self.stdout), (self.popen.stderr, self.stderr)):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self.selector.register(pipe, selectors.EVENT_READ, capture)

    def read(self, until: Callable[[], bool], deadline: float) -> bool:
        """Take what is printed until something holds; return False where the deadline came first."""
        nap, longest = _NAP
        while not until():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            ready = self.selector.select(min(nap, left))
            nap = _NAP[0] if ready else min(2 * nap, longest)
            self.take(ready)
        return True

    def take(self, ready: list[tuple[selectors.SelectorKey, int]]) -> None:
        """Read once from each output that has something."""
        for key, _ in ready:
            data = os.read(key.fd, _CHUNK)
            if data:
                key.data.add(data)
            else:
                self.selector.unregister(key.fileobj)

    def exited(self) -> bool:
        """Return whether the leader is gone, and leave it unreaped where the system can."""
        if not hasattr(os, "waitid"):
            return self.popen.poll() is not None
        try:
            return os.waitid(os.P_PID, self.popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # the host reaps all its children itself
            return True

    def is_held(self) -> bool:
        """Return whether someone can still write to an output."""
        return bool(self.selector.get_map())

    def is_over(self) -> bool:
        """Return whether the leader is gone and nobody can write any more."""
        return self.exited() and not self.is_held()

    def signal(self, number: int) -> None:
        """Send a signal to the whole group, if there is one."""
        # PermissionError: all of the group are dead, or run as someone else.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, number)

    def end(self) -> None:
        """Kill what is left of the group, reap the leader, and take what was still printed."""
        self.signal(signal.SIGKILL)
        self.popen.wait()
        deadline = time.monotonic() + _AFTER_KILL
        for _ in range(_LAST_CHUNKS):
            left = deadline - time.monotonic()
            if left <= 0 or not self.is_held():
                break
            self.take(self.selector.select(left))
