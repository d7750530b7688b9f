"""The budget of a batch: never exceeded, used to its end, and counted over all sessions."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moot
from moot.engine.play.limits import Limits
from moot.studies.batch import BatchEvent, Began, Design, Item, LocalExecutor, Progress, analyse, run_batch
from moot.testing import Scripted, ScriptedModel
from tests.kit.batches import CALLS, PRICES, TOPICS, Charging, answer, made, ran, total_calls, write_grid
from tests.kit.clock import Ahead
from tests.kit.duels import MODEL
from tests.kit.examples import examples
from tests.kit.waiting import PATIENCE


@examples(10)
@given(
    max_calls=st.none() | st.integers(0, 60),
    max_tokens=st.none() | st.integers(8_000, 50_000),
    max_cost=st.none() | st.floats(0.0, 0.1),
    concurrency=st.integers(1, 8),
    own_calls=st.none() | st.integers(1, 20),
    bad_every=st.sampled_from([0, 1, 2, 3]),
    known=st.booleans(),
)
def test_no_budget_is_ever_exceeded(
    tmp_path_factory: pytest.TempPathFactory,
    max_calls: int | None,
    max_tokens: int | None,
    max_cost: float | None,
    concurrency: int,
    own_calls: int | None,
    bad_every: int,
    known: bool,
) -> None:
    folder = tmp_path_factory.mktemp("budget")
    more: dict[str, Any] = {"max_calls": own_calls} if own_calls else {}
    file = write_grid(folder, grid=TOPICS, prices=PRICES, max_reply_tokens=64, **more)
    batch, model = made(file, folder / "batch"), Charging(known, bad_every)
    for limits in (Limits(max_calls, max_tokens, max_cost), None):  # taken up again, it keeps its limits
        ended = ran(batch, model, concurrency=concurrency, limits=limits)
        assert max_calls is None or model.calls <= max_calls
        assert max_tokens is None or model.tokens <= max_tokens
        assert max_cost is None or model.cost <= max_cost + 1e-12
        assert ended.failed == 0
        assert ended.done + ended.stopped + ended.waiting == 6
        assert total_calls(batch) == model.calls
        if ended.waiting:
            assert ended.reached
    if max_calls is max_tokens is max_cost is None:
        assert ended.waiting == 0


@pytest.mark.parametrize("concurrency", [1, 6])
@pytest.mark.parametrize(
    ("limits", "model"),
    [
        (Limits(max_calls=18), Charging(bad_every=1)),
        (Limits(max_calls=39), Charging(bad_every=1)),
        (Limits(max_tokens=16_000), Charging(bad_every=1)),
        (Limits(max_tokens=30_000), Charging(known=False)),
        (Limits(max_cost=0.04), Charging(bad_every=1)),
        (Limits(max_cost=0.05), Charging(known=False)),
    ],
)
def test_the_last_of_a_budget_is_used_and_no_more(
    tmp_path: Path, limits: Limits, model: Charging, concurrency: int
) -> None:
    """Debates that take more than planned, and models that do not say what they took."""
    file = write_grid(tmp_path, grid=TOPICS, prices=PRICES, max_reply_tokens=64)
    model = Charging(model.known, model.bad_every)
    ended = ran(made(file, tmp_path / "batch"), model, limits=limits, concurrency=concurrency)
    assert model.calls <= (limits.max_calls or 1000)
    assert model.tokens <= (limits.max_tokens or 1_000_000)
    assert model.cost <= (limits.max_cost or 1000)
    assert model.calls > 0
    assert ended.done < 6
    assert ended.reached


@pytest.mark.parametrize("more", [Limits(max_calls=10_000), Limits()])
def test_a_debate_that_stopped_beyond_its_plan_goes_on_with_a_larger_budget_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: Limits
) -> None:
    """It has used all that was planned for it, so its first share after the stop is empty."""
    batch, model = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "batch"), Charging(bad_every=1)
    monkeypatch.setattr("moot.studies.batch.budget.MARGIN", 1.0)
    beyond = CALLS + 1
    ended = ran(batch, model, limits=Limits(max_calls=beyond), concurrency=1)
    assert (ended.done, ended.stopped, model.calls) == (0, 1, beyond)
    ended = ran(batch, model, limits=more, concurrency=1)
    assert (ended.done, ended.stopped) == (6, 0)
    assert total_calls(batch) == model.calls


def test_what_a_budget_lets_through_is_spread_over_the_grid(tmp_path: Path) -> None:
    """Of 5 by 4 cells, three times each and in pairs, some twenty debates: pairs of the first repeat, of many cells."""
    grid = {"topic": [f"Case {n}?" for n in range(5)], "max_reply_tokens": [64, 65, 66, 67]}
    orders = []
    for seed in (1, 2):
        file = write_grid(tmp_path, grid=grid, repeat=3, seed=seed)
        batch = made(file, tmp_path / f"batch {seed}", Design(swap_order=True))
        begun: list[Item] = []

        def told(event: BatchEvent, _: Progress, begun: list[Item] = begun) -> None:
            if isinstance(event, Began):
                begun.append(event.item)

        for calls in (150, 300):  # stopped, and taken up again
            executor = LocalExecutor(1, {MODEL: Charging()})
            asyncio.run(run_batch(batch, executor, limits=Limits(max_calls=calls), follow=told))
        held = begun[: len(begun) // 2 * 2]
        assert [one.group for one in held[::2]] == [one.group for one in held[1::2]], "pairs are held together"
        assert {one.factors["repeat"] for one in held} == {1}
        assert len({one.factors["topic"] for one in held}) > 2
        assert len({one.factors["max_reply_tokens"] for one in held}) > 2
        assert len({one.id for one in begun}) == len(begun)
        orders.append([(one.factors["topic"], one.factors["max_reply_tokens"]) for one in held])
        topics = [row.topic for row in batch.rows()]
        assert topics == sorted(topics), "rows stay in the order of the file"
    assert orders[0] != orders[1], "the seed has a say"
    planned = [level.planned for level in analyse(batch.rows()).factors["topic"]]
    assert planned == [24] * 5, "also those that were not begun"


def test_what_ran_out_of_the_batchs_time_goes_on_when_there_is_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Ahead()
    for module in ("moot.engine.play.limits", "moot.studies.batch.budget"):
        monkeypatch.setattr(f"{module}.time", clock)

    def slow(request: moot.Request) -> Scripted:
        clock.ahead += PATIENCE / 20
        return answer(request)

    batch = made(write_grid(tmp_path, grid=TOPICS, budget={"max_minutes": PATIENCE / 60}), tmp_path / "batch")
    ended = ran(batch, ScriptedModel(slow))
    assert ended.done < 6
    assert "minutes have passed" in str(ended.reached)
    assert ran(batch, limits=Limits()).done == 6


@pytest.mark.parametrize("stop", [1, 3])
def test_a_budget_that_comes_later_counts_what_models_did_not_tell_before(tmp_path: Path, stop: int) -> None:
    file = write_grid(tmp_path, grid=TOPICS, prices=PRICES, max_reply_tokens=64)
    batch, model = made(file, tmp_path / "batch"), Charging(known=False)

    async def some() -> None:
        def told(event: BatchEvent, progress: Progress) -> None:
            if progress.calls >= stop * CALLS - 3:
                task.cancel()

        task = asyncio.create_task(run_batch(batch, LocalExecutor(2, {MODEL: model}), follow=told))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(some())
    tokens, cost = model.tokens + 1000, model.cost + 0.001
    for limits in (Limits(max_tokens=tokens), Limits(max_cost=cost)):
        ended = ran(batch, model, limits=limits)
        assert (model.tokens <= tokens, model.cost <= cost) == (True, True)
        assert ended.reached
    assert ran(batch, model, limits=Limits()).done == 6


def test_no_time_is_no_debate(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS, budget={"max_minutes": 0}), tmp_path / "batch")
    ended = ran(batch)
    assert (ended.done, ended.calls, ended.reached) == (0, 0, "0 minutes have passed")


def test_a_budget_in_dollars_needs_prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    file = write_grid(tmp_path, model="openai/no-such-model", budget={"max_cost": 1})
    batch = made(file, tmp_path / "batch")
    message = "`max_cost` cannot be kept: the price of one of these is unknown: openai/no-such-model"
    with pytest.raises(moot.ConfigError, match=message):
        asyncio.run(run_batch(batch))
    assert {row.status for row in batch.rows()} == {"waiting"}


def test_a_larger_budget_takes_a_batch_further(tmp_path: Path) -> None:
    batch, model = made(write_grid(tmp_path, grid=TOPICS, budget={"max_calls": 30}), tmp_path / "batch"), Charging()
    ended = ran(batch, model)
    assert (ended.done, ended.waiting, model.calls) == (2, 4, 28)
    assert ended.reached == "28 of 30 calls are made, and no further debate fits in"
    assert [row.status for row in batch.rows()].count("waiting") == 4
    assert batch.is_unfinished()
    ended = ran(batch, model, limits=Limits(max_calls=1000))
    assert (ended.done, ended.reached, model.calls) == (6, None, 6 * CALLS)
    assert not batch.is_unfinished()
