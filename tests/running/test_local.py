"""The runner of processes: what a script is given, what is refused, and that the host stays as it was."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skill_index.errors import ScriptError
from skill_index.running import ScriptCall, ScriptResult, ScriptRunner, SubprocessRunner, execution

Maker = Callable[..., ScriptCall]

RUNNER = SubprocessRunner()
SHOW_ARGUMENTS = "import json, os, sys\nprint(json.dumps([os.fsencode(a).hex() for a in sys.argv[1:]]))"
SHOW_ENVIRONMENT = "import json, os\nprint(json.dumps(dict(os.environ)))"

LITERAL = ["'; touch PWN; echo '", "$(id)", "`id`", "a b", "*", "-n", "--", "ä文", "", "\n", "\\", '"', "a=b"]


def arguments_seen(call: ScriptCall) -> list[str]:
    """Return the arguments that a script saw."""
    return [bytes.fromhex(item).decode() for item in json.loads(RUNNER.run(call).stdout)]


def test_arguments_arrive_literally(make: Maker) -> None:
    """No shell reads them, in whatever language the script is written."""
    assert arguments_seen(make(SHOW_ARGUMENTS, *LITERAL, name="run.py")) == LITERAL
    shown = RUNNER.run(make('for a in "$@"; do printf "%s\\0" "$a"; done', *LITERAL)).stdout
    assert shown.split("\0")[:-1] == LITERAL
    assert not list(Path(make("").folder).rglob("PWN"))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), max_size=8))
def test_any_text_is_an_argument(make: Maker, texts: list[str]) -> None:
    """What was given is what is seen."""
    assert arguments_seen(make(SHOW_ARGUMENTS, *texts, name="run.py")) == texts


def test_the_executable_bit_is_not_needed_nor_changed(make: Maker) -> None:
    """A script fresh from an archive runs, and its mode stays."""
    call = make("echo out")
    script = Path(call.folder, call.script)
    script.chmod(0o644)
    assert RUNNER.run(call).stdout == "out\n"
    assert script.stat().st_mode & 0o777 == 0o644


def test_scripts_start_in_their_skill(make: Maker) -> None:
    """The names in a skill's texts are relative to its folder."""
    call = make("cat references/r.txt; pwd")
    Path(call.folder, "references").mkdir()
    Path(call.folder, "references", "r.txt").write_text("reference\n", "utf-8")
    assert RUNNER.run(call).stdout == f"reference\n{call.folder}\n"


def test_scripts_start_where_the_host_says(make: Maker, tmp_path: Path) -> None:
    """An absolute folder of the host; one that is missing is told."""
    assert SubprocessRunner(cwd=str(tmp_path)).run(make("pwd")).stdout == f"{tmp_path}\n"
    with pytest.raises(ScriptError, match=r"No such file or directory: .*/gone"):
        SubprocessRunner(cwd=str(tmp_path / "gone")).run(make("pwd"))


def test_a_work_folder_is_fresh_and_goes(make: Maker, tmp_path: Path) -> None:
    """Each run has an empty one, for it alone; links in it are removed and not followed."""
    kept = tmp_path / "kept"
    kept.mkdir(0o755)
    (kept / "file").touch(0o644)
    content = f'ls -A; pwd; stat -c %a .; mkdir a; touch a/b; ln -s "{kept}" a/c; ln -s "{kept}" c; chmod 0 a'
    runner = SubprocessRunner(cwd="work")
    seen = [runner.run(make(content)).stdout.splitlines() for _ in range(2)]
    assert [len(lines) for lines in seen] == [2, 2]
    assert {lines[1] for lines in seen} == {"700"}
    assert len({lines[0] for lines in seen}) == 2
    assert not any(Path(lines[0]).exists() for lines in seen)
    assert kept.stat().st_mode & 0o777 == 0o755
    assert (kept / "file").stat().st_mode & 0o777 == 0o644


