"""Shift all times of an SRT file by some seconds (negative: earlier), never below zero."""

import re
import sys
from pathlib import Path

TIME = re.compile(r"(\d{2,}):(\d{2}):(\d{2}),(\d{3})")


def shifted(match: re.Match[str], milliseconds: int) -> str:
    """Return the matched time, moved."""
    hours, minutes, seconds, rest = (int(part) for part in match.groups())
    total = max(0, ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest + milliseconds)
    total, rest = divmod(total, 1000)
    return f"{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02},{rest:03}"


def main(path: str, seconds: str) -> int:
    """Write the shifted file to standard output; only the lines with an arrow hold times."""
    offset = round(float(seconds) * 1000)
    for line in Path(path).read_text(encoding="utf-8-sig").splitlines():
        moved = TIME.sub(lambda match: shifted(match, offset), line) if "-->" in line else line
        sys.stdout.write(moved + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) == 3 else "usage: shift_srt.py FILE.srt SECONDS")
