"""The MCP endpoint is loaded by its first request, once for all who ask, and its sessions end with the server."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from tests.kit.servers import serving
from tests.kit.waiting import AT_ONCE, wait_until

BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


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
