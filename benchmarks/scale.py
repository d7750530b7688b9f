"""More than one machine: what the stores and the queue cost, how workers add up, how it grows, and what kills do.

    python benchmarks/scale.py             stores, workers, DBOS beside them, and growth: some five minutes
    python benchmarks/scale.py --faults    2,000 debates under 20 % faults and two killed workers: some three minutes

Everything runs on this machine, with a PostgreSQL of its own that waits for the disk; workers, server and endpoint
share its cores. docs/scale.md says how to read it. Exit code 1 when a bar is missed.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import yaml
from tests.kit.databases import running_server
from tests.kit.duels import full_script, small_config

import moot
from engine import CONTESTANTS, LONGEST_CHAIN, endpoint, quiet, say
from environments import Unavailable, default_folder, environment
from moot import queue as job_queue
from moot.database.connection import close_databases
from scale_faults import under_faults
from tables import markdown
from workers import all_ended, cpu_seconds, listening, server_cpu_seconds, workers

TURNS = 6
CALLS = 4 * TURNS + 6
LATENCY = 0.05
AT_A_TIME = 16
FILES, TABLES, QUEUE = "files", "PostgreSQL", "PostgreSQL and queue, one worker"


@dataclass(frozen=True, slots=True)
class Cost:
    """Of many duels at once: seconds, and CPU seconds of those who hold them and of PostgreSQL."""

    seconds: float
    workers: float
    server: float


def main() -> int:
    parser = argparse.ArgumentParser(description="Debates on more than one machine, measured on this one.")
    parser.add_argument("--faults", action="store_true", help="the batch under faults and kills instead")
    parser.add_argument("--debates", type=int, default=2000, help="of the batch under faults")
    parser.add_argument("--many", type=int, default=200, help="duels at once for the stores, and for each worker count")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--peers", type=Path, default=default_folder(), help="where their environments are, or will be")
    which.add_argument("--no-peers", action="store_true", help="moot only; installs nothing")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000], help="for the growth")
    options = parser.parse_args()
    with running_server(durable=True) as url:
        try:
            if options.faults:
                return asyncio.run(under_faults(url, options.debates))
            print(stores(url, options.many), adding_up(url, options.many), sep="\n\n")
            if not options.no_peers:
                print(f"\n{beside_dbos(url, options.many, options.peers)}")
            print(f"\n{growth(url, options.sizes)}")
        finally:
            close_databases()
    return 0


def stores(url: str, many: int) -> str:
    """What a call costs with each store, and with the queue."""
    found: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, out in ((FILES, folder), (TABLES, url)):
            say(f"stores: {name}")
            with endpoint(1000 * LATENCY) as fake:
                command: list[str | Path] = [sys.executable, CONTESTANTS / "with_store.py", out, str(many)]
                before = server_cpu_seconds(url)
                done = subprocess.run(
                    command, env={**quiet(), "FAKE_BASE_URL": fake}, stdout=subprocess.PIPE, text=True, check=True
                )
                taken = json.loads(done.stdout)
            found[name] = Cost(taken["seconds"], taken["cpu"], server_cpu_seconds(url) - before)
    say(f"stores: {QUEUE}")
    found[QUEUE] = asyncio.run(queued(url, "stores", many, 1, many))
    rows = [["", "calls/s", "÷ files", "moot: CPU ms/call", "÷ files", "PostgreSQL: CPU ms/call"]]
    files = found[FILES]
    for name, cost in found.items():
        calls, server = CALLS * many, "–" if name == FILES else f"{cost.server / (CALLS * many) * 1000:.2f}"
        rows.append(
            [
                name,
                f"{calls / cost.seconds:.0f}",
                f"{files.seconds / cost.seconds:.2f}",
                f"{cost.workers / calls * 1000:.2f}",
                f"{cost.workers / files.workers:.2f}",
                server,
            ]
        )
    return f"{many} duels of {CALLS} calls at once, {1000 * LATENCY:.0f} ms a call:\n\n{markdown(rows)}"


def adding_up(url: str, many: int) -> str:
    """Debates per second with 1, 2 and 4 workers, each with few debates at a time, so that it mostly waits."""
    ideal = AT_A_TIME / (LONGEST_CHAIN * LATENCY)
    rows = [["workers", "debates/s", "÷ one worker", "÷ what waiting allows", "CPU ms/call, moot and PostgreSQL"]]
    first = 0.0
    for count in (1, 2, 4):
        say(f"workers: {count}")
        cost = asyncio.run(queued(url, f"workers-{count}", many * count // 2, count, AT_A_TIME))
        rate = (many * count // 2) / cost.seconds
        first = first or rate
        cpu = (cost.workers + cost.server) / (CALLS * (many * count // 2)) * 1000
        rows.append([str(count), f"{rate:.1f}", f"{rate / first:.2f}", f"{rate / ideal / count:.2f}", f"{cpu:.2f}"])
    return f"{AT_A_TIME} duels at a time on each worker:\n\n{markdown(rows)}"


def beside_dbos(url: str, many: int, peers: Path) -> str:
    """The same calls as durable steps of DBOS workflows, from its queue, by as many workers."""
    try:
        say(f"environment of DBOS in {peers}")
        python = environment("dbos", peers)
    except Unavailable as reason:
        return f"Without DBOS: {reason}"
    say("two workers: moot")
    ours = asyncio.run(queued(url, "beside", many, 2, 100))
    say("two workers: DBOS")
    program = CONTESTANTS / "with_dbos.py"
    with endpoint(1000 * LATENCY) as fake:
        around = {**quiet(), "FAKE_BASE_URL": fake}
        commands: list[list[str | Path]] = [
            [python, program, "work", url, f"worker-{number}", "100"] for number in range(2)
        ]
        with listening(commands, around) as started:
            submit: list[str | Path] = [python, program, "submit", url]
            subprocess.run([*submit, "8"], env=around, stdout=subprocess.DEVNULL, check=True)
            before = sum(cpu_seconds(one.pid) for one in started), server_cpu_seconds(url)
            done = subprocess.run([*submit, str(many)], env=around, stdout=subprocess.PIPE, text=True, check=True)
            cpu = sum(cpu_seconds(one.pid) for one in started) - before[0]
            theirs = Cost(float(done.stdout), cpu, server_cpu_seconds(url) - before[1])
    rows = [["", "seconds", "÷ moot", "CPU ms/call, workers", "÷ moot", "CPU ms/call, PostgreSQL", "÷ moot"]]
    for name, cost in (("moot", ours), ("DBOS", theirs)):
        cells = []
        for part, scale in (("seconds", 1.0), ("workers", 1000 / (CALLS * many)), ("server", 1000 / (CALLS * many))):
            cells += [f"{getattr(cost, part) * scale:.2f}", f"{getattr(cost, part) / getattr(ours, part):.1f}"]
        rows.append([name, *cells])
    return f"{many} duels on two workers, 100 at a time on each:\n\n{markdown(rows)}"


async def queued(url: str, batch: str, many: int, count: int, at_a_time: int) -> Cost:
    """So many duels by so many workers, from the moment they are submitted."""
    with endpoint(1000 * LATENCY) as fake, workers(url, fake, count, at_a_time) as started:
        common: dict[str, Any] = {"model": "fake/fake", "turns": TURNS, "concurrency": 2000, "seed": 1}
        topic = "Is remote work better than work in an office?"
        debates = {f"{n}": moot.configure("duel", topic=f"{topic} ({n})", **common) for n in range(many)}
        # Each begins with one of its own, so that imports and connections are no part of it.
        await job_queue.submit(url, f"{batch}-first", {f"first-{n}": debates["0"] for n in range(4 * count)})
        await all_ended(url, f"{batch}-first")
        before = [cpu_seconds(one.pid) for one in started], server_cpu_seconds(url)
        clock = time.perf_counter()
        await job_queue.submit(url, batch, debates)
        standing = await all_ended(url, batch)
        seconds = time.perf_counter() - clock
        if standing.ended != {"done": many}:
            raise RuntimeError(f"not all are done: {standing}")
        moot_cpu = sum(cpu_seconds(one.pid) for one in started) - sum(before[0])
        return Cost(seconds, moot_cpu, server_cpu_seconds(url) - before[1])


def growth(url: str, sizes: list[int]) -> str:
    """Batches of scripted debates, each ten times as large as the one before, in a database that keeps them all."""
    rows = [["debates", "submit: ms each", "two workers: debates/s", "÷ the first", "look at the progress: ms"]]
    first = 0.0
    with tempfile.TemporaryDirectory() as folder:
        replies = Path(folder) / "replies.yaml"
        replies.write_text(yaml.safe_dump(full_script(2)), "utf-8")
        for size in sizes:
            say(f"growth: {size}")
            submitting, working, looking = asyncio.run(_grown(url, size, f"scripted/{replies}"))
            first = first or size / working
            rows.append(
                [
                    f"{size:,}",
                    f"{submitting / size * 1000:.2f}",
                    f"{size / working:.1f}",
                    f"{size / working / first:.2f}",
                    f"{looking * 1000:.1f}",
                ]
            )
    return f"Duels of 14 scripted calls:\n\n{markdown(rows)}"


async def _grown(url: str, size: int, model: str) -> tuple[float, float, float]:
    debates = {f"{number}": small_config("unused", model=model, seed=number) for number in range(size)}
    batch = f"growth-{size}"
    with workers(url, "http://127.0.0.1:9/v1", 2, 50):
        started = time.perf_counter()
        submitted = asyncio.create_task(job_queue.submit(url, batch, debates))
        await submitted
        submitting = time.perf_counter() - started
        standing = await all_ended(url, batch)
        working = time.perf_counter() - started
    if standing.ended != {"done": size}:
        raise RuntimeError(f"not all are done: {standing}")
    started = time.perf_counter()
    await job_queue.progress(url, batch)
    return submitting, working, time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
