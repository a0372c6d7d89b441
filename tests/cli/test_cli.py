"""The command line: what a person and a script see, run for real in a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import skill_index
from skill_index.cli.places import open_index
from skill_index.errors import SourceError

EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"


def run(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command and return what it did."""
    plain = {
        name: value for name, value in os.environ.items() if name not in {"FORCE_COLOR", "TTY_COMPATIBLE"}
    }
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "skill_index", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env={**plain, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
        timeout=60,
    )


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """Return a folder with a good, a repairable and a broken skill."""
    texts = {
        "good": "---\nname: good\ndescription: Prints a greeting.\nallowed-tools: Read\n---\n# Greet\n",
        "mended": "---\nname: mended\ndescription: Release helper: tags and notes.\n---\nBody.\n",
        "broken": '---\nname: broken\ndescription: "never closed\n---\nBody.\n',
    }
    for name, text in texts.items():
        folder = tmp_path / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text, "utf-8")
    return tmp_path / "skills"


def test_search_prints_a_table_for_people() -> None:
    """The right sample skill comes first, without colour codes, and the exit code is 0."""
    done = run("search", "--path", str(EXAMPLES), "fill in a PDF form")
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if "pdf-" in line]
    assert rows[0].split()[1] == "pdf-forms"
    assert "\x1b" not in done.stdout


def test_the_version_is_told() -> None:
    """A bug report can name it."""
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"skill-index {skill_index.__version__}\n")


def test_search_json_has_the_documented_keys() -> None:
    """Machines get a stable schema."""
    done = run("search", "--json", "--path", str(EXAMPLES), "fill", "in", "a", "PDF", "form", "-n", "2")
    data = json.loads(done.stdout)
    assert {"query", "state", "notes", "total", "remaining", "follow_up", "hits", "near"} == set(data)
    assert len(data["hits"]) == 2
    assert {
        "name",
        "id",
        "score",
        "description",
        "allowed_tools",
        "location",
        "evidence",
    } <= set(data["hits"][0])
    assert data["hits"][0]["location"].endswith("/documents/pdf-forms/SKILL.md")


def test_explain_shows_the_evidence() -> None:
    """Each hit says which word met which term, where, and what it added."""
    done = run("search", "--explain", "--path", str(EXAMPLES), "fill in a PDF form")
    assert "why pdf-forms" in done.stdout
    assert "description" in done.stdout


def test_a_miss_exits_1_and_says_so(skills: Path) -> None:
    """Nothing found is not an error of the program."""
    done = run("search", "--path", str(skills), "zzzz")
    assert done.returncode == 1
    assert "No skill matches 'zzzz'" in done.stdout
    assert done.stderr == ""


def test_a_store_changes_no_answer(skills: Path, tmp_path: Path) -> None:
    """Made, used, or refused with a word on stderr: what is printed is the same."""
    store = tmp_path / "index.store"
    plain = run("search", "--path", str(skills), "greeting")
    for _ in range(2):
        done = run("search", "--path", str(skills), "--store", str(store), "greeting")
        assert (done.returncode, done.stdout, done.stderr) == (0, plain.stdout, "")
    store.write_bytes(b"no store")
    told = run("describe", "--path", str(skills), "--store", str(store), "good")
    assert told.stdout == run("describe", "--path", str(skills), "good").stdout
    assert "warning store-refused" in told.stderr


def test_describe_prints_what_a_model_sees(skills: Path) -> None:
    """The text of the tool, or its data as JSON."""
    done = run("describe", "--path", str(skills), "good")
    assert done.stdout.splitlines() == [
        "## Skill: good",
        "- Description: Prints a greeting. [custom, editable]",
        "- Allowed tools: Read",
        f"- Location: {skills}/good/SKILL.md",
    ]
    data = json.loads(run("describe", "--json", "--path", str(skills), "good").stdout)
    assert data["hits"][0]["allowed_tools"] == ["Read"]
    assert run("describe", "--path", str(skills), "zzzz").returncode == 1


def test_list_shows_names(skills: Path) -> None:
    """All names in order, or those of a pattern."""
    done = run("list", "--path", str(skills))
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["good", "mended", "2"]
    data = json.loads(run("list", "--json", "--path", str(skills), "m*").stdout)
    assert (data["total"], [each["name"] for each in data["skills"]]) == (1, ["mended"])


def test_validate_prints_findings_like_a_compiler(skills: Path) -> None:
    """A line a finding with path and line, a count at the end, and exit 1 on errors."""
    done = run("validate", str(skills))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert any(line.startswith(f"{skills}/broken/SKILL.md:3: error ") for line in lines)
    assert any(line.startswith(f"{skills}/mended/SKILL.md:3: warning ") for line in lines)
    assert lines[-1] == "2 skills, 1 errors, 1 warnings"
    data = json.loads(run("validate", "--json", str(skills)).stdout)
    assert (data["skills"], data["errors"], data["warnings"]) == (2, 1, 1)
    assert run("validate", str(skills / "good" / "SKILL.md")).returncode == 0


def test_the_sample_skills_are_valid_by_every_rule() -> None:
    """What we show as examples keeps the format's rules."""
    done = run("validate", "--strict", str(EXAMPLES))
    assert done.returncode == 0, done.stdout


UNSET = [("search", "x", "--path", ""), ("list", "-p", " "), ("validate", ""), ("usage", "x", "--path", "")]


