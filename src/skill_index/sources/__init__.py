"""Where skills come from: folders on disk, mappings in memory, and whatever has a `scan`."""

from skill_index.sources.base import Source, scan_all
from skill_index.sources.directory import DirectorySource, absolute_root
from skill_index.sources.labels import short_labels
from skill_index.sources.memory import MemorySource
from skill_index.sources.reading import FileContent, read_file
from skill_index.sources.rules import PRUNED, relative_path

__all__ = [
    "PRUNED",
    "DirectorySource",
    "FileContent",
    "MemorySource",
    "Source",
    "absolute_root",
    "read_file",
    "relative_path",
    "scan_all",
    "short_labels",
]
