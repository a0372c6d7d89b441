"""
How a list of allowed tools is split, whatever way it was written.

The specification has a text with blanks, hosts also take commas and YAML lists, and an entry
may hold both in brackets: `Bash(git add *, git commit)`.  So the split is made outside of
brackets only.  A list that does not add up grants nothing: guessing where a bracket was meant
to close could turn `Bash(git *)` into `Bash`.
"""

from __future__ import annotations

import re

_CLOSING = {"(": ")", "[": "]", "{": "}", "（": "）"}
_COMMAS = ",，、"
_BULLET = re.compile(rf"\s*([-*+•])\s+[^\s{_COMMAS}]")
_PLAIN_ENTRY = re.compile(r"[A-Za-z_][\w.-]*(?:\(.*\))?")


def split_tools(value: object) -> tuple[tuple[str, ...], str]:
    """
    Return the tools that a text or a list of texts names, and what is wrong with it, or "".

    Every tool comes once, in the order written.  When brackets do not match, none is returned.

    >>> split_tools("Bash(git add *, git commit), Read Read")
    (('Bash(git add *, git commit)', 'Read'), '')
    >>> split_tools(["Read", "Bash(git *"])
    ((), "brackets do not match in 'Read, Bash(git *'")
    """
    if isinstance(value, str):
        tools, problem = _split(value)
        bullet = _BULLET.match(value)
        # The bullets of a list in one text are no tools, least of all '*', which would be every tool.
        return tuple(tool for tool in tools if not bullet or tool != bullet[1]), problem
    if not isinstance(value, (list, tuple)):
        return (), "it is neither text nor a list of texts"
    # A YAML list cuts at the commas inside an entry's brackets; joined, such an entry is whole again.
    texts = [entry for entry in value if isinstance(entry, str)]
    tools, problem = _split(", ".join(texts))
    if not problem and len(texts) < len(value):
        problem = "an entry is not text and was left out"
    return tools, problem


def split_mended(value: object) -> tuple[tuple[str, ...], str]:
    """
    Do the same for text that was no valid YAML: trust it only where it is plainly a list of names.

    >>> split_mended("Bash(git log: *) Read"), split_mended("*")[0], split_mended("[Read, Bash")[0]
    ((('Bash(git log: *)', 'Read'), ''), (), ())
    """
    # Bullets are not forgiven here: what stands behind them may be only some of what was meant.
    tools, problem = _split(value) if isinstance(value, str) else split_tools(value)
    if not problem and not all(map(_PLAIN_ENTRY.fullmatch, tools)):
        problem = "the broken text is not plainly a list of tools"
    return ((), problem) if problem else (tools, "")


def _split(text: str) -> tuple[tuple[str, ...], str]:
    tools: list[str] = []
    entry = ""
    expected: list[str] = []
    for char in text:
        if char in _CLOSING:
            expected.append(_CLOSING[char])
        elif char in ")]}）" and (not expected or expected.pop() != char):
            return (), _mismatch(text)
        if not expected and (char in _COMMAS or char.isspace()):
            tools.append(entry)
            entry = ""
        else:
            entry += char
    tools.append(entry)
    if expected:
        return (), _mismatch(text)
    if any(tool[:1] in _CLOSING for tool in tools if tool):
        return (), "brackets follow no tool's name; write them without a blank, as in 'Bash(git *)'"
    return tuple(dict.fromkeys(filter(None, tools))), ""


def _mismatch(text: str) -> str:
    return f"brackets do not match in {text[:60]!r}"
