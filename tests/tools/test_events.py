"""Events: one line each, read back as they were, and nothing else taken for one."""

from __future__ import annotations

import dataclasses
import json
import threading
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index.testing.strategies import hostile_texts
from skill_index.text import well_formed
from skill_index.tools import Event, EventLog
from skill_index.tools.events import Kind

FULL = Event(
    "loaded",
    "load_skill",
    query="fill a form",
    skill="team:pdf-forms",
    name="fields.md",
    rank=2,
    state="strong",
    total=7,
    found=("team:pdf-forms", "team:xls"),
    code="stale",
    seconds=0.25,
    version="1a2b3c4d",
)


def events() -> st.SearchStrategy[Event]:
    """Return events of every kind whose texts may be hostile."""
    text = hostile_texts()
    return st.builds(
        Event,
        st.sampled_from(get_args(Kind)),
        text,
        query=text,
        skill=text,
        name=text,
        rank=st.none() | st.integers(1, 10**6),
        state=text,
        total=st.none() | st.integers(0, 10**6),
        found=st.lists(text, max_size=3).map(tuple),
        code=text,
        seconds=st.floats(0, 1e9),
        version=text,
    )


def test_a_line_says_everything_in_order() -> None:
    """All keys are sorted, the text is compact, and every field is there."""
    line = FULL.to_json()
    assert line == (
        '{"code":"stale","found":["team:pdf-forms","team:xls"],"kind":"loaded","name":"fields.md",'
        '"query":"fill a form","rank":2,"seconds":0.25,"skill":"team:pdf-forms","state":"strong",'
        '"tool":"load_skill","total":7,"version":"1a2b3c4d"}'
    )
    assert set(json.loads(line)) == {field.name for field in dataclasses.fields(Event)}


def test_defaults_are_left_out() -> None:
    """A plain event has a plain line; a total of 0 is no default."""
    assert Event("listed", "t").to_json() == '{"kind":"listed","tool":"t"}'
    assert Event("listed", "t", total=0).to_json() == '{"kind":"listed","tool":"t","total":0}'
    assert Event("ran", "t", seconds=1).to_json() == '{"kind":"ran","seconds":1,"tool":"t"}'


@given(events())
def test_an_event_comes_back(event: Event) -> None:
    """One line of ASCII whatever the texts hold, and the same event from it, half surrogates mended."""
    line = event.to_json()
    assert line.isascii()
    assert line.isprintable()
    texts: dict[str, Any] = {
        field.name: well_formed(value)
        for field in dataclasses.fields(event)
        if isinstance(value := getattr(event, field.name), str)
    }
    texts["found"] = tuple(map(well_formed, event.found))
    mended = dataclasses.replace(event, **texts)
    assert Event.from_json(line) == Event.from_json(line.encode()) == mended
    assert Event.from_json(line).to_json() == line


NO_EVENTS: list[str | bytes] = [
    "",
    "null",
    "[]",
    "7",
    '"loaded"',
    "{}",
    '{"kind":"loaded"}',
    '{"tool":"t"}',
    '{"kind":"loaded","tool":"t"',
    '{"kind":"loaded","tool":"t"}{"kind":"loaded","tool":"t"}',
    '{"kind":"stolen","tool":"t"}',
    '{"kind":"Loaded","tool":"t"}',
    '{"kind":"loaded","tool":null}',
    '{"kind":"loaded","tool":7}',
    '{"kind":"loaded","tool":"t","output":"secret"}',
    '{"kind":"loaded","tool":"t","rank":0}',
    '{"kind":"loaded","tool":"t","rank":1.5}',
    '{"kind":"loaded","tool":"t","rank":"1"}',
    '{"kind":"loaded","tool":"t","rank":true}',
    '{"kind":"loaded","tool":"t","total":-1}',
    '{"kind":"loaded","tool":"t","seconds":-0.1}',
    '{"kind":"loaded","tool":"t","seconds":NaN}',
    '{"kind":"loaded","tool":"t","seconds":1e999}',
    '{"kind":"loaded","tool":"t","found":"a"}',
    '{"kind":"loaded","tool":"t","found":[null]}',
    '{"kind":"loaded","tool":"\\ud800"}',
    '{"kind":"loaded","tool":"\ud800"}',
    b'{"kind":"loaded","tool":"\xff"}',
    "[" * 100_000,
    '{"kind":"loaded","tool":"t","rank":' + "9" * 5_000 + "}",
]


@pytest.mark.parametrize("line", NO_EVENTS)
def test_anything_else_is_no_event(line: str | bytes) -> None:
    """Each raises ValueError in one line that repeats nothing of what stood there."""
    with pytest.raises(ValueError, match=r"^no event: ") as caught:
        Event.from_json(line)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    assert "secret" not in str(caught.value)


@given(st.text() | st.binary() | st.recursive(st.none(), st.lists).map(json.dumps))
def test_nothing_but_valueerror(line: str | bytes) -> None:
    """No line makes the reader fail in another way."""
    with pytest.raises(ValueError, match=r"^no event: "):
        Event.from_json(line)


@pytest.mark.parametrize("seconds", [float("nan"), float("inf")])
def test_what_json_has_no_word_for_is_refused(seconds: float) -> None:
    """No line is written that could not be read."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        Event("ran", "t", seconds=seconds).to_json()


def test_a_log_grows_by_lines(tmp_path: Path) -> None:
    """Each call appends its line at once, to what is there already, and to a new file once moved."""
    path = tmp_path / "events.jsonl"
    log = EventLog(path)
    log(FULL)
    assert path.read_bytes() == f"{FULL.to_json()}\n".encode()
    EventLog(str(path))(Event("listed", "t", query="a\u2028\nb"))
    assert [Event.from_json(line).kind for line in path.read_text("utf-8").splitlines()] == [
        "loaded",
        "listed",
    ]
    path.rename(tmp_path / "old.jsonl")
    log(FULL)
    assert len(path.read_bytes().splitlines()) == 1


def test_a_torn_line_swallows_no_other(tmp_path: Path) -> None:
    """What a crash left half written stands by itself, and costs only itself."""
    path = tmp_path / "events.jsonl"
    path.write_bytes(FULL.to_json().encode()[:20])
    log = EventLog(path)
    log(FULL)
    log(FULL)
    torn, *whole = path.read_bytes().splitlines()
    assert torn == FULL.to_json().encode()[:20]
    assert [Event.from_json(line) for line in whole] == [FULL, FULL]


def test_threads_and_logs_share_a_file(tmp_path: Path) -> None:
    """No line is lost or cut, though two logs and several threads write long ones at once."""
    path = tmp_path / "events.jsonl"
    logs = [EventLog(path), EventLog(path)]
    together = threading.Barrier(8)

    def write(number: int) -> None:
        together.wait()
        for turn in range(25):
            logs[number % 2](Event("searched", f"{number}", query="x" * 9_000, total=turn))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = [Event.from_json(line) for line in path.read_bytes().splitlines() if line]
    assert {(event.tool, event.total) for event in read} == {
        (f"{n}", turn) for n in range(8) for turn in range(25)
    }
    assert len(read) == 200


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The caller learns that its log is not kept."""
    with pytest.raises(FileNotFoundError):
        EventLog(tmp_path / "nowhere" / "events.jsonl")(FULL)
    with pytest.raises(ValueError, match="JSON"):
        EventLog(tmp_path / "events.jsonl")(Event("ran", "t", seconds=float("nan")))
    assert not (tmp_path / "events.jsonl").exists()
