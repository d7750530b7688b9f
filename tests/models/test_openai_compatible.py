import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from moot import errors
from moot.models.base import Request
from moot.models.prices import Price
from tests.kit.endpoint import CUT, EMPTY, LENGTH, REFUSAL, TEXT, FakeEndpoint, Fault, fail, say
from tests.kit.exchanges import REQUEST, exchange, ignore, model_at

FORMATS = pytest.mark.parametrize("name", ["test/fake", "anthropic/fake"])
HEARD = pytest.mark.parametrize("hear", [None, ignore], ids=["plain", "stream"])
SCHEMA: dict[str, Any] = {
    "$defs": {"Side": {"enum": ["pro", "con"], "type": "string"}},
    "properties": {
        "side": {"$ref": "#/$defs/Side", "description": "who won"},
        "score": {"type": "integer", "minimum": 1, "maximum": 10},
        "why": {"type": "string", "maxLength": 200, "default": ""},
        "votes": {"type": "array", "items": {"type": "number", "minimum": 0.5}, "minItems": 2},
    },
    "required": ["side", "score", "votes"],
    "type": "object",
}


def request(**changes: Any) -> Request:
    return replace(REQUEST, **changes)


def test_a_plain_call_on_the_wire() -> None:
    reply, fake = exchange(asked=request(max_tokens=77, seed=3))
    assert reply.text == TEXT
    assert reply.finish_reason == "stop"
    assert fake.requests == [
        {
            "model": "fake",
            "messages": [{"role": "system", "content": "You are Ada."}, {"role": "user", "content": "Is it so?"}],
            "max_tokens": 77,
        }
    ]
    assert fake.heads[0][":path"] == "/v1/chat/completions"
    assert fake.heads[0]["authorization"] == "Bearer key"
    assert fake.heads[0]["content-type"] == "application/json"


@HEARD
@pytest.mark.parametrize(("name", "written"), [("test/fake", 0), ("anthropic/fake", 5)])
def test_usage_and_cost(name: str, written: int, hear: Callable[[str], None] | None) -> None:
    """Anthropic counts apart what it wrote to its cache."""
    price = Price(input=10, cached=1, output=20, written=12)
    usage = exchange(on_text=hear, name=name, prices={name: price})[0].usage
    assert (usage.input, usage.cached, usage.output) == (120, 100, 60)
    assert usage.cost == pytest.approx(((20 - written) * 10 + written * 12 + 100 * 1 + 60 * 20) / 1e6)
    assert exchange(on_text=hear, name=name)[0].usage.cost is None


def answering(usage: Any) -> Fault:
    choice = {"message": {"content": "Yes."}, "finish_reason": "stop"}
    return Fault("status", json.dumps({"choices": [choice], "usage": usage}))


def test_odd_usage() -> None:
    deepseek = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}
    reply, _ = exchange([answering(deepseek)])
    assert reply.usage.cached == 4
    figures = {"prompt_tokens": "many", "completion_tokens": -1, "prompt_tokens_details": 3}
    for odd in (None, "none", figures):
        reply, _ = exchange([answering(odd)])
        assert reply.usage.input is None
        assert reply.usage.cost is None


@pytest.mark.parametrize(
    ("name", "own", "charged", "cost"),
    [
        ("openrouter/some/model", None, 0.0125, 0.0125),
        ("openrouter/some/model", Price(input=0, output=0), 0.0125, 0),
        ("test/some", None, 0.0125, None),
        ("openrouter/some/model", None, 0, None),  # it is not free for that
    ],
)
def test_openrouter_says_what_it_charged(name: str, own: Price | None, charged: float, cost: float | None) -> None:
    usage = answering({"prompt_tokens": 9, "completion_tokens": 2, "cost": charged})
    assert exchange([usage], name=name, prices={name: own} if own else {})[0].usage.cost == cost


@FORMATS
def test_streaming_only_when_somebody_listens(name: str) -> None:
    pieces: list[str] = []
    reply, fake = exchange(on_text=pieces.append, name=name)
    assert len(pieces) > 10
    assert "".join(pieces) == reply.text == TEXT
    assert fake.requests[0]["stream"] is True
    if name == "test/fake":
        assert fake.requests[0]["stream_options"] == {"include_usage": True}


@FORMATS
@HEARD
def test_a_reply_cut_at_the_token_limit_says_so(name: str, hear: Callable[[str], None] | None) -> None:
    replies = [exchange(faults, on_text=hear, name=name)[0] for faults in ([LENGTH], ())]
    assert [(reply.text, reply.finish_reason) for reply in replies] == [(TEXT, "length"), (TEXT, "stop")]


