"""
From a query to results: names first, then `select:`, then ranked words.

    text ─▶ a skill's whole name?  ──▶ those skills lead, state "exact"
         ─▶ select:a,b             ──▶ resolved one by one, in the order asked
         ─▶ words, +required, ...  ──▶ ranking

A name is looked up before the grammar is: a skill called `+plus` or `name:x` must be found by
its name.  Every name asked for by `select:` is accounted for by a hit or a note.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import index
from typing import TYPE_CHECKING

from skill_index.findings import Note
from skill_index.naming import Entry
from skill_index.query import Excluded, Query, Required, Select, parse_query, select_query
from skill_index.ranking import STATES, Evidence, Scored, State
from skill_index.resolving import Resolver
from skill_index.results import Hit, NoWhy, Rejected, SearchResults
from skill_index.settings import SearchSettings

if TYPE_CHECKING:
    from skill_index.ranking import Ranker, Ranking

_CANDIDATES = 10  # skills of one shared name that are listed; a real catalog has dozens of "code-review"
_NO_SKILLS = Note("no-skills", "there are no skills to search")
_REASONS = frozenset(
    {"empty", "only-exclusions", "required-missing", "all-held-back", "common-words"}
)  # notes that say why
_FOLLOW_UP = 10  # names offered in the query for what was cut: two pages, not a dump


@dataclass(frozen=True, slots=True)
class Searcher:
    """Answers queries over one frozen set of entries; the word index is made when first needed."""

    entries: Sequence[Entry]
    resolver: Resolver
    ranker: Callable[[], Ranker]
    settings: SearchSettings

    def search(self, query: str | Sequence[str], limit: int) -> SearchResults:
        """Return the answer to one query or several, with at most `limit` hits unless it is a `select:`."""
        limit = index(limit)
        if limit < 0:
            message = f"limit counts hits, so it is 0 or more, not {limit}"
            raise ValueError(message)
        answer = self._one(query, limit) if isinstance(query, str) else self._several(_texts(query), limit)
        if self.entries:
            return answer
        # That no skill fits is true, and reads as if other words could help.
        notes = (note for note in answer.notes if note.code != "no-match")
        return dataclasses.replace(answer, notes=(*notes, _NO_SKILLS))

    def _one(self, text: str, limit: int) -> SearchResults:
        query = parse_query(text, settings=self.settings)
        named = self._named(text, query)
        if query.select is not None and not named:
            return self._select(text, query, query.select)
        return self._ranked(text, query, limit, named)

    def _named(self, text: str, query: Query) -> tuple[int, ...]:
        """
        Return the skills that the whole text names.

        An exact spelling always does.  A folded one does only where no sign follows a blank: "pdf -merge"
        folds to "pdf-merge" and asks for the opposite.
        """
        if any(isinstance(clause, Required | Excluded) for clause in query.clauses[1:]):
            return self.resolver.spelt(text)
        return self.resolver.matches(text)

    def _several(self, texts: Sequence[str], limit: int) -> SearchResults:
        """
        Merge the answers to several queries: the best of each first, then the seconds, and so on.

        The scores of two queries cannot be compared, so the ranks decide.  A skill is given once, at
        the first place it has.
        """
        answers = [self._one(text, limit + _FOLLOW_UP) for text in texts or ("",)]
        ranked: dict[str, Hit] = {}
        for row in zip_longest(*(answer.hits for answer in answers)):
            for hit in filter(None, row):
                ranked.setdefault(hit.name, hit)
        hits = tuple(ranked.values())
        near = {hit.name: hit for answer in answers for hit in answer.near if hit.name not in ranked}
        return SearchResults(
            query="\n".join(texts),
            state=min((answer.state for answer in answers), key=STATES.index, default="none"),
            hits=hits[:limit],
            near=tuple(near.values())[: self.settings.near_limit],
            notes=tuple(dict.fromkeys(note for answer in answers for note in answer.notes)),
            total=len({at for text in texts for at in self._matched(text)}),
            confidence=next((answer.confidence for answer in answers if answer.hits), 0.0),
            follow_up=select_query(hit.name for hit in hits[limit : limit + _FOLLOW_UP]),
            why=Why(self, None),
        )

    def _matched(self, text: str) -> Iterable[int]:
        """Return the position of every skill that matches a query, however many are shown."""
        query = parse_query(text, settings=self.settings)
        named = self._named(text, query)
        if query.select is not None and not named:
            resolved = (self.resolver.resolve(name).found for name in query.select.names)
            return [at for at in resolved if at is not None]
        return self.ranker().matched(query, first=named)

    def why_not(self, text: str, name: str) -> str:
        """Return in one sentence why a skill is not in the answer to a query, or where it is."""
        resolution = self.resolver.resolve(name)
        if resolution.found is None:
            nearby = self.resolver.meant(resolution, name)
            return _unresolved(name, nearby, ambiguous=bool(resolution.candidates)).message
        at, key = resolution.found, self.entries[resolution.found].key
        query = parse_query(text, settings=self.settings)
        named = self._named(text, query)
        if at in named:
            return f"{key} is a hit: the query is its name"
        if query.select is not None and not named:
            chosen = at in self._matched(text)
            return f"{key} is {'a hit: the query selects it' if chosen else 'not among the names selected'}"
        reason = self.ranker().why_not(query, at)
        if reason:
            return f"{key} is no hit: {reason}"
        ranking = self.ranker().rank(query, len(self.entries), first=named)
        place = [scored.position for scored in ranking.hits].index(at) + 1
        return f"{key} is a hit, number {place} of {ranking.total}"

    def _ranked(self, text: str, query: Query, limit: int, named: Sequence[int]) -> SearchResults:
        # A page more is ranked than is shown, so that the follow-up can name what comes next.
        ranking = self.ranker().rank(query, limit, first=named, more=_FOLLOW_UP)
        return SearchResults(
            query=text,
            state=ranking.state,
            hits=tuple(map(self._hit, ranking.hits)),
            near=tuple(map(self._hit, ranking.near)),
            rejected=tuple(Rejected(self.entries[at].key, why) for at, why in ranking.rejected),
            # What a name's own signs would mean to the grammar is of no interest to who named it.
            notes=() if named else _with_reason(text, ranking, (*query.notes, *ranking.notes)),
            total=ranking.total,
            confidence=ranking.confidence,
            follow_up=select_query(self.entries[at].key for at in ranking.following),
            why=Why(self, text),
        )

    def _select(self, text: str, query: Query, select: Select) -> SearchResults:
        found: dict[int, str] = {}
        near: dict[int, None] = {}
        unknown = 0
        notes = list(query.notes)
        for name in select.names:
            resolution = self.resolver.resolve(name)
            if resolution.found is not None:
                found.setdefault(resolution.found, name)
                continue
            ambiguous = bool(resolution.candidates)
            # Looking for neighbours walks all names, so it is done for a page of unknown ones only.
            nearby = self.resolver.meant(resolution, name) if ambiguous or unknown < _CANDIDATES else ()
            unknown += not ambiguous
            notes.append(_unresolved(name, nearby, ambiguous=ambiguous))
            near.update(dict.fromkeys(at for key in nearby for at in self.resolver.matches(key)))
        hits = tuple(self._selected(position, name) for position, name in found.items())
        # A name shared by dozens is told in its note; here a page of them is enough to choose from.
        others = [position for position in near if position not in found][:_CANDIDATES]
        close = tuple(self._selected(position, "") for position in others)
        state: State = "exact" if hits else "none"
        return SearchResults(
            query=text,
            state=state,
            hits=hits,
            near=close,
            notes=tuple(notes),
            total=len(hits),
            confidence=1.0 if hits else 0.0,
            why=Why(self, text),
        )

    def _selected(self, position: int, asked: str) -> Hit:
        name = self.entries[position].skill.name
        evidence = (Evidence(word=asked, term=name, fields=("name",), how="name", score=0.0),)
        return self._hit(Scored(position, 0.0, evidence if asked else ()))

    def _hit(self, scored: Scored) -> Hit:
        entry = self.entries[scored.position]
        return Hit(entry.key, entry.id, entry.skill, scored.score, scored.evidence)


def _with_reason(text: str, ranking: Ranking, notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Return the notes, with one more where there is no hit and none of them says why."""
    if ranking.state != "none" or any(note.code in _REASONS for note in notes):
        return notes
    why = "no skill fits these words"
    if ranking.rejected:
        why = "no skill covers enough of these words"
    elif not any(map(str.isalnum, text)):
        why = "there is no word in it"
    return (*notes, Note("no-match", why, text))


