"""Write one JSON object for each row of a CSV file; columns that are wholly integers become numbers."""

import csv
import json
import sys
from pathlib import Path


def whole(cells: list[str]) -> bool:
    """Say whether every cell is an integer written without leading zeros."""
    return bool(cells) and all(cell.lstrip("-").isdecimal() and str(int(cell)) == cell for cell in cells)


def main(path: str) -> int:
    """Convert the file at `path` to JSON Lines on standard output."""
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    numeric = {name for name in (rows[0] if rows else {}) if whole([row[name] or "" for row in rows])}
    for row in rows:
        typed = {name: int(cell) if name in numeric else cell or None for name, cell in row.items()}
        sys.stdout.write(json.dumps(typed, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]) if sys.argv[1:] else "usage: csv_to_json.py FILE.csv")
