"""
The values a skill is made of, from bytes with an origin to a frozen `Skill`.

    RawSkill(origin, data)  →  Skill(name, description, ...)

Everything here is frozen, hashable and picklable, and needs nothing but the standard library:
a catalog of fifty thousand of them is shared by threads and sent to worker processes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skill_index.findings import Finding
from skill_index.frozen import FrozenMap
from skill_index.resources import NO_RESOURCES, Content, InlineResources, Resources, function_name

_OPTIONAL = frozenset({"license", "compatibility"})
_ONE_TEXT = "{field} takes a list of texts, not one text: write [{value!r}]"


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
    def is_remote(self) -> bool:
        """Whether it came from a server, as the URL in place of a root says."""
        return "://" in self.root

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
    """
    The bytes of one SKILL.md, not yet looked into, where they came from, and the files beside it.

    `files_digest` tells two states of those files apart.  `stamp` is what its source recognises an
    unchanged skill by at the next scan, None for a source that reads everything again.  `steps`
    are done with the skill once it is parsed.
    """

    origin: Origin
    data: bytes
    resources: Resources = NO_RESOURCES
    files_digest: str = ""
    stamp: object = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A skill that a source recognised as the one it gave out before, without reading it."""

    origin: Origin
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Skill:
    """
    One skill: what it is called, what it is for, and the instructions disclosed only on demand.

    `allowed_tools` is None when the skill says nothing about tools, and an empty tuple when it
    says "none": the two mean different things to a host.  `metadata` is the front matter's
    mapping of that name, `extra` holds every other key found there, as text.
    `resources` are the files beside the SKILL.md, `scripts` functions offered as scripts; both may
    be given as a mapping.  `input_schema` makes it a tool entry: a tool of the host that waits in
    the catalog until it is asked for, with the JSON schema of its arguments.
    `digest` is the SHA-256 of the bytes it was read from, or of its fields when made in code;
    two skills with one digest are copies, if `files_digest`, over the files beside it, is one too.

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
    resources: Resources = field(default=NO_RESOURCES, kw_only=True, repr=False)
    scripts: Mapping[str, Callable[..., object]] = field(default=FrozenMap(), kw_only=True, repr=False)
    input_schema: Mapping[str, Any] | None = field(default=None, kw_only=True, repr=False)
    digest: str = field(default="", kw_only=True, repr=False)
    files_digest: str = field(default="", kw_only=True, repr=False)

    if TYPE_CHECKING:
        # What may be given is wider than what is there afterwards: lists, and plain mappings.
        def __init__(  # noqa: PLR0913
            self,
            name: str,
            description: str,
            instructions: str = "",
            *,
            aliases: Iterable[str] = (),
            tags: Iterable[str] = (),
            allowed_tools: Iterable[str] | None = None,
            license: str | None = None,  # noqa: A002  (the format's word)
            compatibility: str | None = None,
            metadata: Mapping[str, Any] = {},
            extra: Mapping[str, Any] = {},
            origin: Origin = Origin(),
            resources: Resources | Mapping[str, Content] = NO_RESOURCES,
            scripts: Mapping[str, Callable[..., object]] = {},
            input_schema: Mapping[str, Any] | None = None,
            digest: str = "",
            files_digest: str = "",
        ) -> None: ...

    def __post_init__(self) -> None:
        for part in ("name", "description", "instructions", "license", "compatibility"):
            value = getattr(self, part)
            if not isinstance(value, str) and (value is not None or part not in _OPTIONAL):
                message = f"a skill's {part} is text, not {type(value).__name__}"
                raise TypeError(message)
        if not self.name.strip():
            message = "a skill needs a name that is not blank"
            raise ValueError(message)
        for part in ("aliases", "tags", "allowed_tools"):
            object.__setattr__(self, part, _texts(part, getattr(self, part)))
        for part in ("metadata", "extra", "scripts"):
            object.__setattr__(self, part, _mapping(part, getattr(self, part)))
        _check_functions(self.scripts)
        if not hasattr(self.resources, "listing"):
            object.__setattr__(self, "resources", InlineResources(_mapping("resources", self.resources)))
        if self.input_schema is not None:
            object.__setattr__(self, "input_schema", _mapping("input_schema", self.input_schema))
        if not self.digest:
            object.__setattr__(self, "digest", self._digest())

    @property
    def is_tool(self) -> bool:
        """Whether this is a host's tool that waits to be asked for, not a skill."""
        return self.input_schema is not None

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
        said += [self.input_schema, [(name, function_name(run)) for name, run in self.scripts.items()]]
        if isinstance(self.resources, InlineResources):
            said.append(self.resources.fingerprint())
        text = json.dumps(said, sort_keys=True, default=_plain)
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True)
class ReadySkill:
    """A skill that was not read from bytes, with what is to be done with it."""

    skill: Skill
    steps: tuple[Step, ...] = ()

    @property
    def origin(self) -> Origin:
        """Where the skill came from."""
        return self.skill.origin


Step = Callable[[Skill], "Skill | Finding | None"]
"""Something done with a parsed skill: another skill in its place, or the reason it is left out, or None."""


def _texts(part: str, value: Any) -> tuple[str, ...] | None:
    if value is None and part == "allowed_tools":
        return None
    if isinstance(value, str):
        raise TypeError(_ONE_TEXT.format(field=part, value=value))
    texts = tuple(value) if isinstance(value, Iterable) else (value,)
    odd = next((text for text in texts if not isinstance(text, str)), "")
    if odd != "":
        message = f"{part} takes a list of texts, and {odd!r:.40} is none"
        raise TypeError(message)
    return texts


def _mapping(part: str, value: Any) -> FrozenMap:
    if not isinstance(value, Mapping):
        message = f"{part} takes a mapping, not {type(value).__name__}"
        raise TypeError(message)
    return FrozenMap(value)


def _check_functions(scripts: Mapping[str, object]) -> None:
    for name, script in scripts.items():
        if not callable(script):
            message = f"the script {name!r} of a skill is a function, not {type(script).__name__}"
            raise TypeError(message)


def _plain_key(key: str) -> str:
    return key.replace("_", "-").casefold()


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
