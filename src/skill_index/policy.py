r"""
Which calls of a host's tools the loaded skills pre-approve, and why.

In the specification `allowed-tools` is a pre-approval: what is listed needs no question, and
nothing is said about the rest.  Some hosts read it as a fence instead, and refuse what no
loaded skill lists.  Both readings are answered here (`permits`, `allows`); which of them holds,
and that it is enforced at all, is the host's choice.  Nothing in this library asks.

The question is how far a pattern reaches that a stranger wrote.  The choice: exactly as far as
it is written.  `*` stands for any text that cannot begin another command or leave the folder;
where that is in doubt, the call is not pre-approved and the host asks.  This is no parser of a
shell: a command that is itself dangerous stays so, whatever follows it.

Rejected: turning patterns into regular expressions, since a row of stars can then take
exponential time; and `*` as the whole name of a tool, which would pre-approve everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from skill_index.errors import PatternError
from skill_index.model import Skill
from skill_index.parsing.tools import split_tools
from skill_index.text import one_line

_STAR = "\0"  # what stands for a star where risks are counted: no pattern and no permitted argument has it
_ENTRY = re.compile(r"([^\s()\[\]{}]+)(?:\((.*)\))?", re.DOTALL)
# Each consumes one sign and looks at its neighbours, so that a sign counts or not wherever others stand.
_RISKS = re.compile(
    r"[;&|`<>$\x01-\x08\x0a-\x1f\x7f\x85\u2028\u2029](?!\0)"  # before a star it may be half a sign: $(
    r"|(?<![.\0])\.(?=\.(?![\w.\0]))"  # the folder above, also behind a short option: -C..
    r"|(?<=[{,}])\.(?![\w\0])"  # in bash {.,x}./ is that too
    r"|(?<![\w.*?\]\0])\.(?=[?*\[{])"  # and in some shells .? and .*
)
_QUOTES = str.maketrans("", "", "'\"")
_BOUNDARIES = (" *", ":*")


@dataclass(frozen=True, slots=True)
class ToolPattern:
    """
    One entry of a list of allowed tools: a tool's name and, unless None, which argument it may have.

    A name alone permits every argument.  With an argument only calls that have a matching one are
    permitted, so not the bare tool.  A trailing ` *` or `:*` stands for further words or none.
    Names and arguments are compared as they are, case included.

    >>> pattern = ToolPattern.parse("Bash(git add *)")
    >>> [pattern.permits("Bash", asked) for asked in ("git add", "git add x", "git addx", "git add x; rm y")]
    [True, True, False, False]
    """

    tool: str
    argument: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """
        Return the pattern a text means; one that cannot be read has no tool and permits nothing.

        >>> ToolPattern.parse("mcp__db__*").permits("mcp__db__query")
        True
        >>> ToolPattern.parse("Bash(git *").permits("Bash", "git log")
        False
        """
        entries, problem = split_tools(text)
        entry = _ENTRY.fullmatch(entries[0]) if len(entries) == 1 and not problem else None
        if entry is None or _STAR in text or not entry[1].strip("*"):
            return cls("")
        return cls(entry[1], entry[2])

    def __str__(self) -> str:
        return self.tool if self.argument is None else f"{self.tool}({self.argument})"

    def names(self, tool: str) -> bool:
        """Return whether this is about a tool, whatever its argument."""
        return bool(self.tool) and _matches(self.tool, tool)

    def fits(self, argument: str) -> bool:
        """Return whether an argument matches the pattern, without asking whether that is safe."""
        if self.argument is None:
            return True
        return bool(argument) and any(_matches(form, argument) for form in _forms(self.argument))

    def permits(self, tool: str, argument: str = "") -> bool:
        """Return whether this pattern pre-approves a call of a tool with an argument."""
        return self.names(tool) and self.fits(argument) and self._holds_no_more(argument)

    def _holds_no_more(self, argument: str) -> bool:
        """
        Return whether an argument that fits has no risk but those written in the pattern.

        Each of those stands in the argument too, since all around it is literal; so if the counts
        are equal, no star stands for one.
        """
        if self.argument is None:
            return True
        written = _forms(self.argument)[-1].replace("*", _STAR)
        return _STAR not in argument and _risks(argument) == _risks(written)


class Claim(NamedTuple):
    """One entry of a skill's list of tools; `skill` is "" for those of the host."""

    skill: str
    pattern: ToolPattern
    trusted: bool = True

    def __str__(self) -> str:
        return f"{one_line(str(self.pattern), 120)!r} of {self._whose()}"

    def _whose(self) -> str:
        return f"skill {one_line(self.skill, 120)!r}" if self.skill else "the host"


