"""
read_skill_resource: a file of a skill, by a name of its listing.

    what a model writes ─files─▶ a listed name ─read─▶ bytes ─decode─▶ pages of text

Text comes in pages and is otherwise as it stands; what is no text is described, not dumped.  "."
reads as a file that names all the others.
"""

from __future__ import annotations

import hashlib
import mimetypes

from pydantic import BaseModel, ConfigDict, Field

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.markdown import headings
from skill_index.model import Skill
from skill_index.naming import Entry
from skill_index.parsing import to_skill_md
from skill_index.render import VALUE_LIMIT, sealed
from skill_index.settings import Limits
from skill_index.text import escape
from skill_index.tools.context import Context, find_skill
from skill_index.tools.files import OWN, find_resource, is_dot, missing, readable_names
from skill_index.tools.pages import Decoded, Page, decode, page, past_end
from skill_index.tools.reply import Text, ToolFailure, ToolReply, failed

PAGE_BYTES = 16_000
"""UTF-8 bytes of a file in one answer, about 5,000 tokens."""


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
        context.facts["name"] = arguments.resource_name
        name = find_resource(context, entry, arguments.resource_name)
        if isinstance(name, ToolReply):
            return _all_names(context, entry, arguments) if is_dot(arguments.resource_name) else name
        try:
            data = resource_bytes(entry.skill, name, self._limits.resource_bytes)
        except ResourceNotFoundError:
            return missing(entry, name, readable_names(entry.skill.resources.listing()))
        except SourceError as error:
            return _unreadable(entry, name, error)
        context.facts.update(kind="read", name=name)
        return _answer(context, entry, name, data, arguments)


def resource_bytes(skill: Skill, name: str, limit: int) -> bytes:
    """Return a file of a skill; a skill in no file has a SKILL.md all the same."""
    if name == OWN and all(resource.name != name for resource in skill.resources.listing().resources):
        return to_skill_md(skill).encode("utf-8", "replace")
    return skill.resources.read(name, limit)


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


def _all_names(context: Context, entry: Entry, arguments: ReadArguments) -> ToolReply:
    """Answer with every name of the skill's files, a line each, as a file would be given."""
    listing = entry.skill.resources.listing()
    names = "".join(f"{name}\n" for name in readable_names(listing))
    context.facts["kind"] = "read"
    reply = _answer(context, entry, ".", names.encode("utf-8", "replace"), arguments)
    unlisted = len(listing.findings)
    if reply.error is not None or not unlisted:
        return reply
    what = "link, file or folder is" if unlisted == 1 else "links, files or folders are"
    return ToolReply(f"{reply.text}\nNote: {unlisted} more {what} not listed and cannot be read.", reply.data)


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
    many = "1 heading" if len(found) == 1 else f"{len(found)} headings"
    head = f"{many} of {escape(name, VALUE_LIMIT)}, each with its line:"
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
        many = "1 byte" if decoded.unreadable == 1 else f"{decoded.unreadable:,} bytes"
        parts.append(f"Note: {many} of the file could not be read as UTF-8; \ufffd stands in the place.")
    if shown.next_line is not None:
        call = context.call(
            "read_skill_resource", skill_name=entry.key, resource_name=facts.resource, **shown.going_on
        )
        parts.append(f"More follows; call {escape(call)}.")
    update = {
        "text": shown.text,
        "first_line": shown.first,
        "last_line": shown.last,
        "total_lines": shown.total,
        "next_offset": shown.next_line,
        "next_column": shown.next_column,
    }
    return ToolReply("\n".join(parts), facts.model_copy(update=update))
