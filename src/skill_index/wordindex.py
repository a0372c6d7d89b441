"""
The word index of a catalog: made once, by the first search, and in the cheapest way there is.

    a view                    ─▶ cut from the index of the catalog it is a view of
    a catalog after an edit   ─▶ that of the catalog before, with the skills that changed indexed again
    any other                 ─▶ built from all entries

Which of them it is, is decided when the index is made and not when the catalog is: by then another
thread's search may have made the one to start from.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from skill_index.naming import Entry
from skill_index.recorded import known_places, record, records_again
from skill_index.settings import SearchSettings

if TYPE_CHECKING:
    from skill_index.ranking import Ranker, Record


class WordIndex:
    """
    The word index of some entries, to be made when it is asked for.

    `before` is that of the entries before an edit, `ranker` the finished index where there is one.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        settings: SearchSettings,
        *,
        before: WordIndex | None = None,
        ranker: Ranker | None = None,
    ) -> None:
        self._entries, self._settings, self._ranker = entries, settings, ranker
        self._records: list[Record] = []  # what the ranker was built from; none where it was cut or restored
        self._view_of: tuple[WordIndex, tuple[int, ...]] | None = None
        # Past those that nobody searched, which would else be kept alive one after the other.
        start = before if before is None or before.is_built else before._before
        usable = start is not None and start._settings == settings
        self._before: WordIndex | None = start if usable else None
        self._building = threading.Lock()

    def view(self, positions: tuple[int, ...], entries: Sequence[Entry]) -> WordIndex:
        """Return the word index of the entries at these positions."""
        view = WordIndex(entries, self._settings)
        view._view_of = (self, positions)
        return view

    @property
    def is_built(self) -> bool:
        """Whether it is made, so that nobody waits for it."""
        return self._ranker is not None

    def ranker(self, progress: Callable[[int], None] | None = None) -> Ranker:
        """Return the ranker, made now if it is not yet; `progress` gets the number of skills read so far."""
        with self._building:
            if self._ranker is None:
                self._ranker = self._cut() or self._updated() or self._built(progress)
                # After the ranker is there: see `_cut`.
                self._view_of = self._before = None
            return self._ranker

    def _cut(self) -> Ranker | None:
        """Return what is cut from the nearest index above that is made; None where there is none."""
        positions: Sequence[int] = range(len(self._entries))
        link = self._view_of
        while link is not None:
            above, places = link
            positions = tuple(places[position] for position in positions)
            # In this order: another thread may make it meanwhile, and then drops its link last.
            link, ranker = above._view_of, above._ranker
            if ranker is not None:
                return ranker.restrict(positions)
        return None

    def _updated(self) -> Ranker | None:
        before = self._before
        if before is None or before._ranker is None:
            return None
        known = known_places(before._entries, self._entries)
        old = before._records or list(map(record, before._entries))
        self._records = records_again(before._entries, old, self._entries, known)
        return before._ranker.updated(self._records, known)

    def _built(self, progress: Callable[[int], None] | None) -> Ranker:
        from skill_index.ranking import Ranker

        self._records = list(map(record, self._entries))
        return Ranker.build(self._records, self._settings, progress)
