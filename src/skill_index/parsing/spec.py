"""
The rules of the Agent Skills specification (agentskills.io) as a table of small checks.

A rule looks at one field and answers with what is wrong, or nothing; whether that costs the
skill is the mode's affair.  Lengths count characters, not bytes, since the specification does.
No name is reserved: one host refuses the names of its maker, the specification does not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from skill_index.text import hidden_characters

SPEC_KEYS = {
    "name": "1 to 64 lowercase letters, digits and hyphens; the folder's name",
    "description": "1 to 1,024 characters: what the skill does and when to use it",
    "license": "text",
    "compatibility": "at most 500 characters: what the skill needs around it",
    "metadata": "a mapping of text to text",
    "allowed-tools": "tools separated by blanks",
}
"""The front matter keys the specification knows, and what it wants of each."""

SEARCH_KEYS = frozenset({"aliases", "keywords", "tags"})
"""Keys of our own reading: what else a skill may be found by."""

# fmt: off
EXTENSION_KEYS = SEARCH_KEYS | {
    "agent", "agents", "argument-hint", "arguments", "author", "authors", "background", "category", "color",
    "command", "context", "created", "date-added", "dependencies", "depends-on", "deprecated",
    "disable-model-invocation", "disallowed-tools", "display-name", "domain", "effort", "emoji", "examples",
    "homepage", "hooks", "icon", "inclusion", "install", "language", "last-updated", "mcp-servers", "model",
    "models", "origin", "output-format", "owner", "paths", "permissions", "priority", "repository",
    "requires", "resources", "risk", "role", "scope", "shell", "skills", "slug", "source", "status",
    "subdomain", "summary", "title", "tools", "trigger", "triggers", "type", "updated", "user-invocable",
    "version", "when-to-use",
}
# fmt: on
"""Keys outside the specification that hosts act on or publishers commonly set, spelt with hyphens."""


class Rule(NamedTuple):
    """One check: `broken(value, folder)` says what is wrong with a field, or ""."""

    code: str
    field: str
    broken: Callable[[str, str], str]


def _longer(limit: int) -> Callable[[str, str], str]:
    def broken(value: str, _folder: str) -> str:
        length = len(normal(value))
        return f"has {length:,} characters; shorten it to {limit:,}" if length > limit else ""

    return broken


def _capitals(name: str, _folder: str) -> str:
    bare = normal(name)
    return f"is not in lowercase; write {bare.lower()[:64]!r}" if bare != bare.lower() else ""


def _characters(name: str, _folder: str) -> str:
    odd = sorted({char for char in normal(name) if not (char.isalnum() or char == "-")})
    shown = " ".join(map(ascii, odd[:5]))
    return f"holds {shown}; use letters, digits and hyphens only" if odd else ""


def _edges(name: str, _folder: str) -> str:
    bare = normal(name)
    return "starts or ends with a hyphen; remove it" if bare != bare.strip("-") else ""


def _doubled(name: str, _folder: str) -> str:
    return "has two hyphens in a row; write one" if "--" in normal(name) else ""


def _other_folder(name: str, folder: str) -> str:
    if not folder or normal(name) == normal(folder):
        return ""
    return f"is not that of the folder, {folder[:64]!r}; rename one of them"


def _hidden(value: str, _folder: str) -> str:
    odd = sorted(hidden_characters(value))
    shown = ", ".join(f"U+{ord(char):04X}" for char in odd[:5])
    return f"holds {shown}, which nobody sees and which can turn text around; remove it" if odd else ""


RULES = (
    Rule("name-too-long", "name", _longer(64)),
    Rule("name-not-lowercase", "name", _capitals),
    Rule("name-characters", "name", _characters),
    Rule("name-edge-hyphen", "name", _edges),
    Rule("name-double-hyphen", "name", _doubled),
    Rule("name-not-folder", "name", _other_folder),
    Rule("description-too-long", "description", _longer(1024)),
    Rule("hidden-character", "name", _hidden),
    Rule("hidden-character", "description", _hidden),
    Rule("compatibility-too-long", "compatibility", _longer(500)),
)
"""Every rule about the content of a field; which keys there may be is `SPEC_KEYS`."""


def normal(text: str) -> str:
    """Return the Unicode form (NFKC) in which the specification compares and counts."""
    return unicodedata.normalize("NFKC", text)
