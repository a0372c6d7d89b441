"""
The kinds of a query that behave differently: how much it says, and how many skills it needs.

Words are counted and not classified: a phrase of four words leaves nothing to cover, a pasted task
says much that no skill repeats, and a query for several skills can be half right.
"""

from __future__ import annotations

PHRASE, SENTENCE = 4, 40
"""Words that a phrase and a sentence have at most."""

KINDS = ("phrase", "sentence", "long", "one skill", "several skills")
"""Every kind, in the order in which reports show them."""


def kinds_of(text: str, needed: int) -> tuple[str, ...]:
    """
    Return the kinds of a query, of a known text or none, that needs so many skills.

    >>> kinds_of("merge pdf files", 1)
    ('phrase', 'one skill')
    """
    words = len(text.split())
    length = "phrase" if words <= PHRASE else "sentence" if words <= SENTENCE else "long"
    number = "one skill" if needed == 1 else "several skills"
    return (length, number) if words else (number,)
