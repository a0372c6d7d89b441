"""
run_skill_script: a script of a skill, run by the host's runner or called in this process.

    name ─lookup─▶ file of the skill ─hash as approved?─▶ runner ─▶ what it printed, capped
                └▶ function in code  ─schema of its signature─▶ what it returned

There is no such tool unless the host passes a runner.  A skill that says nothing about its origin
being trusted runs nothing before someone approved the very bytes that run.
"""

from __future__ import annotations

import dataclasses
import json
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from inspect import iscoroutinefunction
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, validate_call
from pydantic.errors import PydanticUserError

from skill_index.errors import ResourceNotFoundError, ScriptError, SourceError
from skill_index.naming import Entry
from skill_index.render import VALUE_LIMIT, sealed
from skill_index.running import ScriptCall, ScriptResult, ScriptRunner, to_arguments, unpacked
from skill_index.running.capture import Capture, Output
from skill_index.running.interpreters import suffix_meant, suffix_of
from skill_index.text import escape, one_line, well_formed
from skill_index.tools.approval import HASHED_BYTES, content_hash
from skill_index.tools.context import Context, find_skill
from skill_index.tools.files import find_resource, nearby_files, readable_names
from skill_index.tools.reply import Text, ToolFailure, ToolReply, failed

RESULT_BYTES = 50_000
"""UTF-8 bytes kept of what a function returned."""

NAMED = 10
"""Scripts named in answer to the name of none."""


class RunArguments(BaseModel):
    """What run_skill_script is called with."""

    model_config = ConfigDict(extra="forbid")

    skill_name: Text = Field(description="The skill the script belongs to.")
    script_name: Text = Field(description="The script's name, exactly as listed, such as scripts/fill.py.")
    args: list[str | int | float | bool] | dict[str, Any] | None = Field(
        default=None, description="A list of arguments, or an object of options: {key: value} is --key value."
    )
    timeout: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Seconds after which it is ended."
    )


class RunData(BaseModel):
    """What a script did, for hosts: a `ScriptResult` with the names of skill and script."""

    skill: Text
    script: Text
    exit_code: int | None = Field(default=None, description="null: it was ended by a signal or the timeout.")
    timed_out: bool = False
    stdout: Text = ""
    stderr: Text = ""
    stdout_omitted: int = Field(default=0, description="Bytes left out of the middle.")
    stderr_omitted: int = 0
    seconds: float = 0.0
    notes: tuple[Text, ...] = ()


class RunTool:
    """The run_skill_script tool over one runner."""

    name = "run_skill_script"
    description = (
        "Run a script that belongs to a skill, as its instructions say, and read what it prints. "
        "It has no input and ends after a time."
    )
    arguments = RunArguments
    data = RunData

    def __init__(self, runner: ScriptRunner) -> None:
        self._runner = runner

    def __call__(self, context: Context, arguments: RunArguments) -> ToolReply:
        """Answer with what the script printed; a script that failed is an answer with an `error`."""
        found = self.find(context, arguments)
        if isinstance(found, ToolReply):
            return found
        entry, script = found
        refusal = _forbidden(context, entry, script)
        if refusal is not None:
            return refusal
        function = entry.skill.scripts.get(script)
        if function is not None:
            return _called(context, entry, arguments, function)
        return self._run(context, entry, script, arguments)

    def find(self, context: Context, arguments: RunArguments) -> tuple[Entry, str] | ToolReply:
        """Return the skill and the name of its function or file that is meant, or the answer to a miss."""
        entry, asked = find_skill(context, arguments.skill_name), arguments.script_name
        if isinstance(entry, ToolReply):
            return entry
        context.facts["name"] = asked
        if asked in entry.skill.scripts:
            return entry, asked
        found = find_resource(context, entry, asked)
        if isinstance(found, str) and self._runs(entry, found):
            return entry, found
        files = readable_names(entry.skill.resources.listing())
        known = (*entry.skill.scripts, *(name for name in files if self._runs(entry, name)))
        if isinstance(found, str):
            message = f"{found!r} is no script that can be run here"
            return _no_script(message, "not-a-script", asked, known[:NAMED])
        message = f"the skill {entry.key!r} has no script {asked!r}"
        near = nearby_files(asked, known) or known[:NAMED]
        return _no_script(message, "script-not-found", asked, near)

    def _runs(self, entry: Entry, name: str) -> bool:
        """Return whether a file can be run: by its suffix, or without one by what its first line means."""
        if self._runner.supports(name) or suffix_of(name):
            return self._runner.supports(name)
        try:
            suffix = suffix_meant(entry.skill.resources.read(name, HASHED_BYTES))
        except (ResourceNotFoundError, SourceError):
            return False
        return bool(suffix) and self._runner.supports(name + suffix)

    def _run(self, context: Context, entry: Entry, script: str, arguments: RunArguments) -> ToolReply:
        try:
            args = to_arguments(arguments.args)
        except ValueError as error:
            return _failure(
                entry, script, "bad-arguments", str(error), "give the arguments as a list", retry=True
            )
        try:
            with unpacked(entry.skill.resources) as folder:
                changed = _changed(context, entry, script)
                if changed is not None:
                    return changed
                call = ScriptCall(entry.key, script, folder, args, arguments.timeout)
                result = self._runner.run(call)
        except ScriptError as error:
            hint = error.hint or "go on without it, and tell the user"
            return _failure(entry, script, "script-not-started", error.reason, hint)
        context.facts["kind"] = "ran"
        return _answer(entry, script, result)


def _forbidden(context: Context, entry: Entry, script: str) -> ToolReply | None:
    """Refuse scripts of an untrusted origin that nobody approved."""
    if entry.skill.origin.trusted or "approved" in context.facts:
        return None
    reason = f"{entry.key!r} comes from a source that is not trusted, and nobody approved its scripts"
    return _failure(entry, script, "script-not-allowed", reason, "go on without it, or ask the user")


