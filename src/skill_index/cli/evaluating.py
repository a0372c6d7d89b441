"""The command `eval`: judged sets measured, compared and written as a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skill_index.cli.options import Json
from skill_index.cli.places import LateBar, open_index
from skill_index.errors import SkillIndexError

if TYPE_CHECKING:
    from skill_index.evaluation import Comparison, JudgedSet, Report, SetReport
    from skill_index.evaluation.compare import Move
    from skill_index.evaluation.report import Row
    from skill_index.evaluation.trec import Run
    from skill_index.model import Skill

_MOVES = 10  # moves shown of each set; JSON has all


def evaluate_sets(
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...",
            help="Folders with queries.jsonl, qrels.tsv and skills.jsonl; with --run also a TREC qrels file; "
            "with --compare two reports.",
        ),
    ],
    *,
    path: Annotated[
        list[Path] | None,
        typer.Option("--path", "-p", help="Folder of the skills, in place of skills.jsonl; may be repeated."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            help="What to tell the difference to: flat, no-bodies, no-gate, no-synonyms, or a JSON report.",
        ),
    ] = None,
    distractors: Annotated[
        Path | None,
        typer.Option(
            "--distractors", help="Folder or archive of other skills to hide the needed ones among."
        ),
    ] = None,
    run: Annotated[
        Path | None, typer.Option("--run", help="A TREC run to measure in place of the search.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Hits of an answer.")] = 10,
    page: Annotated[Path | None, typer.Option("--report", help="Write an HTML page with plots.")] = None,
    comparing: Annotated[
        bool, typer.Option("--compare", help="Tell what moved between two JSON reports, the older first.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure how well judged queries are answered; exit 1 where no two reports share a set."""
    if comparing:
        raise typer.Exit(_compare(places, as_json=as_json))
    report = _measured(places, path or [], baseline, distractors, run, limit)
    if page is not None:
        _write(page, report)
    if as_json:
        typer.echo(report.to_json())
    else:
        _show(report)


def _measured(
    places: Sequence[Path],
    paths: list[Path],
    baseline: str | None,
    distractors: Path | None,
    run: Path | None,
    limit: int,
) -> Report:
    from skill_index.evaluation import Report, load_run

    pool: tuple[Skill, ...] = _pool(distractors) if distractors is not None else ()
    own = tuple(open_index(paths, hidden=False, nested=False).snapshot().values()) if paths else ()
    old = _read_report(Path(baseline)) if baseline is not None and Path(baseline).is_file() else None
    lists = load_run(run) if run is not None else None
    if lists is not None and (pool or own):
        message = "--run brings its own answers; leave out --path and --distractors"
        raise SkillIndexError(message)
    sets = []
    for place in places:
        if lists is not None:
            sets.append(_run_report(place, lists, limit, baseline, old))
        else:
            sets.append(_set_report(place, own, pool, limit, baseline, old))
    return Report(sets=tuple(sets))


def _run_report(place: Path, lists: Run, limit: int, baseline: str | None, old: Report | None) -> SetReport:
    from skill_index.evaluation import evaluate_run
    from skill_index.evaluation.trec import judged_by

    judged = judged_by(place)
    if baseline is not None and old is None:
        message = f"--run is compared with a JSON report, and {baseline!r} is no file"
        raise SkillIndexError(message)
    before = _of(old, judged, baseline)
    return evaluate_run(judged, lists, limit=limit, baseline=before, baseline_name=baseline or "")


def _set_report(
    place: Path,
    own: tuple[Skill, ...],
    pool: tuple[Skill, ...],
    limit: int,
    baseline: str | None,
    old: Report | None,
) -> SetReport:
    from skill_index.catalog import SkillCatalog
    from skill_index.evaluation import JudgedSet, evaluate, new_skills, variant

    judged = JudgedSet.load(place)
    skills = own or judged.skills
    added = new_skills(pool, skills)
    if pool:
        typer.echo(f"{judged.name}: {len(added)} of {len(pool)} skills came in as distractors", err=True)
    everything = (*skills, *added)

    def asked(catalog: SkillCatalog, doing: str, before: SetReport | None) -> SetReport:
        with LateBar(f"indexing {judged.name}") as bar:
            catalog.ranker(bar)
        with LateBar(doing, "queries") as bar:
            return evaluate(
                judged,
                catalog=catalog,
                distractors=len(added),
                limit=limit,
                baseline=before,
                baseline_name=baseline or "",
                progress=bar,
            )

    before = _of(old, judged, baseline)
    if baseline is not None and old is None:
        before = asked(variant(baseline, everything), f"asking {judged.name}, {baseline}", None)
    return asked(SkillCatalog(everything), f"asking {judged.name}", before)


