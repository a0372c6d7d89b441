"""
Which name each skill of a catalog answers to, and which skill a name means.

The question: thousands of real skills share their names with others, a model passes back what
it was shown, and people misspell.  The choice:

* an *id* is `label:name`; where one source holds a name several times the id grows the folder,
  `label/some/folder:name`, and where not even that tells skills apart, a piece of the digest;
* a *key* is the bare name if the first source that has the name has it once; every other skill
  of that name is reached by its id.  Nothing is hidden by a name clash.

One resolver serves every surface.  An exact spelling beats a folded one (see
`names.fold_name`), a name beats an alias, an alias beats a folder name, and a text that means
several skills is *ambiguous*: the answer lists them instead of picking one.

A skill that came from a server takes no name that a skill from elsewhere has, wherever its source
stands: what a name means here must not change because somebody serves something.

Rejected: "last one wins" and "first one wins" of most hosts, which lose skills in silence.
"""

from __future__ import annotations

import html
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from skill_index.model import Origin, Skill
from skill_index.names import NameList, fold_name

_NEARBY = 3  # names suggested for one that is unknown: few, so that a model picks instead of scanning
_DIGEST_PIECE = 8  # hex digits; enough to tell skills of one name apart, short enough to retype


@dataclass(frozen=True, slots=True)
class Entry:
    """
    A skill in a catalog: the key and id it answers to, and every place its bytes were found.

    The first of `places` is the one shown; the others hold identical copies.
    """

    key: str
    id: str
    skill: Skill
    places: tuple[Origin, ...]

    @property
    def qualified_names(self) -> tuple[str, ...]:
        """Every qualified form of the name: the id, and `label:name` for each place."""
        return (self.id, *(f"{place.label}:{self.skill.name}" for place in self.places))


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a text means: one position, or several candidates (ambiguous), or nothing."""

    found: int | None = None
    candidates: tuple[int, ...] = ()


def name_entries(skills: Iterable[Skill]) -> tuple[Entry, ...]:
    """
    Merge identical copies, give every skill its id and key, and sort by key.

    The order of sources is that in which their labels first appear; within a source only the
    path and digest count, so a shuffled listing of one source gives the same names.
    """
    merged = _merge(skills)
    ids = _ids(merged)
    keys = _keys(merged, ids)
    entries = [
        Entry(key, own, places[0], tuple(skill.origin for skill in places))
        for key, own, places in zip(keys, ids, merged, strict=True)
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.key.casefold(), entry.key)))


def _merge(skills: Iterable[Skill]) -> list[list[Skill]]:
    """Group copies (same digests and name), each group and the groups in order of place."""
    ranks: dict[str, int] = {}
    listed = list(skills)
    for skill in listed:
        ranks.setdefault(skill.origin.label, len(ranks))
    listed.sort(
        key=lambda skill: (
            skill.origin.is_remote,
            ranks[skill.origin.label],
            skill.origin.path,
            skill.digest,
            skill.name,
        )
    )
    groups: dict[tuple[str, str, str], list[Skill]] = defaultdict(list)
    for skill in listed:
        groups[skill.digest, skill.files_digest, skill.name].append(skill)
    return list(groups.values())


def _ids(merged: Sequence[Sequence[Skill]]) -> list[str]:
    """Give each group the shortest form of id that no other skill of the same source needs."""
    ids = [""] * len(merged)
    rivals: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, (first, *_) in enumerate(merged):
        rivals[first.origin.label, first.name].append(position)
    for positions in rivals.values():
        if len(positions) == 1:  # most
            ids[positions[0]] = _plain_id(merged[positions[0]][0])
            continue
        for form in _FORMS:
            forms = [form(merged[position][0]) for position in positions]
            if len(set(forms)) == len(forms):
                break
        for position, text in zip(positions, forms, strict=True):
            ids[position] = text
    return _distinct(ids, merged)


def _plain_id(skill: Skill) -> str:
    return f"{skill.origin.label}:{skill.name}"


def _parent_id(skill: Skill) -> str:
    parent, _, last = skill.origin.folder.rpartition("/")
    folder = parent if last == skill.name else skill.origin.folder
    return f"{skill.origin.label}/{folder}:{skill.name}" if folder else _plain_id(skill)


def _folder_id(skill: Skill) -> str:
    return f"{skill.origin.label}/{skill.origin.folder}:{skill.name}"


def _digest_id(skill: Skill) -> str:
    return f"{skill.origin.label}/{skill.digest[:_DIGEST_PIECE]}:{skill.name}"


def _whole_digest_id(skill: Skill) -> str:
    return f"{skill.origin.label}/{skill.digest}:{skill.name}"


_FORMS = (_plain_id, _parent_id, _folder_id, _digest_id, _whole_digest_id)


def digest_ids(skill: Skill) -> tuple[str, ...]:
    """Return the ids of a skill that only its digest tells from others: an edit changes them."""
    return _digest_id(skill), _whole_digest_id(skill)


def _distinct(ids: list[str], merged: Sequence[Sequence[Skill]]) -> list[str]:
    """Lengthen the ids that two sources happen to share, as `a/b` + `x` and `a` + `b/x` can."""
    seen = Counter(ids)
    return [
        text if seen[text] == 1 else _whole_digest_id(first)
        for text, (first, *_) in zip(ids, merged, strict=True)
    ]


def _keys(merged: Sequence[Sequence[Skill]], ids: Sequence[str]) -> list[str]:
    """Give the bare name to the only holder of it in the first source that has it, if that is no server."""
    holders: dict[str, list[int]] = defaultdict(list)
    for position, (first, *_) in enumerate(merged):
        holders[first.name].append(position)
    keys = list(ids)
    taken = set(ids)
    for name, positions in holders.items():
        # A skill may be named like another's id; the id keeps its meaning.
        if name in taken:
            continue
        if len(positions) == 1 or _is_alone([merged[position][0].origin for position in positions]):
            keys[positions[0]] = name
    return keys


def _is_alone(holders: Sequence[Origin]) -> bool:
    """Return whether the first holder of a name is the only one of its source; of a server: at all."""
    first, *others = holders
    return not any(first.is_remote or other.label == first.label for other in others)


class Resolver:
    """
    Find the one skill a text means.

    Tables of names, from the most to the least binding, are laid one over the other: the first that
    knows a text decides.  It is looked up as it stands, and folded only after that failed.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._keys = [entry.key for entry in entries]  # all that is used of them: an edited skill may go
        self._tables = [
            _table(entries, names) for names in (_key_names, _qualified, _names, _aliases, _folders)
        ]
        self._exact = _overlaid(self._tables)
        self._folded = _overlaid([_fold(table) for table in self._tables])

    def resolve(self, text: str) -> Resolution:
        """Return what `text` means; an unknown or blank text means nothing."""
        positions = self.matches(text)
        if len(positions) == 1:
            return Resolution(found=positions[0])
        return Resolution(candidates=positions)

    def matches(self, text: str) -> tuple[int, ...]:
        """Return every position `text` may mean, in key order."""
        if not text.strip():
            return ()
        found = self.spelt(text) or self._folded.get(fold_name(text), ())
        if found or "&" not in text:
            return found
        return self._folded.get(fold_name(html.unescape(text)), ())  # as a model was shown it

    def spelt(self, text: str) -> tuple[int, ...]:
        """Return every position whose name is spelt exactly so, or is shown so; blanks around it are none."""
        spellings = (text, text.strip(), html.unescape(text).strip())
        return next((self._exact[each] for each in spellings if each in self._exact), ())

    def meant(self, resolution: Resolution, text: str) -> tuple[str, ...]:
        """Return the keys that a text without one meaning may mean: its candidates, else the nearest."""
        candidates = tuple(self._keys[position] for position in resolution.candidates)
        return candidates or self.nearest(text)

    def nearest(self, text: str, limit: int = _NEARBY) -> tuple[str, ...]:
        """Return the keys whose names are most like `text`, best first, each skill once."""
        by_name, prepared = self._nearby
        found = dict.fromkeys(by_name[name] for name in prepared.nearest(text, limit * 2))
        return tuple(self._keys[position] for position in found)[:limit]

    @cached_property
    def _nearby(self) -> tuple[dict[str, int], NameList]:
        """Every name, alias and folder with a position it stands for, prepared when first needed."""
        by_name: dict[str, int] = {}
        for table in self._tables[2:]:
            for name, positions in table.items():
                by_name.setdefault(name, positions[0])
        return by_name, NameList(by_name)


