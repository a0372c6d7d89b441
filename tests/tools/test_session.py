"""A conversation's state: what is held, what fell out, kept as text, used by many threads."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skill_index import Skill, SkillCatalog
from skill_index.prompt.loaded import loaded_skills_section, restore_line
from skill_index.testing.strategies import hostile_texts
from skill_index.tools import Session, Toolkit

CATALOG = SkillCatalog([Skill(name, f"About {name}.", f"Do {name}.") for name in ("one", "two", "three")])


def held(*names: str) -> Session:
    """Return a session that holds these skills."""
    session = Session()
    for name in names:
        session.load(CATALOG.entry(name))
    return session


def names(session: Session) -> tuple[list[str], list[str]]:
    """Return the names of what is loaded and of what fell out."""
    return [one.name for one in session.loaded], [one.name for one in session.evicted]


@pytest.mark.parametrize(
    ("evicted", "state"),
    [
        (["one"], (["two"], ["one"])),
        ("one", (["two"], ["one"])),
        (["memory:one"], (["two"], ["one"])),
        (None, ([], ["one", "two"])),
        ([], (["one", "two"], [])),
        (["nobody"], (["one", "two"], [])),
        (["one", "one"], (["two"], ["one"])),
    ],
)
def test_what_fell_out_is_to_be_restored(
    evicted: list[str] | str | None, state: tuple[list[str], list[str]]
) -> None:
    """Names and ids move from one list to the other; None means all, what is unknown changes nothing."""
    session = held("one", "two")
    session.on_evicted(evicted)
    assert names(session) == state


@pytest.mark.parametrize("name", ["one", "memory:one"])
def test_unload_forgets_also_what_was_to_be_restored(name: str) -> None:
    """A model that is done with a skill is not told to load it again."""
    session = held("one")
    session.on_evicted()
    assert session.unload(name)
    assert names(session) == ([], [])
    assert restore_line(session) == ""
    assert not session.unload(name)


def test_an_id_is_not_taken_for_a_name() -> None:
    """A skill may be named like another one's id; the id wins."""
    catalog = SkillCatalog([Skill("one", "d"), Skill("memory:one", "d")])
    session = Session()
    for entry in catalog.entries:
        session.load(entry)
    assert session.unload("memory:one")
    assert [one.id for one in session.loaded] == [entry.id for entry in catalog.entries if entry.key != "one"]


def test_the_text_of_a_session_brings_it_back() -> None:
    """What is loaded and what fell out survive; the count of failures does not."""
    session = held("one", "two", "three")
    session.on_evicted(["two"])
    again = Session.from_json(session.to_json())
    assert (again.loaded, again.evicted) == (session.loaded, session.evicted)
    assert again.to_json() == session.to_json()
    assert (
        Toolkit(CATALOG, session=again)
        .call("load_skill", {"skill_name": "one"})
        .text.startswith("The skill one is loaded already")
    )


@given(st.lists(hostile_texts().filter(str.strip), max_size=4), st.integers(0, 4))
def test_any_name_survives_the_text(given_names: list[str], evicted: int) -> None:
    """Hostile names, half surrogate pairs too, come back as they were."""
    session = Session()
    entries = SkillCatalog([Skill(name, "d") for name in given_names]).entries
    for entry in entries:
        session.load(entry)
    session.on_evicted([entry.id for entry in entries[:evicted]])
    again = Session.from_json(session.to_json())
    assert (again.loaded, again.evicted) == (session.loaded, session.evicted)


ROW = ["one", "memory:one", "abc"]
WRONG: list[Any] = [
    None,
    [],
    {},
    "text",
    {"loaded": []},
    {"loaded": [], "evicted": None},
    {"loaded": {"abc": 1}, "evicted": []},
    {"loaded": ["abc"], "evicted": []},
    {"loaded": [["one", "memory:one"]], "evicted": []},
    {"loaded": [[*ROW, "more"]], "evicted": []},
    {"loaded": [["one", 1, "abc"]], "evicted": []},
    {"loaded": [], "evicted": [{"a": 1, "b": 2, "c": 3}]},
]


