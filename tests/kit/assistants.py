"""An assistant that asks moot over the Model Context Protocol, in this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client

import moot
from moot.mcp.server import make_server
from moot.service.host import Host
from tests.kit.waiting import patience

LONGEST = 300
"""The most seconds for which an assistant may wait."""


@asynccontextmanager
async def served(folder: Path, *models: moot.Model) -> AsyncIterator[Client]:
    """A client of a server of these models, over the protocol, in this process."""
    host = Host(folder, models={model.name: model for model in models})
    try:
        async with Client(make_server(host)) as client, patience():
            yield client
    finally:
        await host.close()


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


async def to_the_end(client: Client, run: str, after: int = -1, seconds: float = LONGEST) -> dict[str, Any]:
    """What an assistant is told that follows a debate until it ends, so many seconds at a time."""
    told = await call(client, "follow_debate", run=run, after=after, seconds=seconds)
    while told["status"] == "running":
        more = await call(client, "follow_debate", run=run, after=told["last"], seconds=seconds)
        both = {"entries": [*told["entries"], *more["entries"]], "unshown": told["unshown"] + more["unshown"]}
        told = more | both
    return told


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return str(answer.content)
