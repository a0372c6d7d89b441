"""The two APIs that take plain data: the contract, their envelopes, and their clients' own models."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import TypeAdapter

from skill_index import Skill, SkillCatalog
from skill_index.adapters import anthropic, openai
from skill_index.adapters.hosting import Skills, carried, from_json, instructions
from skill_index.tools import Toolkit
from tests.adapters.contract import SKILLS, Answer, Contract, Declared

CATALOG = SkillCatalog(SKILLS)


class TestAnthropic(Contract):
    """The Messages API."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As they are sent."""
        tools = anthropic.as_tools(skills, beside=beside)
        return [Declared(tool["name"], tool["description"], tool["input_schema"]) for tool in tools]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a block."""
        block = {"type": "tool_use", "id": "use-1", "name": name, "input": arguments}
        result = await anthropic.aanswer(toolkit, block)
        assert result["tool_use_id"] == "use-1"
        return Answer(result["content"][0]["text"], bool(result.get("is_error")))


class TestOpenAIResponses(Contract):
    """The Responses API."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As they are sent."""
        tools = openai.as_tools(skills, beside=beside)
        assert all(tool["strict"] is False for tool in tools)
        return [Declared(tool["name"], tool["description"], tool["parameters"]) for tool in tools]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As an item, with arguments as JSON text."""
        item = {"type": "function_call", "call_id": "c1", "name": name, "arguments": json.dumps(arguments)}
        output = await openai.aanswer(toolkit, item)
        assert (output["type"], output["call_id"]) == ("function_call_output", "c1")
        return Answer(output["output"])


class TestOpenAIChat(Contract):
    """The Chat Completions API."""

    def declare(self, skills: Skills, beside: Iterable[str] = ()) -> list[Declared]:
        """As they are sent."""
        functions = [tool["function"] for tool in openai.as_tools(skills, api="chat", beside=beside)]
        return [Declared(one["name"], one["description"], one["parameters"]) for one in functions]

    async def call(self, toolkit: Toolkit, name: str, arguments: dict[str, Any]) -> Answer:
        """As a tool call of a message, given as an object."""
        function = SimpleNamespace(name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        call = SimpleNamespace(id="c2", type="function", function=function)
        message = await openai.aanswer(toolkit, call)
        assert (message["role"], message["tool_call_id"]) == ("tool", "c2")
        return Answer(message["content"])


def use(tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return a tool_use block."""
    return {"type": "tool_use", "id": f"use-{tool}", "name": tool, "input": arguments}


def test_only_our_calls_of_a_message_are_answered() -> None:
    """Text and the host's own tools stay the host's; the order is kept."""
    content = [
        {"type": "text", "text": "Let me see."},
        use("describe_skill", name="chart"),
        use("web_search", query="x"),
        {"type": "tool_use", "id": "odd", "name": ["load_skill"], "input": {}},
        SimpleNamespace(type="tool_use", id="use-2", name="load_skill", input={"skill_name": "pdf-forms"}),
    ]
    results = anthropic.answers(Toolkit(CATALOG), content)
    assert [result["tool_use_id"] for result in results] == ["use-describe_skill", "use-2"]
    items = [
        {"type": "reasoning"},
        {"type": "function_call", "call_id": "a", "name": "load_skill", "arguments": '{"skill_name": "x"}'},
        {"type": "function_call", "call_id": "b", "name": "web_search", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "c", "name": "load_skill", "input": "x"},
    ]
    assert [output["call_id"] for output in openai.answers(Toolkit(CATALOG), items)] == ["a"]
    assert openai.answers(Toolkit(CATALOG), None) == anthropic.answers(Toolkit(CATALOG), None) == []


def test_an_api_that_is_none_is_refused() -> None:
    """Definitions of the other form would be refused by the API, far from here."""
    with pytest.raises(ValueError, match="there is no API 'assistants'; take 'responses' or 'chat'"):
        openai.as_tools(CATALOG, api="assistants")  # type: ignore[arg-type]


def test_found_deferred_tools_are_referred_to() -> None:
    """A tool that waits is referred to if it was sent; a skill or an unsent tool never is."""
    deferred = anthropic.deferred_tools(CATALOG)
    assert [(tool["name"], tool["defer_loading"]) for tool in deferred] == [("send_mail", True)]
    asked = use("describe_skill", name="send mail")
    found = anthropic.answer(Toolkit(CATALOG), asked, deferred=["send_mail"])
    assert found["content"][1:] == [{"type": "tool_reference", "tool_name": "send_mail"}]
    unsent = anthropic.answer(Toolkit(CATALOG), asked)
    assert len(unsent["content"]) == 1
    missed = anthropic.answer(Toolkit(CATALOG), use("load_skill", skill_name="x"), deferred=["send_mail"])
    assert missed["is_error"]
    assert len(missed["content"]) == 1


