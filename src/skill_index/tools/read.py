"""
read_skill_resource: a file of a skill, by a name of its listing.

    what a model writes ─spelling─▶ a listed name ─read─▶ bytes ─decode─▶ pages of text

The name is looked up, never joined to a path: what is not in the listing is not there, whatever
lies outside.  So `../x`, absolute and encoded names, and links that leave the skill get one answer,
which does not tell whether the target exists.
"""

from __future__ import annotations

import hashlib
import html
import mimetypes
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.markdown import headings
from skill_index.model import Skill
from skill_index.names import nearest
from skill_index.naming import Entry
from skill_index.parsing import to_skill_md
from skill_index.render import VALUE_LIMIT, quoted, sealed
from skill_index.resources import leads_out
from skill_index.settings import Limits
from skill_index.text import escape
from skill_index.tools.context import Context, find_skill, no_skill
from skill_index.tools.pages import Decoded, Page, decode, page, past_end
from skill_index.tools.reply import Text, ToolFailure, ToolReply, failed

PAGE_BYTES = 16_000
"""UTF-8 bytes of a file in one answer, about 5,000 tokens."""

FOLDER_NAMES = 200
"""Names of a folder in one answer."""

_OWN = "SKILL.md"


class ReadArguments(BaseModel):
    """What read_skill_resource is called with."""

    model_config = ConfigDict(extra="forbid")

    skill_name: Text = Field(description="The skill the file belongs to.")
    resource_name: Text = Field(
        description="The file's name, exactly as listed, such as references/guide.md; "
        '"." lists all files of the skill.'
    )
    offset: int = Field(default=1, ge=1, description="First line to read.")
    column: int = Field(default=1, ge=1, description="First character of that line.")
    lines: int | None = Field(default=None, ge=1, description="Lines to read at most.")
    outline: bool = Field(default=False, description="Only the headings of the file, with their lines.")


class ReadData(BaseModel):
    """A file or a piece of it, for hosts; `text` is None for what is no text."""

    skill: Text
    resource: Text
    size: int = Field(description="Bytes of the whole file.")
    sha256: str = Field(description="Of the whole file.")
    media_type: str
    encoding: str | None = None
    text: Text | None = None
    first_line: int | None = None
    last_line: int | None = None
    total_lines: int | None = None
    next_offset: int | None = None
    next_column: int = 1


class ReadTool:
    """The read_skill_resource tool."""

    name = "read_skill_resource"
    description = (
        "Read a file that belongs to a skill: a reference, template or script that its instructions "
        'name. Long files come in pages; outline=true shows their headings, resource_name="." all names.'
    )
    arguments = ReadArguments
    data = ReadData

    def __init__(self, limits: Limits = Limits()) -> None:
        self._limits = limits

    def __call__(self, context: Context, arguments: ReadArguments) -> ToolReply:
        """Answer with text, with what a file is that is no text, or with the names there are."""
        entry = find_skill(context, arguments.skill_name)
        if isinstance(entry, ToolReply):
            return entry
        refusal = no_skill(entry, context)
        if refusal is not None:
            return refusal
        context.facts["name"] = arguments.resource_name
        name = find_resource(entry, arguments.resource_name)
        if isinstance(name, ToolReply):
            return name
        try:
            data = resource_bytes(entry.skill, name, self._limits.resource_bytes)
        except ResourceNotFoundError:
            return _missing(entry, name, listed_names(entry.skill))
        except SourceError as error:
            return _unreadable(entry, name, error)
        context.facts.update(kind="read", name=name)
        return _answer(context, entry, name, data, arguments)


def resource_bytes(skill: Skill, name: str, limit: int) -> bytes:
    """Return a file of a skill; a skill in no file has a SKILL.md all the same."""
    if name == _OWN and name not in listed_names(skill):
        return to_skill_md(skill).encode("utf-8", "replace")
    return skill.resources.read(name, limit)


def listed_names(skill: Skill) -> list[str]:
    """Return the names of a skill's files, as they are now."""
    return [resource.name for resource in skill.resources.listing().resources]


def find_resource(entry: Entry, asked: str) -> str | ToolReply:
    """Return the listed name that is meant, or the answer that says which there are."""
    names = listed_names(entry.skill)
    known = {*names, _OWN}
    for spelling in _spellings(asked):
        if spelling in known:
            return spelling
    if leads_out(asked.strip()):
        return _unsafe(entry, asked)
    folder = _plain(asked)
    inside = [name for name in names if name.startswith(f"{folder}/")] if folder else names
    return _folder(entry, folder, inside) if inside or not folder else _missing(entry, asked, names)


def _spellings(asked: str) -> Iterator[str]:
    """Yield what may have been meant, the exact text first; nothing is decoded as in a URL."""
    for text in (asked, html.unescape(asked)):
        yield text
        yield text.strip()
        # A slash at the end asks for a folder.
        if not text.strip().endswith("/"):
            yield _plain(text)


def _plain(asked: str) -> str:
    """Return a name without the parts that lead nowhere."""
    return "/".join(part for part in asked.strip().split("/") if part not in {"", "."})


def _unsafe(entry: Entry, asked: str) -> ToolReply:
    return failed(
        ToolFailure(
            code="unsafe-path",
            message=f"{asked!r} is not the name of a file of the skill {entry.key!r}",
            subject=asked,
            recovery='give a name relative to the skill\'s folder, as listed; resource_name="." lists them',
            retryable=True,
        )
    )


