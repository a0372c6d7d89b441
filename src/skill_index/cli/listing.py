"""Lists for machines and compilers: skills as JSON, findings as lines."""

from __future__ import annotations

from collections import Counter

from pydantic import BaseModel

from skill_index.catalog import SkillCatalog
from skill_index.prompt import PromptSection
from skill_index.render import Locations
from skill_index.results import Hit
from skill_index.tools.describe import SkillFacts, skill_facts
from skill_index.tools.reply import Text


class ListData(BaseModel):
    """The skills of a catalog, in name order."""

    total: int
    skills: tuple[SkillFacts, ...]


class FindingFacts(BaseModel):
    """One problem in one file."""

    code: Text
    severity: Text
    message: Text
    path: Text
    line: int | None


class ValidationData(BaseModel):
    """How many skills stand, and every problem found."""

    skills: int
    errors: int
    warnings: int
    findings: tuple[FindingFacts, ...]


class SectionData(BaseModel):
    """The index section, what it costs, and the version to compare later ones with."""

    text: Text
    step: str
    tokens: int
    total: int
    dropped: str
    version: str


def section_json(section: PromptSection) -> str:
    """Return a section as a JSON text."""
    return SectionData(
        text=section.text,
        step=section.step,
        tokens=section.tokens,
        total=section.total,
        dropped=section.dropped,
        version=section.stamp.version,
    ).model_dump_json(indent=2)


def list_json(catalog: SkillCatalog) -> str:
    """Return the skills as a JSON text."""
    hits = (Hit(entry.key, entry.id, entry.skill, 0.0) for entry in catalog.entries)
    facts = tuple(skill_facts(hit, Locations()) for hit in hits)
    return ListData(total=len(facts), skills=facts).model_dump_json(
        indent=2, exclude={"skills": {"__all__": {"score", "evidence"}}}
    )


def findings_json(catalog: SkillCatalog) -> str:
    """Return the findings as a JSON text."""
    counts = Counter(str(finding.severity) for finding in catalog.findings)
    facts = tuple(
        FindingFacts(code=f.code, severity=str(f.severity), message=f.message, path=f.path, line=f.line)
        for f in catalog.findings
    )
    data = ValidationData(
        skills=len(catalog), errors=counts["error"], warnings=counts["warning"], findings=facts
    )
    return data.model_dump_json(indent=2)


def findings_text(catalog: SkillCatalog) -> str:
    """Return one line a finding, and a last line that counts."""
    counts = Counter(str(finding.severity) for finding in catalog.findings)
    lines = [str(finding) for finding in catalog.findings]
    summary = f"{len(catalog)} skills, {counts['error']} errors, {counts['warning']} warnings"
    return "\n".join((*lines, summary))
