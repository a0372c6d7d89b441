"""
YAML as text: the values of a header as they were typed, with the lines they stand on.

Built from the parser's events.  Why not `yaml.safe_load`?  It types what it reads (`1.10`
becomes 1.1, `12:30` becomes 750, `yes` becomes True), keeps the last of two equal keys without
a word, and its composer recurses until the interpreter gives up on deep nesting.  Events come
one by one: depth and aliases are counted before anything is built, no tag is ever acted on, and
what YAML drops (comments, anchors, tags) can be told.

libyaml reads several times faster than PyYAML's own parser, and takes a few texts that one
refuses.  So that a skill means the same on every machine, libyaml's word counts only where the
two are known to agree; PyYAML decides the rest, and is the one to phrase what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

from skill_index.frozen import FrozenMap
from skill_index.parsing.codes import Fault
from skill_index.parsing.values import Entry, Remark, Tree, Value, typed_text
from skill_index.settings import Limits

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_MERGE = object()  # the key '<<', unquoted: its value's entries stand in for keys that are absent
_CORE = frozenset(
    "tag:yaml.org,2002:" + name for name in ("str", "int", "float", "bool", "null", "seq", "map")
)
_NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
# What the two parsers treat differently: tabs between tokens, escapes that name no character, tags,
# explicit keys, and a comment that touches a block mark.
DISPUTED = re.compile(r"\t|\\[uUx]|(?<!\S)[!?]|[|>][-+\d]*#")
# PyYAML lets some of Python's own errors through, as for an escape beyond Unicode.
_ERRORS = (yaml.YAMLError, ValueError, OverflowError)


def parse(text: str, limits: Limits, elsewhere: str = "") -> Tree:
    """
    Return the entries of a header, or raise a `Fault` whose lines count within `text`.

    An alias may refer to an anchor written in `elsewhere`; that lets a piece be tried alone.

    >>> parse("version: 1.10", Limits()).entries
    (Entry(key='version', value='1.10', line=1),)
    """
    fast = getattr(yaml, "CSafeLoader", None)
    if fast is not None and not DISPUTED.search(text):
        try:
            return _Builder(text, limits, elsewhere).build(yaml.parse(text, Loader=fast))
        except _ERRORS:
            pass  # PyYAML's own parser says below what is wrong
    try:
        return _Builder(text, limits, elsewhere).build(yaml.parse(text, Loader=yaml.SafeLoader))
    except _ERRORS as error:
        raise _fault(error) from None


def _fault(error: Exception) -> Fault:
    problem = getattr(error, "problem", None) or "a character or a number is out of range"
    context = getattr(error, "context", None) or ""
    mark = getattr(error, "problem_mark", None)
    if "quoted scalar" in context and ("end of stream" in problem or "document separator" in problem):
        mark = getattr(error, "context_mark", mark)
        return _at("quote-open", "a quoted value is not closed before the front matter ends; close it", mark)
    return _at("yaml-invalid", problem, mark)


def _at(code: str, message: str, mark: Any) -> Fault:
    return Fault(code, message, mark.line + 1, mark.column + 1) if mark else Fault(code, message)


@dataclass(slots=True)
class _Frame:
    """A list or mapping (keys and values in turn) that is not closed yet."""

    mapping: bool
    anchor: str | None
    before: int
    items: list[Any] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    @property
    def wants_key(self) -> bool:
        return self.mapping and len(self.items) % 2 == 0


class _Builder:
    """Builds the tree of one document from events, within limits."""

    def __init__(self, text: str, limits: Limits, elsewhere: str) -> None:
        # libyaml marks the end of a text one line below its last.
        self._lines = [*text.split("\n"), ""]
        self._limits, self._elsewhere = limits, elsewhere
        self._comments = "#" in text
        self._root = _Frame(mapping=False, anchor=None, before=0)
        self._frames = [self._root]
        self._anchors: dict[str, tuple[Value, int]] = {}
        self._unused: dict[str, Remark] = {}
        self._remarks: list[Remark] = []
        self._size = self._aliases = 0
        self._key, self._key_end = "", (0, 0)
        self._top: list[Entry] = []

    def build(self, events: Iterable[Any]) -> Tree:
        for event in events:
            match event:
                case yaml.ScalarEvent():
                    self._scalar(event)
                case yaml.AliasEvent():
                    self._alias(event)
                case yaml.CollectionStartEvent():
                    self._open(event)
                case yaml.CollectionEndEvent():
                    self._close()
                case yaml.DocumentStartEvent() if self._root.items:
                    raise _at("yaml-invalid", "a second document starts here", event.start_mark)
        if self._root.items not in ([], [None]) and not isinstance(self._root.items[0], FrozenMap):
            message = "the front matter is not made of 'key: value' lines; put a blank behind each colon"
            raise Fault("not-a-mapping", message, self._root.lines[0])
        return Tree(tuple(self._top), (*self._remarks, *self._unused.values()))

    def _scalar(self, event: Any) -> None:
        text = typed_text(event.value)
        if _NO_TEXT.search(text):
            raise _at("yaml-invalid", "an escape names a control character", event.start_mark)
        self._spend(len(text) + 1, event)
        plain = event.implicit[0] and event.tag is None
        if self._frames[-1].wants_key:
            self._put(_MERGE if plain and text == "<<" else text, event)
            if len(self._frames) == 2:
                self._key, self._key_end = text, (event.end_mark.line, event.end_mark.column)
        else:
            if plain and self._comments:
                self._note_comments(event)
            self._put(None if plain and text in _NULLS else text, event)
        self._note_properties(event)
        self._define(event.anchor, len(text) + 1)

    def _alias(self, event: Any) -> None:
        self._aliases += 1
        if any(frame.anchor == event.anchor for frame in self._frames):
            raise _at("yaml-too-complex", "an alias stands inside of what it repeats", event.start_mark)
        if event.anchor not in self._anchors and f"&{event.anchor}" not in self._elsewhere:
            raise _at("yaml-invalid", f"nothing is named '&{event.anchor}'", event.start_mark)
        value, size = self._anchors.get(event.anchor, (None, 0))
        self._unused.pop(event.anchor, None)
        self._spend(size + 1, event)
        self._put(value, event)

    def _open(self, event: Any) -> None:
        if len(self._frames) > self._limits.yaml_depth:
            message = f"values are nested more than {self._limits.yaml_depth} deep; flatten them"
            raise _at("yaml-too-complex", message, event.start_mark)
        self._note_properties(event)
        self._frames[-1].lines.append(event.start_mark.line + 1)
        mapping = isinstance(event, yaml.MappingStartEvent)
        self._frames.append(_Frame(mapping, event.anchor, self._size))
        self._spend(1, event)

    def _close(self) -> None:
        frame = self._frames.pop()
        value: Value = tuple(frame.items)
        if frame.mapping:
            entries = self._entries(frame)
            value = FrozenMap({entry.key: entry.value for entry in entries})
            if len(self._frames) == 1:
                self._top = entries
        self._frames[-1].items.append(value)
        self._define(frame.anchor, self._size - frame.before)

    def _put(self, value: object, event: Any) -> None:
        self._frames[-1].items.append(value)
        self._frames[-1].lines.append(event.start_mark.line + 1)

    def _define(self, anchor: str | None, size: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (self._frames[-1].items[-1], size)

    def _spend(self, size: int, event: Any) -> None:
        """Count what is built; aliases must not make a header larger than a header may be."""
        self._size += size
        too_many = self._aliases > self._limits.yaml_aliases
        if too_many or (self._aliases and self._size > self._limits.header_bytes):
            message = f"aliases repeat too much (at most {self._limits.yaml_aliases}); write values out"
            raise _at("yaml-too-complex", message, event.start_mark)

    def _entries(self, frame: _Frame) -> list[Entry]:
        """Pair keys with values; of equal keys the first counts, as a later one may be pasted in unseen."""
        found: dict[str, Entry] = {}
        merged: list[Entry] = []
        for key, value, line in zip(frame.items[::2], frame.items[1::2], frame.lines[::2], strict=True):
            sources = value if isinstance(value, tuple) else (value,)
            if key is _MERGE and all(isinstance(source, FrozenMap) for source in sources):
                merged += [Entry(name, source[name], line) for source in sources for name in source]
                continue
            # With nothing to merge it is a key like any other, and what it holds is kept.
            name = "<<" if key is _MERGE else key
            if not isinstance(name, str):
                self._remarks.append(Remark("key-not-text", self._key, "", line))
            elif name in found:
                self._remarks.append(Remark("duplicate-key", name, f"line {found[name].line}", line))
            else:
                found[name] = Entry(name, value, line)
        for entry in merged:
            found.setdefault(entry.key, entry)
        return list(found.values())

    def _note_properties(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if event.tag is not None and event.tag not in _CORE:
            self._remarks.append(Remark("yaml-tag", self._key, event.tag, line))
        if event.anchor is not None:
            self._unused[event.anchor] = Remark("yaml-anchor", self._key, f"&{event.anchor}", line)

    def _note_comments(self, event: Any) -> None:
        """Note comments that touch an unquoted value: before it, on its last line, indented below it."""
        line, column = event.end_mark.line, event.end_mark.column
        top = len(self._frames) == 2
        touching = []
        if event.value:
            touching.append((line, self._lines[line][column:]))
        if top and (not event.value or event.start_mark.line > self._key_end[0]):
            key_line, column = self._key_end
            touching.append((key_line, self._lines[key_line][column:].lstrip(" :")))
            # An empty value has no place of its own, and the two parsers name different ones.
            line = line if event.value else key_line
        touching += _indented_comments(self._lines, line + 1) if top else ()
        for at, text in touching:
            if text.lstrip().startswith("#"):
                self._remarks.append(Remark("comment-cut", self._key, text.strip(), at + 1))


def _indented_comments(lines: list[str], start: int) -> Iterable[tuple[int, str]]:
    for at in range(start, len(lines)):
        if not lines[at].startswith(" ") or not lines[at].lstrip().startswith("#"):
            return
        yield at, lines[at]
