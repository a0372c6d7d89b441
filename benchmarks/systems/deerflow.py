"""
Two rules for choosing skills by query, written from their description: deer-flow's, old and new.

    old   the whole query is one regular expression over "name description"; a hit in the name leads
    new   words of the query, by substring; skills with more of them lead, the name settles ties

Both know `select:a,b` and `+required rest`.  Their cap of five is lifted to what is asked for, which
favours them.  A stranger's regular expression may take for ever: one query has `BUDGET` seconds
where the system has alarms, and finds nothing when they are over.
"""

from __future__ import annotations

import re
import signal
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from benchmarks.systems.base import short_text
from skill_index import Skill

BUDGET = 1.0
_CHARS, _TERMS = 256, 16
_PUNCTUATION = re.compile(r"[-_./]+")
_TOKEN = re.compile(r"[^\W_]+")
_NO_TERMS = frozenset({"a", "i"})


class DeerFlowOld:
    """The rule by which a query is a pattern."""

    name = "deer-flow, old rule"

    def __init__(self) -> None:
        self._skills: Sequence[Skill] = ()

    def build(self, skills: Sequence[Skill]) -> None:
        """Keep the skills."""
        self._skills = skills

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names that the pattern meets, those met in the name first."""
        query = text.strip()
        if query.startswith("select:"):
            return _selected(query, self._skills)
        try:
            with _time_limit(BUDGET):
                return self._required(query, limit) if query.startswith("+") else self._matched(query, limit)
        except TimeoutError:
            return []

    def _matched(self, query: str, limit: int) -> list[str]:
        if not query:
            return []
        pattern = _pattern(query)
        hits = [skill for skill in self._skills if pattern.search(short_text(skill))]
        hits.sort(key=lambda skill: pattern.search(skill.name) is None)
        return [skill.name for skill in hits[:limit]]

    def _required(self, query: str, limit: int) -> list[str]:
        required, *rest = query[1:].split(None, 1) or [""]
        if not required:
            return []
        hits = [skill for skill in self._skills if required.lower() in skill.name.lower()]
        if rest:
            pattern = _pattern(rest[0])
            hits.sort(key=lambda skill: -len(pattern.findall(short_text(skill))))
        return [skill.name for skill in hits[:limit]]


class DeerFlowNew:
    """The rule that counts words."""

    name = "deer-flow, new rule"

    def __init__(self) -> None:
        self._skills: Sequence[Skill] = ()
        self._folded: list[tuple[str, str]] = []

    def build(self, skills: Sequence[Skill]) -> None:
        """Keep the skills and their folded texts."""
        self._skills = skills
        self._folded = [(_folded(skill.name), _folded(skill.description)) for skill in skills]

    def rank(self, text: str, limit: int) -> list[str]:
        """Return the names of the skills in which words of the query stand, best first."""
        query = text[:_CHARS].strip()
        if query.startswith("select:"):
            return _selected(query, self._skills)
        if not query.startswith("+"):
            return self._names(self._ranked(query, range(len(self._skills))), limit)
        required, *rest = query[1:].split(None, 1) or [""]
        needed = _folded(required)
        if not _TOKEN.search(needed):
            return []
        candidates = [at for at, (name, _) in enumerate(self._folded) if needed in name]
        ranked = self._ranked(rest[0], candidates) if rest else []
        return self._names(list(dict.fromkeys([*ranked, *candidates])), limit)

    def _names(self, positions: Sequence[int], limit: int) -> list[str]:
        return [self._skills[at].name for at in positions[:limit]]

    def _ranked(self, query: str, candidates: Sequence[int]) -> list[int]:
        folded = _folded(query)
        words = dict.fromkeys(word for word in _TOKEN.findall(folded) if word not in _NO_TERMS)
        score = _Score(folded, tuple(words)[:_TERMS])
        scored = [(score(*self._folded[at]), at) for at in candidates]
        kept = [(value, at) for value, at in scored if value[1]]
        return [at for _, at in sorted(kept, key=lambda pair: pair[0], reverse=True)]


class _Score:
    """What ranks a skill: whole name, words found, phrase in the name, words there, phrase in the rest."""

    def __init__(self, phrase: str, words: tuple[str, ...]) -> None:
        self._phrase = phrase
        self._words = words

    def __call__(self, name: str, description: str) -> tuple[bool, int, bool, int, bool]:
        in_name = [_holds(name, word) for word in self._words]
        anywhere = sum(
            named or _holds(description, word) for named, word in zip(in_name, self._words, strict=True)
        )
        phrase = self._phrase
        return name == phrase, anywhere, phrase in name, sum(in_name), phrase in description


def _holds(text: str, word: str) -> bool:
    if len(word) == 1 and word.isascii():
        return word in _TOKEN.findall(text)
    return word in text


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_PUNCTUATION.sub(" ", plain).split())


def _selected(query: str, skills: Sequence[Skill]) -> list[str]:
    asked = {name.strip() for name in query.removeprefix("select:").split(",")}
    return [skill.name for skill in skills if skill.name in asked]


def _pattern(query: str) -> re.Pattern[str]:
    try:
        return re.compile(query, re.IGNORECASE)
    except re.error:
        return re.compile(re.escape(query), re.IGNORECASE)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeoutError` in the body when the time is over; only POSIX can, and only in the main thread."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(*_: object) -> None:
    raise TimeoutError
