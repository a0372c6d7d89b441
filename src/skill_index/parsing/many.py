"""
Many SKILL.md at once: parsed here, or their headers by other processes where there is much to parse.

    RawSkill ─cut─┬─ header ─other processes─▶ what it says ─┬─▶ Parsed
                  └─ body ───────────────────────────────────┘

Parsing is pure, so who does it changes nothing.  Headers are sent in chunks, since to send one costs
as much as to parse it, and without their bodies: those are twenty times as long, and would be sent there
and back only to be the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from skill_index.model import Origin, RawSkill
from skill_index.parsing.document import Parsed, Said, joined, open_document, read_header
from skill_index.parsing.frontmatter import Document
from skill_index.settings import Limits
from skill_index.workers import cores, mapped

CHUNK = 500
"""Headers that are sent to a process at once."""

ALONE = 3000
"""Skills up to which no other process is asked: those are parsed before one has begun."""


def parse_skills(
    raws: Iterable[RawSkill],
    *,
    strict: bool = False,
    limits: Limits = Limits(),
    processes: int | None = None,
) -> Iterator[Parsed]:
    """
    Yield what came of each, in order; see `parse_skill`.

    `processes` share the work, by default as many as there are cores if there is much to do: they begin
    while the later `raws` are still read.
    """
    rest = iter(raws)
    first = list(islice(rest, ALONE + 1))
    if processes is None:
        processes = cores() if len(first) > ALONE else 1
    opened: list[list[tuple[RawSkill, Document | Parsed]]] = []
    headers = (_headers(chunk, opened, strict=strict, limits=limits) for chunk in _chunks(chain(first, rest)))
    said = mapped(partial(_said, strict=strict, limits=limits), headers, processes)
    for at, told in enumerate(said):
        each = iter(told)
        for raw, document in opened[at]:
            yield document if isinstance(document, Parsed) else joined(raw, document, next(each))
        opened[at] = []  # what was joined is not kept


def _chunks(raws: Iterator[RawSkill]) -> Iterator[list[RawSkill]]:
    while chunk := list(islice(raws, CHUNK)):
        yield chunk


def _headers(
    raws: Sequence[RawSkill],
    opened: list[list[tuple[RawSkill, Document | Parsed]]],
    *,
    strict: bool,
    limits: Limits,
) -> list[tuple[Document, Origin]]:
    """Open some files, and return the headers of those that have one."""
    documents = [(raw, open_document(raw, strict=strict, limits=limits)) for raw in raws]
    opened.append(documents)
    return [
        (dataclasses.replace(document, body=""), raw.origin)
        for raw, document in documents
        if isinstance(document, Document)
    ]


def _said(headers: Sequence[tuple[Document, Origin]], *, strict: bool, limits: Limits) -> list[Said]:
    return [read_header(document, origin, strict=strict, limits=limits) for document, origin in headers]
