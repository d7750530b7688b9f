"""The MCP endpoint is loaded by its first request, once for all who ask, and its sessions end with the server."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Message

from moot.mcp import endpoint
from moot.mcp.endpoint import Assistants
from moot.service.host import Host
from tests.kit.servers import serving
from tests.kit.waiting import AT_ONCE, run, wait_until

BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}
SCOPE = {"type": "http", "method": "GET", "path": "/mcp", "headers": [], "query_string": b""}


def application(events: list[str]) -> Starlette:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        task = asyncio.current_task()
        events.append("began")
        yield
        assert asyncio.current_task() is task  # as a task group wants it
        events.append("ended")

    return Starlette(routes=[Route("/mcp", lambda request: PlainTextResponse("here"))], lifespan=lifespan)


async def ask(asked: Assistants) -> bytes:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    await asked(dict(SCOPE), receive, send)
    return b"".join(message.get("body", b"") for message in sent)


def test_what_fails_to_load_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    faults = [OSError("no memory")]

    def load(_: Host) -> Starlette:
        if faults:
            raise faults.pop()
        return application(events)

    monkeypatch.setattr(endpoint, "_application", load)

    async def asked_for() -> None:
        asked = Assistants(Host(tmp_path))
        with pytest.raises(OSError, match="no memory"):
            await ask(asked)
        assert await ask(asked) == b"here"
        await asked.close()

    run(asked_for())
    assert events == ["began", "ended"]


def test_a_server_starts_without_what_no_request_needs() -> None:
    heavy = ["mcp", "mcp_types", "moot.mcp.server", "moot.studies.batch", "moot.studies.evaluate"]
    heavy += ["moot.studies.rejudge", "moot.protocols.arena", "moot.protocols.panel"]
    heavy += ["numpy", "scipy", "trafilatura", "psycopg"]
    code = f"""
import sys
from moot.service.host import Host
from moot.web.app import make_app
from moot.web.serving import serve
make_app(Host("nowhere"))
print([name for name in {heavy} if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_session_that_nobody_uses_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    managers: list[StreamableHTTPSessionManager] = []
    begin = StreamableHTTPSessionManager.__init__

    def made(self: StreamableHTTPSessionManager, *args: Any, **settings: Any) -> None:
        managers.append(self)
        begin(self, *args, **settings)

    monkeypatch.setattr(StreamableHTTPSessionManager, "__init__", made)
    monkeypatch.setattr("moot.mcp.server.SECONDS_IDLE", AT_ONCE)
    with serving(tmp_path) as site, site.client(headers=ACCEPT) as client:
        session = client.post("/mcp", json=BEGIN).headers["mcp-session-id"]
        [manager] = [one for one in managers if one.session_idle_timeout == AT_ONCE]
        wait_until(lambda: session not in manager._server_instances)
        ask = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        assert client.post("/mcp", json=ask, headers={"mcp-session-id": session}).status_code == 404
