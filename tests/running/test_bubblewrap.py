"""The sandbox, tried for real where one can be made."""

from __future__ import annotations

import dataclasses
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_index.errors import ScriptError
from skill_index.running import BubblewrapRunner, ScriptCall, ScriptRunner, bubblewrap

Maker = Callable[..., ScriptCall]

needs_sandbox = pytest.mark.skipif(
    not BubblewrapRunner.available(),
    reason="no sandbox can be made here: bwrap is not installed, or namespaces are forbidden",
)
RUNNER = BubblewrapRunner(grace=0.3)
WORKING = BubblewrapRunner(grace=0.3, cwd="work")

CONNECT = """
import socket, sys
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5).close()
    print("reached")
except OSError as error:
    print("failed")
"""


@needs_sandbox
def test_scripts_run_as_they_do_outside(make: Maker) -> None:
    """Folder, arguments, outputs, exit code and input are those of any runner."""
    call = make(
        'pwd; cat scripts/run.sh | wc -l; printf "%s\\n" "$@"; cat; echo err >&2; exit 3', "a b", "*", ""
    )
    result = RUNNER.run(call)
    assert result.stdout == f"{call.folder}\n0\na b\n*\n\n"
    assert (result.exit_code, result.stderr, result.timed_out, result.notes) == (3, "err\n", False, ())


@needs_sandbox
def test_python_has_its_packages(make: Maker) -> None:
    """The interpreter of the host works, with what is installed beside it."""
    call = make("import sys, json, yaml\nprint(sys.prefix, sys.executable)", name="run.py")
    result = RUNNER.run(call)
    assert (result.stdout, result.stderr) == (f"{sys.prefix} {sys.executable}\n", "")


@needs_sandbox
@pytest.mark.parametrize("network", [False, True])
def test_the_network_is_there_only_if_the_host_says(make: Maker, network: bool) -> None:
    """A script cannot reach a service that listens on this very machine, unless it may."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        call = make(CONNECT, str(server.getsockname()[1]), name="run.py")
        result = dataclasses.replace(RUNNER, network=network).run(call)
    assert result.stdout == ("reached\n" if network else "failed\n")


@needs_sandbox
def test_a_skill_is_read_only(make: Maker, tmp_path: Path) -> None:
    """Neither changed, added to, removed from nor mounted anew; also inside a folder that is writable."""
    content = "\n".join(
        [
            "echo x >> scripts/run.sh",
            "touch new",
            "rm -f scripts/run.sh",
            "mv scripts moved",
            "chmod 777 scripts/run.sh",
            "mount -o remount,rw,bind . .",
            "umount .",
            "unshare -rm true && unshare -rm mount -o remount,rw,bind . . && touch new",
            "echo done",
        ]
    )
    call = make(content)
    for runner in (RUNNER, WORKING, dataclasses.replace(RUNNER, writable=(str(tmp_path),))):
        assert runner.run(call).stdout == "done\n"
        assert sorted(path.name for path in Path(call.folder).rglob("*")) == ["run.sh", "scripts"]
        assert Path(call.folder, call.script).read_text("utf-8") == content


@needs_sandbox
def test_other_files_are_not_there(make: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beside the skill, a home, the users of the machine: none is seen, also by another way."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "key").write_text("secret", "utf-8")
    (tmp_path / "beside").write_text("secret", "utf-8")
    real_home = str(Path.home())
    monkeypatch.setenv("HOME", str(home))
    paths = ["../beside", str(tmp_path / "beside"), str(home / "key"), "/etc/passwd", "/etc/shadow"]
    paths += [f"/proc/{os.getpid()}/environ", f"/proc/1/root{tmp_path}/beside", f"{real_home}/.profile"]
    call = make(
        'for path in "$@"; do cat "$path" && echo "seen $path"; done; cat "$HOME/key"; echo done', *paths
    )
    Path(call.folder, "link").symlink_to(tmp_path / "beside")
    for runner in (RUNNER, WORKING):
        assert runner.run(dataclasses.replace(call, args=(*paths, "link"))).stdout == "done\n"


@needs_sandbox
def test_places_to_write_are_private(make: Maker, tmp_path: Path) -> None:
    """The work folder, the home and /tmp can be written, and none of it stays."""
    content = 'touch a "$HOME/b" "$TMPDIR/skill-index-c" && ls && pwd'
    *files, work = WORKING.run(make(content)).stdout.split()
    assert files == ["a", "b"]
    assert not Path(work).exists()
    assert not Path("/tmp/skill-index-c").exists()  # noqa: S108
    assert RUNNER.run(make('touch "$HOME/b" && ls -A "$HOME"')).stdout.split() >= ["b"]


@needs_sandbox
def test_the_host_says_what_else_is_writable(make: Maker, tmp_path: Path) -> None:
    """A folder of the host is seen as the place to start, and changed only where that is said."""
    project = tmp_path / "project"
    project.mkdir()
    call = make("touch result && echo written; pwd")
    starting = BubblewrapRunner(cwd=str(project))
    assert starting.run(call).stdout == f"{project}\n"
    assert list(project.iterdir()) == []
    assert dataclasses.replace(starting, writable=[str(project)]).run(call).stdout == f"written\n{project}\n"
    assert [path.name for path in project.iterdir()] == ["result"]


@needs_sandbox
def test_the_environment_is_a_list_of_names(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the host does not reach a script, nor does its home."""
    monkeypatch.setenv("API_TOKEN", "secret")
    call = make("env")
    seen = dict(line.split("=", 1) for line in WORKING.run(call).stdout.splitlines())
    assert "API_TOKEN" not in seen
    assert (seen["SKILL_DIR"], seen["SKILL_NAME"], seen["TMPDIR"]) == (call.folder, "demo", "/tmp")  # noqa: S108
    assert seen["HOME"] == seen["PWD"]


