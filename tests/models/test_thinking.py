"""Models that think before they answer: how much, what it takes, and that nobody else sees their thoughts."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moot
from moot import errors
from moot.models.base import Message, ModelReply, Request, Sampling, Usage
from moot.models.registry import ModelSettings, open_model
from moot.testing.endpoint import CUT, TEXT, FakeEndpoint, Fault, Faults, fail
from tests.kit.command import empty_place
from tests.kit.duels import ADA, BO, KIM

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
ONLY_RESPONSES = "This model is only supported in v1/responses and not in v1/chat/completions."


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return empty_place(tmp_path, monkeypatch)


def asked(
    provider: str,
    monkeypatch: pytest.MonkeyPatch,
    faults: Faults = (),
    on_text: Callable[[str], None] | None = None,
    **more: Any,
) -> tuple[ModelReply, FakeEndpoint]:
    request = Request("k", "ada", (Message("system", "Be Ada."), Message("user", "Is it so?")), **more)

    async def ask() -> tuple[ModelReply, FakeEndpoint]:
        async with FakeEndpoint(faults=faults) as fake:
            monkeypatch.setenv(f"{provider.upper()}_BASE_URL", fake.url)
            return await open_model(f"{provider}/m", ModelSettings()).reply(request, on_text), fake

    return asyncio.run(ask())


def body(content: str, usage: dict[str, Any], **message: Any) -> Fault:
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}
    return Fault("status", json.dumps({"choices": [choice], "usage": usage}), status=200)


@pytest.mark.parametrize(
    ("usage", "output", "thinking"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 90, "total_tokens": 99}, 90, None),
        (  # OpenAI: thoughts are among what was written
            {
                "prompt_tokens": 9,
                "completion_tokens": 90,
                "total_tokens": 99,
                "completion_tokens_details": {"reasoning_tokens": 80},
            },
            90,
            80,
        ),
        (  # xAI: thoughts come on top, and are in the total alone
            {
                "prompt_tokens": 9,
                "completion_tokens": 10,
                "total_tokens": 99,
                "completion_tokens_details": {"reasoning_tokens": 80},
            },
            90,
            80,
        ),
        ({"prompt_tokens": 9, "completion_tokens": 10, "total_tokens": 99}, 90, 80),  # Gemini says nothing else
    ],
)
def test_thoughts_are_counted_and_priced(
    usage: dict[str, Any], output: int, thinking: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    thoughts = {"reasoning_content": "Hm, hm.", "reasoning": "Hm, hm."}
    reply, _ = asked("mine", monkeypatch, [body("Yes.", usage, **thoughts)])
    assert (reply.text, reply.usage) == ("Yes.", Usage(9, None, output, None, thinking))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Let me see.\nIt is.\n</think>\n\nYes, it is.", "Yes, it is."),
        ("The tag </think> ends thoughts.", "The tag </think> ends thoughts."),
        ("It ends so: </think>\n", "It ends so: </think>\n"),
    ],
)
def test_thoughts_that_begin_in_the_prompt(said: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked("mine", monkeypatch, [body(said, {})])[0].text == text


def test_effort_is_sent_as_each_provider_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Sampling(effort="low")
    sent = asked("mine", monkeypatch, sampling=low)[1].requests[0]
    assert (sent["reasoning_effort"], "effort" in sent) == ("low", False)
    sent = asked("anthropic", monkeypatch, sampling=low, schema=SCHEMA)[1].requests[0]
    assert (sent["thinking"], sent["output_config"]["effort"]) == ({"type": "adaptive"}, "low")
    assert sent["output_config"]["format"]["type"] == "json_schema"
    sent = asked("anthropic", monkeypatch, sampling=Sampling(effort="none"))[1].requests[0]
    assert (sent["thinking"], "output_config" in sent) == ({"type": "disabled"}, False)


def test_models_that_take_no_effort_get_a_number_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [fail(400, "This model does not support the effort parameter.", "invalid_request_error")]
    _, fake = asked("anthropic", monkeypatch, faults, sampling=Sampling(effort="medium"), max_tokens=4096)
    assert [one["thinking"] for one in fake.requests] == [
        {"type": "adaptive"},
        {"type": "enabled", "budget_tokens": 2048},
    ]
    assert "output_config" not in fake.requests[1]


def test_without_effort_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("mine", "anthropic"):
        sent = asked(provider, monkeypatch)[1].requests[0]
        assert not {"reasoning_effort", "reasoning", "thinking", "output_config"} & sent.keys()


def test_effort_is_set_by_role_and_is_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def debate() -> tuple[moot.Result, FakeEndpoint]:
        async with FakeEndpoint() as fake:
            monkeypatch.setenv("MINE_BASE_URL", fake.url)
            cast: Any = {"debaters": [ADA, BO], "judge": KIM, "claim": "It is so."}
            sampling = {"judge": {"effort": "high"}}
            return await moot.duel("Is it so?", model="mine/m", turns=2, sampling=sampling, **cast), fake

    result, fake = asyncio.run(debate())
    assert {one.get("reasoning_effort") for one in fake.requests} == {None, "high"}
    records = [record for record in moot.find_run(result.run).records() if record.kind == "reply"]
    efforts = {record.agent: record.sampling for record in records}
    assert efforts["judge"] == {"effort": "high"}
    assert efforts["A"] is None
    with pytest.raises(moot.ConfigError, match="effort"):
        moot.configure("duel", topic="Is it so?", sampling={"effort": "a lot"})


def only_responses(number: int, sent: dict[str, Any]) -> Fault | None:
    return fail(404, ONLY_RESPONSES, "invalid_request_error") if "messages" in sent else None


@pytest.mark.parametrize("streaming", [False, True])
def test_a_model_that_answers_at_responses_alone(streaming: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    reply, fake = asked(
        "mine", monkeypatch, only_responses, heard.append if streaming else None, sampling=Sampling(effort="low")
    )
    assert (reply.text, reply.answered_by) == (TEXT, "fake")
    assert "".join(heard) == (TEXT if streaming else "")
    assert reply.usage == Usage(120, 100, 60, None, 8)
    assert [head[":path"] for head in fake.heads] == ["/v1/chat/completions", "/v1/responses"]
    sent = fake.requests[1]
    assert [one["role"] for one in sent["input"]] == ["system", "user"]
    assert (sent["store"], sent["reasoning"], sent["max_output_tokens"]) == (False, {"effort": "low"}, 4096)


def test_a_shape_is_asked_for_at_responses(monkeypatch: pytest.MonkeyPatch) -> None:
    reply, fake = asked("mine", monkeypatch, only_responses, schema=SCHEMA)
    assert set(json.loads(reply.text)) == {"score"}
    assert fake.requests[1]["text"]["format"]["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("status", [404, 405, 501])
def test_a_server_with_nothing_else_is_asked_there_and_once(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> list[str]:
        faults = lambda number, sent: fail(status, "no such page") if "messages" in sent else None  # noqa: E731
        async with FakeEndpoint(faults=faults) as fake:
            monkeypatch.setenv("MINE_BASE_URL", fake.url)
            model = open_model("mine/m", ModelSettings())
            for _ in range(2):
                await model.reply(Request("k", "ada", (Message("user", "Is it so?"),)))
            return [head[":path"].rpartition("/")[2] for head in fake.heads]

    assert asyncio.run(ask()) == ["completions", "responses", "responses"]


@pytest.mark.parametrize(
    ("faults", "kind", "words", "paths"),
    [
        ([fail(404, "The model m does not exist")], errors.Rejected, "does not exist", 1),
        ([fail(404, "nowhere"), fail(404, "nowhere")], errors.Rejected, "knows no model", 2),
        ([fail(404, ONLY_RESPONSES), fail(400, "bad input")], errors.Rejected, "bad input", 2),
        ([fail(404, ONLY_RESPONSES), Fault("answer", "", refusal="No.")], errors.Refused, "No", 2),
        ([fail(404, ONLY_RESPONSES), Fault("answer", "", finish="length")], errors.EmptyReply, "token limit", 2),
        ([fail(404, ONLY_RESPONSES), Fault("status", "{}", status=200)], errors.NotAReply, "no model reply", 2),
        ([fail(404, ONLY_RESPONSES), CUT], errors.ServerFault, "before its reply was complete", 2),
    ],
)
def test_what_fails_at_responses(
    faults: list[Fault], kind: type[errors.ModelError], words: str, paths: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> int:
        async with FakeEndpoint(faults=faults) as fake:
            monkeypatch.setenv("MINE_BASE_URL", fake.url)
            with pytest.raises(kind, match=words):
                await open_model("mine/m", ModelSettings()).reply(Request("k", "ada", (Message("user", "So?"),)))
            return fake.count

    assert asyncio.run(ask()) == paths