NONE = [
    (EMPTY, errors.EmptyReply, "without any text"),
    (say("  \n"), errors.EmptyReply, "without any text"),
    (Fault("answer", "", finish="length"), errors.EmptyReply, "used its whole token limit"),
    (REFUSAL, errors.Refused, "I would rather not."),
]


@HEARD
@pytest.mark.parametrize(
    ("name", "fault", "kind", "words"),
    [
        *((name, *one) for name in ("test/fake", "anthropic/fake") for one in NONE),
        ("test/fake", say("<think>hm, hm"), errors.EmptyReply, "without any text"),
    ],
)
def test_replies_that_are_none(
    name: str, fault: Fault, kind: type[errors.ModelError], words: str, hear: Callable[[str], None] | None
) -> None:
    with pytest.raises(kind, match=words) as caught:
        exchange([fault], on_text=hear, name=name)
    assert type(caught.value) is kind


@FORMATS
def test_a_stream_that_breaks_off_is_no_reply(name: str) -> None:
    with pytest.raises(errors.CutStream):
        exchange([CUT], on_text=ignore, name=name)


def finished_by(reason: Any) -> Fault:
    return Fault("status", json.dumps({"choices": [{"message": {"content": "Yes"}, "finish_reason": reason}]}))


def test_finish_reasons() -> None:
    assert exchange([finished_by("stop")])[0].finish_reason == "stop"
    assert exchange([finished_by(None)])[0].finish_reason == "stop"
    assert exchange([finished_by("model_length")])[0].finish_reason == "length"
    with pytest.raises(errors.Refused, match="content filter"):
        exchange([finished_by("content_filter")])
    with pytest.raises(errors.ServerFault, match="“error”"):
        exchange([finished_by("error")])


@pytest.mark.parametrize("document", [{}, {"choices": []}, {"choices": [7]}, {"choices": [{"message": "x"}]}])
def test_json_that_is_no_reply(document: Any) -> None:
    with pytest.raises(errors.NotAReply):
        exchange([Fault("status", json.dumps(document))])


def stream_of(*events: Any, done: bool = True) -> Fault:
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Fault("status", "".join(lines) + ("data: [DONE]\n\n" if done else ""))


def test_odd_streams() -> None:
    yes = {"choices": [{"delta": {"content": "Yes."}}]}
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    assert exchange([stream_of(yes, end, done=False)], on_text=ignore)[0].text == "Yes."
    assert exchange([stream_of(yes)], on_text=ignore)[0].text == "Yes."
    assert exchange([stream_of({"choices": "?"}, {"choices": [{"delta": 3}]}, yes)], on_text=ignore)[0].text == "Yes."
    with pytest.raises(errors.CutStream):
        exchange([stream_of(yes, done=False)], on_text=ignore)
    with pytest.raises(errors.Refused):
        exchange([stream_of(yes, {"choices": [{"delta": {}, "finish_reason": "content_filter"}]})], on_text=ignore)


def test_text_in_parts() -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Yes."}]
    answer = {"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}
    assert exchange([Fault("status", json.dumps(answer))])[0].text == "Yes."


@pytest.mark.parametrize("hear", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("<think>let me see</think>\n\nYes, it is.", "Yes, it is."),
        ("\n<think> a < b </thin </think> Yes.", "Yes."),
        ("<think></think>Yes.", "Yes."),
        (" I <think> so </think>", " I <think> so </think>"),
        ("<thinking> is hard", "<thinking> is hard"),
        ("<thin", "<thin"),
        ("  Yes. ", "  Yes. "),
    ],
)
def test_leading_thoughts_are_left_out(sent: str, said: str, hear: bool) -> None:
    pieces: list[str] = []
    reply, _ = exchange([say(sent)], on_text=pieces.append if hear else None)
    assert reply.text == said
    if hear:
        assert "".join(pieces) == said


def test_thoughts_are_found_however_the_stream_is_cut() -> None:
    sent, said = "<think>let me see</think> \n Yes, it is.", "Yes, it is."
    for size in (1, 2, 3, 7, 11):
        pieces = [sent[start : start + size] for start in range(0, len(sent), size)]
        heard: list[str] = []
        fault = stream_of(*({"choices": [{"delta": {"content": piece}}]} for piece in pieces))
        assert exchange([fault], on_text=heard.append)[0].text == said
        assert "".join(heard) == said


