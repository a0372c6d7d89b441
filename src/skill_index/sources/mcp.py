"""
The skills that an MCP server has: by Skills over MCP, or by the older `skill://index.json`.

A skill of a server is a stranger's text that may be another tomorrow.  So it is known by the
label that the host gave the server and by its URI, never by its name alone; it is not editable
and, unless the host says so, not trusted, so its `allowed-tools` grant nothing; every byte must
have the announced size and digest; and a name it shares with a skill from elsewhere is never its.

The protocol asks hosts to fetch a SKILL.md no sooner than it is loaded.  An index that ranks by
instructions needs them when it is made, so they are fetched then, and again only if their entry
has changed; all other files are fetched when they are read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill, Unchanged
from skill_index.resources import Listing, Resource, order_key
from skill_index.settings import Limits
from skill_index.sources.base import Known, unknown
from skill_index.sources.labels import clean_label
from skill_index.sources.mcp_client import Connection, Server, on_errand, told
from skill_index.sources.mcp_entries import OWN, AsListed, BadEntryError, Entry, read_entry, read_index
from skill_index.sources.problems import problem, too_large

INDEX_URI = "skill://index.json"
MAX_SKILLS = 100_000
"""Skills of one server; a listing that never ends must end somewhere."""

_AT_ONCE = 8  # files under way

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class McpSource:
    """
    The skills of an MCP server, which is a URL, the words of a command, or a function.

    The function is called for each connection and returns whatever the client of the installed
    `mcp` package connects to, for headers, an environment or a server in this process.  `label` is
    the host's name for the server; what the server calls itself counts for nothing.  `uris` are
    skills that it serves without listing them.  `timeout` is in seconds, for connecting and for each
    request.  `scan` raises `SourceError` if the server cannot be asked, or has no skills to list.

    An index asks again at `refresh()`, not at every use.
    """

    server: Server
    label: str
    trusted: bool = field(default=False, kw_only=True)
    uris: Sequence[str] = field(default=(), kw_only=True)
    timeout: float = field(default=30.0, kw_only=True)
    limits: Limits = field(default=Limits(), kw_only=True)

    def __post_init__(self) -> None:
        label = clean_label(self.label)
        if not label:
            message = "a server needs a label: it is what its skills are known by"
            raise ValueError(message)
        object.__setattr__(self, "server", _checked(self.server))
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "uris", tuple(self.uris))

    @property
    def is_live(self) -> bool:
        """Whether a look is cheap; one over a network is not."""
        return False

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield the skills of the server and the problems met."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[RawSkill | Finding | Unchanged]:
        """Yield what `scan` does, with `Unchanged` for a skill that the server lists as it did before."""

        async def look(connection: Connection) -> list[RawSkill | Finding | Unchanged]:
            entries, findings = await self._entries(connection)
            slots = asyncio.Semaphore(_AT_ONCE)
            items = await asyncio.gather(*(self._item(connection, entry, known, slots) for entry in entries))
            return [*findings, *items]

        yield from on_errand(self.label, self.server, self.timeout, look)

    async def _entries(self, connection: Connection) -> tuple[list[Entry], list[Finding]]:
        """Return what the server says it has, in order, and what of it cannot be used."""
        said = await (self._listed(connection) if connection.speaks_skills else self._indexed(connection))
        entries: dict[str, Entry] = {}
        findings = []
        for entry in said[:MAX_SKILLS]:
            if isinstance(entry, Entry):
                entries.setdefault(entry.uri, entry)
            else:
                findings.append(
                    problem("bad-entry", self.label, f"lists a skill that cannot be used: {entry}")
                )
        if len(said) > MAX_SKILLS:
            message = f"has more than {MAX_SKILLS:,} skills, and the rest was not read"
            findings.append(problem("too-many-skills", self.label, message))
        return sorted(entries.values(), key=lambda entry: order_key(entry.uri)), findings

    async def _listed(self, connection: Connection) -> list[Entry | BadEntryError]:
        async def page(cursor: str | None) -> tuple[list[Any], str | None]:
            said = await connection.request("skills/list", {"cursor": cursor} if cursor else {})
            return self._list(said, "skills"), said.get("nextCursor")

        entries = [_tried(read_entry, said) for said in await _all_pages(page)]
        for uri in self.uris:
            one = await connection.request("skills/get", {"uri": uri})
            entries.append(_tried(read_entry, one.get("skill")))
        return entries

    async def _indexed(self, connection: Connection) -> list[Entry | BadEntryError]:
        try:
            index = json.loads(await connection.read(INDEX_URI))
        except Exception as error:
            reason = f"it neither speaks Skills over MCP nor has {INDEX_URI} ({told(error)})"
            raise SourceError(self.label, reason) from error
        listed = await _all_pages(connection.resources)
        return [_tried(read_index, said, listed) for said in self._list(index, "skills")]

    def _list(self, said: Any, key: str) -> list[Any]:
        found = said.get(key) if isinstance(said, dict) else None
        if not isinstance(found, list):
            raise SourceError(self.label, f"an answer of it has no list of {key}")
        return found

    async def _item(
        self, connection: Connection, entry: Entry, known: Known, slots: asyncio.Semaphore
    ) -> RawSkill | Finding | Unchanged:
        scheme, path = entry.place
        root = f"mcp://{self.label}" + ("" if scheme == "skill" else f"/{scheme}:")
        origin = Origin(self.label, root, path, editable=False, trusted=self.trusted)
        steps = (AsListed(entry, origin.location),)
        if entry.stamp is not None and known(origin) == entry.stamp:
            return Unchanged(origin, steps)
        own = entry.files[OWN]
        if (own.size or 0) > self.limits.file_bytes:
            return too_large(origin.location, f"{own.size:,}", self.limits.file_bytes)
        try:
            async with slots:
                data = await connection.read(own.uri)
        except Exception as error:  # noqa: BLE001  (whatever a server or the package does; others must not go with it)
            return problem("unreadable", origin.location, f"cannot be read: {told(error)}")
        fault = own.fault(data)
        if fault:
            message = f"is not as announced: {fault}; the skill is left out"
            return problem("unverified", origin.location, message)
        if len(data) > self.limits.file_bytes:
            return too_large(origin.location, f"{len(data):,}", self.limits.file_bytes)
        resources = McpResources(self.server, self.label, self.timeout, entry)
        return RawSkill(origin, data, resources, entry.files_digest, entry.stamp, steps)


@dataclass(frozen=True, slots=True)
class McpResources:
    """The files of one skill of a server: those of its entry and no other, each verified when read."""

    server: Server = field(repr=False)
    label: str
    timeout: float
    entry: Entry = field(repr=False)

    @property
    def folder(self) -> str:
        """Empty: the files are on a server, not on this machine."""
        return ""

    def listing(self) -> Listing:
        """Return the files that the server announced; nobody is asked."""
        names = sorted(self.entry.files, key=order_key)
        return Listing(tuple(Resource(name, self.entry.files[name].size) for name in names))

    def read(self, name: str, limit: int) -> bytes:
        """Return the bytes of a file as they were announced."""
        file = self.entry.files.get(name)
        if file is None:
            raise ResourceNotFoundError("", name)
        if (file.size or 0) > limit:
            raise SourceError(name, f"it has {file.size:,} bytes, and at most {limit:,} are read")
        data = on_errand(self.label, self.server, self.timeout, lambda server: server.read(file.uri))
        fault = file.fault(data)
        if fault:
            raise SourceError(
                name, f"it is not as announced: {fault}", "refresh the index to see what there is"
            )
        if len(data) > limit:
            raise SourceError(name, f"it has {len(data):,} bytes, and at most {limit:,} are read")
        return data


def _checked(server: Any) -> Any:
    if callable(server):
        return server
    words = server if isinstance(server, str) else tuple(server) if isinstance(server, Sequence) else ()
    if not words or not all(isinstance(word, str) for word in words):
        message = f"a server is a URL, the words of a command or a function, not {server!r}"
        raise ValueError(message)
    return words


def _tried(read: Any, *said: Any) -> Entry | BadEntryError:
    try:
        return read(*said)  # type: ignore[no-any-return]
    except BadEntryError as error:
        return error


async def _all_pages(page: Callable[[str | None], Awaitable[tuple[list[T], str | None]]]) -> list[T]:
    """Return what stands on all pages, up to a limit that empty ones count against, too."""
    found, cursor = await page(None)
    seen: set[str] = set()
    while cursor and cursor not in seen and len(found) + len(seen) <= MAX_SKILLS:
        seen.add(cursor)
        more, cursor = await page(cursor)
        found += more
    return found
