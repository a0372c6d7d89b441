"""run_skill_script: files by the runner and functions in code, with an answer to whatever they do."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from pydantic import BaseModel

from skill_index import Origin, Skill, SkillCatalog, SkillIndex
from skill_index.errors import ScriptError
from skill_index.resources import InlineResources
from skill_index.running import ScriptCall, ScriptResult, ScriptRunner, SubprocessRunner, unpacked
from skill_index.testing.strategies import hostile_texts
from skill_index.text import well_formed
from skill_index.tools import RunData, ToolFailure, Toolkit, ToolReply, script_schema
from skill_index.tools.run import RESULT_BYTES

RUN = "run_skill_script"


DONE = ScriptResult(0, stdout="done\n")


@dataclass
class FakeRunner:
    """Answers as it is told, and keeps what it was asked."""

    result: ScriptResult | ScriptError = DONE
    calls: list[ScriptCall] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    def supports(self, script: str) -> bool:
        """Python files only."""
        return script.endswith(".py")

    def run(self, call: ScriptCall) -> ScriptResult:
        """Keep the call and the files there are while it runs."""
        self.calls.append(call)
        self.seen = sorted(path.name for path in Path(call.folder).rglob("*") if path.is_file())
        if isinstance(self.result, ScriptError):
            raise self.result
        return self.result


def tools(
    runner: ScriptRunner | None = None,
    files: dict[str, str] | None = None,
    *,
    trusted: bool = True,
    **functions: Callable[..., object],
) -> Toolkit:
    """Return the tools over one skill made in code."""
    skill = Skill(
        "kit",
        "A kit.",
        "Body.",
        resources=InlineResources(files or {}),
        scripts=functions,
        origin=Origin(trusted=trusted),
    )
    return Toolkit(SkillCatalog([skill]), runner=runner or FakeRunner())


def run(toolkit: Toolkit, script: str, args: object = None, **more: object) -> ToolReply:
    """Run a script of the skill."""
    return toolkit.call(RUN, {"skill_name": "kit", "script_name": script, "args": args, **more})


def data_of(reply: ToolReply) -> RunData:
    """Return the data of an answer that has it."""
    assert isinstance(reply.data, RunData), reply.text
    return reply.data


def failure_of(reply: ToolReply) -> ToolFailure:
    """Return why a call failed."""
    assert reply.error is not None, reply.text
    return reply.error


FILES = {"scripts/a.py": "print()", "scripts/b.py": "print()", "notes.md": "text"}


def test_there_is_no_such_tool_without_a_runner() -> None:
    """Not among the names, not among the schemas, and no text speaks of it."""
    toolkit = Toolkit(SkillCatalog([Skill("kit", "d", resources=InlineResources(FILES))]))
    assert RUN not in toolkit.names
    assert failure_of(run(toolkit, "scripts/a.py")).code == "scripts-off"
    assert RUN not in toolkit.call("load_skill", {"skill_name": "kit"}).text


def test_a_file_is_run_by_the_name_it_is_listed_under() -> None:
    """Spelt otherwise it is the same file; the runner gets a folder with all files of the skill."""
    runner = FakeRunner()
    toolkit = tools(runner, FILES)
    reply = run(toolkit, "./scripts//a.py", ["x", 1, True], timeout=3)
    assert reply.error is None
    call = runner.calls[0]
    assert (call.skill, call.script, call.args, call.timeout) == (
        "kit",
        "scripts/a.py",
        ("x", "1", "true"),
        3.0,
    )
    assert runner.seen == ["a.py", "b.py", "notes.md"]
    assert not Path(call.folder).exists()
    assert data_of(reply).stdout == "done\n"
    assert reply.text.startswith("scripts/a.py ended well.\n<script_output_")


RESULTS: list[tuple[ScriptResult, str | None, list[str]]] = [
    (ScriptResult(0), None, ["scripts/a.py ended well.", "It gave no output."]),
    (ScriptResult(0, notes=("a\nb",)), None, ["It gave no output.", "Note: a b"]),
    (ScriptResult(3, stderr="oops"), "script-failed", ["it ended with exit code 3.", "<script_errors_"]),
    (ScriptResult(None), "script-failed", ["it ended with a signal."]),
    (ScriptResult(None, timed_out=True, stdout="half"), "script-timed-out", ["it took too long", "half"]),
]


@pytest.mark.parametrize(("result", "code", "parts"), RESULTS)
def test_whatever_a_script_did_is_an_answer(result: ScriptResult, code: str | None, parts: list[str]) -> None:
    """With its output, and an error where it failed, which another try may mend."""
    reply = run(tools(FakeRunner(result), FILES), "scripts/a.py")
    assert (reply.error.code if reply.error else None) == code
    assert reply.error is None or reply.error.retryable
    assert data_of(reply).exit_code == result.exit_code
    for part in parts:
        assert part in reply.text


def test_a_script_that_does_not_start_is_an_answer() -> None:
    """Reason and hint come from the runner."""
    runner = FakeRunner(ScriptError("kit", "a", "no such program </x>", "install it"))
    reply = run(tools(runner, FILES), "scripts/a.py")
    error = failure_of(reply)
    assert (error.code, error.recovery, error.retryable) == ("script-not-started", "install it", False)
    assert "</x>" not in reply.text


def test_a_file_without_a_suffix_runs_by_its_first_line() -> None:
    """If it names a program whose files the runner runs; nothing else about the file matters."""
    runner = FakeRunner()
    files = {"bin/fill": "#!/usr/bin/env python3\n", "bin/sum": "#!/bin/sh\n", "bin/none": "print()\n"}
    replies = [run(tools(runner, files), name) for name in sorted(files)]
    assert [call.script for call in runner.calls] == ["bin/fill"]
    assert [reply.error and reply.error.code for reply in replies] == [None, "not-a-script", "not-a-script"]
    assert failure_of(run(tools(runner, files), "fill")).nearby == ("bin/fill",)


NOT_RUN = [
    ("a.py", "script-not-found", ("scripts/a.py",)),
    ("scripts/A.py", "script-not-found", ("scripts/a.py",)),
    ("a", "script-not-found", ("scripts/a.py",)),
    ("scripts", "script-not-found", ("scripts/a.py", "scripts/b.py")),
    ("zzz", "script-not-found", ("fill", "scripts/a.py", "scripts/b.py")),
    ("../a.py", "script-not-found", ("scripts/a.py",)),
    ("/bin/sh", "script-not-found", ("fill", "scripts/a.py", "scripts/b.py")),
    ("notes.md", "not-a-script", ("fill", "scripts/a.py", "scripts/b.py")),
    ("SKILL.md", "not-a-script", ("fill", "scripts/a.py", "scripts/b.py")),
]


@pytest.mark.parametrize(("script", "code", "nearby"), NOT_RUN)
def test_what_is_no_script_is_answered_with_those_there_are(
    script: str, code: str, nearby: tuple[str, ...]
) -> None:
    """And nothing is run."""
    runner = FakeRunner()
    error = failure_of(run(tools(runner, FILES, fill=lambda: None), script))
    assert (error.code, error.nearby[: len(nearby)]) == (code, nearby)
    assert runner.calls == []


def test_a_skill_without_scripts_says_so() -> None:
    """There is nothing to ask for instead."""
    error = failure_of(run(tools(files={"notes.md": "text"}), "a.py"))
    assert (error.recovery, error.retryable) == ("the skill has no scripts; go on without", False)


def test_a_link_out_of_the_skill_is_no_script(tmp_path: Path) -> None:
    """Not with a target and not without one."""
    kit = tmp_path / "skills" / "kit"
    kit.mkdir(parents=True)
    (kit / "SKILL.md").write_text("---\nname: kit\ndescription: A kit.\n---\n", "utf-8")
    (tmp_path / "evil.py").write_text("print('outside')", "utf-8")
    (kit / "out.py").symlink_to("../../evil.py")
    (kit / "none.py").symlink_to("../../none.py")
    toolkit = Toolkit(SkillIndex.from_paths(tmp_path / "skills"), runner=SubprocessRunner())
    texts = [run(toolkit, name).text.replace(name, "NAME") for name in ("out.py", "none.py")]
    assert texts[0] == texts[1]
    assert "outside" not in texts[0]


def test_a_skill_without_trust_runs_nothing_unapproved() -> None:
    """Neither a file nor a function; a yes lets both run."""
    runner = FakeRunner()
    toolkit = tools(runner, FILES, trusted=False, fill=lambda: "done")
    for script in ("scripts/a.py", "fill"):
        error = failure_of(run(toolkit, script))
        assert (error.code, error.retryable) == ("script-not-allowed", False)
        assert run(toolkit.approving(lambda _: True), script).error is None
    assert len(runner.calls) == 1


def test_a_tool_entry_has_no_scripts() -> None:
    """It says that it is a tool."""
    catalog = SkillCatalog([Skill("db", "d", input_schema={"type": "object"})])
    reply = Toolkit(catalog, runner=FakeRunner()).call(RUN, {"skill_name": "db", "script_name": "a.py"})
    assert failure_of(reply).code == "is-a-tool"


class Page(BaseModel):
    """What a function may take."""

    number: int


def fill(page: int, title: str = "none", *, tags: list[str] | None = None) -> dict[str, object]:
    """Return what it was called with."""
    return {"page": page, "title": title, "tags": tags}


CALLED: list[tuple[object, str]] = [
    ({"page": 1}, '{"page": 1, "title": "none", "tags": null}'),
    ([1, "é"], '{"page": 1, "title": "é", "tags": null}'),
    ({"page": "2", "tags": ["a"]}, '{"page": 2, "title": "none", "tags": ["a"]}'),
]


@pytest.mark.parametrize(("args", "output"), CALLED)
def test_a_function_is_called_with_checked_arguments(args: object, output: str) -> None:
    """By position or by name, converted to its types."""
    reply = run(tools(fill=fill), "fill", args)
    assert reply.error is None
    assert data_of(reply).stdout == output


MISUSED: list[tuple[object, str]] = [
    (None, "page: Missing required argument"),
    ({"page": "two"}, "page: Input should be a valid integer"),
    ({"page": 1, "pages": 2}, "pages: Unexpected keyword argument"),
    ([1, "a", "b"], "2: Unexpected positional argument"),
]


@pytest.mark.parametrize(("args", "message"), MISUSED)
def test_wrong_arguments_are_answered_with_the_schema(args: object, message: str) -> None:
    """The model sees which arguments there are, and the function is not called."""
    reply = run(tools(fill=fill), "fill", args)
    error = failure_of(reply)
    assert (error.code, error.retryable) == ("bad-arguments", True)
    assert message in error.message
    written = error.recovery.removeprefix("its arguments are ")
    assert json.loads(written) == script_schema(fill)
    assert written in reply.text


def stop() -> None:
    """End the program, as a script would."""
    sys.exit(3)


def broken() -> object:
    """Fail on the inside as wrong arguments would."""
    return Page.model_validate({"number": "x"})


def loop() -> object:
    """Return what holds itself."""
    held: list[object] = []
    held.append(held)
    return held


async def later() -> str:
    """Return after a while."""
    return "done"


def opaque(value: Callable[[], int]) -> str:
    """Take what no JSON can be."""
    return str(value)


def loud() -> str:
    """Fail with a long text."""
    raise RuntimeError("</script_output>\n" + "x" * 1_000_000)


FAILING: list[tuple[Callable[..., object], object, str, str]] = [
    (stop, None, "script-failed", "it raised SystemExit: 3"),
    (
        lambda: 1 // 0,
        None,
        "script-failed",
        "it raised ZeroDivisionError: integer division or modulo by zero",
    ),
    (broken, None, "script-failed", "it raised ValidationError: 1 validation error for Page"),
    (loop, None, "script-failed", "it raised ValueError: Circular reference detected"),
    (lambda: {(1, 2): 3}, None, "script-failed", "it raised TypeError: keys must be"),
    (later, None, "script-not-started", "it is an async function, and only plain ones can be called"),
    (opaque, [1], "bad-arguments", "0: Input should be callable"),
    (loud, None, "script-failed", "it raised RuntimeError: </script_output> xxx"),
]


@pytest.mark.parametrize(("function", "args", "code", "message"), FAILING)
def test_a_function_that_fails_is_an_answer(
    function: Callable[..., object], args: object, code: str, message: str
) -> None:
    """Whatever it raises or returns, the call does not raise, and the text is short and escaped."""
    reply = run(tools(bad=function), "bad", args)
    error = failure_of(reply)
    assert error.code == code
    assert message in error.message
    assert len(reply.text) < 3_000
    assert len(reply.text.splitlines()) == 2
    assert "<" not in reply.text
    assert ".." not in reply.text.replace("...", "")


RETURNED: list[tuple[object, str]] = [
    (None, ""),
    ("text", "text"),
    (True, "true"),
    ([1, {"a": None}], '[1, {"a": null}]'),
    (Path("/a"), '"/a"'),
    (
        {
            1,
        },
        '"{1}"',
    ),
    (b"\xff", "\"b'\\\\xff'\""),
    ("\ud800", "\ufffd"),
]


@pytest.mark.parametrize(("value", "output"), RETURNED)
def test_what_a_function_returns_is_text(value: object, output: str) -> None:
    """A text as it is, nothing as nothing, the rest as JSON."""
    reply = run(tools(give=lambda: value), "give")
    assert reply.error is None
    assert data_of(reply).stdout == output
    assert json.loads(data_of(reply).model_dump_json())["stdout"] == output


def test_megabytes_are_cut_in_the_middle_and_counted() -> None:
    """The beginning and the end are kept, within the bytes."""
    data = data_of(run(tools(give=lambda: "a" + "é" * 1_000_000 + "z"), "give"))
    assert data.stdout.startswith("aé")
    assert data.stdout.endswith("éz")
    assert len(data.stdout.encode()) < RESULT_BYTES + 100
    assert data.stdout_omitted > 1_900_000
    assert f"[{data.stdout_omitted:,} bytes left out]" in data.stdout


def test_functions_of_every_kind_are_called() -> None:
    """A partial has the arguments that are left; a timeout is said to have no force."""
    toolkit = tools(half=functools.partial(fill, 1), print=lambda text="x": text)
    assert json.loads(data_of(run(toolkit, "half", {"title": "t"})).stdout)["title"] == "t"
    reply = run(toolkit, "print", timeout=1)
    assert data_of(reply).notes == ("a function is not ended by a timeout",)


@settings(deadline=None)
@given(hostile_texts(), hostile_texts(), hostile_texts().filter(str.strip).map(well_formed))
def test_no_output_forges_a_line(out: str, err: str, name: str) -> None:
    """Whatever is printed is inside its tag, whatever the skill is called."""
    skill = Skill(name, "d", resources=InlineResources({"a.py": "x"}), origin=Origin("</x>\n"))
    runner = FakeRunner(ScriptResult(1, stdout=out, stderr=err, notes=(err,)))
    toolkit = Toolkit(SkillCatalog([skill]), runner=runner)
    entry = toolkit.catalog().entries[0]
    reply = toolkit.call(RUN, {"skill_name": entry.id, "script_name": "a.py"})
    data = data_of(reply)
    left = reply.text
    for kind, text in (("output", data.stdout), ("errors", data.stderr)):
        if text:
            before, _, after = left.partition(f"<script_{kind}_")
            held, _, rest = after.partition(f"</script_{kind}_{after[:12]}>")
            assert held.partition(">\n")[2].removesuffix("\n") == text.removesuffix("\n")
            left = before + rest
    assert "<" not in left
    assert [line.partition(":")[0] for line in left.split("\n") if line] in (
        ["Error", "Next", "Note"],
        ["Error", "Next", "It gave no output.", "Note"],
    )


def test_a_real_script_of_a_skill_in_memory(tmp_path: Path) -> None:
    """It finds its files beside it, and a folder it locked does not turn the answer into an error."""
    code = (
        "import os, pathlib, sys\n"
        "print(pathlib.Path('data/a.txt').read_text(), *sys.argv[1:])\n"
        "os.mkdir('locked'); open('locked/x', 'w').close(); os.chmod('locked', 0)\n"
    )
    toolkit = tools(SubprocessRunner(), {"run.py": code, "data/a.txt": "beside"})
    assert data_of(run(toolkit, "run.py", {"n": 1})).stdout == "beside --n 1\n"


UNPACKABLE: list[tuple[dict[str, Any], str]] = [
    ({"run.py": "", "../x": "out"}, "a file of the skill has a name that leads out of it"),
    ({"run.py": "", "a": "file", "a/b": "folder"}, "could not be unpacked: "),
    ({"run.py": "", "a": lambda: 1 // 0}, "could not be unpacked: its function raised ZeroDivisionError"),
]


@pytest.mark.parametrize(("files", "reason"), UNPACKABLE)
def test_what_cannot_be_unpacked_is_not_run(files: dict[str, Any], reason: str) -> None:
    """The reason names the file and no folder of this machine."""
    runner = FakeRunner()
    error = failure_of(run(tools(runner, files), "run.py"))
    assert error.code == "script-not-started"
    assert reason in error.message
    assert "/tmp" not in error.message  # noqa: S108  (that it is not shown is tested)
    assert runner.calls == []


def test_a_folder_is_used_as_it_is_and_a_made_one_goes(tmp_path: Path) -> None:
    """A skill on disk is run where it lies."""
    with unpacked(InlineResources({"a/b.md": "text"})) as folder:
        assert (Path(folder) / "a" / "b.md").read_text("utf-8") == "text"
    assert not Path(folder).exists()
