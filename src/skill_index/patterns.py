"""
Name patterns of filters: shell-like, folded, and refused when they cannot be read.

A filter decides what a sub-agent may see, so its rules are few and written down: a pattern
matches a whole name; `*`, `?`, `[ab]` and `[!ab]` are the only signs; case, Unicode form and
the choice of '-', '_' or blank do not matter, as for every other name; a pattern with a colon
is about qualified names (`label:name`, the id), one without is about bare names.  A pattern
that cannot be read raises: matching everything, or nothing, would be a hole or a puzzle.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable

from skill_index.errors import PatternError
from skill_index.names import fold_name, fold_piece
from skill_index.naming import Entry

# Signs of other pattern languages: taken as letters, they would match nothing, and so deny nothing.
_ALTERNATIVES = re.compile(r"\{[^{}]*,[^{}]*\}")
_SET = re.compile(r"(\[!?[^]][^]]*\])")


def compile_patterns(given: Iterable[str] | str) -> Callable[[Entry], bool]:
    """
    Return a test that tells whether an entry matches any of the patterns.

    One text is one pattern, never a list of letters.
    """
    patterns = [given] if isinstance(given, str) else list(given)
    tests = [(_compile(pattern), ":" in pattern) for pattern in patterns]

    def matches(entry: Entry) -> bool:
        bare = fold_name(entry.skill.name)
        qualified = [fold_name(name) for name in (entry.key, *entry.qualified_names)]
        return any(
            any(map(test, qualified)) or test(bare) if has_colon else test(bare) for test, has_colon in tests
        )

    return matches


def _compile(pattern: object) -> Callable[[str], bool]:
    if not isinstance(pattern, str):
        raise PatternError(repr(pattern), f"a pattern is text, not {type(pattern).__name__}")
    if not pattern.strip():
        raise PatternError(pattern, "it is empty; use '*' for every skill, or an empty list for none")
    if pattern.lstrip().startswith("!") or _ALTERNATIVES.search(pattern):
        advice = "'!' and '{a,b}' mean nothing here; give several patterns, and what to deny to without()"
        raise PatternError(pattern, advice)
    _check_brackets(pattern)
    regex = re.compile(fnmatch.translate(_fold_pattern(pattern)))
    return lambda name: regex.match(name) is not None


def _fold_pattern(pattern: str) -> str:
    """Fold what stands outside brackets as names are; inside, '-' is a range and must stay one."""
    pieces = _SET.split(pattern.strip())
    return "".join(piece.casefold() if piece.startswith("[") else fold_piece(piece) for piece in pieces)


def _check_brackets(pattern: str) -> None:
    """Refuse a '[' that never closes: the shell would take it as a letter, a reader as a set."""
    position = 0
    while (position := pattern.find("[", position)) != -1:
        # A ']' straight after '[' or '[!' is a member of the set.
        first = position + (2 if pattern[position + 1 : position + 2] == "!" else 1)
        end = pattern.find("]", first + 1)
        if end == -1:
            raise PatternError(pattern, "its '[' is never closed; write '[[]' for a bracket itself")
        position = end + 1
