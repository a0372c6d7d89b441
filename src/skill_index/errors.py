"""
The errors of skill_index: each carries its facts, and says what, where and what to do.

    SkillIndexError
    ├─ SourceError(origin)                      a place of skills could not be listed or read
    │  └─ UnsafePathError(origin, path)         a path leads out of its skill
    ├─ SkillError(name)
    │  ├─ SkillParseError(name, findings)       not a SKILL.md that can be used
    │  ├─ SkillInvalidError(name, findings)     strict mode only; carries every problem at once
    │  ├─ SkillNotFoundError(name, nearby)      also KeyError, so a catalog stays a true Mapping
    │  └─ ResourceNotFoundError(skill, name)    also LookupError; a skill has no such file
    ├─ ScriptError(skill, script, reason)       a script did not run
    │  └─ ScriptNotAllowedError                 refused before it began
    ├─ StoreError(path, reason)                 an index kept on disk is not to be used; never ends a search
    ├─ ToolkitError(reason)                     also ValueError; a toolkit put together wrongly
    ├─ PatternError(pattern)                    also ValueError; a filter that cannot be read
    └─ QuerySyntaxError(source, span)           also ValueError; strict door only, prints a caret

Why values, and not only texts?  A host that shows its own message needs the facts, a test
needs equality, and a worker process needs to pickle them.  So the arguments of every error
are its facts, two errors with equal facts are equal, and the text is made when asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skill_index.text import one_line

if TYPE_CHECKING:
    from skill_index.findings import Finding


class SkillIndexError(Exception):
    """The root of every error this library raises on purpose."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.args == getattr(other, "args", None)

    def __hash__(self) -> int:
        return hash((type(self), self.args))

    def __str__(self) -> str:
        return self._say()

    def _say(self) -> str:
        return " ".join(one_line(str(argument)) for argument in self.args)


class SourceError(SkillIndexError):
    """A source of skills could not be listed or read."""

    def __init__(self, origin: str, reason: str, hint: str = "") -> None:
        super().__init__(origin, reason, hint)
        self.origin, self.reason, self.hint = origin, reason, hint

    def _say(self) -> str:
        what = f"cannot read skills from {one_line(self.origin)!r}: {one_line(self.reason)}"
        return _sentence(what, self.hint)


class UnsafePathError(SourceError):
    """A path leads out of the skill it belongs to, or names something that is not a plain file."""

    def __init__(self, origin: str, path: str, reason: str) -> None:
        super().__init__(origin, reason)
        self.args = (origin, path, reason)
        self.path = path

    def _say(self) -> str:
        return f"refused {one_line(self.path)!r} in {one_line(self.origin)!r}: {one_line(self.reason)}"


class SkillError(SkillIndexError):
    """Something is wrong with one skill."""

    name: str


class SkillInvalidError(SkillError):
    """A skill breaks the rules and strict mode was asked for; `findings` holds every problem."""

    def __init__(self, name: str, findings: tuple[Finding, ...]) -> None:
        super().__init__(name, findings)
        self.name, self.findings = name, findings

    def _say(self) -> str:
        problems = "; ".join(str(finding) for finding in self.findings)
        return f"skill {one_line(self.name)!r} is not valid: {problems}"


class SkillParseError(SkillInvalidError):
    """A text is not a SKILL.md that can be used; `findings` says why and on which line."""

    def _say(self) -> str:
        problems = "; ".join(str(finding) for finding in self.findings)
        return f"{one_line(self.name)!r} cannot be read as a skill: {problems}"


class SkillNotFoundError(SkillError, KeyError):
    """
    No skill answers to a name, or several do; `nearby` lists what may have been meant.

    It is a `KeyError` because a catalog is a `Mapping`, whose `get` and `in` rely on that.
    """

    def __init__(self, name: str, nearby: tuple[str, ...] = (), *, ambiguous: bool = False) -> None:
        super().__init__(name, nearby, ambiguous)
        self.name, self.nearby, self.ambiguous = name, nearby, ambiguous

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_not_found, (self.name, self.nearby, self.ambiguous))

    def _say(self) -> str:
        if not self.name.strip():
            return "the name is empty; give the name of a skill"
        near = ", ".join(repr(one_line(name)) for name in self.nearby)
        if self.ambiguous:
            return f"{one_line(self.name)!r} names several skills; ask for one of {near}"
        hint = f"the nearest names are {near}" if near else "search in words to see what there is"
        return _sentence(f"no skill is named {one_line(self.name)!r}", hint)


def _rebuild_not_found(name: str, nearby: tuple[str, ...], ambiguous: bool) -> SkillNotFoundError:  # noqa: FBT001
    return SkillNotFoundError(name, nearby, ambiguous=ambiguous)


class ResourceNotFoundError(SkillError, LookupError):
    """A skill has no file of this name; `nearby` lists names it has."""

    def __init__(self, skill: str, resource: str, nearby: tuple[str, ...] = ()) -> None:
        super().__init__(skill, resource, nearby)
        self.name, self.resource, self.nearby = skill, resource, nearby

    def _say(self) -> str:
        whose = f"skill {one_line(self.name)!r}" if self.name else "the skill"
        near = ", ".join(repr(one_line(name)) for name in self.nearby)
        hint = f"the nearest names are {near}" if near else "names are relative, exactly as listed"
        return _sentence(f"{whose} has no file {one_line(self.resource)!r}", hint)


class ScriptError(SkillIndexError):
    """A script of a skill did not run."""

    def __init__(self, skill: str, script: str, reason: str, hint: str = "") -> None:
        super().__init__(skill, script, reason, hint)
        self.skill, self.script, self.reason, self.hint = skill, script, reason, hint

    def _say(self) -> str:
        what = f"cannot run {one_line(self.script)!r} of skill {one_line(self.skill)!r}"
        return _sentence(f"{what}: {one_line(self.reason)}", self.hint)


class ScriptNotAllowedError(ScriptError):
    """A script was refused before it began: by the host, or because it changed since it was approved."""


class StoreError(SkillIndexError):
    """A store on disk cannot be used or written; whoever asked goes on without it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def _say(self) -> str:
        return f"the store {one_line(self.path)!r} is not used: {one_line(self.reason)}"


class ToolkitError(SkillIndexError, ValueError):
    """A toolkit was put together wrongly by its host: an unknown tool, one name for two tools."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason, hint)
        self.reason, self.hint = reason, hint

    def _say(self) -> str:
        return _sentence(one_line(self.reason), self.hint)


class PatternError(SkillIndexError, ValueError):
    """A name pattern of a filter cannot be read; refusing it is safer than matching everything."""

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(pattern, reason)
        self.pattern, self.reason = pattern, reason

    def _say(self) -> str:
        return f"cannot use the pattern {one_line(str(self.pattern))!r}: {self.reason}"


class QuerySyntaxError(SkillIndexError, ValueError):
    """
    A query breaks the grammar, and the strict door was asked for.

    >>> print(QuerySyntaxError('pdf +', (4, 5), "a word after '+'"))
    expected a word after '+'
      pdf +
          ^
    """

    def __init__(self, source: str, span: tuple[int, int], expected: str) -> None:
        super().__init__(source, span, expected)
        self.source, self.span, self.expected = source, span, expected

    def _say(self) -> str:
        start, end = self.span
        shown = "".join(char if char.isprintable() else " " for char in self.source)
        return f"expected {self.expected}\n  {shown}\n  {' ' * start}{'^' * max(1, end - start)}"


def _sentence(what: str, hint: str) -> str:
    return f"{what}; {hint}" if hint else what
