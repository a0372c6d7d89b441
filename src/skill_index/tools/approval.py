"""
Asking before a tool acts: who wants what, and a yes that falls with any change.

An approver sees the tool, the skill, the arguments and a hash over every file of the skill.  A
standing grant is bound to that hash, since a skill that was harmless when a user said yes may
have been edited since.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from skill_index.errors import ResourceNotFoundError, SourceError
from skill_index.model import Skill
from skill_index.resources import function_name

HASHED_BYTES = 64 << 20
"""Bytes of one file that are hashed at most; a skill with a larger one cannot be granted for good."""


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
    """Standing grants: which tool of which skill, and the hash of the content they hold for."""

    _held: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def decide(self, approval: Approval, approver: Approver) -> bool:
        """Return whether a call may go on, asking only where no grant holds."""
        key = (approval.tool, approval.skill, approval.script)
        with self._lock:
            if self._held.get(key) == approval.content_hash != "":
                return True
            self._held.pop(key, None)
        # Asked outside of the lock: a person may take minutes.
        decision = approver(approval)
        if decision is Decision.WHILE_UNCHANGED:
            with self._lock:
                self._held[key] = approval.content_hash
        return decision is True or decision in {Decision.ONCE, Decision.WHILE_UNCHANGED}


def content_hash(skill: Skill) -> str:
    """
    Return one SHA-256 over everything a skill consists of: its SKILL.md, its files, its functions.

    A file that cannot be read counts by that fact, so it changes the hash when it can be.
    """
    whole = hashlib.sha256(skill.digest.encode("ascii"))
    for resource in skill.resources.listing().resources:
        whole.update(f"\0{resource.name}\0{_file_hash(skill, resource.name)}".encode())
    for name, function in sorted(skill.scripts.items()):
        whole.update(f"\0{name}\0{function_name(function)}".encode())
    return whole.hexdigest()


def _file_hash(skill: Skill, name: str) -> str:
    try:
        return hashlib.sha256(skill.resources.read(name, HASHED_BYTES)).hexdigest()
    except (ResourceNotFoundError, SourceError) as error:
        return type(error).__name__
