"""
What a source of skills is: one verb, and a label to tell it from others.

One verb, so that a host's own store, an archive or a server is a class of a few lines, and so
that what all sources need (a filter, a cache, one file once) wraps any of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from skill_index.errors import SourceError
from skill_index.findings import Finding
from skill_index.model import RawSkill
from skill_index.sources.problems import failure, problem
from skill_index.sources.reading import Identity, identity_of


@runtime_checkable
class Source(Protocol):
    """
    A place of skills.

    `label` names it in ids (`label:name`) and holds no colon.  `scan` looks afresh at every
    call and yields each skill's bytes once, in an order that depends on its content alone.
    One bad file is a `Finding` among the skills; `SourceError` is for a place that cannot be
    looked at, and ends only this source.
    """

    @property
    def label(self) -> str:
        """The name of this source in ids."""
        ...

    def scan(self) -> Iterator[RawSkill | Finding]:
        """Yield what is there now, skills and problems."""
        ...


def scan_all(sources: Iterable[Source]) -> Iterator[RawSkill | Finding]:
    """
    Yield what the sources hold, in their order, and each real file once.

    Two roots may be one folder, by a link or because one lies in the other.  The first source
    that shows a file keeps it, in silence: it is no conflict of two skills.  Problems of one
    code in one file are said once for the same reason.
    """
    seen: set[object] = set()
    for source in sources:
        for item in _guarded(source):
            key = _key(item)
            if key is None or key not in seen:
                seen.add(key)
                yield item


def _guarded(source: Source) -> Iterator[RawSkill | Finding]:
    try:
        yield from source.scan()
    except SourceError as error:
        yield problem("unreadable", source.label, str(error))
    except OSError as error:
        yield failure(error, source.label)


def _key(item: RawSkill | Finding) -> object:
    """Return what makes two items one; None when nothing can, as for a text that is in no file."""
    if isinstance(item, Finding):
        return (item.code, _real_file(item.path) or item)
    return _real_file(item.origin.location) if item.origin.root else None


def _real_file(path: str) -> Identity | None:
    # Other sources may name places that are no paths; a relative one would be taken from the cwd.
    if not os.path.isabs(path):  # noqa: PTH117  (a text that need not be a path)
        return None
    try:
        return identity_of(os.stat(path))  # noqa: PTH116
    except (OSError, ValueError):
        return None
