"""What the benchmarks of the queue share: worker processes, and the CPU time of processes that go on running."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from moot import queue as job_queue

TICKS = os.sysconf("SC_CLK_TCK")
START = "from moot.cli import main; main()"


@contextmanager
def workers(
    queue: str, endpoint: str, count: int, concurrency: int, *options: str
) -> "Iterator[list[subprocess.Popen[str]]]":
    """So many workers of moot, once all of them listen."""
    environment = {**os.environ, "MOOT_QUEUE": queue, "FAKE_BASE_URL": endpoint}
    command = [sys.executable, "-c", START, "worker", "--concurrency", str(concurrency), *options]
    with listening([command] * count, environment) as started:
        yield started


@contextmanager
def listening(
    commands: Sequence[Sequence[str | Path]], environment: Mapping[str, str]
) -> "Iterator[list[subprocess.Popen[str]]]":
    """These processes, once each has said that it is working; they are killed in the end."""
    started = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL)
        for command in commands
    ]
    try:
        for worker in started:
            if worker.stderr is None or "working" not in worker.stderr.readline():
                raise RuntimeError("a worker did not start")
        yield started
    finally:
        for worker in started:
            worker.kill()
            worker.communicate()


def cpu_seconds(process: int) -> float:
    """What a process, and the children that it has seen the end of, have used so far."""
    return sum(map(int, _stat(process)[11:15])) / TICKS


def server_cpu_seconds(queue: str) -> float:
    """The same of PostgreSQL, with all its processes."""
    with psycopg.connect(queue) as connection:
        [backend] = connection.execute("SELECT pg_backend_pid()").fetchone() or (0,)
        server = _parent(backend)
        others = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal()]
        children = [one for one in others if _parent(one) == server]
        return cpu_seconds(server) + sum(map(cpu_seconds, children))


async def all_ended(queue: str, batch: str) -> job_queue.QueueProgress:
    while True:
        standing = await job_queue.progress(queue, batch)
        if not standing.waiting and not standing.running:
            return standing
        await asyncio.sleep(0.05)


def _parent(process: int) -> int:
    try:
        return int(_stat(process)[1])
    except FileNotFoundError:
        return 0


def _stat(process: int) -> list[str]:
    """The fields of a process after its name, from its state on."""
    return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
