"""
The sources that paths stand for: a folder is searched, an archive is told by its suffix and opened.

A folder may be named like an archive, so the disk is asked before the suffix is believed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from skill_index.settings import Limits
from skill_index.sources.archive import ArchiveSource, is_archive
from skill_index.sources.base import Source
from skill_index.sources.directory import DirectorySource
from skill_index.sources.labels import short_labels


def path_sources(
    paths: Iterable[str | os.PathLike[str]],
    labels: Sequence[str] | None = None,
    *,
    hidden: bool = False,
    nested: bool = False,
    limits: Limits = Limits(),
) -> list[Source]:
    """
    Return a source for each path, labelled by `labels` or by the shortest path tails that differ.

    `hidden` and `nested` are those of `DirectorySource`.  Raises TypeError for what is no path and
    ValueError unless there is one label for each path.
    """
    roots = [_root(path) for path in paths]
    names = short_labels(roots) if labels is None else _given(labels, len(roots))
    return [
        ArchiveSource(root, label, nested=nested)
        if is_archive(root) and not os.path.isdir(root)  # noqa: PTH112  (Path raises for a NUL)
        else DirectorySource(root, label=label, hidden=hidden, nested=nested, limits=limits)
        for root, label in zip(roots, names, strict=True)
    ]


def _root(path: object) -> str:
    if isinstance(path, str | bytes | os.PathLike):
        return os.fsdecode(path)
    hint = "; give several paths as arguments: from_paths(*folders)" if isinstance(path, Iterable) else ""
    message = f"a folder of skills is named by a text or a Path, not {type(path).__name__}{hint}"
    raise TypeError(message)


def _given(labels: Sequence[str], paths: int) -> list[str]:
    if isinstance(labels, str) or len(labels) != paths:
        given = "one text" if isinstance(labels, str) else f"{len(labels)} for {paths} paths"
        message = f"labels takes a list with one label for each path, not {given}"
        raise ValueError(message)
    return list(labels)
