"""
What is asked of a runner and what it answers: values, so that a host can log, compare and fake them.

A runner raises only for a script that could not start.  What a script does once it runs, be it
an exit code, a timeout or a flood of output, is an answer: a model reads it and tries again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from skill_index.errors import ScriptError


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """
    One run of one script.

    `script` is its '/'-name below the skill's `folder`, an absolute path on this machine.
    `timeout` is in seconds; None leaves it to the runner.
    """

    skill: str
    script: str
    folder: str
    args: tuple[str, ...] = ()
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class ScriptResult:
    """
    What a script did.

    `exit_code` is None for a script that a signal or the timeout ended.  `stdout_omitted` and
    `stderr_omitted` count the bytes cut out of the middle of a long output, where a line says so.
    `notes` say what else a reader should know, such as a timeout that was lowered.
    """

    exit_code: int | None
    timed_out: bool = False
    stdout: str = ""
    stderr: str = ""
    stdout_omitted: int = 0
    stderr_omitted: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


@runtime_checkable
class ScriptRunner(Protocol):
    """Whatever can run scripts: processes on this machine, a sandbox, a machine elsewhere, or a fake."""

    def supports(self, script: str) -> bool:
        """Return whether a script of this name can be run, without looking at the disk."""
        ...

    def run(self, call: ScriptCall) -> ScriptResult:
        """Run a script to its end; raise `ScriptError` for one that cannot be started."""
        ...


@dataclass(frozen=True, slots=True)
class FunctionsOnly:
    """A runner for hosts whose only scripts are functions of skills made in code: it runs no file."""

    def supports(self, script: str) -> bool:  # noqa: ARG002  (no file, whatever its name)
        """Return that no file can be run."""
        return False

    def run(self, call: ScriptCall) -> ScriptResult:
        """Refuse to run a file."""
        raise ScriptError(call.skill, call.script, "this host runs no files", "go on without it")
