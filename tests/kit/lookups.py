"""Duels in which agents look things up, and a server to do so with."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import moot
from moot.record.payloads import Lookup
from moot.testing import ScriptedModel
from tests.kit import mcp_server
from tests.kit.duels import Replies, full_script, play, small_config
from tests.kit.trusted import write_trusted
from tests.kit.waiting import PATIENCE

SERVER = [sys.executable, str(mcp_server.__file__)]
TEXT = "Two of its nine cables had rusted through, and traffic over the bridge was halved."
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*SERVER, str(port)], env=dict(os.environ))
    try:
        for _ in range(int(PATIENCE * 10)):
            with socket.socket() as probe:
                probe.settimeout(0.1)
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def declare(tools: dict[str, Any]) -> None:
    write_trusted(json.dumps({"lookups": tools}))


def duel(replies: Replies, tools: Any = ("all",), **settings: Any) -> tuple[moot.Result, ScriptedModel]:
    model = ScriptedModel(replies)
    given = tools if isinstance(tools, dict) else list(tools)
    result = play(small_config(Path("runs"), tools=given, **settings), model)
    assert result.status == "done", result.reason
    return result, model


def made(result: moot.Result) -> list[Lookup]:
    return [entry.data for entry in moot.find_run(result.run).entries() if isinstance(entry.data, Lookup)]


def codes(result: moot.Result) -> dict[str, str]:
    return {flag.code: flag.text for flag in result.flags}


def prompt_at(model: ScriptedModel, key: str) -> str:
    return next(request.messages[-1].content for request in model.requests if request.key == key)
