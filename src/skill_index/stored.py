"""
An index between two processes: what its reader knows and its catalog holds, as blocks of a store.

    Reader, SkillCatalog ─to_blocks─▶ store ─Recalled─▶ the same, most of it not decoded yet

The question: a new process should answer as if it had read every file, without reading them.  The
choice: a store is what an index knew when it had just looked, and a start is one more look, by the
same rules as any later one: pictures of the folders tell what may have changed, and that is read and
indexed as an edit.  Where nothing has changed, only what the answer shows is decoded.

Folders alone are stored: what other sources give is not told by files, or comes with functions that
no file can hold.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from skill_index.catalog import SkillCatalog
from skill_index.clashes import clashes
from skill_index.discovery import Reader
from skill_index.errors import StoreError
from skill_index.findings import Finding
from skill_index.keeping import keeping_all
from skill_index.known import Memory, Place, Read
from skill_index.lazy import Deferred, LazySequence
from skill_index.model import Origin, Skill, Unchanged
from skill_index.naming import Entry
from skill_index.plain import Plain, of_finding, of_read, origin_in, to_finding, to_read
from skill_index.ranking.tables import Lists, Part, of_numbers, of_pieces, of_texts
from skill_index.ranking.texts import Texts
from skill_index.recorded import record
from skill_index.resolving import Resolver
from skill_index.settings import SearchSettings
from skill_index.sources import DirectorySource, Item, Source
from skill_index.sources.album import Album
from skill_index.sources.pictured import StoredPicture
from skill_index.store import Blocks, code_mark
from skill_index.wordindex import WordIndex


def key_of(sources: Sequence[Source], *settings: object) -> str | None:
    """Return what a store must have been written for; None for sources that cannot be stored."""
    if not all(type(source) is DirectorySource for source in sources):
        return None
    system = (sys.version_info[:2], unicodedata.unidata_version, code_mark())
    text = json.dumps((system, settings, sources), default=_told)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _told(value: Any) -> Plain:
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return sorted(value)  # of a set


def to_blocks(reader: Reader, catalog: SkillCatalog, before: Recalled | None = None) -> dict[str, Any]:
    """Return an index that has just looked as blocks; what came from the store `before` is copied from it."""
    memory, album = reader.memory()
    lines = before.lines() if before else {}
    reads = [lines.get(id(read)) or of_read(place, read) for place, read in memory.known.items()]
    skills = {id(read.skill): number for number, read in enumerate(memory.known.values()) if read.skill}
    labels = list(dict.fromkeys(place.origin.label for place, read in memory.known.items() if read.skill))
    origins = {place.origin: number for number, place in enumerate(memory.known)}
    pictures = album.stored()
    return {
        "is_steady": memory.is_steady,
        "said": list(map(of_finding, memory.said)),
        "items": {number: list(map(_of_item, items)) for number, items in memory.items.items()},
        "pictures": {
            at: (each.root, sorted(each.unsettled), each.has_links) for at, each in pictures.items()
        },
        **{f"picture.{at}": each.text for at, each in pictures.items()},
        **of_pieces("reads", reads),
        "skills": of_numbers(skills.values()),
        "labels": labels,
        **of_pieces("entries", (_of_entry(entry, skills, origins) for entry in catalog.entries)),
        **{f"names.{name}": table for name, table in _of_names(catalog).items()},
        **catalog.ranker().flattened(),
    }


def _of_item(item: Item | Unchanged) -> Plain:
    return of_finding(item) if isinstance(item, Finding) else item.origin.path


def _of_entry(entry: Entry, skills: Mapping[int, int], origins: Mapping[Origin, int]) -> bytes:
    others = [origins[place] for place in entry.places[1:]]
    return json.dumps((entry.id, skills[id(entry.skill)], others), separators=(",", ":")).encode("ascii")


def _of_names(catalog: SkillCatalog) -> dict[str, Any]:
    if isinstance(catalog.resolver, _StoredResolver):
        return catalog.resolver.stored()
    exact, folded, near = catalog.resolver.tables()
    return {
        **of_pieces("keys", (entry.key.encode("utf-8", "surrogatepass") for entry in catalog.entries)),
        **of_texts("exact", exact),
        **Lists.of(exact.values()).tables("exact.positions"),
        **of_texts("folded", folded),
        **Lists.of(folded.values()).tables("folded.positions"),
        **of_texts("near", near),
        "near.positions": of_numbers(near.values()),
    }


@contextmanager
def _refusing(path: str) -> Iterator[None]:
    """Raise `StoreError` for whatever goes wrong with what is stored."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise StoreError(path, f"it does not fit together: {error}") from error


