"""
A folder for a skill that is in none: an archive's, a mapping's, a package's.

A process needs files.  They are written to a private folder for the length of one run, under the
names of the listing, which lead nowhere else.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skill_index.errors import ResourceNotFoundError, ScriptError, SourceError
from skill_index.resources import Resources, leads_out

UNPACKED_BYTES = 64 << 20
"""Bytes of one file that are written at most."""


@contextmanager
def unpacked(resources: Resources) -> Iterator[str]:
    """
    Yield the folder of a skill on this machine, a temporary one where it has none.

    Raises `ScriptError` for a file that cannot be written.
    """
    if resources.folder:
        yield resources.folder
        return
    # What a script left behind that cannot be removed must not turn its answer into an error.
    with tempfile.TemporaryDirectory(prefix="skill-", ignore_cleanup_errors=True) as folder:
        for resource in resources.listing().resources:
            _write(Path(folder), resource.name, resources)
        yield folder


def _write(folder: Path, name: str, resources: Resources) -> None:
    if leads_out(name):
        raise ScriptError("", name, "a file of the skill has a name that leads out of it")
    target = folder.joinpath(*name.split("/"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(resources.read(name, UNPACKED_BYTES))
    except (OSError, ResourceNotFoundError, SourceError) as error:
        reason = error.strerror if isinstance(error, OSError) else getattr(error, "reason", "it is gone")
        raise ScriptError("", name, f"the file {name!r} could not be unpacked: {reason}") from error
