"""Limits: none is ever overrun, what was paid for is kept, and a larger limit lets the debate go on."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.engine.play import limits
from moot.engine.play.limits import Budget, Limits
from moot.errors import EmptyReply, LimitReached, RateLimited, Rejected
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import (
    MODEL,
    GatedModel,
    assert_sound,
    calls_of,
    full_script,
    not_yet_paid,
    play,
    small_config,
    take_up,
)
from tests.kit.endpoint import CUT, FakeEndpoint
from tests.kit.waiting import AT_ONCE, patience, turns


@pytest.mark.parametrize("tokens", [0, 100, 2000, 3000, 5000])
def test_tokens(tmp_path: Path, tokens: int) -> None:
    model = ScriptedModel(full_script(2))
    config = small_config(tmp_path, max_tokens=tokens, max_reply_tokens=1000)
    result = play(config, model)
    assert result.status == "limit"
    assert result.reason is not None and f"of {tokens} tokens" in result.reason
    assert result.spent.input is not None and result.spent.output is not None
    assert result.spent.input + result.spent.output <= tokens
    run = moot.find_run(result.run)
    assert_sound(run)
    assert take_up(run, model, max_tokens=1_000_000).spent.calls == calls_of(2)


@dataclass(slots=True)
class UntellingModel:
    """A model that does not say what its replies took."""

    inner: ScriptedModel
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        return moot.ModelReply((await self.inner.reply(request, on_text)).text)


def test_replies_of_unknown_size_count_as_the_largest_in_a_resumed_run_too(tmp_path: Path) -> None:
    """A model that does not say what a reply took must not be let past the limit by stopping and going on."""
    calls: list[int] = []
    run: moot.Run | None = None
    for _ in range(4):
        model = UntellingModel(ScriptedModel(full_script(2)))
        if run is None:
            run = moot.find_run(play(small_config(tmp_path, max_tokens=10_000, max_reply_tokens=1000), model).run)
        else:
            take_up(run, model)
        calls.append(len(model.inner.requests))
    assert calls[0] > 0
    assert calls[1:] == [0, 0, 0]


Call = tuple[int, int, int]
"""Tokens reserved, tokens used, and how long it takes."""
CALLS = st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50), st.integers(0, 5)), max_size=20)


@given(calls=CALLS, max_calls=st.none() | st.integers(0, 8), max_tokens=st.none() | st.integers(0, 200))
def test_what_is_spent_and_reserved_stays_within_the_limits(
    calls: list[Call], max_calls: int | None, max_tokens: int | None
) -> None:
    limits = Limits(max_calls, max_tokens, None if max_tokens is None else max_tokens / 100)

    async def spend() -> list[object]:
        budget = Budget(limits)

        def check() -> None:
            held = replace(budget.spent)
            held.add(budget.reserved)
            assert limits.max_calls is None or held.calls <= limits.max_calls
            assert limits.max_tokens is None or held.tokens <= limits.max_tokens
            assert limits.max_cost is None or held.cost <= limits.max_cost + 1e-9

        async def one(reserved: int, used: int, ticks: int) -> str:
            used = min(used, reserved)
            async with budget.reserve(reserved, reserved / 100) as reservation:
                for _ in range(ticks):
                    await turns()
                    check()
                if used % 7 == 3:
                    raise ConnectionError("a call that failed")
                reservation.settle(moot.Usage(input=used, output=0, cost=used / 100))
            check()
            return "paid"

        done = await asyncio.gather(*(one(*call) for call in calls), return_exceptions=True)
        assert (budget.reserved.calls, budget.reserved.tokens) == (0, 0)
        assert budget.spent.calls == done.count("paid")
        assert budget.spent.tokens == sum(
            min(used, reserved) for (reserved, used, _), outcome in zip(calls, done, strict=True) if outcome == "paid"
        )
        return list(done)

    done = asyncio.run(spend())
    for outcome in done:
        assert outcome == "paid" or isinstance(outcome, ConnectionError | LimitReached)
    if max_calls is None and max_tokens is None:
        assert not any(isinstance(outcome, LimitReached) for outcome in done)
    if max_calls is not None and max_tokens is None:
        tried = sum(min(used, reserved) % 7 == 3 for reserved, used, _ in calls)
        assert done.count("paid") >= min(max_calls, len(calls) - tried)


def costly_failure() -> EmptyReply:
    error = EmptyReply("nothing came")
    error.paid(moot.Usage(input=900, output=100, cached=0, cost=0.0))
    return error


def test_attempts_that_fail_and_cost_count_too(tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: costly_failure())
    result = play(small_config(tmp_path, max_tokens=8000, max_reply_tokens=1000), model)
    assert result.status == "limit"
    assert result.spent.input is not None
    assert result.spent.output is not None
    assert result.spent.input + result.spent.output <= 8000
    assert result.spent.calls == 0


async def test_streams_that_break_off_count_as_what_they_may_have_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server charges for what it wrote, whether or not it arrived."""
    price = {"input": 10.0, "output": 100.0}
    limits: dict[str, Any] = {"max_cost": 0.5, "max_reply_tokens": 500, "prices": {"fake/model": price}}
    async with FakeEndpoint(faults=lambda number, _: CUT if number % 3 else None) as endpoint:
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        config = small_config(tmp_path, model="fake/model", **limits)
        result, served = await moot.run(config, follow=lambda _: None, reports=False), endpoint.count
        again = await moot.resume(moot.find_run(result.run), max_calls=0, reports=False)
    assert served > 3
    assert result.spent.cost is not None
    assert result.spent.cost <= 0.5
    assert (served * (120 * price["input"] + 60 * price["output"])) / 1_000_000 <= result.spent.cost
    assert "usage_unknown" in [flag.code for flag in result.flags]
    assert again.spent == result.spent, "taken up, it counts the same"


