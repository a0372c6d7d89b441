"""
The small JSON files in which other programs keep what is installed and what is switched on.

Such a file decides which skills there are, so "there is none", "it says nothing of it" and "it
cannot be read" are three answers: None, an empty mapping, and a finding.  A field of another type
than expected counts as left out, as the programs that own these files read them.

Rejected: a pydantic model for each file.  Two or three fields of each are read, most of what
else stands there is not ours to judge, and nothing here may make a scan import more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skill_index.findings import Finding
from skill_index.sources.problems import VANISHED, failure, problem
from skill_index.sources.reading import read_file

_LIMIT = 4_000_000  # bytes; a list of some thousand plugins takes one of them


def read_config(path: Path, *, linked: bool = False) -> Mapping[str, Any] | Finding | None:
    """
    Return the JSON object in a file, the finding that says why not, or None where no file is.

    A link is followed within its own folder only, as for a SKILL.md, unless the file is the
    user's own and may be `linked` from anywhere, as many keep theirs.
    """
    try:
        content = read_file(os.path.realpath(path) if linked else str(path), _LIMIT)
    except ValueError as error:  # a path that no file can have, taken from another such file
        return failure(error, path.as_posix())
    if isinstance(content, Finding):
        return None if content.code == VANISHED else content
    try:
        value = json.loads(content.data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return problem("unreadable", path.as_posix(), f"is no valid JSON: {error}; mend it")
    if not isinstance(value, dict):
        return problem("unreadable", path.as_posix(), "holds no JSON object; mend it")
    return value


def mapping_at(config: Mapping[str, Any] | None, *keys: str) -> Mapping[str, Any]:
    """
    Return the mapping at a path of keys, an empty one where there is none.

    >>> mapping_at({"skills": {"pdf": {"enabled": False}}}, "skills", "pdf")
    {'enabled': False}
    >>> mapping_at({"skills": ["pdf"]}, "skills", "pdf")
    {}
    """
    value: Any = config
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def texts_at(config: Mapping[str, Any], key: str) -> list[str]:
    """
    Return the texts at a key that holds one or a list of them.

    >>> [texts_at(config, "skills") for config in ({"skills": "./a"}, {"skills": ["./a", 3]}, {})]
    [['./a'], ['./a'], []]
    """
    value = config.get(key)
    listed = value if isinstance(value, list) else [value]
    return [text for text in listed if isinstance(text, str)]
