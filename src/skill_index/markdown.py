"""What of Markdown matters here: where its headings are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

# Begins with a sign that is looked for fast; most lines are none of these.
_MARKED = re.compile(
    r"\n(?: {0,3}(#{1,6})(?!#)((?:[ \t].*)?)(?=\n)"  # a heading; "#tag" and "#!/bin/sh" are none
    r"|[ \t]*(`{3,}(?=[^`\n]*\n)|~{3,})(.*))"  # a fence
)


def headings(body: str) -> Iterator[tuple[int, int, str]]:
    r"""
    Yield the line (from 1), level and text of headings, but not of comments inside code fences.

    A fence is closed by signs of its own kind, at least as many and nothing else, so one example
    can hold another (CommonMark 4.5).

    >>> list(headings("# One\n```\n# no\n```\n## Two"))
    [(1, 1, 'One'), (5, 2, 'Two')]
    """
    text, number, counted = f"\n{body}\n", 0, 0
    marked = list(_MARKED.finditer(text))
    for mark in compress(marked, _are_headings(mark.groups("") for mark in marked)):
        start = mark.start() + 1
        number += text.count("\n", counted, start)
        counted = start
        yield number, len(mark[1]), mark[2].strip()


def titles(body: str) -> list[str]:
    r"""
    Return the texts of `headings` alone, sooner.

    >>> titles("# One\n```\n# no\n```\n## Two")
    ['One', 'Two']
    """
    marked = _MARKED.findall(f"\n{body}\n")
    return [mark[1].strip() for mark in compress(marked, _are_headings(marked))]


def _are_headings(marked: Iterable[Sequence[str]]) -> Iterator[bool]:
    """Yield of each marked line, by the groups of the pattern, whether it is a heading outside of fences."""
    opened = ""
    for sign, _, fence, behind in marked:
        yield bool(sign) and not opened
        if fence and not opened:
            opened = fence
        elif fence and fence.startswith(opened) and not behind.strip():
            opened = ""
