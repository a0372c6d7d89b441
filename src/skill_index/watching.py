"""
Waiting for skills to change, for hosts that want to be told instead of looking.

    files ─watchfiles, or a look now and then─▶ index.refresh() ─▶ Changes

The index decides what changed; a watcher only decides when to look.  So nothing is lost where
the system's events are missing or late, as on network disks: a look follows every `interval`.
"""

from __future__ import annotations

import asyncio
import importlib.util
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from skill_index.changes import Changes
from skill_index.index import SkillIndex
from skill_index.sources import DirectorySource

INTERVAL = 1.0
"""Seconds between two looks where nothing tells of a change earlier."""


def watch(
    index: SkillIndex, *, interval: float = INTERVAL, stop: threading.Event | None = None
) -> Iterator[Changes]:
    """
    Yield each set of changes when it happens, until `stop` is set.

    With `watchfiles` installed a change is seen at once, else within `interval` seconds.
    """
    stop = stop or threading.Event()
    for _ in _wakings(index, interval, stop):
        changes = index.refresh()
        if changes:
            yield changes


async def awatch(
    index: SkillIndex, *, interval: float = INTERVAL, stop: asyncio.Event | None = None
) -> AsyncIterator[Changes]:
    """Yield the same in an event loop, which goes on meanwhile; looking happens in a worker thread."""
    ended = threading.Event()
    watching = watch(index, interval=interval, stop=ended)
    waiting = asyncio.create_task(stop.wait()) if stop is not None else None
    try:
        while True:
            looking = asyncio.create_task(asyncio.to_thread(next, watching, None))
            await asyncio.wait(
                {looking, *([waiting] if waiting else [])}, return_when=asyncio.FIRST_COMPLETED
            )
            if not looking.done():
                break
            changes = looking.result()
            if changes is None:
                break
            yield changes
    finally:
        ended.set()
        if waiting is not None:
            waiting.cancel()


def _wakings(index: SkillIndex, interval: float, stop: threading.Event) -> Iterator[None]:
    roots = [str(source.root) for source in index.sources if isinstance(source, DirectorySource)]
    watched = [root for root in roots if Path(root).is_dir()]
    if watched and importlib.util.find_spec("watchfiles"):
        from watchfiles import watch as watch_files

        timeout = max(int(interval * 1000), 1)
        waiting = watch_files(
            *watched, stop_event=stop, rust_timeout=timeout, yield_on_timeout=True, raise_interrupt=False
        )
        yield from (None for _ in waiting)
    while not stop.wait(interval):
        yield None
