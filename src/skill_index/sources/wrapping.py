"""
What wraps a source: a filter, a prefix, layers of precedence.

    source ─rescan─▶ item ─step─▶ item with one more thing to do

When a wrapper sees an item, its skill is not parsed yet, and of an unchanged one there are not even
bytes.  So it adds a step to the item, which the reader takes once it has the skill.  A source that
reads only what changed still does so under any number of wrappers.

Rejected: parsing here, which would read every file twice and make two places decide what a
skill is.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from skill_index.findings import Finding
from skill_index.model import ReadySkill, Skill, Step, Unchanged
from skill_index.names import fold_name
from skill_index.resources import is_speakable
from skill_index.sources import base
from skill_index.sources.base import Item, Known, Source, unknown
from skill_index.sources.labels import clean_label
from skill_index.sources.problems import problem


def stepped(item: Item | Unchanged, step: Step) -> Item | Unchanged:
    """Return an item with a step to be done; a finding has none."""
    if isinstance(item, Finding):
        return item
    given = ReadySkill(item) if isinstance(item, Skill) else item
    return dataclasses.replace(given, steps=(*given.steps, step))


class _Wrapper(ABC):
    """What wrappers share: `scan` is the `rescan` of who knows nothing."""

    __slots__ = ()

    @property
    @abstractmethod
    def is_live(self) -> bool:
        """Whether what is within can tell cheaply what changed; see `sources.base.is_live`."""

    def scan(self) -> Iterator[Item]:
        """Yield what is there now."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    @abstractmethod
    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what `scan` does, but pass on as `Unchanged` what the source within gives so."""


@dataclass(frozen=True, slots=True)
class _Single(_Wrapper):
    """One source, each of whose skills goes through one step."""

    source: Source

    @property
    def label(self) -> str:
        """The label of the source within."""
        return self.source.label

    @property
    def is_live(self) -> bool:
        """Whether the source within can tell cheaply what changed."""
        return base.is_live(self.source)

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what the source within yields, with this wrapper's step added."""
        step = self._step()
        for item in base.rescan(self.source, known):
            yield stepped(item, step)

    @abstractmethod
    def _step(self) -> Step:
        """Return the step that each skill goes through, for one scan."""


@dataclass(frozen=True, slots=True)
class FilteredSource(_Single):
    """
    The skills of a source for which `keep` is true; the others leave no trace.

    A filter that raises keeps its skill out and is told as `step-failed`: whether a skill may be
    shown must not depend on a mistake.
    """

    keep: Callable[[Skill], bool]

    def _step(self) -> Step:
        return partial(_kept, self.keep)


def _kept(keep: Callable[[Skill], bool], skill: Skill) -> Skill | None:
    return skill if keep(skill) else None


@dataclass(frozen=True, slots=True)
class PrefixedSource(_Single):
    """
    The skills of a source under names that begin with `prefix`; the old names mean nothing.

    Raises ValueError for a prefix that cannot be said or holds a colon, which ends a label.
    """

    prefix: str

    def __post_init__(self) -> None:
        if not is_speakable(self.prefix) or ":" in self.prefix:
            message = f"a prefix is a text to be shown, without a colon, not {self.prefix!r}"
            raise ValueError(message)

    def _step(self) -> Step:
        return partial(_prefixed, self.prefix)


def _prefixed(prefix: str, skill: Skill) -> Skill:
    return dataclasses.replace(skill, name=prefix + skill.name)


@dataclass(frozen=True, slots=True)
class LayeredSource(_Wrapper):
    """
    Several sources of which the earlier ones hide the skills of the later ones that have their names.

    Names are equal as `fold_name` says; equal names within one layer hide nothing.  What is hidden is
    told as `shadowed`.  Each skill keeps the label of its own source.

    A layer that fails is told, as it is among sources; what it held no longer hides anything then.
    Wrap it in a `CachedSource` to have its last good answer hold its place.
    """

    sources: Sequence[Source]
    label: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", tuple(self.sources))
        object.__setattr__(self, "label", clean_label(self.label) or "layers")

    @property
    def is_live(self) -> bool:
        """Whether every layer can tell cheaply what changed."""
        return all(map(base.is_live, self.sources))

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what the layers hold, in their order, with the question who has the name already."""
        names = _Names()  # of this scan alone, else what was removed would hide for ever
        for layer, item in base.scan_each(self.sources, lambda _, origin: known(origin)):
            yield stepped(item, partial(names.claim, layer))


@dataclass(slots=True)
class _Names:
    """Who holds each folded name: the number of a layer, and where its skill is."""

    held: dict[str, tuple[int, str]] = field(default_factory=dict)

    def claim(self, layer: int, skill: Skill) -> Skill | Finding:
        holder, where = self.held.setdefault(fold_name(skill.name), (layer, _where(skill)))
        if holder >= layer:
            return skill
        message = f"is left out: the name {skill.name!r} is that of {where}; rename one of them"
        return problem("shadowed", _where(skill), message)


def _where(skill: Skill) -> str:
    return skill.origin.location or f"{skill.origin.label}:{skill.name}"
