"""
What a framework that asks a person itself must know: which call waits, and for what a yes is good.

A framework asks between two turns, so between the question and the run may lie a day.  The yes is for
one content: what was hashed when the question was put is what runs, or nothing does.
"""

from __future__ import annotations

from skill_index.adapters.hosting import get
from skill_index.frozen import FrozenMap
from skill_index.tools import Approval, Toolkit, content_hash
from skill_index.tools.calls import RUN


def asked(toolkit: Toolkit, name: str, arguments: object) -> Approval | None:
    """
    Return what a person is asked before this call, None where there is nothing to ask.

    Only scripts are asked about.  A script of no known skill is not: the tool itself answers that.
    """
    if name != toolkit.names.get(RUN) or not isinstance(arguments, dict):
        return None
    catalog, skill_name = toolkit.catalog(), arguments.get("skill_name")
    if not isinstance(skill_name, str) or skill_name not in catalog:
        return None
    entry = catalog.entry(skill_name)
    script = str(arguments.get("script_name", ""))
    return Approval(RUN, entry.id, script, FrozenMap(arguments), content_hash(entry.skill))


def told(approval: Approval) -> dict[str, str]:
    """Return what a framework keeps with its question, and gives back with the answer."""
    return {"skill": approval.skill, "script": approval.script, "content_hash": approval.content_hash}


def is_for(given_back: object, approval: Approval) -> bool:
    """Return whether an answer is for what would run now; one that nothing was given back with is."""
    return get(given_back, "content_hash") in (None, approval.content_hash)


def approved(toolkit: Toolkit, approval: Approval) -> Toolkit:
    """Return the toolkit in which this one call is approved, as long as the skill is what it was."""
    return toolkit.approving(lambda asking: asking.content_hash == approval.content_hash)
