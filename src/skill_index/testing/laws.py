"""
Laws that a search over skills keeps, to be run against any front end or ranker.

Each law is a plain function that raises AssertionError with what broke.  A search under test is
a callable from a query and a limit to the names of the hits, best first; a builder makes one
from skills:

    search = build(skills)
    names = search("fill a form", 5)

Nothing in here uses skill_index's own search, so another one can be held to the same laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from skill_index.model import Skill

Search = Callable[[str, int], Sequence[str]]
Build = Callable[[Sequence[Skill]], Search]


def answers_any_text(search: Search, query: str, limit: int = 5) -> None:
    """Check that any text is answered, with at most `limit` names, none of them twice."""
    names = search(query, limit)
    _hold(len(names) <= limit, f"{len(names)} hits for a limit of {limit}: {query!r}")
    _hold(len(set(names)) == len(names), f"a name twice for {query!r}: {names}")


def keeps_its_prefix(search: Search, query: str, limit: int) -> None:
    """Check that the first `limit` hits are the same whether or not one more is asked for."""
    fewer, more = list(search(query, limit)), list(search(query, limit + 1))
    _hold(more[: len(fewer)] == fewer, f"{query!r} at {limit}: {fewer} is no prefix of {more}")


def ignores_input_order(build: Build, skills: Sequence[Skill], query: str, limit: int = 5) -> None:
    """Check that the order in which skills are given does not matter."""
    forward = list(build(skills)(query, limit))
    backward = list(build(list(reversed(skills)))(query, limit))
    _hold(forward == backward, f"{query!r}: {forward} forward, {backward} backward")


def finds_exact_names_first(build: Build, skills: Sequence[Skill]) -> None:
    """Check that a skill's whole name is answered with that skill first."""
    search = build(skills)
    for name in sorted({skill.name for skill in skills}):
        first = list(search(name, 5))[:1]
        _hold(bool(first), f"the name {name!r} finds nothing")
        _hold(first[0] == name or first[0].endswith(f":{name}"), f"the name {name!r} finds {first[0]!r}")


def exclusion_never_adds(search: Search, query: str, excluded: str, limit: int = 1000) -> None:
    """Check that adding `-word` to a query only takes hits away."""
    before = set(search(query, limit))
    after = set(search(f"{query} -{excluded}", limit))
    _hold(after <= before, f"-{excluded} added {sorted(after - before)} to {query!r}")


def hides_what_is_filtered(texts: Iterable[str], hidden: Iterable[str]) -> None:
    """Check that none of the public texts names a hidden skill."""
    for text in texts:
        for name in hidden:
            _hold(name not in text, f"{name!r} is hidden and named in {text!r}")


def parses_back(parse: Callable[[str], Any], query: str) -> None:
    """Check that a parsed query, printed and parsed again, is the same query."""
    once = parse(query)
    again = parse(str(once))
    _hold(again == once, f"{query!r} printed as {str(once)!r} and came back different")


def keeps_its_budget(text: str, count: Callable[[str], int], budget: int) -> None:
    """Check that a text keeps its budget, by the counter it was given."""
    _hold(count(text) <= budget, f"{count(text)} units in a budget of {budget}")


def _hold(holds: bool, message: str) -> None:  # noqa: FBT001 - reads as an assertion
    """Raise as `assert` does, also where Python runs with assertions off."""
    if not holds:
        raise AssertionError(message)
