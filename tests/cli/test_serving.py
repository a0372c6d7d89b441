"""The command `mcp` where it cannot serve: what it says, with and without the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"
BLOCKED = "import sys; sys.modules['mcp'] = None; from skill_index.cli import main; main()"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that lacks the package."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", BLOCKED, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )


def test_without_the_package_it_says_what_to_install() -> None:
    """One sentence, and exit code 2."""
    done = run("mcp", "--path", str(EXAMPLES))
    assert done.returncode == 2
    assert 'pip install "skill_index[mcp]"' in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "place", ["8000", ":8000", "localhost", "localhost:x", "localhost:99999", "localhost:-1"]
)
def test_a_place_that_is_none_is_refused(place: str) -> None:
    """The message says how to write one."""
    done = run("mcp", "--http", place, "--path", str(EXAMPLES))
    assert done.returncode == 2
    assert "127.0.0.1:8000" in done.stderr
