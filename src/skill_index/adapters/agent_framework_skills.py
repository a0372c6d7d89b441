"""
Skills as the Microsoft Agent Framework has them: ours for its own provider, and its own for our index.

    agent = Agent(client, context_providers=[SkillsProvider(SkillIndexSource(index))])
    catalog = SkillCatalog(await from_skills(theirs))

Its provider shows every skill it is given and finds them by name alone, so a source is for hosts that
keep it; `SkillIndexProvider` is for all others.  What a skill holds beside its description is put together
when it is asked for: thousands of skills are listed for each run.
"""

from __future__ import annotations

import asyncio
import html
import inspect
import json
import re
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any

from skill_index.adapters.extras import extra
from skill_index.adapters.hosting import Skills, toolkit_of
from skill_index.frozen import FrozenMap
from skill_index.model import Origin, Skill
from skill_index.naming import Entry
from skill_index.prompt.rows import advertised
from skill_index.resources import InlineResources
from skill_index.tools import LoadData, Session, Toolkit, script_schema
from skill_index.tools.calls import RUN

with extra("agent-framework"):
    import agent_framework as maf

RESOURCE_BYTES = 1 << 20
"""Bytes of a file that the framework's own provider is given at most: it knows no pages."""

_NAMED = re.compile(r"<(resource|script) name=\"([^\"]*)\"")


class SkillIndexSource(maf.SkillsSource):
    """
    The skills of an index as the framework's own, for its `SkillsProvider`.

    Skills that are not to be advertised are left out, and so are tool entries, since that provider shows
    all it is given.  Names and descriptions are given as they are, also where they are longer or in other
    letters than the format allows: the framework looks them up as any text.  Scripts there are only with a
    toolkit that has a runner, and are run by it.
    """

    def __init__(self, skills: Skills) -> None:
        self._toolkit = toolkit_of(skills)

    async def get_skills(self, context: object) -> list[maf.Skill]:  # noqa: ARG002  (the same for every agent)
        """Return what there is now; files are looked at when a skill is loaded."""
        catalog = await asyncio.to_thread(self._toolkit.catalog)
        entries = (entry for entry in advertised(catalog, None) if not entry.skill.is_tool)
        return [_Indexed(self._toolkit, entry) for entry in entries]


async def from_skills(
    skills: Iterable[maf.Skill], *, label: str = "agent-framework", trusted: bool = True
) -> list[Skill]:
    """
    Return the framework's skills as skills of an index: instructions, resources, scripts as functions.

    Resources are read and scripts run through the framework's objects, when asked for.  The scripts have
    the arguments of the functions they were made from.  The framework does not tell where a skill is from:
    pass `trusted=False` for those of a server, and their scripts need an approval.
    """
    return [await _imported(skill, Origin(label, trusted=trusted)) for skill in skills]


class _Indexed(maf.Skill):
    """One of our skills; what it is made of is put together when the framework asks for it."""

    def __init__(self, toolkit: Toolkit, entry: Entry) -> None:
        self._toolkit, self._entry = toolkit, entry
        self._made: maf.InlineSkill | None = None

    @property
    def frontmatter(self) -> maf.SkillFrontmatter:
        """What the framework advertises."""
        skill = self._entry.skill
        # It checks what it is made with, and not what is set.
        told = maf.SkillFrontmatter(name="skill", description="A skill.")
        told.name, told.description = self._entry.key, skill.description
        told.license, told.compatibility = skill.license, skill.compatibility
        told.allowed_tools = None if skill.allowed_tools is None else " ".join(skill.allowed_tools)
        told.metadata = {key: str(value) for key, value in FrozenMap(skill.metadata).plain().items()}
        return told

    async def get_content(self) -> str:
        """Return instructions, resources and scripts in the framework's form."""
        return str(await (await self._inline()).get_content())

    async def get_resource(self, name: str) -> maf.SkillResource | None:
        """Return a file of the skill."""
        return await (await self._inline()).get_resource(name)

    async def get_script(self, name: str) -> maf.SkillScript | None:
        """Return a script of the skill."""
        return await (await self._inline()).get_script(name)

    async def _inline(self) -> maf.InlineSkill:
        if self._made is None:
            self._made = await asyncio.to_thread(self._make)
        return self._made

    def _make(self) -> maf.InlineSkill:
        skill = self._entry.skill
        toolkit = self._toolkit.with_session(Session())  # the framework shows the text each time it is asked
        loaded = toolkit.call(toolkit.names.get("load_skill", ""), {"skill_name": self._entry.key}).data
        files, scripts = (loaded.resources, loaded.scripts) if isinstance(loaded, LoadData) else ((), ())
        return maf.InlineSkill(
            frontmatter=self.frontmatter,
            instructions=skill.instructions,
            resources=[
                maf.InlineSkillResource(name=name, function=partial(_read, skill, name)) for name in files
            ],
            scripts=[_Script(toolkit, self._entry, name) for name in scripts if RUN in toolkit.names],
        )


