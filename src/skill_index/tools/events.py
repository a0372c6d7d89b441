"""
What the tools were asked and how they answered, one line an event, for whoever tends the skills.

The question: which skills are never found, which searches miss, what is refused.  That can be
told from a few facts about each call, so only those are kept: what was searched for, which
skills came, how long it took.  Never content: no instructions, no text of a resource, no
arguments and no output of a script.  A log of them may still be private, since people search
for what they work on; nothing writes one unless a host makes an `EventLog`.

The choice: JSON, a line an event, in plain ASCII, so that whatever a model searches for stays
within its line, whoever splits it.  Rejected: `logging`, whose records are texts for people
and would have to be parsed again; and a database, which a report over a file does not need.
"""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from skill_index.text import one_line, well_formed
from skill_index.tools.reply import Text

Kind = Literal["searched", "described", "listed", "loaded", "unloaded", "read", "ran", "refused"]


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """
    One call of a tool: what it did, which skill it was about, and how it ended.

    `query` is what was searched for, `state` and `total` how the search went, `found` the ids of
    its hits.  `skill` is an id, `name` that of a resource or script.  `rank` is the place, from 1,
    that a loaded skill had in the conversation's last answer.  `code` is that of a refusal, and
    `version` a piece of the digest of the skill or catalog.

    >>> event = Event("searched", "describe_skill", query="fill a form", state="none", total=0)
    >>> print(event.to_json())
    {"kind":"searched","query":"fill a form","state":"none","tool":"describe_skill","total":0}
    >>> Event.from_json(event.to_json()) == event
    True
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    kind: Kind
    tool: Text
    query: Text = ""
    skill: Text = ""
    name: Text = ""
    rank: Annotated[int, Field(ge=1)] | None = None
    state: Text = ""
    total: Annotated[int, Field(ge=0)] | None = None
    found: tuple[Text, ...] = ()
    code: Text = ""
    seconds: Annotated[float, Field(ge=0)] = 0.0
    version: Text = ""

    def to_json(self) -> str:
        """
        Return the event on one line, keys in order, what has its default left out.

        Half a surrogate pair is replaced, since JSON cannot carry it.  Raises ValueError for a
        number that JSON has no word for.
        """
        fields = ((field, getattr(self, field.name)) for field in dataclasses.fields(self))
        said = {field.name: _well_formed(value) for field, value in fields if value != field.default}
        return json.dumps(said, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, line: str | bytes) -> Event:
        """
        Return the event that a line holds.

        Raises ValueError for anything else: no JSON, an unknown kind or key, a value that cannot be.
        """
        try:
            return _adapter().validate_json(line)
        except ValidationError as problem:
            # The parser's own text would repeat the line, and a log of logs must not.
            first = problem.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            message = f"no event: {one_line(where, 80)!r}: {one_line(first['msg'], 200)}"
        raise ValueError(message)


class EventLog:
    """
    A file of events that grows by a line with each call.

    The file is opened for every line, so it can be moved away at any time, nothing waits in
    memory when the program ends, and several threads and programs can write to one.

    Raises OSError where the file cannot be written; what that means for a call is its caller's choice.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._writing = threading.Lock()
        self._whole = False  # whether the last line is known to have its end

    def __call__(self, event: Event) -> None:
        """Append an event."""
        line = event.to_json().encode("ascii") + b"\n"
        with self._writing, self.path.open("a+b") as file:
            if not self._whole and file.tell():
                # A line that a crash or a full disk cut short must not swallow this one.
                file.seek(-1, os.SEEK_END)
                line = line if file.read() == b"\n" else b"\n" + line
            self._whole = False
            file.write(line)  # one write of the whole line, so that others' cannot come into it
        self._whole = True


@cache
def _adapter() -> TypeAdapter[Event]:
    return TypeAdapter(Event)


def _well_formed(value: object) -> object:
    if isinstance(value, tuple):
        return [_well_formed(part) for part in value]
    return well_formed(value) if isinstance(value, str) else value
