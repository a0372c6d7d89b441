"""What a source wants done with its skills once they are parsed; see `sources.wrapping`."""

from __future__ import annotations

from collections.abc import Iterable

from skill_index.findings import Finding
from skill_index.model import Skill, Step
from skill_index.sources.problems import problem


def stepped_through(skill: Skill | None, steps: Iterable[Step]) -> Skill | Finding | None:
    """Return a skill after each of the steps, or why it is left out, or None."""
    result: Skill | Finding | None = skill
    for step in steps:
        result = _step(step, result) if isinstance(result, Skill) else result
    return result


def _step(step: Step, skill: Skill) -> Skill | Finding | None:
    try:
        return step(skill)
    except Exception as error:  # noqa: BLE001  (a stranger's function costs the skill it fails on)
        raised = f"{type(error).__name__}: {error}"
        message = f"{skill.name!r} is left out: a filter or step of its source raised {raised}"
        return problem("step-failed", skill.origin.location or skill.origin.label, message)
