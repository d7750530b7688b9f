"""Duels in which agents look things up, and a server to do so with."""

import asyncio
import itertools
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn

import moot
from moot.record.payloads import Lookup
from moot.testing import ScriptedModel
from tests.kit import clock, mcp_server
from tests.kit.duels import Replies, full_script, play, small_config
from tests.kit.trusted import write_trusted
from tests.kit.waiting import PATIENCE, until

SERVER = [sys.executable, str(mcp_server.__file__)]
TEXT = "Two of its nine cables had rusted through, and traffic over the bridge was halved."
LONGEST = 600
"""The most seconds that may be given to a server."""
NOTHING: dict[str, Any] = {"lookups": []}


def wish(*wanted: tuple[str, Any]) -> dict[str, Any]:
    given = [(tool, one if isinstance(one, str) else json.dumps(one)) for tool, one in wanted]
    return {"lookups": [{"tool": tool, "arguments": arguments} for tool, arguments in given]}


def script(**wishes: Any) -> Replies:
    """A duel of two turns in which everybody is asked before plans and thoughts, and wants nothing but `wishes`."""
    asked = ["A/plan", "B/plan", "A/think/1", "B/think/2"]
    found: Replies = {f"{key}/lookup/1": NOTHING for key in asked}
    return {**full_script(2), **found, **{key.replace("__", "/"): value for key, value in wishes.items()}}


@contextmanager
def over_http() -> Iterator[str]:
    """A server in a thread of its own. Its socket listens before it does, so that nobody comes too early."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(mcp_server.application(), log_level="error"))
        thread = threading.Thread(target=server.run, args=([listening],), name="mcp-server")
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = server.force_exit = True
            thread.join(PATIENCE)
    assert not thread.is_alive()


def declare(tools: dict[str, Any]) -> None:
    """Declare these tools for the working folder. Servers have as much time as may be given, unless it is said."""
    patient = {name: ({"timeout": LONGEST} if {"run", "url"} & one.keys() else {}) | one for name, one in tools.items()}
    write_trusted(json.dumps({"lookups": patient}))


def duel(
    replies: Replies, tools: Any = ("all",), *, unanswered: str = "", **settings: Any
) -> tuple[moot.Result, ScriptedModel]:
    """A duel with these tools. Whenever a server notes a call with the word `unanswered`, the time for it is over."""
    model = ScriptedModel(replies)
    given = tools if isinstance(tools, dict) else list(tools)
    config = small_config(Path("runs"), tools=given, **settings)

    async def staged() -> moot.Result:
        passing = asyncio.create_task(_pass_time(Path(os.environ["CALLS"]), unanswered))
        try:
            return await moot.run(config, models={model.name: model})
        finally:
            passing.cancel()

    result = clock.run(staged()) if unanswered else play(config, model)
    assert result.status == "done", result.reason
    return result, model


async def _pass_time(calls: Path, word: str) -> None:
    for passed in itertools.count():
        await until(partial(_noted, calls, word, passed + 1))
        clock.put_forward(LONGEST)


def _noted(calls: Path, word: str, times: int) -> bool:
    return calls.exists() and calls.read_text("utf-8").count(word) >= times


def made(result: moot.Result) -> list[Lookup]:
    return [entry.data for entry in moot.find_run(result.run).entries() if isinstance(entry.data, Lookup)]


def codes(result: moot.Result) -> dict[str, str]:
    return {flag.code: flag.text for flag in result.flags}


def prompt_at(model: ScriptedModel, key: str) -> str:
    return next(request.messages[-1].content for request in model.requests if request.key == key)
