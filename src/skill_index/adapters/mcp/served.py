"""
What an MCP server over a toolkit answers, as JSON on the wire; no MCP package is needed here.

    tools/list  tools/call            the toolkit's, schemas and texts as they are
    resources/list  resources/read    SKILL.md and the files of each skill, skill://index.json
    skills/list  skills/get           Skills over MCP, with digests and sizes
    resources/directory/read          what a folder of a skill holds

Two major versions of the official package spell one protocol in two ways; what is said is the
same and is written once.

A server is not told which conversation a call belongs to: one process may serve many.  So what a
conversation has loaded is not remembered unless the host says that there is only one; else the
second chat would be told that it has instructions which only the first one saw.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from skill_index.adapters.hosting import Skills, toolkit_of
from skill_index.adapters.mcp.addresses import Addresses
from skill_index.adapters.mcp.shelf import Shelf
from skill_index.adapters.mcp.wire import Json, complete, result_of, tool_hints
from skill_index.catalog import SkillCatalog
from skill_index.prompt import skill_index_section
from skill_index.prompt.sections import Count
from skill_index.session import Session

EXTENSION = "io.modelcontextprotocol/skills"
"""The name of Skills over MCP among a server's capabilities."""

INSTRUCTIONS_TOKENS = 600
"""Tokens of the index in a server's instructions at most; some hosts cut them at 2,000 characters."""


@dataclass(frozen=True, slots=True)
class _State:
    """What is worked out once for each catalog."""

    catalog: SkillCatalog
    shelf: Shelf
    instructions: str


class Served:
    """The answers of one server; any thread may ask at any time."""

    def __init__(
        self,
        skills: Skills,
        *,
        one_conversation: bool = False,
        budget_tokens: int = INSTRUCTIONS_TOKENS,
        count: Count | None = None,
    ) -> None:
        toolkit = toolkit_of(skills)
        kept = [shown for name, shown in toolkit.names.items() if one_conversation or name != "unload_skill"]
        self.toolkit = toolkit.only(*kept)
        self._one_conversation = one_conversation
        self._budget_tokens, self._count = budget_tokens, count
        self._state: _State | None = None
        self._lock = threading.Lock()

    def state(self) -> _State:
        """Return the skills of now as they are served."""
        catalog = self.toolkit.catalog()
        with self._lock:
            if self._state is None or self._state.catalog is not catalog:
                section = skill_index_section(
                    catalog, self._budget_tokens, self._count, tools=self.toolkit.names
                )
                self._state = _State(catalog, Shelf(Addresses.of(catalog)), section)
            return self._state

    @property
    def instructions(self) -> str:
        """The index of skills for the model within the budget, as of when a client last listed anything."""
        return (self._state or self.state()).instructions

    @property
    def shelf(self) -> Shelf:
        """The skills as resources."""
        return self.state().shelf

    def tools(self) -> Json:
        """Return what `tools/list` says; the instructions are then those of now, too."""
        self.state()
        return complete({"tools": self.declarations()})

    def declarations(self) -> list[Json]:
        """Return every tool as it is declared, which does not depend on the skills there are."""
        return [
            {
                "name": schema.name,
                "description": schema.description,
                "inputSchema": schema.parameters,
                "outputSchema": schema.returns,
                "annotations": tool_hints(ours),
            }
            for ours, schema in zip(self.toolkit.names, self.toolkit.schemas, strict=True)
        ]

    def call(self, name: str, arguments: Json | None) -> Json:
        """Return the result of a `tools/call`; what went wrong is an answer, too."""
        toolkit = self.toolkit if self._one_conversation else self.toolkit.with_session(Session())
        return result_of(toolkit.call(name, {} if arguments is None else arguments))
