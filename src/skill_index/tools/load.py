"""
load_skill and unload_skill: the instructions themselves, once, in a tag they cannot close.

    instructions ─page─▶ sealed text     before it: where the skill is, what its paths mean
                                         after it:  the files it has, by the names that read them

Instructions are given as they stand; `{arguments}` and `${CLAUDE_SKILL_DIR}` are text like any
other.  A second call in one conversation gives a short notice unless the skill changed or the
model insists, since its context holds the text already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from skill_index.naming import Entry
from skill_index.render import VALUE_LIMIT, names_line, sealed
from skill_index.text import escape
from skill_index.tools.context import Context, find_skill
from skill_index.tools.pages import Page, page, past_end
from skill_index.tools.reply import Text, ToolFailure, ToolReply, failed

LOAD_BYTES = 100_000
"""UTF-8 bytes of instructions in one answer; the longest of 15,324 real skills is about as long."""

FILES_SHOWN = 40
"""Files named after the instructions; the rest is counted, and listed on request."""


class LoadArguments(BaseModel):
    """What load_skill is called with."""

    model_config = ConfigDict(extra="forbid")

    skill_name: Text = Field(description="The skill's name, exactly as listed or described.")
    force: bool = Field(default=False, description="Give the instructions again although they were loaded.")
    offset: int = Field(default=1, ge=1, description="Line to go on from, where an answer was cut.")
    column: int = Field(default=1, ge=1, description="Character of that line to go on from.")


class LoadData(BaseModel):
    """The instructions of one skill and what belongs to them, for hosts; not escaped."""

    name: Text
    id: Text
    state: Literal["loaded", "reloaded", "already-loaded"] = Field(
        description="reloaded: it had changed since; already-loaded: the text is not repeated."
    )
    version: Text = Field(description="SHA-256 of the SKILL.md.")
    instructions: Text | None = None
    next_offset: int | None = Field(default=None, description="Where to go on, if the text was cut.")
    next_column: int = 1
    folder: Text | None = Field(default=None, description="The skill's folder as the agent sees it.")
    compatibility: Text | None = None
    allowed_tools: tuple[Text, ...] | None = None
    resources: tuple[Text, ...] = ()
    scripts: tuple[Text, ...] = ()


class LoadTool:
    """The load_skill tool; `is_script` tells which files can be run."""

    name = "load_skill"
    description = (
        "Read the full instructions of a skill before doing a task it is for, and follow them. "
        "Give the name exactly as listed or described."
    )
    arguments = LoadArguments
    data = LoadData

    def __init__(self, is_script: Callable[[str], bool] = lambda _: False) -> None:
        self._is_script = is_script

    def __call__(self, context: Context, arguments: LoadArguments) -> ToolReply:
        """Answer with the instructions, or with a notice that they are there already."""
        entry = find_skill(context, arguments.skill_name)
        if isinstance(entry, ToolReply):
            return entry
        holding = context.session.holding(entry)
        # The pieces of two versions are no text; a changed skill begins anew.
        start = (1, 1) if holding == "changed" else (arguments.offset, arguments.column)
        if holding == "same" and not arguments.force and start == (1, 1):
            return self._notice(context, entry)
        shown = page(entry.skill.instructions, *start, None, LOAD_BYTES)
        if shown is None:
            return past_end(entry.key, entry.skill.instructions, start)
        if start == (1, 1):
            # Who has only a later piece does not hold the skill.
            context.session.load(entry)
        return self._load(context, entry, shown, "reloaded" if holding == "changed" else "loaded")

    def _load(
        self, context: Context, entry: Entry, shown: Page, state: Literal["loaded", "reloaded"]
    ) -> ToolReply:
        context.facts.update(kind="loaded", rank=context.session.rank(entry.id), state=state)
        data = self._facts(context, entry, state, shown)
        return ToolReply(load_text(context, entry, data, shown), data)

    def _facts(
        self, context: Context, entry: Entry, state: Literal["loaded", "reloaded"], shown: Page
    ) -> LoadData:
        names = [resource.name for resource in entry.skill.resources.listing().resources]
        files = [name for name in names if name.casefold() != "skill.md"]
        scripts = dict.fromkeys(name for name in files if self._is_script(name))
        return LoadData(
            name=entry.key,
            id=entry.id,
            state=state,
            version=entry.skill.digest,
            instructions=shown.text,
            next_offset=shown.next_line,
            next_column=shown.next_column,
            folder=context.folder(entry),
            compatibility=entry.skill.compatibility,
            allowed_tools=entry.skill.allowed_tools,
            resources=tuple(name for name in files if name not in scripts),
            scripts=(*scripts, *entry.skill.scripts),
        )

    def _notice(self, context: Context, entry: Entry) -> ToolReply:
        context.facts.update(kind="loaded", state="already-loaded")
        name = escape(entry.key, VALUE_LIMIT)
        again = context.call("load_skill", skill_name=entry.key, force=True)
        text = (
            f"The skill {name} is loaded already and its instructions have not changed: follow those above. "
            f"If they are no longer in view, call {escape(again)}."
        )
        data = LoadData(name=entry.key, id=entry.id, state="already-loaded", version=entry.skill.digest)
        return ToolReply(text, data)


def load_text(context: Context, entry: Entry, data: LoadData, shown: Page) -> str:
    """Return what a model reads: facts, the sealed instructions, and the files by name."""
    origin = entry.skill.origin
    doubt = "" if origin.trusted else ", which is not trusted"
    lines = [f"Skill {escape(entry.key, VALUE_LIMIT)}, from {escape(origin.label, VALUE_LIMIT)}{doubt}."]
    if data.state == "reloaded":
        lines[0] += " It has changed since it was loaded; the text below replaces the earlier one."
    lines += _about(context, entry, data)
    lines.append(sealed("skill_instructions", shown.text, name=entry.key, source=origin.label))
    lines += _cut_note(context, entry, shown)
    lines += _files(context, entry, data)
    return "\n".join(lines)


def _about(context: Context, entry: Entry, data: LoadData) -> Iterator[str]:
    read = context.call("read_skill_resource", skill_name=entry.key, resource_name="PATH")
    reading = f" Read one with {escape(read)}." if read else ""
    if data.folder:
        yield f"Skill folder: {escape(data.folder)}. Relative paths below are relative to it.{reading}"
    else:
        yield f"The skill is in no folder; relative paths below name its files.{reading}"
    if data.compatibility:
        yield f"Compatibility: {escape(data.compatibility, VALUE_LIMIT)}"
    if data.allowed_tools is not None:
        tools = escape(", ".join(data.allowed_tools), VALUE_LIMIT) or "none"
        yield f"Pre-approved tools: {tools}"


def _cut_note(context: Context, entry: Entry, shown: Page) -> Iterator[str]:
    lines = f"Lines {shown.first} to {shown.last} of {shown.total}"
    if shown.next_line is None:
        if shown.first > 1:
            yield f"{lines}, the end."
        return
    call = context.call("load_skill", skill_name=entry.key, **shown.going_on)
    yield f"{lines}; for the rest call {escape(call)}."


def _files(context: Context, entry: Entry, data: LoadData) -> Iterator[str]:
    all_files = escape(context.call("read_skill_resource", skill_name=entry.key, resource_name="."))
    if data.resources:
        yield _capped("Files", data.resources, all_files)
    if data.scripts:
        run = context.call("run_skill_script", skill_name=entry.key, script_name="SCRIPT")
        yield _capped(f"Scripts (run one with {escape(run)})" if run else "Scripts", data.scripts, all_files)


def _capped(lead: str, names: tuple[str, ...], all_files: str) -> str:
    more = len(names) - FILES_SHOWN
    line = names_line(lead, names[:FILES_SHOWN])
    if more <= 0:
        return line
    return f"{line}, and {more} more" + (f"; {all_files} lists all files" if all_files else "")


class UnloadArguments(BaseModel):
    """What unload_skill is called with."""

    model_config = ConfigDict(extra="forbid")

    skill_name: Text = Field(description="A skill that was loaded.")


class UnloadData(BaseModel):
    """What is loaded after the call."""

    name: Text
    loaded: tuple[Text, ...] = ()


class UnloadTool:
    """The unload_skill tool: the model is done with a skill."""

    name = "unload_skill"
    description = "Say that a loaded skill is no longer needed; its instructions are then not to be followed."
    arguments = UnloadArguments
    data = UnloadData

    def __call__(self, context: Context, arguments: UnloadArguments) -> ToolReply:
        """Forget the skill, also one that was removed from the catalog meanwhile."""
        asked = arguments.skill_name
        found = context.catalog.entry(asked).id if asked in context.catalog else asked
        done = context.session.unload(found)
        left = tuple(one.name for one in context.session.loaded)
        if not done:
            nothing = "no skill is loaded" if not left else f"the skill {asked!r} is not loaded"
            error = ToolFailure(
                code="not-loaded",
                message=nothing,
                subject=asked,
                nearby=left,
                recovery="go on" if not left else "give one of the loaded skills",
                retryable=bool(left),
            )
            return failed(error)
        context.facts.update(kind="unloaded", skill=found)
        text = f"The skill {escape(asked, VALUE_LIMIT)} is unloaded: do not follow its instructions any more."
        return ToolReply(text, UnloadData(name=asked, loaded=left))