def test_time_that_runs_out_ends_the_retries(tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: RateLimited("slow down", retry_after=0.05))
    result = play(small_config(tmp_path, max_minutes=0.001), model)
    assert (result.status, result.spent.calls) == ("limit", 0)


def test_a_debate_that_stops_makes_no_further_call(tmp_path: Path) -> None:

    def script(request: moot.Request) -> Scripted:
        if request.agent == "B":
            return RateLimited("slow down", retry_after=0.2)
        return Rejected("no") if request.key == "A/think/1" else "a plan"

    def ada_has_failed() -> bool:
        [run] = moot.list_runs(str(tmp_path))
        return any((record.key, record.kind) == ("A/think/1", "failure") for record in run.records())

    model = GatedModel(ScriptedModel(script), {"B/plan": ada_has_failed})
    result = play(small_config(tmp_path), model)
    assert (result.status, result.reason) == ("failed", "Ada did not answer at A/think/1: no")
    keys = [request.key for request in model.inner.requests]
    assert sorted(keys) == ["A/plan", "A/think/1", "B/plan"], "Bo's call is not tried again"


def test_a_budget_within_another_takes_all_it_spends_out_of_both() -> None:
    async def spend() -> tuple[Budget, Budget, Budget]:
        whole = Budget(Limits(max_calls=3, max_tokens=100), scope="over the whole batch")
        one, other = (Budget(Limits(max_calls=2), within=whole) for _ in range(2))
        for _ in range(2):
            async with one.reserve(40, 0.0) as call:
                call.settle(moot.Usage(input=10, output=5))
        with pytest.raises(LimitReached, match=r"^the limit of 2 calls is reached$"):
            async with one.reserve(40, 0.0):
                pass
        assert whole.refused is None
        other.charge(moot.Usage(input=7, output=0))
        with pytest.raises(ConnectionError):
            async with other.reserve(40, 0.0):  # a call that came to nothing is not paid for
                raise ConnectionError
        with pytest.raises(OSError, match="disk"):
            async with other.reserve(40, 0.0) as call:  # one that could not be kept is
                call.settle(moot.Usage())
                raise OSError("disk")
        return whole, one, other

    whole, one, other = asyncio.run(spend())
    assert [(one.spent.calls, one.spent.tokens) for one in (one, other, whole)] == [(2, 30), (1, 47), (3, 77)]
    assert [one.reserved.calls for one in (one, other, whole)] == [0, 0, 0]
    with pytest.raises(LimitReached, match=r"^the limit of 3 calls is reached \(over the whole batch\)$") as error:
        asyncio.run(_call(other))
    assert whole.refused is error.value
    assert other.refused is None


async def _call(budget: Budget) -> None:
    async with budget.reserve(40, 0.0):
        pass


def test_money_is_counted_where_an_outer_budget_does() -> None:
    assert Budget(Limits(), within=Budget(Limits(max_cost=1.0))).counts_money
    assert not Budget(Limits(), within=Budget(Limits(max_calls=1))).counts_money


def test_the_wait_for_a_person_ends_at_the_limit_of_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passed = 0.0

    class Prompter:
        """Asks a person who does not answer within the limit."""

        waits: ClassVar[list[str]] = []

        def refuses(self, model: str) -> None: ...

        async def answered(self, person: str, request: moot.Request) -> str:
            nonlocal passed
            passed = 3600.0
            self.waits.append(request.key)
            await asyncio.Event().wait()
            raise AssertionError

    clock = time.monotonic
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: clock() + passed))
    monkeypatch.setattr(Budget, "seconds_left", lambda _: AT_ONCE)
    script = {key: reply for key, reply in full_script(2).items() if not key.startswith("B/")}
    config = small_config(tmp_path, max_minutes=60, roles={"B": "human/Robin"})

    async def stage() -> moot.Result:
        async with patience():
            return await moot.run(config, models={MODEL: ScriptedModel(script)}, prompter=Prompter())

    result = asyncio.run(stage())
    assert (result.status, result.reason) == ("limit", "60 minutes have passed")
    assert Prompter.waits == ["B/plan"]
    run = moot.find_run(result.run)
    assert_sound(run)
    monkeypatch.undo()
    script = not_yet_paid(full_script(2), run.records())
    assert take_up(run, ScriptedModel(script, name="human/Robin"), ScriptedModel(script)).status == "done"