@pytest.mark.parametrize("asked", [*UNSET, ("eval", "x", "--path", "")])
def test_an_unset_variable_is_no_working_folder(asked: tuple[str, ...]) -> None:
    """An empty path is refused on every command, as the library refuses it."""
    done = run(*asked)
    assert (done.returncode, done.stdout) == (2, "")
    assert "it is empty; write '.' for the working folder" in " ".join(done.stderr.split())


WRONG_VALUES = [
    (("search", "x", "--store", ""), "it is empty; name a file"),
    (("watch", "--interval", "inf"), "Input should be less than or equal to 86400"),
]


@pytest.mark.parametrize(("asked", "told"), WRONG_VALUES)
def test_a_value_that_no_option_takes_is_told(asked: tuple[str, ...], told: str) -> None:
    """An option is refused in words, before anything is read."""
    done = run(*asked)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())


CANNOT_LOOK = [
    (
        ("search", "x", "--path", "nowhere"),
        (
            "skill-index: cannot read skills from 'nowhere': there is no such folder; "
            "give --path a folder that holds skills\n"
        ),
    ),
    (("list", "x[", "--path", "."), "skill-index: cannot use the pattern 'x[': its '[' is never closed"),
    (
        ("search", "x"),
        (
            "skill-index: cannot read skills from 'skills, .agents/skills, .claude/skills, .github/skills, "
            "~/.agents/skills, ~/.claude/skills, ~/.copilot/skills': none of these folders exists; "
            "give one with --path FOLDER\n"
        ),
    ),
]


@pytest.mark.parametrize(("arguments", "message"), CANNOT_LOOK)
def test_what_cannot_be_done_is_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Errors go to stderr in one sentence with what to do, and exit 2."""
    done = run(*arguments, cwd=tmp_path, HOME=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_default_folders_are_those_of_agents(tmp_path: Path, skills: Path) -> None:
    """Without --path the folders that agents use are searched, the project's first."""
    target = tmp_path / "home" / ".claude" / "skills"
    target.parent.mkdir(parents=True)
    skills.rename(target)
    done = run("describe", "good", cwd=tmp_path, HOME=str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr


def test_prompt_prints_the_section_and_its_cost() -> None:
    """The text goes to stdout, the cost to stderr, and the budget is kept."""
    done = run("prompt", "--path", str(EXAMPLES), "--budget", "700")
    assert done.returncode == 0
    assert done.stdout.startswith("<skill_index>\n65 skills ")
    assert re.fullmatch(
        r"about \d+ tokens for 65 skills \(names\); left out: all descriptions\n", done.stderr
    )
    data = json.loads(run("prompt", "--json", "--path", str(EXAMPLES), "--form", "names").stdout)
    assert (data["step"], data["total"]) == ("names", 65)
    wrong = run("prompt", "--path", str(EXAMPLES), "--form", "xml")
    assert wrong.returncode == 2
    assert "there is no form 'xml'; take one of index, available_skills, names" in wrong.stderr


def test_a_hostile_description_cannot_reach_the_terminal(tmp_path: Path) -> None:
    """No control character of a skill is printed by any command."""
    folder = tmp_path / "skills" / "evil"
    folder.mkdir(parents=True)
    text = '---\nname: evil\ndescription: "a\\e[2J\\u202Eb [red]c[/red]"\n---\n\x1b[31mBody\n'
    (folder / "SKILL.md").write_text(text, "utf-8")
    for command in ("search", "describe", "list", "validate"):
        done = run(command, *(["evil"] if command in {"search", "describe"} else []), "--path", str(tmp_path))
        assert "\x1b" not in done.stdout + done.stderr
        assert "\u202e" not in done.stdout + done.stderr
        if command == "list":
            assert "[red]c[/red]" in done.stdout


def test_answers_do_not_depend_on_the_environment() -> None:
    """Hash seed, locale and time zone change no byte."""
    arguments = ("search", "--json", "--path", str(EXAMPLES), "clean a messy csv table")
    outputs = {
        run(*arguments, PYTHONHASHSEED=seed, LC_ALL=locale, TZ=zone).stdout
        for seed, locale, zone in [
            ("0", "C", "UTC"),
            ("1", "C.UTF-8", "Asia/Tokyo"),
            ("2", "tr_TR.UTF-8", "UTC"),
        ]
    }
    assert len(outputs) == 1


def test_a_long_name_is_whole_in_a_pipe_and_leaves_room_in_a_table(tmp_path: Path) -> None:
    """A script can take the name from its line, and what stands beside it is still a column of text."""
    name = "long-" * 20 + "name"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "SKILL.md").write_text(
        f"---\nname: {name}\ndescription: {'Draws charts. ' * 15}\n---\n", "utf-8"
    )
    for command in (["search", "charts"], ["list"]):
        lines = run(*command, "--path", str(tmp_path)).stdout.splitlines()
        assert any(name in line for line in lines), command
        assert len([line for line in lines if "charts" in line]) <= 3, command


@pytest.mark.parametrize("place", ["locked/inner", "~nobody-of-this-name", "file/below"])
def test_a_place_that_cannot_be_looked_at_is_one_sentence(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be entered, an unknown user's, and what is below a file are no tracebacks."""
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.chdir(tmp_path)
    looked = os.stat

    def locked(path: Any, **options: Any) -> os.stat_result:
        if "locked" in str(path):
            raise PermissionError(13, "Permission denied", str(path))  # a superuser may enter any folder
        return looked(path, **options)

    monkeypatch.setattr(os, "stat", locked)
    with pytest.raises(SourceError, match="give --path a folder that holds skills"):
        open_index([Path(place)], hidden=False, nested=False)
