"""A database that goes away and comes back: no debate fails by it, nothing is paid twice, and everybody lives."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import psycopg
import pytest

import moot
from moot import queue as job_queue
from moot.database.connection import MOST_CONNECTIONS, Database
from moot.database.runs import named
from moot.errors import DatabaseAway
from moot.queue.jobs import unfinished
from moot.studies import batch as batches
from moot.studies.batch.queued import QueueExecutor, queue_name
from tests.kit.batches import write_grid
from tests.kit.databases import gone, name_of
from tests.kit.endpoint import FakeEndpoint, Fault
from tests.kit.waiting import PATIENCE, until
from tests.kit.workers import EACH, LIMIT, all_ended, check, debates, replies, workers


def _claimants(database: str) -> int:
    """The number of workers with debates in hand."""
    with psycopg.connect(database, autocommit=True) as connection:
        [[count]] = connection.execute("SELECT count(DISTINCT worker) FROM moot_debates").fetchall()
    return int(count)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses at which this process was refused a connection."""
    connect, found = Database.connect, list[str]()

    def noted(self: Database) -> "psycopg.Connection[Any]":
        try:
            return connect(self)
        except DatabaseAway:
            found.append(self.url)
            raise

    monkeypatch.setattr(Database, "connect", noted)
    return found


LATER = """
import os, time
from types import SimpleNamespace
from moot.queue import claims, working

class Loud(claims.Watch):
    def forget(self):
        print("away", flush=True)
        super().forget()

def clock():
    return time.monotonic() + (7200 if os.path.exists(os.environ["LATER"]) else 0)

working.Watch = Loud
working.time = SimpleNamespace(monotonic=clock)
"""
"""For a worker who says when it finds the database away, and for whom it is two hours later once a file is there."""


async def test_replies_that_came_while_the_database_was_away_are_paid_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is away for longer than it takes to be taken for dead, and nobody is."""
    later = tmp_path / "later"
    monkeypatch.setenv("LATER", str(later))
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        endpoint.hold(20)
        await job_queue.submit(database, "trial", debates(12))
        options = ("--takeover", "3600", "--reconnect", "36000")
        with workers(database, endpoint, 2, *options, first=LATER) as both:
            await until(lambda: _claimants(database) == 2 and endpoint.held >= EACH)
            with gone(database):
                endpoint.let_go()
                for one in both:
                    assert one.stdout is not None
                    assert await asyncio.to_thread(one.stdout.readline) == b"away\n"
                await until(lambda: endpoint.in_flight == 0)
                later.touch()
            found = await all_ended(database, "trial")
            await asyncio.to_thread(check, found, endpoint, 12, surplus=0)
            for one in both:
                one.send_signal(signal.SIGTERM)
            assert [await asyncio.to_thread(one.wait) for one in both] == [0, 0]


async def test_a_worker_stops_when_told_to_though_the_database_is_away(database: str) -> None:
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        endpoint.hold(8)
        await job_queue.submit(database, "trial", debates(6))
        with workers(database, endpoint, 1, "--grace", "1", "--takeover", "1") as [one]:
            await until(lambda: endpoint.held > 0)
            with gone(database):
                endpoint.let_go()
                one.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(one.wait) == 0
        # What it could not put back is taken over.
        with workers(database, endpoint, 1, "--takeover", "1"):
            found = await all_ended(database, "trial")
        await asyncio.to_thread(check, found, endpoint, 6, surplus=LIMIT)


async def test_no_call_is_made_by_one_that_was_taken_over(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for its turn at the endpoint while another process takes up the debate."""
    monkeypatch.setattr("moot.database.writer.FRESH", 0.0)  # it is never certain of anything
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        endpoint.hold(1)
        config = debates(1, concurrency=1, out=f"{database}&application_name=zombie")["d0"]
        debate = asyncio.create_task(moot.run(config, reports=False))
        await until(lambda: endpoint.held == 1)
        [run] = await asyncio.to_thread(moot.list_runs, database)
        heir = named(f"{database}&application_name=heir", run.name)
        assert heir is not None
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 900000) FROM pg_stat_activity WHERE application_name = 'zombie'"
            )
        with heir.hold():
            asked = endpoint.count
            endpoint.let_go()
            with pytest.raises(moot.RunBusy):
                await debate
            assert endpoint.count == asked


def test_a_worker_waits_for_room_and_has_only_a_handful_of_connections(
    database: str, monkeypatch: pytest.MonkeyPatch, refused: list[str]
) -> None:
    most = 0

    def count(_: int, asked: dict[str, Any]) -> Fault | None:
        nonlocal most
        rows = watching.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'worker'").fetchall()
        most = max(most, rows[0][0])
        return replies(asked)

    async def go() -> None:
        async with FakeEndpoint(0.0, count) as endpoint, asyncio.timeout(PATIENCE):
            monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
            await job_queue.submit(database, "trial", debates(30))
            watching.execute("CREATE ROLE guest LOGIN")
            name = name_of(database)
            for right in (
                "GRANT ALL ON SCHEMA public TO guest",
                f"ALTER DATABASE {name} CONNECTION LIMIT 0",
                "GRANT ALL ON ALL TABLES IN SCHEMA public TO guest",
            ):
                watching.execute(right.encode())
            url = database.replace("moot@", "guest@") + "&application_name=worker"
            worker = asyncio.create_task(job_queue.work(url, concurrency=30, until_idle=True))
            await until(lambda: len(refused) > 1)
            assert not worker.done(), "it waits"
            watching.execute(f"ALTER DATABASE {name} CONNECTION LIMIT {MOST_CONNECTIONS + 1}".encode())
            await worker
            found = await all_ended(database, "trial")
            await asyncio.to_thread(check, found, endpoint, 30, surplus=0)

    with psycopg.connect(database, autocommit=True) as watching:
        try:
            asyncio.run(go())
        finally:
            watching.execute("DROP OWNED BY guest")
            watching.execute("DROP ROLE guest")
    assert 1 < most <= MOST_CONNECTIONS + 1


async def test_a_database_that_stays_away_is_no_fault_of_a_debate(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        endpoint.hold(4)
        await job_queue.submit(database, "trial", debates(3))
        worker = asyncio.create_task(job_queue.work(database, reconnect=0.5, takeover=1.0))
        await until(lambda: endpoint.held > 0)
        with gone(database):
            endpoint.let_go()
            with pytest.raises(DatabaseAway, match="start the worker again"):
                await worker
        standing = await job_queue.progress(database, "trial")
        assert (standing.ended, standing.waiting + standing.running) == ({}, 3)
        again = asyncio.create_task(job_queue.work(database, takeover=1.0, grace=0))
        found = await all_ended(database, "trial")
        assert {one.status for one in found.values()} == {"done"}
        again.cancel()
        await asyncio.wait([again])


async def test_who_submits_a_batch_goes_on_when_the_database_is_back(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: list[str]
) -> None:
    async with FakeEndpoint(0.0) as endpoint:
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        file = write_grid(tmp_path, model="fake/model", grid={"seed": [1, 2, 3]})
        batch = batches.create_batch(batches.read_batch(file), tmp_path / "batch")
        running = asyncio.create_task(batches.run_batch(batch, QueueExecutor(database)))
        await until(lambda: unfinished(database, queue_name(batch)) == 3)
        with gone(database):
            await until(lambda: len(refused) > 1)
        await job_queue.work(database, until_idle=True)
        assert (await running).done == 3
