"""Models that think before they answer: how much, what it takes, and that nobody else sees their thoughts."""

import json
from dataclasses import replace
from typing import Any

import pytest

import moot
from moot.models.base import ModelReply, Sampling, Usage
from tests.kit.duels import ADA, BO, KIM
from tests.kit.endpoint import FakeEndpoint, Fault, Faults, fail
from tests.kit.exchanges import REQUEST, exchange

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}


pytestmark = pytest.mark.usefixtures("place")


def asked(provider: str, faults: Faults = (), **more: Any) -> tuple[ModelReply, FakeEndpoint]:
    return exchange(faults, replace(REQUEST, **more), name=f"{provider}/m")


def body(content: str, usage: dict[str, Any], **message: Any) -> Fault:
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}
    return Fault("status", json.dumps({"choices": [choice], "usage": usage}), status=200)


@pytest.mark.parametrize(
    ("written", "details", "output", "thinking"),
    [
        (90, {}, 90, None),
        (90, {"completion_tokens_details": {"reasoning_tokens": 80}}, 90, 80),  # OpenAI: among what was written
        (10, {"completion_tokens_details": {"reasoning_tokens": 80}}, 90, 80),  # xAI: on top, in the total alone
        (10, {}, 90, 80),  # Gemini says nothing else
    ],
)
def test_thoughts_are_counted_and_priced(
    written: int, details: dict[str, Any], output: int, thinking: int | None
) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": written, "total_tokens": 99, **details}
    thoughts = {"reasoning_content": "Hm, hm.", "reasoning": "Hm, hm."}
    reply, _ = asked("mine", [body("Yes.", usage, **thoughts)])
    assert (reply.text, reply.usage) == ("Yes.", Usage(9, None, output, None, thinking))


def test_effort_is_sent_as_each_provider_has_it() -> None:
    low = Sampling(effort="low")
    sent = asked("mine", sampling=low)[1].requests[0]
    assert (sent["reasoning_effort"], "effort" in sent) == ("low", False)
    sent = asked("anthropic", sampling=low, schema=SCHEMA)[1].requests[0]
    assert (sent["thinking"], sent["output_config"]["effort"]) == ({"type": "adaptive"}, "low")
    assert sent["output_config"]["format"]["type"] == "json_schema"
    sent = asked("anthropic", sampling=Sampling(effort="none"))[1].requests[0]
    assert (sent["thinking"], "output_config" in sent) == ({"type": "disabled"}, False)


def test_models_that_take_no_effort_get_a_number_of_tokens() -> None:
    faults = [fail(400, "This model does not support the effort parameter.", "invalid_request_error")]
    _, fake = asked("anthropic", faults, sampling=Sampling(effort="medium"), max_tokens=4096)
    assert [one["thinking"] for one in fake.requests] == [
        {"type": "adaptive"},
        {"type": "enabled", "budget_tokens": 2048},
    ]
    assert "output_config" not in fake.requests[1]


async def test_effort_is_set_by_role_and_is_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    async with FakeEndpoint() as fake:
        monkeypatch.setenv("MINE_BASE_URL", fake.url)
        cast: Any = {"debaters": [ADA, BO], "judge": KIM, "claim": "It is so."}
        sampling = {"judge": {"effort": "high"}}
        result = await moot.duel("Is it so?", model="mine/m", turns=2, sampling=sampling, **cast)
    assert {one.get("reasoning_effort") for one in fake.requests} == {None, "high"}
    records = [record for record in moot.find_run(result.run).records() if record.kind == "reply"]
    efforts = {record.agent: record.sampling for record in records}
    assert efforts["judge"] == {"effort": "high"}
    assert efforts["A"] is None
    with pytest.raises(moot.ConfigError, match="effort"):
        moot.configure("duel", topic="Is it so?", sampling={"effort": "a lot"})
