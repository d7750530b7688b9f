"""A batch of scripted debates under faults, with workers that are killed: what comes of it, and what was paid."""

import asyncio
import hashlib
import json
import random
import signal
import subprocess
import time
from collections import Counter
from typing import Any

import psycopg
from tests.kit.duels import ADA, BO, KIM, calls_of
from tests.kit.endpoint import CUT, EMPTY, JUNK, RESET, FakeEndpoint, Fault, fail, rate_limited
from tests.kit.endpoint import say as reply

import moot
from engine import say
from moot import queue as job_queue
from moot.engine.play.structured import instance_of
from tables import markdown
from workers import all_ended, workers

FAULTS = 0.2
KINDS = [rate_limited("0.2"), fail(500), fail(503), RESET, CUT, JUNK, EMPTY]
WORKERS, AT_A_TIME, LIMIT = 4, 64, 200
MOST_ROUNDS = 10
COMPARED: tuple[str, ...] = ("status", "winner", "scores", "first_impressions")
"""What two debates are compared by, of their results."""


class Paid:
    """The endpoint's side: each prompt has an answer of its own, which depends on nothing but the prompt. Counts how
    often each was answered."""

    def __init__(self, faults: float) -> None:
        self.answered: Counter[bytes] = Counter()
        self.faults = 0
        self._rate = faults
        self._lot = random.Random(1)

    def __call__(self, _number: int, asked: dict[str, Any]) -> Fault:
        if self._lot.random() < self._rate:
            self.faults += 1
            return self._lot.choice(KINDS)
        digest = hashlib.sha256(json.dumps(asked["messages"]).encode()).digest()
        self.answered[digest] += 1
        schema = asked.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema is None:
            return reply(f"A reply that is like no other: {digest.hex()}.")
        made = instance_of(schema)
        if isinstance(made, dict) and "score" in made:
            made["score"] = 1 + digest[1] % 10
        if isinstance(made, dict) and "winner" in made:
            made["winner"] = (ADA if digest[0] % 2 else BO)["name"]
        return reply(json.dumps(made))


async def under_faults(url: str, count: int) -> int:
    """Run the batch disturbed and undisturbed, compare, print, and return the exit code."""
    say(f"{count} debates, undisturbed")
    calm, plain, calm_seconds, _ = await _batch(url, "calm", count, 0.0, kills=0)
    say(f"{count} debates, {FAULTS:.0%} faults, two kills")
    rough, paid, seconds, under_way = await _batch(url, "rough", count, FAULTS, kills=2)
    same = sum(rough[name] == calm[name] for name in calm)
    journalled = sum(one["calls"] for one in rough.values())
    twice = sum(paid.answered.values()) - journalled
    faulty = [name for name in list(rough)[:: max(1, count // 200)] if not _sound(url, "rough", name)]
    bars = {
        "debates that ended": (len(rough), len(rough) == count),
        "results equal to the undisturbed run's": (same, same == count),
        "replies in the journals": (journalled, journalled == count * calls_of(2)),
        "replies sent beyond those; at most the next figure": (twice, 0 <= twice <= under_way),
        "replies sent and in no journal yet at the two kills": (under_way, True),
        "different prompts answered": (len(paid.answered), len(paid.answered) == len(plain.answered)),
        "faults injected": (paid.faults, paid.faults > 0),
        "runs that do not verify, of every tenth": (len(faulty), not faulty),
    }
    rows = [["", "", "bar"]]
    rows += [[name, f"{figure:,}", "met" if met else "MISSED"] for name, (figure, met) in bars.items()]
    rows.append(["seconds, and of the undisturbed run", f"{seconds:.0f}, {calm_seconds:.0f}", ""])
    print(markdown(rows))
    return 0 if all(met for _, met in bars.values()) else 1


async def _batch(
    url: str, batch: str, count: int, faults: float, kills: int
) -> tuple[dict[str, dict[str, Any]], Paid, float, int]:
    """What each debate came to, what was paid, the seconds, and how many calls were under way at the kills."""
    paid, under_way = Paid(faults), 0
    async with FakeEndpoint(0.01, paid) as endpoint:
        endpoint.recording = True
        with workers(url, endpoint.url, WORKERS, AT_A_TIME, "--takeover", "3") as started:
            clock = time.perf_counter()
            await job_queue.submit(url, batch, _debates(count))
            for number in range(kills):
                while endpoint.count < count * calls_of(2) * (number + 1) / 3:
                    endpoint.requests.clear()
                    endpoint.heads.clear()
                    await asyncio.sleep(0.05)
                under_way += await _killed(url, batch, started, started[number], paid)
                say(f"killed a worker at {endpoint.count} requests")
            for _ in range(MOST_ROUNDS):
                standing = await all_ended(url, batch)
                if not standing.failed:
                    break
                # Five faults at one call in a row: the debate stopped with its reason, and is taken up again.
                say(f"taking up {len(standing.failed)} that had stopped")
                for debate in standing.failed:
                    await job_queue.resubmit(url, batch, debate, {})
            seconds = time.perf_counter() - clock
    found: dict[str, dict[str, Any]] = {}
    for one in await job_queue.Watch(url, batch).new():
        document = one.run.result() or {}
        kept = {key: document.get(key) for key in COMPARED}
        found[one.debate] = {"calls": one.calls, **kept}
    return found, paid, seconds, under_way


async def _killed(
    url: str, batch: str, started: "list[subprocess.Popen[str]]", victim: "subprocess.Popen[str]", paid: Paid
) -> int:
    """Kill a worker; how many replies had been sent that were in no journal. All stand still while it is counted."""
    alive = [one for one in started if one.poll() is None]
    for one in alive:
        one.send_signal(signal.SIGSTOP)
    await asyncio.sleep(0.5)
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM moot_lines l JOIN moot_debates d USING (run) WHERE d.batch = %s "
            "AND l.file = 'calls.jsonl' AND position('\"kind\":\"reply\"'::bytea IN l.line) > 0",
            [batch],
        ).fetchone()
    victim.kill()
    for one in alive:
        one.send_signal(signal.SIGCONT)
    return sum(paid.answered.values()) - (row[0] if row else 0)


def _debates(count: int) -> dict[str, moot.RunConfig]:
    common: dict[str, Any] = {"model": "fake/model", "turns": 2, "concurrency": LIMIT, "seed": 1}
    cast: dict[str, Any] = {"debaters": [ADA, BO], "judge": KIM}
    return {f"{n}": moot.configure("duel", topic=f"Is {n} enough?", **common, **cast) for n in range(count)}


def _sound(url: str, batch: str, debate: str) -> bool:
    runs = [run for run in _runs(url) if run.name.startswith(f"{batch}-{debate}-")]
    return len(runs) == 1 and not moot.verify(runs[0]).faults


_known: list[moot.Run] = []


def _runs(url: str) -> list[moot.Run]:
    if not _known:
        _known.extend(moot.list_runs(url))
    return _known