def test_constrained_output_on_the_wire() -> None:
    before = json.dumps(SCHEMA)
    reply, fake = exchange(asked=request(schema=SCHEMA))
    sent = fake.requests[0]["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["name"] == "reply"
    assert sent["json_schema"]["strict"] is True
    schema = sent["json_schema"]["schema"]
    assert schema["required"] == ["side", "score", "why", "votes"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["side"] == {"$ref": "#/$defs/Side"}
    assert schema["properties"]["score"] == {"type": "integer", "minimum": 1, "maximum": 10}
    assert schema["properties"]["why"]["maxLength"] == 200
    assert json.loads(reply.text) == {"side": "pro", "score": 1, "why": "text", "votes": [0.5, 0.5]}
    assert json.dumps(SCHEMA) == before


def refusing(*formats: str) -> Callable[[int, dict[str, Any]], Fault | None]:
    """A server that does not know these response formats."""

    def judge(number: int, body: dict[str, Any]) -> Fault | None:
        kind = body.get("response_format", {}).get("type")
        return fail(400, f"'response_format.type' {kind} is not supported") if kind in formats else None

    return judge


@HEARD
def test_formats_a_server_does_not_know_are_given_up_once_and_for_all(hear: Callable[[str], None] | None) -> None:
    asked = request(schema=SCHEMA)
    name = f"fallback/{'stream' if hear else 'plain'}"
    _, fake = exchange(refusing("json_schema"), asked, on_text=hear, times=3, name=f"{name}-1")
    assert [body["response_format"]["type"] for body in fake.requests] == ["json_schema"] + ["json_object"] * 3
    _, fake = exchange(refusing("json_schema", "json_object"), asked, on_text=hear, times=3, name=f"{name}-2")
    kinds = [body.get("response_format", {}).get("type") for body in fake.requests]
    assert kinds == ["json_schema", "json_object", None, None, None]


def test_a_schema_stands_in_the_prompt_too_since_many_servers_accept_one_and_ignore_it() -> None:
    for name, faults in (("takes/it", ()), ("takes/none", refusing("json_schema"))):
        _, fake = exchange(faults, request(schema=SCHEMA), name=name)
        assert "response_format" in fake.requests[-1]
        said = fake.requests[-1]["messages"][-1]["content"]
        assert said.startswith("Is it so?\n\n")
        assert said.endswith(json.dumps(SCHEMA))
        assert "JSON" in said  # without the word, servers refuse the format json_object


def test_what_one_model_does_not_know_another_may() -> None:
    async def run() -> list[Any]:
        async with FakeEndpoint(faults=lambda number, body: fail(422, "json schema?") if number == 0 else None) as fake:
            for name in ("apart/one", "apart/two", "apart/one"):
                await model_at(fake.url, name).reply(request(schema=SCHEMA))
            return [body["response_format"]["type"] for body in fake.requests]

    assert asyncio.run(run()) == ["json_schema", "json_object", "json_schema", "json_object"]


def test_other_parts_a_server_does_not_know() -> None:
    def judge(number: int, body: dict[str, Any]) -> Fault | None:
        if "max_tokens" in body:
            return fail(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
        return fail(422, "extra field stream_options") if "stream_options" in body else None

    _, fake = exchange(judge, on_text=ignore, times=2, name="strict/newer")
    assert len(fake.requests) == 4
    assert fake.requests[-1]["max_completion_tokens"] == 4096
    assert "stream_options" not in fake.requests[-1]


def test_a_complaint_about_something_else_is_passed_on() -> None:
    with pytest.raises(errors.Rejected, match="no such voice"):
        exchange([fail(400, "no such voice")], request(schema=SCHEMA))


def through_proxy(monkeypatch: pytest.MonkeyPatch, base_url: str, asked: Request) -> dict[str, Any]:
    """What would go to that address, caught by a proxy."""

    async def run() -> dict[str, Any]:
        async with FakeEndpoint() as proxy:
            monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
            await model_at(base_url, "openai/gpt-x").reply(asked)
            return proxy.requests[0]

    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return asyncio.run(run())


def test_the_dialect_of_openai_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = through_proxy(monkeypatch, "http://api.openai.com/v1", request(schema=SCHEMA, max_tokens=9))
    assert sent["max_completion_tokens"] == 9
    assert "max_tokens" not in sent
    properties = sent["response_format"]["json_schema"]["schema"]["properties"]
    assert properties["why"] == {"type": "string"}  # strict mode refuses a schema with maxLength or default
    assert properties["score"]["maximum"] == 10
    assert sent["messages"][-1]["content"] == "Is it so?", "there the schema binds the model"


def ready(fault_status: int | None, name: str = "test/fake", **settings: Any) -> None:
    async def run() -> None:
        async with FakeEndpoint() as fake:
            url = fake.url if fault_status is None else f"{fake.url}/nowhere"
            await model_at(url, name, **settings).ready()

    asyncio.run(run())


def test_ready() -> None:
    ready(None)
    ready(404)  # a server without a list of models may still answer
    ready(None, "ollama/fake", lists_all=True)
    with pytest.raises(errors.NotReady, match="ollama pull other"):
        ready(None, "ollama/other", lists_all=True)
