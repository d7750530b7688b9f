"""`moot batch --queue`: the same batch, by workers."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

import moot
from moot import queue as job_queue
from moot.engine.play.limits import Limits
from moot.queue.jobs import unfinished
from moot.studies import batch as batches
from moot.studies.batch.queued import QueueExecutor, queue_name
from tests.kit.batches import CALLS, write_grid
from tests.kit.command import spawn
from tests.kit.duels import assert_sound, full_script
from tests.kit.waiting import PATIENCE, run, until


def a_batch(tmp_path: Path, folder: str, **settings: Any) -> batches.Batch:
    replies = tmp_path / "replies.yaml"
    replies.write_text(yaml.safe_dump(full_script(2)), "utf-8")
    file = write_grid(tmp_path, model=f"scripted/{replies}", grid={"seed": list(range(1, 9))}, **settings)
    return batches.create_batch(batches.read_batch(file), tmp_path / folder)


@contextmanager
def a_worker(url: str) -> Iterator[None]:
    worker = spawn("worker", "-q", env={**os.environ, "MOOT_QUEUE": url}, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        worker.kill()
        worker.communicate()


def rows(batch: batches.Batch) -> list[dict[str, Any]]:
    return [row.model_dump(exclude={"seconds", "run"}) for row in batch.rows()]


def through_queue(batch: batches.Batch, url: str, **options: Any) -> batches.Progress:
    return run(batches.run_batch(batch, QueueExecutor(url), **options))


def test_workers_make_the_batch_that_one_process_makes(database: str, tmp_path: Path) -> None:
    here, there = a_batch(tmp_path, "here"), a_batch(tmp_path, "there")
    asyncio.run(batches.run_batch(here))
    with a_worker(database), a_worker(database):
        ended = through_queue(there, database)
    assert (ended.done, ended.calls, ended.waiting, ended.running) == (8, 8 * CALLS, 0, 0)
    assert rows(there) == rows(here)
    for item in there.items():
        found = there.run_of(item)
        assert found is not None
        assert_sound(found)


def test_a_budget_is_kept_over_workers_and_without_one_it_goes_on(database: str, tmp_path: Path) -> None:
    batch = a_batch(tmp_path, "batch")
    with a_worker(database):
        ended = through_queue(batch, database, limits=Limits(max_calls=3 * CALLS + 2))
        assert ended.reached
        assert 0 < ended.calls <= 3 * CALLS + 2
        assert ended.done == 3
        assert sum(run.result() is not None for run in moot.list_runs(database)) == 3
        ended = through_queue(batch, database, limits=Limits())
    assert ended.done == 8
    assert {row["status"] for row in rows(batch)} == {"done"}


def test_who_stops_following_finds_the_rest_done(database: str, tmp_path: Path) -> None:
    batch = a_batch(tmp_path, "batch")

    async def leave_at_once() -> None:
        task = asyncio.create_task(batches.run_batch(batch, QueueExecutor(database)))
        await until(lambda: unfinished(database, queue_name(batch)) == 8)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(leave_at_once())
    run(job_queue.work(database, until_idle=True))
    assert (through_queue(batch, database).done, len(moot.list_runs(database))) == (8, 8)


def test_what_failed_is_told_and_retried(database: str, tmp_path: Path) -> None:
    batch = a_batch(tmp_path, "batch")
    (tmp_path / "replies.yaml").rename(tmp_path / "elsewhere.yaml")
    with a_worker(database):
        ended = through_queue(batch, database)
        assert ended.failed == 8
        assert "replies.yaml" in (batch.rows()[0].reason or "")
        (tmp_path / "elsewhere.yaml").rename(tmp_path / "replies.yaml")
        ended = through_queue(batch, database, retry_failed=True)
    assert (ended.done, ended.failed) == (8, 0)


def test_the_command_takes_a_queue(database: str, tmp_path: Path) -> None:
    batch = a_batch(tmp_path, "batch")
    with a_worker(database):
        ended = spawn("batch", "--resume", str(batch.path), "--queue", database, "--json")
        out, err = ended.communicate(timeout=PATIENCE)
    assert ended.returncode == 0, err
    assert yaml.safe_load(out)["done"] == 8
