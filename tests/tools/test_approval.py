"""Approvals: what is asked, what counts as a yes, and a standing one that falls with any change."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skill_index import Origin, Skill, SkillCatalog, SkillIndex
from skill_index.errors import ToolkitError
from skill_index.resources import InlineResources
from skill_index.running import ScriptCall, ScriptResult, SubprocessRunner
from skill_index.tools import Approval, Decision, Event, Session, Toolkit, ToolReply, approval, content_hash

RUN = "run_skill_script"
FILES = {
    "SKILL.md": "---\nname: kit\ndescription: A kit.\n---\nBody.\n",
    "scripts/a.py": "print(open('data/words.txt').read(), end='')",
    "data/words.txt": "words",
    "references/guide.md": "guide",
}


class Asked:
    """An approver that answers the same each time and keeps what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer, self.asked = answer, list[Approval]()

    def __call__(self, asked: Approval) -> Any:
        """Keep the question; raise or return the answer."""
        self.asked.append(asked)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """Make a skill with a script that reads another of its files."""
    folder = tmp_path / "skills" / "kit"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def tools(kit: Path, **more: Any) -> Toolkit:
    """Return the tools over that skill, read again at each use."""
    return Toolkit(SkillIndex.from_paths(kit.parent, refresh_interval=0), runner=SubprocessRunner(), **more)


def untrusted(catalog: SkillCatalog) -> SkillCatalog:
    """Return the same skills from an origin that is not trusted."""
    origins = ((skill, dataclasses.replace(skill.origin, trusted=False)) for skill in catalog.values())
    return SkillCatalog(dataclasses.replace(skill, origin=origin) for skill, origin in origins)


def run(toolkit: Toolkit, args: object = None) -> ToolReply:
    """Run its script."""
    return toolkit.call(RUN, {"skill_name": "KIT", "script_name": "scripts/a.py", "args": args})


def test_an_approver_sees_what_is_to_happen(kit: Path) -> None:
    """The tool, the skill by its id, the script, the arguments and a hash of all of it."""
    asked = Asked(True)
    toolkit = tools(kit).approving(asked)
    assert run(toolkit, {"n": [1]}).error is None
    skill = toolkit.catalog()["kit"]
    (approval,) = asked.asked
    assert (approval.tool, approval.skill, approval.script) == (RUN, "skills:kit", "scripts/a.py")
    assert approval.arguments["args"]["n"] == (1,)
    assert approval.content_hash == content_hash(skill)
    assert len(approval.content_hash) == 64


NO: list[object] = [
    False,
    None,
    0,
    1,
    "yes",
    [],
    {},
    Decision.REFUSE,
    "once",
    object(),
    RuntimeError("closed"),
]


@pytest.mark.parametrize("answer", NO, ids=repr)
def test_whatever_is_not_a_yes_is_a_no(kit: Path, answer: object) -> None:
    """Also an approver that fails; nothing runs, and the model is told not to try again."""
    reply = run(tools(kit).approving(Asked(answer)))
    assert reply.error is not None
    assert (reply.error.code, reply.error.retryable) == ("not-approved", False)
    assert reply.text == f"Error: {RUN} was not approved.\nNext: go on without it, or ask the user."
    assert reply.data is None


CANNOT_RUN = [
    ({"skill_name": "kit", "script_name": "scripts/b.py"}, "script-not-found"),
    ({"skill_name": "kit", "script_name": "data/words.txt"}, "not-a-script"),
    ({"skill_name": "kit", "script_name": "../kit/scripts/a.py"}, "script-not-found"),
    ({"skill_name": "none", "script_name": "scripts/a.py"}, "skill-not-found"),
    ({"skill_name": "kit"}, "bad-arguments"),
]


@pytest.mark.parametrize(("arguments", "code"), CANNOT_RUN)
def test_nobody_is_asked_about_what_cannot_run(kit: Path, arguments: dict[str, Any], code: str) -> None:
    """The model learns what is wrong, not that permission is all that is missing."""
    asked = Asked(False)
    toolkit = tools(kit).approving(asked)
    reply = toolkit.call(RUN, arguments)
    assert reply.error is not None
    assert (reply.error.code, asked.asked, toolkit.approval(RUN, arguments)) == (code, [], None)


