"""
From sources to a catalog: the one place where reading, parsing and naming meet.

    sources ─scan─▶ RawSkill | Finding ─parse─▶ Skill + findings ─▶ SkillCatalog(findings)

One bad file never stops another: whatever is wrong with it is a finding of the catalog.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterable

from skill_index.catalog import SkillCatalog
from skill_index.findings import Finding, Severity
from skill_index.model import Skill
from skill_index.parsing import parse_skill
from skill_index.settings import Limits, SearchSettings
from skill_index.sources import Source, scan_all

Progress = Callable[[int], None]

_log = logging.getLogger("skill_index")
_log.addHandler(logging.NullHandler())

_FILE_NAME = "file-name"  # said by a source just before the file itself: it is not called SKILL.md


def discover(
    sources: Iterable[Source],
    *,
    strict: bool = False,
    limits: Limits = Limits(),
    settings: SearchSettings = SearchSettings(),
    progress: Progress | None = None,
) -> SkillCatalog:
    """
    Read every skill of the sources into a catalog, with all that was wrong in its `findings`.

    `strict` refuses a skill that breaks any rule of the format; `progress` is called with the
    number of files read so far.  Only an error of the program itself raises.
    """
    skills: list[Skill] = []
    findings: list[Finding] = []
    misnamed: set[str] = set()
    for count, item in enumerate(scan_all(sources), start=1):
        if isinstance(item, Finding):
            findings.append(_refused(item) if strict and item.code == _FILE_NAME else item)
            misnamed.update([item.path] if item.code == _FILE_NAME else [])
            continue
        if strict and item.origin.location in misnamed:
            continue
        parsed = parse_skill(item, strict=strict, limits=limits)
        findings.extend(parsed.findings)
        if parsed.skill is not None:
            skills.append(parsed.skill)
        if progress is not None:
            progress(count)
    # Counts only: what strangers wrote does not belong in a host's log.
    _log.info("read %d skills with %d findings", len(skills), len(findings))
    return SkillCatalog(skills, settings=settings, findings=findings)


def _refused(finding: Finding) -> Finding:
    """Return what strict reading says of a file whose name is not the specification's."""
    return dataclasses.replace(finding, severity=Severity.ERROR)
