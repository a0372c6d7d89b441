"""The adapter for the Agent Framework, driven by its own agent with a scripted chat client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("agent_framework", reason="needs skill_index[agent-framework]")

import agent_framework as maf
from agent_framework import Agent, AgentSession, ChatResponse, Content, Message

from skill_index import DirectorySource, Skill, SkillCatalog, SkillIndex
from skill_index.adapters.agent_framework import SkillIndexProvider, as_tools
from skill_index.adapters.agent_framework_skills import SkillIndexSource, from_skills
from skill_index.adapters.hosting import Skills
from skill_index.errors import ToolkitError
from skill_index.running import FunctionsOnly
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

CATALOG = SkillCatalog(SKILLS)
Calls = Sequence[tuple[str, Any]]


class Scripted(maf.FunctionInvocationLayer[Any], maf.BaseChatClient[Any]):
    """A client that makes the given calls, one a turn, and remembers what it was told."""

    def __init__(self, calls: Calls = ()) -> None:
        self.left = list(calls)
        self.options: list[Mapping[str, Any]] = []
        self.messages: list[list[Message]] = []
        super().__init__()

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        assert not stream

        async def respond() -> ChatResponse[Any]:
            self.messages.append(list(messages))
            self.options.append(options)
            if not self.left:
                return ChatResponse(messages=[Message("assistant", ["done"])])
            name, arguments = self.left.pop(0)
            call = Content.from_function_call(f"call-{len(self.left)}", name, arguments=arguments)
            return ChatResponse(messages=[Message("assistant", [call])])

        return respond()


def results(messages: Iterable[Message]) -> list[Content]:
    """Return what tools gave back, in order."""
    return [one for message in messages for one in message.contents if one.type == "function_result"]


def ran(agent: Agent[Any], prompt: str) -> Any:
    """Return the response of a run of its own."""

    async def running() -> Any:
        return await agent.run(prompt)

    return asyncio.run(running())


async def run(calls: Calls, session: AgentSession | None = None, **parts: Any) -> list[Content]:
    """Return the answers to these calls in one run of an agent with these parts."""
    response = await Agent(Scripted(calls), **parts).run("go", session=session)
    return results(response.messages)


def told(result: Content) -> dict[str, Any]:
    """Return what the host finds beside an answer."""
    assert result.items is not None
    properties: dict[str, Any] = result.items[0].additional_properties["skill_index"]
    return properties


def declared(client: Scripted) -> list[Declared]:
    """Return the tools that a client was told of."""
    specs = [tool.to_json_schema_spec()["function"] for tool in client.options[-1].get("tools") or ()]
    return [Declared(spec["name"], spec["description"], spec["parameters"]) for spec in specs]


class TestTools(Contract):
    """Plain tools, called by a real agent."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As the client is told of them."""
        client = Scripted()
        ran(Agent(client, tools=as_tools(skills, beside=beside)), "go")
        return declared(client)

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a model calls them."""
        [result] = await run([(name, arguments)], tools=as_tools(toolkit))
        assert result.exception is None
        return Answer(str(result.result), "error" in told(result))


JOURNEY: Calls = [
    ("describe_skill", {"name": "fill a form"}),
    ("load_skill", {"skill_name": "pdf-forms"}),
    ("read_skill_resource", {"skill_name": "pdf-forms", "resource_name": "refs/fields.md"}),
]
LOAD: Calls = [("load_skill", {"skill_name": "pdf-forms"})]


def test_an_agent_finds_loads_and_reads() -> None:
    """In one run: the section in the instructions, then each answer with its data."""
    client = Scripted(JOURNEY)
    agent = Agent(client, instructions="Be brief.", context_providers=[SkillIndexProvider(CATALOG)])
    response = ran(agent, "fill in the form")
    described, loaded, read = results(response.messages)
    assert "pdf-forms" in str(described.result)
    assert "Use pdftk." in str(loaded.result)
    assert "name, date" in str(read.result)
    assert told(loaded)["data"]["instructions"] == "Use pdftk.\nSee refs/fields.md."
    assert client.options[0]["instructions"].startswith("Be brief.")
    assert "describe_skill(" in client.options[0]["instructions"]
    assert len(declared(client)) == 5


def test_without_skills_nothing_is_added() -> None:
    """No empty section, and no tools that can only fail."""
    client = Scripted()
    ran(Agent(client, context_providers=[SkillIndexProvider(SkillCatalog([]))]), "go")
    assert declared(client) == []
    assert not client.options[0].get("instructions")


def test_a_budget_that_nothing_fits_leaves_the_tools() -> None:
    """Skills that cannot be listed can still be searched for."""
    client = Scripted()
    ran(Agent(client, context_providers=[SkillIndexProvider(CATALOG, budget_tokens=1)]), "go")
    assert len(declared(client)) == 5
    assert not client.options[0].get("instructions")


def test_a_provider_refuses_names_of_the_host() -> None:
    """Before any run, where the framework would refuse the run itself."""
    with pytest.raises(ToolkitError, match="load_skill"):
        SkillIndexProvider(CATALOG, beside=["load_skill"])


def test_a_conversation_remembers_and_another_does_not() -> None:
    """What is loaded stands in the framework's session, also when that is written to JSON."""
    providers = [SkillIndexProvider(CATALOG)]
    session = AgentSession()

    async def conversation() -> None:
        [first] = await run(LOAD, session, context_providers=providers)
        assert "Use pdftk." in str(first.result)
        kept = AgentSession.from_dict(json.loads(json.dumps(session.to_dict())))
        for same in (session, kept):
            [again] = await run(LOAD, same, context_providers=providers)
            assert "loaded already" in str(again.result)
        [other] = await run(LOAD, AgentSession(), context_providers=providers)
        assert "Use pdftk." in str(other.result)

    asyncio.run(conversation())


