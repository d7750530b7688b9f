"""An assistant that asks moot over the Model Context Protocol, in this process."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from mcp import Client

import moot
from moot.mcp.server import make_server
from moot.service.host import Host
from tests.kit.waiting import PATIENCE


def served(folder: Path, ask: Callable[[Client], Coroutine[Any, Any, None]], *models: moot.Model) -> None:
    """Ask a server of these models, over the protocol, in this process."""

    async def asked() -> None:
        host = Host(folder, models={model.name: model for model in models})
        try:
            async with Client(make_server(host)) as client:
                await asyncio.wait_for(ask(client), PATIENCE)
        finally:
            await host.close()

    asyncio.run(asked())


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return str(answer.content)
