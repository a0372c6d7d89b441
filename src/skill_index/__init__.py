"""
A ranked skill search index with deferred metadata.

An agent may have fifty or fifty thousand skills.  Their names fit in a prompt, their
descriptions do not: keep a small stable index there, and let the model search, describe and
load what it needs.

>>> from skill_index import Skill, SkillCatalog
>>> catalog = SkillCatalog([
...     Skill("pdf-forms", "Fill in PDF forms and read their fields."),
...     Skill("chart-visualization", "Draw bar and line charts from tables."),
... ])
>>> results = catalog.search("visualize a table")
>>> results.names, results.state
(('chart-visualization',), 'strong')

`SkillIndex.from_paths(...)` does the same for folders of SKILL.md files;
`skill_index.tools.Toolkit` gives the tools to a model.

A name is loaded when it is first used: a program that only parses a query pays for no index.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skill_index.catalog import SkillCatalog
    from skill_index.changes import Changes
    from skill_index.errors import (
        PatternError,
        QuerySyntaxError,
        ResourceNotFoundError,
        ScriptError,
        ScriptNotAllowedError,
        SkillError,
        SkillIndexError,
        SkillInvalidError,
        SkillNotFoundError,
        SkillParseError,
        SourceError,
        ToolkitError,
        UnsafePathError,
    )
    from skill_index.findings import Finding, Note, Severity
    from skill_index.index import SkillIndex
    from skill_index.model import Origin, RawSkill, Skill
    from skill_index.naming import Entry
    from skill_index.parsing import to_skill_md
    from skill_index.policy import ToolPattern, ToolPolicy
    from skill_index.query import Query, parse_query
    from skill_index.ranking import Evidence
    from skill_index.results import Hit, Rejected, SearchResults
    from skill_index.settings import Limits, SearchSettings
    from skill_index.sources import (
        ArchiveLimits,
        ArchiveSource,
        CachedSource,
        CallableSource,
        DirectorySource,
        FilteredSource,
        LayeredSource,
        MemorySource,
        PackageSource,
        PrefixedSource,
        Source,
        installed_sources,
    )

__all__ = [
    "ArchiveLimits",
    "ArchiveSource",
    "CachedSource",
    "CallableSource",
    "Changes",
    "DirectorySource",
    "Entry",
    "Evidence",
    "FilteredSource",
    "Finding",
    "Hit",
    "LayeredSource",
    "Limits",
    "MemorySource",
    "Note",
    "Origin",
    "PackageSource",
    "PatternError",
    "PrefixedSource",
    "Query",
    "QuerySyntaxError",
    "RawSkill",
    "Rejected",
    "ResourceNotFoundError",
    "ScriptError",
    "ScriptNotAllowedError",
    "SearchResults",
    "SearchSettings",
    "Severity",
    "Skill",
    "SkillCatalog",
    "SkillError",
    "SkillIndex",
    "SkillIndexError",
    "SkillInvalidError",
    "SkillNotFoundError",
    "SkillParseError",
    "Source",
    "SourceError",
    "ToolPattern",
    "ToolPolicy",
    "ToolkitError",
    "UnsafePathError",
    "installed_sources",
    "parse_query",
    "to_skill_md",
]

__version__ = "0.1.0"

_HOMES = {
    "ArchiveLimits": "sources",
    "ArchiveSource": "sources",
    "CachedSource": "sources",
    "CallableSource": "sources",
    "Changes": "changes",
    "DirectorySource": "sources",
    "Entry": "naming",
    "Evidence": "ranking",
    "FilteredSource": "sources",
    "Finding": "findings",
    "Hit": "results",
    "LayeredSource": "sources",
    "Limits": "settings",
    "MemorySource": "sources",
    "Note": "findings",
    "Origin": "model",
    "PackageSource": "sources",
    "PatternError": "errors",
    "PrefixedSource": "sources",
    "Query": "query",
    "QuerySyntaxError": "errors",
    "RawSkill": "model",
    "Rejected": "results",
    "ResourceNotFoundError": "errors",
    "ScriptError": "errors",
    "ScriptNotAllowedError": "errors",
    "SearchResults": "results",
    "SearchSettings": "settings",
    "Severity": "findings",
    "Skill": "model",
    "SkillCatalog": "catalog",
    "SkillError": "errors",
    "SkillIndex": "index",
    "SkillIndexError": "errors",
    "SkillInvalidError": "errors",
    "SkillNotFoundError": "errors",
    "SkillParseError": "errors",
    "Source": "sources",
    "SourceError": "errors",
    "ToolPattern": "policy",
    "ToolPolicy": "policy",
    "ToolkitError": "errors",
    "UnsafePathError": "errors",
    "installed_sources": "sources",
    "parse_query": "query",
    "to_skill_md": "parsing",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value  # the next use finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
