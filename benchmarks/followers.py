"""Two hundred followers on twenty live debates: does everybody get every entry once, in order, soon, and for how much?

    python benchmarks/followers.py [--debates 20] [--followers 200] [--json]

The server is `moot serve` in a process of its own, the models are a fake endpoint in another that streams its replies
word by word, and the followers are here. The delay of an entry is from its timestamp, which it gets when it is written
to the log, to the moment its event has arrived. Exit code 1 when a bar is missed.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

import aiohttp

TURNS = 2
ENTRIES = 13
WORDS_A_SECOND = 25
LATENCY_MS = 100
MOST_MEDIAN_MS = 50.0
MOST_GROWTH = 1.10
LOOK_EVERY = 0.25
SETTLED_AFTER = 0.25
"""The share of the time after which the server has loaded all it needs, so that memory can be compared."""


@dataclass(slots=True)
class Follower:
    """What one follower was told."""

    seqs: list[int] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    events: int = 0
    ended: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Delays in milliseconds, memory in MB: when all had come, at the most, and at the end."""

    debates: int
    followers: int
    entries_told: int
    events_told: int
    faults: int
    median_ms: float
    p99_ms: float
    worst_ms: float
    rss_settled_mb: float
    rss_most_mb: float
    rss_end_mb: float
    seconds: float
    server_cpu_seconds: float

    @property
    def missed(self) -> list[str]:
        bars = {
            f"{self.faults} followers did not get every entry once and in order": self.faults > 0,
            f"a median delay of {self.median_ms:.0f} ms; {MOST_MEDIAN_MS:.0f} is the most": self.median_ms
            > MOST_MEDIAN_MS,
            "memory grew": self.rss_end_mb > self.rss_settled_mb * MOST_GROWTH,
        }
        return [what for what, so in bars.items() if so]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--debates", type=int, default=20)
    parser.add_argument("--followers", type=int, default=200)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        endpoint() as models,
        server(folder, models, options.debates) as (
            process,
            url,
        ),
    ):
        figures = asyncio.run(measured(url, process.pid, options.debates, options.followers))
    print(json.dumps(asdict(figures), indent=2) if options.json else table(figures))
    for what in figures.missed:
        print(f"MISSED: {what}", file=sys.stderr)
    return 1 if figures.missed else 0


@contextmanager
def endpoint() -> Iterator[str]:
    gap = 1000 / WORDS_A_SECOND
    command = [sys.executable, "-m", "moot.testing.endpoint", "--latency-ms", str(LATENCY_MS), "--gap-ms", str(gap)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("ready ").strip()
        finally:
            process.terminate()


@contextmanager
def server(folder: str, models: str, debates: int) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    command = [sys.executable, "-c", "from moot.cli import main; main()", "serve", "--port", "0", "--out", folder]
    command += ["--max-debates", str(debates)]
    environment = {**os.environ, "FAKE_BASE_URL": models, "MOOT_MODEL": "fake/one"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        try:
            yield process, process.stderr.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()


async def measured(url: str, pid: int, debates: int, followers: int) -> Figures:
    """Start the debates, have everybody follow, and put together what they were told."""
    rss: list[float] = []
    watching = asyncio.create_task(watch(pid, rss))
    started = time.monotonic()
    connections = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(url, connector=connections, timeout=aiohttp.ClientTimeout(total=600)) as session:
        asked = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": TURNS}}
        paths = [await start(session, asked) for _ in range(debates)]
        told = await asyncio.gather(*(follow(session, paths[number % debates]) for number in range(followers)))
    watching.cancel()
    delays = sorted(delay for one in told for delay in one.delays)
    settled = rss[int(len(rss) * SETTLED_AFTER) :]
    return Figures(
        debates=debates,
        followers=followers,
        entries_told=len(delays),
        events_told=sum(one.events for one in told),
        faults=sum(one.seqs != list(range(ENTRIES)) or one.ended != "done" for one in told),
        median_ms=statistics.median(delays),
        p99_ms=delays[int(len(delays) * 0.99)],
        worst_ms=delays[-1],
        rss_settled_mb=settled[0],
        rss_most_mb=max(settled),
        rss_end_mb=settled[-1],
        seconds=time.monotonic() - started,
        server_cpu_seconds=cpu_seconds(pid),
    )


async def start(session: aiohttp.ClientSession, asked: Mapping[str, object]) -> str:
    async with session.post("/api/runs", json=asked) as answer:
        document = await answer.json()
        assert answer.status == 201, document
        return str(document["follow"])


async def follow(session: aiohttp.ClientSession, path: str) -> Follower:
    """Follow one debate to its end. What was written before the follower came counts for its order, not its delay."""
    told, came = Follower(), time.time()
    async with session.get(path) as stream:
        async for kind, data in events(stream.content):
            now = time.time()
            told.events += 1
            if kind == "entry":
                entry = json.loads(data)
                written = datetime.fromisoformat(entry["timestamp"]).timestamp()
                told.seqs.append(entry["seq"])
                if written > came:
                    told.delays.append((now - written) * 1000)
            elif kind == "ended":
                told.ended = json.loads(data)["status"]
    return told


async def events(stream: aiohttp.StreamReader) -> AsyncIterator[tuple[str, bytes]]:
    kind = ""
    async for line in stream:
        if line.startswith(b"event: "):
            kind = line[7:].strip().decode()
        elif line.startswith(b"data: "):
            yield kind, line[6:]


async def watch(pid: int, rss: list[float]) -> None:
    """Note the server's resident memory every so often."""
    page = os.sysconf("SC_PAGE_SIZE")
    while True:
        rss.append(pages_of(pid) * page / 1e6)
        await asyncio.sleep(LOOK_EVERY)


def pages_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])


def cpu_seconds(pid: int) -> float:
    fields: Sequence[str] = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table(figures: Figures) -> str:
    rows = {
        "entries told, in order and once": f"{figures.entries_told:,} to {figures.followers} followers of "
        f"{figures.debates} debates; {figures.faults} followers missed something",
        "events told, with the text as it is generated": f"{figures.events_told:,}",
        "delay of an entry: median": f"{figures.median_ms:.1f} ms",
        "delay of an entry: 99th percentile": f"{figures.p99_ms:.1f} ms",
        "delay of an entry: worst": f"{figures.worst_ms:.1f} ms",
        "memory of the server: settled, most, end": f"{figures.rss_settled_mb:.0f}, {figures.rss_most_mb:.0f}, "
        f"{figures.rss_end_mb:.0f} MB",
        "time": f"{figures.seconds:.1f} s, {figures.server_cpu_seconds:.1f} s of the server's CPU",
    }
    return "\n".join(["| what | measured |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


if __name__ == "__main__":
    sys.exit(main())
