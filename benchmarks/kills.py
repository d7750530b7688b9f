"""Kills moot at random moments, lets it go on, and counts what was lost.

    python benchmarks/kills.py                  ten moments of each kind
    python benchmarks/kills.py 40 duel serve    so many of these kinds
    python benchmarks/kills.py --seed 7

A third of the moments is kill -9, a third SIGTERM, a third Ctrl-C. In the end, as the endpoint counts them, no reply
that had arrived when moot was killed was asked for again; no process of a killed moot lives on, not even a tool server
that hangs; no file is half written; and every run verifies. Exit code 1 when a bar is missed.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.kit.endpoint import FakeEndpoint, Fault
from tests.kit.workers import replies

import moot
from engine import say as tell
from tables import markdown

LATENCY = 0.1
ARRIVING = 1.0
"""Seconds before a kill -9 in which a reply may have been sent and not yet kept: this machine may be busy."""
PATIENCE = 300.0
SEED = ["--seed", "5"]
TOPIC = "Should cities close their centres to private cars?"
MARK = "MOOT_KILLS"
"""The variable by which processes of a killed moot are known, with the folder as its value."""
BATCH = {"protocol": "duel", "turns": 2, "no_frame": True, "seed": 5, "grid": {"topic": ["One?", "Two?", "Three?"]}}
TOURNAMENT = {
    "tournament": {
        "models": ["fake/a", "fake/b"],
        "jury": ["fake/c", "fake/d"],
        "motions": ["Homework should be abolished."],
    },
    "turns": 2,
    "seed": 5,
}
QUESTIONS = [{"id": f"q{one}", "question": f"What is {one} + {one}?", "answer": str(2 * one)} for one in range(1, 4)]
SERVER = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    tool = {"name": "echo", "description": "Say it.", "inputSchema": {"type": "object", "properties": {}}}
    known = {"capabilities": {"tools": {}}, "serverInfo": {"name": "x", "version": "1"}}
    results = {
        "initialize": {"protocolVersion": (asked.get("params") or {}).get("protocolVersion"), **known},
        "tools/list": {"tools": [tool]},
        "tools/call": {"content": [{"type": "text", "text": "Two of nine cables had rusted."}]},
    }
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": results.get(asked["method"], {})}), flush=True)
while True:
    time.sleep(60)
"""
"""A server with one tool that does not end when nobody listens any more."""
SAID = "Two of nine cables"
CALL = {"id": "1", "type": "function", "function": {"name": "slow__echo", "arguments": "{}"}}
CHOICE = {
    "index": 0,
    "message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
    "finish_reason": "tool_calls",
}
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
WISH = Fault("status", json.dumps({"id": "1", "model": "fake", "choices": [CHOICE], "usage": USAGE}))


@dataclass(slots=True)
class Kind:
    """A command, and the same again to go on."""

    command: list[str]
    again: list[str]
    over_http: bool = False


EVAL = ["eval", "q.jsonl", "--out", "b", "--baseline", "single", *SEED]
KINDS = {
    "duel": Kind(["duel", TOPIC, "--no-frame", "--turns", "2", *SEED], ["resume", "latest"]),
    "arena": Kind(["arena", TOPIC, "--tool", "slow", *SEED], ["resume", "latest"]),
    "batch": Kind(["batch", "set.yaml", "--out", "b"], ["batch", "set.yaml", "--out", "b"]),
    "tournament": Kind(["batch", "league.yaml", "--out", "b"], ["batch", "league.yaml", "--out", "b"]),
    "evaluation": Kind(EVAL, EVAL),
    "serve": Kind(["serve", "--port", "0"], ["resume", "latest"], over_http=True),
}


@dataclass(slots=True)
class Asked:
    """The requests of one trial: how often each was asked, and when each was last answered in full."""

    count: Counter[str] = field(default_factory=Counter)
    answered: dict[str, list[float]] = field(default_factory=dict)

    def reply(self, number: int, body: dict[str, Any]) -> Fault | None:  # noqa: ARG002 (as the endpoint calls it)
        known = json.dumps(body, sort_keys=True)
        self.count[known] += 1
        self.answered.setdefault(known, []).append(time.time() + LATENCY)
        return WISH if "tools" in body and SAID not in known else replies(body)


async def tried(kind: str, how: signal.Signals | None, after: float, folder: Path) -> tuple[Asked, dict[str, int]]:
    """Kill one after so many requests, go on, and count; without `how`, undisturbed."""
    prepared(folder)
    asked, killed_at = Asked(), 0.0
    async with FakeEndpoint(LATENCY, asked.reply) as endpoint:
        environment = {
            **os.environ,
            "FAKE_BASE_URL": endpoint.url,
            "MOOT_MODEL": "fake/model",
            "XDG_CONFIG_HOME": str(folder / "config"),
            MARK: str(folder),
        }
        command = KINDS[kind]
        process = await started(command.command, folder, environment)
        if command.over_http:
            await post(await address(process))
        if how is None and command.over_http:
            await until(lambda: any(folder.glob("debates/*/result.json")))
            how, after = signal.SIGTERM, 0
        if how is not None:
            await until(lambda: endpoint.count >= after or process.returncode is not None)
            await asyncio.sleep(random.uniform(0, 2 * LATENCY))
            killed_at = time.time()
            with suppress(ProcessLookupError):
                process.send_signal(how)
        await asyncio.wait_for(process.communicate(), PATIENCE)
        if how in (signal.SIGTERM, signal.SIGINT):
            killed_at = time.time()  # what is under way is waited for
        missed = {"processes left": len(await left(folder)), "half-written files": 0}
        if how == signal.SIGKILL:
            killed_at -= ARRIVING
        kept = {one: sum(at < killed_at for at in times) for one, times in asked.answered.items()}
        if how is not None and not (command.over_http and after == 0):
            await ran(command.again, folder, environment, may_fail=True)
        missed["half-written files"] = len(torn(folder))
        missed["processes left"] += len(await left(folder))
        faults = {run.name: moot.verify(run).faults for run in runs(folder)}
        missed["runs that do not verify"] = sum(map(bool, faults.values()))
        for name, fault in ((name, fault) for name, several in faults.items() for fault in several):
            tell(f"{name}: {fault}")
        missed["unfinished"] = sum((run.result() or {}).get("status") != "done" for run in runs(folder))
        for one in await left(folder):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        asked.answered = {one: [0.0] * count for one, count in kept.items()}
        return asked, missed