@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """
    What the tool lists of all loaded skills say together, in whichever order these were loaded.

    `restricts` is for hosts that refuse what no list has: it is true if some skill has a list and no
    trusted skill is without one, since a skill without a list may use any tool.

    >>> policy = ToolPolicy.of([Skill("git-safe", "Commit.", allowed_tools=["Bash(git add *)"])])
    >>> policy.permits("Bash", "git add x"), policy.permits("Bash", "rm x"), policy.allows("Bash", "rm x")
    (True, False, False)
    >>> policy.why("Bash", "git add x")
    "'Bash' is pre-approved by 'Bash(git add *)' of skill 'git-safe'"
    """

    claims: tuple[Claim, ...] = ()
    restricts: bool = False

    @classmethod
    def of(
        cls,
        skills: Iterable[Skill],
        *,
        always: Iterable[str] = (),
        trust: Callable[[Skill], bool] | None = None,
    ) -> Self:
        """
        Return the policy of these skills, with what the host makes available to all as `always`.

        A skill from an origin that is not trusted grants nothing unless `trust` says so.  One that
        says nothing about tools grants nothing and restricts nothing; an empty list grants nothing.
        Loading a skill that is not trusted never opens the fence that the lists of others make.
        Raises `PatternError` for an `always` that cannot be read: that is the host's own slip.
        """
        fenced, opened = False, False
        claims = {Claim("", _own(text)) for text in ([always] if isinstance(always, str) else always)}
        for skill in skills:
            trusted = skill.origin.trusted or (trust is not None and trust(skill))
            fenced = fenced or skill.allowed_tools is not None
            opened = opened or (trusted and skill.allowed_tools is None)
            patterns = map(ToolPattern.parse, skill.allowed_tools or ())
            claims.update(Claim(skill.name, pattern, trusted) for pattern in patterns if pattern.tool)
        ordered = sorted(claims, key=lambda claim: (claim.skill, str(claim.pattern), not claim.trusted))
        return cls(tuple(ordered), fenced and not opened)

    def permits(self, tool: str, argument: str = "") -> bool:
        """Return whether a call is pre-approved, by a trusted skill or by the host."""
        return self._granting(tool, argument) is not None

    def allows(self, tool: str, argument: str = "") -> bool:
        """Return whether a host that refuses what no list has should let a call through."""
        return not self.restricts or self.permits(tool, argument)

    def why(self, tool: str, argument: str = "") -> str:
        """Return in one sentence which pattern of which skill pre-approves a call, or why none does."""
        shown = repr(one_line(tool, 120))
        granting = self._granting(tool, argument)
        if granting is not None:
            return f"{shown} is pre-approved by {granting}"
        return f"{shown} is not pre-approved: {self._obstacle(tool, argument)}"

    def _granting(self, tool: str, argument: str) -> Claim | None:
        granting = (claim for claim in self.claims if claim.trusted and claim.pattern.permits(tool, argument))
        return next(granting, None)

    def _obstacle(self, tool: str, argument: str) -> str:
        about = [claim for claim in self.claims if claim.pattern.names(tool)]
        for claim in about:
            if claim.pattern.permits(tool, argument):
                return f"{claim} would do it, but the skill's origin is not trusted"
        for claim in about:
            if claim.pattern.fits(argument):
                return f"{claim} fits, but the argument has shell control or '..' that is not in the pattern"
        if about:
            return f"the argument does not fit {about[0]}"
        return "no list of a loaded skill has it"


def _own(text: str) -> ToolPattern:
    pattern = ToolPattern.parse(text)
    if not pattern.tool:
        raise PatternError(text, "write a tool's name, or one with an argument, as in 'Bash(git *)'")
    return pattern


def _forms(pattern: str) -> tuple[str, ...]:
    """Return the plain patterns that one with a word boundary at its end stands for, the longest last."""
    if not pattern.endswith(_BOUNDARIES):
        return (pattern,)
    words = pattern[:-2]
    return (words, f"{words}\t*", f"{words} *") if words else (pattern,)


def _matches(pattern: str, text: str) -> bool:
    """Return whether a pattern covers a whole text; each piece is looked for once, so time is linear."""
    first, *pieces = pattern.split("*")
    if not pieces:
        return text == first
    last = pieces.pop()
    at, end = len(first), len(text) - len(last)
    if at > end or not (text.startswith(first) and text.endswith(last)):
        return False
    for piece in pieces:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _risks(text: str) -> tuple[int, int]:
    """
    Count what could begin another command or lead out of a folder.

    Quotes do not hide it: a shell takes them away.  A backslash it takes away too, unless the
    system is one where folders are parted by it; so both are looked at.
    """
    bare = text.translate(_QUOTES)
    unquoted, parted = bare.replace("\\", ""), bare.replace("\\", "/")
    return len(_RISKS.findall(unquoted)), len(_RISKS.findall(parted))
