"""The commands: each opens an index, asks it, and shows the answer to a person or a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import skill_index
from skill_index.cli.evaluating import evaluate_sets
from skill_index.cli.options import Hidden, Json, Nested, Paths, Store, folder_path
from skill_index.cli.places import LateBar, open_index
from skill_index.cli.serving import mcp
from skill_index.cli.usage import usage
from skill_index.cli.using import load, read, run, show_reply, toolkit_for, watch
from skill_index.findings import Severity
from skill_index.text import as_utf8, well_formed

app = typer.Typer(
    help="Search, describe, load and try skills: folders with a SKILL.md.\n\n"
    "Exit codes: 0 found or valid, 1 nothing found or errors in skills, 2 could not look.",
    no_args_is_help=True,
    add_completion=False,
    # Plain help starts in half the time; rich is loaded for tables only.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"skill-index {skill_index.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Hold the options that come before a command."""


Limit = Annotated[int | None, typer.Option("--limit", "-n", min=0, help="Hits at most (default 5).")]


@app.command()
def search(
    query: Annotated[
        list[str],
        typer.Argument(
            parser=as_utf8, metavar="QUERY", help="Words, +required, select:a,b, or a skill's name."
        ),
    ],
    path: Paths = None,
    limit: Limit = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show why each hit matched.")] = False,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
    store: Store = None,
) -> None:
    """Rank the skills that fit a query."""
    catalog = open_index(path or [], hidden=hidden, nested=nested, store=store).snapshot()
    with LateBar("indexing") as bar:
        catalog.ranker(bar)
    results = catalog.search(well_formed(" ".join(query)), limit=limit)
    if as_json:
        from skill_index.render import Locations
        from skill_index.tools.describe import results_data

        typer.echo(results_data(results, Locations()).model_dump_json(indent=2))
    else:
        from skill_index.cli.show import show_results

        show_results(results, explain=explain)
    raise typer.Exit(0 if results.state != "none" else 1)


@app.command()
def describe(
    name: Annotated[
        list[str],
        typer.Argument(parser=as_utf8, metavar="NAME", help="A skill's name, select:a,b, or words."),
    ],
    path: Paths = None,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
    store: Store = None,
) -> None:
    """Print what the describe_skill tool answers to a model."""
    toolkit = toolkit_for(path, hidden=hidden, nested=nested, store=store)
    show_reply(toolkit.call("describe_skill", {"name": well_formed(" ".join(name))}), as_json=as_json)


@app.command("list")
def list_skills(
    pattern: Annotated[
        list[str] | None,
        typer.Argument(parser=as_utf8, metavar="PATTERN", help="Name patterns, such as 'git-*'."),
    ] = None,
    path: Paths = None,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """List skills by name."""
    from skill_index.cli.listing import list_json

    index = open_index(path or [], hidden=hidden, nested=nested)
    catalog = index.snapshot().only(pattern or None)
    if as_json:
        typer.echo(list_json(catalog))
    else:
        from skill_index.cli.show import show_list

        show_list(catalog)
    raise typer.Exit(0 if len(catalog) else 1)


@app.command()
def validate(
    folder: Annotated[
        list[Path] | None,
        typer.Argument(parser=folder_path, metavar="FOLDER", help="Folders or SKILL.md files to check."),
    ] = None,
    path: Paths = None,
    strict: Annotated[bool, typer.Option("--strict", help="Apply every rule of the format.")] = False,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Print every problem in skills, like a compiler; exit 1 if any is an error."""
    from skill_index.cli.listing import findings_json, findings_text

    paths = [*(folder or []), *(path or [])]
    index = open_index(paths, hidden=hidden, nested=nested, strict=strict)
    typer.echo(findings_json(index.snapshot()) if as_json else findings_text(index.snapshot()))
    errors = sum(finding.severity is Severity.ERROR for finding in index.findings)
    raise typer.Exit(1 if errors else 0)


@app.command()
def prompt(
    path: Paths = None,
    budget: Annotated[int, typer.Option("--budget", "-b", min=0, help="Tokens at most.")] = 2000,
    form: Annotated[str, typer.Option("--form", help="Markup: index, available_skills or names.")] = "index",
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Print the index section for a system prompt, and on stderr what it costs and leaves out."""
    from skill_index.prompt import build_section
    from skill_index.prompt.rows import FORMS

    if form not in FORMS:
        raise typer.BadParameter(f"there is no form {form!r}; take one of {', '.join(FORMS)}")
    index = open_index(path or [], hidden=hidden, nested=nested)
    section = build_section(index, budget_tokens=budget, form=form)
    if as_json:
        from skill_index.cli.listing import section_json

        typer.echo(section_json(section))
    else:
        typer.echo(section.text)
        left_out = f"; left out: {section.dropped}" if section.dropped else ""
        cost = f"about {section.tokens} tokens for {section.total} skills ({section.step}){left_out}"
        typer.echo(cost, err=True)
    raise typer.Exit(0 if section.text else 1)


app.command("eval")(evaluate_sets)
for command in (load, read, run, watch, usage, mcp):
    app.command()(command)
