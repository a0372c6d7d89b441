"""
What users of this library wait for beside a search: its import, the command line, a look for changes.

Each is measured as it is met: processes from their start to their end, an edited skill as a file that
is saved, a description through the toolkit that a model calls.  Milliseconds within this process are
the processor's, as in the contest; all else is told by both.
"""

from __future__ import annotations

import itertools
import math
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing.contest import clock
from benchmarks.timing.texts import Query, queries
from skill_index import Skill, SkillCatalog, SkillIndex
from skill_index.tools import Toolkit

TURNS = 5
QUICK = 5.0  # seconds: what takes longer is done once
SETTLED = 2.5  # seconds after which a file that was just written counts as settled
QUERIES = 200
_SAVED = "---\nname: saved\ndescription: Saved for the time {number}.\n---\nText {number}.\n"


def starts() -> dict[str, list[float]]:
    """Return the least milliseconds, wall and processor, of Python alone, the import, and `--help`."""
    took: dict[str, list[tuple[float, float]]] = {"python_ms": [], "import_ms": [], "help_ms": []}
    for _ in range(2 * TURNS):
        took["python_ms"].append(_process("-c", "pass"))
        took["import_ms"].append(_process("-c", "import skill_index"))
        took["help_ms"].append(_process("-m", "skill_index", "--help"))
    least = {name: _least(times) for name, times in took.items()}
    return {name: [round(each * 1000, 1) for each in values] for name, values in least.items()}


def of_folder(folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """Return what it takes to open a folder of skills, to search it in all ways, and to keep up with it."""
    with tempfile.TemporaryDirectory() as beside:
        saved = Path(beside) / "saved" / "SKILL.md"
        saved.parent.mkdir()
        saved.write_text(_SAVED.format(number=0), "utf-8")
        say("from files to the first answer")
        started, spent = time.perf_counter(), clock()
        index = SkillIndex.from_paths(folder, beside, hidden=True, nested=True, refresh_interval=math.inf)
        index.search("a first question")
        wall, processor = time.perf_counter() - started, clock() - spent
        asked = [query.text for query in _asked(list(index.snapshot().values()))]
        say("refreshes")
        refreshes = _refreshes(index, saved)
        say("searches and descriptions")
        found = {
            "skills": len(index),
            "first_answer_seconds": round(wall, 4),
            "first_answer_processor_seconds": round(processor, 4),
            **refreshes,
            **_described(index.snapshot(), asked),
            "two_threads": _two_threads(index.snapshot(), asked),
        }
        say("command line")
        commands = {"command": _command(folder, asked[0])}
        store = str(Path(beside) / "index.store")
        _command(folder, "--store", store, asked[0], most=1)
        time.sleep(SETTLED)
        _command(folder, "--store", store, asked[0], most=1)  # reads again what was new to the first
        commands["stored"] = _command(folder, "--store", store, asked[0])
        for name, (wall, processor) in commands.items():
            found |= {f"{name}_seconds": round(wall, 2), f"{name}_processor_seconds": round(processor, 2)}
        return found


def _asked(skills: Sequence[Skill]) -> list[Query]:
    return queries(skills, 2 * QUERIES)["5 words"]


def _refreshes(index: SkillIndex, saved: Path) -> dict[str, float]:
    """Return the middle milliseconds of a look that finds nothing new and of one that finds a saved skill."""
    time.sleep(SETTLED)
    index.refresh()
    unchanged = _middle(index.refresh)

    numbers = itertools.count(1)
    edited = _middle(
        index.refresh, before=lambda: saved.write_text(_SAVED.format(number=next(numbers)), "utf-8")
    )
    return {"refresh_ms": unchanged, "refresh_edited_ms": edited}


def _described(catalog: SkillCatalog, asked: Sequence[str]) -> dict[str, float]:
    """Return the middle milliseconds of a search and of the tool's answer, to different queries by turns."""
    toolkit = Toolkit(catalog)
    times: tuple[list[float], list[float]] = ([], [])
    for number, text in enumerate(asked[:QUERIES]):
        began = clock()
        if number % 2:
            toolkit.call("describe_skill", {"name": text})
        else:
            catalog.search(text)
        times[number % 2].append(clock() - began)
    searching, describing = (round(statistics.median(each[1:]) * 1000, 3) for each in times)
    return {"search_ms": searching, "describe_ms": describing}


def _two_threads(catalog: SkillCatalog, asked: Sequence[str]) -> float:
    """Return what two threads search in a time, as a multiple of what one does; the middle of some turns."""
    half = len(asked) // 2

    def search(texts: Sequence[str]) -> None:
        for text in texts:
            catalog.search(text)

    gains = []
    for _ in range(TURNS):
        began = time.perf_counter()
        search(asked)
        alone = time.perf_counter() - began
        threads = [threading.Thread(target=search, args=(part,)) for part in (asked[:half], asked[half:])]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gains.append(alone / (time.perf_counter() - began))
    return round(statistics.median(gains), 2)


def _command(folder: Path, *asked: str, most: int = TURNS) -> list[float]:
    """Return the least seconds of a search from the command line, with the files in the system's cache."""
    arguments = ("-m", "skill_index", "search", "--path", str(folder), "--hidden", "--nested", *asked)
    took = [_process(*arguments)]
    while took[0][0] < QUICK and len(took) < most:
        took.append(_process(*arguments))
    return _least(took)


def _least(times: Sequence[tuple[float, float]]) -> list[float]:
    """Return the least of the wall's and the least of the processor's."""
    return [min(each) for each in zip(*times, strict=True)]


def _middle(act: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Return the median milliseconds of doing something a few times, once if it is slow."""
    took: list[float] = []
    while len(took) < TURNS and sum(took) < QUICK:
        before()
        began = clock()
        act()
        took.append(clock() - began)
    return round(statistics.median(took) * 1000, 2)


def _process(*arguments: str) -> tuple[float, float]:
    """Return the seconds, wall and processor, of a fresh Python; it may end with 1, "nothing found"."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