def _changed(context: Context, entry: Entry, script: str) -> ToolReply | None:
    """Hash again what was approved: between a yes and the run, minutes may have passed."""
    approved = context.facts.get("approved")
    if approved is None or approved == content_hash(entry.skill):
        return None
    reason = "a file of the skill changed after the call was approved"
    return _failure(entry, script, "script-not-allowed", reason, "call it again to have it approved anew")


def script_schema(function: Callable[..., object]) -> dict[str, Any]:
    """Return the JSON schema of the arguments of a function offered as a script."""
    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", function))
    return adapter.json_schema()


def _called(
    context: Context, entry: Entry, arguments: RunArguments, function: Callable[..., object]
) -> ToolReply:
    name, args = arguments.script_name, arguments.args
    positional = args if isinstance(args, list) else []
    named: Mapping[str, Any] = args if isinstance(args, dict) else {}
    changed = _changed(context, entry, name)
    if changed is not None:
        return changed
    if iscoroutinefunction(function):
        reason = "it is an async function, and only plain ones can be called"
        return _failure(entry, name, "script-not-started", reason, "go on without it, and tell the user")
    context.facts["kind"] = "ran"
    begun = time.monotonic()
    try:
        output = _output(validate_call(function)(*positional, **named))
    except (Exception, SystemExit) as error:  # noqa: BLE001  (a stranger's function; its failure is an answer)
        if isinstance(error, ValidationError) and not _had_begun(error):
            return _misused(context, entry, name, function, error)
        reason = f"it raised {type(error).__name__}: {one_line(str(error), REASON_CHARS)}"
        return _failure(entry, name, "script-failed", reason, _MEND, retry=True)
    notes = ("a function is not ended by a timeout",) if arguments.timeout is not None else ()
    seconds = time.monotonic() - begun
    result = ScriptResult(0, stdout=output.text, stdout_omitted=output.omitted, seconds=seconds, notes=notes)
    return _answer(entry, name, result)


def _output(result: object) -> Output:
    """Return what a function gave back as text, its middle left out where it is long."""
    if result is None:
        return Output("", 0)
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    capture = Capture(RESULT_BYTES)
    capture.add(well_formed(text).encode("utf-8"))
    return capture.output()


def _had_begun(problem: ValidationError) -> bool:
    """Return whether it was raised inside the function, and not by its arguments."""
    frames = (frame for frame, _ in traceback.walk_tb(problem.__traceback__))
    homes = {str(frame.f_globals.get("__name__")) for frame in frames}
    return any(home != __name__ and home.partition(".")[0] != "pydantic" for home in homes)


def _misused(
    context: Context,
    entry: Entry,
    name: str,
    function: Callable[..., object],
    problem: ValidationError,
) -> ToolReply:
    context.facts["kind"] = "refused"
    faults = problem.errors(include_url=False, include_input=False, include_context=False)
    told = "; ".join(_told(fault) for fault in faults[:5])
    try:
        recovery = f"its arguments are {json.dumps(script_schema(function), sort_keys=True)}"
    except PydanticUserError:  # a type that has no JSON schema
        recovery = _MEND
    return _failure(entry, name, "bad-arguments", told, recovery, retry=True)


REASON_CHARS = 1_000
"""Characters kept of what a function says when it fails."""

_MEND = "mend the arguments, or go on without it"
_READ = f"read what it printed, {_MEND}"


def _told(fault: Mapping[str, Any]) -> str:
    where = ".".join(map(str, fault["loc"]))
    return f"{where}: {fault['msg']}" if where else str(fault["msg"])


def _answer(entry: Entry, script: str, result: ScriptResult) -> ToolReply:
    data = RunData(skill=entry.key, script=script, **dataclasses.asdict(result))
    text = "\n".join(_lines(entry, script, result))
    if result.exit_code == 0:
        return ToolReply(text, data)
    code, reason = ("script-timed-out", "it took too long and was ended")
    if not result.timed_out:
        ended = "a signal" if result.exit_code is None else f"exit code {result.exit_code}"
        code, reason = "script-failed", f"it ended with {ended}"
    error = _error(entry, script, code, reason, _READ, retry=True)
    return ToolReply(f"{failed(error).text}\n{text}", data, error)


def _lines(entry: Entry, script: str, result: ScriptResult) -> Iterator[str]:
    if result.exit_code == 0:
        yield f"{escape(script, VALUE_LIMIT)} ended well."
    for kind, text in (("output", result.stdout), ("errors", result.stderr)):
        if text:
            source = entry.skill.origin.label
            yield sealed(f"script_{kind}", text, skill=entry.key, source=source, script=script)
    if not result.stdout and not result.stderr:
        yield "It gave no output."
    for note in result.notes:
        yield f"Note: {escape(note)}"


def _no_script(message: str, code: str, asked: str, known: tuple[str, ...]) -> ToolReply:
    recovery = "run one of the scripts named here" if known else "the skill has no scripts; go on without"
    return failed(
        ToolFailure(
            code=code,
            message=message,
            subject=asked,
            nearby=known,
            recovery=recovery,
            retryable=bool(known),
        )
    )


def _error(
    entry: Entry, script: str, code: str, reason: str, recovery: str, *, retry: bool = False
) -> ToolFailure:
    message = f"{script!r} of the skill {entry.key!r}: {reason}"
    return ToolFailure(code=code, message=message, subject=script, recovery=recovery, retryable=retry)


def _failure(
    entry: Entry, script: str, code: str, reason: str, recovery: str, *, retry: bool = False
) -> ToolReply:
    return failed(_error(entry, script, code, reason, recovery, retry=retry))
