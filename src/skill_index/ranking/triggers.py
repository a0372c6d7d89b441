"""
What a skill says of when it is wanted: its "Use when ..." sentences, and what it quotes of users.

Authors write the words of those who will ask into these places, so a word there says more than
one in the running text.
"""

from __future__ import annotations

import re

_USES = re.compile(r"(?:use (?:this |it )?(?:skill )?(?:when|for|if|to)|trigger)[^.]*", re.IGNORECASE)
_WISH = r"([^\"\u201c\u201d\n]{8,160})[\"\u201d]"  # long enough for a wish, too short for an example
_QUOTED = rf"[\"\u201c]{_WISH}"
_QUOTES = re.compile(_QUOTED)
_STRAIGHT_QUOTES = re.compile(f'"{_WISH}')
_QUOTES_AND_LINES = re.compile(
    rf"{_QUOTED}|^[ \t]*(?:[-*][ \t]+)?\**User\**:[ \t]*(.{{8,300}})$", re.MULTILINE
)


def uses(description: str) -> str:
    """
    Return the sentences of a description that say when to use the skill.

    >>> uses("Fills forms. Use when a PDF must be filled in. Fast.")
    'Use when a PDF must be filled in'
    """
    if description.isascii() and not _may_tell(description.lower()):
        return ""
    return "\n".join(_USES.findall(description))


def _may_tell(lowered: str) -> bool:
    """Return whether a lowered text has what every such sentence begins with: most have not."""
    return "use " in lowered or "trigger" in lowered


def quotes(body: str) -> str:
    r"""
    Return what a body quotes: mostly what users say.

    >>> quotes('Say "fill in my form" or:\n- User: do my taxes please')
    'fill in my form\ndo my taxes please'
    """
    # Few bodies have such lines, and looking for them takes longer than looking for quotes.
    if "User:" not in body and "User*" not in body:
        # A pattern that begins with one sign is found five times faster than one that begins with two.
        return "\n".join((_QUOTES if "\u201c" in body else _STRAIGHT_QUOTES).findall(body))
    return "\n".join(quoted or said for quoted, said in _QUOTES_AND_LINES.findall(body))
