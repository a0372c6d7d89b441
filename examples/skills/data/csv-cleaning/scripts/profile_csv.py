"""Print one line for each column of a CSV file: filled cells, distinct values, kinds of value."""

import csv
import sys
from pathlib import Path


def kind(cell: str) -> str:
    """Name the kind of one cell."""
    text = cell.strip()
    if not text:
        return "blank"
    try:
        float(text.replace(",", "."))
    except ValueError:
        return "text"
    return "number"


def main(path: str) -> int:
    """Read the file at `path` and write its profile to standard output."""
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    for position, name in enumerate(header):
        cells = [row[position] for row in rows if position < len(row)]
        filled = [cell for cell in cells if cell.strip()]
        kinds = ", ".join(sorted({kind(cell) for cell in cells}))
        sys.stdout.write(f"{name}: {len(filled)}/{len(rows)} filled, {len(set(filled))} distinct, {kinds}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]) if sys.argv[1:] else "usage: profile_csv.py FILE.csv")
