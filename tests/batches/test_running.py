"""Running a batch: everything once, whatever happens in between, and never beyond the budget."""

import asyncio
import gc
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import moot
from moot.batches import Batch, Design, Finished, LocalExecutor, Progress, Told, is_batch, open_batch, run_batch
from moot.errors import Rejected
from moot.limits import Limits
from moot.testing import Scripted, ScriptedModel
from tests.batches.batching import CALLS, answer, answering, made, ran, write_grid, write_lines
from tests.scripts import MODEL, assert_sound

TOPICS = {"topic": [f"Case {number}?" for number in range(6)]}


def replies(run: moot.Run) -> list[str]:
    return [f"{record.key}#{record.attempt}" for record in run.records() if record.kind == "reply"]


def runs_of(batch: Batch) -> list[moot.Run]:
    return [run for item in batch.items() if (run := batch.run_of(item)) is not None]


def total_calls(batch: Batch) -> int:
    return sum(len(replies(run)) for run in runs_of(batch))


def test_a_batch_runs_every_debate_once(tmp_path: Path) -> None:
    batch, model = made(write_grid(tmp_path, grid=TOPICS, repeat=2), tmp_path / "batch"), answering()
    ended = ran(batch, model)
    assert (ended.done, ended.failed, ended.waiting, ended.running, ended.calls) == (12, 0, 0, 0, 12 * CALLS)
    assert len(model.requests) == 12 * CALLS
    assert ended.cost == 0.0
    assert ended.seconds_left == 0.0
    for run in runs_of(batch):
        assert_sound(run)
        assert not (run.path / "report.html").exists()
    rows = batch.rows()
    assert [row.id for row in rows] == [item.id for item in batch.items()]
    assert {(row.status, row.winner, row.upheld, row.calls) for row in rows} == {("done", "Ada", True, CALLS)}
    assert all((batch.path / str(row.run)).is_dir() for row in rows)
    again = ran(batch, ScriptedModel({}))
    assert (again.done, again.calls) == (12, 0)


def test_the_same_command_goes_on_with_the_same_batch_only(tmp_path: Path) -> None:
    file, folder = write_grid(tmp_path, grid=TOPICS), tmp_path / "batch"
    batch = made(file, folder)
    assert made(file, folder) == batch == open_batch(folder)
    with pytest.raises(moot.ConfigError, match="holds another batch"):
        made(file, folder, Design(swap_order=True))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thing").touch()
    with pytest.raises(moot.ConfigError, match="is not empty, and no batch"):
        made(file, tmp_path / "full")
    with pytest.raises(moot.ConfigError, match="is not the folder of a batch"):
        open_batch(tmp_path / "full")
    assert not is_batch(tmp_path / "absent")


def test_killed_while_it_is_made_a_batch_is_made_again(tmp_path: Path) -> None:
    file, folder = write_grid(tmp_path, grid=TOPICS), tmp_path / "batch"
    made(file, folder)
    (folder / "batch.json").rename(folder / ".batch.json.x1")
    assert ran(made(file, folder)).done == 6
    (folder / "batch.json").unlink()
    with pytest.raises(moot.ConfigError, match="is not empty, and no batch"):
        made(file, folder)
    (folder / "batch.json").write_text("{")
    with pytest.raises(moot.RunDamaged, match=r"batch\.json is not what moot wrote"):
        ran(open_batch(folder))


def test_no_two_processes_run_one_batch(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path), tmp_path / "batch")
    with batch.hold(), pytest.raises(moot.RunBusy, match="another process is running the batch"):
        ran(batch)
    assert ran(batch).done == 1


