"""
Mending a header that is no YAML: each top-level entry is tried alone, and only what fails is changed.

    lines → blocks, one a key → tried alone → its value in quotes, as typed → the whole again

An entry that is YAML on its own stays as it is, to the character, so a colon in the description
cannot change `metadata`.  Why not quote every value and read again?  That turns lists, mappings
and block texts that were right into prose.  And why not the line the parser names?  It names
where it gave up, which for an open bracket is some other key's line.

A quote that is never closed is not mended: nothing says where it was meant to end, and the
lines it may have swallowed can name tools.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from skill_index.parsing.codes import Fault
from skill_index.parsing.spec import SPEC_KEYS
from skill_index.parsing.yaml import parse
from skill_index.settings import Limits

_COLON = re.compile(r":(?=[ \t]|$)")
# No ': ' between key and value: no blank, one that is none to YAML, or the colon of another script.
_JOINED = re.compile(rf"\s*({'|'.join(map(re.escape, SPEC_KEYS))})\s*[:：]", re.IGNORECASE)
_TRIES = 500  # headers have a dozen keys; beyond this many trials the time is an attacker's
_TIMES = 8  # as often may the text of a full header be tried; an open bracket tries all that follows it
_BLOCK_MARK = re.compile(r"([|>])[+-]?(?:[ \t]+|$)")


@dataclass(frozen=True, slots=True)
class Repair:
    """
    One change, by the code of its finding.

    `key` is the entry's, `reason` the parser's complaint or the line that was ignored; such a
    line has no key of its own, and `before` is the key it stands behind.
    """

    code: str
    key: str
    reason: str
    line: int
    column: int | None = None
    before: str = ""


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines from `start` up to `end` that belong to one key, whose colon is at `colon`."""

    start: int
    end: int
    key: str
    colon: int


def mend(text: str, limits: Limits) -> tuple[str, tuple[Repair, ...]]:
    r"""
    Return a header with its broken entries as quoted text, every line where it was, and the changes.

    Raises a `Fault` for an unclosed quote, and for whatever breaks a limit.

    >>> mend("name: a\ndescription: Do: this", Limits())[0]
    'name: a\ndescription: "Do: this"'
    """
    mender = _Mender(text, limits)
    mender.mend(0, len(mender.lines), depth=0)
    return "\n".join(mender.lines), tuple(mender.repairs)


def is_joined(text: str) -> bool:
    """Return whether a header begins with a key and a value that only a reader can tell apart."""
    lines = text.split("\n")
    told = _told(lines, 0, len(lines))
    return bool(told) and holds_value(lines[told[0]])


def holds_value(key: str) -> bool:
    """Return whether what YAML takes for a key is one and the beginning of its value."""
    return _JOINED.match(key) is not None


