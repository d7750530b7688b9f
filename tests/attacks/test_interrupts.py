"""A request to end, while replies that have to be paid for are still to come."""

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import pytest

import moot
from moot.engine.calls import SECONDS_TO_FINISH
from moot.testing.endpoint import FakeEndpoint, rate_limited
from tests.kit.command import empty_place, spawn
from tests.kit.duels import calls_of
from tests.kit.waiting import PATIENCE
from tests.kit.workers import replies

BATCH = {"protocol": "duel", "turns": 2, "grid": {"topic": ["One?", "Two?"]}}
COMMANDS = {
    "duel": ["duel", "Is it so?", "--turns", "2"],
    "batch": ["batch", "batch.yaml", "--out", "debates"],
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    Path("batch.yaml").write_text(json.dumps(BATCH), "utf-8")
    monkeypatch.setenv("MOOT_MODEL", "fake/model")


P = ParamSpec("P")


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run the test in an event loop of its own, where its endpoint answers meanwhile."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


@asynccontextmanager
async def serving(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeEndpoint]:
    async with FakeEndpoint(faults=lambda _, asked: replies(asked)) as endpoint, asyncio.timeout(PATIENCE):
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        yield endpoint


async def held(endpoint: FakeEndpoint, least: int = 1) -> None:
    while endpoint.held < least:  # noqa: ASYNC110 (another process sends them)
        await asyncio.sleep(0.02)


def runs() -> list[moot.Run]:
    return [moot.find_run(str(log.parent)) for log in Path("debates").rglob("log.jsonl")]


def paid() -> int:
    return sum(record.kind == "reply" for run in runs() for record in run.records())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", COMMANDS)
@in_loop
async def test_replies_under_way_are_waited_for_and_not_paid_again(
    monkeypatch: pytest.MonkeyPatch, command: str, number: signal.Signals
) -> None:
    debates = 2 if command == "batch" else 1
    async with serving(monkeypatch) as endpoint:
        endpoint.hold(5 * debates)
        process = spawn(*COMMANDS[command], "--display", "plain")
        await held(endpoint, debates)
        process.send_signal(number)
        await asyncio.sleep(0.5)
        assert process.poll() is None, "it waits for what was asked"
        endpoint.let_go()
        _, told = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
        assert process.returncode == 130, told
        assert b"Go on with: moot" in told
        assert paid() == endpoint.count, "what was asked is on record, and nothing was asked any more"
        assert {(run.result() or {})["status"] for run in runs()} == {"interrupted"}
        again = ["resume", "latest"] if command == "duel" else ["batch", "--resume", "debates"]
        process = spawn(*again)
        _, told = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
        assert process.returncode == 0, told
        assert endpoint.count == paid() == debates * calls_of(2)


@in_loop
async def test_what_does_not_come_is_waited_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(monkeypatch) as endpoint:
        endpoint.hold(3)
        process = spawn(*COMMANDS["duel"])
        await held(endpoint)
        clock = time.monotonic()
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.communicate, timeout=PATIENCE)
        assert process.returncode == 130
        assert time.monotonic() - clock >= SECONDS_TO_FINISH
        [run] = runs()
        assert (run.result() or {})["status"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@in_loop
async def test_a_second_request_to_end_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    async with serving(monkeypatch) as endpoint:
        endpoint.hold(3)
        process = spawn(*COMMANDS["duel"])
        await held(endpoint)
        clock = time.monotonic()
        process.send_signal(number)
        await asyncio.sleep(0.5)
        process.send_signal(number)
        _, told = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
        assert time.monotonic() - clock < SECONDS_TO_FINISH
        assert process.returncode == 130
        assert b"Traceback" not in told
        [run] = runs()
        assert (run.result() or {})["status"] == "interrupted"


@in_loop
async def test_a_call_that_waits_for_another_try_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(monkeypatch) as endpoint:
        endpoint.faults = lambda number, asked: rate_limited("50") if number >= 3 else replies(asked)
        process = spawn(*COMMANDS["duel"], "--display", "plain")
        while endpoint.count < 4:  # noqa: ASYNC110 (another process sends them)
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        clock = time.monotonic()
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.communicate, timeout=PATIENCE)
        assert time.monotonic() - clock < SECONDS_TO_FINISH
        assert process.returncode == 130