def test_a_tool_whose_name_the_api_refuses_is_not_sent() -> None:
    """One bad name would make the API refuse the whole request."""
    catalog = SkillCatalog([Skill("mail.send now", "Send.", input_schema={"type": "object"})])
    assert anthropic.deferred_tools(catalog) == []


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("  ", {}),
        ("{broken", "{broken"),
        ("[" * 100_000, "[" * 100_000),
        (b'{"a": 1}', {"a": 1}),
        (b"\xff", "\ufffd"),
        (None, None),
        ({"a": 1}, {"a": 1}),
        ('{"a": "\\ud800"}', {"a": "\ud800"}),
    ],
)
def test_arguments_are_read_or_passed_on(text: object, arguments: object) -> None:
    """Broken JSON is no exception: the toolkit answers it."""
    assert from_json(text) == arguments
    call = {"type": "function_call", "call_id": "c", "name": "describe_skill", "arguments": text}
    if text is not None and arguments != {"a": 1}:
        assert openai.answer(Toolkit(CATALOG), call)["output"].startswith("Error: ")


def test_prompts_name_the_tools_there_are() -> None:
    """The section speaks of the toolkit's names, and loaded skills are carried until they are unloaded."""
    toolkit = Toolkit(CATALOG).prefixed("my_")
    assert "my_describe_skill(" in instructions(toolkit)
    assert instructions(Toolkit(SkillCatalog([]))) == ""
    assert carried(toolkit) == ""
    toolkit.call("my_load_skill", {"skill_name": "pdf-forms"})
    assert "Use pdftk." in carried(toolkit)
    toolkit.session.on_evicted(["pdf-forms"])
    assert "my_load_skill" in carried(toolkit)


def test_the_clients_own_models_take_what_is_sent() -> None:
    """Definitions and results pass the vendors' published types, with nothing they do not know."""
    types = pytest.importorskip("anthropic.types", reason="needs the package anthropic")
    for tool in [*anthropic.as_tools(CATALOG), *anthropic.deferred_tools(CATALOG)]:
        assert TypeAdapter(types.ToolParam).validate_python(tool) == tool
    result = anthropic.answer(
        Toolkit(CATALOG), use("describe_skill", name="send mail"), deferred=["send_mail"]
    )
    text, reference = result["content"]
    # The type of the whole is a lazy iterable of a recursive union, so its parts are checked one by one.
    assert set(result) <= set(types.ToolResultBlockParam.__annotations__)
    assert TypeAdapter(types.TextBlockParam).validate_python(text) == text
    assert TypeAdapter(types.ToolReferenceBlockParam).validate_python(reference) == reference
    block = types.ToolUseBlock(id="u", name="load_skill", input={"skill_name": "pdf-forms"}, type="tool_use")
    assert anthropic.answers(Toolkit(CATALOG), [block])[0]["tool_use_id"] == "u"


def test_the_other_clients_own_models_take_what_is_sent() -> None:
    """The same for both APIs of the other vendor."""
    responses = pytest.importorskip("openai.types.responses", reason="needs the package openai")
    chat = pytest.importorskip("openai.types.chat", reason="needs the package openai")
    for tool in openai.as_tools(CATALOG):
        assert TypeAdapter(responses.FunctionToolParam).validate_python(tool) == tool
    for tool in openai.as_tools(CATALOG, api="chat"):
        assert TypeAdapter(chat.ChatCompletionFunctionToolParam).validate_python(tool) == tool
    call = responses.ResponseFunctionToolCall(
        arguments='{"skill_name": "pdf-forms"}', call_id="c", name="load_skill", type="function_call"
    )
    [output] = openai.answers(Toolkit(CATALOG), [call])
    assert responses.response_input_param.FunctionCallOutput.__required_keys__ <= set(output)
    message = chat.ChatCompletionMessage.model_validate(
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "t", "type": "function", "function": {"name": "load_skill", "arguments": "{}"}}
            ],
        }
    )
    [reply] = openai.answers(Toolkit(CATALOG), message.tool_calls)
    assert TypeAdapter(chat.ChatCompletionToolMessageParam).validate_python(reply) == reply


def test_both_doors_give_one_answer() -> None:
    """Waiting or not, the answer is the same."""
    block = use("describe_skill", name="chart")
    assert anthropic.answer(Toolkit(CATALOG), block) == asyncio.run(
        anthropic.aanswer(Toolkit(CATALOG), block)
    )
