"""Where skills come from: folders, archives, packages, functions, mappings, and whatever has a `scan`."""

from skill_index.sources.archive import ArchiveSource, is_archive
from skill_index.sources.base import (
    Item,
    Known,
    LiveSource,
    Source,
    is_live,
    rescan,
    scan_all,
    scan_each,
    unknown,
)
from skill_index.sources.caching import CachedSource
from skill_index.sources.calling import CallableSource
from skill_index.sources.claude import claude_sources, marketplace_sources
from skill_index.sources.deer_flow import deer_flow_locations, deer_flow_sources
from skill_index.sources.directory import DirectorySource, absolute_root
from skill_index.sources.found import FoundSource
from skill_index.sources.labels import short_labels
from skill_index.sources.layouts import agent_framework_sources, agents_sources
from skill_index.sources.memory import MemorySource
from skill_index.sources.package import PackageSource, installed_sources
from skill_index.sources.reading import FileContent, read_file
from skill_index.sources.rules import PRUNED, relative_path
from skill_index.sources.tree import DirectoryResources
from skill_index.sources.unpacking import ArchiveLimits
from skill_index.sources.wrapping import FilteredSource, LayeredSource, PrefixedSource

__all__ = [
    "PRUNED",
    "ArchiveLimits",
    "ArchiveSource",
    "CachedSource",
    "CallableSource",
    "DirectoryResources",
    "DirectorySource",
    "FileContent",
    "FilteredSource",
    "FoundSource",
    "Item",
    "Known",
    "LayeredSource",
    "LiveSource",
    "MemorySource",
    "PackageSource",
    "PrefixedSource",
    "Source",
    "absolute_root",
    "agent_framework_sources",
    "agents_sources",
    "claude_sources",
    "deer_flow_locations",
    "deer_flow_sources",
    "installed_sources",
    "is_archive",
    "is_live",
    "marketplace_sources",
    "read_file",
    "relative_path",
    "rescan",
    "scan_all",
    "scan_each",
    "short_labels",
    "unknown",
]
