"""
What an MCP server says of its skills, taken apart and not believed.

    entry  = URI of SKILL.md, its front matter, and every file with digest and size

An entry that breaks a rule is a finding and costs only itself.  What an entry says is compared
with the file once that is parsed: nobody may be shown one description and load another.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from skill_index.findings import Finding
from skill_index.frozen import FrozenMap
from skill_index.model import Skill
from skill_index.resources import is_speakable, leads_out
from skill_index.sources.problems import problem
from skill_index.sources.stamps import HASHED_BYTES, files_digest

MAX_FILES = 512
"""Files of one skill, SKILL.md included; what Skills over MCP ask every host to take."""

MAX_BYTES = 16 << 20
"""Bytes of all files of one skill, as far as they are known beforehand."""

OWN = "SKILL.md"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_OURS = frozenset({"allowed-tools", "aliases", "keywords", "tags"})  # kept in another shape than written
_TRUE, _FALSE = frozenset({"true", "yes", "on", "y"}), frozenset({"false", "no", "off", "n"})


class BadEntryError(ValueError):
    """An entry breaks a rule; the text says which."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a skill on the server; digest and size are None where the server did not say."""

    uri: str
    digest: str | None = None
    size: int | None = None

    def fault(self, data: bytes) -> str:
        """Return how these bytes differ from what was said of the file, or ""."""
        if self.size is not None and len(data) != self.size:
            return f"it has {len(data):,} bytes, and {self.size:,} were announced"
        if self.digest is not None and f"sha256:{hashlib.sha256(data).hexdigest()}" != self.digest:
            return "its digest is not the announced one"
        return ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One skill as its server lists it; `complete` says that the front matter is the whole of it."""

    uri: str
    frontmatter: FrozenMap
    files: Mapping[str, File]
    complete: bool = True

    @property
    def place(self) -> tuple[str, str]:
        """The scheme of its URI, and the path behind that."""
        scheme, parts = split(self.uri)
        return scheme, "/".join(parts)

    @property
    def stamp(self) -> str | None:
        """What is equal as long as nothing of the skill has changed; None where nobody can tell."""
        if any(file.digest is None for file in self.files.values()):
            return None
        files = sorted((file.uri, file.digest, file.size) for file in self.files.values())
        said = [self.frontmatter.plain(), files]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()

    @property
    def files_digest(self) -> str:
        """A digest of the files beside SKILL.md, equal to that of a copy in a folder."""
        others = {name: file for name, file in self.files.items() if name != OWN}
        return files_digest({name: _mark(file) for name, file in others.items()})


def split(uri: str) -> tuple[str, tuple[str, ...]]:
    """
    Return the scheme of a URI and the parts of its path, its authority first.

    >>> split("skill://acme/billing/caf%C3%A9/SKILL.md")
    ('skill', ('acme', 'billing', 'café', 'SKILL.md'))
    """
    try:
        found = urlsplit(uri)
    except ValueError:
        found = None
    if found is None or not found.scheme or found.query or found.fragment:
        message = f"{uri[:200]!r} is no URI of a file"
        raise BadEntryError(message)
    parts = tuple(unquote(part) for part in (found.netloc, *found.path.removeprefix("/").split("/")))
    if any(
        part in {"", ".", ".."} or "/" in part or "\\" in part or not is_speakable(part) for part in parts
    ):
        message = f"{uri[:200]!r} has a part that names no file"
        raise BadEntryError(message)
    return found.scheme.lower(), parts


def read_entry(said: Any) -> Entry:
    """Return an entry of `skills/list` or `skills/get`, or raise `BadEntryError`."""
    uri, frontmatter, resources = _fields(said)
    scheme, parts = split(uri)
    if parts[-1] != OWN or len(parts) < 2:
        message = f"{uri[:200]!r} is no {OWN}"
        raise BadEntryError(message)
    if parts[-2] != frontmatter["name"]:
        message = f"it is named {frontmatter['name'][:80]!r} and lies at {uri[:200]!r}"
        raise BadEntryError(message)
    if resources == "dynamic":
        message = "its content is made anew for every reader, so nothing can be verified"
        raise BadEntryError(message)
    if not isinstance(resources, list) or len(resources) > MAX_FILES:
        message = f"its resources are no list of at most {MAX_FILES} files"
        raise BadEntryError(message)
    files: dict[str, File] = {}
    for resource in resources:
        file = _file(resource)
        name = name_below(file.uri, scheme, parts[:-1])
        if not name or name in files:
            message = f"{file.uri[:200]!r} is listed twice or lies outside of the skill"
            raise BadEntryError(message)
        files[name] = file
    if OWN not in files or files[OWN].uri != uri:
        message = f"it does not list its {OWN}"
        raise BadEntryError(message)
    if sum(file.size or 0 for file in files.values()) > MAX_BYTES:
        message = f"its files have more than {MAX_BYTES >> 20} MiB"
        raise BadEntryError(message)
    return Entry(uri, FrozenMap(frontmatter), FrozenMap(files))


def read_index(said: Any, listed: Iterable[tuple[str, int | None]]) -> Entry:
    """Return an entry of the older `skill://index.json`; its files are what the server lists below it."""
    if not isinstance(said, dict) or said.get("type", "skill-md") != "skill-md":
        kind = said.get("type") if isinstance(said, dict) else None
        message = f"it is of type {kind!r}, and only 'skill-md' is read"
        raise BadEntryError(message)
    uri, digest = said.get("url"), said.get("digest")
    names = {key: said.get(key) for key in ("name", "description")}
    if not all(isinstance(text, str) for text in (uri, *names.values())):
        message = "it has no name, description and url"
        raise BadEntryError(message)
    if digest is not None and not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        message = "its digest is no SHA-256"
        raise BadEntryError(message)
    scheme, parts = split(str(uri))
    beside = {name_below(other, scheme, parts[:-1]): File(other, None, size) for other, size in listed}
    files = {name: file for name, file in beside.items() if name and name != parts[-1]}
    files[OWN] = File(str(uri), digest)
    return Entry(str(uri), FrozenMap(names), FrozenMap(files), complete=False)


def name_below(uri: str, scheme: str, folder: tuple[str, ...]) -> str:
    """Return the name of a file below a folder, "" if it lies elsewhere."""
    try:
        own, parts = split(uri)
    except BadEntryError:
        return ""
    name = "/".join(parts[len(folder) :])
    inside = own == scheme and len(parts) > len(folder) and parts[: len(folder)] == folder
    return name if inside and not leads_out(name) else ""


def _fields(said: Any) -> tuple[str, dict[str, Any], Any]:
    if not isinstance(said, dict) or not isinstance(said.get("uri"), str):
        message = "it has no uri"
        raise BadEntryError(message)
    frontmatter = said.get("frontmatter")
    named = isinstance(frontmatter, dict) and all(
        isinstance(frontmatter.get(key), str) for key in ("name", "description")
    )
    if not named:
        message = f"{said['uri'][:200]!r} has no front matter with name and description"
        raise BadEntryError(message)
    return said["uri"], dict(frontmatter or {}), said.get("resources")


def _file(said: Any) -> File:
    fits = isinstance(said, dict) and isinstance(said.get("uri"), str)
    digest, size = (said.get("digest"), said.get("size")) if fits else (None, None)
    if isinstance(size, float) and size.is_integer():
        size = int(size)
    whole = isinstance(size, int) and not isinstance(size, bool) and size >= 0
    if not whole or not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        message = "a file of it has no uri, SHA-256 digest and size"
        raise BadEntryError(message)
    return File(said["uri"], digest, size)


def _mark(file: File) -> str:
    if file.digest is None or (file.size or 0) > HASHED_BYTES:
        return f"{file.size} bytes"
    return file.digest.removeprefix("sha256:")


@dataclass(frozen=True, slots=True)
class AsListed:
    """The step that leaves out a skill whose file says something else than its entry."""

    entry: Entry
    place: str

    def __call__(self, skill: Skill) -> Skill | Finding:
        """Return the skill, or how it differs from what was announced."""
        key = _difference(self.entry, skill)
        if not key:
            return skill
        message = f"is not as announced: {key[:80]!r} is another in the file; the skill is left out"
        return problem("unverified", self.place, message)


def _difference(entry: Entry, skill: Skill) -> str:
    said = {_plain(key): value for key, value in entry.frontmatter.items()}
    found: dict[str, Any] = {"name": skill.name, "description": skill.description, "license": skill.license}
    found |= {"compatibility": skill.compatibility, "metadata": skill.metadata}
    found |= {_plain(key): value for key, value in skill.extra.items()}
    keys = said.keys() | (found.keys() if entry.complete else set())
    return next((key for key in sorted(keys - _OURS) if not _same(said.get(key), found.get(key))), "")


def _plain(key: str) -> str:
    return key.replace("_", "-").casefold()


def _same(said: Any, found: Any) -> bool:
    """Return whether a value of JSON is what a header holds, where every value is still text."""
    if isinstance(said, bool):
        return str(found).casefold() in (_TRUE if said else _FALSE)
    if isinstance(said, (int, float)):
        return str(found)[:1] in set("0123456789+-.")  # YAML has too many ways to write a number
    if isinstance(said, str):
        return isinstance(found, str) and said.split() == found.split()
    if isinstance(said, Mapping):
        other = found if isinstance(found, Mapping) else {}
        return said.keys() == other.keys() and all(_same(value, other[key]) for key, value in said.items())
    if isinstance(said, tuple):
        return isinstance(found, tuple) and len(said) == len(found) and all(map(_same, said, found))
    return not found
