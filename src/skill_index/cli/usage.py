"""The command `usage`: what a log of events says about the skills, in tables or as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skill_index.cli.options import Hidden, Json, Nested, path_option
from skill_index.cli.places import open_index
from skill_index.errors import SkillIndexError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skill_index.tools.events import Event
    from skill_index.tools.usage import Count, UsageReport


def usage(
    events: Annotated[
        Path, typer.Argument(metavar="EVENTS", help="The file an EventLog wrote: JSON, a line an event.")
    ],
    *,
    path: Annotated[
        list[Path] | None,
        path_option("Folder of the skills, to see which were never found; may be repeated."),
    ] = None,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Report which skills are found, missed and loaded; exit 1 if the file holds no event."""
    from skill_index.tools.usage import UsageReport

    told, unread = _read(events)
    catalog = open_index(path, hidden=hidden, nested=nested).snapshot() if path else None
    names = [entry.id for entry in catalog.entries] if catalog is not None else []
    report = UsageReport.of(told, names, unread=unread)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        _show(report)
    raise typer.Exit(0 if told else 1)


def _read(path: Path) -> tuple[list[Event], int]:
    from skill_index.tools.usage import read_events

    try:
        with path.open("rb") as lines:
            return read_events(lines)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        message = f"cannot read events from {str(path)!r}: {reason}; give the file that an EventLog writes"
        raise SkillIndexError(message) from error


def _show(report: UsageReport) -> None:
    from skill_index.cli.show import show_counts, show_line

    show_line(
        f"{report.events} events" + (f"; lines that hold none: {report.unread}" if report.unread else "")
    )
    show_counts(("calls", "count"), _rows(report.kinds))
    states = [(each.name, str(each.count), f"{each.share:.0%}") for each in report.states]
    show_counts(("answers", "count", "share"), states)
    show_counts(("queries that found little or nothing", "count"), _rows(report.missed))
    show_counts(("skills never found",), [(name,) for name in report.never_found])
    show_counts(("skills found, never loaded", "found"), _rows(report.never_loaded))
    loads = [(each.name, str(each.count), _rank(each.median_rank)) for each in report.loaded]
    show_counts(("skills loaded", "count", "median rank"), loads)
    show_counts(("refusals", "count"), _rows(report.refused))
    show_counts(("skills not in these folders",), [(name,) for name in report.elsewhere])


def _rows(counts: Iterable[Count]) -> list[tuple[str, str]]:
    return [(each.name, str(each.count)) for each in counts]


def _rank(median: float | None) -> str:
    return "-" if median is None else f"{median:g}"
