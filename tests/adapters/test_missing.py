"""Adapters without their frameworks: they can be imported, and say what to install when used."""

from __future__ import annotations

import sys

import pytest

from skill_index import SkillCatalog
from skill_index.adapters.fastmcp import as_provider, as_tools, as_transform
from skill_index.adapters.mcp import as_server
from skill_index.adapters.mcp import as_tools as mcp_tools
from skill_index.errors import SkillIndexError


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in {"mcp", "fastmcp"}]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("mcp", "fastmcp"):
        monkeypatch.setitem(sys.modules, name, None)


def test_each_says_what_to_install() -> None:
    """The command can be copied from the message."""
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[mcp\]"'):
        as_server(SkillCatalog())
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[mcp\]"'):
        mcp_tools(SkillCatalog())
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[fastmcp\]"'):
        as_provider(SkillCatalog())
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[fastmcp\]"'):
        as_tools(SkillCatalog())
    with pytest.raises(SkillIndexError, match=r'pip install "skill_index\[fastmcp\]"'):
        as_transform()
