"""
What every adapter does before it speaks its framework's language.

A host passes what it has: skills, or a toolkit it has shaped.  Its own tools keep their names: a second
tool of one name is an error in one framework, hides the first in another and confuses the model in all, so
it is refused here with the cure.  What comes back from a framework, as objects or as the JSON they were, is
read by key.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from skill_index.adapters.extras import extra
from skill_index.catalog import SkillCatalog
from skill_index.errors import SkillIndexError, ToolkitError
from skill_index.index import SkillIndex
from skill_index.prompt import loaded_skills_section, restore_line, skill_index_section
from skill_index.prompt.sections import BUDGET_TOKENS, Count
from skill_index.text import one_line
from skill_index.tools import Toolkit, ToolReply

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


def needed(module: str, name: str) -> Any:
    """Return a module of a framework; SkillIndexError with the command that installs it."""
    try:
        with extra(name):
            return importlib.import_module(module)
    except ImportError as error:
        raise SkillIndexError(str(error)) from error


def instructions(skills: Skills, *, budget_tokens: int = BUDGET_TOKENS, count: Count | None = None) -> str:
    """Return the index section for the system prompt, which names the toolkit's tools; "" without skills."""
    toolkit = toolkit_of(skills)
    return skill_index_section(toolkit.catalog(), budget_tokens, count, tools=toolkit.names)


def carried(toolkit: Toolkit) -> str:
    """
    Return what a conversation's loaded skills add to the prompt, for hosts that carry them there.

    These are the full instructions of what is loaded, and the names of what was lost with shortened context.
    """
    return joined(loaded_skills_section(toolkit.catalog(), toolkit.session), lost(toolkit))


def lost(toolkit: Toolkit) -> str:
    """Return the names of what a conversation has lost with shortened context, "" for nothing."""
    return restore_line(toolkit.session, toolkit.names.get("load_skill", "load_skill"))


def joined(*sections: str) -> str:
    """Return the sections of a prompt that there are, a blank line between two."""
    return "\n\n".join(filter(None, sections))


def facts(reply: ToolReply) -> dict[str, Any]:
    """Return a reply's `data` and `error` as JSON values, those that it has."""
    told = {"data": reply.data, "error": reply.error}
    return {name: fact.model_dump(mode="json") for name, fact in told.items() if fact is not None}


def get(block: object, key: str) -> object:
    """Return what a part of a message has under a key, None where it has no such thing."""
    return block.get(key) if isinstance(block, Mapping) else getattr(block, key, None)


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
