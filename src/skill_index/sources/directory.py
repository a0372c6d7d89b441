"""
Folders of skills on disk, the usual source.

The root is made absolute when the source is made, so that a later change of the working folder
cannot move it, but its links are not resolved: a link that is switched to another release is
followed at the next scan, and paths are shown as the user wrote them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill, Unchanged
from skill_index.settings import Limits
from skill_index.sources.base import Known, is_first, unknown
from skill_index.sources.labels import clean_label, short_labels
from skill_index.sources.picture import Picture, take_picture
from skill_index.sources.problems import FILE_NAME, problem
from skill_index.sources.reading import Identity, read_file
from skill_index.sources.rules import PRUNED, SKILL_FILE, is_skill_file
from skill_index.sources.stamps import NEVER, SkillStamp, look
from skill_index.sources.tree import DirectoryResources
from skill_index.sources.walking import WalkRules, walk


@dataclass(frozen=True, slots=True)
class DirectorySource:
    """
    The SKILL.md files below a folder.

    `root` may begin with `~`.  A `label` left empty is the root's last part.  Folders are
    searched down to `max_depth` below the root, and at most `max_folders` of them.  Below a folder
    with a SKILL.md nothing is searched, since a file there is that skill's resource, unless
    `nested`; where that folder is the root, a finding tells of skills it holds.  Names in `prune`
    and virtual environments are never entered; hidden folders (a leading dot) and retired copies
    (`_archived`, `pdf.bak`) only with `hidden`.  All these rules are for parts below the root,
    never for the root's own path.

    Linked folders are followed, each real folder once; a SKILL.md that is a link is read only
    when it stays in its own folder.

    Raises ValueError for an empty root, which is mostly an unset variable and would otherwise
    mean the working folder, and for a negative limit.
    """

    root: str | os.PathLike[str]
    label: str = ""
    max_depth: int = 12
    max_folders: int = 1_000_000
    hidden: bool = False
    nested: bool = False
    prune: frozenset[str] = PRUNED
    editable: bool = True
    trusted: bool = True
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        root = absolute_root(self.root)
        if self.max_depth < 0 or self.max_folders < 1:
            message = "max_depth is at least 0 and max_folders at least 1"
            raise ValueError(message)
        object.__setattr__(self, "root", root)
        object.__setattr__(self, "prune", frozenset(self.prune))
        object.__setattr__(self, "label", clean_label(self.label) or short_labels([root])[0])

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield the skills below the root and the problems met, in the order of their paths."""
        items = self.rescan(unknown)
        return (item for item in items if not isinstance(item, Unchanged))

    def picture(self, before: Picture | None = None, only: Iterable[str] | None = None) -> Picture | None:
        """
        Return what the root looks like now: from one to an equal one, no skill has changed.

        See `take_picture` for what the one `before` spares, and for looking at some folders `only`.
        """
        return take_picture(os.fspath(self.root), self._rules(), before, only)

    def _rules(self) -> WalkRules:
        return WalkRules(self.max_depth, self.max_folders, self.hidden, self.nested, self.prune)

    def rescan(self, known: Known) -> Iterator[RawSkill | Unchanged | Finding]:
        """Yield what `scan` does, but read only what may have changed since the stamps that are known."""
        seen: dict[Identity, str] = {}
        for found in walk(os.fspath(self.root), self._rules()):
            if isinstance(found, Finding):
                yield found
            else:
                yield from self.look_at(found, known, seen)

    def look_at(
        self, path: str, known: Known, seen: dict[Identity, str] | None = None
    ) -> Iterator[RawSkill | Unchanged | Finding]:
        """Yield the skill at a '/'-path below the root, or why not, unless its file was `seen`."""
        seen = {} if seen is None else seen
        origin = Origin(self.label, os.fspath(self.root), path, self.editable, self.trusted)
        folder, _, own = origin.location.rpartition("/")
        resources = DirectoryResources(folder, self.limits)
        before = known(origin)
        stamp = look(resources, own, before if isinstance(before, SkillStamp) else NEVER)
        if not origin.folder and not self.nested:
            yield from skills_within(origin.location, stamp.files)
        if stamp.own and isinstance(before, SkillStamp) and stamp.same(before):
            if is_first(seen, origin.location, stamp.own.identity):
                yield from named_skill(Unchanged(origin))
            return
        content = read_file(origin.location, self.limits.file_bytes)
        if isinstance(content, Finding):
            yield content
        elif is_first(seen, origin.location, content.identity):
            yield from named_skill(RawSkill(origin, content.data, resources, stamp.files_digest, stamp))


Named = TypeVar("Named", RawSkill, Unchanged)


def named_skill(item: Named) -> Iterator[Named | Finding]:
    """Yield a skill, after the finding on its file's name where the specification's is another."""
    name = item.origin.path.rpartition("/")[2]
    if name != SKILL_FILE:
        message = f"is named {name}; rename it to {SKILL_FILE}, the only name other programs look for"
        yield problem(FILE_NAME, item.origin.location, message)
    yield item


def skills_within(location: str, files: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding where a skill that is the whole root makes its files of what looks like skills."""
    inner = sorted(name for name in files if is_skill_file(name.rpartition("/")[2]))
    if inner:
        message = (
            f"makes one skill of the whole folder, and {inner[0]} one of its files (of {len(inner)} such); "
            "if they are skills, remove this file, or search with nested=True"
        )
        yield problem("skills-within", location, message)


def absolute_root(root: str | os.PathLike[str]) -> str:
    """
    Return a root as an absolute '/'-path, with `~` expanded and links as they are.

    `..` stays too: taken away by text, it would lead elsewhere after a linked folder.
    """
    text = os.fsdecode(root)
    if not text.strip():
        message = "a root needs a path; write '.' for the working folder"
        raise ValueError(message)
    return Path(os.path.expanduser(text)).absolute().as_posix()  # noqa: PTH111  (Path raises for an unknown user)
