"""
Measure what building, searching and keeping up cost, beside what could be used instead.

    python benchmarks/speed.py [FOLDER] [--sizes 1000,10000,100000,1000000] [--only NAME ...] [--json FILE]

Every system builds synthetic skills of each size and, where a folder is given, its real ones with
their bodies; each build is a process of its own.  Then all of one size answer the same queries in
turn, top five, this library by `SkillCatalog.search`: text in, hits with evidence out.  A system that
needs longer than its budget is ended and its row says so; a package that is missing is named.  Last
come the things that only this library does.  A size that is not run keeps its figures.

Needs the packages of benchmarks/requirements.txt: wordfreq gives the words.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, only this file's folder is there

from benchmarks.systems import MissingPackageError  # noqa: E402
from benchmarks.timing import contest, texts  # noqa: E402
from benchmarks.timing.entrants import ENTRANTS  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "speed.json"
PLOT = RESULTS.with_suffix(".png")
PAGE = ROOT / "benchmarks" / "README.md"
REAL = "corpus"
ASKED = 1 + 40 * contest.ROUNDS  # queries of a kind: the first is for warmth
ASKED_OF = 1000  # the first skills of a catalog, which are in every larger one
PACKAGES = ("numpy", "bm25s", "PyStemmer", "tantivy", "Whoosh", "rank-bm25", "RapidFuzz", "wordfreq")


def main() -> int:
    """Run what was asked for, and write figures, tables and plot."""
    options = parse_options()
    try:
        words = texts.vocabulary()
    except MissingPackageError as missing:
        print(f"skipped: {missing}")
        return 0
    figures = read(options.json)
    budget = contest.Budget(options.build_seconds, options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "skills.jsonl"
        for size in options.sizes:
            texts.write_skills(file, texts.synthetic(words, size))
            figures["sets"][str(size)] = contest_of(file, budget, options.only, real=False)
            write(options.json, figures)
        if options.folder is not None:
            texts.write_skills(file, texts.real(options.folder))
            figures["sets"][REAL] = contest_of(file, budget, options.only, real=True)
            write(options.json, figures)
    if not options.no_daily:
        figures["daily"] = daily_of(options.folder, words)
        write(options.json, figures)
    publish(options.json, figures)
    return 0


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure speed and memory beside other search systems.")
    parser.add_argument("folder", type=Path, nargs="?", help="real skills to measure as well")
    parser.add_argument("--sizes", type=sizes, default=sizes("1000,10000,100000,1000000"))
    parser.add_argument("--seconds", type=float, default=0.5, help="for a system's queries of one kind")
    parser.add_argument("--build-seconds", type=float, default=300.0, help="for a build and a first answer")
    parser.add_argument("--no-daily", action="store_true", help="only the contest")
    parser.add_argument("--only", nargs="+", choices=ENTRANTS, default=list(ENTRANTS), metavar="NAME")
    parser.add_argument("--json", type=Path, default=RESULTS)
    options = parser.parse_args()
    if len(options.only) < len(ENTRANTS) and options.json == RESULTS:
        parser.error("the project's figures compare all systems in one run; with --only, name another --json")
    return options


def sizes(text: str) -> list[int]:
    """Read numbers of skills, such as 1000,10000; none at all is a choice, too."""
    return [int(part) for part in text.split(",") if part]


def contest_of(file: Path, budget: contest.Budget, names: list[str], *, real: bool) -> dict[str, Any]:
    """Hold the contest over a file of skills."""
    count = sum(1 for _ in texts.read_skills(file))
    asked = texts.queries(list(islice(texts.read_skills(file), None if real else ASKED_OF)), ASKED)
    with progress(f"{count:,} skills", contest.steps(len(names), len(asked))) as say:
        rows = contest.hold(file, asked, budget, say, names)
    return {
        "run": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "skills": count,
        "real": real,
        "build_budget": budget.build,
        "query_budget": budget.queries,
        "systems": rows,
    }


def daily_of(folder: Path | None, words: dict[str, float]) -> dict[str, Any]:
    """Measure what only this library does, over a thousand files and over the real folder."""
    from benchmarks.timing import daily

    with tempfile.TemporaryDirectory() as place:
        for skill in texts.synthetic(words, ASKED_OF):
            at = Path(place, skill.name, "SKILL.md")
            at.parent.mkdir()
            at.write_text(f"---\nname: {skill.name}\ndescription: {skill.description}\n---\n", "utf-8")
        folders = {"synthetic": Path(place)} | ({REAL: folder} if folder is not None else {})
        with progress("daily", 4 * len(folders)) as say:
            found = {name: daily.of_folder(path, say) for name, path in folders.items()}
    return {"starts": daily.starts(), "folders": found}


@contextmanager
def progress(doing: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a bar on a terminal; gives the way to say what is done next."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda now: bar.update(task, advance=1, description=f"{doing}: {now}")


def read(path: Path) -> dict[str, Any]:
    """Return the figures of earlier runs."""
    if not path.exists():
        return {"machine": "", "versions": {}, "skipped": [], "sets": {}, "daily": {}}
    figures: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return figures


def write(path: Path, figures: dict[str, Any]) -> None:
    """Put the figures into the result file at once, so that a run that is stopped keeps what it had."""
    from benchmarks.ranking import versions

    skipped = set()
    for of_set in figures["sets"].values():
        missing = {name: row for name, row in of_set["systems"].items() if "skipped" in row}
        skipped |= {row["skipped"] for row in missing.values()}
        of_set["systems"] = {name: row for name, row in of_set["systems"].items() if name not in missing}
    figures["skipped"] = sorted(skipped)
    figures["sets"] = dict(
        sorted(figures["sets"].items(), key=lambda pair: (pair[1]["real"], pair[1]["skills"]))
    )
    figures["versions"] = figures["versions"] | versions(PACKAGES)
    figures["machine"] = f"{os.cpu_count()} cores of {platform.system()} on {platform.machine()}"
    path.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", "utf-8")


def publish(path: Path, figures: dict[str, Any]) -> None:
    """Print the tables; those of the project's own result file go into the page, with the plot."""
    from rich.markdown import Markdown

    from benchmarks.tables import insert
    from benchmarks.timing import page, plot

    text = page.render(figures)
    console = Console()
    console.print(Markdown(text)) if console.is_terminal else print(text)
    if path == RESULTS:
        insert(PAGE, text, page.BEGIN, page.END)
    plot.draw(figures, path.with_suffix(".png"))


if __name__ == "__main__":
    sys.exit(main())
