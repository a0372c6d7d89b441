"""A process from start to end: time, groups, outputs, and nothing left behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from skill_index.running import ScriptCall, SubprocessRunner

Maker = Callable[..., ScriptCall]

RUNNER = SubprocessRunner(grace=0.3)
WAITING = SubprocessRunner(grace=4.0)
PATIENT = 5.0  # far below the 9 s or more that any process left alone would take

BACKGROUND = [
    "(sleep 60) &\necho out; exit 0",
    "(sleep 60) >/dev/null 2>&1 &\necho out; exit 0",
    "setsid sleep 9 &\necho out; exit 0",
    "trap '' TERM; (trap '' TERM; sleep 60) &\necho out; exit 0",
    "(while :; do echo out; sleep 0.01; done) &\necho out; exit 0",
    "setsid sh -c 'yes out & sleep 3; kill $!' &\necho out; exit 0",
]

LASTING = [
    "echo out; sleep 60",
    "echo out; setsid sleep 9 & sleep 60",
    "trap '' TERM; echo out; sleep 60; sleep 60",
    "echo out; exec >&- 2>&-; sleep 60",
    "echo out; yes out",
    "echo out; (trap '' TERM; sleep 60) & sleep 60",
    "echo out; kill -STOP $$",
    "trap 'echo out; exit 0' TERM; sleep 60 & wait",
]


@pytest.mark.parametrize("content", BACKGROUND)
def test_what_is_left_in_the_background_is_not_waited_for(make: Maker, content: str) -> None:
    """The exit code is the script's own, its output is kept, and others have the grace at most."""
    began = time.monotonic()
    result = RUNNER.run(make(content))
    assert time.monotonic() - began < PATIENT
    assert (result.exit_code, result.timed_out, result.stdout.split()[0]) == (0, False, "out")


@pytest.mark.parametrize("content", LASTING)
def test_the_timeout_holds(make: Maker, content: str) -> None:
    """Whatever a script does with its outputs, signals and children, it ends, and what it said is kept."""
    began = time.monotonic()
    result = RUNNER.run(make(content, timeout=0.8))
    assert 0.8 <= result.seconds <= time.monotonic() - began < PATIENT
    assert (result.exit_code, result.timed_out, result.stdout.split()[0]) == (None, True, "out")


GROUPS = [
    "sleep 300 & echo $! > child.pid; sleep 300",
    "sleep 300 & echo $! > child.pid; exit 0",
    "sleep 300 >/dev/null 2>&1 & echo $! > child.pid; exit 0",
    "(trap '' TERM; sleep 300; sleep 300) & echo $! > child.pid; sleep 300",
    "sleep 300 & echo $! > child.pid; kill -KILL $$",
]


@pytest.mark.parametrize("content", GROUPS)
def test_the_whole_group_ends(make: Maker, is_gone: Callable[[int], bool], content: str) -> None:
    """A child in the script's group is ended with it, however the script ended."""
    call = make(content, timeout=0.8)
    RUNNER.run(call)
    assert is_gone(int(Path(call.folder, "child.pid").read_text("utf-8")))


def test_a_pipeline_that_ends_after_the_script_is_heard(make: Maker) -> None:
    """What a helper still writes when the script is gone belongs to its output."""
    result = WAITING.run(make("exec > >(sleep 0.1; cat; echo end)\necho out", name="run.bash"))
    assert result.stdout == "out\nend\n"


def test_a_held_output_is_told(make: Maker) -> None:
    """A process outside the group lives on, and the result says so; one that ended with it is none."""
    content = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(2)\n"
    assert RUNNER.run(make(content, name="run.py")).notes == (
        "a process it left behind still holds its output and was not waited for",
    )
    assert WAITING.run(make("sleep 0.05 & exit 0")).notes == ()
    assert RUNNER.run(make("sleep 60 & exit 0")).notes == ()


@pytest.mark.parametrize(("number", "name"), [("KILL", "SIGKILL"), ("SEGV", "SIGSEGV"), ("40", "40")])
def test_a_signal_is_no_exit_code(make: Maker, number: str, name: str) -> None:
    """A script that a signal ends has no exit code, and did not time out; the signal is named."""
    result = RUNNER.run(make(f"echo out; kill -{number} $$", name="run.bash"))
    assert (result.exit_code, result.timed_out, result.stdout) == (None, False, "out\n")
    assert result.notes == (f"it was ended by the signal {name}",)


