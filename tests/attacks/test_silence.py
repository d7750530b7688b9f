"""Connections that ask nothing, ask very slowly, or do not read: they take no place for long."""

import select
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from moot.web.silence import Silent
from tests.kit import clock
from tests.kit.servers import TOKEN, Site, serving
from tests.kit.waiting import AT_ONCE, PATIENCE, turns, wait_until

WAITING = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": 2}, "roles": {"A": "human/Robin"}}


def connected(site: Site) -> socket.socket:
    parts = urlsplit(site.url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(PATIENCE)
    line.connect((parts.hostname, parts.port))
    return line


def is_closed(line: socket.socket) -> bool:
    """Waits for it, if need be."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def ends(line: socket.socket) -> bool:
    """Waits for the end."""
    with suppress(ConnectionError):
        while line.recv(65536):
            pass
    return True


def is_broken(line: socket.socket, sent: bytes) -> bool:
    """Who does not read finds out by sending more."""
    try:
        line.sendall(sent)
    except ConnectionError:
        return True
    return False


def ask(site: Site, path: str) -> socket.socket:
    line = connected(site)
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return line


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


@pytest.mark.parametrize("path", ["/static/moot.css", "/api/openapi.json"])
def test_who_does_not_read_is_shown_out(tmp_path: Path, path: str) -> None:
    """Questions that are sent one after the other, whose answers nobody reads; a token is not needed for all."""
    token = TOKEN if path.startswith("/static") else None
    with serving(tmp_path, token=token, silent=Silent(PATIENCE, to_read=AT_ONCE)) as site, connected(site) as line:
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        is_broken(line, 2000 * asked)
        wait_until(lambda: is_broken(line, asked))
        with site.client() as client:
            assert client.get("/static/moot.css").status_code == 200


def test_a_follower_that_does_not_read_takes_no_place_for_long(tmp_path: Path) -> None:
    with serving(tmp_path, silent=Silent(PATIENCE, to_read=AT_ONCE)) as site, site.client() as client:
        started = client.post("/api/runs", json=WAITING).json()
        with ask(site, started["follow"]) as line:
            wait_until(lambda: site.app.state.followers.taken == 1)
            note = {"speaker": "Zoe", "type": "note", "content": "word " * 19_000}
            for _ in range(100):
                assert client.post(f"/api/runs/{started['name']}/entries", json=note).status_code == 201
                if site.app.state.followers.taken == 0:
                    break
            wait_until(lambda: site.app.state.followers.taken == 0)
            assert ends(line)


class Line:
    """A connection, and whether it was closed."""

    client = ("127.0.0.1", 1)
    closed = False

    @property
    def transport(self) -> "Line":
        return self

    def abort(self) -> None:
        self.closed = True


def test_only_who_never_reads_is_closed() -> None:
    async def go() -> None:
        silent, line = Silent(to_read=10), Line()
        for _ in range(3):
            silent.wait_for_reading(line)
            clock.put_forward(9)
            await turns(2)
            assert not line.closed
            silent.read(line)
        silent.wait_for_reading(line)
        clock.put_forward(11)
        await turns(2)
        assert line.closed

    clock.run(go())
