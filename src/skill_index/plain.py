"""
Skills, findings and stamps as what JSON can say, and back: how a store holds what was read of a folder.

Each place is a piece of its own, so that one can be decoded without the others: a line of JSON and, as they
are, the instructions, which are nearly all of it and full of what JSON would escape.  What follows from the
source is not written: the label and root of a skill's origin, and where its other files are.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from skill_index.findings import Finding, Severity
from skill_index.known import Place, Read
from skill_index.model import Origin, Skill
from skill_index.sources import DirectorySource
from skill_index.sources.stamps import FileStamp, SkillStamp
from skill_index.sources.tree import DirectoryResources

Plain: TypeAlias = Any
"""What JSON can say."""

_PARTS = (
    *("name", "description", "aliases", "tags", "allowed_tools", "license"),
    *("compatibility", "digest", "files_digest"),
)
_MAPPINGS = ("metadata", "extra")


def of_read(place: Place, read: Read) -> bytes:
    """Return what was read at a place as bytes."""
    stamp = read.stamp if isinstance(read.stamp, SkillStamp) else None
    told = (
        (place.source, place.origin.path, place.number),
        read.skill and _of_skill(read.skill),
        list(map(of_finding, read.findings)),
        stamp and (stamp.own, stamp.files, stamp.looked_at),
    )
    line = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    text = read.skill.instructions if read.skill else ""
    return f"{line}\n{text}".encode("utf-8", "surrogatepass")


def to_read(piece: memoryview, sources: tuple[DirectorySource, ...]) -> tuple[Place, Read]:
    """Return what the bytes of `of_read` say; raises an error of some kind for any other."""
    line, _, text = str(piece, "utf-8", "surrogatepass").partition("\n")
    (number, path, count), skill, findings, stamp = json.loads(line)
    source = sources[number]
    origin = origin_in(source, path)
    read = Read(
        skill and _to_skill(skill, text, origin, source),
        tuple(map(to_finding, findings)),
        stamp and _to_stamp(*stamp),
    )
    return Place(number, origin, number=count), read


def origin_in(source: DirectorySource, path: str) -> Origin:
    """Return the origin of the skill at a path of a source."""
    return Origin(source.label, str(source.root), path, source.editable, source.trusted)


def _of_skill(skill: Skill) -> Plain:
    plain = {name: getattr(skill, name) for name in _PARTS}
    return plain | {name: getattr(skill, name).plain() for name in _MAPPINGS}


def _to_skill(told: Plain, instructions: str, origin: Origin, source: DirectorySource) -> Skill:
    resources = DirectoryResources(origin.location.rpartition("/")[0], source.limits)
    return Skill(**told, instructions=instructions, origin=origin, resources=resources)


def of_finding(finding: Finding) -> Plain:
    """Return a finding as a list of its parts."""
    return (finding.code, finding.severity, finding.message, finding.path, finding.line)


def to_finding(told: Plain) -> Finding:
    """Return the finding whose parts are told."""
    code, severity, message, path, line = told
    return Finding(code, Severity(severity), message, path, line)


def _to_stamp(own: Plain, files: Plain, looked_at: int) -> SkillStamp:
    others = {name: (FileStamp(*stamp), digest) for name, (stamp, digest) in files.items()}
    return SkillStamp(own and FileStamp(*own), others, looked_at)
