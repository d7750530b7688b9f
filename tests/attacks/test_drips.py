"""Answers and requests that come byte by byte: each has its time, however often something comes."""

import asyncio
import select
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from moot.errors import TimedOut
from moot.evidence.fetch import Fetcher, FetchLimits
from moot.evidence.pages import Unfetched
from moot.evidence.tools import McpServer
from moot.models.http import Endpoint, post_events, post_json
from tests.kit import clock
from tests.kit.raw_servers import Answer, answering, head
from tests.kit.servers import serving
from tests.kit.waiting import AT_ONCE, PATIENCE, patience, turns

MOST = 500
"""Far more bytes than come in any time that is given."""


def drip(start: bytes, more: bytes) -> Answer:
    """An answer of which a byte comes now and then, by the clock of the loop, until whoever waits must long be gone."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        with suppress(OSError):
            for number in range(MOST):
                writer.write(more[number % len(more)].to_bytes())
                await writer.drain()
                clock.put_forward(PATIENCE / 10)
                await turns(5)

    return answer


async def reply_of(url: str) -> None:
    with pytest.raises(TimedOut):
        await post_json(Endpoint(f"{url}/v1", timeout=PATIENCE), "/chat", {}, "model")


async def stream_of(url: str) -> None:
    with pytest.raises(TimedOut):
        await post_events(Endpoint(f"{url}/v1", timeout=PATIENCE), "/chat", {}, "model", lambda event: False)


async def page_of(url: str) -> None:
    async with Fetcher(FetchLimits(seconds=PATIENCE), allow_loopback=True) as fetcher:
        found = await fetcher.fetch(f"{url}/")
    assert isinstance(found, Unfetched) and found.kind == "slow"


async def tools_of(url: str) -> None:
    """Its time is that of the lookup; leaving must not wait for the server."""
    with pytest.raises(TimeoutError):
        async with patience():
            await McpServer("hostile", url=f"{url}/mcp").offered()


HEAD, STREAM = b"HTTP/1.1 200 OK\r\nX-Slow: ", head("text/event-stream")


@pytest.mark.parametrize(
    ("ask", "start", "more"),
    [
        (reply_of, HEAD, b"x"),
        (reply_of, head("application/json"), b" "),
        (reply_of, head("application/json"), b'{"'),
        *((stream_of, STREAM, more) for more in (b":", b":\n\n", b"data: {}\n\n", b"\n")),
        (page_of, HEAD, b"x"),
        (page_of, head("text/html") + b"<p>", b"x"),
        (tools_of, head("application/json"), b" "),
        (tools_of, STREAM, b" "),
    ],
)
def test_what_comes_byte_by_byte_has_its_time(ask: Callable[[str], Awaitable[None]], start: bytes, more: bytes) -> None:
    async def go() -> None:
        async with answering(drip(start, more)) as url:
            await ask(url)

    clock.run(go())


def test_a_request_has_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.web.security.SECONDS_FOR_BODY", AT_ONCE)
    with serving(tmp_path) as site:
        parts = urlsplit(site.url)
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=PATIENCE) as line:
            line.sendall(b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
            while not select.select([line], [], [], AT_ONCE / 5)[0]:
                with suppress(ConnectionError):
                    line.sendall(b" ")
            assert line.recv(1000).startswith(b"HTTP/1.1 408")
        with site.client() as client:
            assert client.get("/api/runs").status_code == 200
