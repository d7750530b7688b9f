"""Answers and requests that come byte by byte: each has its time, however often something comes."""

import asyncio
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from moot.errors import TimedOut
from moot.evidence.fetch import Fetcher, FetchLimits
from moot.evidence.pages import Unfetched
from moot.evidence.tools import McpServer
from moot.models.http import Endpoint, post_events, post_json
from tests.kit.raw_servers import Answer, answering, head
from tests.kit.servers import serving
from tests.kit.waiting import PATIENCE

EVERY = 0.02
SECONDS = 0.4


def drip(start: bytes, more: bytes = b" ") -> Answer:
    """An answer of which a byte comes now and then, without end."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        with suppress(OSError):
            while True:
                for number in range(len(more)):
                    writer.write(more[number : number + 1])
                    await writer.drain()
                    await asyncio.sleep(EVERY)

    return answer


async def timed(answer: Answer, ask: Callable[[str], object]) -> float:
    async with answering(answer) as url, asyncio.timeout(PATIENCE):
        before = time.monotonic()
        await ask(url)  # type: ignore[misc]
        return time.monotonic() - before


@pytest.mark.parametrize(
    "answer",
    [drip(b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"), drip(head("application/json")), drip(head("application/json"), b'{"')],
    ids=["head", "blanks", "JSON"],
)
def test_a_reply_has_its_time(answer: Answer) -> None:
    async def ask(url: str) -> None:
        with pytest.raises(TimedOut):
            await post_json(Endpoint(f"{url}/v1", timeout=SECONDS), "/chat", {}, "model")

    assert asyncio.run(timed(answer, ask)) < 20 * SECONDS


@pytest.mark.parametrize("more", [b":", b":\n\n", b"data: {}\n\n", b"\n"])
def test_a_stream_has_its_time(more: bytes) -> None:
    """Each piece comes in time."""

    async def ask(url: str) -> None:
        with pytest.raises(TimedOut):
            endpoint = Endpoint(f"{url}/v1", timeout=SECONDS)
            await post_events(endpoint, "/chat", {}, "model", lambda event: False)

    assert asyncio.run(timed(drip(head("text/event-stream"), more), ask)) < 20 * SECONDS


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX-Slow: ", head("text/html") + b"<p>"])
def test_a_page_has_its_time(start: bytes) -> None:
    async def ask(url: str) -> None:
        async with Fetcher(FetchLimits(seconds=SECONDS), allow_loopback=True) as fetcher:
            found = await fetcher.fetch(f"{url}/")
        assert isinstance(found, Unfetched) and found.kind == "slow"

    assert asyncio.run(timed(drip(start, b"x"), ask)) < 20 * SECONDS


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_the_answer_of_a_tool_can_be_left(kind: str) -> None:
    """Its time is that of the lookup; leaving must not wait for the server."""

    async def ask(url: str) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(SECONDS):
                await McpServer("hostile", url=f"{url}/mcp").offered()

    assert asyncio.run(timed(drip(head(kind)), ask)) < 20 * SECONDS


def test_a_request_has_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.web.security.SECONDS_FOR_BODY", SECONDS)
    with serving(tmp_path) as site:
        parts = urlsplit(site.url)
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=EVERY) as line:
            line.sendall(b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
            answer, until = b"", time.monotonic() + PATIENCE
            while not answer and time.monotonic() < until:
                line.sendall(b" ")
                with suppress(TimeoutError):
                    answer = line.recv(1000)
        assert answer.startswith(b"HTTP/1.1 408")
        with site.client() as client:
            assert client.get("/api/runs").status_code == 200
