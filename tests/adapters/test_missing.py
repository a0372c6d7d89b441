"""Adapters without their frameworks: they can be imported, and say what to install when used."""

from __future__ import annotations

import importlib
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


@pytest.mark.parametrize(
    ("module", "framework", "extra"),
    [
        ("langchain", "langchain", "langchain"),
        ("openai_agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
        ("agent_framework", "agent_framework", "agent-framework"),
        ("agent_framework_skills", "agent_framework", "agent-framework"),
        ("google_adk", "google", "google-adk"),
        ("google_adk_registry", "google", "google-adk"),
    ],
)
def test_a_module_of_a_framework_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, module: str, framework: str, extra: str
) -> None:
    """An import without the framework is an ImportError that holds the command, the extra's name in it."""
    for name in [name for name in sys.modules if name.split(".")[0] == framework]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, f"skill_index.adapters.{module}", raising=False)
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(ModuleNotFoundError, match=rf'pip install "skill_index\[{extra}\]"'):
        importlib.import_module(f"skill_index.adapters.{module}")
