"""Running a batch: everything once, whatever happens in between."""

import asyncio
import gc
import itertools
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.errors import NotReady, Rejected
from moot.record.events import Follower
from moot.studies.batch import (
    Batch,
    Design,
    Item,
    LocalExecutor,
    is_batch,
    open_batch,
    run_batch,
    write_documents,
)
from moot.testing import Scripted, ScriptedModel
from tests.kit.batches import (
    CALLS,
    TOPICS,
    answer,
    answering,
    made,
    ran,
    replies,
    runs_of,
    write_grid,
    write_lines,
)
from tests.kit.duels import MODEL, assert_sound
from tests.kit.examples import tries
from tests.kit.processes import in_process
from tests.kit.waiting import until


def test_the_same_command_goes_on_with_the_same_batch_only(tmp_path: Path) -> None:
    file, folder = write_grid(tmp_path, grid=TOPICS), tmp_path / "batch"
    batch = made(file, folder)
    assert made(file, folder) == batch == open_batch(folder)
    with pytest.raises(moot.ConfigError, match="holds another batch"):
        made(file, folder, Design(swap_order=True))
    made(write_lines(tmp_path, {"id": "one"}), tmp_path / "own")
    with pytest.raises(moot.ConfigError, match="holds another batch"):
        made(write_lines(tmp_path, {"id": "one", "topic": "Another?"}), tmp_path / "own")
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
    in_process(tmp_path, moment, every * max(1, 2 // tries(1)), module="tests.kit.killed_batches")
    steps = sorted(tmp_path.iterdir())
    assert len(steps) > 4
    whole = steps[-1] / "batch"
    left = {name: (whole / name).read_bytes() for name in ("rows.csv", "statistics.json", "report.html")}
    write_documents(open_batch(whole))
    assert left == {name: (whole / name).read_bytes() for name in left}
    for step in steps:
        batch = made(step / "grid.yaml", step / "batch")
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


def test_what_fails_is_told_with_its_reason_and_retried_when_asked(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, grid={"claim": ["Good.", "Bad."]}), tmp_path / "batch")

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


def test_a_model_without_a_key_is_told_before_the_first_debate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    batch = made(write_grid(tmp_path, grid={"roles.judge": [MODEL, "openai/gpt-5-mini"]}), tmp_path / "batch")
    model = answering()
    with pytest.raises(NotReady, match="OPENAI_API_KEY"):
        ran(batch, model)
    assert model.requests == [] and {row.status for row in batch.rows()} == {"waiting"}
    executor = LocalExecutor(2, {MODEL: model, "openai/gpt-5-mini": answering()})
    assert asyncio.run(run_batch(batch, executor)).done == 2


def test_many_debates_leave_memory_as_it_was(tmp_path: Path) -> None:
    batch = made(write_grid(tmp_path, repeat=50), tmp_path / "batch")
    model, numbers, objects = answering(), itertools.count(1), []
    executor, threads = LocalExecutor(1, {MODEL: model}), threading.active_count()

    def at_rest() -> bool:
        """Nothing of earlier debates is under way, neither a thread that syncs files nor a timer that will start it."""
        timers = [timer for timer in asyncio.get_running_loop()._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        return threading.active_count() == threads and len(timers) == 1  # which is the limit of `until`

    async def play(*debate: Any) -> moot.Result:
        model.requests.clear()
        if next(numbers) in (16, 49):
            await until(at_rest)
            gc.collect()
            objects.append(len(gc.get_objects()))
        return await executor._play(*debate)

    # One at a time: a debate under way has up to a thousand objects.
    ended = asyncio.run(run_batch(batch, LocalExecutor(1, play=play)))
    assert ended.done == 50
    assert objects[1] - objects[0] < 33, "a debate that has ended leaves nothing"


def test_a_fault_of_our_own_ends_the_batch_at_once_and_loses_nothing(tmp_path: Path) -> None:
    batch, model = made(write_grid(tmp_path, grid=TOPICS), tmp_path / "batch"), answering()
    waiting: list[str] = []

    async def play(batch: Batch, item: Item, _limits: Mapping[str, Any], _follow: Follower) -> moot.Result:
        if len(waiting) == 2:
            raise OSError(28, "no space left on the device")
        waiting.append(item.id)
        return await asyncio.Event().wait()  # type: ignore[return-value]

    with pytest.raises(OSError, match="no space left"):
        asyncio.run(run_batch(batch, LocalExecutor(20, play=play)))
    assert ran(batch, model).done == 6


def test_a_damaged_ledger_is_not_read_as_if_it_were_whole(tmp_path: Path) -> None:
    batch = made(write_lines(tmp_path, {"id": "one"}), tmp_path / "batch")
    ran(batch)
    (batch.path / "ledger.jsonl").write_text('{"settled": true}\n')
    with pytest.raises(moot.RunDamaged, match="is not what moot wrote"):
        batch.rows()
