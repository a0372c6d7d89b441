"""
What one conversation has in front of it: the skills loaded, and those that fell out again.

A model that loads a skill twice pays twice, and one whose context was shortened believes it still
has what is gone.  Only the host knows what its context holds, so it tells: `on_evicted` when
texts were dropped, `unload` when the model is done.  A session belongs to one conversation and is
small, plain text (`to_json`), to be kept beside it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from skill_index.naming import Entry

_FAILURES = 100  # failed calls remembered: a model repeats what it did just now, not yesterday

Holding = Literal["none", "same", "changed"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A skill in the conversation: its name, its id, and the digest of the SKILL.md that was shown."""

    name: str
    id: str
    digest: str


class Session:
    """The loaded state of one conversation; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: dict[str, Loaded] = {}
        self._evicted: dict[str, Loaded] = {}
        self._failures: dict[str, int] = {}
        self._answer: tuple[str, ...] = ()

    @property
    def loaded(self) -> tuple[Loaded, ...]:
        """The skills whose instructions the conversation holds, in the order they were loaded."""
        with self._lock:
            return tuple(self._loaded.values())

    @property
    def evicted(self) -> tuple[Loaded, ...]:
        """The skills that were loaded and fell out of the context: what to restore after it was shortened."""
        with self._lock:
            return tuple(self._evicted.values())

    def holding(self, entry: Entry) -> Holding:
        """Return whether this skill is loaded: the "same" as now, one that "changed" since, or "none"."""
        known = self._loaded.get(entry.id)
        if known is None:
            return "none"
        return "same" if known.digest == entry.skill.digest else "changed"

    def load(self, entry: Entry) -> None:
        """Remember that the instructions of a skill were shown."""
        with self._lock:
            self._evicted.pop(entry.id, None)
            self._loaded[entry.id] = Loaded(entry.key, entry.id, entry.skill.digest)

    def unload(self, name: str) -> bool:
        """Forget a skill by name or id, also one to be restored; return whether it was known."""
        with self._lock:
            known = self._find(name, self._loaded) or self._find(name, self._evicted)
            if known is None:
                return False
            self._loaded.pop(known.id, None)
            self._evicted.pop(known.id, None)
            return True

    def on_evicted(self, names: Iterable[str] | None = None) -> None:
        """
        Tell that the instructions of these skills are no longer in the context; None means all.

        They are loaded in full again when asked for, and stand in `evicted` until then.
        """
        with self._lock:
            if names is None:
                names = [known.id for known in self._loaded.values()]
            elif isinstance(names, str):
                names = [names]
            for name in names:
                known = self._find(name, self._loaded)
                if known is not None:
                    self._evicted[known.id] = self._loaded.pop(known.id)

    def knew(self, name: str) -> bool:
        """Return whether a skill of this name or id was ever loaded here."""
        with self._lock:
            return any(self._find(name, kept) for kept in (self._loaded, self._evicted))

    @staticmethod
    def _find(name: str, kept: dict[str, Loaded]) -> Loaded | None:
        """Return the skill of this id, else the first of this name: an id is never another's name."""
        return kept.get(name) or next((known for known in kept.values() if known.name == name), None)

    def answered(self, ids: tuple[str, ...]) -> None:
        """Remember the order of the last search's hits, so that a later load knows its rank."""
        self._answer = ids

    def rank(self, skill_id: str) -> int | None:
        """Return the place of a skill in the last answer, from 1, or None if it was not in it."""
        answer = self._answer  # taken once: another thread's search may put its own in place
        return answer.index(skill_id) + 1 if skill_id in answer else None

    def failed(self, call: str) -> int:
        """Count a failed call and return how often the same one has failed."""
        with self._lock:
            count = self._failures.pop(call, 0) + 1
            self._failures[call] = count
            if len(self._failures) > _FAILURES:
                del self._failures[next(iter(self._failures))]
            return count

    def to_json(self) -> str:
        """Return the loaded and evicted skills as text, to be kept with the conversation."""
        with self._lock:
            parts = {"loaded": self._loaded, "evicted": self._evicted}
            state = {
                part: [[one.name, one.id, one.digest] for one in kept.values()]
                for part, kept in parts.items()
            }
        return json.dumps(state)

    @classmethod
    def from_json(cls, text: str) -> Session:
        """Return the session that `to_json` wrote; raises ValueError for anything else."""
        message = "a session is a JSON object with loaded and evicted, as Session.to_json writes it"
        session = cls()
        try:
            state = json.loads(text)
            for part, kept in (("loaded", session._loaded), ("evicted", session._evicted)):
                for name, skill_id, digest in _rows(state[part]):
                    kept[skill_id] = Loaded(name, skill_id, digest)
        except (KeyError, TypeError, ValueError, RecursionError) as problem:
            raise ValueError(message) from problem
        return session


def _rows(rows: object) -> list[list[str]]:
    """Return rows of texts as they are; anything else that could be taken apart is no session."""
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise TypeError(rows)
    if not all(isinstance(text, str) for row in rows for text in row):
        raise TypeError(rows)
    return rows
