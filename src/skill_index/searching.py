"""
From a query to results: names first, then `select:`, then ranked words.

    text ─▶ a skill's whole name?  ──▶ those skills lead, state "exact"
         ─▶ select:a,b             ──▶ resolved one by one, in the order asked
         ─▶ words, +required, ...  ──▶ ranking

A name is looked up before the grammar is: a skill called `+plus` or `name:x` must be found by
its name.  Every name asked for by `select:` is accounted for by a hit or a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from skill_index.findings import Note
from skill_index.naming import Entry, Resolver
from skill_index.query import Query, Select, parse_query
from skill_index.ranking import Evidence, Scored
from skill_index.results import Hit, Rejected, SearchResults, State
from skill_index.settings import SearchSettings

if TYPE_CHECKING:
    from skill_index.ranking import Ranker

_NEARBY = 3  # suggestions for one unknown name
_FOLLOW_UP = 10  # names offered in the query for what was cut: two pages, not a dump


@dataclass(frozen=True, slots=True)
class Searcher:
    """Answers queries over one frozen set of entries; the word index is made when first needed."""

    entries: Sequence[Entry]
    resolver: Resolver
    ranker: Callable[[], Ranker]
    settings: SearchSettings

    def search(self, text: str, limit: int) -> SearchResults:
        """Return the answer to `text`, with at most `limit` hits unless it is a `select:`."""
        if limit < 0:
            message = f"limit counts hits, so it is 0 or more, not {limit}"
            raise ValueError(message)
        named = self.resolver.matches(text)
        query = parse_query(text, settings=self.settings)
        if query.select is not None and not named:
            return self._select(text, query, query.select)
        return self._ranked(text, query, limit, named)

    def _ranked(self, text: str, query: Query, limit: int, named: Sequence[int]) -> SearchResults:
        # A page more is ranked than is shown, so that the follow-up can name what comes next.
        ranking = self.ranker().rank(query, limit + _FOLLOW_UP, first=named)
        shown, cut = ranking.hits[:limit], ranking.hits[limit:]
        return SearchResults(
            query=text,
            state=ranking.state,
            hits=tuple(map(self._hit, shown)),
            near=tuple(map(self._hit, ranking.near)),
            rejected=tuple(Rejected(self.entries[at].key, why) for at, why in ranking.rejected),
            notes=(*query.notes, *ranking.notes),
            total=ranking.total,
            follow_up=_select_query(self.entries[scored.position].key for scored in cut),
        )

    def _select(self, text: str, query: Query, select: Select) -> SearchResults:
        found: dict[int, str] = {}
        near: dict[int, None] = {}
        notes = list(query.notes)
        for name in select.names:
            resolution = self.resolver.resolve(name)
            if resolution.found is not None:
                found.setdefault(resolution.found, name)
                continue
            candidates = tuple(self.entries[position].key for position in resolution.candidates)
            nearby = candidates or self.resolver.nearest(name, _NEARBY)
            notes.append(_unresolved(name, nearby, ambiguous=bool(candidates)))
            near.update(dict.fromkeys(at for key in nearby for at in self.resolver.matches(key)))
        hits = tuple(self._selected(position, name) for position, name in found.items())
        close = tuple(self._selected(position, "") for position in near if position not in found)
        state: State = "exact" if hits else "none"
        return SearchResults(text, state, hits, close, notes=tuple(notes), total=len(hits))

    def _selected(self, position: int, asked: str) -> Hit:
        name = self.entries[position].skill.name
        evidence = (Evidence(word=asked, term=name, fields=("name",), how="name", score=0.0),)
        return self._hit(Scored(position, 0.0, evidence if asked else ()))

    def _hit(self, scored: Scored) -> Hit:
        entry = self.entries[scored.position]
        return Hit(entry.key, entry.id, entry.skill, scored.score, scored.evidence)


def _unresolved(name: str, nearby: tuple[str, ...], *, ambiguous: bool) -> Note:
    listed = ", ".join(nearby)
    if ambiguous:
        return Note("ambiguous", f"{name!r} names several skills: {listed}", name, nearby)
    hint = f"; the nearest are {listed}" if nearby else ""
    return Note("not-found", f"no skill is named {name!r}{hint}", name, nearby)


def _select_query(names: Iterable[str]) -> str | None:
    listed = tuple(names)
    return str(Query(select=Select(listed))) if listed else None
