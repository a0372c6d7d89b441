"""
Skills side by side: a frozen mapping of names to skills that can be searched and narrowed.

    skills ─ naming ─▶ entries ─▶ Mapping                         catalog["pdf-forms"]
                          ├─ Resolver ─▶ names, select:            catalog.entry("PDF Forms")
                          └─ Ranker   ─▶ evidence ─▶ results       catalog.search("fill a form")

The question: a catalog is read by many threads while skills change under it, and a sub-agent
may see only some of it.  The choice: nothing changes in place.  A different set of skills is a
different catalog, and a filtered view is a whole catalog of its own, so what is filtered cannot
leak through any surface: not by name, rank, word statistics or typo correction.

The word index is built on the first search and shared with views, which cut it to size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from skill_index.clashes import clashes, parted
from skill_index.edited import answer_alike, edited_entries, placed_skills
from skill_index.errors import SkillNotFoundError
from skill_index.findings import Finding
from skill_index.model import Skill
from skill_index.naming import Entry, name_entries
from skill_index.patterns import compile_patterns
from skill_index.resolving import Resolver
from skill_index.results import SearchResults
from skill_index.searching import Searcher
from skill_index.settings import SearchSettings
from skill_index.wordindex import WordIndex

if TYPE_CHECKING:
    from skill_index.ranking import Ranker


class SkillCatalog(Mapping[str, Skill]):
    """
    A frozen, searchable mapping from names to skills, in name order.

    >>> catalog = SkillCatalog([Skill("pdf-forms", "Fill PDF forms."), Skill("xls", "Edit sheets.")])
    >>> list(catalog), catalog["PDF_Forms"].description
    (['pdf-forms', 'xls'], 'Fill PDF forms.')
    >>> catalog.search("fill a form").names
    ('pdf-forms',)
    """

    _given: Sequence[Skill] | None = None  # what the entries were made of, if they were made here

    def __init__(
        self,
        skills: Iterable[Skill] = (),
        *,
        settings: SearchSettings = SearchSettings(),
        findings: Iterable[Finding] = (),
        before: SkillCatalog | None = None,
    ) -> None:
        """
        Give each skill its name; where those of several sources share one, the first source keeps it.

        `findings` are passed on as this catalog's own.  With `before`, the catalog before an edit,
        only skills that are other objects than there are indexed anew, and named if need be.
        """
        given = tuple(map(_checked, skills))
        labels = tuple(dict.fromkeys(skill.origin.label for skill in given))
        resolver: Resolver | None = None
        entries = None if before is None else edited_entries(before._entries, before._given, given)
        if before is None or entries is None:
            entries = name_entries(given)
            named = tuple(clashes(entries))
        else:
            named = parted(before.findings)[1]
            resolver = before.resolver if answer_alike(before._entries, entries) else None
        words = WordIndex(entries, settings, before=before._words if before is not None else None)
        self._set(entries, labels, settings, (*findings, *named), words, resolver)
        self._given = given

    @classmethod
    def restored(cls, given: Sequence[Skill], **parts: Any) -> SkillCatalog:
        """Return a catalog of parts, as `_set` takes them, that were made of the skills `given` before."""
        catalog = cls.__new__(cls)
        catalog._set(**parts)
        catalog._given = given
        return catalog

    def _set(
        self,
        entries: Sequence[Entry],
        labels: tuple[str, ...],
        settings: SearchSettings,
        findings: Iterable[Finding],
        words: WordIndex | None = None,
        resolver: Resolver | None = None,
    ) -> None:
        self._entries = entries
        self._labels = labels
        self.settings = settings
        self._findings = findings
        self.resolver: Resolver = resolver or Resolver(entries)
        self._words = words or WordIndex(entries, settings)

    def __getitem__(self, name: str) -> Skill:
        if not isinstance(name, str):
            raise KeyError(name)  # so that `get` answers, as that of any mapping
        return self.entry(name).skill

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.resolver.resolve(name).found is not None

    def __iter__(self) -> Iterator[str]:
        return (entry.key for entry in self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<SkillCatalog of {len(self)} skills>"

    def __hash__(self) -> int:
        return hash(self.entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SkillCatalog) and self.entries == other.entries

    def __getstate__(self) -> dict[str, Any]:
        return {
            "entries": self.entries,
            "labels": self._labels,
            "settings": self.settings,
            "findings": self.findings,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**state)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every skill with its key, id and places, in name order."""
        self._entries = tuple(self._entries)  # of a tuple it is the same
        return self._entries

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every problem that was found in the sources, and names that are shared or doubled."""
        self._findings = tuple(self._findings)
        return self._findings

    def entry(self, name: str) -> Entry:
        """
        Return the entry that a name means.

        That is a key, an id, an alias or the name of a skill's folder, however it is spelt: case,
        quotes and `-`, `_` or blank do not matter, but an exact spelling comes first.  Raises
        `SkillNotFoundError` with the nearest names, or with the candidates where it means several.
        """
        resolution = self.resolver.resolve(name)
        if resolution.found is not None:
            return self._entries[resolution.found]
        nearby = self.resolver.meant(resolution, name)
        raise SkillNotFoundError(name, nearby, ambiguous=bool(resolution.candidates))

    def matches(self, name: str) -> tuple[int, ...]:
        """Return the positions in `entries` of every skill that a name may mean."""
        return self.resolver.matches(name)

    def nearest(self, name: str) -> tuple[str, ...]:
        """Return the names most like `name`, best first, three at most."""
        return self.resolver.nearest(name)

    def search(
        self,
        query: str | Sequence[str],
        *,
        limit: int | None = None,
        where: Callable[[Skill], bool] | None = None,
    ) -> SearchResults:
        """
        Answer a query of any form: `select:a,b`, words, `+required`, a skill's name.

        A list of queries is answered as one: the best hit of each, then the second of each, and so on.

        `limit` is how many hits there are at most (default `settings.limit`); names asked for by
        `select:` are all given.  `where` narrows this one search, as `self.where(...)` would.
        No query is an error; TypeError for what is no text, ValueError for a negative limit.
        """
        if where is not None:
            self.ranker()  # once for every narrowed search, which then only cuts it to size
            return self.where(where).search(query, limit=limit)
        searcher = Searcher(self._entries, self.resolver, self.ranker, self.settings)
        return searcher.search(query, self.settings.limit if limit is None else limit)

    def only(self, allow: Iterable[str] | str | None) -> SkillCatalog:
        """
        Return the view that holds only skills matching a pattern; None allows all, [] none.

        Patterns are shell-like (`git-*`, `[ab]?`) and ignore case.  They match the whole bare name
        or, when they hold a colon, the whole `label:name` or id.  Raises `PatternError` for a
        pattern that cannot be read.
        """
        if allow is None:
            return self
        return self._view(compile_patterns(allow))

    def without(self, deny: Iterable[str] | str | None) -> SkillCatalog:
        """
        Return the view that lacks the skills matching a pattern, whatever allowed them before.

        A bare name denies every skill of that name.  If `a:tool` is denied and `b:tool` is not,
        `tool` means the latter from then on.  A skill that was found in several places is denied
        when any of them is.  Raises `PatternError` as `only` does.
        """
        if deny is None:
            return self
        denied = compile_patterns(deny)
        return self._view(lambda entry: not denied(entry))

    def where(self, predicate: Callable[[Skill], bool]) -> SkillCatalog:
        """Return the view that holds only the skills for which `predicate` is true."""
        return self._view(lambda entry: bool(predicate(entry.skill)))

    def with_(self, *skills: Skill) -> SkillCatalog:
        """Return a catalog with these skills added, as if they stood at the end of the list."""
        return SkillCatalog(
            (*placed_skills(self._entries, self._labels), *skills),
            settings=self.settings,
            findings=self._reported(),
        )

    def merge(self, other: SkillCatalog) -> SkillCatalog:
        """Return a catalog of both; where a name is in both, this one keeps the bare name."""
        return SkillCatalog(
            (*placed_skills(self._entries, self._labels), *placed_skills(other._entries, other._labels)),
            settings=self.settings,
            findings=(*self._reported(), *other._reported()),
        )

    @property
    def is_indexed(self) -> bool:
        """Whether the word index is built, so that the next search does not wait for it."""
        return self._words.is_built

    def ranker(self, progress: Callable[[int], None] | None = None) -> Ranker:
        """
        Return the word index, built on the first call; a view cuts its parent's to size.

        `progress` is called with the number of skills read so far.
        """
        return self._words.ranker(progress)

    def _view(self, keep: Callable[[Entry], bool]) -> SkillCatalog:
        positions = tuple(position for position, entry in enumerate(self._entries) if keep(entry))
        entries = tuple(self._entries[position] for position in positions)
        view = SkillCatalog.__new__(SkillCatalog)
        # Findings name files, and a view must not name what it hides.
        shown = {place.location for entry in entries for place in entry.places} - {""}
        told = tuple(finding for finding in self._reported() if finding.path in shown)
        labels = {place.label for entry in entries for place in entry.places}
        kept = tuple(label for label in self._labels if label in labels)
        words = self._words.view(positions, entries)
        view._set(entries, kept, self.settings, (*told, *clashes(entries)), words)
        return view

    def _reported(self) -> tuple[Finding, ...]:
        """Return the findings of the sources; those about names are made anew for each catalog."""
        return parted(self.findings)[0]


def _checked(skill: object) -> Skill:
    if not isinstance(skill, Skill):
        message = f"a catalog holds skills, not {type(skill).__name__}"
        raise TypeError(message)
    return skill
