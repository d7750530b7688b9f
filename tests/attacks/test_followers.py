"""Clients that open many streams, or do not read what they asked for: nobody else is kept waiting."""

import asyncio
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from moot.web.security import Followers
from moot.web.silence import Silent
from tests.kit.servers import TOKEN, Site, serving
from tests.kit.waiting import PATIENCE, wait_until

WAITING = {"protocol": "duel", "topic": "Is it so?", "settings": {"turns": 2}, "roles": {"A": "human/Robin"}}


def connected(site: Site, from_address: str = "127.0.0.1") -> socket.socket:
    parts = urlsplit(site.url)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(PATIENCE)
    line.bind((from_address, 0))
    line.connect((parts.hostname, parts.port))
    return line


def ask(site: Site, path: str, from_address: str = "127.0.0.1") -> socket.socket:
    line = connected(site, from_address)
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return line


def status_of(line: socket.socket) -> int:
    return int(line.recv(12).split()[1])


def ends(line: socket.socket) -> bool:
    """Waits for the end."""
    with suppress(ConnectionError):
        while line.recv(65536):
            pass
    return True


def test_one_client_cannot_take_the_places_of_all_followers(tmp_path: Path) -> None:
    with serving(tmp_path) as site, site.client() as client, ExitStack() as lines:
        follow = client.post("/api/runs", json=WAITING).json()["follow"]
        site.app.state.followers.most = 6
        greedy = [lines.enter_context(ask(site, follow)) for _ in range(6)]
        assert [status_of(line) for line in greedy] == [200] * 6
        assert status_of(lines.enter_context(ask(site, follow))) == 503, "it has all that there are"
        others = [lines.enter_context(ask(site, follow, "127.0.0.2")) for _ in range(3)]
        assert [status_of(line) for line in others] == [200] * 3
        assert all(ends(line) for line in greedy[:3]), "its oldest make room"
        assert status_of(lines.enter_context(ask(site, follow, "127.0.0.2"))) == 503, "each has half"
        assert site.app.state.followers.taken == 6
    assert site.app.state.followers.taken == 0


def test_places_are_given_back_however_a_follower_ends() -> None:
    async def go() -> None:
        followers = Followers(2)
        with pytest.raises(ZeroDivisionError):
            async with followers.one("a"):
                raise ZeroDivisionError
        with pytest.raises(TimeoutError):
            async with followers.one("a"):
                raise TimeoutError("not of ours")
        async with followers.one("a") as first, followers.one("a") as second, followers.one("a") as third:
            assert (first, second, third) == (True, True, False)
        assert followers.taken == 0

    asyncio.run(go())


@pytest.mark.parametrize("path", ["/static/moot.css", "/api/openapi.json"])
def test_who_does_not_read_is_shown_out(tmp_path: Path, path: str) -> None:
    """Questions that are sent one after the other, whose answers nobody reads; a token is not needed for all."""
    token = TOKEN if path.startswith("/static") else None
    with serving(tmp_path, token=token, silent=Silent(PATIENCE, to_read=0.3)) as site, connected(site) as line:
        line.settimeout(0.2)
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 50
        until = time.monotonic() + PATIENCE
        with pytest.raises(ConnectionError):
            while time.monotonic() < until:
                with suppress(TimeoutError):
                    line.sendall(asked)
        with site.client() as client:
            assert client.get("/static/moot.css").status_code == 200


def test_a_follower_that_does_not_read_takes_no_place_for_long(tmp_path: Path) -> None:
    with serving(tmp_path, silent=Silent(PATIENCE, to_read=0.3)) as site, site.client() as client:
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


def test_who_reads_slowly_is_served(tmp_path: Path) -> None:
    with serving(tmp_path, silent=Silent(PATIENCE, to_read=1.0)) as site, connected(site) as line:
        line.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        read = 0
        while piece := line.recv(8192):
            read += len(piece)
            time.sleep(0.01)
        assert read > 50_000
