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


def _lines(key: object, value: object, depth: int) -> Iterator[str]:
    indent, head = "  " * depth, _scalar(str(key))
    if isinstance(value, Mapping) and value:
        yield f"{indent}{head}:"
        for inner, nested in value.items():
            yield from _lines(inner, nested, depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        yield f"{indent}{head}:"
        yield from (f"{indent}  - {_inline(item)}" for item in value)
    else:
        yield f"{indent}{head}: {_inline(value)}"


def _inline(value: object) -> str:
    """Return a value on one line: what a list holds has no keys of its own to stand below."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_inline(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return _scalar("" if value is None else str(value))


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
