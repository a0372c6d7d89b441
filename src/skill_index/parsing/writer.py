"""
From a `Skill` back to the text of a SKILL.md that reads as the same skill.

Values are written plain where YAML cannot misread them and in double quotes anywhere else, so
what a person opens looks hand-written, and no value can become syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from skill_index.model import Skill

# Letters first, then nothing that YAML gives a meaning: no colon, hash, quote, bracket or edge blank.
_PLAIN = re.compile(r"[^\W\d_][\w()./+-]*(?: [\w()./+-]+)*", re.ASCII)
_NULLS = frozenset({"null", "Null", "NULL"})
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def to_skill_md(skill: Skill) -> str:
    r"""
    Return the SKILL.md of a skill; parsed, it gives the skill's fields back.

    Where it came from is not written, and line breaks become '\n'.

    >>> print(to_skill_md(Skill("pdf-forms", "Fill: all PDF forms.", "# Steps", allowed_tools=["Read"])))
    ---
    name: pdf-forms
    description: "Fill: all PDF forms."
    allowed-tools:
      - Read
    ---
    <BLANKLINE>
    # Steps
    """
    lines = [line for key, value in _fields(skill) for line in _lines(key, value, 0)]
    return "\n".join(("---", *lines, "---", "", skill.instructions))


def _fields(skill: Skill) -> Iterator[tuple[str, object]]:
    """Yield the keys that say something, the specification's first."""
    yield "name", skill.name
    yield "description", skill.description
    fields = {
        "license": skill.license,
        "compatibility": skill.compatibility,
        "allowed-tools": skill.allowed_tools,
        "metadata": skill.metadata or None,
        "aliases": skill.aliases or None,
        "tags": skill.tags or None,
        **skill.extra,
    }
    yield from ((key, value) for key, value in fields.items() if value is not None)


def _lines(key: str, value: object, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(value, str):
        yield f"{indent}{_scalar(key)}: {_scalar(value)}"
    elif isinstance(value, Mapping):
        yield f"{indent}{_scalar(key)}:{'' if value else ' {}'}"
        for inner, nested in value.items():
            yield from _lines(inner, nested, depth + 1)
    elif isinstance(value, Sequence):
        yield f"{indent}{_scalar(key)}:{'' if value else ' []'}"
        yield from (f"{indent}  - {_scalar(str(item))}" for item in value)
    else:
        yield f"{indent}{_scalar(key)}: {_scalar(str(value))}"


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text not in _NULLS:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"
