"""
The other files of a skill: what there is under which name, and the bytes behind a name.

Names are looked up in a listing and never joined to a folder, so a name that leads elsewhere
means nothing instead of something dangerous.  Where the bytes lie is a source's matter: a
folder, an archive, a mapping, or a function that makes them when asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.findings import Finding, Severity
from skill_index.frozen import FrozenMap
from skill_index.text import hidden_characters

Content: TypeAlias = str | bytes | Callable[[], str | bytes]
"""A resource made in code: what is in it, or a function that says so whenever it is read."""


@dataclass(frozen=True, slots=True)
class Resource:
    """One file of a skill: its '/'-name below the skill's folder, and its size in bytes if that is known."""

    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a skill in the order of their names, and what was left out of the list and why."""

    resources: tuple[Resource, ...] = ()
    findings: tuple[Finding, ...] = ()


@runtime_checkable
class Resources(Protocol):
    """
    Where the files of one skill are.

    `listing` looks afresh at every call.  `read` takes a name of the listing and returns the whole
    file; it raises `ResourceNotFoundError` for any other name and `SourceError` for a file that
    cannot be read or is larger than `limit` bytes.  `folder` is the skill's folder on this
    machine, "" where it is in none.
    """

    @property
    def folder(self) -> str:
        """The skill's folder on this machine, or ""."""
        ...

    def listing(self) -> Listing:
        """Return what there is now."""
        ...

    def read(self, name: str, limit: int) -> bytes:
        """Return the bytes of a listed file."""
        ...


@dataclass(frozen=True, slots=True)
class InlineResources:
    """
    Resources made in code: texts, bytes, or functions without arguments that return either.

    >>> InlineResources({"references/a.md": "text"}).read("references/a.md", 100)
    b'text'
    """

    files: Mapping[str, Content]

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", FrozenMap(self.files))
        # What cannot be a file is told to who made it, not later to a model.
        for name, content in self.files.items():
            if not isinstance(name, str):
                message = f"the name of a resource is text, not {type(name).__name__}"
                raise TypeError(message)
            if not callable(content):
                _bytes(content)

    @property
    def folder(self) -> str:
        """Empty: the files are in no folder on this machine."""
        return ""

    def listing(self) -> Listing:
        """Return every name that can be said, in order, and a finding for each other one."""
        names = sorted(self.files, key=order_key)
        listed = tuple(Resource(name, _size(self.files[name])) for name in names if is_speakable(name))
        message = "is a name that cannot be shown, and is not listed; rename it"
        odd = (name for name in names if not is_speakable(name))
        return Listing(listed, tuple(Finding("odd-name", Severity.WARNING, message, name) for name in odd))

    def read(self, name: str, limit: int) -> bytes:
        """Return the bytes of one of the files; a function is called anew each time."""
        if name not in self.files or not is_speakable(name):
            raise ResourceNotFoundError("", name)
        content = self.files[name]
        try:
            data = _bytes(content() if callable(content) else content)
        except Exception as error:  # a stranger's function; its failure is that of this one file
            raise SourceError(name, f"its function raised {type(error).__name__}: {error}") from error
        if len(data) > limit:
            raise SourceError(name, f"it has {len(data):,} bytes, and at most {limit:,} are read")
        return data

    def fingerprint(self) -> list[tuple[str, str]]:
        """Return each name with a digest of its content, or with the name of its function."""
        return [(name, _mark(content)) for name, content in sorted(self.files.items())]


def order_key(path: str) -> tuple[str, str]:
    """
    Return the sort key of a '/'-path: its parts without regard to case, then its exact text.

    Neither the disk's order nor a locale can move an entry, so prompts made from it are stable.

    >>> sorted(["b/SKILL.md", "a-b/SKILL.md", "A/SKILL.md", "a/SKILL.md"], key=order_key)
    ['A/SKILL.md', 'a/SKILL.md', 'a-b/SKILL.md', 'b/SKILL.md']
    """
    # NUL is in no name and before every letter, so one text compares as the list of its parts would.
    return path.casefold().replace("/", "\0"), path


def is_speakable(name: str) -> bool:
    r"""
    Return whether a name can be shown and said back: no line breaks, control or hidden characters.

    >>> is_speakable("a b.md"), is_speakable("a\nb.md"), is_speakable("a\udcff.md")
    (True, False, False)
    """
    plain = name.isprintable() or all(char.isprintable() or char in "\u200c\u200d" for char in name)
    return bool(name) and plain and name == name.strip() and not hidden_characters(name)


def leads_out(name: str) -> bool:
    r"""
    Return whether a name, taken as a path, would leave the folder it is said to be in.

    >>> [leads_out(name) for name in ("../a", "/etc/passwd", "~/a", "C:\\a", "a/b", "a..b", "a\x00")]
    [True, True, True, True, False, False, True]
    """
    parts = name.replace("\\", "/").split("/")
    drive = len(name) > 1 and name[1] == ":" and name[0].isascii() and name[0].isalpha()
    return ".." in parts or parts[0] in {"", "~"} or drive or "\0" in name


def _size(content: Any) -> int | None:
    return None if callable(content) else len(_bytes(content))


def _bytes(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode("utf-8", "surrogatepass")
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    message = f"a resource is text or bytes, not {type(content).__name__}"
    raise TypeError(message)


def _mark(content: Any) -> str:
    if callable(content):
        return function_name(content)
    return hashlib.sha256(_bytes(content)).hexdigest()


def function_name(function: Any) -> str:
    """Return where a function is written, which is all of it that stays the same between runs."""
    inner = getattr(function, "func", function)  # functools.partial
    return f"{inner.__module__}.{getattr(inner, '__qualname__', type(inner).__qualname__)}"


NO_RESOURCES = InlineResources({})
"""A skill that is its SKILL.md alone."""
