"""
Asking before a tool acts: who wants what, and a yes that falls with any change.

An approver sees the tool, the skill, the arguments and a hash over every file of the skill.  A
standing grant is bound to that hash, since a skill that was harmless when a user said yes may
have been edited since.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from weakref import WeakKeyDictionary

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.model import Skill
from skill_index.resources import function_name
from skill_index.session import Session

_log = logging.getLogger("skill_index")

HASHED_BYTES = 64 << 20
"""Bytes of one file that are hashed at most; a skill with a larger one cannot be granted for good."""

PARTIAL = "partial:"
"""How the hash of a skill begins that holds a file whose content is not in it."""


class Decision(Enum):
    """What an approver may answer; a plain True is ONCE, False is REFUSE."""

    REFUSE = "refuse"
    ONCE = "once"
    WHILE_UNCHANGED = "while-unchanged"


@dataclass(frozen=True, slots=True)
class Approval:
    """
    One call that waits for a yes.

    `content_hash` is over the SKILL.md and every listed file of the skill; "" for a tool that
    belongs to no skill.  `script` is the script's name where one is to run.
    """

    tool: str
    skill: str
    script: str
    arguments: Mapping[str, Any]
    content_hash: str


Approver = Callable[[Approval], "Decision | bool"]


@dataclass(slots=True)
class Grants:
    """
    Standing grants of each conversation: which tool of which skill, and the hash they hold for.

    They live as long as the conversation's `Session` object, and no longer: nobody's yes is written down.
    """

    _held: WeakKeyDictionary[Session, dict[tuple[str, str, str], str]] = field(
        default_factory=WeakKeyDictionary
    )
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def decide(self, session: Session, approval: Approval, approver: Approver) -> bool:
        """Return whether a call may go on, asking only where no grant of its conversation holds."""
        key = (approval.tool, approval.skill, approval.script)
        with self._lock:
            held = self._held.setdefault(session, {})
            if held.get(key) == approval.content_hash != "":
                return True
            held.pop(key, None)
        # Asked outside of the lock: a person may take minutes.
        try:
            decision = approver(approval)
        except Exception:  # noqa: BLE001  (a stranger's code; whatever is not a yes is a no)
            _log.exception("the approver failed, which counts as a no")
            return False
        if decision is Decision.WHILE_UNCHANGED and not approval.content_hash.startswith(PARTIAL):
            with self._lock:
                held[key] = approval.content_hash
        return any(decision is yes for yes in (True, Decision.ONCE, Decision.WHILE_UNCHANGED))


def content_hash(skill: Skill) -> str:
    """
    Return one SHA-256 over everything a skill consists of: its SKILL.md, its files, its functions.

    What is not listed (hidden files, caches, dependencies) does not count, nor does the code of a function.
    A file that is too large or cannot be read counts by that fact and its size; the hash then begins
    with `PARTIAL`, and no standing grant is bound to it.
    """
    said = [skill.digest]
    partial = ""
    for resource in skill.resources.listing().resources:
        hashed = _file_hash(skill, resource.name)
        partial = partial if hashed else PARTIAL
        said += [resource.name, hashed or f"{resource.size} bytes"]
    for name, function in sorted(skill.scripts.items()):
        said += [name, function_name(function)]
    return partial + hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()


def _file_hash(skill: Skill, name: str) -> str:
    """Return the hash of a file, "" for one that is not read."""
    try:
        return hashlib.sha256(skill.resources.read(name, HASHED_BYTES)).hexdigest()
    except (ResourceNotFoundError, SourceError):
        return ""
