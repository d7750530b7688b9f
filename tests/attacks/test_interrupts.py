"""A request to end, while replies that have to be paid for are still to come."""

import asyncio
import json
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import moot
from tests.kit import warm
from tests.kit.command import empty_place
from tests.kit.duels import calls_of
from tests.kit.endpoint import FakeEndpoint
from tests.kit.waiting import AT_ONCE, PATIENCE, ended, patience, until
from tests.kit.workers import replies

BATCH = {"protocol": "duel", "turns": 2, "no_frame": True, "grid": {"topic": ["One?", "Two?"]}}
COMMANDS = {
    "duel": ["duel", "Is it so?", "--no-frame", "--turns", "2"],
    "batch": ["batch", "batch.yaml", "--out", "debates"],
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_place(tmp_path, monkeypatch)
    Path("batch.yaml").write_text(json.dumps(BATCH), "utf-8")
    monkeypatch.setenv("MOOT_MODEL", "fake/model")


@asynccontextmanager
async def serving(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeEndpoint]:
    async with FakeEndpoint(faults=lambda _, asked: replies(asked)) as endpoint, patience():
        monkeypatch.setenv("FAKE_BASE_URL", endpoint.url)
        yield endpoint


START = """
import math, sys
from pathlib import Path
from moot.engine.play import calls
from moot.models import calling

async def finish_calls(caller):
    with Path("finishing").open("a") as file:
        file.write("x")
    await wait(caller)

calls.SECONDS_TO_FINISH = float(sys.argv.pop(1))
calling.LONGEST_HONOURED_WAIT = math.inf
wait, calls.PayingCaller.finish_calls = calls.PayingCaller.finish_calls, finish_calls
from moot.cli import main
main()
"""
"""The command, with another time to wait for replies under way. It makes known when it begins to wait."""


def started(*args: str, to_finish: float = PATIENCE) -> "subprocess.Popen[bytes]":
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return warm.Started([warm.python(), "-c", START, str(to_finish), *args], **pipes)


async def told(process: "subprocess.Popen[bytes]") -> bytes:
    """What it says of its end."""
    _, words = await asyncio.to_thread(ended, process)
    return words


def finishing() -> int:
    """How many debates wait for replies under way."""
    return len(Path("finishing").read_text()) if Path("finishing").exists() else 0


def runs() -> list[moot.Run]:
    return [moot.find_run(str(log.parent)) for log in Path("debates").rglob("log.jsonl")]


def paid() -> int:
    return sum(record.kind == "reply" for run in runs() for record in run.records())


@pytest.mark.parametrize(
    ("command", "number"),
    [("duel", signal.SIGINT), ("duel", signal.SIGTERM), ("duel", signal.SIGHUP), ("batch", signal.SIGTERM)],
)
async def test_replies_under_way_are_waited_for_and_not_paid_again(
    monkeypatch: pytest.MonkeyPatch, command: str, number: signal.Signals
) -> None:
    debates = 2 if command == "batch" else 1
    async with serving(monkeypatch) as endpoint:
        endpoint.hold(5 * debates)
        process = started(*COMMANDS[command], "--display", "plain")
        await until(lambda: endpoint.held >= debates)
        process.send_signal(number)
        await until(lambda: finishing() == debates)
        endpoint.let_go()
        words = await told(process)
        assert process.returncode == 130, words
        assert b"To continue: moot" in words
        assert paid() == endpoint.count, "what was asked is on record, and nothing was asked any more"
        assert {(run.result() or {})["status"] for run in runs()} == {"interrupted"}
        again = ["resume", "latest"] if command == "duel" else ["batch", "--resume", "debates"]
        process = started(*again)
        words = await told(process)
        assert process.returncode == 0, words
        assert endpoint.count == paid() == debates * calls_of(2)


async def test_what_does_not_come_is_waited_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(monkeypatch) as endpoint:
        endpoint.hold(3)
        process = started(*COMMANDS["duel"], to_finish=AT_ONCE)
        await until(lambda: endpoint.held > 0)
        process.send_signal(signal.SIGTERM)
        await told(process)
        assert (process.returncode, finishing()) == (130, 1)
        [run] = runs()
        assert (run.result() or {})["status"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_second_request_to_end_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    async with serving(monkeypatch) as endpoint:
        endpoint.hold(3)
        process = started(*COMMANDS["duel"])
        await until(lambda: endpoint.held > 0)
        process.send_signal(number)
        await until(lambda: finishing() == 1)
        process.send_signal(number)
        words = await told(process)
        assert process.returncode == 130
        assert b"Traceback" not in words
        [run] = runs()
        assert (run.result() or {})["status"] == "interrupted"