@pytest.mark.parametrize("written", ["{broken", '"pdf-forms"', "7", ""])
def test_arguments_that_are_no_object_are_answered(written: str) -> None:
    """The run goes on, and the answer is the toolkit's."""
    [result] = asyncio.run(run([("load_skill", written)], tools=as_tools(CATALOG)))
    assert str(result.result).startswith("Error: load_skill was called with wrong arguments")


def test_many_failures_end_no_run() -> None:
    """A repeated failure is told so, and the framework does not count it as an error of the program."""
    calls: Calls = [("load_skill", {"skill_name": 7})] * 8
    answers = asyncio.run(run(calls, tools=as_tools(CATALOG)))
    assert len(answers) == 8
    assert "failed 8 times" in str(answers[-1].result)
    assert {told(answer)["error"]["code"] for answer in answers} == {"bad-arguments"}


SCRIPTS = SkillCatalog([Skill("clock", "Tell the time.", scripts={"now": lambda: "noon"})])
NOW: Calls = [("run_skill_script", {"skill_name": "clock", "script_name": "now"})]


@pytest.mark.parametrize("yes", [True, False])
def test_scripts_wait_for_approval(yes: bool) -> None:
    """The framework asks; a yes runs the script, a no does not, and nothing else is asked about."""

    async def conversation() -> str:
        client = Scripted([*LOAD, *NOW])
        toolkit = Toolkit(SCRIPTS, runner=FunctionsOnly())
        agent = Agent(client, context_providers=[SkillIndexProvider(toolkit)])
        session = AgentSession()
        asked = await agent.run("go", session=session)
        [request] = asked.user_input_requests
        assert request.function_call is not None
        assert request.function_call.name == "run_skill_script"
        answer = Message("user", [request.to_function_approval_response(approved=yes)])
        done = await agent.run(answer, session=session)
        assert done.text == "done"
        return str(results(client.messages[-1])[-1].result)

    assert ("noon" in asyncio.run(conversation())) is yes


