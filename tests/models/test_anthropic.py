import asyncio
import json
from typing import Any

import pytest

from moot.models.base import Message, Request
from tests.kit.endpoint import TEXT, FakeEndpoint, Fault, fail
from tests.kit.exchanges import exchange, model_at

MESSAGES = (
    Message("system", "You are Ada."),
    Message("user", "Is it so?"),
    Message("assistant", "It is."),
    Message("system", "Be brief."),
    Message("user", "Why?"),
)
SCHEMA: dict[str, Any] = {
    "properties": {
        "winner": {"enum": ["pro", "con"], "type": "string"},
        "score": {"type": "integer", "minimum": 1, "maximum": 10},
        "minimum": {"type": "string", "maxLength": 5, "default": ""},
    },
    "required": ["winner", "score"],
    "type": "object",
}


def test_a_plain_call_on_the_wire() -> None:
    reply, fake = exchange((), Request("duel/1", "ada", MESSAGES, max_tokens=99), name="anthropic/fake")
    assert reply.text == TEXT
    assert fake.requests == [
        {
            "model": "fake",
            "max_tokens": 99,
            "system": "You are Ada.\n\nBe brief.",
            "messages": [
                {"role": "user", "content": "Is it so?"},
                {"role": "assistant", "content": "It is."},
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "Why?", "cache_control": {"type": "ephemeral"}}],
                },
            ],
        }
    ]
    assert fake.heads[0][":path"] == "/v1/messages"
    assert fake.heads[0]["x-api-key"] == "key"
    assert fake.heads[0]["anthropic-version"] == "2023-06-01"


def test_what_others_are_sent_too_has_a_mark_of_its_own() -> None:
    record = "The record. " * 500 + "\n\n"

    async def run() -> list[dict[str, Any]]:
        async with FakeEndpoint() as fake:
            model = model_at(fake.url, "anthropic/fake")
            for task in ("Weigh it.", "Judge it.", "Answer it."):
                said = (Message("system", "You read."), Message("user", f"{record}{task}"))
                await model.reply(Request("a/b", "a", said))
            return fake.requests

    plain, first, second = (body["messages"][-1]["content"] for body in asyncio.run(run()))
    assert plain == f"{record}Weigh it."
    assert "".join(one["text"] for one in first) == f"{record}Judge it."
    assert first[0] == second[0]
    # What only this request has is read once, so keeping it would cost more than it saves.
    assert [["cache_control" in one for one in blocks] for blocks in (first, second)] == [[True, False]] * 2


def test_constrained_output_on_the_wire() -> None:
    reply, fake = exchange((), Request("duel/1", "ada", MESSAGES, SCHEMA), name="anthropic/fake")
    assert fake.requests[0]["output_config"] == {
        "format": {
            "type": "json_schema",
            "schema": {
                "type": "object",
                "properties": {
                    "winner": {"enum": ["pro", "con"], "type": "string"},
                    "score": {"type": "integer"},
                    "minimum": {"type": "string"},
                },
                "required": ["winner", "score", "minimum"],
                "additionalProperties": False,
            },
        }
    }
    assert json.loads(reply.text)["winner"] == "pro"


def test_a_model_without_constrained_output_is_asked_by_prompt_alone() -> None:
    def judge(number: int, body: dict[str, Any]) -> Fault | None:
        known = "output_config" not in body
        return None if known else fail(400, "output_config.format: not supported by this model")

    _, fake = exchange(judge, Request("duel/1", "ada", MESSAGES, SCHEMA), times=3, name="anthropic/older")
    assert ["output_config" in body for body in fake.requests] == [True, False, False, False]
    # The schema in words stands behind the mark of the cache: the next request is without it.
    before, after = ([*body["messages"][-1]["content"]] for body in (fake.requests[0], fake.requests[-1]))
    assert after[:-1] == before
    assert "cache_control" in before[-1]
    assert json.dumps(SCHEMA) in after[-1]["text"]
    assert "cache_control" not in after[-1]


@pytest.mark.parametrize("name", ["fake", "other"])
async def test_only_the_server_of_anthropic_is_known_to_list_every_model(name: str) -> None:
    async with FakeEndpoint() as fake:
        await model_at(fake.url, f"anthropic/{name}").ready()
