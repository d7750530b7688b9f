import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from moot import errors
from moot.models.anthropic import Anthropic
from moot.models.base import Message, Model, ModelReply, Request
from moot.models.http import Endpoint
from moot.models.prices import Price
from tests.kit.endpoint import (
    CUT,
    EMPTY,
    LENGTH,
    REFUSAL,
    TEXT,
    FakeEndpoint,
    Fault,
    Faults,
    fail,
)
from tests.kit.waiting import PATIENCE

KEY = "sk-ant-secret-0123"
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


def ignore(piece: str) -> None:
    pass


def exchange(
    faults: Faults = (),
    *,
    on_text: Callable[[str], None] | None = None,
    times: int = 1,
    name: str = "fake",
    schema: dict[str, Any] | None = None,
    prices: dict[str, Price] | None = None,
) -> tuple[ModelReply, FakeEndpoint]:
    async def run() -> tuple[ModelReply, FakeEndpoint]:
        async with FakeEndpoint(faults=faults) as fake:
            headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
            base_url = fake.url.removesuffix("/v1")
            endpoint = Endpoint(base_url, headers, KEY, "ANTHROPIC_API_KEY", timeout=PATIENCE)
            model: Model = Anthropic(f"anthropic/{name}", name, endpoint, prices or {})
            request = Request("duel/1", "ada", MESSAGES, schema=schema, max_tokens=99)
            replies = [await model.reply(request, on_text) for _ in range(times)]
            return replies[-1], fake

    return asyncio.run(run())


def test_a_plain_call_on_the_wire() -> None:
    reply, fake = exchange()
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
    assert fake.heads[0]["x-api-key"] == KEY
    assert fake.heads[0]["anthropic-version"] == "2023-06-01"


def test_what_others_are_sent_too_has_a_mark_of_its_own() -> None:
    record = "The record. " * 500 + "\n\n"

    async def run() -> list[dict[str, Any]]:
        async with FakeEndpoint() as fake:
            model = Anthropic("anthropic/fake", "fake", Endpoint(fake.url.removesuffix("/v1"), {}, KEY, "KEY"))
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


@pytest.mark.parametrize("hear", [None, ignore], ids=["plain", "stream"])
def test_usage_counts_what_was_cached_as_input(hear: Callable[[str], None] | None) -> None:
    price = Price(input=10, cached=1, output=20, written=12)
    reply, _ = exchange(on_text=hear, prices={"anthropic/fake": price})
    usage = reply.usage
    assert (usage.input, usage.cached, usage.output) == (120, 100, 60)
    assert usage.cost == pytest.approx((15 * 10 + 100 * 1 + 5 * 12 + 60 * 20) / 1e6)


def test_a_stream() -> None:
    pieces: list[str] = []
    reply, fake = exchange(on_text=pieces.append)
    assert len(pieces) > 10
    assert "".join(pieces) == reply.text == TEXT
    assert fake.requests[0]["stream"] is True


@pytest.mark.parametrize("hear", [None, ignore], ids=["plain", "stream"])
def test_a_reply_cut_at_the_token_limit_says_so(hear: Callable[[str], None] | None) -> None:
    assert exchange([LENGTH], on_text=hear)[0].finish_reason == "length"
    assert exchange(on_text=hear)[0].finish_reason == "stop"


@pytest.mark.parametrize("hear", [None, ignore], ids=["plain", "stream"])
@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (EMPTY, errors.EmptyReply, "without any text"),
        (Fault("answer", "", finish="length"), errors.EmptyReply, "used its whole token limit"),
        (REFUSAL, errors.Refused, "I would rather not."),
        (fail(401, f"bad {KEY}", "authentication_error"), errors.Unauthorised, "ANTHROPIC_API_KEY"),
    ],
)
def test_replies_that_are_none(
    fault: Fault, kind: type[errors.ModelError], words: str, hear: Callable[[str], None] | None
) -> None:
    with pytest.raises(kind, match=words) as caught:
        exchange([fault], on_text=hear)
    assert type(caught.value) is kind
    assert KEY not in str(caught.value)


def test_a_stream_that_breaks_off_is_no_reply() -> None:
    with pytest.raises(errors.CutStream):
        exchange([CUT], on_text=ignore)


def test_an_error_in_the_middle_of_a_stream() -> None:
    busy = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    with pytest.raises(errors.ServerFault, match="Overloaded"):
        exchange([Fault("status", f"event: error\ndata: {json.dumps(busy)}\n\n")], on_text=ignore)


def test_constrained_output_on_the_wire() -> None:
    reply, fake = exchange(schema=SCHEMA)
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

    _, fake = exchange(judge, times=3, name="older", schema=SCHEMA)
    assert ["output_config" in body for body in fake.requests] == [True, False, False, False]
    # The schema in words stands behind the mark of the cache: the next request is without it.
    before, after = ([*body["messages"][-1]["content"]] for body in (fake.requests[0], fake.requests[-1]))
    assert after[:-1] == before
    assert "cache_control" in before[-1]
    assert json.dumps(SCHEMA) in after[-1]["text"]
    assert "cache_control" not in after[-1]


def test_ready() -> None:
    async def ready(name: str, path: str = "") -> None:
        async with FakeEndpoint() as fake:
            endpoint = Endpoint(fake.url.removesuffix("/v1") + path, {}, KEY, "ANTHROPIC_API_KEY")
            await Anthropic(f"anthropic/{name}", name, endpoint).ready()

    asyncio.run(ready("fake"))
    asyncio.run(ready("other"))  # only Anthropic's own server is known to list every model