def processes_named(word: str) -> list[str]:
    """Return the processes of this machine whose command has a word."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)  # noqa: S607
    return [line for line in listed.stdout.splitlines() if word in line.split()]


@needs_sandbox
@pytest.mark.parametrize("end", ["sleep 300", "exit 0"])
def test_nothing_outlives_the_sandbox(make: Maker, end: str) -> None:
    """A child that leaves the group ends with the script, and its output is not waited for."""
    seconds = f"300.{os.getpid()}{len(end)}"
    began = time.monotonic()
    result = RUNNER.run(make(f"setsid sleep {seconds} & echo out; sleep 0.1; {end}", timeout=1.0))
    assert (result.stdout, result.timed_out) == ("out\n", end != "exit 0")
    assert time.monotonic() - began < 4
    deadline = time.monotonic() + 10
    while processes_named(seconds) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_named(seconds) == []


@needs_sandbox
def test_a_script_sees_no_other_process(make: Maker) -> None:
    """The numbers inside are its own."""
    count = int(RUNNER.run(make("ls -d /proc/[0-9]* | wc -l")).stdout)
    assert 1 <= count <= 6


@needs_sandbox
def test_a_sandbox_that_cannot_be_made_is_an_error(make: Maker, tmp_path: Path) -> None:
    """What bwrap itself refuses is not taken for an answer of the script."""
    runner = BubblewrapRunner(writable=(str(tmp_path / "gone"),))
    with pytest.raises(ScriptError, match=r"no sandbox could be made for it: .*/gone"):
        runner.run(make("touch ran"))
    result = RUNNER.run(make("echo 'bwrap: x' >&2; echo out; exit 1"))
    assert (result.exit_code, result.stderr) == (1, "bwrap: x\n")


def test_without_bwrap_nothing_runs(make: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script is not run unconfined because its sandbox is missing."""
    for name in ("bash", "true"):
        (tmp_path / name).symlink_to(f"/bin/{name}")
    monkeypatch.setenv("PATH", str(tmp_path))
    bubblewrap._is_available.cache_clear()
    try:
        assert not BubblewrapRunner.available()
    finally:
        bubblewrap._is_available.cache_clear()
    call = make("touch ran")
    with pytest.raises(ScriptError, match="its sandbox needs 'bwrap'; install bubblewrap"):
        RUNNER.run(call)
    assert not Path(call.folder, "ran").exists()


def test_forbidden_namespaces_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of the right name is not enough."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions' >&2; exit 1", "utf-8")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    bubblewrap._is_available.cache_clear()
    try:
        assert not BubblewrapRunner.available()
    finally:
        bubblewrap._is_available.cache_clear()


PREFIXES = [
    ("/usr/bin/node", []),
    ("/bin/sh", []),
    ("/opt/node/bin/node", ["/opt/node"]),
    ("/opt/tools/node", ["/opt/tools/node"]),
    ("/home/me/.nvm/v20/bin/node", ["/home/me/.nvm/v20"]),
    ("/home/me/bin/node", ["/home/me/bin/node"]),
    ("/home/bin/node", ["/home/bin/node"]),
    ("/home/me/.local/bin/node", ["/home/me/.local/bin/node"]),
    ("/usrlocal/bin/node", ["/usrlocal"]),
]


@pytest.mark.parametrize(("program", "places"), PREFIXES)
def test_an_interpreter_brings_its_installation(
    program: str, places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program outside the system's folders is seen with its libraries, but never with a home."""
    monkeypatch.setenv("HOME", "/home/me")
    assert list(dict.fromkeys(bubblewrap._interpreter(program))) == places


def test_python_is_found_by_the_names_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A virtual environment may name its Python by a link to a folder, which no path of a program shows."""
    monkeypatch.setattr(sys, "executable", "/opt/env/bin/python")
    monkeypatch.setattr(sys, "prefix", "/opt/env")
    monkeypatch.setattr(sys, "base_prefix", "/opt/python-3")
    assert list(dict.fromkeys(bubblewrap._interpreter("/opt/env/bin/python"))) == [
        "/opt/env",
        "/opt/python-3",
    ]
    assert list(dict.fromkeys(bubblewrap._interpreter("/opt/node/bin/node"))) == ["/opt/node"]


@pytest.mark.parametrize("writable", ["/tmp", ["here"], [""], ["/tmp", "."]])  # noqa: S108
def test_writable_folders_are_absolute(writable: Any) -> None:
    """A list of absolute folders, and nothing else."""
    with pytest.raises(ValueError, match="writable is a list of absolute folders"):
        BubblewrapRunner(writable=writable)


def test_it_is_a_runner_with_the_same_options() -> None:
    """It supports what its table has, checks its options, and can be compared."""
    assert isinstance(RUNNER, ScriptRunner)
    assert (RUNNER.supports("a.py"), RUNNER.supports("a.exe")) == (True, False)
    assert BubblewrapRunner(writable=["/a"]) == BubblewrapRunner(writable=("/a",))
    with pytest.raises(ValueError, match="cwd is"):
        BubblewrapRunner(cwd="here")
