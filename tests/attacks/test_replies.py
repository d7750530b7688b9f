"""A server that answers with anything in any place of its reply: a reply or a ModelError, and nothing else."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from moot.errors import ModelError
from moot.models.base import Message, Request
from moot.models.registry import ModelSettings, open_model
from tests.kit.endpoint import FakeEndpoint, Fault
from tests.kit.waiting import PATIENCE

DEEP: Any = json.loads("[" * 800 + "]" * 800)
VALUES: list[Any] = [
    *(None, True, -1, 2**70, 10**400, 1e308, "", "x\x00\ud800"),
    *([], {}, [None], [{"type": "text"}], {"text": []}, DEEP, {"text": DEEP}),
]
USAGE = {"prompt_tokens": 5, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 1}}
ANSWER = {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Hello."}}], "usage": USAGE}
PIECE = {"choices": [{"delta": {"content": "Hello."}, "finish_reason": "stop"}], "usage": USAGE}
MESSAGE = {
    "content": [{"type": "text", "text": "Hello."}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 4, "output_tokens": 4, "cache_read_input_tokens": 2},
}
EVENTS = [
    {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello."}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
    {"type": "message_stop"},
]
ERROR = {"error": {"type": "overloaded_error", "code": "rate_limit_exceeded", "message": "Wait.", "param": None}}
ANSWERS: dict[str, tuple[str, bool, Any]] = {
    "an answer": ("fake/one", False, ANSWER),
    "a stream": ("fake/one", True, [PIECE]),
    "a message": ("anthropic/one", False, MESSAGE),
    "events": ("anthropic/one", True, EVENTS),
    "a bill": ("openrouter/one", False, {**ANSWER, "usage": {**USAGE, "cost": 0.5}}),
    "an error": ("fake/one", False, ERROR),
    "an error in a stream": ("fake/one", True, [ERROR]),
    "an error of events": ("anthropic/one", True, [{"type": "error", **ERROR}]),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def with_value(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    whole = copy.deepcopy(whole)
    place = whole
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return whole


def bodies(whole: Any, *, streamed: bool) -> Iterator[str]:
    for path in places(whole):
        for value in VALUES:
            document = with_value(whole, path, value)
            if streamed:
                events = document if isinstance(document, list) else [document]
                yield "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
            else:
                yield json.dumps(document)


@pytest.mark.parametrize("kind", ANSWERS)
async def test_any_value_in_any_place_is_a_reply_or_a_model_error(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, streamed, whole = ANSWERS[kind]
    made = list(bodies(whole, streamed=streamed))
    async with FakeEndpoint(faults=[Fault("status", body) for body in made]) as endpoint:
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENROUTER_BASE_URL", endpoint.url)
        model = open_model(name, ModelSettings(timeout=PATIENCE))
        request = Request("key", "agent", (Message("user", "Speak."),), max_tokens=50)
        for body in made:
            try:
                reply = await model.reply(request, (lambda _: None) if streamed else None)
            except ModelError:
                continue
            usage = reply.usage
            assert isinstance(reply.text, str), body
            for count in (usage.input, usage.cached, usage.output):
                assert count is None or (type(count) is int and 0 <= count < 10**9), body
            assert usage.cost is None or 0 <= usage.cost < 10**9, body
        assert endpoint.count == len(made)