@pytest.mark.parametrize("code", [0, 1, 2, 77, 126, 127, 255])
def test_exit_codes_are_answers(make: Maker, code: int) -> None:
    """No exit code is an error of the runner, and the two outputs stay apart."""
    result = RUNNER.run(make(f"echo out; echo err >&2; exit {code}"))
    assert (result.exit_code, result.stdout, result.stderr) == (code, "out\n", "err\n")
    assert (result.timed_out, result.notes) == (False, ())


def test_input_is_empty(make: Maker) -> None:
    """A script that asks gets the end of its input, and takes nothing of what the host has to read."""
    call = make("import sys\nprint(repr(sys.stdin.read()))", name="run.py")
    reading, writing = os.pipe()
    kept = os.dup(0)
    os.write(writing, b"typed")
    os.close(writing)
    os.dup2(reading, 0)
    try:
        assert RUNNER.run(call).stdout == "''\n"
        assert os.read(0, 9) == b"typed"
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(reading)


def test_a_flood_stays_small(make: Maker) -> None:
    """A GiB on one output and some on the other: memory stays flat, head and tail are kept."""
    call = make("echo begin; (head -c 33554432 /dev/zero >&2) & head -c 1073741824 /dev/zero; wait; echo end")
    tracemalloc.start()
    try:
        result = SubprocessRunner(output_bytes=1_000, max_timeout=300).run(call)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.exit_code == 0
    assert peak < 4 << 20
    assert result.stdout.startswith("begin\n\0")
    assert result.stdout.endswith("\0end\n")
    assert result.stdout_omitted == (1 << 30) + len("begin\nend\n") - 1_000
    assert result.stderr_omitted == (32 << 20) - 1_000


def test_output_need_not_be_text(make: Maker) -> None:
    """Bytes that are no UTF-8 are replaced, one by one."""
    assert RUNNER.run(make(r"printf 'a\377\303\303\251'")).stdout == "a\ufffd\ufffdé"


def test_python_is_heard_before_a_timeout(make: Maker) -> None:
    """Python would hold back what it prints into a pipe."""
    call = make("import time\nprint('out')\ntime.sleep(60)", name="run.py", timeout=2.0)
    assert RUNNER.run(call).stdout == "out\n"


def descriptors() -> list[str]:
    """Return what this process has open."""
    return sorted(path.name for path in Path("/dev/fd").iterdir())


def has_unreaped_child() -> bool:
    """Return whether a child of this process has ended and was not waited for."""
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # it has no child at all
        return False


def test_nothing_is_left_after_many_runs(make: Maker) -> None:
    """No descriptor stays open, no child unreaped and no thread running, whatever the runs did."""
    calls = [
        make("echo out", name="a.sh"),
        make("(sleep 60) & exit 3", name="b.sh"),
        make("sleep 60", name="c.sh", timeout=0.01),
        make("kill -KILL $$", name="d.sh"),
    ]
    runner = SubprocessRunner(grace=0.01)
    before = descriptors(), threading.active_count()
    for number in range(52):
        runner.run(calls[number % len(calls)])
    assert (descriptors(), threading.active_count()) == before
    assert not has_unreaped_child()


def test_an_interrupt_ends_the_group(make: Maker, is_gone: Callable[[int], bool]) -> None:
    """A host that is interrupted leaves no script running."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    call = make("sleep 300 & echo $$ $! > pids; sleep 300")
    before = descriptors()
    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.8)
    try:
        with pytest.raises(KeyboardInterrupt):
            RUNNER.run(call)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert all(is_gone(int(pid)) for pid in Path(call.folder, "pids").read_text("utf-8").split())
    assert descriptors() == before


def test_without_waitid_it_is_the_same(
    make: Maker, is_gone: Callable[[int], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that cannot look at a dead child without reaping it still gets its group ended."""
    monkeypatch.delattr(os, "waitid")
    call = make("sleep 300 & echo $! > child.pid; exit 7")
    assert RUNNER.run(call).exit_code == 7
    assert is_gone(int(Path(call.folder, "child.pid").read_text("utf-8")))


def test_a_child_is_told_apart_from_those_of_the_host(make: Maker) -> None:
    """The host's own children are left for it to reap."""
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", "raise SystemExit(9)"], os.environ)
    RUNNER.run(make("sleep 0.1"))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
