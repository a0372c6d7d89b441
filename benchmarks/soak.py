"""
Search skills while they change, for a while, and hold every answer against what was on disk.

    python benchmarks/soak.py [--seconds 60] [--skills 1000] [--json FILE]

Two threads look and search by word and by name, a third edits, adds, removes and renames.  A
registry says which version of each skill was on disk when.  An answer is wrong if it shows a version
that was not there at any time since its look began, if the name, description and body of a hit are
not of one version, or if a skill asked for by name is missing though it was there all the time.
Every request looks (`refresh_interval=0`), as with a small index by default.  Exits 1 when an
answer was wrong.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from skill_index import Skill, SkillCatalog, SkillIndex

RESULTS = Path(__file__).parent / "results" / "soak.json"
WORDS = ("podcast", "forms", "charts", "deployment", "spreadsheet", "review", "invoice", "translation")
SEARCHERS = 2
REQUEST_SEARCHES = 10
EDIT_SECONDS = 0.1  # between two edits: more than any user makes, and time left to search
WARM_SHARE = 0.2  # of the time, after which memory should stand still
_VERSION = re.compile(r"v(\d{8})\b")


@dataclass(slots=True)
class Registry:
    """Which version of each skill was on disk from when to when; a version begins before it is written."""

    spans: dict[int, tuple[str, float, float]] = field(default_factory=dict)
    now: dict[str, int] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def begin(self, name: str) -> int:
        """Return a new version of a skill, which may be seen from now on."""
        version = next(self._numbers)
        self.spans[version] = (name, time.monotonic(), float("inf"))
        return version

    def written(self, name: str, version: int | None) -> None:
        """Say that a version is there, None for no skill, so that the one before is not any more."""
        before = self.now.pop(name, None)
        if version is not None:
            self.now[name] = version
            self.began.setdefault(name, time.monotonic())
        if before is not None:
            _, start, _ = self.spans[before]
            self.spans[before] = (name, start, time.monotonic())

    def fault(self, skill: Skill, since: float) -> str:
        """Return what is wrong with a skill that a search begun at `since` gave, "" if nothing."""
        told = {found for text in (skill.description, skill.instructions) for found in _VERSION.findall(text)}
        if len(told) != 1:
            return "torn"
        name, _, end = self.spans[int(told.pop())]
        if name != skill.name:
            return "misnamed"
        return "stale" if end < since else ""


class Folder:
    """The skills on disk, and what is done to them."""

    def __init__(self, root: Path, skills: int, rng: random.Random) -> None:
        self.root, self.rng, self.registry = root, rng, Registry()
        self.counts: Counter[str] = Counter()
        self._places: dict[str, Path] = {}
        self._numbers = itertools.count()
        for _ in range(skills):
            self.add()
        self.counts.clear()

    def step(self) -> None:
        """Do one random thing."""
        do = self.rng.choice([self.edit, self.edit, self.edit_same_size, self.add, self.remove, self.rename])
        do()

    def add(self) -> None:
        """Put a new skill there."""
        number = next(self._numbers)
        name = f"skill-{number}"
        self._places[name] = self.root / f"group-{number % 20}" / name
        self._places[name].mkdir(parents=True)
        self._write(name, self.rng.sample(WORDS, 3))
        self.counts["add"] += 1

    def edit(self) -> None:
        """Save another text of another length."""
        self._write(self._any(), self.rng.choices(WORDS, k=self.rng.randint(1, 6)))
        self.counts["edit"] += 1

    def edit_same_size(self) -> None:
        """Save a text that differs in the digits of its version only."""
        name = self._any()
        version = self.registry.begin(name)
        file = self._places[name] / "SKILL.md"
        self._save(file, _VERSION.sub(f"v{version:08d}", file.read_text("utf-8")))
        self.registry.written(name, version)
        self.counts["same-size edit"] += 1

    def remove(self) -> None:
        """Take a skill away with its folder."""
        name = self._any()
        self.registry.began.pop(name)
        (self._places[name] / "SKILL.md").unlink()
        self.registry.written(name, None)
        self._places.pop(name).rmdir()
        self.counts["remove"] += 1

    def rename(self) -> None:
        """Give a skill's folder another name."""
        name = self._any()
        place = self._places[name]
        self._places[name] = place.rename(place.with_name(f"{name}-{self.rng.randrange(1_000_000)}"))
        self.counts["rename"] += 1

    def _any(self) -> str:
        return self.rng.choice(list(self._places))

    def _write(self, name: str, words: list[str]) -> None:
        version = self.registry.begin(name)
        told = f"For {' and '.join(words)}, v{version:08d}."
        self._save(
            self._places[name] / "SKILL.md", f"---\nname: {name}\ndescription: {told}\n---\n# Steps\n{told}\n"
        )
        self.registry.written(name, version)

    def _save(self, file: Path, text: str) -> None:
        new = file.with_name(".new")
        new.write_text(text, "utf-8")
        new.replace(file)


