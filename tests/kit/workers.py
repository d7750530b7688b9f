"""Real worker processes on a queue, and what has to be true of the debates that they ran."""

import hashlib
import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moot
from moot import queue as job_queue
from tests.kit.command import spawn
from tests.kit.duels import ADA, BO, KIM, assert_sound, calls_of
from tests.kit.endpoint import FakeEndpoint, Fault, say
from tests.kit.waiting import PATIENCE

TURNS = 2
LIMIT = 12
"""Calls to the endpoint at a time."""
EACH = 8
"""Debates at a time of one worker."""


def replies(asked: dict[str, Any]) -> Fault | None:
    """Each prompt has an answer of its own, whoever asks and whenever."""
    if "response_format" in asked:
        return None
    digest = hashlib.sha256(json.dumps(asked["messages"]).encode()).hexdigest()
    return say(f"A reply that is like no other: {digest}.")


def debates(count: int, **settings: Any) -> dict[str, moot.RunConfig]:
    cast: dict[str, Any] = {"debaters": [ADA, BO], "judge": KIM}
    common: dict[str, Any] = {
        "model": "fake/model",
        "turns": TURNS,
        "concurrency": LIMIT,
        "seed": 1,
        **cast,
        **settings,
    }
    return {
        f"d{number}": moot.configure("duel", topic=f"Is {number} enough?", no_frame=True, **common)
        for number in range(count)
    }


@contextmanager
def workers(
    url: str, endpoint: FakeEndpoint, count: int, *options: str, first: str = ""
) -> "Iterator[list[subprocess.Popen[bytes]]]":
    """So many workers, after this code in each. Unless the options say so, nobody is taken for dead."""
    environment = {**os.environ, "FAKE_BASE_URL": endpoint.url, "MOOT_QUEUE": url}
    usual = ("worker", "--concurrency", str(EACH), "--takeover", str(PATIENCE))
    started = [spawn(*usual, *options, first=first, env=environment, stderr=subprocess.DEVNULL) for _ in range(count)]
    try:
        yield started
    finally:
        for worker in started:
            worker.kill()
            worker.communicate()


async def all_ended(url: str, batch: str) -> dict[str, job_queue.Ended]:
    return {one.debate: one async for one in job_queue.follow(url, batch, every=0.1)}


def said(run: moot.Run) -> list[str]:
    return [entry.content for entry in run.entries()]


def check(found: dict[str, job_queue.Ended], endpoint: FakeEndpoint, count: int, surplus: int) -> None:
    """All are whole; and beyond one request for each reply there are only those that nobody got an answer to."""
    assert len(found) == count
    for one in found.values():
        assert (one.status, one.reason) == ("done", None)
        assert_sound(one.run)
        keys = Counter((record.key, record.attempt) for record in one.run.records() if record.kind == "reply")
        assert set(keys.values()) == {1}
    paid = sum(one.calls for one in found.values())
    assert paid == count * calls_of(TURNS)
    assert 0 <= endpoint.count - paid <= surplus
    asked = Counter(json.dumps(request["messages"]) for request in endpoint.requests)
    assert len(asked) == paid, "a prompt is asked again word for word, or not at all"
