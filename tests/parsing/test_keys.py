"""Which keys count, and what is said about the others."""

from __future__ import annotations

import pytest

from skill_index.parsing.codes import Report
from skill_index.parsing.keys import sort_out
from skill_index.parsing.values import Entry


def sorted_out(*keys: str) -> tuple[dict[str, str], list[tuple[str, int | None]]]:
    """Sort keys out; return the values by key, and the findings."""
    report = Report("SKILL.md", strict=False)
    found = sort_out([Entry(key, f"of {key}", line) for line, key in enumerate(keys, 2)], report)
    return {key: str(entry.value) for key, entry in found.items()}, [
        (f.code, f.line) for f in report.findings()
    ]


@pytest.mark.parametrize(
    "key",
    [
        *("allowed_tools", "allowedTools", "allowedtools", "Allowed-Tools", "ALLOWED TOOLS", "Allowed_Tools"),
        *("\u200ballowed-tools", "allowed-tools\u2060", "allowed-\u00adtools", "\u00a0allowed-tools"),
        *("allowed\u2010tools", "allowed\u2011tools", "allowed\u2013tools", "Allowed\u2212Tools"),
    ],
)
def test_another_spelling_of_a_key_is_read_and_told(key: str) -> None:
    """Case, hyphens and what nobody sees do not lose a field; the right spelling is asked for."""
    assert sorted_out(key) == ({"allowed-tools": f"of {key}"}, [("misspelt-key", 2)])


@pytest.mark.parametrize("keys", [("Description", "description"), ("description", "Description")])
def test_the_right_spelling_wins(keys: tuple[str, str]) -> None:
    """Beside the right key another spelling is only kept, whichever comes first."""
    found, findings = sorted_out(*keys)
    assert found == {"description": "of description", "Description": "of Description"}
    assert [code for code, _ in findings] == ["misspelt-key"]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("descripton", "misspelt-key"),
        ("licence", "misspelt-key"),
        ("compatability", "misspelt-key"),
        ("version", "extension-key"),
        ("user_invocable", "extension-key"),
        ("argumentHint", "extension-key"),
        ("tags", "extension-key"),
        ("favourite-colour", "unknown-key"),
        ("", "unknown-key"),
    ],
)
def test_a_foreign_key_is_kept_and_told_by_kind(key: str, code: str) -> None:
    """A likeness, a host's key and an unknown one are told apart, and never acted on."""
    assert sorted_out(key) == ({key: f"of {key}"}, [(code, 2)])


def test_keys_of_the_specification_are_not_told() -> None:
    """Right keys give no finding, in any order."""
    keys = ("allowed-tools", "metadata", "name", "license", "description", "compatibility")
    assert sorted_out(*keys) == ({key: f"of {key}" for key in keys}, [])


def test_an_html_comment_is_no_key() -> None:
    """A comment with a colon in it is valid YAML and still no entry."""
    assert sorted_out("<!-- owner", "name") == ({"name": "of name"}, [("html-comment", 2)])


def test_search_keys_are_read_in_any_case() -> None:
    """`Tags` is as good as `tags`, since hosts differ."""
    assert sorted_out("Tags")[0] == {"tags": "of Tags"}
