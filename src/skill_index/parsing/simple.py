"""
Headers of nothing but one-line `key: value`: what YAML makes of them, without a YAML parser.

Half of all real headers are such, and the parser, which has an event for each token, takes a dozen
times as long.  Only what has one meaning is read here: a plain value begins with a letter or a digit, a
quoted one holds no escape, and all else is YAML's business.
"""

from __future__ import annotations

import re

from skill_index.parsing.values import NULLS, Entry, Tree

_LINE = re.compile(
    r"([A-Za-z][A-Za-z0-9_-]{0,99}): +"
    r"(?:([^\W_](?:[^:#]|:(?![ ]|\Z)|(?<![ ])#)*)"  # ": " would be a key inside, " #" a comment
    r'|"([^"\\]*)" *'
    r"|'([^']*)' *)"
)


def parse_simple(header: str) -> Tree | None:
    """
    Return the entries of a header as `yaml.parse` does, None where that has to read it.

    >>> parse_simple("version: 1.10").entries
    (Entry(key='version', value='1.10', line=1),)
    >>> parse_simple("tags: [a, b]") is None
    True
    """
    entries: dict[str, Entry] = {}
    for number, line in enumerate(header.split("\n"), 1):
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None or found[1] in entries or not line.isprintable():
            return None
        key, plain, double, single = found.groups()
        if plain is None:
            value = single if double is None else double
        else:
            value = plain.rstrip(" ")
            value = None if value in NULLS else value
        entries[key] = Entry(key, value, number)
    return Tree(tuple(entries.values()), ()) if entries else None
