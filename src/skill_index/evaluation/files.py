"""
The lines of the files that judgments stand in, each with its number, so that an error can name it.

Whoever judges queries writes these files by hand or by script, and a line that is passed by in
silence would change every figure.  So nothing is skipped but blank lines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from skill_index.errors import SkillIndexError
from skill_index.findings import Finding
from skill_index.sources import read_file
from skill_index.sources.problems import VANISHED
from skill_index.text import well_formed

_LARGEST = 1 << 30  # judged sets are the user's own; this only stops what could never be one


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file; raises `SkillIndexError` when it cannot be read or is not UTF-8."""
    content = read_file(os.path.realpath(path), _LARGEST)
    if isinstance(content, Finding):
        reason = "there is no such file" if content.code == VANISHED else content.message
        message = f"cannot read {os.fspath(path)!r}: {reason}"
        raise SkillIndexError(message)
    try:
        return content.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content.data.count(b"\n", 0, error.start) + 1
        raise bad_line(path, number, "is not UTF-8; save the file in that encoding") from error


def text_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers from 1."""
    # Not splitlines: a JSON string may hold U+2028, which ends no line of a file.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield number, line.rstrip("\r")


def json_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the JSON objects of a file, one a line, with the numbers of their lines."""
    for number, line in text_lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise bad_line(path, number, f"is not JSON ({error})") from error
        if not isinstance(record, dict):
            raise bad_line(path, number, "is no JSON object; write {...}")
        yield number, record


def text_of(record: Mapping[str, Any], key: str, path: str | os.PathLike[str], number: int) -> str:
    """Return a text of a record, "" for an optional one that is not there (see `required`)."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise bad_line(path, number, f"{key!r} is text, not {type(value).__name__}")
    return well_formed(value)


def required(record: Mapping[str, Any], key: str, path: str | os.PathLike[str], number: int) -> str:
    """Return a text of a record that must be there and not blank."""
    value = text_of(record, key, path, number)
    if not value.strip():
        raise bad_line(path, number, f"has no {key!r}")
    return value


def bad_line(path: str | os.PathLike[str], number: int, reason: str) -> SkillIndexError:
    """Return the error that names a file and a line."""
    return SkillIndexError(f"{os.fspath(path)}:{number}: {reason}")
