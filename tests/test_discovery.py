"""From sources to a catalog: everything read, everything told, nothing stopped by one bad file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skill_index import DirectorySource, Finding, Limits, MemorySource, RawSkill, Severity, SkillIndex
from skill_index.errors import SourceError

GOOD = "---\nname: {0}\ndescription: Does {0}.\n---\nSteps.\n"


def test_good_files_are_skills_and_bad_ones_are_findings() -> None:
    """One catalog holds what loaded, and an error for what did not."""
    files = {"a/SKILL.md": GOOD.format("a"), "b/SKILL.md": "no header", "c/SKILL.md": GOOD.format("c")}
    catalog = SkillIndex([MemorySource(files)])
    assert list(catalog) == ["a", "c"]
    (finding,) = catalog.findings
    assert (finding.code, finding.severity, finding.path) == ("header-missing", Severity.ERROR, "b/SKILL.md")


def test_progress_counts_every_skill_read() -> None:
    """A caller that shows a bar is told of each file, the refused ones too."""
    counts: list[int] = []
    files = {f"{n}/SKILL.md": GOOD.format(f"s{n}") if n else "no header" for n in range(3)}
    SkillIndex([MemorySource(files)], progress=counts.append)
    assert counts == [1, 2, 3]


def test_strict_reading_refuses_a_file_of_another_name(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """`skill.md` is read leniently with a warning, and is an error and no skill strictly."""
    for name, file in (("low", "skill.md"), ("good", "SKILL.md")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(GOOD.format(name), "utf-8")
    lenient = SkillIndex([DirectorySource(tmp_path)])
    assert list(lenient) == ["good", "low"]
    assert [(f.code, f.severity) for f in lenient.findings] == [("file-name", Severity.WARNING)]
    strict = SkillIndex([DirectorySource(tmp_path)], strict=True)
    assert list(strict) == ["good"]
    assert [(f.code, f.severity) for f in strict.findings] == [("file-name", Severity.ERROR)]


def test_limits_are_passed_on() -> None:
    """A limit of the caller's decides what is too large."""
    catalog = SkillIndex([MemorySource({"a/SKILL.md": GOOD.format("a")})], limits=Limits(header_bytes=5))
    assert [finding.code for finding in catalog.findings] == ["header-too-large"]


class Failing:
    """A source that breaks after its first skill."""

    label = "failing"

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Give one skill, then fail."""
        yield from MemorySource({"first/SKILL.md": GOOD.format("first")}, label="failing").scan()
        raise SourceError("failing", "the line went dead")


@pytest.mark.parametrize("before", [True, False])
def test_a_source_that_fails_ends_alone(before: bool) -> None:
    """Its failure is an error, and the other sources are read."""
    other = MemorySource({"x/SKILL.md": GOOD.format("x")})
    catalog = SkillIndex([Failing(), other] if before else [other, Failing()])
    assert "x" in catalog
    assert "first" in catalog
    assert [finding.severity for finding in catalog.findings] == [Severity.ERROR]
    assert "the line went dead" in catalog.findings[0].message
