"""
Many SKILL.md at once: parsed here, or by other processes where there is much to parse.

Parsing is pure, so who does it changes nothing.  Texts are sent in chunks, since to send one costs
as much as to parse it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from skill_index.model import RawSkill
from skill_index.parsing.document import Parsed, parse_skill
from skill_index.settings import Limits
from skill_index.workers import cores, mapped

CHUNK = 500
"""Skills that are sent to a process at once."""

ALONE = 3000
"""Skills up to which no other process is asked: those are parsed before one has begun."""


def parse_skills(
    raws: Sequence[RawSkill],
    *,
    strict: bool = False,
    limits: Limits = Limits(),
    processes: int | None = None,
) -> Iterator[Parsed]:
    """
    Yield what came of each, in order; see `parse_skill`.

    `processes` share the work, by default as many as there are cores if there is much to do and
    the files beside the skills are on disk: others may be in memory, which would be sent along.
    """
    if processes is None:
        on_disk = len(raws) > ALONE and all(raw.resources.folder for raw in raws)
        processes = cores() if on_disk else 1
    # What only a source or a host understands stays here: it may not be picklable.
    bare = [dataclasses.replace(raw, stamp=None, steps=()) if raw.stamp or raw.steps else raw for raw in raws]
    chunks = [bare[at : at + CHUNK] for at in range(0, len(bare), CHUNK)]
    return chain.from_iterable(mapped(partial(_parsed, strict=strict, limits=limits), chunks, processes))


def _parsed(raws: Sequence[RawSkill], *, strict: bool, limits: Limits) -> list[Parsed]:
    return [parse_skill(raw, strict=strict, limits=limits) for raw in raws]
