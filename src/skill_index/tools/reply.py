"""
The one shape in which every tool answers.

A model reads `text`, a host reads `data`; `error` is set when the call did not do what was
asked, and then says what to do about it, so that neither has to guess from prose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from skill_index.render import names_line
from skill_index.text import escape, well_formed

MESSAGE_CHARS = 2_000
"""Characters of a message shown at most: it may repeat what a model sent, which can be a megabyte."""

RECOVERY_CHARS = 8_000
"""Characters of what to do next, which may hold the schema of a function."""

Text = Annotated[str, BeforeValidator(lambda value: well_formed(value) if isinstance(value, str) else value)]
"""A stranger's text as JSON can carry it."""


class ToolFailure(BaseModel):
    """Why a call failed and how to mend it."""

    model_config = ConfigDict(frozen=True)

    code: str = Field(description="Stable kebab-case code of the failure.")
    message: Text = Field(description="What went wrong, in one sentence.")
    subject: Text = Field(description="What it is about: a skill name, a tool, an argument.")
    nearby: tuple[Text, ...] = Field(default=(), description="Names that may have been meant.")
    recovery: Text = Field(description="What to do next.")
    retryable: bool = Field(description="Whether the same tool with other arguments can succeed.")


@dataclass(frozen=True, slots=True)
class ToolReply:
    """Text for the model, data for the host, and the failure if there was one."""

    text: str
    data: BaseModel | None = None
    error: ToolFailure | None = None


def failed(error: ToolFailure, *more: str, data: BaseModel | None = None) -> ToolReply:
    """Return the answer that says what went wrong, which names there are, and what to do next."""
    lines = [f"Error: {_sentence(error.message, MESSAGE_CHARS)}"]
    if error.nearby:
        lines.append(names_line("Known", error.nearby))
    recovery = _sentence(error.recovery, RECOVERY_CHARS)
    return ToolReply("\n".join((*lines, f"Next: {recovery}", *more)), data, error)


def _sentence(text: str, limit: int) -> str:
    """Return a text that a stranger may have ended, with one full stop at its end."""
    shown = escape(text, limit)
    return shown if shown.endswith((".", "!", "?", "…")) else f"{shown}."
