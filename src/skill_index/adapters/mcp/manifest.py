"""
What a skill consists of as others must be able to check it: front matter, files, digests, sizes.

Skills over MCP take a complete list of files with SHA-256 digests, within 512 files and 16 MiB,
of skills that keep to the format.  A skill that does not is left out of that list with the reason,
since one bad entry makes strict clients drop a whole page; tools and resources serve it all the
same.  Nothing is remembered between two answers: a digest of yesterday's bytes is worth nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skill_index.adapters.mcp.addresses import OWN
from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.model import Skill
from skill_index.parsing import to_skill_md
from skill_index.parsing.verbatim import verbatim

MAX_FILES = 512
"""Files of one skill that every host must take."""

MAX_BYTES = 16 << 20
"""Bytes of them all that every host must take; also of one file that is read."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)


class UnlistedError(Exception):
    """A skill has no manifest; the text says why."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The front matter as JSON, and for each file its digest and size; SKILL.md is the first."""

    frontmatter: Mapping[str, Any]
    files: Mapping[str, tuple[str, int]]


def file_names(skill: Skill) -> dict[str, str | None]:
    """
    Return each file as it is shown with its name in the skill's listing, SKILL.md first.

    SKILL.md is shown under that name however it is spelt, and has None where it is in no file.
    """
    listed = [resource.name for resource in skill.resources.listing().resources]
    own = OWN if OWN in listed else next((name for name in listed if name.casefold() == "skill.md"), None)
    return {OWN: own, **{name: name for name in listed if name != own}}


def read_file(skill: Skill, shown: str) -> bytes:
    """Return the bytes of a file by the name it is shown under; raises `ResourceNotFoundError` for others."""
    names = file_names(skill)
    if shown not in names:
        raise ResourceNotFoundError(skill.name, shown)
    name = names[shown]
    if name is None:
        return to_skill_md(skill).encode("utf-8", "surrogatepass")
    return skill.resources.read(name, MAX_BYTES)


def manifest(skill: Skill) -> Manifest:
    """Return the manifest of a skill as it is now, or raise `UnlistedError`."""
    listing = skill.resources.listing()
    if any(finding.code == "too-many-files" for finding in listing.findings):
        raise UnlistedError("it has more files than are listed")
    if len(listing.resources) > MAX_FILES or sum(file.size or 0 for file in listing.resources) > MAX_BYTES:
        raise _too_large()
    try:
        own = read_file(skill, OWN)
        frontmatter = _conforming(own, skill.name)
        contents = {name: own if name == OWN else read_file(skill, name) for name in file_names(skill)}
    except (SourceError, ResourceNotFoundError) as error:
        raise UnlistedError(f"a file cannot be read: {error}") from error
    if len(contents) > MAX_FILES or sum(map(len, contents.values())) > MAX_BYTES:
        raise _too_large()
    return Manifest(frontmatter, {name: (digest_of(data), len(data)) for name, data in contents.items()})


def digest_of(data: bytes) -> str:
    """Return the digest of bytes as the protocol writes it."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _too_large() -> UnlistedError:
    return UnlistedError(f"it has more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB")


def _conforming(data: bytes, name: str) -> Mapping[str, Any]:
    """Return the front matter of a file that keeps to the format as strict clients check it."""
    said = verbatim(data)
    if said is None:
        raise UnlistedError("its front matter is no plain YAML")
    if said.get("name") != name or len(name) > 64 or not _NAME.fullmatch(name):
        raise UnlistedError("its name is not made of lowercase letters, digits and single hyphens")
    if not _is_text(said.get("description"), 1024):
        raise UnlistedError("its description is no text of 1 to 1,024 characters")
    tools = said.get("allowed-tools", "")
    fits = {
        "license": isinstance(said.get("license", ""), str),
        "compatibility": _is_text(said.get("compatibility", "-"), 500),
        "metadata": isinstance(said.get("metadata", {}), dict),
        "allowed-tools": isinstance(tools, str)
        or (isinstance(tools, list) and all(isinstance(tool, str) for tool in tools)),
    }
    broken = [key for key, fit in fits.items() if not fit]
    if broken:
        raise UnlistedError(f"the format wants another kind of value for {broken[0]!r}")
    return said


def _is_text(value: object, limit: int) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= limit