def test_the_hosts_own_approver_can_decide() -> None:
    """With "never_require" the framework does not ask, and the toolkit's approver does."""
    toolkit = Toolkit(SCRIPTS, runner=FunctionsOnly())
    decisions = iter([True, False])
    own = toolkit.approving(lambda _: next(decisions))
    now, then = asyncio.run(run([*NOW, *NOW], tools=as_tools(own, approval_mode="never_require")))
    assert "noon" in str(now.result)
    assert "was not approved" in str(then.result)


def provided(*skills: Skill, runner: FunctionsOnly | None = None) -> maf.SkillsProvider:
    """Return the framework's own provider over our skills, asking about nothing."""
    return maf.SkillsProvider(
        SkillIndexSource(Toolkit(SkillCatalog(skills), runner=runner)),
        disable_load_skill_approval=True,
        disable_read_skill_resource_approval=True,
        disable_run_skill_script_approval=True,
    )


def test_the_frameworks_own_provider_takes_our_skills() -> None:
    """It advertises, loads, reads and runs them; what is hidden or a tool is not among them."""
    now = Skill("clock", "Tell the time.", "Run now.", scripts={"now": lambda zone: f"noon in {zone}"})
    hidden = Skill("secret", "Hidden.", extra={"disable-model-invocation": "true"})
    client = Scripted(
        [
            *LOAD,
            ("read_skill_resource", {"skill_name": "pdf-forms", "resource_name": "refs/fields.md"}),
            ("load_skill", {"skill_name": "clock"}),
            ("run_skill_script", {"skill_name": "clock", "script_name": "now", "args": {"zone": "Rome"}}),
            ("load_skill", {"skill_name": "幻灯片"}),
        ]
    )
    agent = Agent(client, context_providers=[provided(*SKILLS, now, hidden, runner=FunctionsOnly())])
    loaded, read, clock, noon, slides = results(ran(agent, "go").messages)
    advertised = client.options[0]["instructions"]
    assert all(name in advertised for name in ("pdf-forms", "chart-maker", "幻灯片", "clock"))
    assert "secret" not in advertised
    assert "send_mail" not in advertised
    assert "</skills>" not in advertised
    assert "Use pdftk." in str(loaded.result)
    assert "name, date" in str(read.result)
    assert "zone" in str(clock.result)
    assert "noon in Rome" in str(noon.result)
    assert "打开模板。" in str(slides.result)


def test_files_of_a_folder_reach_the_frameworks_provider(tmp_path: Path) -> None:
    """Text and what is none, listed and read; without a runner there are no scripts."""
    (tmp_path / "forms" / "scripts").mkdir(parents=True)
    (tmp_path / "forms" / "SKILL.md").write_text(
        "---\nname: forms\ndescription: Forms.\nallowed-tools: Read Grep\n---\nBody."
    )
    (tmp_path / "forms" / "scripts" / "fill.py").write_text("print(1)")
    (tmp_path / "forms" / "a.bin").write_bytes(b"\xff\xfe")
    source = SkillIndexSource(SkillIndex([DirectorySource(tmp_path)]))

    async def look() -> None:
        [skill] = await source.get_skills(None)
        assert skill.frontmatter.allowed_tools == "Read Grep"
        content = await skill.get_content()
        assert "<available_scripts />" in content
        read = await skill.get_resource("scripts/fill.py")
        assert read is not None
        assert await read.read() == "print(1)"
        odd = await skill.get_resource("a.bin")
        assert odd is not None
        assert await odd.read() == "\ufffd\ufffd"
        assert await skill.get_resource("../x") is None

    asyncio.run(look())


class Counting(maf.ClassSkill):
    """A skill of the framework, made as a class."""

    def __init__(self) -> None:
        super().__init__(frontmatter=maf.SkillFrontmatter(name="counting", description="Count things."))

    @property
    def instructions(self) -> str:
        """What to do."""
        return "Count."

    @property
    def scripts(self) -> list[maf.SkillScript]:
        """What can be run."""
        return [maf.InlineSkillScript(name="double", function=self.double)]

    def double(self, number: int) -> str:
        """Return twice the number."""
        return str(number * 2)


