"""
Skills held in a mapping of paths to texts: for tests, and for hosts that keep skills elsewhere.

What is put in comes out: the file-name rule, the order and the byte limit are those of a folder
on disk, but nothing is hidden, pruned or too deep, since nobody else can have put it there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile

from skill_index.findings import Finding
from skill_index.frozen import FrozenMap
from skill_index.model import Origin, RawSkill
from skill_index.resources import InlineResources, order_key
from skill_index.settings import Limits
from skill_index.sources.directory import named_skill, skills_within
from skill_index.sources.labels import clean_label
from skill_index.sources.problems import problem, second_file, too_large
from skill_index.sources.rules import choose_skill_file, is_retired, is_skill_file, is_unlisted
from skill_index.sources.stamps import content_digest, files_digest


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
        if not isinstance(self.files, Mapping):
            message = f"files is a mapping from paths to texts, not {type(self.files).__name__}"
            raise TypeError(f"{message}; SkillCatalog([...]) takes skills, CallableSource a function of them")
        object.__setattr__(self, "files", FrozenMap(self.files))
        object.__setattr__(self, "label", clean_label(self.label) or "memory")

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield the skills of the mapping and the problems met, in the order of their paths."""
        folders: dict[str, list[str]] = defaultdict(list)
        for path in self.files:
            folder, slash, name = path.rpartition("/")
            folders[folder + slash].append(name)
        chosen = {folder: choose_skill_file(names) for folder, names in folders.items()}
        inside = sorted(self.files)
        digest = cache(lambda path: content_digest(_bytes(self.files[path])))  # a file may lie below several
        for path in sorted(self.files, key=order_key):
            folder, slash, name = path.rpartition("/")
            best, others = chosen[folder + slash]
            if name == best:
                yield from self._read(path, inside, digest)
            elif name in others:
                yield second_file(path, best)

    def _read(
        self, path: str, inside: list[str], digest: Callable[[str], str]
    ) -> Iterator[RawSkill | Finding]:
        data = _bytes(self.files[path])
        if len(data) > self.limits.file_bytes:
            yield too_large(path, f"{len(data):,}", self.limits.file_bytes)
            return
        origin = Origin(self.label, "", path, self.editable, self.trusted)
        beside = _beside(path, inside)
        resources = InlineResources({name: self.files[whole] for name, whole in beside.items()})
        digests = {name: digest(whole) for name, whole in beside.items() if whole != path}
        yield from named_skill(RawSkill(origin, data, resources, files_digest(digests)))


def search_of(source: MemorySource, *, nested: bool = False) -> Iterator[RawSkill | Finding]:
    """
    Yield what a search of the same files in a folder would: for files that somebody else put there.

    Copies put away are no skills, nor is what lies below a SKILL.md, unless `nested`.
    """
    skills = {path.rpartition("/")[0] for path in source.files if is_skill_file(path.rpartition("/")[2])}
    told: set[str] = set()
    for item in source.scan():
        path = item.path if isinstance(item, Finding) else item.origin.path
        *around, folder = _folders(path)
        retired = next((each for each in (*around, folder) if is_retired(each.rpartition("/")[2])), "")
        if retired and retired not in told:
            told.add(retired)
            yield problem("retired-folder", retired, "is a copy put away and was not searched; rename it")
        if retired or not (nested or skills.isdisjoint(around)):
            continue
        if not folder and not nested and not isinstance(item, Finding):
            yield from skills_within(path, (name for name in source.files if "/" in name))
        yield item


def _folders(path: str) -> list[str]:
    """
    Return the folders that a file lies in, the outermost first.

    >>> _folders("a/b/SKILL.md")
    ['', 'a', 'a/b']
    """
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]


def _beside(path: str, inside: list[str]) -> dict[str, str]:
    """Return the paths in a skill's folder and below, by their names there; hidden ones stay out."""
    folder, slash, _ = path.rpartition("/")
    prefix = folder + slash
    below = takewhile(lambda name: name.startswith(prefix), inside[bisect_left(inside, prefix) :])
    names = {name[len(prefix) :]: name for name in below}
    return {name: whole for name, whole in names.items() if _is_listed(name)}


def _bytes(content: str | bytes) -> bytes:
    # Half a surrogate pair is no UTF-8; whoever decodes the bytes reports it, as for a file.
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)


def _is_listed(name: str) -> bool:
    return not any(map(is_unlisted, name.split("/")))
