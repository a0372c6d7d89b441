"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def folder_path(text: str) -> Path:
    """Return a path; an unset variable of a shell gives "", which would be the working folder."""
    if not text.strip():
        message = "it is empty; write '.' for the working folder"
        raise typer.BadParameter(message)
    return Path(text)


def _file_path(text: str) -> Path:
    if not text.strip():
        message = "it is empty; name a file"
        raise typer.BadParameter(message)
    return Path(text)


def path_option(text: str) -> Any:
    """Return the option `--path` with a help text of its own."""
    return typer.Option("--path", "-p", parser=folder_path, metavar="PATH", help=text)


Paths = Annotated[
    list[Path] | None,
    path_option(
        "Folder of skills; may be repeated. Default: the folders agents use, "
        "such as ./skills, .agents/skills and ~/.claude/skills."
    ),
]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        parser=_file_path,
        metavar="FILE",
        help="File to keep the index in, so that the next start reads only what changed.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Hidden = Annotated[bool, typer.Option("--hidden", help="Also look into folders that begin with a dot.")]
Nested = Annotated[bool, typer.Option("--nested", help="Also look for skills below a skill.")]
