"""Tables of figures for people: what an evaluation found, and what moved between two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skill_index.cli.show import show_counts, show_line
from skill_index.evaluation import MEASURES, Comparison, Report, SetReport
from skill_index.evaluation.compare import MEASURE, Move, SetComparison
from skill_index.evaluation.html import why
from skill_index.evaluation.report import HitReport, Interval, Row
from skill_index.text import one_line

_MOVES = 10  # losses and gains shown of each set; JSON has all
_COLUMNS = ("queries", *MEASURES)


def show_report(report: Report) -> None:
    """Print the figures of every set, then by kind of query, what was gained, and abstention."""
    head = ("set", "skills", *_COLUMNS, "p50 ms", "p95 ms")
    rows = [(each.name, str(each.skills), *_figures(each.rows[0]), *_times(each)) for each in report.sets]
    show_counts(head, rows, most=None)
    for each in report.sets:
        kinds = [(row.name, *_figures(row)) for row in each.rows[1:]]
        show_counts((each.name, *_COLUMNS), kinds, most=None)
        if each.baseline is not None:
            _show_gains(each.baseline, each)
    _show_abstention(report.sets)


def _show_gains(baseline: str, report: SetReport) -> None:
    measured = [(row.name, row.delta[MEASURE]) for row in report.rows if row.delta is not None]
    first = report.rows[0].delta or {}
    gains = [(name, _signed(gained)) for name, gained in first.items()]
    gains += [(f"{MEASURE}, {name}", _signed(gained)) for name, gained in measured[1:]]
    show_counts((f"{report.name}, less {baseline}", "mean and 95 % interval"), gains, most=None)


def _show_abstention(sets: Sequence[SetReport]) -> None:
    rows = [
        (
            each.name,
            str(found.positives),
            f"{found.strong_positives:.1%}",
            str(found.negatives),
            f"{found.strong_negatives:.1%}",
        )
        for each in sets
        if (found := each.abstention) is not None
    ]
    head = ("answered strong or exact", "positives", "share", "negatives", "share")
    show_counts(head, rows, most=None)


def _figures(row: Row) -> Iterable[str]:
    return (str(row.queries), *(f"{100 * row.metrics[measure].mean:.1f}" for measure in MEASURES))


def _times(report: SetReport) -> tuple[str, str]:
    found = report.latency
    return (f"{found.p50:.1f}", f"{found.p95:.1f}") if found is not None else ("-", "-")


def _signed(gained: Interval) -> str:
    return f"{100 * gained.mean:+.2f} ({100 * gained.low:+.2f} to {100 * gained.high:+.2f})"


def show_comparison(found: Comparison) -> None:
    """Print for each set how many queries moved, the greatest losses and gains, and why."""
    for each in found.sets:
        told = f"{each.name}: {each.queries} queries, {each.better} better, {each.worse} worse"
        gained = f"; {MEASURE} {_signed(each.delta)}" if each.delta is not None else ""
        show_line(told + gained)
        for one, count in (("older", each.only_before), ("newer", each.only_after)):
            if count:
                show_line(f"{count} queries are in the {one} report only, and not compared")
        _show_moves(each)
    for one, names in (("older", found.only_before), ("newer", found.only_after)):
        for name in names:
            show_line(f"{name} is in the {one} report only")


def _show_moves(found: SetComparison) -> None:
    losses = [move for move in found.moves if move.delta < 0][:_MOVES]
    gains = [move for move in reversed(found.moves) if move.delta > 0][:_MOVES]
    for move in (*losses, *gains):
        places = " to ".join(str(rank) if rank else "none" for rank in (move.rank_before, move.rank_after))
        needs = ", ".join(move.needed)
        show_line(f"{100 * move.delta:+.1f} {move.id}: {_short(move)}; needs {needs}, first at {places}")
        _show_first("before", move.before)
        _show_first("after", move.after)


def _show_first(side: str, hits: Sequence[HitReport]) -> None:
    show_line(f"{side}: {hits[0].name}: {why(hits[0])}" if hits else f"{side}: no hit")


def _short(move: Move) -> str:
    return one_line(move.text, 100)