def test_a_host_that_asks_by_itself_gets_the_same_question(kit: Path) -> None:
    """What `approval` returns is what an approver would be called with."""
    asked = Asked(True)
    toolkit = tools(kit).approving(asked)
    call = {"skill_name": "KIT", "script_name": "scripts/a.py"}
    toolkit.call(RUN, call)
    assert toolkit.approval(RUN, call) == asked.asked[0]
    assert toolkit.approval("nothing", {}) is None


@pytest.mark.parametrize(("answer", "times"), [(True, 3), (Decision.ONCE, 3), (Decision.WHILE_UNCHANGED, 1)])
def test_a_yes_holds_once_or_while_nothing_changes(kit: Path, answer: object, times: int) -> None:
    """A standing one is for any arguments of that script."""
    asked = Asked(answer)
    toolkit = tools(kit).approving(asked)
    for number in range(3):
        assert run(toolkit, [number]).error is None
    assert len(asked.asked) == times


def change(name: str, text: str) -> Callable[[Path], object]:
    """Return what writes a file."""
    return lambda kit: (kit / name).write_text(text, "utf-8")


CHANGES: dict[str, Callable[[Path], object]] = {
    "the script": change("scripts/a.py", "print(1)"),
    "a file it reads": change("data/words.txt", "other"),
    "a file it does not read": change("references/guide.md", "other"),
    "the instructions": change("SKILL.md", FILES["SKILL.md"] + "More."),
    "the front matter": change("SKILL.md", FILES["SKILL.md"].replace("A kit.", "A tool.")),
    "a new file": change("scripts/os.py", "evil"),
    "a file gone": lambda kit: (kit / "references/guide.md").unlink(),
    "a file renamed": lambda kit: (kit / "references/guide.md").rename(kit / "references/other.md"),
    "a link put in": lambda kit: (kit / "link").symlink_to("scripts"),
}


@pytest.mark.parametrize("changed", CHANGES.values(), ids=CHANGES)
def test_a_standing_yes_falls_with_any_change(kit: Path, changed: Callable[[Path], object]) -> None:
    """It is asked again, and the former yes does not come back with the former content."""
    asked = Asked(Decision.WHILE_UNCHANGED)
    toolkit = tools(kit).approving(asked)
    run(toolkit)
    changed(kit)
    asked.answer = False
    reply = run(toolkit)
    assert reply.error is not None
    assert reply.error.code == "not-approved"
    assert len(asked.asked) == 2
    assert asked.asked[0].content_hash != asked.asked[1].content_hash


@pytest.mark.parametrize("name", ["data/words.txt", "scripts/a.py"])
def test_what_changes_between_the_yes_and_the_run_is_not_run(kit: Path, name: str) -> None:
    """A person may take minutes; the hash is taken again before anything starts."""

    def slowly(_: Approval) -> bool:
        (kit / name).write_text("print('evil')", "utf-8")
        return True

    reply = run(tools(kit).approving(slowly))
    assert reply.error is not None
    assert (reply.error.code, reply.data) == ("script-not-allowed", None)
    assert "a file of the skill changed after the call was approved" in reply.text
    assert "evil" not in reply.text


def test_a_standing_yes_is_for_one_conversation(kit: Path) -> None:
    """It holds wherever its session is given again, in no other, and not under another approver."""
    asked = Asked(Decision.WHILE_UNCHANGED)
    toolkit, ann, bob = tools(kit).approving(asked), Session(), Session()
    for session, times in [(ann, 1), (ann, 1), (bob, 2), (ann, 2), (bob, 2), (Session(), 3)]:
        assert run(toolkit.with_session(session)).error is None
        assert len(asked.asked) == times
    stricter = Asked(False)
    assert run(toolkit.approving(stricter).with_session(ann)).error is not None
    assert len(stricter.asked) == 1


