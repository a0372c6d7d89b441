"""
The index section for frameworks that ask for it before every request to a model.

Made anew it costs a third of a second for fourteen thousand skills, and it is the same bytes as long as the
skills are the same; so one is kept for each state of the skills.
"""

from __future__ import annotations

from skill_index.adapters.hosting import instructions
from skill_index.catalog import SkillCatalog
from skill_index.prompt.sections import Count
from skill_index.tools import Toolkit


class IndexSection:
    """The section of one toolkit, for all conversations alike; safe to use from several threads."""

    def __init__(self, toolkit: Toolkit, budget_tokens: int, count: Count | None) -> None:
        self._toolkit = toolkit
        self._budget_tokens, self._count = budget_tokens, count
        self._made: tuple[SkillCatalog, str] | None = None

    def text(self) -> str:
        """Return the section for the skills there are now, "" without skills."""
        catalog, made = self._toolkit.catalog(), self._made
        if made is None or made[0] is not catalog:
            section = instructions(self._toolkit, budget_tokens=self._budget_tokens, count=self._count)
            made = self._made = (catalog, section)
        return made[1]
