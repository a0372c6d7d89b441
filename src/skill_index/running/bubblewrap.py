"""
Scripts run inside a bubblewrap sandbox: they see the system's programs, their skill, and little else.

    read-only   the system's programs and libraries, the interpreter, the skill's folder
    writable    a private /tmp, the private work folder, and what the host names
    absent      the network, other processes, other files: homes, keys, /etc/passwd

Folders are laid one over the other from the outermost in, so that the rule of the nearest holds:
a skill inside a writable project stays read-only.  All processes share a number space of their
own, which the kernel ends as one; here `setsid` saves none.

Chosen over containers, which need a service and images, and over seccomp filters, which are
written per program.  The kernel itself is still shared with the script.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from skill_index.errors import ScriptError
from skill_index.running.calls import ScriptCall, ScriptResult
from skill_index.running.execution import Place, execute
from skill_index.running.options import ProcessOptions
from skill_index.running.process import Command

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types")
_NETWORK = ("resolv.conf", "hosts", "nsswitch.conf", "ssl", "pki", "ca-certificates")
_ISOLATED = ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
_BASE = {"/tmp": ("--tmpfs", "/tmp"), "/proc": ("--proc", "/proc"), "/dev": ("--dev", "/dev")}  # noqa: S108
_PROBE_SECONDS = 10

_FAILED = "bwrap: "


@dataclass(frozen=True, slots=True, kw_only=True)
class BubblewrapRunner(ProcessOptions):
    """
    Runs scripts in a sandbox made by the program `bwrap`.

    `writable` names folders of the host that scripts may change; a `cwd` that is a folder of the
    host is seen too, read-only unless it is among them.  What a script leaves anywhere else is gone
    when it ends.  A script that a signal ends has the exit code 128 and the signal's number.
    """

    network: bool = False
    """Whether scripts reach the network, and with it the services of this machine."""

    writable: Sequence[str] = ()
    """Absolute folders, seen under their own names."""

    def __post_init__(self) -> None:
        ProcessOptions.__post_init__(self)
        relative = [path for path in self.writable if not os.path.isabs(path)]  # noqa: PTH117
        if isinstance(self.writable, str) or relative:
            message = f"writable is a list of absolute folders, not {self.writable!r}"
            raise ValueError(message)
        object.__setattr__(self, "writable", tuple(self.writable))

    @staticmethod
    def available() -> bool:
        """
        Return whether a sandbox can be made here, by making one.

        The program may be installed where namespaces are forbidden.  Asked once per process.
        """
        return _is_available()

    def run(self, call: ScriptCall) -> ScriptResult:
        """Run a script to its end; `ScriptError` says why it could not be started."""
        result = execute(self, call, self._confined)
        # bwrap says so itself; a script that imitates it only hides its own output.
        if result.exit_code == 1 and not result.stdout and result.stderr.startswith(_FAILED):
            reason = f"no sandbox could be made for it: {result.stderr.removeprefix(_FAILED)}"
            raise ScriptError(call.skill, call.script, reason)
        return result

    def _confined(self, command: Command, place: Place) -> Command:
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise OSError(None, "its sandbox needs 'bwrap'; install bubblewrap")
        mounts = self._mounts(command.argv[0], place)
        ordered = [word for path in sorted(mounts, key=lambda path: path.split("/")) for word in mounts[path]]
        network = ["--share-net"] if self.network else []
        own = (bwrap, *_ISOLATED, *network, *ordered, "--chdir", place.cwd, "--", *command.argv)
        home = {"HOME": place.work or "/tmp", "TMPDIR": "/tmp"}  # noqa: S108  (private in the sandbox)
        return replace(command, argv=own, cwd="/", environment={**command.environment, **home})

    def _mounts(self, program: str, place: Place) -> dict[str, tuple[str, ...]]:
        """Return bwrap's words for each path that a script can see; later ones replace earlier ones."""
        mounts = _system(network=self.network) | {path: _read_only(path) for path in _interpreter(program)}
        mounts |= {path: _read_only(path) for path in (place.cwd, place.folder)}
        writable = [os.path.realpath(path) for path in (*self.writable, place.work) if path]
        return mounts | {path: ("--bind", path, path) for path in writable}


def _system(*, network: bool) -> dict[str, tuple[str, ...]]:
    settings = [f"/etc/{name}" for name in (*_SETTINGS, *(_NETWORK if network else ()))]
    return _BASE | {path: ("--ro-bind-try", path, path) for path in (*_SYSTEM, *settings)}


def _read_only(path: str) -> tuple[str, ...]:
    return ("--ro-bind", path, path)


def _interpreter(program: str) -> Iterator[str]:
    """Yield what an interpreter outside the system's folders needs: its installation, at least itself."""
    real = os.path.realpath(program)
    # Both ends of a link: a virtual environment's Python leads to that of the system.
    folders = [os.path.dirname(path) for path in (program, real)]  # noqa: PTH120
    prefixes = [os.path.dirname(folder) for folder in folders if os.path.basename(folder) == "bin"]  # noqa: PTH119, PTH120
    if program == sys.executable:
        prefixes += [sys.prefix, sys.base_prefix]
    shown = [path for path in prefixes if not _is_below(path, _SYSTEM) and not _is_private(path)]
    yield from shown
    yield from (path for path in (program, real) if not _is_below(path, (*_SYSTEM, *shown)))


def _is_private(path: str) -> bool:
    """Return whether a folder holds a home, or is where a home keeps its secrets."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    return os.path.realpath(path) == f"{home}/.local" or _is_below(home, (os.path.realpath(path),))


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(os.path.commonpath((path, folder)) == folder for folder in folders)


@functools.cache
def _is_available() -> bool:
    bwrap, true = shutil.which("bwrap"), shutil.which("true")
    if bwrap is None or true is None:
        return False
    mounts = (word for words in _system(network=False).values() for word in words)
    try:
        argv = [bwrap, *_ISOLATED, *mounts, "--", true]
        done = subprocess.run(argv, capture_output=True, timeout=_PROBE_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
