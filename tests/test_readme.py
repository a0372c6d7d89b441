"""The README is true: its commands are what CI runs, its transcript is what they print, its code runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
TRANSCRIPT = re.search(r"```console\n(.*?)\n```", README, re.DOTALL)
COMMANDS = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
SNIPPETS = re.findall(r"```python\n(.*?)\n```", README, re.DOTALL)

FRAMEWORKS = {
    "agent_framework": "agent_framework",
    "fastmcp": "fastmcp",
    "google_adk": "google.adk",
    "langchain": "langchain",
    "mcp": "mcp.server.mcpserver",  # version 2, as the README is written
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
}
"""Adapters, and what they import."""


def test_ci_runs_the_two_commands_as_they_stand() -> None:
    """Each command is one line, and the CI script holds both."""
    assert len(COMMANDS) == 2
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    for command in COMMANDS:
        assert "\n" not in command
        assert command in script


def test_the_transcript_is_what_the_commands_print() -> None:
    """Every command of the transcript prints what stands below it."""
    assert TRANSCRIPT is not None
    pieces = re.split(r"^\$ skill-index (.*)$", TRANSCRIPT[1], flags=re.MULTILINE)[1:]
    assert len(pieces) >= 4
    for command, expected in zip(pieces[::2], pieces[1::2], strict=True):
        arguments = [first or second for first, second in re.findall(r'"([^"]*)"|(\S+)', command)]
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "skill_index", *arguments],
            capture_output=True,
            check=False,
            cwd=ROOT,
        )
        printed = done.stdout.decode("utf-8").replace(str(ROOT), "/home/ann/skill_index")
        assert [line.rstrip() for line in printed.strip().splitlines()] == expected.strip().splitlines()


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_the_code_of_the_readme_runs(snippet: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each block runs from the root of the project; one for a framework needs that framework."""
    for adapter in FRAMEWORKS.keys() & set(re.findall(r"skill_index\.adapters\.(\w+)", snippet)):
        pytest.importorskip(FRAMEWORKS[adapter], reason=f"needs the extra of {adapter}")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("HOME", str(tmp_path))  # where a store is written
    # A host has a model's client; here nothing is asked of it.
    exec(compile(snippet, "README.md", "exec"), {"client": SimpleNamespace()})  # noqa: S102 - our own text


def test_every_adapter_has_an_example() -> None:
    """The README shows how to plug each adapter in, and each extra that installs a framework."""
    shown = set(re.findall(r"skill_index\.adapters\.(\w+) import", "".join(SNIPPETS)))
    assert shown == {*FRAMEWORKS, "anthropic", "openai", "hosting"}
    for adapter in FRAMEWORKS:
        assert f"skill_index[{adapter.replace('_', '-')}]" in README


def test_every_command_is_told() -> None:
    """The README names every command of the program."""
    from skill_index.cli.app import app

    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        assert f"`skill-index {name}" in README or f"| {name} " in README or f"| {name}`" in README
