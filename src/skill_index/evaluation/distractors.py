"""
A pool of other skills to hide the needed ones among.

A skill of the pool that is a copy or a sibling of a judged one would turn right answers into wrong
ones: nobody judged it.  So what shares its name, or begins its description as a judged one does,
stays out, and what is in the pool twice comes in once.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path

from skill_index.discovery import Reader
from skill_index.errors import SkillIndexError, SourceError
from skill_index.evaluation.judged import load_skills
from skill_index.model import Skill
from skill_index.settings import Limits
from skill_index.sources import (
    ArchiveLimits,
    ArchiveSource,
    DirectorySource,
    MemorySource,
    Source,
    is_archive,
)

_SAME_START = 200  # characters of a description; siblings differ in their last sentences
_LABEL = "pool"
_TARS = (".tar", ".tgz", ".tar.gz", ".tar.xz", ".txz", ".tar.bz2")
_ROOMY = ArchiveLimits(packed_bytes=1 << 30, members=1_000_000, unpacked_bytes=4 << 30)  # the user's own pool


def read_pool(
    path: str | os.PathLike[str], progress: Callable[[int], None] | None = None
) -> tuple[Skill, ...]:
    """
    Return the skills of a folder with a skills.jsonl, or of a folder or archive of SKILL.md files.

    Raises `SkillIndexError` when there is nothing to read skills from.
    """
    place = Path(path)
    if (place / "skills.jsonl").is_file():
        return tuple(load_skills(place / "skills.jsonl"))
    skills, findings = Reader((_source(place),)).read(progress)
    if not skills:
        reason = next((finding.message for finding in findings), "no skill is in it")
        raise SourceError(str(place), reason, "give a folder with a skills.jsonl, or SKILL.md files")
    return tuple(skills)


def new_skills(pool: Iterable[Skill], judged: Iterable[Skill]) -> tuple[Skill, ...]:
    """
    Return the skills of a pool that are none of the judged ones, each name and description once.

    >>> pool = [Skill("a", "Draws."), Skill("b", "Fills."), Skill("b", "Fills.")]
    >>> [skill.name for skill in new_skills(pool, [Skill("a", "Paints.")])]
    ['b']
    """
    names, starts = set(), set()
    for skill in judged:
        names.add(skill.name)
        starts.add(skill.description[:_SAME_START])
    kept = {
        (skill.name, skill.description): skill
        for skill in reversed(tuple(pool))
        if skill.name not in names and skill.description[:_SAME_START] not in starts
    }
    return tuple(kept[key] for key in sorted(kept))


def _source(place: Path) -> Source:
    if place.is_dir():
        return DirectorySource(place, label=_LABEL, hidden=True, nested=True)
    if place.is_file() and place.name.lower().endswith(_TARS):
        return MemorySource(_unpacked(place), _LABEL)
    if place.is_file() and is_archive(place):
        return ArchiveSource(place, _LABEL, nested=True, limits=_ROOMY)
    reason = (
        "it is neither a folder nor an archive" if place.exists() else "there is no such folder or archive"
    )
    raise SourceError(str(place), reason, "give a folder with a skills.jsonl, or SKILL.md files")


def _unpacked(place: Path) -> dict[str, bytes]:
    """Return the SKILL.md files of a tar, hidden folders too; the other files are of no use here."""
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(place) as archive:
            for member in archive:
                wanted = member.isfile() and member.name.lower().endswith("skill.md")
                if wanted and member.size <= Limits().file_bytes:
                    content = archive.extractfile(member)
                    files[member.name.removeprefix("./")] = content.read() if content is not None else b""
    except (tarfile.TarError, OSError, EOFError) as error:
        message = f"cannot unpack {str(place)!r}: {error}"
        raise SkillIndexError(message) from error
    return files