async def late() -> dict[str, int]:
    """Return what is known later."""
    return {"limit": 3}


async def send(to: str, copies: int = 1) -> str:
    """Return what was sent."""
    await asyncio.sleep(0)
    return f"sent to {to}, {copies}"


def inline() -> maf.InlineSkill:
    """Return a skill of the framework, made of functions."""
    about = maf.SkillFrontmatter(
        name="mailing", description="Send mails.", allowed_tools="Read Bash", metadata={"team": "a"}
    )
    return maf.InlineSkill(
        frontmatter=about,
        instructions='Write first. <resource name="not-there"/>',
        resources=[
            maf.InlineSkillResource(name="a&b", content="Dear"),
            maf.InlineSkillResource(name="late", function=late),
        ],
        scripts=[maf.InlineSkillScript(name="send", function=send)],
    )


def test_the_frameworks_skills_come_into_an_index() -> None:
    """Their instructions, resources and scripts are found, read and run by our tools."""
    catalog = SkillCatalog(asyncio.run(from_skills([inline(), Counting()], label="team")))
    mailing = catalog["mailing"]
    assert (mailing.allowed_tools, dict(mailing.metadata)) == (("Read", "Bash"), {"team": "a"})
    assert mailing.origin.label == "team"
    assert catalog["counting"].instructions == "Count."
    assert catalog.search("count the things").names == ("counting",)
    toolkit = Toolkit(catalog, runner=FunctionsOnly())

    def called(tool: str, **arguments: Any) -> str:
        # In a running loop and outside of one.
        async def inside() -> str:
            return toolkit.call(tool, arguments).text

        text = toolkit.call(tool, arguments).text
        assert tool == "load_skill" or asyncio.run(inside()).startswith(text)
        return text

    assert "Write first." in called("load_skill", skill_name="mailing")
    assert "Dear" in called("read_skill_resource", skill_name="mailing", resource_name="a&b")
    assert '"limit": 3' in called("read_skill_resource", skill_name="mailing", resource_name="late")
    run = {"skill_name": "mailing", "script_name": "send"}
    assert "sent to ann, 2" in called("run_skill_script", **run, args={"to": "ann", "copies": "2"})
    assert "sent to bob, 1" in called("run_skill_script", **run, args=["bob"])
    refused = called("run_skill_script", **run, args={"too": "ann"})
    assert "copies" in refused
    double = {"skill_name": "counting", "script_name": "double", "args": {"number": 4}}
    assert "8" in called("run_skill_script", **double)


def test_their_scripts_in_files_are_run_by_their_runner(tmp_path: Path) -> None:
    """A file script gets its list of arguments, and an untrusted label runs nothing unapproved."""

    def runner(skill: maf.FileSkill, script: maf.FileSkillScript, args: Any = None) -> str:
        return f"{script.name} got {args}"

    (tmp_path / "forms" / "scripts").mkdir(parents=True)
    (tmp_path / "forms" / "SKILL.md").write_text("---\nname: forms\ndescription: Forms.\n---\nBody.")
    (tmp_path / "forms" / "scripts" / "fill.py").write_text("print(1)")
    source = maf.FileSkillsSource(str(tmp_path), script_runner=runner)
    call = {"skill_name": "forms", "script_name": "scripts/fill.py", "args": ["x"]}

    async def imported(*, trusted: bool) -> Toolkit:
        theirs = await source.get_skills(maf.SkillsSourceContext(agent=Agent(Scripted())))
        return Toolkit(SkillCatalog(await from_skills(theirs, trusted=trusted)), runner=FunctionsOnly())

    trusted = asyncio.run(imported(trusted=True))
    assert "Body." in trusted.call("load_skill", {"skill_name": "forms"}).text
    assert "fill.py got ['x']" in trusted.call("run_skill_script", call).text
    stranger = asyncio.run(imported(trusted=False)).call("run_skill_script", call)
    assert stranger.error is not None
    assert stranger.error.code == "script-not-allowed"
