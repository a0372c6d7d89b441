"""
list_skills: what there is, a page of eight, for a model that does not know what to ask for.

The total and what remains are always said, so that eight names never look like all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from skill_index.naming import Entry
from skill_index.prompt.rows import clause, group_counts
from skill_index.render import VALUE_LIMIT, names_line, note_lines
from skill_index.text import escape
from skill_index.tools.context import Context, unread_note
from skill_index.tools.reply import Text, ToolReply

LISTED = 8
"""Skills in one answer."""

HINT_CHARS = 160
"""Characters of a description in a list; describe_skill shows the whole."""

GROUPS = 12
"""Groups and folders named in one answer."""


@dataclass(frozen=True, slots=True)
class WritableFolder:
    """The folder in which a new skill may be written, and the host's tool that can write there."""

    folder: str
    tool: str


class ListArguments(BaseModel):
    """What list_skills is called with."""

    model_config = ConfigDict(extra="forbid")

    query: Text | None = Field(
        default=None, description="Words to search for; without it all skills by name."
    )
    offset: int = Field(default=0, ge=0, description="How many to pass over, to see the next page.")


class ListedSkill(BaseModel):
    """One row of the list."""

    name: Text
    id: Text
    description: Text
    source: Text
    is_tool: bool = False


class ListedGroup(BaseModel):
    """A top folder of a source and how many skills it holds."""

    name: Text
    count: int


class ListData(BaseModel):
    """A page of skills, for hosts."""

    query: Text | None = None
    total: int = Field(description="How many skills there are, or match the query.")
    returned: int
    remaining: int = Field(description="How many come after this page.")
    skills: tuple[ListedSkill, ...] = ()
    groups: tuple[ListedGroup, ...] = ()
    discovery_paths: tuple[Text, ...] = Field(default=(), description="Where skills were found.")
    write_folder: Text | None = Field(default=None, description="Where a new skill may be written.")
    write_tool: Text | None = None


class ListTool:
    """The list_skills tool."""

    name = "list_skills"
    description = "List skills, eight at a time, by name or best match first, with how many there are in all."
    arguments = ListArguments
    data = ListData

    def __init__(self, writable: WritableFolder | None = None) -> None:
        self._writable = writable

    def __call__(self, context: Context, arguments: ListArguments) -> ToolReply:
        """Answer with a page; a page beyond the last one is empty and says the total."""
        query, offset = (arguments.query or "").strip(), arguments.offset
        catalog = context.catalog
        notes: list[str] = []
        if query:
            results = catalog.search(query, limit=offset + LISTED)
            entries = [catalog.entry(hit.id) for hit in results.hits[offset : offset + LISTED]]
            total, notes = results.total, note_lines(results.notes)
        else:
            entries, total = list(catalog.entries[offset : offset + LISTED]), len(catalog)
        found = tuple(entry.id for entry in entries)
        context.facts.update(kind="listed", query=query, total=total, found=found)
        data = self._data(context, arguments.query, entries, total, offset)
        return ToolReply("\n".join([*_text(context, data, offset), *notes, *unread_note(catalog)]), data)

    def _data(
        self, context: Context, query: str | None, entries: list[Entry], total: int, offset: int
    ) -> ListData:
        origins = {place.root for entry in context.catalog.entries for place in entry.places} - {""}
        writable = self._writable
        return ListData(
            query=query,
            total=total,
            returned=len(entries),
            remaining=max(total - offset - len(entries), 0),
            skills=tuple(map(_row, entries)),
            groups=tuple(
                ListedGroup(name=name, count=count) for name, count in group_counts(context.catalog.entries)
            ),
            discovery_paths=tuple(sorted(map(context.locations.seen, origins))),
            write_folder=writable.folder if writable else None,
            write_tool=writable.tool if writable else None,
        )


def _row(entry: Entry) -> ListedSkill:
    skill = entry.skill
    return ListedSkill(
        name=entry.key,
        id=entry.id,
        description=skill.description,
        source=skill.origin.label,
        is_tool=skill.is_tool,
    )


def _text(context: Context, data: ListData, offset: int) -> Iterator[str]:
    noun = "skill" if data.total == 1 else "skills"
    matching = " matching" if data.query else ""
    first = offset + 1 if data.returned else 0
    shown = f", {first} to {offset + data.returned} shown" if data.returned < data.total else ""
    if not data.returned and offset and data.total:
        yield f"{data.total}{matching} {noun}, none from offset {offset} on."
    else:
        yield f"{data.total}{matching} {noun}{shown}{':' if data.returned else '.'}"
    for row in data.skills:
        kind = "tool" if row.is_tool else row.source
        name = escape(row.name, VALUE_LIMIT)
        yield f"- {name}: {escape(clause(row.description, HINT_CHARS))} [{escape(kind, VALUE_LIMIT)}]"
    if data.remaining:
        yield f"{data.remaining} more; for the next call {_next(context, data, offset)}."
    if not data.query and len(data.groups) > 1:
        yield _capped("Groups", [f"{group.name} ({group.count})" for group in data.groups])
    if data.discovery_paths:
        yield _capped("Found in", data.discovery_paths)
    if data.write_folder and data.write_tool:
        tool = escape(data.write_tool, VALUE_LIMIT)
        yield f"A new skill may be written to {escape(data.write_folder)}/NAME/SKILL.md with {tool}."


def _next(context: Context, data: ListData, offset: int) -> str:
    asked = {"query": data.query} if data.query else {}
    return escape(context.call("list_skills", **asked, offset=offset + data.returned))


def _capped(lead: str, names: Iterable[str]) -> str:
    listed = list(names)
    more = f", and {len(listed) - GROUPS} more" if len(listed) > GROUPS else ""
    return names_line(lead, listed[:GROUPS]) + more