def _unresolved(name: str, nearby: tuple[str, ...], *, ambiguous: bool) -> Note:
    if ambiguous:
        shown = nearby[:_CANDIDATES]
        more = f" and {len(nearby) - len(shown)} more" if len(nearby) > len(shown) else ""
        message = f"{name!r} names {len(nearby)} skills: {', '.join(shown)}{more}"
        return Note("ambiguous", message, name, shown)
    listed = ", ".join(nearby)
    hint = f"; the nearest are {listed}" if nearby else ""
    return Note("not-found", f"no skill is named {name!r}{hint}", name, nearby)


@dataclass(frozen=True, slots=True)
class Why:
    """Answers `SearchResults.why_not`; it holds the catalog, so it is left behind by a pickle."""

    searcher: Searcher
    query: str | None

    def __call__(self, name: str) -> str:
        """Return the reason for one skill and the query of the results."""
        if self.query is None:
            message = "why_not is about one query; search for each of the queries by itself"
            raise ValueError(message)
        return self.searcher.why_not(self.query, name)

    def __reduce__(self) -> tuple[type[NoWhy], tuple[()]]:
        return (NoWhy, ())


def _texts(queries: object) -> tuple[str, ...]:
    given = tuple(queries) if isinstance(queries, Iterable) else (queries,)
    if all(isinstance(text, str) for text in given):
        return given
    message = f"a query is a text or a list of texts, not {queries!r:.80}"
    raise TypeError(message)
