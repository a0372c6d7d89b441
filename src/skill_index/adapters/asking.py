"""
What a framework that asks a person itself must know: which call waits, and for what a yes is good.

A framework asks between two turns, so between the question and the run may lie a day.  The yes is for
one content: what was hashed when the question was put is what runs, or nothing does.
"""

from __future__ import annotations

from skill_index.adapters.hosting import get
from skill_index.tools import Approval, Toolkit
from skill_index.tools.calls import RUN


def asked(toolkit: Toolkit, name: str, arguments: object) -> Approval | None:
    """
    Return what a person is asked before this call, None where there is nothing to ask.

    Only scripts are asked about, and no call that cannot succeed: see `Toolkit.approval`.
    """
    return toolkit.approval(name, arguments) if name == toolkit.names.get(RUN) else None


def unasked(toolkit: Toolkit, name: str) -> Toolkit:
    """Return the toolkit for a call nobody was asked about: a script that came meanwhile does not run."""
    return toolkit.approving(lambda _: False) if name == toolkit.names.get(RUN) else toolkit


def told(approval: Approval) -> dict[str, str]:
    """Return what a framework keeps with its question, and gives back with the answer."""
    return {"skill": approval.skill, "script": approval.script, "content_hash": approval.content_hash}


def is_for(given_back: object, approval: Approval) -> bool:
    """Return whether an answer is for what would run now; one that nothing was given back with is."""
    return get(given_back, "content_hash") in (None, approval.content_hash)


def approved(toolkit: Toolkit, approval: Approval) -> Toolkit:
    """Return the toolkit in which this one call is approved, as long as the skill is what it was."""
    return toolkit.approving(lambda asking: asking.content_hash == approval.content_hash)