@pytest.mark.parametrize(("moment", "every"), [("middle", 23), ("after", 29)])
def test_killed_anywhere_it_goes_on_and_nothing_is_paid_twice(tmp_path: Path, moment: str, every: int) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.batches.crashing", str(tmp_path), moment, str(every)]
    subprocess.run(command, cwd=Path(__file__).parents[2], check=True, capture_output=True, timeout=120)
    steps = sorted(tmp_path.iterdir())
    assert len(steps) > 3
    for step in steps:
        batch = open_batch(step / "batch")
        before = {run.path: replies(run) for run in runs_of(batch)}
        paid, model = sum(map(len, before.values())), answering()
        ended = ran(batch, model)
        assert (ended.done, ended.failed) == (3, 0), step
        assert len(model.requests) == 3 * CALLS - paid, step
        for run in runs_of(batch):
            assert replies(run)[: len(before.get(run.path, []))] == before.get(run.path, [])
            assert max(Counter(replies(run)).values()) == 1
            assert_sound(run)
        assert {row.status for row in batch.rows()} == {"done"}


def test_interrupted_it_leaves_runs_that_go_on(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "batch")

    async def stopped_after(number: int) -> None:
        def told(event: Told, progress: Progress) -> None:
            if progress.calls >= number:
                task.cancel()

        executor = LocalExecutor(3, {MODEL: answering()})
        task = asyncio.create_task(run_batch(batch, executor, told=told))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stopped_after(40))
    assert {row.status for row in batch.rows()} <= {"done", "interrupted", "waiting"}
    paid = total_calls(batch)
    assert 40 <= paid < 6 * CALLS
    model = answering()
    assert ran(batch, model).done == 6
    assert len(model.requests) == 6 * CALLS - paid


def test_what_fails_is_told_with_its_reason_and_retried_when_asked(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid={"premise": ["Good.", "Bad."]}), tmp_path / "batch")

    def broken(request: moot.Request) -> Scripted:
        if request.key == "A/turn/1" and any("Bad." in message.content for message in request.messages):
            return Rejected("it will not do")
        return answer(request)

    ended = ran(batch, ScriptedModel(broken))
    assert (ended.done, ended.failed) == (1, 1)
    [failed] = [row for row in batch.rows() if row.status == "failed"]
    assert "it will not do" in str(failed.reason)
    assert (failed.correct, failed.winner) == (None, None)
    model = answering()
    assert (ran(batch, model).failed, len(model.requests)) == (1, 0)
    ended = ran(batch, model, retry_failed=True)
    assert (ended.done, ended.failed) == (2, 0)
    assert len(model.requests) < CALLS


def test_what_could_not_begin_is_tried_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    batch = made(write_grid(tmp_path, grid={"roles.judge": [MODEL, "openai/gpt-5-mini"]}), tmp_path / "batch")
    ended = ran(batch)
    assert (ended.done, ended.failed) == (1, 1)
    [failed] = [row for row in batch.rows() if row.status == "failed"]
    assert (failed.run, failed.calls) == (None, 0)
    assert "OPENAI_API_KEY" in str(failed.reason)
    executor = LocalExecutor(2, {MODEL: answering(), "openai/gpt-5-mini": answering()})
    assert asyncio.run(run_batch(batch, executor)).done == 2


@dataclass(slots=True)
class Charging:
    """A scripted model that says what it took, or does not; and whose scores are no scores now and then."""

    known: bool = True
    bad_every: int = 0
    asked: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: Callable[[str], None] | None = None) -> moot.ModelReply:
        await asyncio.sleep(0)
        self.asked += 1
        said = answer(request)
        bad = request.schema is not None and self.bad_every and self.asked % self.bad_every == 0
        text = "No idea." if bad else said if isinstance(said, str) else json.dumps(said)
        read, written = sum(len(one.content) for one in request.messages) // 4, len(text) // 4 + 1
        dollars = (read * 2 + written * 8) / 1_000_000
        self.calls, self.tokens, self.cost = self.calls + 1, self.tokens + read + written, self.cost + dollars
        usage = moot.Usage(input=read, cached=0, output=written, cost=dollars) if self.known else moot.Usage()
        return moot.ModelReply(text, usage=usage)


