"""Several real worker processes on one queue, some of which are killed."""

import asyncio
import signal
from pathlib import Path

import psycopg
import pytest

import moot
from moot import queue as job_queue
from moot.queue.claims import Claims
from moot.queue.jobs import queue_at
from tests.kit.endpoint import FakeEndpoint
from tests.kit.waiting import PATIENCE, until
from tests.kit.workers import LIMIT, all_ended, check, debates, replies, said, workers

LASTING_LEASES = f"from moot.queue import sharing; sharing.EXPIRY = {PATIENCE}"
"""For workers who are to keep a limit however late they are."""
SAYS_WHEN_IT_STOPS = """
from moot.queue import working
finish = working._Worker.finish
async def told(self, grace):
    print("stopping", flush=True)
    await finish(self, grace)
working._Worker.finish = told
"""


def bury(database: str) -> None:
    """Take over from the worker that came first, as others do when it was silent for long enough."""
    claims = Claims(queue_at(database), 0)
    beats = claims.look(()).beats
    assert claims.take_over({min(beats): beats[min(beats)]}) == 2
    claims.leave()


async def test_a_killed_worker_is_taken_over(database: str, tmp_path: Path) -> None:
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        endpoint.hold(10)
        await job_queue.submit(database, "trial", debates(18))
        with workers(database, endpoint, 1, "--concurrency", "2", first=LASTING_LEASES) as [victim]:
            await until(lambda: endpoint.held >= 2)
            with workers(database, endpoint, 2, first=LASTING_LEASES):
                # Its two debates have two calls each under way at most, so this is the others' doing.
                await until(lambda: endpoint.held > 4)
                victim.kill()
                victim.wait()
                bury(database)
                endpoint.let_go()
                found = await all_ended(database, "trial")
        await asyncio.to_thread(check, found, endpoint, 18, surplus=LIMIT)
        assert endpoint.max_in_flight <= LIMIT
        texts = {name: said(one.run) for name, one in found.items()}
    # Undisturbed, in one process and in files, the same is said.
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FAKE_BASE_URL", endpoint.url)
            for name, config in list(debates(18, out=str(tmp_path)).items())[::6]:
                result = await moot.run(config, reports=False)
                assert said(moot.find_run(result.run)) == texts[name]


def test_a_worker_that_is_late_does_not_take_over_from_itself(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its debate could be stopped, and would go on."""

    def statuses() -> dict[int, str]:
        return dict(queue.execute("SELECT run, state FROM moot_debates ORDER BY run").fetchall())

    async def go() -> None:
        async with FakeEndpoint() as endpoint, asyncio.timeout(PATIENCE):
            monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
            endpoint.hold()
            # In so short a time no worker is ever heard of.
            worker = asyncio.create_task(job_queue.work(database, concurrency=1, takeover=0.001, grace=0))
            await until(lambda: endpoint.held > 0)
            [mine] = [run for run, status in statuses().items() if status == "running"]
            dead = queue.execute("INSERT INTO moot_workers DEFAULT VALUES RETURNING id").fetchone()
            queue.execute("UPDATE moot_debates SET state = 'running', worker = %s WHERE state = 'waiting'", dead)
            await until(lambda: "waiting" in statuses().values())
            assert statuses()[mine] == "running"
            worker.cancel()
            await asyncio.wait([worker])

    asyncio.run(job_queue.submit(database, "trial", debates(2)))
    with psycopg.connect(database, autocommit=True) as queue:
        asyncio.run(go())


@pytest.mark.parametrize("grace", ["0", str(PATIENCE)])
async def test_a_worker_told_to_stop_hands_back_what_it_has_not_ended(database: str, grace: str) -> None:
    async with FakeEndpoint(0.0, lambda _, asked: replies(asked)) as endpoint:
        endpoint.hold(20)
        await job_queue.submit(database, "trial", debates(24))
        with workers(database, endpoint, 1, "--grace", grace, first=SAYS_WHEN_IT_STOPS) as [first]:
            await until(lambda: endpoint.held >= 8)
            first.send_signal(signal.SIGTERM)
            assert first.stdout is not None
            assert await asyncio.to_thread(first.stdout.readline) == b"stopping\n"
            if grace != "0":
                endpoint.let_go()
            assert await asyncio.to_thread(first.wait) == 0
            endpoint.let_go()
            standing = await job_queue.progress(database, "trial")
            assert standing.running == 0, "what was running has ended or waits again"
            assert standing.waiting > 0
            assert standing.ended.get("done", 0) == 24 - standing.waiting
            assert grace == "0" or standing.ended
        with workers(database, endpoint, 1):
            found = await all_ended(database, "trial")
        await asyncio.to_thread(check, found, endpoint, 24, surplus=LIMIT if grace == "0" else 0)
