"""
Waiting for skills to change, for hosts that want to be told instead of looking.

    files ─watchfiles, or a look now and then─▶ index.refresh() ─▶ Changes

The index decides what changed; a watcher only decides when to look, and where first.  So nothing
is lost where the system's events are missing or late, as on network disks: a look at everything
follows every `interval`.
And a change is yielded whoever found it: a search that looked first, or another watcher.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import math
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Generator, Iterator
from pathlib import Path

from skill_index.changes import Changes
from skill_index.index import SkillIndex
from skill_index.sources import DirectorySource

INTERVAL = 1.0
"""Seconds between two looks where nothing tells of a change earlier."""

LONGEST = 86_400
"""Seconds between two looks at most: what a system can wait for at once has a limit."""


def watch(
    index: SkillIndex, *, interval: float = INTERVAL, stop: threading.Event | None = None
) -> Generator[Changes, None, None]:
    """
    Yield each set of changes when it happens, until `stop` is set or the generator is closed.

    With `watchfiles` installed a change is seen at once, else within `interval` seconds.
    Raises ValueError for an interval that is not from 0 to `LONGEST`.
    """
    if not 0 <= interval <= LONGEST:
        message = f"interval is a number of seconds from 0 to {LONGEST:,} (a day), not {interval}"
        raise ValueError(message)
    stop = stop or threading.Event()
    found: deque[Changes] = deque()
    end = index.on_change(found.append)
    try:
        whole = -math.inf
        for paths in _wakings(index, interval, stop):
            now = time.monotonic()
            if paths and now - whole < interval:
                index.refresh(paths=paths)
            else:
                whole = now
                index.refresh()
            while found:
                yield found.popleft()
    finally:
        end()


async def awatch(
    index: SkillIndex, *, interval: float = INTERVAL, stop: asyncio.Event | None = None
) -> AsyncGenerator[Changes, None]:
    """Yield what `watch` does, in an event loop: the looking happens in a worker thread."""
    ended = threading.Event()
    watching = watch(index, interval=interval, stop=ended)
    waiting = asyncio.create_task((stop or asyncio.Event()).wait())
    try:
        while True:
            looking = asyncio.create_task(asyncio.to_thread(next, watching, None))
            try:
                await asyncio.wait({looking, waiting}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not looking.done():
                    # The thread is at most one look away from its end; until then it uses the index.
                    ended.set()
                    await asyncio.wait({looking})
            changes = None if ended.is_set() else looking.result()
            if changes is None:
                break
            yield changes
    finally:
        ended.set()
        waiting.cancel()


def _wakings(index: SkillIndex, interval: float, stop: threading.Event) -> Iterator[list[str]]:
    """Yield whenever it is time to look: the paths that are known to have changed, none by the clock."""
    roots = [str(source.root) for source in index.sources if isinstance(source, DirectorySource)]
    watched = [root for root in roots if Path(root).is_dir()]
    if watched and importlib.util.find_spec("watchfiles"):
        from watchfiles import watch as watch_files

        timeout = max(int(interval * 1000), 1)
        # A system that cannot tell of changes is looked at by the clock.
        with contextlib.suppress(OSError):
            yield from (
                [path for _, path in changes]
                for changes in watch_files(
                    *watched,
                    stop_event=stop,
                    rust_timeout=timeout,
                    yield_on_timeout=True,
                    ignore_permission_denied=True,
                )
            )
    while not stop.wait(interval):
        yield []
