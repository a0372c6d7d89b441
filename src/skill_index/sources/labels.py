"""
Short names for sources: the end of a root's path, as long as it takes to tell them apart.

Labels are the first part of ids a model reads and repeats (`label:name`), so they are short,
mean something, and hold no colon.  A number or a hash would be shorter and mean nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from skill_index.text import one_line


def clean_label(label: str) -> str:
    r"""
    Return a label fit for ids: on one line, without colons.

    >>> clean_label(" team: a\n")
    'team- a'
    """
    return one_line(label).replace(":", "-")


def short_labels(roots: Sequence[str | os.PathLike[str]]) -> list[str]:
    """
    Return a label for each root: the shortest tail of its path that no other root ends in.

    Equal roots get equal labels, different ones different labels.  Case does not tell two roots
    apart, as it does not tell names apart.

    >>> short_labels(["/home/ann/skills", "/srv/team/skills", "/opt/tools"])
    ['ann/skills', 'team/skills', 'tools']
    """
    paths = [os.path.abspath(os.path.expanduser(os.fsdecode(root))) for root in roots]  # noqa: PTH100, PTH111
    parts = {path: _parts(path) for path in paths}
    tails = Counter(tail for own in parts.values() for tail in set(map(str.casefold, _tails(own))))
    taken: set[str] = set()
    labels: dict[str, str] = {}
    for path, own in parts.items():
        choices = _tails(own)
        best = next((tail for tail in choices if tails[tail.casefold()] == 1), choices[-1])
        labels[path] = _unused(best, taken)
        taken.add(labels[path].casefold())
    return [labels[path] for path in paths]


def _parts(path: str) -> list[str]:
    split = PurePath(path)
    names = [clean_label(part) for part in split.parts if part != split.anchor]
    drive = clean_label(split.drive).replace("\\", "-").strip("-")
    return [name for name in (drive, *names) if name] or ["root"]


def _tails(parts: list[str]) -> list[str]:
    return ["/".join(parts[start:]) for start in range(len(parts) - 1, -1, -1)]


def _unused(label: str, taken: set[str]) -> str:
    number, free = 1, label
    while free.casefold() in taken:
        number += 1
        free = f"{label}-{number}"
    return free