@pytest.mark.parametrize("state", WRONG, ids=json.dumps)
def test_no_other_json_is_a_session(state: object) -> None:
    """A shape that Python could take apart by luck is refused too."""
    with pytest.raises(ValueError, match=r"as Session\.to_json writes it"):
        Session.from_json(json.dumps(state))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\ud800", "NaN"])
def test_no_other_text_is_a_session(text: str) -> None:
    """Broken and deeply nested text is a ValueError as well."""
    with pytest.raises(ValueError, match=r"as Session\.to_json writes it"):
        Session.from_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_any_json_is_a_session_or_a_value_error(loaded: object, evicted: object) -> None:
    """Nothing else comes out of it, and a session that comes out can be written again."""
    try:
        session = Session.from_json(json.dumps({"loaded": loaded, "evicted": evicted}))
    except ValueError:
        return
    assert Session.from_json(session.to_json()).loaded == session.loaded


def test_threads_leave_a_whole_state() -> None:
    """While threads load, evict and unload, every text written is one that can be read, none is torn."""
    session, problems = held(), []
    entries = CATALOG.entries
    started = threading.Barrier(5)

    def work(number: int) -> None:
        started.wait()
        for turn in range(300):
            entry = entries[(number + turn) % 3]
            session.load(entry)
            session.on_evicted([entry.id] if turn % 2 else None)
            session.failed(f"{number % 2}")
            if turn % 7 == 0:
                session.unload(entry.id)

    def look() -> None:
        started.wait()
        for _ in range(300):
            state = json.loads(session.to_json())
            ids = [row[1] for part in state.values() for row in part]
            problems.extend([ids] if len(ids) != len(set(ids)) else [])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    threads.append(threading.Thread(target=look))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert session.failed("0") + session.failed("1") == 4 * 300 + 2


def test_a_rank_is_of_one_answer_though_another_comes_meanwhile() -> None:
    """An answer that is replaced between being looked into and counted raises nothing."""
    session = Session()

    class Answer(tuple[str, ...]):
        """An answer that another thread's search replaces while it is looked into."""

        __slots__ = ()

        def __contains__(self, key: object) -> bool:
            session.answered(("b",))
            return super().__contains__(key)

    session.answered(Answer(("a", "b")))
    assert session.rank("a") == 1
    assert session.rank("a") is None


def test_failures_are_counted_for_the_latest_calls_only() -> None:
    """A count is kept for a hundred calls; the one not repeated for longest is forgotten."""
    session = Session()
    assert [session.failed("a"), session.failed("a")] == [1, 2]
    for number in range(99):
        session.failed(f"call {number}")
    assert session.failed("a") == 3
    for number in range(100):
        session.failed(f"call {number}")
    assert session.failed("a") == 1


def test_the_prompt_carries_what_is_loaded_in_the_order_of_names() -> None:
    """Loading in another order gives the same text; what was removed is said to be gone."""
    text = loaded_skills_section(CATALOG, held("two", "one"))
    assert text == loaded_skills_section(CATALOG, held("one", "two"))
    assert text.index("Do one.") < text.index("Do two.")
    assert "Do three." not in text
    gone = loaded_skills_section(CATALOG.without(["two"]), held("one", "two"))
    assert "Do two." not in gone
    assert "The skill two was removed; go on without it." in gone
    assert loaded_skills_section(CATALOG, Session()) == ""


def test_the_restore_line_names_what_fell_out_and_the_tool() -> None:
    """Names in order, escaped, with the name the host gives the tool."""
    session = held("two", "one")
    session.on_evicted()
    assert restore_line(session, "kit_load") == (
        "Skills that were loaded before: one, two. "
        "Their instructions are no longer in view; call kit_load again for those still needed."
    )
