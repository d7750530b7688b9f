"""What a database that goes away does to a queue: workers, submitters and debates through every way to lose it.

    python benchmarks/outages.py               all scenarios, some fifteen minutes
    python benchmarks/outages.py restart full  only these
    python benchmarks/outages.py --carrying    with debates that carry documents and evidence

Each scenario runs a batch of debates on workers of its own, with a PostgreSQL of its own. In the end all debates are
done and say what they say undisturbed, every reply on record was paid once, nothing is held, whoever submitted lives,
and every worker stops on SIGTERM.
Where nothing was killed or stood still for longer than a takeover takes, no reply was paid for in vain either. Exit
code 1 when a bar is missed.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg
from tests.kit.databases import new_database
from tests.kit.endpoint import FakeEndpoint
from tests.kit.workers import replies, said

import moot
from engine import say
from moot import queue as job_queue
from moot.database.connection import close_databases
from moot.queue.jobs import queue_at
from outage_jobs import Jobs, make_jobs
from outage_server import PATIENCE, Server, server
from tables import markdown
from workers import START

DEBATES, WORKERS, LATENCY = 24, 3, 0.15
TAKEOVER = 6.0
AT_A_TIME, SIDE_BY_SIDE = 8, 2
"""Debates of a worker, and calls of such a debate: so much is under way at most when a worker is lost."""


@dataclass(slots=True)
class Scene:
    """A batch under way. `spare` is how many replies may have been paid for in vain."""

    server: Server
    url: str
    endpoint: FakeEndpoint
    jobs: Jobs
    workers: "list[subprocess.Popen[bytes]]" = field(default_factory=list)
    killed: "list[subprocess.Popen[bytes]]" = field(default_factory=list)
    spare: int = 0

    async def reached(self, share: float) -> None:
        """Wait until so much of the batch was asked for."""
        while self.endpoint.count < self.jobs.calls * share:  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    def add_worker(self) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, "MOOT_QUEUE": self.url, "FAKE_BASE_URL": self.endpoint.url}
        options = ["--concurrency", str(AT_A_TIME), "--takeover", str(TAKEOVER), "--grace", "2"]
        command = [sys.executable, "-c", START, "worker", *options]
        self.workers.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
        return self.workers[-1]

    def kill(self, one: "subprocess.Popen[bytes]") -> None:
        one.kill()
        self.killed.append(one)
        self.spare += AT_A_TIME * SIDE_BY_SIDE


Scenario = Callable[[Scene], Awaitable[None]]
SCENARIOS: dict[str, Scenario] = {}


def scenario(work: Scenario) -> Scenario:
    SCENARIOS[work.__name__.replace("_", "-")] = work
    return work


async def _away(scene: Scene, how: signal.Signals, seconds: float) -> None:
    await asyncio.to_thread(scene.server.end, how)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(scene.server.start)


@scenario
async def restart(scene: Scene) -> None:
    await scene.reached(0.3)
    await _away(scene, signal.SIGINT, 0)


@scenario
async def restarts(scene: Scene) -> None:
    for share in (0.2, 0.4, 0.6):
        await scene.reached(share)
        await _away(scene, signal.SIGINT, 0)


@scenario
async def crash(scene: Scene) -> None:
    await scene.reached(0.3)
    await _away(scene, signal.SIGQUIT, 0)


@scenario
async def crashes(scene: Scene) -> None:
    for share in (0.05, 0.3, 0.6):
        await scene.reached(share)
        await _away(scene, signal.SIGQUIT, 0)


@scenario
async def away_for_longer_than_a_takeover(scene: Scene) -> None:
    await scene.reached(0.3)
    await _away(scene, signal.SIGINT, TAKEOVER + 2)


@scenario
async def away_for_a_minute(scene: Scene) -> None:
    await scene.reached(0.3)
    await _away(scene, signal.SIGINT, 60)


@scenario
async def away_twice(scene: Scene) -> None:
    for share in (0.2, 0.6):
        await scene.reached(share)
        await _away(scene, signal.SIGINT, 3)


@scenario
async def crash_near_the_end(scene: Scene) -> None:
    await scene.reached(0.95)
    await _away(scene, signal.SIGQUIT, 1)


@scenario
async def full(scene: Scene) -> None:
    """Others take all the room there is, for less than a takeover takes: one worker may be connected all the time, and
    whom it does not hear of for so long is dead to it."""
    await scene.reached(0.2)
    taken = []
    try:
        _end_sessions(scene)
        while True:
            taken.append(psycopg.connect(scene.server.address))
    except psycopg.OperationalError:
        _end_sessions(scene, taken[0])
    await asyncio.sleep(TAKEOVER / 2)
    for one in taken:
        one.close()


@scenario
async def too_many_workers(scene: Scene) -> None:
    """More workers than the server has room for."""
    for _ in range(3):
        scene.add_worker()
    await scene.reached(0.5)


@scenario
async def killed_backends(scene: Scene) -> None:
    for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        await scene.reached(share)
        _end_sessions(scene)


@scenario
async def backends_killed_again_and_again(scene: Scene) -> None:
    await scene.reached(0.1)
    for _ in range(20):
        _end_sessions(scene)
        await asyncio.sleep(0.3)


@scenario
async def paused_server(scene: Scene) -> None:
    await scene.reached(0.3)
    with scene.server.paused():
        await asyncio.sleep(TAKEOVER + 2)


@scenario
async def server_paused_twice(scene: Scene) -> None:
    for share in (0.2, 0.6):
        await scene.reached(share)
        with scene.server.paused():
            await asyncio.sleep(TAKEOVER / 2)


@scenario
async def paused_worker(scene: Scene) -> None:
    await scene.reached(0.3)
    scene.workers[0].send_signal(signal.SIGSTOP)
    scene.spare += AT_A_TIME * SIDE_BY_SIDE
    await asyncio.sleep(2 * TAKEOVER)
    scene.workers[0].send_signal(signal.SIGCONT)


@scenario
async def worker_paused_for_a_moment(scene: Scene) -> None:
    await scene.reached(0.3)
    scene.workers[0].send_signal(signal.SIGSTOP)
    await asyncio.sleep(TAKEOVER / 4)
    scene.workers[0].send_signal(signal.SIGCONT)


@scenario
async def two_submitters(scene: Scene) -> None:
    await scene.reached(0.3)
    await _away(scene, signal.SIGINT, 2)


@scenario
async def killed_workers(scene: Scene) -> None:
    for share, one in ((0.3, scene.workers[0]), (0.5, scene.workers[1])):
        await scene.reached(share)
        scene.kill(one)


@scenario
async def worker_killed_while_away(scene: Scene) -> None:
    await scene.reached(0.3)
    await asyncio.to_thread(scene.server.end, signal.SIGINT)
    scene.kill(scene.workers[0])
    await asyncio.sleep(2)
    await asyncio.to_thread(scene.server.start)


@scenario
async def all_at_once(scene: Scene) -> None:
    await scene.reached(0.2)
    await _away(scene, signal.SIGQUIT, 2)
    await scene.reached(0.4)
    scene.kill(scene.workers[0])
    _end_sessions(scene)
    await scene.reached(0.6)
    with scene.server.paused():
        await asyncio.sleep(2)


@scenario
async def told_to_stop_while_away(scene: Scene) -> None:
    await scene.reached(0.3)
    await asyncio.to_thread(scene.server.end, signal.SIGINT)
    await _told_to_stop(scene)
    await asyncio.to_thread(scene.server.start)
    scene.add_worker()


@scenario
async def told_to_stop_while_paused(scene: Scene) -> None:
    await scene.reached(0.3)
    with scene.server.paused():
        await _told_to_stop(scene)
    scene.add_worker()


async def _told_to_stop(scene: Scene) -> None:
    # What has come and cannot be written is lost with them.
    scene.spare += AT_A_TIME * SIDE_BY_SIDE * len(scene.workers)
    for one in scene.workers:
        one.send_signal(signal.SIGTERM)
    codes = [await asyncio.to_thread(one.wait, PATIENCE) for one in scene.workers]
    assert codes == [0] * len(codes), f"workers ended with {codes}"
    scene.killed += scene.workers


def _end_sessions(scene: Scene, connection: "psycopg.Connection[tuple[object, ...]] | None" = None) -> None:
    statement = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'moot%'"
    if connection is not None:
        connection.execute(statement)
        return
    with psycopg.connect(scene.server.address, autocommit=True) as own:
        own.execute(statement)


async def played(name: str, jobs: Jobs) -> dict[str, bool]:
    """Whether each bar was met."""
    with server(most=24 if name == "too-many-workers" else 100) as postgresql:
        url = await asyncio.to_thread(new_database, postgresql.address)
        async with FakeEndpoint(LATENCY, lambda _, asked: replies(asked)) as endpoint, asyncio.timeout(PATIENCE):
            scene = Scene(postgresql, url, endpoint, jobs)
            async with _working(scene):
                submitters = [asyncio.create_task(_submitted(scene)) for _ in range(2 if "two" in name else 1)]
                await SCENARIOS[name](scene)
                outcomes = await asyncio.gather(*submitters, return_exceptions=True)
                stopped = await _stopped(scene)
            met = {"the submitter lives": not any(isinstance(one, BaseException) for one in outcomes)}
            ended = await job_queue.progress(url, "trial")
            met["all debates end"] = ended.ended == {"done": DEBATES}
            met |= await asyncio.to_thread(_records, scene)
            met["every worker stops on SIGTERM"] = stopped
            close_databases()
            return met


def _records(scene: Scene) -> dict[str, bool]:
    runs = moot.list_runs(scene.url)
    paid = [Counter((one.key, one.attempt) for one in run.records() if one.kind == "reply") for run in runs]
    count = sum(sum(one.values()) for one in paid)
    once = all(set(one.values()) == {1} for one in paid) and count == scene.jobs.calls
    spare = scene.endpoint.count - count
    return {
        f"every reply paid once ({spare} of {scene.endpoint.count} in vain)": once and 0 <= spare <= scene.spare,
        "all say what they say undisturbed": sorted(map(said, runs)) == sorted(scene.jobs.said.values()),
        "nothing is held": not any(run.busy for run in runs),
        "runs verify": not any(moot.verify(run).faults for run in runs[:: max(1, DEBATES // 6)]),
    }


async def _submitted(scene: Scene) -> None:
    await job_queue.submit(scene.url, "trial", scene.jobs.configs)
    async for _ in job_queue.follow(scene.url, "trial"):
        pass


@asynccontextmanager
async def _working(scene: Scene) -> AsyncIterator[None]:
    # This process follows, and waits for the database as `moot batch` does.
    await asyncio.to_thread(queue_at, scene.url, 600.0)
    for _ in range(WORKERS):
        scene.add_worker()
    try:
        yield
    finally:
        for one in scene.workers:
            one.send_signal(signal.SIGCONT)
            one.kill()
            one.communicate()


async def _stopped(scene: Scene) -> bool:
    alive = [one for one in scene.workers if one not in scene.killed]
    for one in alive:
        one.send_signal(signal.SIGTERM)
    codes = [await asyncio.to_thread(one.wait, PATIENCE) for one in alive]
    return codes == [0] * len(codes)


def main() -> int:
    parser = argparse.ArgumentParser(description="A queue whose database goes away.")
    parser.add_argument("names", nargs="*", metavar="SCENARIO", help=f"of {', '.join(SCENARIOS)}")
    parser.add_argument("--carrying", action="store_true", help="debates that carry documents and evidence")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jobs = make_jobs(DEBATES, Path(folder), carrying=given.carrying)
        return 1 if play_all(given.names or list(SCENARIOS), jobs) else 0


def play_all(names: list[str], jobs: Jobs) -> int:
    """How many scenarios missed a bar."""
    rows, missed = [["scenario", "seconds", "missed"]], 0
    for name in names:
        say(name)
        clock = time.perf_counter()
        try:
            met = asyncio.run(played(name, jobs))
        except Exception as error:
            met = {f"{type(error).__name__}: {error}"[:120]: False}
        failed = [bar for bar, held in met.items() if not held]
        missed += bool(failed)
        rows.append([name, f"{time.perf_counter() - clock:.0f}", "; ".join(failed) or "–"])
        say(f"{name}: {'; '.join(failed) or 'all met'} ({'; '.join(met)})")
    print(markdown(rows))
    print(f"\n{len(names) - missed} of {len(names)}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
