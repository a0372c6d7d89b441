"""What of Markdown matters here: where its headings are."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADING = re.compile(r" {0,3}(#{1,6})(?!#)([ \t].*|)", re.DOTALL)  # "#tag" and "#!/bin/sh" are none
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)")
_MARKED = re.compile(r"\n[ \t]*[#`~]")  # begins a line that may be either


def headings(body: str) -> Iterator[tuple[int, int, str]]:
    r"""
    Yield the line (from 1), level and text of headings, but not of comments inside code fences.

    A fence is closed by signs of its own kind, at least as many and nothing else, so one example
    can hold another (CommonMark 4.5).

    >>> list(headings("# One\n```\n# no\n```\n## Two"))
    [(1, 1, 'One'), (5, 2, 'Two')]
    """
    fence = ""
    text, number, counted = f"\n{body}\n", 0, 0
    for marked in _MARKED.finditer(text):
        start = marked.start() + 1
        line = text[start : text.index("\n", start)]
        if text[marked.end() - 1] != "#":
            mark = _FENCE.match(line)
            if mark and not fence:
                fence = mark[1]
            elif mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif not fence and (heading := _HEADING.fullmatch(line)):
            number += text.count("\n", counted, start)
            counted = start
            yield number, len(heading[1]), heading[2].strip()
