"""The options that runners of processes share, checked once when a runner is made."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass

from skill_index.frozen import FrozenMap
from skill_index.running.interpreters import INTERPRETERS, suffix_of

ALLOWED: tuple[str, ...] = (
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "USER",
    "TZ",
    "TMPDIR",
    "SYSTEMROOT",
)
"""The variables a script sees of the host's; anything else may be a key or a token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessOptions:
    """
    How scripts are run as processes.

    `ValueError` says which option cannot be used.
    """

    interpreters: Mapping[str, tuple[str, ...]] = INTERPRETERS
    """The program for each suffix; what is not in it is not run."""

    cwd: str = "skill"
    """Where scripts start: "skill" is the skill's folder, to which its texts refer; "work" is a new
    private folder, removed afterwards; else an absolute folder of the host."""

    environment: tuple[str, ...] = ALLOWED
    """The names of the host's variables that are passed on."""

    extra_environment: Mapping[str, str] = FrozenMap()
    """Variables added to them."""

    timeout: float = 30.0
    """Seconds for a call that asks for none; most scripts of skills take less than one."""

    max_timeout: float = 300.0
    """Seconds given at most; a model must not block its host for an hour."""

    output_bytes: int = 50_000
    """Bytes kept of each output, about 12,000 tokens."""

    grace: float = 0.5
    """Seconds to end in after being asked to, and for outputs that are still held open."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "interpreters", FrozenMap(self.interpreters))
        object.__setattr__(self, "extra_environment", FrozenMap(self.extra_environment))
        object.__setattr__(self, "environment", tuple(self.environment))
        if self.cwd not in {"skill", "work"} and not os.path.isabs(self.cwd):  # noqa: PTH117
            message = f"cwd is 'skill', 'work' or an absolute folder, not {self.cwd!r}"
            raise ValueError(message)
        commands: Mapping[str, object] = self.interpreters
        for suffix, command in commands.items():
            if not isinstance(command, tuple) or not command:
                message = f"the program for {suffix} is a tuple like ('python3',), not {command!r}"
                raise ValueError(message)
        least = {"timeout": 0.001, "max_timeout": 0.001, "grace": 0, "output_bytes": 0}
        for name, low in least.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value < math.inf:
                message = f"{name} is a number from {low} on, not {value!r}"
                raise ValueError(message)

    def supports(self, script: str) -> bool:
        """
        Return whether the table has the suffix of a script.

        A file of another name may still run by its first line, which only `run` looks at.
        """
        return suffix_of(script) in self.interpreters
