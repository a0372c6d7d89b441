"""
Skills from a function: the shortest way to a host's own store, a registry or a server.

    def skills(): return [Skill(row.name, row.about) for row in table]

What a function returns is a stranger's data and is looked at item by item: one that is no skill is
a finding and costs only itself.  A function that raises could not look, which is an error of its
source and never an empty list; a `Reader` then keeps what it gave last.

Rejected: asynchronous functions.  A scan is synchronous, and a loop of its own would run inside
the host's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from skill_index.errors import SourceError
from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill, Skill
from skill_index.resources import function_name
from skill_index.sources.base import Item
from skill_index.sources.labels import clean_label
from skill_index.sources.memory import MemorySource
from skill_index.sources.problems import problem

_NOWHERE = Origin()
_HINT = "return a list of Skill, RawSkill or Finding, or a mapping from paths to texts"


@dataclass(frozen=True, slots=True)
class CallableSource:
    """
    The skills that a function without arguments returns, called afresh at each scan.

    It returns an iterable of `Skill`, `RawSkill` and `Finding`, or a mapping as `MemorySource`
    takes it.  Skills that do not say where they are from get an origin of this `label`; with
    `trusted` false none of them is trusted, whatever its origin says.  `scan` raises `SourceError`
    for whatever the function raises.  Raises TypeError for what cannot be called.

    >>> source = CallableSource(lambda: [Skill("pdf", "Fill forms.")], "forms")
    >>> [skill.origin.label for skill in source.scan()]
    ['forms']
    """

    function: Callable[[], Iterable[Item] | Mapping[str, str | bytes]]
    label: str
    trusted: bool = dataclasses.field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        if not callable(self.function):
            message = f"a source needs a function, not {type(self.function).__name__}"
            raise TypeError(message)
        label = clean_label(self.label) or clean_label(function_name(self.function))
        object.__setattr__(self, "label", label)

    def scan(self) -> Iterator[Item]:
        """Yield what the function returns, in its order."""
        try:
            yield from self._items(self.function())
        except SourceError:
            raise
        except Exception as error:  # a stranger's function
            raise SourceError(self.label, f"it raised {type(error).__name__}: {error}") from error

    def _items(self, returned: Any) -> Iterator[Item]:
        if isinstance(returned, Mapping):
            yield from self._files(returned)
        elif isinstance(returned, str | bytes) or not isinstance(returned, Iterable):
            raise SourceError(self.label, f"it returned {_kind(returned)}", _HINT)
        else:
            for number, item in enumerate(returned):
                yield item if isinstance(item, Finding) else self._skill(item, number)

    def _files(self, files: Mapping[Any, Any]) -> Iterator[RawSkill | Finding]:
        good = {path: content for path, content in files.items() if _is_file(path, content)}
        for path, content in files.items():
            if not _is_file(path, content):
                told = f"maps {_kind(path)} to {_kind(content)}; a path is a text, its content text or bytes"
                yield self._wrong(f"{path!r} {told}")
        yield from MemorySource(good, self.label, trusted=self.trusted).scan()

    def _skill(self, item: Any, number: int) -> Item:
        if not isinstance(item, Skill | RawSkill):
            return self._wrong(f"item {number} is {_kind(item)}; {_HINT}")
        origin = item.origin
        if origin == _NOWHERE:
            origin = dataclasses.replace(origin, label=self.label)
        return dataclasses.replace(
            item, origin=dataclasses.replace(origin, trusted=origin.trusted and self.trusted)
        )

    def _wrong(self, message: str) -> Finding:
        return problem("wrong-type", self.label, message)


def _is_file(path: object, content: object) -> TypeGuard[Any]:
    return isinstance(path, str) and isinstance(content, str | bytes)


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"
