"""The compact index of skills that stays in the prompt, and what keeps it small and stable."""

from skill_index.prompt.delta import PromptStamp, skill_index_delta
from skill_index.prompt.loaded import loaded_skills_section, restore_line
from skill_index.prompt.sections import PromptSection, build_section, estimate_tokens, skill_index_section
from skill_index.prompt.setup import SkillSearchSetup, build_skill_search_setup
from skill_index.prompt.template import PromptTemplate

__all__ = [
    "PromptSection",
    "PromptStamp",
    "PromptTemplate",
    "SkillSearchSetup",
    "build_section",
    "build_skill_search_setup",
    "estimate_tokens",
    "loaded_skills_section",
    "restore_line",
    "skill_index_delta",
    "skill_index_section",
]
