"""
Which question a call puts to a person, and the answer where they say no.

A call that cannot succeed puts none: whoever is asked about a script that is not there, and says no,
leaves the model believing that another try is only a matter of permission.
"""

from __future__ import annotations

from collections.abc import Collection

from pydantic import BaseModel

from skill_index.frozen import FrozenMap
from skill_index.tools.approval import Approval, content_hash
from skill_index.tools.context import Context, Tool
from skill_index.tools.reply import ToolFailure, ToolReply, failed
from skill_index.tools.run import RunArguments, RunTool

_TELLING_FILES = {"load_skill", "read_skill_resource"}


def approval_for(
    context: Context, tool: Tool, arguments: BaseModel, approved: Collection[str] = ()
) -> Approval | None:
    """
    Return what is asked before a call, None where the tool can only say that there is no such thing.

    `approved` are the tools that somebody is asked about.  Where those that show a skill's files are among
    them, so is a script that is missing: the answer to it names those that there are.
    """
    secret = not _TELLING_FILES.isdisjoint(approved)
    if isinstance(tool, RunTool) and isinstance(arguments, RunArguments) and not secret:
        found = tool.find(context, arguments)
        if isinstance(found, ToolReply):
            return None
    asked = str(getattr(arguments, "skill_name", ""))
    entry = context.catalog.entry(asked) if asked in context.catalog else None
    if asked and entry is None:
        return None
    return Approval(
        tool=tool.name,
        skill=entry.id if entry else "",
        script=str(getattr(arguments, "script_name", "")),
        arguments=FrozenMap(arguments.model_dump(exclude_none=True)),
        content_hash=content_hash(entry.skill) if entry else "",
    )


def not_approved(name: str, approval: Approval) -> ToolReply:
    """Return the answer to a call of the tool of this name that was refused."""
    error = ToolFailure(
        code="not-approved",
        message=f"{name} was not approved",
        subject=approval.script or str(approval.arguments.get("skill_name", "")),
        recovery="go on without it, or ask the user",
        retryable=False,
    )
    return failed(error)
