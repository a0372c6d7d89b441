"""Where skills come from: folders on disk, mappings in memory, and whatever has a `scan`."""

from skill_index.sources.base import Item, Known, LiveSource, Source, rescan, scan_all, scan_each, unknown
from skill_index.sources.directory import DirectorySource, absolute_root
from skill_index.sources.labels import short_labels
from skill_index.sources.memory import MemorySource
from skill_index.sources.reading import FileContent, read_file
from skill_index.sources.rules import PRUNED, relative_path
from skill_index.sources.tree import DirectoryResources

__all__ = [
    "PRUNED",
    "DirectoryResources",
    "DirectorySource",
    "FileContent",
    "Item",
    "Known",
    "LiveSource",
    "MemorySource",
    "Source",
    "absolute_root",
    "read_file",
    "relative_path",
    "rescan",
    "scan_all",
    "scan_each",
    "short_labels",
    "unknown",
]
