"""
FastMCP's BM25 search over tools, given skills as tools: name and description, no parameters.

Called by the method that its search tool calls, without a server and a client around it; so its
time is that of the search alone.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from benchmarks.systems.base import at_once, package
from skill_index import Skill


class FastMCPSystem:
    """`BM25SearchTransform` with its defaults but the number of results."""

    name = "FastMCP BM25SearchTransform"

    def __init__(self) -> None:
        self._search = package("fastmcp.server.transforms.search.bm25", "fastmcp")
        self._tool = package("fastmcp.tools.base", "fastmcp").Tool
        self._transforms: dict[int, Any] = {}
        self._tools: list[Any] = []
        # It warns of every name that is no good name for a tool; those of skills may hold blanks.
        logging.getLogger("mcp").setLevel(logging.ERROR)

    def build(self, skills: Sequence[Skill]) -> None:
        """Make a tool of every skill; its index is made when first asked."""
        self._transforms = {}
        self._tools = [
            self._tool(name=skill.name, description=skill.description, parameters={}) for skill in skills
        ]

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names it finds."""
        if limit not in self._transforms:
            self._transforms[limit] = self._search.BM25SearchTransform(max_results=limit)
        searching = self._transforms[limit]._search(self._tools, text)  # noqa: SLF001 - the hook its subclasses override
        return [tool.name for tool in at_once(searching)]