PRICES = {MODEL: {"input": 2.0, "output": 8.0}}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    limits = Limits(max_calls, max_tokens, max_cost)
    for _ in range(2):  # taken up again, what was spent before still counts
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
        (Limits(max_cost=0.036), Charging(bad_every=1)),
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


def test_a_budget_that_is_enough_is_no_hindrance(tmp_path: Path) -> None:
    file = write_grid(tmp_path, grid=TOPICS, prices=PRICES, budget={"max_calls": 6 * CALLS, "max_cost": 1})
    ended = ran(made(file, tmp_path / "batch"), Charging())
    assert (ended.done, ended.reached) == (6, None)


def test_a_debate_that_needs_more_than_planned_gets_more_while_there_is_any(tmp_path: Path) -> None:
    """Every second structured reply is useless, so a duel takes more calls than the plan says."""
    batch, model = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "batch"), Charging(bad_every=2)
    ended = ran(batch, model, limits=Limits(max_calls=10_000), concurrency=2)
    assert (ended.done, ended.stopped) == (6, 0)
    assert model.calls > 6 * CALLS


def test_a_larger_budget_takes_a_batch_further(tmp_path: Path) -> None:
    batch, model = made(write_grid(tmp_path, grid=TOPICS, budget={"max_calls": 30}), tmp_path / "batch"), Charging()
    ended = ran(batch, model)
    assert (ended.done, ended.waiting, model.calls) == (2, 4, 28)
    assert ended.reached == "28 of 30 calls are made, and no further debate fits in"
    assert [row.status for row in batch.rows()].count("waiting") == 4
    ended = ran(batch, model, limits=Limits(max_calls=1000))
    assert (ended.done, ended.reached, model.calls) == (6, None, 6 * CALLS)


def test_a_limit_of_a_single_debate_is_its_own(tmp_path: Path) -> None:
    batch, model = made(write_grid(tmp_path, grid=TOPICS, max_calls=5), tmp_path / "batch"), Charging()
    ended = ran(batch, model, limits=Limits(max_calls=1000))
    assert (ended.done, ended.stopped, ended.reached, model.calls) == (0, 6, None, 30)
    assert {row.status for row in batch.rows()} == {"limit"}
    assert ran(batch, model).calls == 0


def test_no_time_is_no_debate(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid=TOPICS, budget={"max_minutes": 0}), tmp_path / "batch")
    ended = ran(batch)
    assert (ended.done, ended.calls, ended.reached) == (0, 0, "0 minutes have passed")


def test_a_budget_in_dollars_needs_prices(tmp_path: Path) -> None:
    file = write_grid(tmp_path, model="openai/no-such-model", budget={"max_cost": 1})
    batch = made(file, tmp_path / "batch")
    message = "`max_cost` cannot be kept: the price of one of these is unknown: openai/no-such-model"
    with pytest.raises(moot.ConfigError, match=message):
        asyncio.run(run_batch(batch))
    assert {row.status for row in batch.rows()} == {"waiting"}


def test_many_debates_leave_memory_as_it_was(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, repeat=200), tmp_path / "batch")
    model, seen = answering(), []

    def told(event: Told, progress: Progress) -> None:
        model.requests.clear()
        if isinstance(event, Finished) and progress.done in (60, 190):
            gc.collect()
            seen.append(len(gc.get_objects()))

    ended = asyncio.run(run_batch(batch, LocalExecutor(10, {MODEL: model}), told=told))
    assert ended.done == 200
    # A debate under way has thousands of objects; one that has ended must have left next to nothing.
    assert seen[1] - seen[0] < 130 * 20


def test_a_damaged_ledger_is_not_read_as_if_it_were_whole(tmp_path: Path) -> None:
    batch = made(write_lines(tmp_path, {"id": "one"}), tmp_path / "batch")
    ran(batch)
    (batch.path / "ledger.jsonl").write_text('{"settled": true}\n')
    with pytest.raises(moot.RunDamaged, match="is not what moot wrote"):
        batch.rows()
