"""
A source whose parts are found anew at every look.

Which folders hold skills can itself be a matter of files: a plugin is installed, updated into
a folder of another name, or switched off.  A list of sources made once would be true at start-up
only, which users of every host report; so the list is a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from skill_index.findings import Finding
from skill_index.model import Unchanged
from skill_index.sources.base import Item, Known, Source, scan_each, unknown


@dataclass(frozen=True, slots=True)
class FoundSource:
    """
    The skills of the sources that `find` returns, asked at each look, with what it could not find.

    Each skill keeps the label of its own source.  To say that nothing could be found out, give a
    finding `unreadable` of the folder the skills are in: what was known of it stays.
    """

    label: str
    find: Callable[[], Iterable[Source | Finding]]

    def scan(self) -> Iterator[Item]:
        """Yield what is there now."""
        return (item for item in self.rescan(unknown) if not isinstance(item, Unchanged))

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what `scan` does, with `Unchanged` where a source that was found knows a skill to be so."""
        found = list(self.find())
        yield from (item for item in found if isinstance(item, Finding))
        sources = [item for item in found if not isinstance(item, Finding)]
        yield from (item for _, item in scan_each(sources, lambda _, origin: known(origin)))
