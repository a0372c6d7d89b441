"""
How an index begins: with a look at its sources, or with a store and what has changed since.

    store ─Recalled─▶ reader, catalog ─a look─▶ the same, or edited and indexed ─▶ store

A store never decides what is found: if it cannot be used the index begins as if there were none,
with a finding that says why.  It is written here and nowhere else: after the first look, if that
found anything the store does not hold.  The word index is then made at once, so that the next
process finds it there.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, NamedTuple

from skill_index.catalog import SkillCatalog
from skill_index.discovery import Answer, Progress, Reader
from skill_index.errors import StoreError
from skill_index.findings import Finding, Severity
from skill_index.keeping import keeping_all
from skill_index.settings import SearchSettings
from skill_index.sources.directory import absolute_root

if TYPE_CHECKING:
    from skill_index.stored import Recalled

_log = logging.getLogger("skill_index")


class Start(NamedTuple):
    """What an index begins with; `findings` are about its store alone."""

    reader: Reader
    read: Answer
    catalog: SkillCatalog
    findings: tuple[Finding, ...] = ()


@keeping_all()
def start(
    reader: Reader,
    settings: SearchSettings,
    progress: Progress | None = None,
    store: str | os.PathLike[str] | None = None,
) -> Start:
    """Look at the sources of a reader, for the first time or, with a store, again."""
    if store is None:
        skills, findings = read = reader.read(progress)
        return Start(reader, read, SkillCatalog(skills, settings=settings, findings=findings))
    if not os.fsdecode(store).strip():
        message = "store is the path of a file, and it is empty"
        raise ValueError(message)
    return _Starting(absolute_root(store), reader, settings, progress).start()


class _Starting:
    def __init__(
        self, path: str, reader: Reader, settings: SearchSettings, progress: Progress | None
    ) -> None:
        self.path, self.reader, self.settings, self.progress = path, reader, settings, progress
        self.told: list[Finding] = []

    def start(self) -> Start:
        # Imported when there is a store: it needs numpy, which a look does not.
        from skill_index.store import write_store
        from skill_index.stored import key_of, to_blocks

        own = self.reader
        key = key_of(own.sources, own.strict, own.limits, self.settings)
        if key is None:
            self.tell("store-unused", "is not used: only an index of folders alone is stored", Severity.INFO)
        recalled = None if key is None else self.recalled(key)
        begun = None if recalled is None else self.again(recalled)
        if begun is None:
            recalled, begun = None, self.indexed(own, own.read(self.progress))
        if key is not None and not (recalled and recalled.tells(begun.reader, begun.catalog)):
            try:
                write_store(self.path, key, to_blocks(begun.reader, begun.catalog, recalled))
            except StoreError as error:
                self.tell("store-unwritten", f"is not written: {error.reason}")
        return begun._replace(findings=tuple(self.told))

    def recalled(self, key: str) -> Recalled | None:
        """Return what is stored, None where there is nothing that can be used."""
        from skill_index.store import read_store
        from skill_index.stored import Recalled

        try:
            blocks = read_store(self.path, key)
            return None if blocks is None else Recalled(blocks, self.reader, self.settings)
        except StoreError as error:
            self.refuse(error)
            return None

    def again(self, recalled: Recalled) -> Start | None:
        """Look for what changed since the store was written; None if the store turns out to be of no use."""
        try:
            read = recalled.reader.read(self.progress, anew=True)
            if read[0] is recalled.given:
                return Start(recalled.reader, read, recalled.catalog)
            return self.indexed(recalled.reader, read, recalled.catalog)
        except StoreError as error:
            self.refuse(error)
            return None

    def indexed(self, reader: Reader, read: Answer, before: SkillCatalog | None = None) -> Start:
        """Return the start from what was read, with its words indexed; `before` is the stored catalog."""
        skills, findings = read
        catalog = SkillCatalog(skills, settings=self.settings, findings=findings, before=before)
        catalog.ranker(self.progress)
        return Start(reader, read, catalog)

    def refuse(self, error: StoreError) -> None:
        """Say that there is no use of the store, and why."""
        self.tell("store-refused", f"is not used: {error.reason}")

    def tell(self, code: str, message: str, severity: Severity = Severity.WARNING) -> None:
        """Say what became of the store."""
        level = logging.INFO if severity is Severity.INFO else logging.WARNING
        _log.log(level, "the store %s", message)
        self.told.append(Finding(code, severity, message, self.path))