class _Mender:
    """The lines of one header, changed in place, and what was changed."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.lines = text.split("\n")
        self.repairs: list[Repair] = []
        self._text, self._limits, self._tries, self._tried = text, limits, 0, 0

    def mend(self, start: int, end: int, *, depth: int) -> None:
        blocks = _blocks(self.lines, start, end)
        if len(blocks) > _TRIES:
            raise _too_much(start)
        at, before = 0, ""
        while at < len(blocks):
            count = self._settle(blocks[at:], before, depth)
            before = blocks[at].key or before
            at += count

    def _settle(self, blocks: list[_Block], before: str, depth: int) -> int:
        """Mend the first block where needed; return how many were found to be one."""
        block = blocks[0]
        if not block.key:
            self._drop(block, before)
            return 1
        fault = self._joined(block) or self._try(block)
        if fault is None:
            return 1
        if fault.code == "quote-open" or "stream end" in fault.message:
            # What a bracket or quote left open may hold looks like keys: see whether a later line closes it.
            for count in range(2, len(blocks) + 1):
                if self._try(replace(block, end=blocks[count - 1].end)) is None:
                    return count
        if fault.code == "quote-open":
            raise fault
        self._mend_block(block, fault, depth)
        return 1

    def _try(self, block: _Block) -> Fault | None:
        """Return why a block is no YAML on its own, if so."""
        text = "\n".join(self.lines[block.start : block.end])
        self._tries += 1
        self._tried += len(text)
        if self._tries > _TRIES or self._tried > _TIMES * self._limits.header_bytes:
            raise _too_much(block.start)
        try:
            parse(text, self._limits, self._text)
        except Fault as fault:
            fault.line = block.start + min(fault.line or 1, block.end - block.start)
            if fault.code == "yaml-too-complex":
                raise
            return fault
        return None

    def _mend_block(self, block: _Block, fault: Fault, depth: int) -> None:
        """Find the least change that makes a block YAML: the blanks it lacks, then its keys, then quotes."""
        count = len(self.repairs)
        self.lines[block.start : block.end] = map(_untab, self.lines[block.start : block.end])
        block = replace(block, colon=self._part(block))
        if not self._mend_inside(block, depth) and self._try(block) is not None:
            quoted = json.dumps(_prose(self.lines, block), ensure_ascii=False)
            self._replace(block, f"{self.lines[block.start][: block.colon]}: {quoted}")
            if self._try(block) is not None:
                self._drop(block)
                return
        if len(self.repairs) == count:
            line = fault.line or block.start + 1
            self.repairs.append(Repair("repaired", block.key, fault.message, line, fault.column))

    def _joined(self, block: _Block) -> Fault | None:
        """Return a fault where nothing parts key and value; with a later ': ' it is YAML all the same."""
        if _COLON.match(self.lines[block.start], block.colon):
            return None
        return Fault("yaml-invalid", "there is no ': ' behind the key", block.start + 1, block.colon + 1)

    def _part(self, block: _Block) -> int:
        """Put ': ' between the key and the value of a block; return where its colon is now."""
        head = self.lines[block.start]
        _, colon = _key(head)
        self.lines[block.start] = f"{head[:colon]}: {head[colon + 1 :].strip()}".rstrip()
        return colon

    def _mend_inside(self, block: _Block, depth: int) -> bool:
        """Mend the keys that a block holds, if it may hold any and that is enough."""
        # Only `metadata` holds keys of its own by the specification; elsewhere "note: text" is prose.
        nested = depth > 0 or block.key == "metadata"
        if not nested or depth >= self._limits.yaml_depth or not _holds_keys(self.lines, block):
            return False
        lines, repairs = self.lines[block.start : block.end], list(self.repairs)
        self.mend(block.start + 1, block.end, depth=depth + 1)
        if self._try(block) is None:
            return True
        self.lines[block.start : block.end], self.repairs = lines, repairs
        return False

    def _drop(self, block: _Block, before: str = "") -> None:
        first = self.lines[block.start].strip()
        code = "html-comment" if first.startswith("<!--") else "stray-line"
        self.repairs.append(Repair(code, block.key, first, block.start + 1, before=before))
        self._replace(block, "")

    def _replace(self, block: _Block, first: str) -> None:
        self.lines[block.start : block.end] = [first] + [""] * (block.end - block.start - 1)


def _too_much(start: int) -> Fault:
    return Fault("yaml-invalid", "there is too much in it to mend; put values in quotes", start + 1)


def _blocks(lines: list[str], start: int, end: int) -> list[_Block]:
    """Cut lines into blocks: one begins at each line that is not deeper than the first, and no list item."""
    told = _told(lines, start, end)
    if not told:
        return []
    depth = _indent(lines[told[0]])
    heads: list[int] = []
    comment_end = -1
    for at in told:
        if at <= comment_end or _indent(lines[at]) > depth or (heads and _is_item(lines[at])):
            continue
        heads.append(at)
        if lines[at].lstrip().startswith("<!--"):
            comment_end = next((last for last in range(at, end) if "-->" in lines[last]), at)
    return [_Block(at, until, *_key(lines[at])) for at, until in zip(heads, [*heads[1:], end], strict=True)]


def _told(lines: list[str], start: int, end: int) -> list[int]:
    """Return which lines hold more than blanks and comments."""
    return [at for at in range(start, end) if lines[at].strip() and not lines[at].lstrip().startswith("#")]


def _key(line: str) -> tuple[str, int]:
    """Return the key of a line and where its colon is, or an empty key for any other line."""
    joined = _JOINED.match(line)
    if joined:
        return joined[1], joined.end() - 1
    bare = line.lstrip()
    colon = _COLON.search(line)
    if colon is None or bare.startswith(("<!--", "{", "[", "- ")):
        return "", -1
    return line[: colon.start()].strip().strip("\"'"), colon.start()


def _holds_keys(lines: list[str], block: _Block) -> bool:
    if lines[block.start][block.colon + 1 :].strip():
        return False
    inner = [line for line in lines[block.start + 1 : block.end] if line.strip()]
    return bool(inner) and _indent(inner[0]) > _indent(lines[block.start]) and bool(_key(inner[0])[0])


def _prose(lines: list[str], block: _Block) -> str:
    """Return the value of a block as it was typed, folded as YAML folds unquoted text."""
    first = lines[block.start][block.colon + 1 :].strip()
    depth = _indent(lines[block.start])
    inner = [line for line in lines[block.start + 1 : block.end] if not _is_comment(line, depth)]
    rest = [line.strip() for line in inner]
    mark = _BLOCK_MARK.match(first)
    if mark:
        first = first[mark.end() :]
    if mark and mark[1] == "|":
        return "\n".join([first, *rest]).strip()
    if not first and rest and _is_item(rest[0]):
        return "\n".join(rest).strip()  # a list, which whoever reads it as one needs line by line
    paragraphs = "\n".join([first, *rest]).strip().split("\n\n")
    return "\n".join(paragraph.replace("\n", " ").strip() for paragraph in paragraphs)


def _untab(line: str) -> str:
    """Return a line with blanks for the tabs it is indented by."""
    bare = line.lstrip(" \t")
    return line[: len(line) - len(bare)].expandtabs(2) + bare


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_item(line: str) -> bool:
    return line.lstrip().startswith("- ") or line.strip() == "-"


def _is_comment(line: str, depth: int) -> bool:
    return line.lstrip().startswith("#") and _indent(line) <= depth
