"""
A host's own prompt text, with places for ours.

The template is the host's, and may hold braces of its own (JSON, f-strings of other systems), so
it is not a format string: exactly the three placeholders are replaced, once, and everything
else stays as it is.  A placeholder that is missing is refused when the template is made, by
name; found only at the first request it would be a prompt without skills.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

PLACEHOLDERS = ("skills", "resource_instructions", "script_instructions")
_PLACE = re.compile(r"\{(" + "|".join(PLACEHOLDERS) + r")\}")


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """
    A text with `{skills}` and, where wanted, `{resource_instructions}` and `{script_instructions}`.

    `required` names the placeholders it must hold; raises ValueError for the missing ones.

    >>> PromptTemplate('{"role": "x"} {skills}').fill(skills="- pdf")
    '{"role": "x"} - pdf'
    """

    text: str
    required: Sequence[str] = ("skills",)

    def __post_init__(self) -> None:
        unknown = [name for name in self.required if name not in PLACEHOLDERS]
        if unknown:
            message = f"no such placeholder: {', '.join(unknown)}; there are {', '.join(PLACEHOLDERS)}"
            raise ValueError(message)
        present = set(_PLACE.findall(self.text))
        missing = [f"{{{name}}}" for name in self.required if name not in present]
        if missing:
            message = f"the prompt template lacks {', '.join(missing)}; put it where that text belongs"
            raise ValueError(message)

    def fill(self, *, skills: str, resource_instructions: str = "", script_instructions: str = "") -> str:
        """Return the text with each placeholder replaced once; what is put in is not looked at again."""
        values = {
            "skills": skills,
            "resource_instructions": resource_instructions,
            "script_instructions": script_instructions,
        }
        return _PLACE.sub(lambda place: values[place[1]], self.text)