def prepared(folder: Path) -> None:
    (folder / "server.py").write_text(SERVER, "utf-8")
    tools = {"slow": {"run": [sys.executable, str(folder / "server.py")]}}
    (folder / "config/moot").mkdir(parents=True)
    (folder / "config/moot/moot.yaml").write_text(json.dumps({"lookups": tools}), "utf-8")
    (folder / "set.yaml").write_text(json.dumps(BATCH), "utf-8")
    (folder / "league.yaml").write_text(json.dumps(TOURNAMENT), "utf-8")
    (folder / "q.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), "utf-8")


async def started(words: list[str], folder: Path, environment: dict[str, str]) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "moot", *words],
        cwd=folder,
        env=environment,
        stdout=pipe,
        stderr=asyncio.subprocess.STDOUT,
    )


async def ran(words: list[str], folder: Path, environment: dict[str, str], *, may_fail: bool = False) -> None:
    process = await started(words, folder, environment)
    output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    if process.returncode and not (may_fail and b"no run" in output):
        raise RuntimeError(f"{words} ended with {process.returncode}: {output.decode()[-600:]}")


async def address(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().rpartition(" ")[2].strip()


async def post(url: str) -> None:
    import aiohttp

    given = {"protocol": "duel", "topic": TOPIC, "seed": 5, "settings": {"turns": 2, "no_frame": True}}
    async with aiohttp.ClientSession() as session, session.post(f"{url}api/runs", json=given) as answer:
        assert answer.status < 300, await answer.text()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def left(folder: Path) -> list[int]:
    """The processes that live on, after they had a moment to end."""
    found: list[int] = []
    for _ in range(50):
        if not (found := processes(folder)):
            break
        await asyncio.sleep(0.1)
    return found


def processes(folder: Path) -> list[int]:
    """Those with our mark, and tool servers, which get no variable that is not theirs."""
    found, mark, server = list[int](), f"{MARK}={folder}".encode(), f"{folder}/server.py".encode()
    for one in Path("/proc").iterdir():
        with suppress(OSError):
            if not one.name.isdecimal():
                continue
            known = [*(one / "environ").read_bytes().split(b"\0"), *(one / "cmdline").read_bytes().split(b"\0")]
            if mark in known or server in known:
                found.append(int(one.name))
    return found


def runs(folder: Path) -> list[moot.Run]:
    return [moot.Run(one.parent) for one in folder.rglob("calls.jsonl")]


def torn(folder: Path) -> list[Path]:
    """Documents that are no whole JSON, and temporary files."""
    found = [one for one in folder.rglob(".*") if one.is_file() and one.suffix in (".tmp", ".part")]
    for one in folder.rglob("*.json*"):
        try:
            text = one.read_text("utf-8")
            for part in text.splitlines() if one.suffix == ".jsonl" else [text]:
                json.loads(part)
        except ValueError:
            found.append(one)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="moot, killed at random moments.")
    parser.add_argument("count", nargs="?", type=int, default=10)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    rows, bad = [["kind", "moments", "requests", "paid twice", "in flight at a kill -9, asked again", "missed"]], 0
    for kind in given.kinds or KINDS:
        with tempfile.TemporaryDirectory() as name:
            usual, missed = asyncio.run(tried(kind, None, 0, Path(name).resolve()))
        total, twice, flying, all_missed = 0, 0, 0, Counter[str](missed)
        for number in range(given.count):
            how = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[number % 3]
            moment = random.uniform(0, usual.count.total())
            with tempfile.TemporaryDirectory() as name:
                asked, missed = asyncio.run(tried(kind, how, moment, Path(name).resolve()))
            for one, count in asked.count.items():
                extra = count - usual.count[one] if one in usual.count else max(0, count - 1)
                again = min(max(0, extra), len(asked.answered.get(one, [])))
                twice, flying = twice + again, flying + max(0, extra) - again
            total += asked.count.total()
            all_missed.update(missed)
            told = [f"{count} {what}" for what, count in missed.items() if count]
            tell(f"{kind} {number}: {how.name} after {moment:.0f} requests; {twice} paid twice; {', '.join(told)}")
        missing = "; ".join(f"{count} {what}" for what, count in all_missed.items() if count)
        bad += twice + len(missing)
        rows.append([kind, str(given.count), str(total), str(twice), str(flying), missing or "–"])
    print(markdown(rows))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
