"""Connections that ask nothing, or very slowly, and sessions that nobody uses: they take no place for long."""

import select
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from moot.web.security import NewSessions
from moot.web.silence import Silent
from tests.kit.servers import TOKEN, Site, serving
from tests.kit.waiting import AT_ONCE, PATIENCE, wait_until

BEGIN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


def connected(site: Site) -> socket.socket:
    parts = urlsplit(site.url)
    return socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE)


def is_closed(line: socket.socket) -> bool:
    """Waits for it, if need be."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def test_who_asks_nothing_is_shown_out(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN, silent=Silent(AT_ONCE)) as site:
        for sent in (b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\n"):
            with connected(site) as line:
                with suppress(ConnectionError):
                    line.sendall(sent)
                assert is_closed(line)


def test_who_asks_slowly_is_shown_out(tmp_path: Path) -> None:
    """Each byte comes in time, and the request never is complete."""
    with serving(tmp_path, token=TOKEN, silent=Silent(4 * AT_ONCE)) as site, connected(site) as line:
        with suppress(ConnectionError):
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            while not select.select([line], [], [], AT_ONCE)[0]:
                line.sendall(b"x")
        assert is_closed(line)


def test_after_an_answer_the_next_question_has_to_come(tmp_path: Path) -> None:
    silent = Silent(PATIENCE)
    with serving(tmp_path, silent=silent) as site, connected(site) as line:
        wait_until(lambda: len(silent._since) == 1)
        silent.seconds = AT_ONCE
        line.sendall(b"GET /api/runs HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
        wait_until(lambda: is_closed(line))


def test_silent_connections_take_no_place_from_others(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN, silent=Silent(PATIENCE, most=12, each=8)) as site, ExitStack() as lines:
        opened = [lines.enter_context(connected(site)) for _ in range(40)]
        with site.client(headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            assert client.get("/api/runs").status_code == 200
        assert all(is_closed(line) for line in opened[:30]), "the longest silent go first"


def test_one_address_cannot_take_all_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.web.security.MOST_NEW_SESSIONS", 2)
    with serving(tmp_path) as site, site.client(headers=ACCEPT) as client:
        answers = [client.post("/mcp", json=BEGIN) for _ in range(3)]
        assert [one.status_code for one in answers] == [200, 200, 429]


def test_places_for_new_sessions_come_back() -> None:
    sessions = NewSessions(2, 10.0)
    assert [sessions.one_more("a", now) for now in (0.0, 1.0, 2.0)] == [True, True, False]
    assert sessions.one_more("b", 3.0)
    assert [sessions.one_more("a", now) for now in (9.9, 10.0, 10.5, 11.0)] == [False, True, False, True]


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
