"""
The values a header is made of, apart from the parser that makes them.

They stand alone so that everything behind the parser can name them without loading PyYAML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skill_index.model import FrozenMap

Value = str | tuple[Any, ...] | FrozenMap | None
"""A text, a tuple or a mapping of values; None for `null`, `~` and nothing at all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level `key: value` and the line of its key, counted from 1."""

    key: str
    value: Value
    line: int


@dataclass(frozen=True, slots=True)
class Remark:
    """What YAML did not take as text, by the code of the finding: `text`, under top-level `key`."""

    code: str
    key: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Tree:
    """A header as it was typed: entries with distinct keys, in order, and remarks."""

    entries: tuple[Entry, ...]
    remarks: tuple[Remark, ...]
