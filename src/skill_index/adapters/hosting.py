"""
What every adapter does before it speaks its framework's language.

A host passes what it has: skills, or a toolkit it has shaped.  Its own tools keep their names: a second
tool of one name is an error in one framework, hides the first in another and confuses the model in all, so
it is refused here with the cure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeAlias

from skill_index.catalog import SkillCatalog
from skill_index.errors import ToolkitError
from skill_index.index import SkillIndex
from skill_index.prompt import loaded_skills_section, restore_line, skill_index_section
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.text import one_line
from skill_index.tools import Toolkit

Skills: TypeAlias = SkillCatalog | SkillIndex | Toolkit
"""What an adapter takes: skills, or a toolkit over them."""


def toolkit_of(skills: Skills, beside: Iterable[str] = ()) -> Toolkit:
    """
    Return the toolkit of these skills, whose tools can stand beside a host's own of these names.

    ToolkitError if two tools would have one name.

    >>> toolkit = toolkit_of(SkillCatalog([]))
    >>> toolkit_of(toolkit, beside=["web_search"]) is toolkit
    True
    >>> toolkit_of(toolkit, beside=["load_skill"])
    Traceback (most recent call last):
    ...
    skill_index.errors.ToolkitError: the host has tools of the same names: load_skill; \
rename ours: as_tools(Toolkit(skills).prefixed("skills_"))
    """
    toolkit = skills if isinstance(skills, Toolkit) else Toolkit(skills)
    clashes = sorted(set(toolkit.names.values()) & set(beside))
    if clashes:
        raise ToolkitError(
            f"the host has tools of the same names: {', '.join(map(one_line, clashes))}",
            'rename ours: as_tools(Toolkit(skills).prefixed("skills_"))',
        )
    return toolkit


def instructions(toolkit: Toolkit, budget_tokens: int = BUDGET_TOKENS, count: Count | None = None) -> str:
    """Return the index section for the system prompt, which names this toolkit's tools; "" without skills."""
    return skill_index_section(toolkit.catalog(), budget_tokens, count, tools=toolkit.names)


def carried(toolkit: Toolkit) -> str:
    """
    Return what a conversation's loaded skills add to the prompt, for hosts that carry them there.

    These are the full instructions of what is loaded, and the names of what was lost with shortened context.
    """
    lost = restore_line(toolkit.session, toolkit.names.get("load_skill", "load_skill"))
    return "\n\n".join(filter(None, (loaded_skills_section(toolkit.catalog(), toolkit.session), lost)))


def from_json(arguments: object) -> object:
    """
    Return the arguments that a model wrote as JSON text.

    What is no JSON is returned as it is: the toolkit answers it in words the model can mend.
    """
    if not isinstance(arguments, str | bytes | bytearray):
        return arguments
    try:
        return json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments if isinstance(arguments, str) else arguments.decode("utf-8", "replace")
