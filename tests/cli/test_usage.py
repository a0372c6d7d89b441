"""The command `usage`: a report on a log, for people and for machines."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from skill_index.cli import main
from skill_index.cli.app import app
from skill_index.tools import Event, EventLog


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """Return a log of a few calls, one line of it cut."""
    path = tmp_path / "events.jsonl"
    log = EventLog(path)
    log(Event("searched", "search", query="fill a form", state="strong", total=1, found=("skills:forms",)))
    log(Event("searched", "search", query="deploy\x1b[2J [red]x[/red]", state="none", total=0))
    log(Event("loaded", "load", skill="skills:other", rank=2))
    log(Event("refused", "load", code="skill-not-found"))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"kind":"loa')
    return path


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """Return a folder with two skills."""
    for name in ("forms", "lonely"):
        folder = tmp_path / "skills" / name
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Does it.\n---\n", "utf-8")
    return tmp_path / "skills"


def usage(*arguments: str | Path) -> tuple[int, str]:
    """Run the command and return its exit code and output."""
    done = CliRunner().invoke(app, ["usage", *map(str, arguments)])
    return done.exit_code, done.output


def test_people_get_tables(events: Path, skills: Path) -> None:
    """Each table stands under its heading, and what a model wrote reaches no terminal."""
    code, text = usage(events, "--path", skills)
    assert code == 0
    assert "\x1b" not in text
    tables = [[line.split() for line in part.splitlines()] for part in text.split("\n\n")]
    assert tables == [
        [["4", "events;", "lines", "that", "hold", "none:", "1"]],
        [["calls", "count"], ["searched", "2"], ["loaded", "1"], ["refused", "1"]],
        [["answers", "count", "share"], ["none", "1", "50%"], ["strong", "1", "50%"]],
        [
            ["queries", "that", "found", "little", "or", "nothing", "count"],
            ["deploy", "[2J", "[red]x[/red]", "1"],
        ],
        [["skills", "never", "found"], ["skills:lonely"]],
        [["skills", "found,", "never", "loaded", "found"], ["skills:forms", "1"]],
        [["skills", "loaded", "count", "median", "rank"], ["skills:other", "1", "2"]],
        [["refusals", "count"], ["skill-not-found", "1"]],
        [["skills", "not", "in", "these", "folders"], ["skills:other"]],
    ]


def test_machines_get_json(events: Path, skills: Path) -> None:
    """The keys are those documented, and without folders nothing is said of them."""
    code, text = usage(events, "--json", "--path", skills)
    data = json.loads(text)
    assert code == 0
    assert set(data) == {
        "events",
        "unread",
        "kinds",
        "states",
        "never_found",
        "never_loaded",
        "missed",
        "loaded",
        "refused",
        "elsewhere",
    }
    assert (data["events"], data["unread"], data["never_found"]) == (4, 1, ["skills:lonely"])
    assert data["loaded"] == [{"name": "skills:other", "count": 1, "median_rank": 2.0}]
    plain = json.loads(usage(events, "--json")[1])
    assert (plain["never_found"], plain["elsewhere"]) == ([], [])


@pytest.mark.parametrize(("queries", "more"), [(20, False), (21, True), (45, True)])
def test_long_lists_are_cut_for_people_only(tmp_path: Path, queries: int, more: bool) -> None:
    """Twenty rows and the number of the others; JSON has all."""
    log = EventLog(tmp_path / "events.jsonl")
    for number in range(queries):
        log(Event("searched", "search", query=f"query{number:02} {'x' * 200}", state="none"))
    text = usage(log.path)[1]
    assert [line[:7] for line in text.splitlines() if line.startswith("query")] == [
        f"query{number:02}" for number in range(20)
    ]
    assert (f"and {queries - 20} more" in text) == more
    assert max(map(len, text.splitlines())) <= 120
    assert len(json.loads(usage(log.path, "--json")[1])["missed"]) == queries


@pytest.mark.parametrize(
    ("content", "said"), [("", "0 events\n"), ("x\n\n{}\n", "0 events; lines that hold none: 2\n")]
)
def test_a_file_without_events_exits_1(tmp_path: Path, content: str, said: str) -> None:
    """Nothing to report is said, and is not success."""
    path = tmp_path / "events.jsonl"
    path.write_text(content, "utf-8")
    assert usage(path) == (1, said)
    code, text = usage(path, "--json")
    assert (code, json.loads(text)["events"]) == (1, 0)


@pytest.mark.parametrize("name", ["nowhere.jsonl", "."])
def test_a_file_that_cannot_be_read_exits_2(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on stderr, with what to do."""
    monkeypatch.setattr(sys, "argv", ["skill-index", "usage", str(tmp_path / name)])
    with pytest.raises(SystemExit) as exit_info:
        main()
    told = capsys.readouterr()
    assert exit_info.value.code == 2
    assert told.out == ""
    assert told.err.startswith("skill-index: cannot read events from ")
    assert told.err.endswith("; give the file that an EventLog writes\n")
    assert told.err.count("\n") == 1
