"""
A source that is asked seldom, and whose failure is bridged by its last good answer.

A server or a shared disk is slow and sometimes away; the skills it gave an hour ago are better
than none.  The answer is kept whole, bytes and all, so that a reader that knows nothing yet gets
everything without a new look, and one that knows its skills by their stamps gets `Unchanged`.

    reader ─known?─▶ answer kept ─its own stamps─▶ source

An answer that breaks off is no answer: half of one would look like skills removed.
Rejected: passing on what the reader knows to the source, since two readers know different things
and the answer is for both.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from skill_index.errors import SourceError
from skill_index.model import Origin, RawSkill, Unchanged
from skill_index.sources import base
from skill_index.sources.base import Item, Known, Source, unknown
from skill_index.sources.problems import problem

KEYS = 64
"""Answers kept at once: each holds the bytes of its skills, and a host may have keys without end."""


@dataclass(slots=True)
class _Answer:
    """The last good answer under one key, what went wrong since, and when the next look is due."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    items: tuple[Item, ...] | None = None
    failure: SourceError | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CachedSource:
    """
    A source that is looked at again at most every `interval` seconds, failures included.

    With `key`, a function that says for whom a look is (a user, a tenant), each key has an answer of
    its own; the 64 used last are kept.  When the source fails, its last good answer is given with
    the warning `last-good`; without one, its error is raised again until the next look is due.
    `interval` may be 0 to have only that.  Safe to be read by several threads: one looks, the
    others of that key wait for its answer.  Raises ValueError for a negative interval.
    """

    source: Source
    interval: float
    key: Callable[[], Hashable] | None = field(default=None, kw_only=True)
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True)
    _answers: OrderedDict[Hashable, _Answer] = field(default_factory=OrderedDict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.interval >= 0:
            message = f"interval is at least 0 seconds, not {self.interval}"
            raise ValueError(message)

    @property
    def label(self) -> str:
        """The label of the source within."""
        return self.source.label

    def scan(self) -> Iterator[Item]:
        """Yield the answer that is kept, looked up again when it is due."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what `scan` does, with `Unchanged` for what the caller knows as it is kept here."""
        items, failure = self._current()
        if failure is not None:
            message = f"the last good answer is shown, since there is no new one: {failure.reason}"
            yield problem("last-good", self.label, message)
        for item in items:
            if isinstance(item, RawSkill) and item.stamp is not None and known(item.origin) == item.stamp:
                yield Unchanged(item.origin, item.steps)
            else:
                yield item

    def _current(self) -> tuple[tuple[Item, ...], SourceError | None]:
        answer = self._answer(self.key() if self.key else None)
        with answer.lock:
            if answer.due is None or self.clock() >= answer.due:
                self._look(answer)
                answer.due = self.clock() + self.interval
            if answer.items is None and answer.failure is not None:
                # Made anew: an error that is raised twice carries both ways it came.
                raise SourceError(*answer.failure.args)
            return answer.items or (), answer.failure

    def _answer(self, key: Hashable) -> _Answer:
        with self._lock:
            answer = self._answers.setdefault(key, _Answer())
            self._answers.move_to_end(key)
            if len(self._answers) > KEYS:
                self._answers.popitem(last=False)
            return answer

    def _look(self, answer: _Answer) -> None:
        kept = {item.origin: item for item in answer.items or () if isinstance(item, RawSkill)}
        try:
            items = base.rescan(self.source, lambda origin: _stamp(kept.get(origin)))
            answer.items = tuple(_whole(item, kept) for item in items)
            answer.failure = None
        except SourceError as error:
            answer.failure = SourceError(self.label, error.reason, error.hint)
        except Exception as error:  # noqa: BLE001  (a stranger's code; its last good answer must not go with it)
            answer.failure = SourceError(self.label, f"it raised {type(error).__name__}: {error}")


def _stamp(raw: RawSkill | None) -> object:
    return raw.stamp if raw else None


def _whole(item: Item | Unchanged, kept: dict[Origin, RawSkill]) -> Item:
    """Return an item with its bytes, as it may go to a reader that has never seen it."""
    if not isinstance(item, Unchanged):
        return item
    return dataclasses.replace(kept[item.origin], steps=item.steps)
