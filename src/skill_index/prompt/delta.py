"""
What changed since a prompt was written: a short text for the tail, so the prefix stays as it is.

A prompt cache holds as long as the first bytes are the same.  When skills change under a long
conversation, rewriting the index at its head throws that away; telling the change in the next
message does not.  A `PromptStamp` remembers what the model was told of, small and as plain text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from skill_index.catalog import SkillCatalog
from skill_index.index import SkillIndex, catalog_of
from skill_index.model import Skill
from skill_index.naming import Entry
from skill_index.prompt.rows import CLAUSE_CHARS, advertised, clause
from skill_index.render import VALUE_LIMIT
from skill_index.text import escape

_DIGEST_PIECE = 12  # hex digits: 48 bits tell two versions of one skill apart
_ROWS = 20  # added or changed skills told with a hint; more are told by name


@dataclass(frozen=True, slots=True)
class PromptStamp:
    """
    The names a model was told of, each with a piece of its content's digest.

    `version` is one short text for all of it: equal versions mean equal skills.
    """

    seen: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> PromptStamp:
        """Return the stamp of these entries."""
        return cls(tuple(sorted((entry.key, entry.skill.digest[:_DIGEST_PIECE]) for entry in entries)))

    @property
    def version(self) -> str:
        """A short digest of everything the stamp remembers."""
        return hashlib.sha256(self.to_json().encode("utf-8")).hexdigest()[:_DIGEST_PIECE]

    def to_json(self) -> str:
        """Return the stamp as text, to be kept beside a conversation."""
        return json.dumps(dict(self.seen), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> PromptStamp:
        """Return the stamp that `to_json` wrote; raises ValueError for anything else."""
        message = "a stamp is a JSON object of names to digests, as PromptStamp.to_json writes it"
        try:
            seen = json.loads(text)
        except (TypeError, ValueError, RecursionError) as problem:
            raise ValueError(message) from problem
        if not isinstance(seen, dict) or not all(isinstance(value, str) for value in seen.values()):
            raise ValueError(message)
        return cls(tuple(sorted(seen.items())))


def skill_index_delta(
    before: PromptStamp,
    skills: SkillCatalog | SkillIndex,
    *,
    advertise: Callable[[Skill], bool] | None = None,
) -> str:
    """
    Return what was added, changed and removed since `before`, or "" if nothing was.

    New and changed skills come with a hint up to twenty of them; beyond that with names only.
    """
    catalog = catalog_of(skills)
    entries = advertised(catalog, advertise)
    old = dict(before.seen)
    new = dict(PromptStamp.of(entries).seen)
    added = [entry for entry in entries if entry.key not in old]
    changed = [entry for entry in entries if entry.key in old and old[entry.key] != new[entry.key]]
    removed = [name for name, _ in before.seen if name not in new]
    lines = [*_told("Added", added), *_told("Changed", changed)]
    if removed:
        lines.append(f"Removed: {', '.join(escape(name, VALUE_LIMIT) for name in removed)}")
    return "\n".join(("<skill_index_update>", *lines, "</skill_index_update>")) if lines else ""


def _told(lead: str, entries: Sequence[Entry]) -> list[str]:
    if not entries:
        return []
    names = [escape(entry.key, VALUE_LIMIT) for entry in entries]
    if len(entries) > _ROWS:
        return [f"{lead}: {', '.join(names)}"]
    hints = [escape(clause(entry.skill.description, CLAUSE_CHARS)) for entry in entries]
    return [f"{lead}:", *(f"- {name}: {hint}" for name, hint in zip(names, hints, strict=True))]
