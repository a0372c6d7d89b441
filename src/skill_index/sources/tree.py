"""
The files beside a SKILL.md in a folder: listed afresh, and read without following a link.

    skill's folder ─walk─▶ name ─▶ real parts below the folder ─open, part by part─▶ bytes

A name is looked up in the listing and never joined to a path.  Links are resolved while listing,
those that leave the skill are not listed, and what is opened later is the resolved path, each
part with links refused: a folder or file that became a link in between is not followed.  Hard
links cannot be told from files and are read.

Hidden names, caches, dependencies and what editors leave behind are not listed (`is_unlisted`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.findings import Finding
from skill_index.resources import Listing, Resource, is_speakable, order_key
from skill_index.settings import Limits
from skill_index.sources.problems import failure, link_failure, problem
from skill_index.sources.reading import Identity, identity_of, read_below
from skill_index.sources.rules import is_unlisted
from skill_index.text import as_utf8


class TreeFile(NamedTuple):
    """A file of a skill: its name, its real parts below the real folder, and what stat says of it."""

    name: str
    parts: tuple[str, ...]
    info: os.stat_result


@dataclass(frozen=True, slots=True)
class DirectoryResources:
    """The files below the folder of a skill on disk."""

    folder: str
    limits: Limits = Limits()

    def listing(self) -> Listing:
        """Return the files that are there now, in the order of their names, with what was left out."""
        files, findings = self.files()
        return Listing(tuple(Resource(file.name, file.info.st_size) for file in files), findings)

    def files(self) -> tuple[list[TreeFile], tuple[Finding, ...]]:
        """Return the files as `listing` does, each with its real place and what stat says of it."""
        walk = _TreeWalk(self.folder, self.limits)
        walk.run()
        return sorted(walk.files, key=lambda file: order_key(file.name)), tuple(walk.findings)

    def read(self, name: str, limit: int) -> bytes:
        """Return the bytes of a listed file; see `Resources` for what is raised."""
        # The folder that is listed is the one that is read, whatever link is put in its place meanwhile.
        root = os.path.realpath(self.folder)
        files, _ = DirectoryResources(root, self.limits).files()
        found = next((file for file in files if file.name == name), None)
        if found is None:
            raise ResourceNotFoundError("", name)
        content = read_below(root, found.parts, limit)
        if isinstance(content, Finding):
            raise SourceError(name, f"it {content.message}")
        return content.data


class _Folder(NamedTuple):
    name: str  # "" or the '/'-name with a slash at its end
    parts: tuple[str, ...]
    above: frozenset[Identity]


@dataclass(slots=True)
class _TreeWalk:
    folder: str
    limits: Limits
    files: list[TreeFile] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def run(self) -> None:
        pending = [_Folder("", (), self.around())]
        entered = 0
        while pending:
            folder = pending.pop()
            entered += 1
            # Folders that link to each other have ways through them without number.
            if entered > self.limits.resource_files:
                message = f"has more than {entered - 1:,} folders, and what is in the rest is not listed"
                self.report("too-many-files", "", message)
                return
            for entry in self.entries(folder):
                if len(self.files) == self.limits.resource_files:
                    message = f"has more than {len(self.files):,} files, and the rest is not listed"
                    self.report("too-many-files", "", message)
                    return
                child = self.take(folder, entry)
                if child is not None:
                    pending.append(child)

    def around(self) -> frozenset[Identity]:
        """Return the identity of the skill's folder, which a link inside may lead back to."""
        try:
            identity = identity_of(os.stat(self.folder))  # noqa: PTH116  (text in, text out)
        except OSError:
            return frozenset()  # told when it is listed
        return frozenset((identity,)) if identity is not None else frozenset()

    def entries(self, folder: _Folder) -> Iterator[os.DirEntry[str]]:
        path = "/".join((self.folder, *folder.parts))
        try:
            with os.scandir(path) as listing:
                found = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            self.findings.append(failure(error, self.location(folder.name)))
            return
        for entry in found:
            if is_unlisted(entry.name):
                continue
            if is_speakable(as_utf8(entry.name)):
                yield entry
            else:
                message = "has a file whose name cannot be shown, which is not listed; rename it"
                self.report("odd-name", folder.name, message)

    def take(self, folder: _Folder, entry: os.DirEntry[str]) -> _Folder | None:
        """Add a file, or return the folder to enter."""
        name = folder.name + as_utf8(entry.name)
        try:
            parts = self.resolved(name, entry) if entry.is_symlink() else (*folder.parts, entry.name)
            if parts is None:
                return None
            info = entry.stat()
        except OSError as error:
            told = link_failure if entry.is_symlink() else failure
            self.findings.append(told(error, self.location(name)))
            return None
        if stat.S_ISREG(info.st_mode):
            self.files.append(TreeFile(name, parts, info))
        elif stat.S_ISDIR(info.st_mode):
            return self.below(folder, name, parts, identity_of(info))
        else:
            self.report("not-a-file", name, "is neither a file nor a folder, and is not listed")
        return None

    def resolved(self, name: str, entry: os.DirEntry[str]) -> tuple[str, ...] | None:
        """Return where a link leads below the real folder, or None where it may not lead."""
        root, target = os.path.realpath(self.folder), os.path.realpath(entry.path, strict=True)
        if os.path.commonpath((root, target)) != root:
            self.report("link-out", name, "is a link that leaves the skill's folder, and is not listed")
            return None
        parts = PurePath(os.path.relpath(target, root)).parts
        return None if any(map(is_unlisted, parts)) else parts

    def below(
        self, folder: _Folder, name: str, parts: tuple[str, ...], identity: Identity | None
    ) -> _Folder | None:
        if name.count("/") + 1 > self.limits.resource_depth:
            message = f"is more than {self.limits.resource_depth} folders deep, and its files are not listed"
            self.report("too-deep", name, message)
            return None
        # A link to a folder around it would be entered for ever.
        if identity is None or identity in folder.above:
            return None
        return _Folder(f"{name}/", parts, folder.above | {identity})

    def report(self, code: str, name: str, message: str) -> None:
        self.findings.append(problem(code, self.location(name), message))

    def location(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}".rstrip("/")
