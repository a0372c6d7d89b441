"""The command `mcp` where it cannot serve: what it says, with and without the package."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from skill_index.cli import serving
from skill_index.tools import Toolkit

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
    "place", ["8000", ":8000", "localhost", "localhost:x", "localhost:99999", "localhost:-1", "localhost:0"]
)
def test_a_place_that_is_none_is_refused(place: str) -> None:
    """The message says how to write one."""
    done = run("mcp", "--http", place, "--path", str(EXAMPLES))
    assert done.returncode == 2
    assert "127.0.0.1:8000" in done.stderr


def test_the_words_are_indexed_before_anyone_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the server waits for its client it gets ready to search, and is there at once all the same."""
    indexed: list[bool] = []

    def serve(toolkit: Toolkit, place: tuple[str, int] | None) -> None:
        catalog = toolkit.catalog()
        deadline = time.monotonic() + 60
        while not catalog.is_indexed and time.monotonic() < deadline:
            time.sleep(0.01)
        indexed.append(catalog.is_indexed)

    monkeypatch.setattr("skill_index.adapters.mcp.as_server", lambda toolkit, **_: toolkit)
    monkeypatch.setattr("skill_index.adapters.mcp.serve", serve)
    serving.mcp(path=[EXAMPLES])
    assert indexed == [True]
