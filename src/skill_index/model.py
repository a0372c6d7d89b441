"""
The values a skill is made of, from bytes with an origin to a frozen `Skill`.

    RawSkill(origin, data)  →  Skill(name, description, ...)

Everything here is frozen, hashable and picklable, and needs nothing but the standard library:
a catalog of fifty thousand of them is shared by threads and sent to worker processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_ONE_TEXT = "{field} takes a list of texts, not one text: write [{value!r}]"


class FrozenMap(Mapping[str, Any]):
    """
    A mapping that cannot change, and so can be hashed and pickled.

    >>> FrozenMap({"b": 1, "a": 2})
    FrozenMap({'b': 1, 'a': 2})
    """

    __slots__ = ("_items",)
    _items: dict[str, Any]

    def __init__(self, items: Mapping[str, Any] = {}) -> None:
        object.__setattr__(self, "_items", dict(items))

    def __setattr__(self, name: str, value: object) -> None:
        message = f"a FrozenMap cannot change: {name}"
        raise AttributeError(message)

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __reduce__(self) -> tuple[type[FrozenMap], tuple[dict[str, Any]]]:
        return (FrozenMap, (self._items,))


@dataclass(frozen=True, slots=True)
class Origin:
    """
    Where a skill came from.

    `label` names the source, `root` is the source's folder ("" when it has none) and `path`
    the '/'-separated way from there to the SKILL.md.  `editable` says whether a user may change
    the file in place, `trusted` whether its claims (such as allowed tools) may grant anything.
    """

    label: str = "memory"
    root: str = ""
    path: str = ""
    editable: bool = False
    trusted: bool = True

    @property
    def folder(self) -> str:
        """The '/'-separated folder of the skill below its source, "" for the root itself."""
        return self.path.rpartition("/")[0]

    @property
    def location(self) -> str:
        """The whole path of the file, or "" for a skill that is in no file."""
        if not self.path:
            return ""
        return f"{self.root.rstrip('/')}/{self.path}" if self.root else self.path


@dataclass(frozen=True, slots=True)
class RawSkill:
    """The bytes of one SKILL.md, not yet looked into, and where they came from."""

    origin: Origin
    data: bytes


@dataclass(frozen=True, slots=True)
class Skill:
    """
    One skill: what it is called, what it is for, and the instructions disclosed only on demand.

    `allowed_tools` is None when the skill says nothing about tools, and an empty tuple when it
    says "none": the two mean different things to a host.  `metadata` is the front matter's
    mapping of that name, `extra` holds every other key found there, as text.
    `digest` is the SHA-256 of the bytes it was read from, or of its fields when made in code:
    two skills with one digest are copies.

    >>> skill = Skill("pdf-forms", "Fill PDF forms.", allowed_tools=["Read"])
    >>> skill.allowed_tools
    ('Read',)
    """

    name: str
    description: str
    instructions: str = field(default="", repr=False)
    aliases: tuple[str, ...] = field(default=(), kw_only=True)
    tags: tuple[str, ...] = field(default=(), kw_only=True)
    allowed_tools: tuple[str, ...] | None = field(default=None, kw_only=True)
    license: str | None = field(default=None, kw_only=True)
    compatibility: str | None = field(default=None, kw_only=True)
    metadata: Mapping[str, Any] = field(default=FrozenMap(), kw_only=True)
    extra: Mapping[str, Any] = field(default=FrozenMap(), kw_only=True)
    origin: Origin = field(default=Origin(), kw_only=True)
    digest: str = field(default="", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        for part in ("name", "description", "instructions"):
            if not isinstance(getattr(self, part), str):
                message = f"a skill's {part} is text, not {type(getattr(self, part)).__name__}"
                raise TypeError(message)
        if not self.name.strip():
            message = "a skill needs a name that is not blank"
            raise ValueError(message)
        for part in ("aliases", "tags", "allowed_tools"):
            object.__setattr__(self, part, _texts(part, getattr(self, part)))
        for part in ("metadata", "extra"):
            object.__setattr__(self, part, FrozenMap(getattr(self, part)))
        if not self.digest:
            object.__setattr__(self, "digest", self._digest())

    def extension(self, key: str) -> Any:
        """
        Return what front matter says under a key outside the specification, None where it does not.

        Hosts and authors join and capitalise the words of such keys as they like.

        >>> Skill("a", "b", extra={"When_To_Use": "often"}).extension("when-to-use")
        'often'
        """
        asked = _plain_key(key)
        return next((value for given, value in self.extra.items() if _plain_key(given) == asked), None)

    def _digest(self) -> str:
        said: list[object] = [self.name, self.description, self.instructions, self.aliases, self.tags]
        said += [self.allowed_tools, self.license, self.compatibility, self.metadata, self.extra]
        text = json.dumps(said, sort_keys=True, default=_plain)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _texts(part: str, value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str):
        raise TypeError(_ONE_TEXT.format(field=part, value=value))
    return tuple(value)


def _plain_key(key: str) -> str:
    return key.replace("_", "-").casefold()


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
