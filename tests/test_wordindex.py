"""The word index of a catalog: made once, by whichever thread asks, from what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skill_index import SearchSettings, Skill, SkillCatalog, parse_query
from skill_index.naming import name_entries
from skill_index.ranking import Ranker
from skill_index.wordindex import WordIndex

if TYPE_CHECKING:
    from collections.abc import Callable

ENTRIES = name_entries(Skill(name, "Paint pictures.") for name in ("a", "b", "c"))


class MadeMeanwhile(WordIndex):
    """One that another thread makes in the instant in which this one is asked whether it is made."""

    meanwhile: Callable[[], object] | None = None

    @property
    def _ranker(self) -> Ranker | None:
        found = self.__dict__.get("made")
        if self.meanwhile is not None:
            make, self.meanwhile = self.meanwhile, None
            make()
        return found

    @_ranker.setter
    def _ranker(self, ranker: Ranker | None) -> None:
        self.__dict__["made"] = ranker


def test_a_view_is_cut_while_another_thread_makes_what_it_is_cut_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is above a view drops its own link once it is made; the view is cut all the same, not built."""
    whole = WordIndex(ENTRIES, SearchSettings())
    whole.ranker()
    between = MadeMeanwhile(ENTRIES[:2], SearchSettings())
    between._view_of = (whole, (0, 1))
    view = between.view((1,), ENTRIES[1:2])
    between.meanwhile = between.ranker
    monkeypatch.setattr(Ranker, "build", None)
    ranking = view.ranker().rank(parse_query("paint"), 5)
    assert (ranking.total, between.is_built) == (1, True)


@pytest.mark.parametrize("searched", [True, False])
def test_only_what_was_searched_is_kept_for_the_catalogs_after_it(searched: bool) -> None:
    """A chain of edits between two searches holds the last index that was made, and no catalog between."""
    first = SkillCatalog([Skill("a", "Draw.")])
    if searched:
        first.search("draw")
    second = SkillCatalog([Skill("a", "Paint.")], before=first)
    third = SkillCatalog([Skill("a", "Sing.")], before=second)
    assert third._words._before is (first._words if searched else None)
    assert third.search("sing").names == ("a",)
