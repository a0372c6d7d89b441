"""The tables of the speed section of the benchmark page, made from the result file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.systems import OURS
from benchmarks.tables import table
from benchmarks.timing.entrants import REFERENCE
from benchmarks.timing.texts import AGAIN, LENGTHS, REQUIRED

BEGIN, END = "<!-- speed tables -->", "<!-- end of speed tables -->"
SHOWN = (f"{LENGTHS[0]} words", f"{LENGTHS[1]} words", AGAIN, REQUIRED, f"{LENGTHS[-1]} words")
MAIN = SHOWN[1]
COSTS = ("build_seconds", "build_processor_seconds", "added_mb")
FULL = 200  # queries of a kind that a system answers within its budget

DAILY = {
    "skills": "skills",
    "first_answer_seconds": "from files to the first answer, s",
    "first_answer_processor_seconds": "the same, of the processor",
    "command_seconds": "`skill-index search` as a process, files in the system's cache, s",
    "command_processor_seconds": "the same, of the processor",
    "stored_seconds": "`skill-index search --store` as a process, with nothing changed since the last, s",
    "stored_processor_seconds": "the same, of the processor",
    "refresh_ms": "`refresh()` that finds nothing new, ms",
    "refresh_edited_ms": "`refresh()` that finds one skill saved, ms",
    "search_ms": "`search`, 5 words, ms",
    "describe_ms": '`toolkit.call("describe_skill", ...)`, 5 words, ms',
    "two_threads": "searches of two threads in the time of one thread's, as a multiple",
}
STARTS = {
    "python_ms": "`python -c pass`, ms",
    "import_ms": '`python -c "import skill_index"`, ms',
    "help_ms": "`skill-index --help`, from start to end, ms",
}

Row = Mapping[str, Any]
Set = Mapping[str, Any]


def render(figures: Mapping[str, Any]) -> str:
    """Return the tables for all that is in the result file."""
    sets: Mapping[str, Set] = figures["sets"]
    parts = ["This library's cost as a multiple of that of one-field tantivy:", _beside(sets)]
    for of_set in sets.values():
        parts += [f"{title(of_set)}; ms are p50 / p95:", _contest(of_set["systems"])]
    parts += [_notes(figures)]
    if figures["daily"]:
        parts += ["What else users of this library wait for:", _daily(figures["daily"]), _starts(figures)]
    versions = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    parts.append(f"Versions: {versions}.")
    return "\n\n".join(parts)


def title(of_set: Set) -> str:
    """Return what a set is called."""
    return f"{of_set['skills']:,} {'real skills, with bodies' if of_set['real'] else 'synthetic skills'}"


def p50(row: Row, kind: str) -> float | None:
    """Return the median milliseconds of a kind of query, None where there is none."""
    found = row.get("kinds", {}).get(kind, {}).get("p50_ms")
    return None if found is None else float(found)


def _beside(sets: Mapping[str, Set]) -> str:
    lines = []
    for of_set in sets.values():
        ours, theirs = (of_set["systems"].get(name, {}) for name in (OURS, REFERENCE))
        costs = [_ratio(ours.get(what), theirs.get(what)) for what in COSTS]
        costs += [_ratio(p50(ours, kind), p50(theirs, kind)) for kind in SHOWN]
        lines.append([title(of_set), *costs])
    return table(["", "build, wall", "build, processor", "memory", *SHOWN], lines)


def _contest(systems: Mapping[str, Row]) -> str:
    heads = ["system", "build, s: wall / processor", "memory, MB", *SHOWN, "tantivy = 1", "ours = 1", "found"]
    lines = []
    for name, row in systems.items():
        if "build_seconds" not in row:
            lines.append([name, _no_build(row), *[""] * (len(heads) - 2)])
            continue
        ratios = [_ratio(p50(row, MAIN), p50(systems.get(other, {}), MAIN)) for other in (REFERENCE, OURS)]
        kinds = [_times(row["kinds"][kind], plain=kind == REQUIRED and not row["requires"]) for kind in SHOWN]
        found = row["kinds"][MAIN].get("found")
        share = "" if found is None else f"{found:.0%}"
        wall, processor, memory = (number(row[what]) for what in COSTS)
        lines.append([name, f"{wall} / {processor}", memory, *kinds, *ratios, share])
    return table(heads, lines)


def _no_build(row: Row) -> str:
    return f"over budget ({row['over_budget']:g} s)" if "over_budget" in row else f"failed ({row['failed']})"


def _times(found: Row, *, plain: bool) -> str:
    if "ended" in found:
        return "ended"
    if "over_seconds" in found:
        return f"over budget ({number(found['over_seconds'])} s)"
    few = "\\*" if found["queries"] < FULL else ""
    return f"{number(found['p50_ms'])} / {number(found['p95_ms'])}{few}{'†' if plain else ''}"


def _notes(figures: Mapping[str, Any]) -> str:
    budgets = sorted({(each["build_budget"], each["query_budget"]) for each in figures["sets"].values()})
    told = " or ".join(f"{build:g} s for a build, {queries:g} s for a kind" for build, queries in budgets)
    notes = [f"\\* Fewer than {FULL} queries, as many as its budget allowed ({told})."]
    notes.append("† It has no operator for that and read the required word as any other.")
    notes += [f"Skipped: {reason}." for reason in figures["skipped"]]
    runs = ", ".join(f"{title(of_set)} {of_set['run']}" for of_set in figures["sets"].values())
    notes.append(f"Measured on {figures['machine']} at (UTC): {runs}.")
    return "\n".join(f"{note}  " for note in notes).rstrip()


def _daily(daily: Mapping[str, Any]) -> str:
    folders = daily["folders"]
    measured = {name: told for name, told in DAILY.items() if all(name in each for each in folders.values())}
    lines = [[told, *(number(each[name]) for each in folders.values())] for name, told in measured.items()]
    return table(["", *folders], lines)


def _starts(figures: Mapping[str, Any]) -> str:
    starts = figures["daily"]["starts"]
    lines = [[told, *map(number, starts[name])] for name, told in STARTS.items()]
    return table(["processes, the least of some", "wall", "processor"], lines)


def _ratio(cost: float | None, other: float | None) -> str:
    return "" if not cost or not other else number(cost / other)


def number(value: float) -> str:
    """
    Return a figure with the digits that mean something.

    >>> number(0.04912), number(4.91), number(49.1), number(15127)
    ('0.049', '4.9', '49', '15,127')
    """
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"