def _overlaid(tables: Sequence[dict[str, tuple[int, ...]]]) -> dict[str, tuple[int, ...]]:
    """Return one table in which the first that knows a name decides."""
    overlaid: dict[str, tuple[int, ...]] = {}
    for table in reversed(tables):
        overlaid.update(table)
    return overlaid


def _table(entries: Sequence[Entry], names: Callable[[Entry], Iterator[str]]) -> dict[str, tuple[int, ...]]:
    """Return the positions of each name, ascending; few names have several, so only those get a list."""
    table: dict[str, tuple[int, ...]] = {}
    shared: dict[str, list[int]] = {}
    for position, entry in enumerate(entries):
        own = (position,)
        for name in names(entry):
            first = table.setdefault(name, own)
            if first is not own:
                held = shared.setdefault(name, list(first))
                if held[-1] != position:
                    held.append(position)
    table.update((name, tuple(positions)) for name, positions in shared.items())
    return table


def _fold(table: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    folded: dict[str, tuple[int, ...]] = {}
    shared: dict[str, set[int]] = {}
    for name, positions in table.items():
        key = fold_name(name)
        first = folded.setdefault(key, positions)
        if first is not positions:
            shared.setdefault(key, set(first)).update(positions)
    folded.update((key, tuple(sorted(positions))) for key, positions in shared.items())
    folded.pop("", None)
    return folded


def _key_names(entry: Entry) -> Iterator[str]:
    yield entry.key


def _qualified(entry: Entry) -> Iterator[str]:
    yield from entry.qualified_names


def _names(entry: Entry) -> Iterator[str]:
    yield entry.skill.name


def _aliases(entry: Entry) -> Iterator[str]:
    yield from entry.skill.aliases


def _folders(entry: Entry) -> Iterator[str]:
    for place in entry.places:
        if folder := place.folder.rpartition("/")[2]:
            yield folder
