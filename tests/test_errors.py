"""Errors: facts, equality, pickling, and a sentence that says what to do."""

from __future__ import annotations

import pickle

import pytest

from skill_index import errors
from skill_index.findings import Finding, Note, Severity

FINDING = Finding("name-missing", Severity.ERROR, "no name", "pdf/SKILL.md", 2)
EXAMPLES: list[errors.SkillIndexError] = [
    errors.SourceError("/skills", "it is not a folder", "give a folder"),
    errors.UnsafePathError("/skills", "../x", "it leads out of the skill"),
    errors.SkillInvalidError("pdf", (FINDING,)),
    errors.SkillParseError("pdf", (FINDING,)),
    errors.SkillNotFoundError("pdf", ("pdf-forms",)),
    errors.SkillNotFoundError("pdf", ("a:pdf", "b:pdf"), ambiguous=True),
    errors.SkillNotFoundError("pdf"),
    errors.ResourceNotFoundError("pdf", "a.md", ("b.md",)),
    errors.ScriptError("pdf", "fill.py", "it was removed", "load the skill again"),
    errors.ScriptNotAllowedError("pdf", "fill.py", "the user said no"),
    errors.StoreError("/cache/store", "it is cut off"),
    errors.ToolkitError("there is no tool 'x'", "take one of a, b"),
    errors.PatternError("[", "its '[' is never closed"),
    errors.QuerySyntaxError("a +", (2, 3), "a word after '+'"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_are_values(error: errors.SkillIndexError) -> None:
    """An error survives pickling, equals its copy, and prints as text of its own."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert copy == error
    assert hash(copy) == hash(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_every_error_of_the_tree_has_an_example() -> None:
    """A new error class must be added to the examples above."""

    def below(kind: type) -> set[type]:
        subclasses: list[type] = kind.__subclasses__()
        return {kind}.union(*map(below, subclasses))

    roots = {errors.SkillIndexError, errors.SkillError}
    assert below(errors.SkillIndexError) - roots == {type(error) for error in EXAMPLES}


MESSAGES = [
    (EXAMPLES[0], "cannot read skills from '/skills': it is not a folder; give a folder"),
    (EXAMPLES[1], "refused '../x' in '/skills': it leads out of the skill"),
    (EXAMPLES[2], "skill 'pdf' is not valid: pdf/SKILL.md:2: error name-missing no name"),
    (EXAMPLES[4], "no skill is named 'pdf'; the nearest names are 'pdf-forms'"),
    (EXAMPLES[5], "'pdf' names several skills; ask for one of 'a:pdf', 'b:pdf'"),
    (EXAMPLES[6], "no skill is named 'pdf'; search in words to see what there is"),
    (EXAMPLES[7], "skill 'pdf' has no file 'a.md'; the nearest names are 'b.md'"),
    (EXAMPLES[8], "cannot run 'fill.py' of skill 'pdf': it was removed; load the skill again"),
    (EXAMPLES[10], "the store '/cache/store' is not used: it is cut off"),
    (EXAMPLES[11], "there is no tool 'x'; take one of a, b"),
    (EXAMPLES[13], "expected a word after '+'\n  a +\n    ^"),
]


@pytest.mark.parametrize(("error", "message"), MESSAGES)
def test_what_errors_say(error: errors.SkillIndexError, message: str) -> None:
    """A message says what, where and what to do."""
    assert str(error) == message


def test_messages_hold_no_control_characters() -> None:
    """A hostile name cannot move a terminal's cursor through an error."""
    error = errors.SkillNotFoundError("a\x1b[2J\nb", ("c\r",))
    assert str(error).isprintable()


def test_findings_and_notes_are_short_single_lines() -> None:
    """A parser's message that quotes the file is cut and cleaned."""
    finding = Finding("x", Severity.ERROR, "bad\n\x1b[31m" + "y" * 1000, "p\n/SKILL.md", 1)
    assert str(finding).isprintable()
    assert len(finding.message) == 300
    assert Note("x", "a\nb").message == "a b"
