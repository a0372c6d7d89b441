"""
The command `skill-index`: what an agent would see, for a person to try.

Exit codes: 0 found, valid; 1 nothing found, or errors in skills; 2 could not look.
"""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line; an error of ours is one sentence on stderr and exit code 2."""
    from skill_index.cli.app import app
    from skill_index.errors import SkillIndexError

    _write_utf8()
    try:
        app(prog_name="skill-index")
    except SkillIndexError as problem:
        sys.stderr.write(f"skill-index: {problem}\n")
        sys.exit(2)


def _write_utf8() -> None:
    """Write UTF-8 whatever the locale: skills are UTF-8, and a locale must not decide what can be shown."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
