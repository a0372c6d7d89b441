"""
Find the skill files below a folder, each once, whatever links and loops are there.

    folders on a stack → linked folders in a queue → skill files and findings, sorted

Real folders come before linked ones, so a skill keeps the path it really has and a link to it
adds nothing.  Each folder is entered once by its real identity, which ends every loop; a test
of the path's text would not, as a loop makes ever new texts.  An explicit stack instead of
recursion, and `os.scandir` instead of patterns: depth is the tree's, and names hold any character.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from skill_index.findings import Finding
from skill_index.resources import order_key
from skill_index.sources.problems import failure, link_failure, problem, second_file
from skill_index.sources.reading import Identity, identity_of
from skill_index.sources.rules import (
    SKILL_FILE,
    choose_skill_file,
    is_hidden,
    is_nearly_skill_file,
    is_retired,
    is_skill_file,
)

ENVIRONMENT_MARK = "pyvenv.cfg"
"""The file that makes a folder a virtual environment, which is not searched."""


@dataclass(frozen=True, slots=True)
class WalkRules:
    """How far and where a walk goes; see `DirectorySource` for what each means."""

    max_depth: int
    max_folders: int
    hidden: bool
    nested: bool
    prune: frozenset[str]


class _Folder(NamedTuple):
    path: str  # below the root; "" is the root itself
    depth: int


def walk(root: str, rules: WalkRules) -> list[str | Finding]:
    """Return the '/'-paths of the skill files below `root`, and findings, in their stable order."""
    search = _Walk(root, rules)
    search.run()
    found = sorted(search.found, key=_stable_order)
    return [item for _, item in found]


def _stable_order(found: tuple[str, str | Finding]) -> tuple[tuple[str, str], str]:
    path, item = found
    return order_key(path), item.code if isinstance(item, Finding) else ""


@dataclass(slots=True)
class _Walk:
    root: str
    rules: WalkRules
    found: list[tuple[str, str | Finding]] = field(default_factory=list)
    folders: list[_Folder] = field(default_factory=lambda: [_Folder("", 0)])
    links: deque[_Folder] = field(default_factory=deque)
    seen: set[Identity] = field(default_factory=set)
    above: frozenset[Identity] = frozenset()

    def run(self) -> None:
        self.above = _ancestors(self.root)
        entered = 0
        while self.folders or self.links:
            folder = self.folders.pop() if self.folders else self.links.popleft()
            if not self.is_new(folder):
                continue
            if entered == self.rules.max_folders:
                message = (
                    f"the search stopped after {entered:,} folders; name a smaller root or raise max_folders"
                )
                self.report("too-many-folders", "", message)
                return
            entered += 1
            self.enter(folder)

    def is_new(self, folder: _Folder) -> bool:
        try:
            identity = identity_of(os.stat(self.location(folder.path)))  # noqa: PTH116  (a Path a folder is slow)
        except (OSError, ValueError) as error:
            self.fail(folder, error)
            return False
        if identity is None:
            return True
        if identity in self.above:
            self.report(
                "link-up", folder.path, "is a link to a folder around this source, and was not followed"
            )
            return False
        new = identity not in self.seen
        self.seen.add(identity)
        return new

    def enter(self, folder: _Folder) -> None:
        try:
            with os.scandir(self.location(folder.path)) as listing:
                entries = list(listing)
        except (OSError, ValueError) as error:
            self.fail(folder, error)
            return
        has_skill = self.take_skill_file(folder, [entry for entry in entries if is_skill_file(entry.name)])
        if has_skill and not self.rules.nested:
            return
        if not has_skill:
            self.doubt(folder, [entry.name for entry in entries if is_nearly_skill_file(entry.name)])
        if folder.depth == 0 or all(entry.name != ENVIRONMENT_MARK for entry in entries):
            self.descend(folder, [entry for entry in entries if entry.name not in self.rules.prune])

    def take_skill_file(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> bool:
        files = []
        for entry in entries:
            if _is_folder(entry):
                self.report("not-a-file", _join(folder.path, entry.name), "is a folder, not a file")
            else:
                files.append(entry.name)
        chosen, others = choose_skill_file(files)
        if chosen:
            path = _join(folder.path, chosen)
            self.found.append((path, path))
        for other in others:
            path = _join(folder.path, other)
            self.found.append((path, second_file(self.location(path), chosen)))
        return bool(chosen)

    def doubt(self, folder: _Folder, names: list[str]) -> None:
        for name in names:
            message = f"is no skill under this name; if it is meant as one, rename it to {SKILL_FILE}"
            self.report("nearly-named", _join(folder.path, name), message)

    def descend(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> None:
        real: list[_Folder] = []
        for entry in sorted(entries, key=attrgetter("name")):
            child = _Folder(_join(folder.path, entry.name), folder.depth + 1)
            try:
                if entry.is_symlink():
                    self.follow(child, entry)
                elif entry.is_dir(follow_symlinks=False) and self.is_searched(child, entry.name):
                    real.append(child)
            except OSError as error:
                self.found.append((child.path, failure(error, self.location(child.path))))
        self.folders.extend(reversed(real))

    def follow(self, child: _Folder, entry: os.DirEntry[str]) -> None:
        if is_skill_file(entry.name) and not _is_folder(entry):
            return
        try:
            if entry.is_dir():
                if self.is_searched(child, entry.name):
                    self.links.append(child)
                return
            entry.stat()
        except OSError as error:
            # Editors lock files with hidden links that lead nowhere.
            if self.rules.hidden or not is_hidden(entry.name):
                self.found.append((child.path, link_failure(error, self.location(child.path))))

    def is_searched(self, child: _Folder, name: str) -> bool:
        if is_hidden(name) and not self.rules.hidden:
            self.report(
                "hidden-folder", child.path, "is hidden and was not searched; hidden=True searches it"
            )
        elif is_retired(name) and not self.rules.hidden:
            self.report(
                "retired-folder", child.path, "is a copy put away and was not searched; hidden=True does"
            )
        elif child.depth > self.rules.max_depth:
            message = (
                f"is more than {self.rules.max_depth} folders deep and was not searched; raise max_depth"
            )
            self.report("too-deep", child.path, message)
        else:
            return True
        return False

    def fail(self, folder: _Folder, error: OSError | ValueError) -> None:
        location = self.location(folder.path)
        if folder.depth == 0 and isinstance(error, FileNotFoundError):
            self.report("root-missing", "", "there is no such folder; create it or correct the path")
        elif folder.depth == 0 and isinstance(error, NotADirectoryError):
            self.report("root-not-a-folder", "", "is not a folder; name the folder that holds the skills")
        else:
            self.found.append((folder.path, failure(error, location)))

    def report(self, code: str, path: str, message: str) -> None:
        self.found.append((path, problem(code, self.location(path), message)))

    def location(self, path: str) -> str:
        return f"{self.root.rstrip('/')}/{path}" if path else self.root


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # a link in a loop; whoever reads it says so


def _ancestors(root: str) -> frozenset[Identity]:
    """Return what lies around `root`: a link there would bring in everything the root left out."""
    try:
        real = Path(os.path.realpath(root, strict=True))
        return frozenset(filter(None, (identity_of(parent.stat()) for parent in real.parents)))
    except (OSError, ValueError):
        return frozenset()
