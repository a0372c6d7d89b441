"""
What a source of skills is: one verb, and a label to tell it from others.

One verb, so that a host's own store, an archive or a server is a class of a few lines, and so
that what all sources need (a filter, a cache, one file once) wraps any of them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, TypeAlias, runtime_checkable

from skill_index.errors import SourceError
from skill_index.findings import Finding
from skill_index.model import Origin, RawSkill, ReadySkill, Skill, Unchanged
from skill_index.sources.problems import problem, reason
from skill_index.sources.reading import Identity, identity_of

_log = logging.getLogger("skill_index")


@runtime_checkable
class Source(Protocol):
    """
    A place of skills.

    `label` names it in ids (`label:name`) and holds no colon.  `scan` looks afresh at every
    call and yields each skill once, as bytes or ready made, in an order that depends on its
    content alone.
    One bad file is a `Finding` among the skills; `SourceError` is for a place that cannot be
    looked at, and ends only this source.
    """

    @property
    def label(self) -> str:
        """The name of this source in ids."""
        ...

    def scan(self) -> Iterator[Item]:
        """Yield what is there now, skills and problems."""
        ...


@runtime_checkable
class LiveSource(Source, Protocol):
    """
    A source that can tell cheaply what it gave out before.

    `known` returns the stamp that the skill at an origin had at the last scan.  Where that is still
    its stamp, `rescan` yields `Unchanged` instead of reading the skill again.
    """

    def rescan(self, known: Known) -> Iterator[Item | Unchanged]:
        """Yield what is there now, with `Unchanged` for what the caller knows already."""
        ...


Item: TypeAlias = RawSkill | ReadySkill | Skill | Finding
"""What a source yields."""

Known: TypeAlias = Callable[[Origin], object]
"""The stamp that the skill at a place had when it was last given out, None for one that is new."""


def unknown(_: Origin) -> object:
    """Know nothing, so that everything is read."""
    return None


def is_live(source: Source) -> bool:
    """
    Return whether a source can tell cheaply what it gave out before.

    That is one with a `rescan`, unless it has an attribute `is_live` that is false: a wrapper's
    `rescan` is only as cheap as that of the source within.
    """
    return isinstance(source, LiveSource) and bool(getattr(source, "is_live", True))


def rescan(source: Source, known: Known) -> Iterator[Item | Unchanged]:
    """Yield what a source holds, by the cheaper way where it has one."""
    return source.rescan(known) if isinstance(source, LiveSource) else source.scan()


def scan_all(sources: Iterable[Source], known: Known = unknown) -> Iterator[Item | Unchanged]:
    """Yield what the sources hold, in their order, and each real file once; see `scan_each`."""
    return (item for _, item in scan_each(sources, lambda _, origin: known(origin)))


def scan_each(
    sources: Iterable[Source], known: Callable[[int, Origin], object]
) -> Iterator[tuple[int, Item | Unchanged]]:
    """
    Yield what the sources hold, each with the number of its source; `known` is asked with it too.

    Two roots may be one folder, by a link or because one lies in the other.  The first source
    that shows a file keeps it, in silence: it is no conflict of two skills.  Problems of one
    code in one file are said once for the same reason.  A source that raises ends there, with a
    finding whose path is its label; the others go on.
    """
    files: dict[Identity, str] = {}
    told: set[object] = set()
    for number, source in enumerate(sources):
        for item in _guarded(source, partial(known, number)):
            if isinstance(item, Finding):
                problem_key = (item.code, _real_file(item.path) or item)
                new = problem_key not in told
                told.add(problem_key)
            else:
                new = not item.origin.root or is_first(files, item.origin.location)
            if new:
                yield number, item


def _guarded(source: Source, known: Known) -> Iterator[Item | Unchanged]:
    try:
        yield from rescan(source, known)
    except SourceError as error:
        yield problem("unreadable", source.label, str(error))
    except OSError as error:
        # Also what is missing: only a source itself can tell that from what is no more.
        yield problem("unreadable", source.label, f"cannot be read: {reason(error)}")
    except Exception as error:  # noqa: BLE001  (a stranger's code; other sources' skills must not go with it)
        _log.exception("source %r failed", source.label)
        yield problem("source-failed", source.label, f"raised {type(error).__name__}: {error}")


def is_first(seen: dict[Identity, str], path: str, identity: Identity | None = None) -> bool:
    """
    Return whether no path seen before leads to the same file, and remember this one.

    Files come and go while others are read, and a new one may get the number of one that went.
    So the earlier path is asked again: it is the same file only if it still is.
    """
    identity = identity or _real_file(path)
    if identity is None:
        return True
    earlier = seen.get(identity)
    if earlier is not None and _real_file(earlier) == identity:
        return False
    seen[identity] = path
    return True


def _real_file(path: str) -> Identity | None:
    # Other sources may name places that are no paths; a relative one would be taken from the cwd.
    if not os.path.isabs(path):  # noqa: PTH117  (a text that need not be a path)
        return None
    try:
        return identity_of(os.stat(path))  # noqa: PTH116
    except (OSError, ValueError):
        return None
