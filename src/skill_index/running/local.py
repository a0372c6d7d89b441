"""Scripts run as they are: with the rights of the host, bounded in time and output, but not confined."""

from __future__ import annotations

from dataclasses import dataclass

from skill_index.running.calls import ScriptCall, ScriptResult
from skill_index.running.execution import Place, execute
from skill_index.running.options import ProcessOptions
from skill_index.running.process import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class SubprocessRunner(ProcessOptions):
    """
    Runs scripts as processes of this machine.

    A script can do whatever the host can: give this runner only skills that are trusted so far.
    It sees few of the host's variables, has no input, and ends with its timeout; `SKILL_DIR` and
    `SKILL_NAME` say which skill it belongs to.

    >>> SubprocessRunner().supports("scripts/fill.py"), SubprocessRunner().supports("assets/a.png")
    (True, False)
    """

    def run(self, call: ScriptCall) -> ScriptResult:
        """Run a script to its end; `ScriptError` says why it could not be started."""
        return execute(self, call, _as_it_is)


def _as_it_is(command: Command, place: Place) -> Command:  # noqa: ARG001  (the other runner needs the place)
    return command
