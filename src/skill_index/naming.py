"""
Which name each skill of a catalog answers to.

The question: thousands of real skills share their names with others, and a model passes back what it
was shown.  The choice:

* an *id* is `label:name`; where one source holds a name several times the id grows the folder,
  `label/some/folder:name`, and where not even that tells skills apart, a piece of the digest;
* a *key* is the bare name if the first source that has the name has it once; every other skill
  of that name is reached by its id.  Nothing is hidden by a name clash.

A skill that came from a server takes no name that a skill from elsewhere has, wherever its source
stands: what a name means here must not change because somebody serves something.

Rejected: "last one wins" and "first one wins" of most hosts, which lose skills in silence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skill_index.model import Origin, Skill

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
