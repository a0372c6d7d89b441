"""Which program runs a script."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from skill_index.errors import ScriptError
from skill_index.running import INTERPRETERS, ScriptCall, SubprocessRunner
from skill_index.running.interpreters import UnknownInterpreterError, command_for

TABLE = {".py": ("python3.11",), ".sh": ("bash",), ".js": ("node", "--flag"), ".bash": ("bash",)}


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder with files that look like the table's programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("python3.11", "bash", "node", "sh", "evil"):
        (folder / name).touch(0o755)
    return folder


CHOSEN = [
    ("a.py", "", ["python3.11"]),
    ("a.PY", "", ["python3.11"]),
    ("a.b.sh", "", ["bash"]),
    ("a.js", "#!/usr/bin/env python3", ["node", "--flag"]),
    ("a", "#!/usr/bin/python3", ["python3.11"]),
    ("a", "#!/usr/bin/env python\nprint()", ["python3.11"]),
    ("a", "#! /usr/bin/env -S python3 -u", ["python3.11"]),
    ("a", "#!/usr/bin/env -S A=b node", ["node", "--flag"]),
    ("a.txt", "#!/bin/sh -e", ["bash"]),
    ("a", "#!/opt/x/bash\r\n", ["bash"]),
]

UNKNOWN = [
    ("a.exe", "MZ"),
    ("a", ""),
    ("a", "#!"),
    ("a", "#!/usr/bin/env"),
    ("a", "#!/usr/bin/evil"),
    ("a", "# !/bin/sh"),
    ("a", "\n#!/bin/sh"),
    ("a", "#!/bin/sh-evil"),
    ("a", "#!" + " " * 300 + "/bin/sh"),
    (".py", "print()"),
    ("a.py/b", "print()"),
]


@pytest.mark.parametrize(("name", "content", "command"), CHOSEN)
def test_suffix_first_then_first_line(programs: Path, name: str, content: str, command: list[str]) -> None:
    """The table's own program and arguments run it, whatever path and options the first line gives."""
    script = programs.parent / "script"
    script.write_bytes(content.encode())
    program, *rest = command
    found = command_for(f"scripts/{name}", str(script), TABLE, str(programs))
    assert found == (str(programs / program), *rest)


@pytest.mark.parametrize(("name", "content"), UNKNOWN)
def test_only_the_table_says_what_runs(programs: Path, name: str, content: str) -> None:
    """Another program is not run, although it is installed; what can be run is named."""
    script = programs.parent / "script"
    script.write_bytes(content.encode())
    with pytest.raises(UnknownInterpreterError, match=r"what can be run is \.bash, \.js, \.py, \.sh"):
        command_for(f"scripts/{name}", str(script), TABLE, str(programs))


def test_sh_runs_where_bash_is_missing(programs: Path) -> None:
    """A `.sh` makes do with sh, a `.bash` does not."""
    (programs / "bash").unlink()
    assert command_for("a.sh", "", TABLE, str(programs)) == (str(programs / "sh"),)
    with pytest.raises(UnknownInterpreterError, match="needs 'bash', which is not installed"):
        command_for("a.bash", "", TABLE, str(programs))


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    """A script whose program is not there does not start, and the error says which program."""
    (tmp_path / "a.rb").touch()
    runner = SubprocessRunner(extra_environment={"PATH": str(tmp_path)})
    with pytest.raises(ScriptError, match=r"cannot run 'a.rb' of skill 'demo': it needs 'ruby'"):
        runner.run(ScriptCall("demo", "a.rb", str(tmp_path)))


def test_a_table_is_the_hosts(tmp_path: Path) -> None:
    """A host adds and takes away; `supports` follows its table and never looks at the disk."""
    (tmp_path / "a.txt").write_text("text", "utf-8")
    runner = SubprocessRunner(interpreters={".txt": ("cat", "-n")})
    assert runner.run(ScriptCall("demo", "a.txt", str(tmp_path))).stdout.split() == ["1", "text"]
    assert [runner.supports(name) for name in ("a.txt", "gone/b.TXT", "a.py", "a", "")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_the_default_table() -> None:
    """Python is the one that runs the host, and every entry can be told from others by its suffix."""
    assert INTERPRETERS[".py"] == (sys.executable,)
    assert all(SubprocessRunner().supports(f"a{suffix}") for suffix in INTERPRETERS)
    assert all(suffix == suffix.lower() == os.path.splitext(f"a{suffix}")[1] for suffix in INTERPRETERS)  # noqa: PTH122