def _of(old: Report | None, judged: JudgedSet, name: str | None) -> SetReport | None:
    """Return what an earlier report says about a set."""
    if old is None:
        return None
    found = old.set_named(judged.name)
    if found is None:
        message = f"the report {name!r} has no set {judged.name!r}; measure that set first"
        raise SkillIndexError(message)
    return found


def _pool(place: Path) -> tuple[Skill, ...]:
    from skill_index.evaluation import read_pool

    with LateBar("reading distractors") as bar:
        return read_pool(place, bar)


def _read_report(place: Path) -> Report:
    from skill_index.evaluation import Report
    from skill_index.evaluation.files import read_text

    return Report.from_json(read_text(place), str(place))


def _write(page: Path, report: Report) -> None:
    from skill_index.evaluation import html_report

    text = html_report(report)
    try:
        page.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        message = f"cannot write {str(page)!r}: {error.strerror or type(error).__name__}"
        raise SkillIndexError(message) from error


def _compare(places: Sequence[Path], *, as_json: bool) -> int:
    from skill_index.evaluation import compare

    if len(places) != 2:
        message = f"--compare takes two reports, the older first, not {len(places)}"
        raise SkillIndexError(message)
    found = compare(_read_report(places[0]), _read_report(places[1]))
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
    else:
        _show_comparison(found)
    return 0 if found.sets else 1


def _show(report: Report) -> None:
    from skill_index.cli.show import show_counts, show_line
    from skill_index.evaluation import MEASURES

    columns = ("queries", *MEASURES)
    head = ("set", "skills", *columns, "p50 ms", "p95 ms")
    rows = [(each.name, str(each.skills), *_figures(each.rows[0]), *_times(each)) for each in report.sets]
    show_counts(head, rows, most=None)
    for each in report.sets:
        if each.baseline is not None:
            show_counts(
                (f"{each.name}, less {each.baseline}", *columns), [*map(_gained, each.rows)], most=None
            )
        kinds = [(row.name, *_figures(row)) for row in each.rows[1:]]
        show_counts((f"{each.name}, by kind", *columns), kinds, most=None)
    told = [each for each in report.sets if each.abstention is not None]
    for each in told:
        found = each.abstention
        if found is not None:
            show_line(
                f"{each.name}: answered strong or exact: {found.strong_positives:.1%} of {found.positives} "
                f"queries, {found.strong_negatives:.1%} of {found.negatives} negatives"
            )


def _figures(row: Row) -> Iterable[str]:
    return (str(row.queries), *(f"{100 * found.mean:.1f}" for found in row.metrics.values()))


def _gained(row: Row) -> tuple[str, ...]:
    gained = (row.delta or {}).values()
    return (
        row.name,
        str(row.queries),
        *(f"{100 * each.mean:+.1f} ({100 * each.low:+.1f} to {100 * each.high:+.1f})" for each in gained),
    )


def _times(report: SetReport) -> tuple[str, str]:
    if report.latency is None:
        return ("-", "-")
    return (f"{report.latency.p50:.1f}", f"{report.latency.p95:.1f}")


def _show_comparison(found: Comparison) -> None:
    from skill_index.cli.show import show_counts, show_line

    for each in found.sets:
        told = f"{each.name}: {each.queries} queries, {each.better} better, {each.worse} worse"
        if each.delta is not None:
            told += f"; nDCG@10 {100 * each.delta.mean:+.2f} ({100 * each.delta.low:+.2f} to {100 * each.delta.high:+.2f})"
        show_line(told)
        losses = [move for move in each.moves if move.delta < 0][:_MOVES]
        gains = [move for move in reversed(each.moves) if move.delta > 0][:_MOVES]
        show_counts(("query", "first needed", "nDCG@10"), [*map(_moved, (*losses, *gains))], most=None)
        for move in losses:
            show_line(f"{move.id} needs {', '.join(move.needed)}")
            for side, hits in (("before", move.before), ("after", move.after)):
                for hit in hits[:1]:
                    from skill_index.evaluation.html import why

                    show_line(f"  {side}: {hit.name}: {why(hit)}")
    for name in found.only_before:
        show_line(f"{name} is in the older report only")
    for name in found.only_after:
        show_line(f"{name} is in the newer report only")


def _moved(move: Move) -> tuple[str, str, str]:
    ranks = " to ".join(str(rank) if rank else "none" for rank in (move.rank_before, move.rank_after))
    return (f"{move.id} {move.text}", ranks, f"{100 * move.delta:+.1f}")
