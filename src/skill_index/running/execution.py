"""
From a call to its result: check the call, choose the program, make its place, run, tell.

Everything that can be refused is refused before a process starts.  The script is named by the
path it really has below the skill's real folder, so what was checked is what is run.  `wrap`
lets a sandbox put itself around the command; it is the only difference between the runners.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skill_index.errors import ScriptError
from skill_index.resources import leads_out
from skill_index.running.calls import ScriptCall, ScriptResult
from skill_index.running.interpreters import UnknownInterpreterError, command_for
from skill_index.running.options import ProcessOptions
from skill_index.running.process import Command, Ending, run_process

POSIX = os.name == "posix"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a script runs: the skill's real folder, the folder it starts in, and a private one or ""."""

    folder: str
    cwd: str
    work: str


Wrap = Callable[[Command, Place], Command]
"""What a sandbox does with a command; raises `OSError` where it cannot be used."""


def execute(options: ProcessOptions, call: ScriptCall, wrap: Wrap) -> ScriptResult:
    """Run the script of a call; raise `ScriptError` where it cannot be started."""
    if not POSIX:
        raise _refused(call, "it needs a POSIX system", "give a runner for this system")
    folder, path = _script_path(call)
    arguments = _checked_arguments(call)
    timeout, notes = _timeout(options, call)
    environment = _environment(options, call, folder)
    try:
        search = environment.get("PATH", os.defpath)
        program = command_for(call.script, path, options.interpreters, search)
        with _place(options, folder) as place:
            argv = (*program, path, *arguments)
            command = Command(argv, place.cwd, environment, timeout, options.grace, options.output_bytes)
            return _result(run_process(wrap(command, place)), notes)
    except UnknownInterpreterError as error:
        raise _refused(call, str(error)) from None
    except OSError as error:
        where = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, (str, bytes)) else ""
        raise _refused(call, f"{error.strerror or error}{where}") from error
    except ValueError as error:  # half a surrogate pair in an argument, '=' in a variable's name
        raise _refused(call, f"its arguments or variables cannot be passed on: {error}") from error


def _refused(call: ScriptCall, reason: str, hint: str = "") -> ScriptError:
    return ScriptError(call.skill, call.script, reason, hint)


def _script_path(call: ScriptCall) -> tuple[str, str]:
    """Return the real folder of the skill and the real path of the script, which lies below it."""
    if not os.path.isabs(call.folder):  # noqa: PTH117
        raise _refused(call, "the skill is in no folder on this machine")
    if leads_out(call.script):
        raise _refused(call, "its name leads out of the skill's folder")
    try:
        folder = os.path.realpath(call.folder, strict=True)
        path = os.path.realpath(f"{folder}/{call.script}", strict=True)
        if os.path.commonpath((folder, path)) != folder:
            raise _refused(call, "it is a link that leaves the skill's folder")
        if not stat.S_ISREG(os.stat(path).st_mode):  # noqa: PTH116
            raise _refused(call, "it is not a file")
    except FileNotFoundError:
        raise _refused(call, "there is no such file in the skill's folder") from None
    except (OSError, ValueError) as error:
        raise _refused(call, f"it cannot be found: {error}") from error
    return folder, path


def _checked_arguments(call: ScriptCall) -> tuple[str, ...]:
    arguments: tuple[object, ...] = call.args  # a model chose them, whatever the types say
    for number, argument in enumerate(arguments, 1):
        if not isinstance(argument, str) or "\0" in argument:
            raise _refused(call, f"argument {number} is no text, or holds a NUL, which ends an argument")
    return tuple(call.args)


def _timeout(options: ProcessOptions, call: ScriptCall) -> tuple[float, tuple[str, ...]]:
    asked: object = call.timeout
    most = options.max_timeout
    if asked is None:
        return min(options.timeout, most), ()
    if isinstance(asked, bool) or not isinstance(asked, (int, float)) or not asked > 0:  # NaN is not
        raise _refused(call, f"the timeout is a number of seconds above 0, not {asked!r}")
    if asked > most:
        return most, (f"the timeout was lowered to {most:g} s, the most that is given",)
    return asked, ()


def _environment(options: ProcessOptions, call: ScriptCall, folder: str) -> dict[str, str]:
    """Return the whole environment of a script; the host's own is only read."""
    passed = {name: os.environ[name] for name in options.environment if name in os.environ}
    # Python holds back what it prints into a pipe, and a timeout would lose it.
    ours = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
    return passed | ours | dict(options.extra_environment) | {"SKILL_DIR": folder, "SKILL_NAME": call.skill}


@contextlib.contextmanager
def _place(options: ProcessOptions, folder: str) -> Iterator[Place]:
    if options.cwd != "work":
        yield Place(folder, folder if options.cwd == "skill" else os.path.realpath(options.cwd), "")
        return
    work = os.path.realpath(tempfile.mkdtemp(prefix="skill-work-"))
    try:
        yield Place(folder, work, work)
    finally:
        _remove(work)


def _remove(folder: str) -> None:
    """
    Remove a folder with all that a script left there.

    Not `TemporaryDirectory`, which on older Pythons changes the mode of what a link points to.
    """
    for place, names, _ in os.walk(folder):
        for path in (f"{place}/{name}" for name in names):
            if not os.path.islink(path):  # noqa: PTH114
                with contextlib.suppress(OSError):
                    os.chmod(path, stat.S_IRWXU)  # noqa: PTH101  (a folder may be read-only)
    shutil.rmtree(folder, ignore_errors=True)


def _result(ending: Ending, notes: tuple[str, ...]) -> ScriptResult:
    stdout, stderr = ending.stdout.output(), ending.stderr.output()
    by_signal = ending.code < 0
    if by_signal and not ending.timed_out:
        notes += (f"it was ended by the signal {_signal_name(-ending.code)}",)
    if ending.held:
        notes += ("a process it left behind still holds its output and was not waited for",)
    if stdout.replaced or stderr.replaced:
        notes += ("some of what it printed is no UTF-8 text, and shown as \ufffd",)
    return ScriptResult(
        exit_code=None if by_signal or ending.timed_out else ending.code,
        timed_out=ending.timed_out,
        stdout=stdout.text,
        stderr=stderr.text,
        stdout_omitted=stdout.omitted,
        stderr_omitted=stderr.omitted,
        seconds=ending.seconds,
        notes=notes,
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return str(number)