def _missing(entry: Entry, asked: str, names: list[str]) -> ToolReply:
    nearby = _nearby(asked, names)
    recovery = "ask for one of the names given here" if nearby else 'see all names with resource_name="."'
    return failed(
        ToolFailure(
            code="resource-not-found",
            message=f"the skill {entry.key!r} has no file {asked!r}",
            subject=asked,
            nearby=nearby,
            recovery=recovery if names else "it has no files beside its instructions; go on without",
            retryable=bool(names),
        )
    )


def _nearby(asked: str, names: list[str]) -> tuple[str, ...]:
    """Return the names most likely meant: that file elsewhere or otherwise spelt, then names like it."""
    plain = _plain(asked.replace("\\", "/")).casefold()
    last = plain.rpartition("/")[2]
    alike = [
        name
        for name in names
        if name.casefold() == plain
        or last in {(own := name.casefold().rpartition("/")[2]), own.rpartition(".")[0]}
    ]
    return tuple(dict.fromkeys((*alike, *nearest(plain, names))))[:5]


def _folder(entry: Entry, folder: str, inside: list[str]) -> ToolReply:
    what = f"{folder!r} is a folder" if folder else "a skill is a folder"
    shown = tuple(inside[:FOLDER_NAMES])
    more = f", the first {len(shown)} of which are named here" if len(shown) < len(inside) else ""
    files = f"{len(inside)} file{'s' if len(inside) != 1 else ''}"
    return failed(
        ToolFailure(
            code="resource-is-folder",
            message=f"{what} of {files}{more}; name one of them to read it",
            subject=folder or entry.key,
            nearby=shown,
            recovery="ask for one of the names given here" if inside else "it has no files to read; go on",
            retryable=bool(inside),
        )
    )


def _unreadable(entry: Entry, name: str, error: SourceError) -> ToolReply:
    message = f"the file {name!r} of the skill {entry.key!r} could not be read: {error.reason}"
    return failed(
        ToolFailure(
            code="resource-unreadable",
            message=message,
            subject=name,
            recovery="go on without it, and tell the user",
            retryable=False,
        )
    )


def _answer(context: Context, entry: Entry, name: str, data: bytes, arguments: ReadArguments) -> ToolReply:
    facts = ReadData(
        skill=entry.key,
        resource=name,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        media_type=mimetypes.guess_type(name)[0] or "application/octet-stream",
    )
    decoded = decode(data)
    if decoded is None:
        return ToolReply(_described(context, entry, facts), facts)
    if facts.media_type == "application/octet-stream":
        facts = facts.model_copy(update={"media_type": "text/plain"})
    facts = facts.model_copy(update={"encoding": decoded.encoding})
    if arguments.outline:
        return _outline(entry, name, decoded, facts)
    shown = page(decoded.text, arguments.offset, arguments.column, arguments.lines, PAGE_BYTES)
    if shown is None:
        return past_end(name, decoded.text, (arguments.offset, arguments.column))
    return _paged(context, entry, decoded, shown, facts)


def _described(context: Context, entry: Entry, facts: ReadData) -> str:
    """Say what a file is that is no text: dumped, it would only fill the context."""
    folder = entry.skill.resources.folder
    path = context.locations.seen(f"{folder}/{facts.resource}") if folder else ""
    where = f" Tools that take a path find it at {escape(path)}." if path else ""
    return (
        f"{escape(facts.resource, VALUE_LIMIT)} is no text: {facts.media_type}, {facts.size:,} bytes, "
        f"SHA-256 {facts.sha256}.{where}"
    )


def _outline(entry: Entry, name: str, decoded: Decoded, facts: ReadData) -> ToolReply:
    found = list(headings(decoded.text))
    listed = "\n".join(f"{line}: {'#' * level} {title}" for line, level, title in found)
    shown = page(listed, 1, 1, None, PAGE_BYTES)
    text = shown.text if shown else ""
    head = f"{len(found)} headings of {escape(name, VALUE_LIMIT)}, each with its line:"
    if not found:
        return ToolReply(f"{escape(name, VALUE_LIMIT)} has no headings; read it by lines.", facts)
    body = sealed("outline", text, skill=entry.key, source=entry.skill.origin.label, name=name)
    cut = "\nThe outline is cut; read the file by lines." if shown and shown.next_line else ""
    return ToolReply(f"{head}\n{body}{cut}", facts.model_copy(update={"text": text}))


def _paged(context: Context, entry: Entry, decoded: Decoded, shown: Page, facts: ReadData) -> ToolReply:
    lines = f"{shown.first}-{shown.last} of {shown.total}"
    said = {"skill": entry.key, "source": entry.skill.origin.label, "name": facts.resource, "lines": lines}
    parts = [sealed("resource", shown.text, **said)]
    if decoded.encoding != "UTF-8":
        parts.append(f"Encoding: {decoded.encoding}.")
    if decoded.unreadable:
        parts.append(f"Note: {decoded.unreadable} bytes are no UTF-8 and are shown as \ufffd.")
    if shown.next_line is not None:
        call = context.call(
            "read_skill_resource", skill_name=quoted(entry.key), resource_name=quoted(facts.resource)
        )
        parts.append(f"More follows; call {call.removesuffix(')')}, {shown.going_on}).")
    update = {
        "text": shown.text,
        "first_line": shown.first,
        "last_line": shown.last,
        "total_lines": shown.total,
        "next_offset": shown.next_line,
        "next_column": shown.next_column,
    }
    return ToolReply("\n".join(parts), facts.model_copy(update=update))