def test_a_standing_yes_is_for_one_script_of_one_skill(kit: Path) -> None:
    """Another script, or a skill with the same files, is another question."""
    (kit / "scripts/b.py").write_text("print(2)", "utf-8")
    asked = Asked(Decision.WHILE_UNCHANGED)
    toolkit = tools(kit).approving(asked)
    run(toolkit)
    toolkit.call(RUN, {"skill_name": "kit", "script_name": "scripts/b.py"})
    assert [one.script for one in asked.asked] == ["scripts/a.py", "scripts/b.py"]


def test_a_file_too_large_to_hash_gets_no_standing_yes(kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content is not in the hash, so each run is asked for; its size is."""
    monkeypatch.setattr(approval, "HASHED_BYTES", 100)
    (kit / "big.bin").write_bytes(b"x" * 101)
    asked = Asked(Decision.WHILE_UNCHANGED)
    toolkit = tools(kit).approving(asked)
    for _ in range(2):
        assert run(toolkit).error is None
    (kit / "big.bin").write_bytes(b"x" * 102)
    assert run(toolkit).error is None
    hashes = [one.content_hash for one in asked.asked]
    assert all(hashed.startswith("partial:") for hashed in hashes)
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_hash_is_over_all_of_a_skill() -> None:
    """Each part counts, none can pass for another, and any text can be hashed."""

    def one() -> None: ...

    def two() -> None: ...

    skills = [
        Skill("kit", "d"),
        Skill("kit", "d", "b"),
        Skill("kit", "d", resources=InlineResources({"a": "b"})),
        Skill("kit", "d", resources=InlineResources({"a": "c"})),
        Skill("kit", "d", resources=InlineResources({"a\0b": "c"})),
        Skill("kit", "d", resources=InlineResources({"a": lambda: "b"})),
        Skill("kit", "d", scripts={"a": one}),
        Skill("kit", "d", scripts={"a": two}),
        Skill("kit", "d", scripts={"\ud800": one}),
        Skill("kit", "d", digest="é"),
    ]
    assert len({content_hash(skill) for skill in skills}) == len(skills)
    assert content_hash(skills[0]) == content_hash(Skill("kit", "d"))


def test_a_question_that_makes_no_sense_is_not_asked(kit: Path) -> None:
    """There is no such skill: the tool says so."""
    asked = Asked(True)
    reply = tools(kit).approving(asked).call(RUN, {"skill_name": "kitt", "script_name": "a.py"})
    assert reply.error is not None
    assert reply.error.code == "skill-not-found"
    assert asked.asked == []


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("scripts/b.py", "script-not-found"),
        ("scripts", "script-not-found"),
        ("references/guide.md", "not-a-script"),
        ("../kit/scripts/a.py", "script-not-found"),
    ],
)
@pytest.mark.parametrize("trusted", [True, False])
def test_what_cannot_run_is_not_asked_about(kit: Path, script: str, code: str, *, trusted: bool) -> None:
    """The answer is that after a yes, and names what can be run; what can be run is asked about still."""
    asked, events = Asked(True), list[Event]()
    toolkit = tools(kit, view=None if trusted else untrusted, on_event=events.append).approving(asked)
    reply = toolkit.call(RUN, {"skill_name": "kit", "script_name": script})
    assert reply.error is not None
    assert [(event.kind, event.code, event.name) for event in events] == [("refused", code, script)]
    assert (reply.error.code, reply.error.nearby) == (code, ("scripts/a.py",))
    assert asked.asked == []
    assert run(toolkit).error is None
    assert len(asked.asked) == 1


@pytest.mark.parametrize("also", [[], ["describe_skill"], ["load_skill"], ["read_skill_resource"]])
def test_files_behind_approval_are_not_named_before_a_yes(kit: Path, also: list[str]) -> None:
    """Where a skill may be loaded or read after a yes only, nothing of its files is told without one."""
    asked = Asked(False)
    reply = tools(kit).approving(asked, [RUN, *also]).call(RUN, {"skill_name": "kit", "script_name": "b.py"})
    assert reply.error is not None
    hidden = bool({"load_skill", "read_skill_resource"}.intersection(also))
    assert reply.error.code == ("not-approved" if hidden else "script-not-found")
    assert ("a.py" in reply.text) is not hidden
    assert len(asked.asked) == hidden


@pytest.mark.parametrize("tool", ["load_skill", "list_skills", "describe_skill", "read_skill_resource"])
def test_any_tool_can_be_asked_for(kit: Path, tool: str) -> None:
    """Those that belong to a skill with its hash, the others without."""
    asked = Asked(False)
    toolkit = tools(kit).approving(asked, [tool])
    arguments = {
        "load_skill": {"skill_name": "kit"},
        "list_skills": {},
        "describe_skill": {"name": "kit"},
        "read_skill_resource": {"skill_name": "kit", "resource_name": "SKILL.md"},
    }
    reply = toolkit.call(tool, arguments[tool])
    assert reply.error is not None
    assert reply.error.code == "not-approved"
    (approval,) = asked.asked
    assert (approval.skill, approval.content_hash != "") == (
        ("skills:kit", True) if "skill_name" in arguments[tool] else ("", False)
    )
    assert run(toolkit).error is None


def test_a_renamed_tool_is_still_asked_for(kit: Path) -> None:
    """Before and after it got its name; the answer speaks of the name the model knows."""
    for toolkit in (
        tools(kit).approving(lambda _: False).prefixed("x_"),
        tools(kit).prefixed("x_").approving(lambda _: False),
    ):
        reply = toolkit.call("x_" + RUN, {"skill_name": "kit", "script_name": "scripts/a.py"})
        assert reply.text.startswith("Error: x_run_skill_script was not approved.")


def test_asking_for_a_tool_that_is_not_there_is_a_mistake(kit: Path) -> None:
    """Who thinks to be asked must not be passed over."""
    without = Toolkit(SkillIndex.from_paths(kit.parent))
    with pytest.raises(ToolkitError, match="there is no tool 'run_skill_script' here"):
        without.approving(lambda _: True)
    with pytest.raises(ToolkitError, match="there is no tool 'run' here"):
        tools(kit).approving(lambda _: True, ["run"])


def test_an_event_of_a_refusal_tells_no_arguments(kit: Path) -> None:
    """Only that it was refused."""
    events: list[Event] = []
    toolkit = tools(kit, on_event=events.append).approving(lambda _: False)
    run(toolkit, ["password"])
    assert [(event.kind, event.code) for event in events] == [("refused", "not-approved")]
    assert "password" not in events[0].to_json()


class Waiting:
    """A runner that answers at once."""

    def supports(self, script: str) -> bool:
        """Any file that has a name."""
        return bool(script)

    def run(self, call: ScriptCall) -> ScriptResult:
        """Say which."""
        return ScriptResult(0, stdout=call.script)


def test_two_threads_that_ask_wait_for_nobody() -> None:
    """One question is open while another call is answered by its own."""
    opened, answered = threading.Event(), threading.Event()

    def slowly(asked: Approval) -> bool:
        if asked.script == "a.py":
            opened.set()
            return answered.wait(10)
        return True

    skill = Skill(
        "kit", "d", resources=InlineResources({"a.py": "", "b.py": ""}), origin=Origin(trusted=False)
    )
    toolkit = Toolkit(SkillCatalog([skill]), runner=Waiting(), session=Session()).approving(slowly)
    replies: list[ToolReply] = []
    call = {"skill_name": "kit", "script_name": "a.py"}
    thread = threading.Thread(target=lambda: replies.append(toolkit.call(RUN, call)))
    thread.start()
    assert opened.wait(10)
    assert toolkit.call(RUN, {"skill_name": "kit", "script_name": "b.py"}).error is None
    answered.set()
    thread.join()
    assert replies[0].error is None
