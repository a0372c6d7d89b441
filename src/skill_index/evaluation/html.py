"""
A report as one page that needs nothing beside it: no network, no script, no font.

Queries, names and groups come from strangers.  Each goes through `escape` into the text of an
element and never into an attribute, and the page forbids itself every other source of anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skill_index.evaluation.metrics import MEASURES
from skill_index.evaluation.plots import plot_abstention, plot_ranks, plot_rows
from skill_index.evaluation.report import HitReport, Interval, QueryReport, Report, Row, SetReport
from skill_index.text import escape

_WORST = 20  # queries and groups shown: what is worth reading, not all there is
_TEXT = 600  # characters of a query
_HITS = 3

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>skill_index evaluation</title>
<style>
body { font: 15px/1.45 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .2em .6em; border-bottom: 1px solid #ddd; text-align: right; }
th:first-child, td:first-child { text-align: left; }
td small { color: #666; display: block; }
svg { max-width: 100%; height: auto; }
details { border-left: 3px solid #ddd; padding-left: .8em; margin: .5em 0; }
.needed { font-weight: bold; }
</style>
</head>
<body>
<h1>How well skills are found</h1>
"""
_FOOT = "</body>\n</html>\n"


def html_report(report: Report) -> str:
    """Return the page; raises `SkillIndexError` where matplotlib is not installed."""
    parts = [_HEAD, _overview(report.sets)]
    for each in report.sets:
        parts += _set(each)
    return "".join((*parts, _FOOT))


def _overview(sets: Sequence[SetReport]) -> str:
    rows = [(each.name, each.rows[0]) for each in sets]
    plot = plot_rows(rows) if rows else ""
    return f"<h2>All sets</h2>\n{_table('set', rows)}{plot}\n"


def _set(report: SetReport) -> Iterable[str]:
    yield f"<h2>{escape(report.name)}</h2>\n<p>{escape(_said(report))}</p>\n"
    kinds = [(row.name, row) for row in report.rows]
    yield f"<h3>By kind of query</h3>\n{_table('kind', kinds)}{plot_rows(kinds)}\n"
    yield f"<h3>First needed skill</h3>\n{plot_ranks(report)}\n"
    if report.abstention is not None:
        found = report.abstention
        yield (
            f"<h3>Abstention</h3>\n<p>Answered strong or exact: {found.strong_positives:.1%} of"
            f" {found.positives} queries that a skill serves, {found.strong_negatives:.1%} of"
            f" {found.negatives} that none does.</p>\n{plot_abstention(found)}\n"
        )
    if report.groups:
        worst = sorted(report.groups, key=lambda row: (row.metrics["nDCG@10"].mean, row.name))[:_WORST]
        head = f"Groups: the weakest {len(worst)} of {len(report.groups)}"
        yield f"<h3>{head}</h3>\n{_table('group', [(row.name, row) for row in worst])}"
    yield from _worst(report.queries)


def _said(report: SetReport) -> str:
    said = [f"{report.rows[0].queries} queries over {report.skills} skills"]
    if report.distractors:
        said.append(f"{report.distractors} of them distractors")
    if report.latency is not None:
        said.append(f"{report.latency.p50:.1f} ms a query at the median, {report.latency.p95:.1f} at 95 %")
    if report.baseline is not None:
        said.append(f"differences are to {report.baseline}")
    return "; ".join(said) + "."


def _table(what: str, rows: Iterable[tuple[str, Row]]) -> str:
    head = "".join(f"<th>{name}</th>" for name in (what, "queries", *MEASURES))
    body = "".join(_row(name, row) for name, row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>\n"


def _row(name: str, row: Row) -> str:
    cells = "".join(
        _cell(row.metrics[measure], row.delta[measure] if row.delta is not None else None)
        for measure in MEASURES
    )
    return f"<tr><td>{escape(name, 80)}</td><td>{row.queries}</td>{cells}</tr>\n"


def _cell(found: Interval, delta: Interval | None) -> str:
    told = f"{100 * found.low:.1f} to {100 * found.high:.1f}"
    gained = f"<small>{_signed(delta)}</small>" if delta is not None else ""
    return f"<td>{100 * found.mean:.1f}<small>{told}</small>{gained}</td>"


def _signed(delta: Interval) -> str:
    return f"{100 * delta.mean:+.1f} ({100 * delta.low:+.1f} to {100 * delta.high:+.1f})"


def _worst(queries: Iterable[QueryReport]) -> Iterable[str]:
    ordered = sorted(queries, key=lambda query: (query.metrics["nDCG@10"], query.id))
    missed = [query for query in ordered if query.metrics["nDCG@10"] < 1][:_WORST]
    yield f"<h3>Worst queries: {len(missed)}</h3>\n"
    for query in missed:
        rank = f"first needed at {query.rank}" if query.rank else "none needed among the hits"
        yield (
            f"<details><summary>{escape(query.id, 80)}: nDCG@10 {100 * query.metrics['nDCG@10']:.1f}, {rank}"
            f"</summary>\n<p>{escape(query.text, _TEXT)}</p>\n"
            f"<p>needs {escape(', '.join(query.needed), _TEXT)}</p>\n{_hits(query)}</details>\n"
        )


def _hits(query: QueryReport) -> str:
    shown = [(place, hit) for place, hit in enumerate(query.hits, start=1) if place <= _HITS or hit.grade > 0]
    rows = "".join(_hit(place, hit) for place, hit in shown)
    head = "<th>hit</th><th>score</th><th>why</th>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>\n"


def _hit(place: int, hit: HitReport) -> str:
    name = f"{place}. {escape(hit.name, 80)}"
    marked = f'<span class="needed">{name}</span>' if hit.grade > 0 else name
    return f"<tr><td>{marked}</td><td>{hit.score:.2f}</td><td>{escape(why(hit), _TEXT)}</td></tr>\n"


def why(hit: HitReport) -> str:
    """Return the evidence of a hit in one line, strongest first."""
    return "; ".join(
        f"{piece.word} ({piece.how} in {', '.join(piece.fields)}: {piece.score:.2f})"
        for piece in hit.evidence
    )
