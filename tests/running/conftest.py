"""A skill on disk for each test, and a look at whether a process still lives."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from skill_index.running import ScriptCall

Maker = Callable[..., ScriptCall]


@pytest.fixture
def make(tmp_path: Path) -> Maker:
    """Return a function that writes a script of the skill `demo` and returns the call that runs it."""
    folder = tmp_path / "demo"
    (folder / "scripts").mkdir(parents=True)

    def maker(content: str, *args: str, name: str = "run.sh", **more: object) -> ScriptCall:
        (folder / "scripts" / name).write_text(content, "utf-8")
        call = ScriptCall("demo", f"scripts/{name}", str(folder), args)
        return replace(call, **more)  # type: ignore[arg-type]  # the fields of a call, by name

    return maker


@pytest.fixture
def is_gone() -> Callable[[int], bool]:
    """Return a function that says whether a process ends within some seconds; a zombie has ended."""

    def gone(pid: int) -> bool:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                os.kill(pid, 0)
                if ") Z " in Path(f"/proc/{pid}/stat").read_text("utf-8"):
                    return True
            except (ProcessLookupError, FileNotFoundError):
                return True
            time.sleep(0.02)
        return False

    return gone
