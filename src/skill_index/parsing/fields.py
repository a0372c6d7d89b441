"""
What each entry of a header means for a `Skill`: text, tools, tags, metadata, the rest.

A field that is a list or a mapping where text is needed is reported and left out: joining or
printing it would make up text that nobody wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from skill_index.frozen import FrozenMap
from skill_index.parsing.codes import Report
from skill_index.parsing.spec import RULES, SEARCH_KEYS, SPEC_KEYS
from skill_index.parsing.tools import split_mended, split_tools
from skill_index.parsing.values import Entry
from skill_index.text import one_line

_TOOLS = "allowed-tools"
_COMMA = re.compile(r"[,\n，、]")


class Fields:
    """The entries of one header, read one field at a time; problems go to the report."""

    def __init__(self, entries: Mapping[str, Entry], folder: str, report: Report) -> None:
        self._entries, self._folder, self._report = entries, folder, report

    def name(self, fallback_line: int) -> str:
        """
        Return the name on one line, or the folder's; "" when there is neither.

        Hidden characters are reported and left out: two names that look alike would be one name
        to whoever passes back what was shown.
        """
        typed = " ".join((self.text("name") or "").split())
        if name := one_line(typed):
            self._check("name", typed)
            return name
        # A folder's name is a stranger's text, too, and may be nothing that can be shown.
        folder = one_line(self._folder)
        code, advice = ("name-missing", f"; the folder's, {folder[:64]!r}, is used")
        if not folder:
            code, advice = "name-unknown", " and no folder to take it from"
        self._report.add(
            code, f"there is no name{advice}; add 'name: ...'", self._line("name", fallback_line)
        )
        return folder

    def description(self, fallback_line: int) -> str:
        """Return the description, which is all a skill is found by, or report that there is none."""
        description = self.text("description") or ""
        if not one_line(description):
            message = "there is no description, so nothing to find the skill by; add 'description: ...'"
            self._report.add("description-missing", message, self._line("description", fallback_line))
        self._check("description", description)
        return description if one_line(description) else ""

    def text(self, key: str) -> str | None:
        """Return the text of an entry, trimmed, or None when there is none."""
        entry = self._entries.get(key)
        if entry is None or entry.value is None:
            return None
        if not isinstance(entry.value, str):
            kind = "a mapping" if isinstance(entry.value, FrozenMap) else "a list"
            message = f"{key!r} is {kind}, not text; put the whole value in quotes"
            self._report.add("field-not-text", message, entry.line)
            return None
        return entry.value.strip()

    def checked(self, key: str) -> str | None:
        """Return the text of an optional field that the specification has rules for."""
        text = self.text(key)
        self._check(key, text or "")
        return text

    def tools(self, broken: Mapping[str, int]) -> tuple[str, ...] | None:
        """Return the allowed tools: None where nothing is said, () where what is said cannot be trusted."""
        entry = self._entries.get(_TOOLS)
        value = entry.value if entry else None
        line = broken.get(_TOOLS)
        if value is None and line is None:
            return None
        tools: tuple[str, ...] = ()
        if value is None:
            problem = "the lines behind it could not be read"
        elif line is not None:
            tools, problem = split_mended(value)
        else:
            tools, problem = split_tools(value)
        if problem:
            message = f"{_TOOLS!r} cannot be read: {problem}; write 'Read Bash(git *)'"
            self._report.add("tools-unreadable", message, entry.line if entry else line)
        return tools

    def metadata(self) -> FrozenMap:
        """Return the front matter's `metadata`, empty where it is no mapping."""
        entry = self._entries.get("metadata")
        if entry is None or entry.value is None:
            return FrozenMap()
        if not isinstance(entry.value, FrozenMap):
            message = "'metadata' is no mapping; write 'key: value' lines below it, indented"
            self._report.add("metadata-not-a-mapping", message, entry.line)
            return FrozenMap()
        nested = [key for key, value in entry.value.items() if isinstance(value, (tuple, FrozenMap))]
        if nested:
            more = f" and {len(nested) - 1} more" if len(nested) > 1 else ""
            message = (
                f"'metadata.{nested[0][:40]}'{more} is not text, as the specification wants; put it in quotes"
            )
            self._report.add("metadata-nested", message, entry.line)
        return FrozenMap({key: _frozen(value) for key, value in entry.value.items()})

    def words(self, *keys: str) -> tuple[str, ...]:
        """Return the texts listed under any of the keys, at the top or in `metadata`, each once."""
        metadata = self._entries.get("metadata")
        inner = metadata.value if metadata and isinstance(metadata.value, FrozenMap) else FrozenMap()
        given = [self._entries[key] for key in keys if key in self._entries]
        for entry in given:
            if not _is_listed(entry.value):
                message = f"{entry.key!r} is no text and no list of texts; what else it holds was ignored"
                self._report.add("field-not-text", message, entry.line)
        values = [entry.value for entry in given] + [inner[key] for key in keys if key in inner]
        words = [word for value in values for word in _listed(value)]
        return tuple(dict.fromkeys(word for word in words if word))

    def extra(self) -> FrozenMap:
        """Return every other entry as text, tuples and mappings."""
        taken = SEARCH_KEYS | SPEC_KEYS.keys()
        rest = {key: entry.value for key, entry in self._entries.items() if key not in taken}
        return FrozenMap({key: _frozen(value) for key, value in rest.items() if value is not None})

    def _check(self, key: str, text: str) -> None:
        for rule in RULES:
            if rule.field == key and (problem := rule.broken(text, self._folder)):
                self._report.add(rule.code, f"the {key} {problem}", self._line(key, None))

    def _line(self, key: str, otherwise: int | None) -> int | None:
        return self._entries[key].line if key in self._entries else otherwise


def _is_listed(value: Any) -> bool:
    """Return whether `_listed` takes all of a value."""
    if isinstance(value, tuple):
        return all(part is None or isinstance(part, str) for part in value)
    return value is None or isinstance(value, str)


def _listed(value: Any) -> list[str]:
    """Return the texts of a list, or of one text with commas or lines."""
    if isinstance(value, str):
        # A list that was no YAML is text: brackets, quotes, lines with bullets and all.
        return [
            " ".join(part.split()).removeprefix("- ").strip("\"' ")
            for part in _COMMA.split(value.strip("[]"))
        ]
    if isinstance(value, tuple):
        return [" ".join(part.split()) for part in value if isinstance(part, str)]
    return []


def _frozen(value: Any) -> Any:
    """Return a value with no None in it: nothing is an empty text in a mapping, and left out of a list."""
    if isinstance(value, FrozenMap):
        return FrozenMap({key: _frozen(inner) for key, inner in value.items()})
    if isinstance(value, tuple):
        return tuple(_frozen(inner) for inner in value if inner is not None)
    return "" if value is None else value
