import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from moot import errors
from moot.models import calling
from moot.models.base import Message, Model, ModelReply, Request
from moot.models.calling import call
from moot.models.http import Endpoint
from moot.models.openai_compatible import OpenAICompatible
from moot.models.pool import pool
from tests.kit.endpoint import CUT, EMPTY, HTML, RESET, TEXT, FakeEndpoint, Fault, fail, rate_limited
from tests.kit.waiting import PATIENCE

REQUEST = Request("duel/1", "ada", (Message("user", "Is it so?"),))


class Outcome:
    """What a call came to, with all that was seen on the way."""

    def __init__(self) -> None:
        self.reply: ModelReply | None = None
        self.error: errors.ModelError | None = None
        self.retries: list[tuple[errors.ModelError, int, float]] = []
        self.text = ""
        self.asked = 0

    def forget(self, error: errors.ModelError, attempt: int, wait: float) -> None:
        self.retries.append((error, attempt, wait))
        self.text = ""

    def hear(self, piece: str) -> None:
        self.text += piece


def outcome(faults: Sequence[Fault | None], *, streaming: bool = False, **options: Any) -> Outcome:
    async def run() -> Outcome:
        seen = Outcome()
        async with FakeEndpoint(faults=faults) as fake:
            model = OpenAICompatible("test/fake", "fake", Endpoint(fake.url, timeout=PATIENCE))
            hear = seen.hear if streaming else None
            try:
                seen.reply = await call(model, REQUEST, on_text=hear, on_retry=seen.forget, **options)
            except errors.ModelError as error:
                seen.error = error
            seen.asked = fake.count
        return seen

    return asyncio.run(run())


def test_passing_faults_are_tried_again() -> None:
    seen = outcome([rate_limited(), fail(503), HTML, RESET])
    assert seen.reply is not None
    assert seen.reply.text == TEXT
    kinds = [type(error) for error, _, _ in seen.retries]
    assert kinds == [errors.RateLimited, errors.ServerFault, errors.NotAReply, errors.ServerFault]
    assert [attempt for _, attempt, _ in seen.retries] == [1, 2, 3, 4]
    assert seen.asked == 5


def test_the_last_failure_is_raised_when_patience_ends() -> None:
    seen = outcome([fail(500), fail(500), EMPTY], retries=2)
    assert type(seen.error) is errors.EmptyReply
    assert len(seen.retries) == 2
    assert seen.asked == 3


@pytest.mark.parametrize(
    "fault",
    [
        *(fail(401), fail(400), fail(404, "no such model"), fail(429, code="insufficient_quota")),
        Fault("answer", text="", finish="length"),  # a spent token limit is not paid for again
    ],
)
def test_lasting_faults_are_not_tried_again(fault: Fault) -> None:
    seen = outcome([fault])
    assert seen.error is not None
    assert (seen.retries, seen.asked) == ([], 1)


def test_the_wait_a_server_asks_for_is_kept() -> None:
    seen = outcome([rate_limited("0.05")])
    assert seen.reply is not None
    assert 0.05 <= seen.retries[0][2] <= 0.051


def test_a_very_long_wait_is_given_up_with_the_reason() -> None:
    seen = outcome([rate_limited("3600")])
    assert type(seen.error) is errors.RateLimited
    assert "wait 3600 s" in str(seen.error)
    assert "try again later" in str(seen.error)
    assert seen.error.retry_after == 3600
    assert seen.asked == 1
    unavailable = outcome([fail(503, headers={"Retry-After": "3600"})])
    assert type(unavailable.error) is errors.ServerFault


def test_waits_grow_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "BASE_DELAY", 1e-6)
    seen = outcome([fail(500)] * 12, retries=12)
    waits = [wait for _, _, wait in seen.retries]
    assert len(waits) == 12
    assert all(wait <= 1e-6 * 2**attempt for attempt, wait in enumerate(waits))
    assert len(set(waits)) == len(waits)
    assert max(waits[8:]) > max(waits[:3])


def test_no_wait_is_longer_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "LONGEST_DELAY", 0.001)
    monkeypatch.setattr(calling, "BASE_DELAY", 1000.0)
    seen = outcome([fail(500)] * 4)
    assert all(wait <= 0.001 for _, _, wait in seen.retries)


def test_text_of_a_broken_attempt_can_be_forgotten() -> None:
    seen = outcome([CUT], streaming=True)
    assert type(seen.retries[0][0]) is errors.CutStream
    assert seen.text == TEXT
    assert seen.reply is not None
    assert seen.reply.text == TEXT


@pytest.mark.parametrize(
    ("moment", "calls", "times"),
    [
        (PATIENCE, 1, [1]),  # however busy the machine is, no request is late
        (PATIENCE, 3, [1, 2, 2]),  # they wait for each other
        (-1.0, 1, [2]),  # the moment is over before the request is sent
    ],
)
async def test_leave_is_asked_again_only_after_a_wait(
    moment: float, calls: int, times: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "MOMENT", moment)

    async def asked_for_leave(model: Model) -> int:
        asked: list[None] = []

        async def before() -> None:
            asked.append(None)

        await call(model, REQUEST, before=before)
        return len(asked)

    async with FakeEndpoint() as fake, pool():
        model = OpenAICompatible("test/fake", "fake", Endpoint(fake.url, concurrency=1))
        assert await asyncio.gather(*(asked_for_leave(model) for _ in range(calls))) == times
