"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Paths = Annotated[
    list[Path] | None,
    typer.Option(
        "--path",
        "-p",
        help="Folder of skills; may be repeated. Default: the folders agents use, "
        "such as ./skills, .agents/skills and ~/.claude/skills.",
    ),
]
Store = Annotated[
    Path | None,
    typer.Option("--store", help="File to keep the index in, so that the next start reads what changed."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
Hidden = Annotated[bool, typer.Option("--hidden", help="Also look into folders that begin with a dot.")]
Nested = Annotated[bool, typer.Option("--nested", help="Also look for skills below a skill.")]
