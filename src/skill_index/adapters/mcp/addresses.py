"""
Where each skill of a catalog stands in `skill://` URIs, and which skill and file a URI means.

    skill://<name>/SKILL.md                    the holder of a bare name
    skill://<label>/<folders>/<name>/SKILL.md  every other skill of that name

Skills over MCP want the last part of a skill's path to be its name, and nothing else of it to
mean anything.  No path lies in another, so that one URI cannot be two files; where one would, a
piece of a hash takes the place of its label.  A URI is looked up, never joined to a folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from skill_index.catalog import SkillCatalog
from skill_index.naming import Entry

SCHEME = "skill://"
OWN = "SKILL.md"
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Addresses:
    """The paths of all skills of a catalog, in the order of the catalog; tool entries have none."""

    entries: Mapping[Path, Entry]
    paths: Mapping[str, Path]

    @classmethod
    def of(cls, catalog: SkillCatalog) -> Addresses:
        """Give every skill of a catalog its path; the same skills get the same ones in any order."""
        skills = [entry for entry in catalog.entries if not entry.skill.is_tool]
        taken: dict[Path, Entry] = {}
        above: set[Path] = set()
        for entry in sorted(skills, key=lambda entry: (entry.key != entry.skill.name, entry.id)):
            path = next(path for path in _choices(entry) if _is_free(path, taken, above))
            taken[path] = entry
            above.update(path[:length] for length in range(1, len(path)))
        paths = {entry.key: path for path, entry in taken.items()}
        return cls({paths[entry.key]: entry for entry in skills}, paths)

    def uri(self, entry: Entry, file: str = OWN) -> str:
        """Return the URI of a file of a skill, of the skill's root for ""."""
        parts = (*self.paths[entry.key], *(file.split("/") if file else ()))
        return SCHEME + "/".join(quote(part, safe="", errors="surrogatepass") for part in parts)

    def find(self, uri: str) -> tuple[Entry, str] | None:
        """Return the skill a URI lies in and the name of the file there, "" for the skill's root."""
        if not uri.startswith(SCHEME):
            return None
        parts = tuple(unquote(part) for part in uri[len(SCHEME) :].split("/"))
        for length in range(1, len(parts) + 1):
            entry = self.entries.get(parts[:length])
            if entry is not None and "" not in parts:  # a folder is written without a slash at its end
                return entry, "/".join(parts[length:])
        return None


def _choices(entry: Entry) -> Iterator[Path]:
    name = entry.skill.name
    if entry.key == name:
        yield (name,)
    qualifier = entry.id.removesuffix(f":{name}")
    yield (*(part for part in qualifier.split("/") if part not in {"", ".", ".."}), name)
    digest = hashlib.sha256(entry.id.encode("utf-8", "surrogatepass")).hexdigest()
    yield (digest[:12], name)
    yield (digest, name)


def _is_free(path: Path, taken: Mapping[Path, Entry], above: set[Path]) -> bool:
    return path not in above and not any(path[:length] in taken for length in range(1, len(path) + 1))
