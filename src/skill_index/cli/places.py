"""Where the command line looks for skills, and how it shows that reading them takes a while."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from skill_index.errors import SourceError
from skill_index.text import one_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from skill_index.index import SkillIndex

DEFAULT_FOLDERS = (
    "skills",
    ".agents/skills",
    ".claude/skills",
    ".github/skills",
    "~/.agents/skills",
    "~/.claude/skills",
    "~/.copilot/skills",
)
"""Where agents keep skills, those of the project before those of the user."""

_PATIENCE = 1.0  # seconds of silence before a bar appears; most builds end sooner


def open_index(
    paths: list[Path], *, hidden: bool, nested: bool, strict: bool = False, store: Path | None = None
) -> SkillIndex:
    """
    Index the given folders, or those of `DEFAULT_FOLDERS` that exist.

    What becomes of the `store` is told on stderr if it is not used or written.  Raises `SourceError`
    when a given folder is missing or when there is nowhere to look.
    """
    from skill_index.index import SkillIndex

    with LateBar("reading") as bar:
        folders = [_folder(path) for path in paths] or _defaults()
        index = SkillIndex.from_paths(
            *folders, hidden=hidden, nested=nested, strict=strict, progress=bar, store=store
        )
    for finding in index.store_findings:
        print(finding, file=sys.stderr)  # noqa: T201
    return index


def _folder(path: Path) -> Path:
    from skill_index.sources import is_archive
    from skill_index.sources.problems import reason

    expanded = _expanded(path)
    try:
        mode = expanded.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        why = "there is no such folder"
    except OSError as error:
        why = f"it cannot be looked at: {reason(error)}"
    else:
        if stat.S_ISDIR(mode):
            return expanded
        if stat.S_ISREG(mode) and expanded.name.casefold() == "skill.md":
            return expanded.parent
        if stat.S_ISREG(mode) and is_archive(expanded):
            return expanded
        why = "it is not a folder"
    raise SourceError(str(path), why, "give --path a folder that holds skills")


def _defaults() -> list[Path]:
    folders = map(_expanded, map(Path, DEFAULT_FOLDERS))
    # Not Path.is_dir, which raises for what is in a folder that may not be entered.
    found = [folder for folder in folders if os.path.isdir(folder)]  # noqa: PTH112
    if not found:
        tried = ", ".join(DEFAULT_FOLDERS)
        raise SourceError(tried, "none of these folders exists", "give one with --path FOLDER")
    return found


def _expanded(path: Path) -> Path:
    """Return the path without `~`, which stays where nobody has that name."""
    return Path(os.path.expanduser(path))  # noqa: PTH111  (Path raises for an unknown user)


class LateBar:
    """A counter on stderr that appears only on a terminal, and only after a second."""

    def __init__(self, doing: str, things: str = "skills") -> None:
        self._doing, self._things = doing, things
        self._start = time.monotonic()
        self._progress: Progress | None = None
        self._silent = not sys.stderr.isatty()

    def __call__(self, count: int) -> None:
        """Show that `count` things are done."""
        if self._silent or time.monotonic() - self._start < _PATIENCE:
            return
        if self._progress is None:
            self._progress = _started_progress(self._doing, self._things)
        self._progress.update(self._progress.task_ids[0], completed=count)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def _started_progress(doing: str, things: str) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    count = TextColumn("{task.completed} {task.fields[things]}")
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), count)
    progress = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    progress.add_task(one_line(doing), total=None, things=things)
    progress.start()
    return progress
