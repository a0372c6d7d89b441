"""The runner of hosts that run no files."""

from __future__ import annotations

import pytest

from skill_index.errors import ScriptError
from skill_index.running import FunctionsOnly, ScriptCall, ScriptRunner


def test_it_runs_no_file() -> None:
    """Every name is no script of its, and a call says so."""
    runner = FunctionsOnly()
    assert isinstance(runner, ScriptRunner)
    assert not runner.supports("scripts/a.py")
    with pytest.raises(ScriptError, match="this host runs no files"):
        runner.run(ScriptCall("a", "scripts/a.py", "/tmp"))  # noqa: S108
