"""
One object with everything a host needs to switch deferred discovery on or off.

On, the prompt gets the compact index and the model gets the search tool.  Off, it gets the whole
metadata and no tool, as hosts without search do it.  Without skills it gets nothing at all: no
empty section, and no tool that can only fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from skill_index.catalog import SkillCatalog
from skill_index.index import SkillIndex, catalog_of
from skill_index.model import Skill
from skill_index.prompt.delta import PromptStamp
from skill_index.prompt.sections import BUDGET_TOKENS, Count, build_section
from skill_index.render import Locations


@dataclass(frozen=True, slots=True)
class SkillSearchSetup:
    """
    What to put in the prompt and which tools to offer.

    `tool_names` is empty when search is off or there are no skills; `names` are the skills the
    section stands for; `stamp` serves later deltas.
    """

    section: str = ""
    tool_names: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    stamp: PromptStamp = field(default_factory=lambda: PromptStamp(()))


def build_skill_search_setup(
    skills: SkillCatalog | SkillIndex,
    *,
    enabled: bool = True,
    budget_tokens: int = BUDGET_TOKENS,
    count: Count | None = None,
    tools: Sequence[str] | Mapping[str, str] = ("describe_skill",),
    advertise: Callable[[Skill], bool] | None = None,
    locations: Mapping[str, str] | Locations = {},
) -> SkillSearchSetup:
    """
    Return the setup for these skills; the other arguments are those of `build_section`.

    With `enabled` false, or without describe_skill among `tools`, every advertised skill stands
    in the section with its whole description and location, without a budget.
    """
    catalog = catalog_of(skills)
    search = enabled and "describe_skill" in tools
    section = build_section(
        catalog,
        budget_tokens=budget_tokens if search else None,
        count=count,
        form="index" if search else "available_skills",
        tools=tools if search else _without_search(tools),
        advertise=advertise,
        locations=locations,
    )
    if section.total == 0:
        return SkillSearchSetup()
    offered = tuple(tools.values() if isinstance(tools, Mapping) else tools)
    names = frozenset(name for name, _ in section.stamp.seen)
    return SkillSearchSetup(section.text, offered if search else (), names, section.stamp)


def _without_search(tools: Sequence[str] | Mapping[str, str]) -> Sequence[str] | Mapping[str, str]:
    if isinstance(tools, Mapping):
        return {name: shown for name, shown in tools.items() if name != "describe_skill"}
    return [name for name in tools if name != "describe_skill"]
