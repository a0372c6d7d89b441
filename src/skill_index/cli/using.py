"""The commands that use a skill as an agent does: load it, read its files, run its scripts, watch it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skill_index.cli.options import Hidden, Json, Nested, Paths
from skill_index.cli.places import open_index
from skill_index.text import as_utf8, printable, well_formed

if TYPE_CHECKING:
    from pathlib import Path

    from skill_index.running import ScriptRunner
    from skill_index.tools import Approval, Toolkit, ToolReply

Name = Annotated[str, typer.Argument(parser=as_utf8, metavar="NAME", help="The skill's name.")]
Offset = Annotated[int, typer.Option("--offset", min=1, help="Line to begin at.")]


def load(
    name: Name,
    path: Paths = None,
    offset: Offset = 1,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Print what the load_skill tool answers to a model: the instructions and what belongs to them."""
    toolkit = toolkit_for(path, hidden=hidden, nested=nested)
    show_reply(
        toolkit.call("load_skill", {"skill_name": well_formed(name), "offset": offset}), as_json=as_json
    )


def read(
    name: Name,
    resource: Annotated[
        str,
        typer.Argument(parser=as_utf8, metavar="RESOURCE", help="The file's name as listed; '.' lists them."),
    ] = ".",
    path: Paths = None,
    offset: Offset = 1,
    lines: Annotated[int | None, typer.Option("--lines", min=1, help="Lines at most.")] = None,
    outline: Annotated[bool, typer.Option("--outline", help="Only the headings.")] = False,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Print what the read_skill_resource tool answers: a page of a file of a skill."""
    toolkit = toolkit_for(path, hidden=hidden, nested=nested)
    arguments: dict[str, Any] = {"skill_name": well_formed(name), "resource_name": well_formed(resource)}
    arguments |= {"offset": offset, "lines": lines, "outline": outline}
    show_reply(toolkit.call("read_skill_resource", arguments), as_json=as_json)


def run(
    name: Name,
    script: Annotated[
        str,
        typer.Argument(
            parser=as_utf8, metavar="SCRIPT", help="The script's name as listed, such as scripts/fill.py."
        ),
    ],
    argument: Annotated[
        list[str] | None, typer.Argument(help="Its arguments; behind -- if any has a dash.")
    ] = None,
    path: Paths = None,
    timeout: Annotated[float | None, typer.Option("--timeout", help="Seconds at most.")] = None,
    unconfined: Annotated[
        bool, typer.Option("--unconfined", help="Run it with your own rights, without a sandbox.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Run a script of a skill, in a bubblewrap sandbox, after asking; print what a model would read."""
    toolkit = toolkit_for(path, hidden=hidden, nested=nested, runner=_runner(unconfined=unconfined))
    if not yes:
        toolkit = toolkit.approving(_ask)
    arguments: dict[str, Any] = {"skill_name": well_formed(name), "script_name": well_formed(script)}
    arguments |= {"args": [well_formed(text) for text in argument or []], "timeout": timeout}
    show_reply(toolkit.call("run_skill_script", arguments), as_json=as_json)


def watch(
    path: Paths = None,
    interval: Annotated[
        float, typer.Option("--interval", min=0.05, max=86_400, help="Seconds between two looks.")
    ] = 1.0,
    changes: Annotated[int, typer.Option("--changes", min=0, help="Stop after so many (0: never).")] = 0,
    as_json: Json = False,
    hidden: Hidden = False,
    nested: Nested = False,
) -> None:
    """Print what is added, changed and removed while it happens, until interrupted."""
    from skill_index.watching import watch as watch_index

    index = open_index(path or [], hidden=hidden, nested=nested)
    typer.echo(f"watching {len(index)} skills; Ctrl-C ends it", err=True)
    for count, found in enumerate(watch_index(index, interval=interval), start=1):
        told = {"added": found.added, "changed": found.changed, "removed": found.removed}
        typer.echo(json.dumps(told) if as_json else str(found))
        if count == changes:
            return


def toolkit_for(
    paths: Any,
    *,
    hidden: bool,
    nested: bool,
    runner: ScriptRunner | None = None,
    store: Path | None = None,
) -> Toolkit:
    """Return the tools over the skills in these folders."""
    from skill_index.tools import Toolkit

    return Toolkit(open_index(paths or [], hidden=hidden, nested=nested, store=store), runner=runner)


def _runner(*, unconfined: bool) -> ScriptRunner:
    from skill_index.errors import ScriptError
    from skill_index.running import BubblewrapRunner, SubprocessRunner

    if unconfined:
        return SubprocessRunner()
    if not BubblewrapRunner.available():
        reason = "there is no working bubblewrap (bwrap) to confine it"
        raise ScriptError("", "a script", reason, "install it, or run with --unconfined what you trust")
    return BubblewrapRunner(cwd="work")


def _ask(approval: Approval) -> bool:
    arguments = json.dumps(approval.arguments.get("args", ()), default=list, ensure_ascii=False)
    typer.echo(f"skill   {printable(approval.skill)}\nscript  {printable(approval.script)}", err=True)
    typer.echo(f"args    {printable(arguments)}\nsha256  {approval.content_hash}", err=True)
    return typer.confirm("Run it?", err=True)


def show_reply(reply: ToolReply, *, as_json: bool) -> None:
    """Print a reply; strangers' text cannot move or colour the terminal."""
    if as_json and reply.data is not None:
        typer.echo(reply.data.model_dump_json(indent=2))
    elif as_json and reply.error is not None:
        typer.echo(reply.error.model_dump_json(indent=2))
    else:
        typer.echo(printable(reply.text))
    raise typer.Exit(0 if reply.error is None else 1)