class _Script(maf.SkillScript):
    """A script of one of our skills, run by the toolkit."""

    def __init__(self, toolkit: Toolkit, entry: Entry, name: str) -> None:
        super().__init__(name=name)
        self._toolkit, self._entry = toolkit, entry

    @property
    def parameters_schema(self) -> dict[str, Any] | None:
        """The arguments of a function; of a file nothing is known."""
        function = self._entry.skill.scripts.get(self.name)
        return None if function is None else script_schema(function)

    async def run(self, skill: maf.Skill, args: Any = None, **_: Any) -> str:  # noqa: ARG002  (it is our own)
        """Return what the script gave, or why it did not run."""
        call = {"skill_name": self._entry.key, "script_name": self.name, "args": args}
        reply = await self._toolkit.acall(self._toolkit.names[RUN], call)
        return reply.text


def _read(skill: Skill, name: str) -> str:
    data = skill.resources.read(name, RESOURCE_BYTES)
    return data.decode("utf-8", "replace")


async def _imported(theirs: maf.Skill, origin: Origin) -> Skill:
    about, content = theirs.frontmatter, await theirs.get_content()
    # An abstract skill lists nothing; its content names what can be asked for.
    named = [(kind, html.unescape(name)) for kind, name in dict.fromkeys(_NAMED.findall(content))]
    resources = {name: await theirs.get_resource(name) for kind, name in named if kind == "resource"}
    scripts = {name: await theirs.get_script(name) for kind, name in named if kind == "script"}
    return Skill(
        about.name,
        about.description,
        str(getattr(theirs, "instructions", content)),
        allowed_tools=None if about.allowed_tools is None else tuple(about.allowed_tools.split()),
        license=about.license,
        compatibility=about.compatibility,
        metadata=about.metadata or {},
        resources=InlineResources(
            {n: partial(_their_text, found) for n, found in resources.items() if found}
        ),
        scripts={name: _their_function(theirs, found) for name, found in scripts.items() if found},
        origin=origin,
    )


def _their_text(resource: maf.SkillResource) -> str | bytes:
    content = _waited(resource.read)
    return (
        content if isinstance(content, str | bytes) else json.dumps(content, ensure_ascii=False, default=str)
    )


def _their_function(skill: maf.Skill, script: maf.SkillScript) -> Callable[..., object]:
    """Return a script as a plain function, with the signature of the one it was made from, if any."""
    made_from = getattr(script, "function", None)
    if made_from is None:

        def run(*arguments: str, **options: Any) -> object:
            return _waited(partial(script.run, skill, list(arguments) or options or None))

        return run
    signature = inspect.signature(made_from)

    @wraps(made_from)
    def call(*arguments: Any, **options: Any) -> object:
        return _waited(partial(script.run, skill, signature.bind(*arguments, **options).arguments))

    return call


def _waited(function: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Return what an async function returns, also where a loop is running: in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(function())).result()
