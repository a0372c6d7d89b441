"""
The values a header is made of, apart from the parser that makes them.

They stand alone so that everything behind the parser can name them without loading PyYAML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from skill_index.frozen import FrozenMap

Value = str | tuple[Any, ...] | FrozenMap | None
"""A text, a tuple or a mapping of values; None for `null`, `~` and nothing at all."""

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


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


def typed_text(text: str) -> str:
    r"""
    Return the text of a YAML scalar with line breaks as '\n' and surrogate pairs as one character.

    Writers of JSON escape an emoji as such a pair, and JSON is what they take YAML for.

    >>> typed_text("a\r\nb \ud83e\udd8a") == "a\nb \U0001f98a"
    True
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
