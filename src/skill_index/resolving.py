"""
Which skill of a catalog a name means.

The question: a model passes back what it was shown, escaped or folded, and people misspell.  The
choice: one resolver serves every surface.  An exact spelling beats a folded one (see
`names.fold_name`), a name beats an alias, an alias beats a folder name, and a text that means
several skills is *ambiguous*: the answer lists them instead of picking one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from skill_index.names import NameList, fold_name
from skill_index.naming import Entry
from skill_index.text import as_utf8

_SIGNS = re.compile(r"[\s,;:|/&+*@#$!]+|\.md\b")  # between names, or put around one by a habit of writing
_WORDS_READ = 50  # words of an unknown name that may be names themselves
_NEARBY = 3  # names suggested for one that is unknown: few, so that a model picks instead of scanning


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a text means: one position, or several candidates (ambiguous), or nothing."""

    found: int | None = None
    candidates: tuple[int, ...] = ()


class Resolver:
    """
    Find the one skill a text means.

    Tables of names, from the most to the least binding, are laid one over the other: the first that
    knows a text decides.  It is looked up as it stands, and folded only after that failed.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._keys: Sequence[str] = [
            entry.key for entry in entries
        ]  # all that is used of them: an edited skill may go
        self._tables = [
            _table(entries, names) for names in (_key_names, _qualified, _names, _aliases, _folders)
        ]
        self._exact: Mapping[str, tuple[int, ...]] = _overlaid(self._tables)
        self._folded: Mapping[str, tuple[int, ...]] = _overlaid([_fold(table) for table in self._tables])

    def resolve(self, text: str) -> Resolution:
        """Return what `text` means; an unknown or blank text means nothing."""
        positions = self.matches(text)
        if len(positions) == 1:
            return Resolution(found=positions[0])
        return Resolution(candidates=positions)

    def matches(self, text: str) -> tuple[int, ...]:
        """Return every position `text` may mean, in key order; raises TypeError for what is no text."""
        if not isinstance(text, str):
            message = f"the name of a skill is text, not {type(text).__name__}"
            raise TypeError(message)
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
        """Return the keys whose names are like `text` or words of it, best first, each skill once."""
        near = [self._by_name[name] for name in self._nearby.nearest(text, limit * 2)]
        words = [
            self.matches(word) for word in _SIGNS.split(text, _WORDS_READ)[:_WORDS_READ] if len(word) > 1
        ]
        held = [position for positions in words for position in positions]
        # Where every word is a name, several were asked for as one.
        found = dict.fromkeys([*held, *near] if all(words) else [*near, *held])
        return tuple(self._keys[position] for position in found)[:limit]

    @cached_property
    def _by_name(self) -> dict[str, int]:
        """Every name, alias and folder with a position it stands for."""
        by_name: dict[str, int] = {}
        for table in self._tables[2:]:
            for name, positions in table.items():
                by_name.setdefault(name, positions[0])
        return by_name

    @cached_property
    def _nearby(self) -> NameList:
        """The same names, prepared when first needed."""
        return NameList(self._by_name)

    def tables(
        self,
    ) -> tuple[Mapping[str, tuple[int, ...]], Mapping[str, tuple[int, ...]], Mapping[str, int]]:
        """Return the positions of each name, of each folded one, and one for each name to be near to."""
        return self._exact, self._folded, self._by_name


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
            yield as_utf8(folder)