class Recalled:
    """
    The reader and the catalog that were stored, decoded as far as they are asked for.

    Raises `StoreError` for what does not fit together, here or when it is decoded: what was cut off
    or damaged is refused before, so that is a file that somebody made up.
    """

    def __init__(self, blocks: Blocks, reader: Reader, settings: SearchSettings) -> None:
        self._blocks = blocks
        self._sources = tuple(source for source in reader.sources if isinstance(source, DirectorySource))
        with _refusing(self._blocks.path):
            whole = Part(blocks, "")
            self._lines = whole.pieces("reads")
            self._reads = LazySequence(len(self._lines), self._read)
            skills = whole.numbers("skills", len(self._lines))
            self.given = LazySequence(len(skills), lambda at: self._skill(skills.item(at)))
            self._entries = whole.pieces("entries")
            keys = whole.pieces("names.keys")
            self._keys = LazySequence(len(keys), lambda at: str(keys[at], "utf-8", "surrogatepass"))
            self.catalog = self._catalog(settings)
            self.reader = self._reader(reader)

    def lines(self) -> dict[int, memoryview]:
        """Return the stored bytes of each `Read`, by the identity of that object."""
        return {id(read): self._lines[at] for at, (_, read) in enumerate(self._reads)}

    def tells(self, reader: Reader, catalog: SkillCatalog) -> bool:
        """Return whether the store holds all that this reader and catalog know, and need not be written."""
        if catalog is self.catalog and not any(each.unsettled for each in self._pictures.values()):
            return True
        memory, album = reader.memory()
        return album.stored() == self._pictures and memory == self._memory()

    def _reader(self, reader: Reader) -> Reader:
        self._pictures = {
            int(at): StoredPicture(
                root, bytes(self._blocks.bytes(f"picture.{at}")), frozenset(unsettled), links
            )
            for at, (root, unsettled, links) in self._blocks.json("pictures").items()
        }
        answer = (self.given, Deferred(self._findings)) if self._blocks.json("is_steady") else None
        return Reader.recalling(reader, Album(self._pictures), answer, self._memory)

    def _memory(self) -> Memory:
        """Return all that the reader knew, decoded."""
        with _refusing(self._blocks.path), keeping_all():
            items = {
                int(at): [self._item(self._sources[int(at)], told) for told in listed]
                for at, listed in self._blocks.json("items").items()
            }
            said = list(map(to_finding, self._blocks.json("said")))
            return Memory(dict(self._reads), items, said, is_steady=self._blocks.json("is_steady"))

    def _item(self, source: DirectorySource, told: Plain) -> Item | Unchanged:
        return Unchanged(origin_in(source, told)) if isinstance(told, str) else to_finding(told)

    def _read(self, number: int) -> tuple[Place, Read]:
        with _refusing(self._blocks.path):
            return to_read(self._lines[number], self._sources)

    def _skill(self, number: int) -> Skill:
        _, read = self._reads[number]
        if read.skill is None:
            raise StoreError(self._blocks.path, "it shows a skill that is none")
        return read.skill

    def _entry(self, at: int) -> Entry:
        with _refusing(self._blocks.path):
            own, shown, others = self._blocks.value(self._entries[at])
            if not isinstance(own, str):
                message = "it has an id that is no text"
                raise TypeError(message)
            skill = self._skill(shown)
            places = (skill.origin, *(self._skill(number).origin for number in others))
            return Entry(self._keys[at], own, skill, places)

    def _findings(self) -> Iterator[Finding]:
        """Yield what the reader found."""
        with _refusing(self._blocks.path):
            yield from list(map(to_finding, self._blocks.json("said")))
        for _, read in self._reads:
            yield from read.findings

    def _catalog(self, settings: SearchSettings) -> SkillCatalog:
        from skill_index.ranking import Ranker

        if len(self._keys) != len(self._entries):
            message = "it has names without skills"
            raise ValueError(message)
        entries = LazySequence(len(self._entries), self._entry)
        records = LazySequence(len(entries), lambda at: record(entries[at]))
        return SkillCatalog.restored(
            self.given,
            words=WordIndex(entries, settings, ranker=Ranker.restored(self._blocks, records, settings)),
            entries=entries,
            labels=tuple(self._blocks.json("labels")),
            settings=settings,
            findings=Deferred(lambda: (*self._findings(), *clashes(entries))),
            resolver=_StoredResolver(self._blocks, self._keys),
        )


class _StoredResolver(Resolver):
    """A resolver whose tables were made before."""

    def __init__(self, blocks: Blocks, keys: Sequence[str]) -> None:
        self._keys, self._path, self._part = keys, blocks.path, Part(blocks, "names.")
        self._exact, self._folded = self._positions("exact"), self._positions("folded")

    def _positions(self, name: str) -> _Positions:
        names = self._part.texts(name)
        return _Positions(names, self._part.lists(f"{name}.positions", len(names), len(self._keys)))

    @cached_property
    def _by_name(self) -> dict[str, int]:
        with _refusing(self._path):
            positions = self._part.numbers("near.positions", len(self._keys))
            return dict(zip(self._part.texts("near"), positions.tolist(), strict=True))

    def stored(self) -> dict[str, Any]:
        """Return the tables that it was made of."""
        return self._part.all()


class _Positions(Mapping[str, tuple[int, ...]]):
    """The positions of names, looked up where they are stored."""

    def __init__(self, names: Texts, positions: Lists) -> None:
        self._names, self._positions = names, positions

    def __getitem__(self, name: str) -> tuple[int, ...]:
        return tuple(self._positions[self._names[name]].tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
