"""
Skills held in a mapping of paths to texts: for tests, and for hosts that keep skills elsewhere.

What is put in comes out: the file-name rule, the order and the byte limit are those of a folder
on disk, but nothing is hidden, pruned or too deep, since nobody else can have put it there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from skill_index.findings import Finding
from skill_index.model import FrozenMap, Origin, RawSkill
from skill_index.settings import Limits
from skill_index.sources.directory import named_skill
from skill_index.sources.labels import clean_label
from skill_index.sources.problems import second_file, too_large
from skill_index.sources.rules import choose_skill_file, order_key


@dataclass(frozen=True, slots=True)
class MemorySource:
    r"""
    The skills of a mapping from '/'-paths to texts or bytes; paths that are no SKILL.md are passed by.

    >>> source = MemorySource({"pdf/SKILL.md": "---\nname: pdf\ndescription: Fill forms.\n---\n"})
    >>> [raw.origin.path for raw in source.scan()]
    ['pdf/SKILL.md']
    """

    files: Mapping[str, str | bytes] = field(repr=False)
    label: str = "memory"
    editable: bool = False
    trusted: bool = True
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", FrozenMap(self.files))
        object.__setattr__(self, "label", clean_label(self.label) or "memory")

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield the skills of the mapping and the problems met, in the order of their paths."""
        folders: dict[str, list[str]] = defaultdict(list)
        for path in self.files:
            folder, slash, name = path.rpartition("/")
            folders[folder + slash].append(name)
        chosen = {folder: choose_skill_file(names) for folder, names in folders.items()}
        for path in sorted(self.files, key=order_key):
            folder, slash, name = path.rpartition("/")
            best, others = chosen[folder + slash]
            if name == best:
                yield from self._read(path)
            elif name in others:
                yield second_file(path, best)

    def _read(self, path: str) -> Iterator[RawSkill | Finding]:
        content = self.files[path]
        # Half a surrogate pair is no UTF-8; whoever decodes the bytes reports it, as for a file.
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)
        if len(data) > self.limits.file_bytes:
            yield too_large(path, f"{len(data):,}", self.limits.file_bytes)
        else:
            yield from named_skill(RawSkill(Origin(self.label, "", path, self.editable, self.trusted), data))
