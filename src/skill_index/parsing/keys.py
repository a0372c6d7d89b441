"""
Which entries of a header are which fields: exact, misspelt, known to hosts, or unknown.

Only top-level keys count.  A key that differs from one of the specification in case, hyphens,
underscores or invisible characters alone is read as that one when the right one is absent: ignoring
`allowed_tools` would drop a restriction its author wrote.  A mere resemblance is told and not acted on.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache

from skill_index.parsing.codes import Report
from skill_index.parsing.spec import EXTENSION_KEYS, SEARCH_KEYS, SPEC_KEYS
from skill_index.parsing.values import Entry
from skill_index.text import one_line

_SEPARATORS = re.compile(r"[-\u2010-\u2015\u2212_\s]+")  # a word processor makes other hyphens of them
_ALIKE = 0.85  # of difflib's ratio: 'descripton' has .95 of 'description', 'licence' .86 of 'license'


def squash(key: str) -> str:
    """
    Return a key without case, hyphens, underscores and what nobody sees in it.

    >>> squash("Allowed_Tools"), squash("allowedTools")
    ('allowedtools', 'allowedtools')
    """
    return _SEPARATORS.sub("", one_line(key).casefold())


_SPEC = {squash(key): key for key in SPEC_KEYS}
_EXTENSIONS = {squash(key): key for key in EXTENSION_KEYS}


def sort_out(entries: Iterable[Entry], report: Report) -> dict[str, Entry]:
    """Return entries by the key they are read as, and report every key that is not the specification's."""
    entries = list(entries)
    given = {entry.key for entry in entries}
    sorted_out: dict[str, Entry] = {}
    for entry in entries:
        if entry.key.startswith("<!--"):
            report.add("html-comment", "an HTML comment is no comment in YAML; use '#'", entry.line)
            continue
        meant = _SPEC.get(squash(entry.key), entry.key)
        if entry.key in SPEC_KEYS:
            sorted_out[entry.key] = entry
        elif meant != entry.key and meant not in given and meant not in sorted_out:
            report.add("misspelt-key", f"{entry.key!r} is read as {meant!r}; spell it so", entry.line)
            sorted_out[meant] = entry
        else:
            _report_other(entry, report)
            key = _EXTENSIONS.get(squash(entry.key), entry.key)
            sorted_out[key if key in SEARCH_KEYS and key not in given else entry.key] = entry
    return sorted_out


def _report_other(entry: Entry, report: Report) -> None:
    shown, folded = entry.key[:60], squash(entry.key)
    alike = _alike(folded[:60])
    if folded in _EXTENSIONS:
        message = f"{shown!r} is not in the specification, so hosts may ignore it; put it below 'metadata'"
        report.add("extension-key", message, entry.line)
    elif alike:
        message = f"{shown!r} is not in the specification; if {alike!r} is meant, spell it so"
        report.add("misspelt-key", message, entry.line)
    else:
        message = f"{shown!r} is neither in the specification nor known to hosts; put it below 'metadata'"
        report.add("unknown-key", message, entry.line)


@lru_cache(1024)
def _alike(folded: str) -> str:
    """Return the key of the specification that a folded key resembles, or ""."""
    found = difflib.get_close_matches(folded, _SPEC, 1, _ALIKE)
    return _SPEC[found[0]] if found else ""
