"""Tool calls on the wire: those of providers, and the reply in JSON where a server has none."""

import json
from typing import Any

import pytest

from moot.models.base import Message, ModelReply, Request, ToolOffer
from moot.models.tool_calls import wanted
from tests.kit.endpoint import Fault
from tests.kit.exchanges import exchange

OFFER = ToolOffer("search", "Find passages.", {"type": "object", "properties": {"query": {"type": "string"}}})
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"lookups": {"type": "array"}}, "required": ["lookups"]}
REQUEST = Request(
    "A/plan/lookup/1",
    "A",
    (Message("system", "You are Ada."), Message("user", "Look things up.")),
    SCHEMA,
    tools=(OFFER,),
)


def asked(model: str, *answers: Any) -> tuple[ModelReply, list[dict[str, Any]]]:
    """The reply to a request with tools, from a server that gives these answers, and what the server was sent."""
    faults = [Fault("status", json.dumps(one), status=400 if "error" in one else 200) for one in answers]
    reply, fake = exchange(faults, REQUEST, name=f"{model}/x")
    return reply, fake.requests


def chat(message: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": {}}


def test_tool_calls_of_an_openai_compatible_server() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"query": "tea"}'}}
    reply, [sent] = asked("openai", chat({"content": None, "tool_calls": [call]}, "tool_calls"))
    assert json.loads(reply.text) == {"lookups": [{"tool": "search", "arguments": '{"query": "tea"}'}]}
    assert reply.finish_reason == "stop"
    assert sent["tools"][0]["function"]["name"] == "search"
    assert "response_format" not in sent and "stream" not in sent


@pytest.mark.parametrize("message", [{"content": "I know enough."}, {"content": "", "tool_calls": []}])
def test_words_without_a_call_want_nothing(message: dict[str, Any]) -> None:
    reply, _ = asked("openai", chat(message))
    assert json.loads(reply.text) == {"lookups": []}


def test_a_server_without_tool_calls_is_asked_for_json() -> None:
    refused = {"error": {"message": "this model does not support tools"}}
    wish = '{"lookups": [{"tool": "search", "arguments": "{}"}]}'
    reply, [first, second] = asked("openai", refused, chat({"content": wish}))
    assert reply.text == wish
    assert "tools" in first and "tools" not in second
    assert second["response_format"]["json_schema"]["schema"]["required"] == ["lookups"]


def test_tool_calls_of_anthropic() -> None:
    content = [
        {"type": "text", "text": "I shall look."},
        {"type": "tool_use", "id": "1", "name": "search", "input": {"query": "tea"}},
    ]
    reply, [sent] = asked("anthropic", {"content": content, "stop_reason": "tool_use", "usage": {}})
    assert json.loads(reply.text) == {"lookups": [{"tool": "search", "arguments": '{"query": "tea"}'}]}
    assert sent["tools"][0]["input_schema"] == OFFER.parameters
    assert "output_config" not in sent and "stream" not in sent
    assert "JSON Schema" not in json.dumps(sent["messages"])


@pytest.mark.parametrize("calls", [[(None, "{}")], [(7, {})], []])
def test_calls_that_are_none(calls: list[tuple[Any, Any]]) -> None:
    assert json.loads(wanted(calls)) == {"lookups": []}
