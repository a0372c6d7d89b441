"""The command `eval`: judged sets measured, compared and written as a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from skill_index.cli.options import Json, path_option
from skill_index.cli.places import LateBar, open_index
from skill_index.errors import SkillIndexError

if TYPE_CHECKING:
    from skill_index.catalog import SkillCatalog
    from skill_index.evaluation import JudgedSet, Report, SetReport
    from skill_index.evaluation.trec import Run
    from skill_index.model import Skill


def evaluate_sets(
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR",
            help="Folders with queries.jsonl, qrels.tsv and skills.jsonl; with --run also a TREC qrels file; "
            "with --compare two reports.",
        ),
    ],
    *,
    path: Annotated[
        list[Path] | None,
        path_option("Folder of the skills, in place of skills.jsonl; may be repeated."),
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
        from skill_index.cli.measures import show_report

        show_report(report)


@dataclass(slots=True)
class _Bench:
    """What is measured with; `last` lends its word index to the next catalog, which shares the pool."""

    limit: int
    baseline: str | None
    old: Report | None
    own: tuple[Skill, ...] | None
    pool: tuple[Skill, ...]
    last: SkillCatalog | None = None

    def listed(self, place: Path, lists: Run) -> SetReport:
        """Return what the lists of another system are worth."""
        from skill_index.evaluation import evaluate_run
        from skill_index.evaluation.trec import judged_by

        judged = judged_by(place)
        return evaluate_run(
            judged,
            lists,
            limit=self.limit,
            baseline=self.before(judged),
            baseline_name=self.baseline or "",
        )

    def searched(self, place: Path) -> SetReport:
        """Return what the search is worth, after the named baseline where one is asked for."""
        from skill_index.catalog import SkillCatalog
        from skill_index.evaluation import JudgedSet, new_skills, variant

        judged = JudgedSet.load(place)
        skills = judged.skills if self.own is None else self.own
        added = new_skills(self.pool, skills)
        if self.pool:
            typer.echo(
                f"{judged.name}: {len(added)} of {len(self.pool)} skills came in as distractors", err=True
            )
        everything = (*skills, *added)
        before = self.before(judged)
        if self.baseline is not None and self.old is None:
            before = self.asked(judged, variant(self.baseline, everything), len(added), None)
        self.last = SkillCatalog(everything, before=self.last)
        return self.asked(judged, self.last, len(added), before)

    def asked(
        self, judged: JudgedSet, catalog: SkillCatalog, distractors: int, before: SetReport | None
    ) -> SetReport:
        """Return the report of a catalog, with a bar while it is indexed and asked."""
        from skill_index.evaluation import evaluate

        with LateBar(f"indexing {judged.name}") as bar:
            catalog.ranker(bar)
        with LateBar(f"asking {judged.name}", "queries") as bar:
            return evaluate(
                judged,
                catalog=catalog,
                distractors=distractors,
                limit=self.limit,
                baseline=before,
                baseline_name=self.baseline or "",
                progress=bar,
            )

    def before(self, judged: JudgedSet) -> SetReport | None:
        """Return what an earlier report says about a set."""
        if self.old is None:
            return None
        found = self.old.set_named(judged.name)
        if found is None:
            message = f"the report {self.baseline!r} has no set {judged.name!r}; measure that set first"
            raise SkillIndexError(message)
        return found


def _measured(
    places: Sequence[Path],
    paths: list[Path],
    baseline: str | None,
    distractors: Path | None,
    run: Path | None,
    limit: int,
) -> Report:
    from skill_index.evaluation import Report, load_run

    old = _read_report(Path(baseline)) if baseline is not None and Path(baseline).is_file() else None
    if run is not None:
        if paths or distractors is not None:
            message = "--run brings its own answers; leave out --path and --distractors"
            raise SkillIndexError(message)
        if baseline is not None and old is None:
            message = f"--run is compared with a JSON report, and {baseline!r} is no file"
            raise SkillIndexError(message)
        lists = load_run(run)
        bench = _Bench(limit, baseline, old, None, ())
        return Report(sets=_apart(bench.listed(place, lists) for place in places))
    own = tuple(open_index(paths, hidden=False, nested=False).snapshot().values()) if paths else None
    bench = _Bench(limit, baseline, old, own, _pool(distractors) if distractors is not None else ())
    return Report(sets=_apart(map(bench.searched, places)))


def _apart(reports: Iterable[SetReport]) -> tuple[SetReport, ...]:
    """Return the reports; raises `SkillIndexError` for two sets of one name."""
    sets: dict[str, SetReport] = {}
    for each in reports:
        if each.name in sets:
            message = f"two sets are called {each.name!r}; rename a folder, a comparison goes by names"
            raise SkillIndexError(message)
        sets[each.name] = each
    return tuple(sets.values())


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
        from skill_index.cli.measures import show_comparison

        show_comparison(found)
    return 0 if found.sets else 1
