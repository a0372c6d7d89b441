"""The specification's rules about names and lengths."""

from __future__ import annotations

import pytest

from skill_index.model import Origin, RawSkill
from skill_index.parsing import parse_skill
from skill_index.parsing.codes import CODES
from skill_index.parsing.spec import EXTENSION_KEYS, RULES, SPEC_KEYS


def broken(field: str, value: str, folder: str = "") -> set[str]:
    """Return the codes of the rules that a value breaks."""
    return {rule.code for rule in RULES if rule.field == field and rule.broken(value, folder)}


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("pdf-forms", set()),
        ("a", set()),
        ("7zip-2", set()),
        ("claude-anthropic-mcp-ai", set()),
        ("größe", set()),
        ("データ分析", set()),
        ("отчёт-2", set()),
        ("a" * 64, set()),
        ("技" * 64, set()),
        ("a" * 65, {"name-too-long"}),
        ("PDF", {"name-not-lowercase"}),
        ("Über", {"name-not-lowercase"}),
        ("a_b", {"name-characters"}),
        ("a b", {"name-characters"}),
        ("a.b", {"name-characters"}),
        ("a/b", {"name-characters"}),
        ("a–b", {"name-characters"}),
        ("-a", {"name-edge-hyphen"}),
        ("a-", {"name-edge-hyphen"}),
        ("a--b", {"name-double-hyphen"}),
        ("--", {"name-edge-hyphen", "name-double-hyphen"}),
        ("My Skill-", {"name-not-lowercase", "name-characters", "name-edge-hyphen"}),
    ],
)
def test_each_rule_about_names_is_told_apart(name: str, codes: set[str]) -> None:
    """Letters and digits of any script and single inner hyphens make a name; nothing is reserved."""
    assert broken("name", name) == codes


@pytest.mark.parametrize(
    ("name", "folder", "codes"),
    [
        ("pdf", "pdf", set()),
        ("pdf", "", set()),
        ("caf\u00e9", "cafe\u0301", set()),
        ("ｐｄｆ", "pdf", set()),
        ("pdf", "PDF", {"name-not-folder"}),
        ("pdf", "pdf-forms", {"name-not-folder"}),
    ],
)
def test_a_name_is_compared_with_its_folder_in_one_unicode_form(
    name: str, folder: str, codes: set[str]
) -> None:
    """Composed and decomposed letters are the same, capitals are not; without a folder all is well."""
    assert broken("name", name, folder) == codes


@pytest.mark.parametrize(("field", "limit"), [("description", 1024), ("compatibility", 500)])
def test_lengths_count_characters(field: str, limit: int) -> None:
    """A text of three-byte or four-byte characters may be as long as one of letters."""
    for char in ("a", "検", "😀"):
        assert broken(field, char * limit) == set()
        assert broken(field, char * (limit + 1)) == {f"{field}-too-long"}


def test_the_tables_fit_together() -> None:
    """Every rule reports a code that is in the table, about a key of the specification."""
    assert {rule.code for rule in RULES} <= CODES.keys()
    assert {rule.field for rule in RULES} <= SPEC_KEYS.keys()
    assert not EXTENSION_KEYS & SPEC_KEYS.keys()


HIDDEN = [
    ("safe \u202etxt.sh", "U+202E"),
    ("zero\u200bwidth", "U+200B"),
    ("tagged \U000e0041", "U+E0041"),
    ("a \u2066b\u2069", "U+2066, U+2069"),
    ("👩\u200d💻 می\u200cخواهم", ""),
    ("plain", ""),
]


@pytest.mark.parametrize(("description", "shown"), HIDDEN)
def test_characters_nobody_sees_are_told(description: str, shown: str) -> None:
    """Bidi and zero-width characters are a warning in both modes; joiners that spell words are not."""
    data = f"---\nname: pdf\ndescription: {description}\n---\n".encode()
    for strict in (False, True):
        parsed = parse_skill(RawSkill(Origin("s", "/r", "pdf/SKILL.md"), data), strict=strict)
        assert parsed.skill is not None
        found = [finding for finding in parsed.findings if finding.code == "hidden-character"]
        assert len(found) == bool(shown)
        assert all(shown in finding.message for finding in found)