@dataclass(slots=True)
class Searches:
    """What the searching threads saw."""

    look_ms: list[float] = field(default_factory=list)
    search_ms: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)
    raised: list[BaseException] = field(default_factory=list)

    def run(self, index: SkillIndex, registry: Registry, rng: random.Random, stop: threading.Event) -> None:
        """Search until it is time to stop."""
        try:
            while not stop.is_set():
                self._request(index, registry, rng)
        except Exception as error:  # noqa: BLE001 - told at the end, when every thread is done
            self.raised.append(error)
            stop.set()

    def _request(self, index: SkillIndex, registry: Registry, rng: random.Random) -> None:
        """Look once and search a few times, as a host does for one request."""
        since = time.monotonic()
        catalog = index.snapshot()
        self.look_ms.append((time.monotonic() - since) * 1000)
        for _ in range(REQUEST_SEARCHES):
            self._search(catalog, registry, rng, since)

    def _search(self, catalog: SkillCatalog, registry: Registry, rng: random.Random, since: float) -> None:
        asked = rng.choice(list(registry.began.copy())) if rng.random() < 0.5 else ""
        begun = time.monotonic()
        results = catalog.search(asked or " ".join(rng.sample(WORDS, 2)), limit=10)
        self.search_ms.append((time.monotonic() - begun) * 1000)
        for hit in results.hits:
            fault = registry.fault(hit.skill, since)
            self.wrong.update([fault] if fault else [])
        # There before the look and after the search, never away: then it must be found.
        if asked and registry.began.get(asked, since) < since and asked not in results.names:
            self.wrong.update(["missing"])


def main() -> int:
    """Run the soak and return the exit code."""
    parser = argparse.ArgumentParser(description="Search skills while they change.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--skills", type=int, default=1000)
    parser.add_argument("--json", type=Path, default=RESULTS, help="write the figures to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        figures = soak(Path(root) / "skills", options.skills, options.seconds)
    report(figures)
    options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 1 if figures["wrong_answers"] else 0


def soak(root: Path, skills: int, seconds: float) -> dict[str, Any]:
    """Search and edit for the time, and return the figures."""
    folder = Folder(root, skills, random.Random(1))  # noqa: S311 - edits, no secrets
    index = SkillIndex.from_paths(root, refresh_interval=0)
    index.search(WORDS[0])
    swaps: list[object] = []
    index.on_change(lambda _: swaps.append(None))
    searches, stop, memory = Searches(), threading.Event(), [resident_mb()]
    threads = [
        threading.Thread(target=searches.run, args=(index, folder.registry, rng, stop))
        for rng in map(random.Random, range(SEARCHERS))
    ]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    while (passed := time.monotonic() - began) < seconds and not stop.is_set():
        folder.step()
        if len(memory) == 1 and passed > seconds * WARM_SHARE:
            memory.append(resident_mb())
        stop.wait(EDIT_SECONDS)
    stop.set()
    for thread in threads:
        thread.join()
    if searches.raised:
        raise searches.raised[0]
    fresh = SkillIndex.from_paths(root)
    if dict(index.snapshot()) != dict(fresh.snapshot()):
        searches.wrong["not as a fresh index at the end"] += 1
    memory = [memory[0], memory[-1], resident_mb()]
    return figures_of(folder, searches, len(swaps), memory, {"seconds": seconds, "skills": skills})


def figures_of(
    folder: Folder, searches: Searches, swaps: int, memory: list[int], asked: dict[str, Any]
) -> dict[str, Any]:
    """Return what is written down."""
    start, warm, end = memory
    return {
        **asked,
        "looks": len(searches.look_ms),
        "searches": len(searches.search_ms),
        "edits": dict(sorted(folder.counts.items())),
        "refreshes": swaps,
        "wrong": dict(searches.wrong),
        "wrong_answers": sum(searches.wrong.values()),
        **percentiles("search_ms", searches.search_ms),
        **percentiles("look_ms", searches.look_ms),
        "memory_mb_start": start,
        "memory_mb_warm": warm,
        "memory_mb_end": end,
    }


def percentiles(name: str, values: list[float]) -> dict[str, float]:
    """Return the middle of the values, and what one in a hundred is above."""
    ordered = sorted(values)
    return {
        f"{name}_p50": round(ordered[len(ordered) // 2], 1),
        f"{name}_p99": round(ordered[len(ordered) * 99 // 100], 1),
    }


def resident_mb() -> int:
    """Return the memory this process holds now, 0 where the system does not say."""
    pages = Path("/proc/self/statm")
    if not pages.exists():
        return 0
    return int(pages.read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") // (1 << 20)


def report(figures: dict[str, Any]) -> None:
    """Print the figures for a person."""
    table = Table("what", "figure", title="soak")
    for name, value in figures.items():
        shown = (
            ", ".join(f"{count} {what}" for what, count in value.items())
            if name in {"edits", "wrong"}
            else value
        )
        table.add_row(name, str(shown or 0))
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
