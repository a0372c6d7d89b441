"""
No search for garbage while much is made that stays.

A thing made is a thing looked through, by a collector that starts again whenever there is a quarter more of
them: a fifth of the time in which fifteen thousand skills are read or taken from a store, and some of
that in which their words are put together.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keeping_all() -> Iterator[None]:
    """
    Look for no garbage meanwhile.

    It is looked for again afterwards, also where two threads are here at once.
    """
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()
