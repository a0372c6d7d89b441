"""
Which records are copies of better ones, so that five of them do not fill the page.

The same skill comes with several sources, and most copies differ a little: a version, a host's name.  So a
copy has the name of another, and half of the words of both descriptions are in both.  By name alone two
vendors' "deploy" would be one; by description alone so would tools that were described in haste.

Copies go behind the others of a pool and are neither dropped nor worth less.  Rejected: to show one with the
number of its copies, since only who asks can tell which source to trust.
"""

from __future__ import annotations

from collections.abc import Sequence

from skill_index.ranking.records import Record


def copies_last(records: Sequence[Record], *runs: Sequence[int]) -> list[int]:
    """
    Return runs of positions one after the other, in each of them copies behind the rest.

    Both keep their order.  What a run before it has a copy of is a copy.

    >>> records = [Record("a:pdf", "pdf", "Fill forms."), Record("b:pdf", "pdf", "Fill PDF forms.")]
    >>> copies_last([*records, Record("split", "split", "Split a PDF.")], [0, 1, 2])
    [0, 2, 1]
    """
    ordered = [at for run in runs for at in run]
    if len({records[at].name for at in ordered}) == len(ordered):  # as nearly always
        return ordered
    ordered = []
    shown: dict[str, list[str]] = {}
    for run in runs:
        copies: list[int] = []
        for at in run:
            name, description = records[at].name, records[at].description
            same = shown.setdefault(name, [])
            is_copy = any(_alike(description, other) for other in same)
            (copies if is_copy else ordered).append(at)
            same.append(description)
        ordered += copies
    return ordered


def _alike(first: str, second: str) -> bool:
    ours, theirs = set(first.casefold().split()), set(second.casefold().split())
    return 2 * len(ours & theirs) >= max(1, len(ours | theirs))
