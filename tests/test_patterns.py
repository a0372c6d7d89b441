"""Filter patterns: whole names, folded, refused when unreadable."""

from __future__ import annotations

import pytest

from skill_index.errors import PatternError
from skill_index.model import Origin, Skill
from skill_index.naming import name_entries
from skill_index.patterns import compile_patterns

ENTRIES = name_entries(
    [
        Skill(name, "x", origin=Origin(label, "/r", f"{name}/SKILL.md"), digest=label + name)
        for label, name in [
            ("a", "git-safe"),
            ("a", "git-force"),
            ("a", "docs"),
            ("a", "tool"),
            ("b", "tool"),
        ]
    ]
)

MATCHED = [
    (["git-*"], {"git-force", "git-safe"}),
    (["GIT-*"], {"git-force", "git-safe"}),
    (["git_*"], {"git-force", "git-safe"}),
    (["git-[fs]*"], {"git-force", "git-safe"}),
    (["git-[!f]*"], {"git-safe"}),
    (["[!dt]*"], {"git-force", "git-safe"}),
    (["git"], set()),
    (["*"], {"b:tool", "docs", "git-force", "git-safe", "tool"}),
    (["tool"], {"b:tool", "tool"}),
    (["a:tool"], {"tool"}),
    (["b:*"], {"b:tool"}),
    ("docs", {"docs"}),
    ([], set()),
    ((), set()),
    (["docs", "tool"], {"docs", "tool", "b:tool"}),
    (["do!cs", "{docs}", "git-{*}"], set()),
]


@pytest.mark.parametrize(("patterns", "expected"), MATCHED)
def test_what_patterns_match(patterns: list[str] | str, expected: set[str]) -> None:
    """A pattern matches whole names; one with a colon matches qualified ones."""
    matches = compile_patterns(patterns)
    assert {entry.key for entry in ENTRIES if matches(entry)} == expected


@pytest.mark.parametrize("pattern", ["", "  ", "git-[ab", "[!", "[]", "!docs", "git-{safe,force}", 7, None])
def test_a_pattern_that_cannot_be_read_is_refused(pattern: object) -> None:
    """An unreadable pattern raises, and says which one and why."""
    with pytest.raises(PatternError, match="cannot use the pattern"):
        compile_patterns([pattern])  # type: ignore[list-item]  # that is the point
