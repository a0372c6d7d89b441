r"""
The front matter of a SKILL.md as JSON, for those who must pass it on word for word.

Everywhere else values stay the text their author typed.  A protocol that sends front matter as
JSON wants what any YAML parser gives (`1.10` is the number 1.1), since the other side parses the
file and compares.  Only plain front matter is passed on: what had to be mended, or what parsers
treat differently (repeated keys, tags, aliases, text above the fence), would not compare equal.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, TypeAlias

import yaml

from skill_index.parsing.codes import Fault
from skill_index.parsing.frontmatter import read_document
from skill_index.parsing.yaml import DISPUTED, parse
from skill_index.settings import Limits

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_COMMENTS = frozenset({"comment", "comment-cut"})


def verbatim(data: bytes, limits: Limits = Limits()) -> dict[str, Json] | None:
    r"""
    Return the front matter as JSON values, None where two parsers may read it differently.

    >>> verbatim(b"---\nname: pdf\nversion: 1.10\nadded: 2026-01-31\n---\nSteps.")
    {'name': 'pdf', 'version': 1.1, 'added': '2026-01-31'}
    """
    try:
        document = read_document(data, limits)
        tree = parse(document.header, limits)
    except Fault:
        return None
    if document.opener > 1 or document.hidden or any(mark.code not in _COMMENTS for mark in tree.remarks):
        return None
    try:
        if "&" in document.header and _has_aliases(document.header):
            return None
        value = yaml.load(document.header, Loader=_loader(document.header))  # noqa: S506  (a safe one)
    except (yaml.YAMLError, ValueError, OverflowError, LookupError):
        return None  # LookupError: a tag says "truth value" or "number" of a text that is none
    return value if isinstance(value, dict) and _is_json(value) else None


def _has_aliases(header: str) -> bool:
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(header, Loader=yaml.SafeLoader))


def _loader(header: str) -> Any:
    """Return a safe loader without dates, which JSON does not have; the fast one where both agree."""
    fast = getattr(yaml, "CSafeLoader", None)
    return _undated(yaml.SafeLoader if fast is None or DISPUTED.search(header) else fast)


@cache
def _undated(base: Any) -> Any:
    resolvers = {
        first: [(tag, pattern) for tag, pattern in known if tag != "tag:yaml.org,2002:timestamp"]
        for first, known in base.yaml_implicit_resolvers.items()
    }
    return type("UndatedLoader", (base,), {"yaml_implicit_resolvers": resolvers})


def _is_json(value: Any) -> bool:
    # `parse` counted the nesting already, so this cannot run deep.
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_json(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_is_json, value))
    return (
        value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
    )