def test_the_environment_is_a_list_of_names(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the host does not reach a script; what the host names, adds and sets does."""
    monkeypatch.setenv("API_TOKEN", "secret")
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("WANTED", "yes")
    call = make(SHOW_ENVIRONMENT, name="run.py")
    seen = json.loads(RUNNER.run(call).stdout)
    assert not {"API_TOKEN", "LD_PRELOAD", "WANTED"} & set(seen)
    assert (seen["TZ"], seen["PATH"]) == ("UTC", os.environ["PATH"])
    assert (seen["SKILL_DIR"], seen["SKILL_NAME"], seen["PYTHONDONTWRITEBYTECODE"]) == (
        call.folder,
        "demo",
        "1",
    )
    runner = SubprocessRunner(environment=("WANTED",), extra_environment={"MORE": "ä", "SKILL_NAME": "other"})
    seen = json.loads(runner.run(call).stdout)
    assert (seen["WANTED"], seen["MORE"], seen["SKILL_NAME"]) == ("yes", "ä", "demo")
    assert not {"TZ", "PATH", "HOME"} & set(seen)


def test_skills_at_once_see_their_own_folder(tmp_path: Path) -> None:
    """Nothing is passed through the host's own environment or working folder."""
    calls = []
    for number in range(8):
        folder = tmp_path / f"skill-{number}"
        folder.mkdir()
        (folder / "run.sh").write_text('sleep 0.05; echo "$SKILL_NAME $SKILL_DIR $(pwd)"', "utf-8")
        calls.append(ScriptCall(folder.name, "run.sh", str(folder)))
    before = dict(os.environ), Path.cwd()
    with ThreadPoolExecutor(4) as pool:
        shown = [result.stdout for result in pool.map(RUNNER.run, calls)]
    assert shown == [f"{call.skill} {call.folder} {call.folder}\n" for call in calls]
    assert (dict(os.environ), Path.cwd()) == before


def test_nothing_is_written_into_a_skill(make: Maker) -> None:
    """Python leaves no cache beside a module that a script imports."""
    call = make("import helper; print(helper.__name__)", name="run.py")
    make("", name="helper.py")
    before = sorted(Path(call.folder).rglob("*"))
    assert RUNNER.run(call).stdout == "helper\n"
    assert sorted(Path(call.folder).rglob("*")) == before


TIMEOUTS = [0, 0.0, -1, -math.inf, math.nan, True, "5", 1j]


@pytest.mark.parametrize("timeout", TIMEOUTS)
def test_a_timeout_is_a_number_above_zero(make: Maker, timeout: Any) -> None:
    """Anything else is refused before the script begins."""
    call = make("touch ran", timeout=timeout)
    with pytest.raises(ScriptError, match="the timeout is a number of seconds above 0"):
        RUNNER.run(call)
    assert not Path(call.folder, "ran").exists()


@pytest.mark.parametrize("timeout", [300.5, 1e12, math.inf, 10**400])
def test_a_long_timeout_is_lowered(make: Maker, timeout: Any) -> None:
    """The most is given, and a note says so."""
    notes = RUNNER.run(make("", timeout=timeout)).notes
    assert notes == ("the timeout was lowered to 300 s, the most that is given",)


def test_timeouts_are_the_hosts(make: Maker) -> None:
    """The default is used where none is asked for, and is itself no longer than the longest."""
    assert RUNNER.run(make("", timeout=300)).notes == ()
    for runner in (SubprocessRunner(timeout=0.2), SubprocessRunner(max_timeout=0.2)):
        assert runner.run(make("sleep 60")).timed_out
    assert SubprocessRunner(max_timeout=0.2).run(make("sleep 60", timeout=9)).timed_out


OUTSIDE = [
    ("../other/run.sh", "leads out"),
    ("/bin/sh", "leads out"),
    ("scripts/../../other/run.sh", "leads out"),
    ("scripts/run.sh\0", "leads out"),
    ("", "leads out"),
    ("scripts", "not a file"),
    (".", "not a file"),
    ("scripts/gone.sh", "no such file"),
    ("scripts/run.sh/x", "cannot be found"),
    ("scripts/out.sh", "leaves the skill's folder"),
    ("scripts/away/run.sh", "leaves the skill's folder"),
    ("scripts/pipe.sh", "not a file"),
    ("scripts/loop.sh", "cannot be found"),
    ("scripts/" + "a" * 300 + ".sh", "cannot be found"),
]


@pytest.mark.parametrize(("script", "reason"), OUTSIDE)
def test_only_files_of_the_skill_run(make: Maker, tmp_path: Path, script: str, reason: str) -> None:
    """A name or link that leads elsewhere, and what is no plain file, is refused unread."""
    call = make("echo out")
    other = tmp_path / "demo-other"
    other.mkdir()
    (other / "run.sh").write_text(f"touch {tmp_path}/ran", "utf-8")
    scripts = Path(call.folder, "scripts")
    (scripts / "out.sh").symlink_to(other / "run.sh")
    (scripts / "away").symlink_to(other)
    (scripts / "loop.sh").symlink_to("loop.sh")
    os.mkfifo(scripts / "pipe.sh")
    with pytest.raises(ScriptError, match=reason):
        RUNNER.run(dataclasses.replace(call, script=script))
    assert not (tmp_path / "ran").exists()


def test_a_script_is_looked_at_when_it_is_run(make: Maker, tmp_path: Path) -> None:
    """One that vanished, or became a link out of its skill, is refused from then on."""
    call = make("echo out")
    script = Path(call.folder, call.script)
    assert RUNNER.run(call).stdout == "out\n"
    script.unlink()
    with pytest.raises(ScriptError, match="no such file"):
        RUNNER.run(call)
    (tmp_path / "other.sh").write_text("echo other", "utf-8")
    script.symlink_to("../../other.sh")
    with pytest.raises(ScriptError, match="leaves the skill's folder"):
        RUNNER.run(call)


def test_links_inside_a_skill_are_fine(make: Maker, tmp_path: Path) -> None:
    """A script may be another name for one, and a skill's folder may itself be a link."""
    call = make("echo out; pwd")
    Path(call.folder, "scripts", "b.sh").symlink_to("run.sh")
    (tmp_path / "linked").symlink_to(call.folder)
    linked = dataclasses.replace(call, folder=str(tmp_path / "linked"), script="scripts/b.sh")
    assert RUNNER.run(linked).stdout == f"out\n{call.folder}\n"


@pytest.mark.parametrize("folder", ["", ".", "demo", "/gone/demo", "\0"])
def test_a_skill_needs_a_folder(make: Maker, folder: str) -> None:
    """A skill that is only in memory has no script to run, and nothing is looked for where the host is."""
    with pytest.raises(ScriptError, match=r"no folder on this machine|no such file"):
        RUNNER.run(dataclasses.replace(make("echo out"), folder=folder))


UNPASSABLE: list[tuple[dict[str, Any], str]] = [
    ({"args": ("a", "b\0")}, "argument 2 is no text, or holds a NUL"),
    ({"args": (1,)}, "argument 1 is no text"),
    ({"args": ("\ud800",)}, "cannot be passed on"),
    ({"args": ("x" * (4 << 20),)}, "too long"),
    ({"skill": "a\0b"}, "cannot be passed on"),
]


@pytest.mark.parametrize(("fields", "reason"), UNPASSABLE)
def test_what_no_process_can_be_given_is_told(make: Maker, fields: dict[str, Any], reason: str) -> None:
    """Nothing starts, and the error is the library's own."""
    call = make("touch ran", **fields)
    with pytest.raises(ScriptError, match=reason):
        RUNNER.run(call)
    assert not Path(call.folder, "ran").exists()


def test_names_of_strangers_stay_on_their_line(make: Maker) -> None:
    """An error shows a skill's and a script's name as one line."""
    with pytest.raises(ScriptError) as caught:
        RUNNER.run(dataclasses.replace(make(""), skill="a\n\x1b[2J", script="b\nc.sh"))
    assert str(caught.value).isprintable()


def test_other_systems_are_told(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without process groups nothing is run."""
    monkeypatch.setattr(execution, "POSIX", False)
    with pytest.raises(ScriptError, match="needs a POSIX system"):
        RUNNER.run(make("touch ran"))


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"cwd": "here"}, "cwd is 'skill', 'work' or an absolute folder"),
    ({"cwd": ""}, "cwd is"),
    ({"timeout": 0}, "timeout is a number"),
    ({"timeout": math.nan}, "timeout is a number"),
    ({"timeout": "soon"}, "timeout is a number"),
    ({"max_timeout": None}, "max_timeout is a number"),
    ({"grace": True}, "grace is a number"),
    ({"max_timeout": math.inf}, "max_timeout is a number"),
    ({"grace": -1}, "grace is a number"),
    ({"output_bytes": -1}, "output_bytes is a number"),
    ({"interpreters": {".py": "python3"}}, "a tuple like"),
    ({"interpreters": {".py": ()}}, "a tuple like"),
]


@pytest.mark.parametrize(("options", "reason"), OPTIONS)
def test_options_are_checked_when_a_runner_is_made(options: dict[str, Any], reason: str) -> None:
    """A host learns of a wrong option at once, not at the first script."""
    with pytest.raises(ValueError, match=reason):
        SubprocessRunner(**options)


def test_runners_calls_and_results_are_values() -> None:
    """They can be compared, sent to another process, and not changed; a runner is a `ScriptRunner`."""
    for value in (RUNNER, ScriptCall("a", "b.sh", "/c"), ScriptResult(0)):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  (bytes made one call earlier)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, "x")
    assert isinstance(RUNNER, ScriptRunner)
    assert not isinstance(object(), ScriptRunner)
