"""
The skills of one catalog as MCP resources and as Skills over MCP.

One request is answered from one catalog, whatever an index does meanwhile.  Lists come in pages
that begin behind a name, not at a number, so a skill that appears between two pages moves nothing.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from skill_index.adapters.mcp.addresses import OWN, Addresses
from skill_index.adapters.mcp.manifest import UnlistedError, file_names, manifest, read_file
from skill_index.adapters.mcp.wire import Json, RefusedError, complete, content_of, decoded, encoded, type_of
from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.naming import Entry
from skill_index.text import one_line, well_formed

INDEX_URI = "skill://index.json"
_INDEX = {
    "uri": INDEX_URI,
    "name": "index.json",
    "description": "All skills: name, description and URI of each.",
    "mimeType": "application/json",
}
_INDEX_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

PAGE_SKILLS = 100
"""Skills on a page at most."""

PAGE_FILES = 1_000
"""Files on a page after which no other skill is begun."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything a client may ask of the skills at these addresses."""

    addresses: Addresses

    def resources(self, cursor: str | None) -> Json:
        """Return a page of `resources/list`: the index, then the files of skill after skill."""
        listed, following = self._page(cursor, self._files_of, len)
        return complete({"resources": listed if cursor else [_INDEX, *listed]}, following)

    def resource(self, uri: str) -> Json | None:
        """Return the metadata of one resource, None if there is none at this URI."""
        found = self.addresses.find(uri)
        if uri == INDEX_URI or found is None or found[1] not in file_names(found[0].skill):
            return _INDEX if uri == INDEX_URI else None
        return self._about(*found)

    def read(self, uri: str) -> Json:
        """Return the content of a resource: text where it is UTF-8, else base64."""
        if uri == INDEX_URI:
            text = json.dumps(self._index(), ensure_ascii=False)
            return complete({"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]})
        entry, name = self._found(uri)
        try:
            data = read_file(entry.skill, name)
        except ResourceNotFoundError:
            message = f"the skill at {self.addresses.uri(entry)} has no file {name!r}"
            raise RefusedError(message) from None
        except SourceError as error:
            raise RefusedError(str(error)) from error
        return complete({"contents": [{"uri": uri, "mimeType": type_of(name), **content_of(data)}]})

    def skills(self, cursor: str | None) -> Json:
        """Return a page of `skills/list`: every skill that has a manifest."""
        listed, following = self._page(
            cursor, self._listed, lambda skills: sum(len(skill["resources"]) for skill in skills)
        )
        return complete({"skills": listed}, following)

    def skill(self, uri: str) -> Json:
        """Return what `skills/get` says of one skill."""
        found = self.addresses.find(uri)
        if found is None or found[1] != OWN:
            message = f"no skill is served at {one_line(uri)}; skills/list names those there are"
            raise RefusedError(message)
        try:
            return complete({"skill": self._manifest(found[0])})
        except UnlistedError as reason:
            message = f"the skill at {one_line(uri)} has no manifest: {reason}"
            raise RefusedError(message) from None

    def directory(self, uri: str) -> Json:
        """Return the direct children of a folder of a skill."""
        entry, folder = self._found(uri)
        prefix = f"{folder}/" if folder else ""
        below = [name[len(prefix) :] for name in file_names(entry.skill) if name.startswith(prefix)]
        if not below:
            message = f"{one_line(uri)} is no folder of a skill"
            raise RefusedError(message)
        children = dict.fromkeys(name.partition("/")[:2] for name in below)
        resources = [
            {
                "uri": self.addresses.uri(entry, prefix + name),
                "name": name,
                "mimeType": "inode/directory" if slash else type_of(name),
            }
            for name, slash in children
        ]
        return complete({"resources": resources})

    def _page(
        self, cursor: str | None, give: Callable[[Entry], list[Json]], files: Callable[[list[Json]], int]
    ) -> tuple[list[Json], str | None]:
        """Return what is given of the skills behind the cursor, and the cursor of the next page."""
        entries = tuple(self.addresses.entries.values())
        begin = (
            bisect_right(entries, _order(decoded(cursor)), key=lambda entry: _order(entry.key))
            if cursor
            else 0
        )
        page: list[Json] = []
        listed = 0
        for position in range(begin, len(entries)):
            if position == begin + PAGE_SKILLS or listed >= PAGE_FILES:
                return page, encoded(entries[position - 1].key)
            given = give(entries[position])
            listed += files(given)
            page += given
        return page, None

    def _files_of(self, entry: Entry) -> list[Json]:
        sizes = {resource.name: resource.size for resource in entry.skill.resources.listing().resources}
        files = file_names(entry.skill)
        return [self._about(entry, shown, sizes.get(name or "")) for shown, name in files.items()]

    def _about(self, entry: Entry, shown: str, size: int | None = None) -> Json:
        """Return the metadata of a file; the skill's own say what the skill is for."""
        about = {"name": shown.rpartition("/")[2]}
        if shown == OWN:
            about = {"name": entry.skill.name, "description": entry.skill.description}
        about = {key: well_formed(text) for key, text in about.items()}
        sized = {} if size is None else {"size": size}
        return {"uri": self.addresses.uri(entry, shown), **about, "mimeType": type_of(shown), **sized}

    def _listed(self, entry: Entry) -> list[Json]:
        try:
            return [self._manifest(entry)]
        except UnlistedError:
            return []

    def _manifest(self, entry: Entry) -> Json:
        said = manifest(entry.skill)
        files = [
            {"uri": self.addresses.uri(entry, name), "digest": digest, "size": size}
            for name, (digest, size) in said.files.items()
        ]
        return {"uri": self.addresses.uri(entry), "frontmatter": said.frontmatter, "resources": files}

    def _index(self) -> Json:
        skills = [
            {
                "name": well_formed(entry.skill.name),
                "type": "skill-md",
                "description": well_formed(entry.skill.description),
                "url": self.addresses.uri(entry),
            }
            for entry in self.addresses.entries.values()
        ]
        return {"$schema": _INDEX_SCHEMA, "skills": skills}

    def _found(self, uri: str) -> tuple[Entry, str]:
        found = self.addresses.find(uri)
        if found is None:
            message = f"no resource is served at {one_line(uri)}; {INDEX_URI} names the skills"
            raise RefusedError(message)
        return found


def _order(key: str) -> tuple[str, str]:
    """Return what a catalog sorts its keys by."""
    return key.casefold(), key
