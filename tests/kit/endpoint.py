"""A fake model server that answers immediately, for tests and benchmarks.

Supports enough of OpenAI's `/chat/completions` and of Anthropic's `/v1/messages` to test a client, and
fails on request. Binds to 127.0.0.1 only.

  In a test: `async with FakeEndpoint(faults=[rate_limited("0.01"), CUT]) as endpoint:` and `endpoint.url`.
  As a process: `python -m tests.kit.endpoint --port 8901 --latency-ms 50`.
"""

import argparse
import asyncio
import json
import select
import selectors
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self

from tests.kit.wire import Finish, Format, encode_answer, encode_reply, page, shape_in, tokens_in

TEXT = ("The motion stands, for three reasons that nobody has answered so far. " * 4).strip()


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the response to one request.

    `answer` sends `text` with `finish` or a `refusal`; `status` sends `text` as the body of that status; `hang` never
    sends anything; `reset` breaks the connection; `cut` breaks it halfway through the answer; `junk` sends bytes that
    are not HTTP.
    """

    kind: Literal["answer", "status", "hang", "reset", "cut", "junk"]
    text: str = TEXT
    finish: Finish = "stop"
    refusal: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


HANG = Fault("hang")
RESET = Fault("reset")
CUT = Fault("cut")
JUNK = Fault("junk")
EMPTY = Fault("answer", text="")
LENGTH = Fault("answer", finish="length")
REFUSAL = Fault("answer", text="", finish="refusal", refusal="I would rather not.")
HTML = Fault("status", "<html><body>Sign in to the network</body></html>", status=200)


def say(text: str) -> Fault:
    return Fault("answer", text)


def fail(
    status: int, message: str = "it went wrong", code: str = "", headers: Mapping[str, str] | None = None
) -> Fault:
    body = json.dumps({"error": {"message": message, "type": code, "code": code}})
    return Fault("status", body, status=status, headers=headers or {})


def rate_limited(retry_after: str | None = None) -> Fault:
    return fail(429, "slow down", "rate_limit_exceeded", {"Retry-After": retry_after} if retry_after else {})


Faults = Sequence[Fault | None] | Callable[[int, dict[str, Any]], Fault | None]
"""One entry per request in order of arrival, None for no fault; or a function of the request's number and body."""


class FakeEndpoint:
    """The server. `url` is the base URL for clients. `requests` and `heads` record the requests in order: parsed
    bodies, and headers by lower-case name with the path as `:path`. `accepted` counts connections, `held` the requests
    on hold."""

    def __init__(
        self,
        latency: float = 0.0,
        faults: Faults = (),
        *,
        gap: float = 0.0,
        port: int = 0,
        recording: bool = True,
        model: str = "fake",
    ) -> None:
        """`latency` is the seconds before each answer. `gap` is the seconds between the pieces of a stream; by default
        they are sent together. Without `recording`, bodies are parsed only for the shape of the reply. `model` is the
        name in the list of models; the server accepts any."""
        self.latency = latency
        self.gap = gap
        self.faults = faults
        self.recording = recording
        self.model = model
        self.requests: list[dict[str, Any]] = []
        self.heads: list[dict[str, str]] = []
        self.count = 0
        self.accepted = 0
        self.in_flight = 0
        self.max_in_flight = 0
        self.connections: set[_Connection] = set()
        self._port = port
        self._server: asyncio.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._held_from: int | None = None
        self._held: list[Callable[[], None]] = []

    @property
    def held(self) -> int:
        return len(self._held)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    async def __aenter__(self) -> Self:
        self._loop = loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", self._port, backlog=4096)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            for connection in tuple(self.connections):
                connection.abort()
            await self._server.wait_closed()

    def hold(self, first: int | None = None) -> None:
        """Hold all requests from this number on (by default from the next one) until `let_go`."""
        self._held_from = self.count if first is None else first

    def let_go(self) -> None:
        """Answer all held requests and stop holding. Thread-safe, like `hold`."""
        self._held_from = None
        held, self._held = self._held, []
        if self._loop is not None:
            self._loop.call_soon_threadsafe(lambda: [answer() for answer in held])

    def answer_later(self, number: int, arrived: float, answer: Callable[[], None]) -> None:
        """Answer a request when it is released, after the latency, or immediately."""
        held, first = self._held, self._held_from  # in this order; otherwise a request could be held forever
        if first is not None and number >= first:
            held.append(answer)
        elif self.latency > 0:
            asyncio.get_running_loop().call_at(arrived + self.latency, answer)
        else:
            answer()

    def fault_for(self, number: int, body: dict[str, Any]) -> Fault | None:
        if callable(self.faults):
            return self.faults(number, body)
        return self.faults[number] if number < len(self.faults) else None


class _Connection(asyncio.Protocol):
    """One client connection: splits the input into requests and answers each after the latency."""

    def __init__(self, endpoint: FakeEndpoint) -> None:
        self._endpoint = endpoint
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            self._transport = transport
        self._endpoint.connections.add(self)
        self._endpoint.accepted += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self._endpoint.connections.discard(self)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end]
            start = head.lower().find(b"content-length:")
            length = int(head[start + 15 :].split(b"\r\n", 1)[0]) if start >= 0 else 0
            body_end = end + 4 + length
            if len(self._buffer) < body_end:
                return
            body, self._buffer = self._buffer[end + 4 : body_end], self._buffer[body_end:]
            self._take(head, body)

    def _take(self, head: bytes, body: bytes) -> None:
        # The latency includes reading the request and making the answer.
        arrived = asyncio.get_running_loop().time()
        endpoint = self._endpoint
        path = head.split(b" ", 2)[1]
        if head.startswith(b"GET"):
            self._write(_get(endpoint, path))
            return
        number = endpoint.count
        endpoint.count += 1
        endpoint.in_flight += 1
        endpoint.max_in_flight = max(endpoint.max_in_flight, endpoint.in_flight)
        asked: dict[str, Any] = json.loads(body) if endpoint.recording else {}
        if endpoint.recording:
            endpoint.requests.append(asked)
            endpoint.heads.append(_headers(head))
        fault = endpoint.fault_for(number, asked)
        wire: Format = "messages" if path.endswith(b"/messages") else "chat"
        streaming = b'"stream": true' in body or b'"stream":true' in body
        if fault is None:
            answer = encode_answer(wire, streaming, TEXT, shape_in(body), tokens_in(body))
        else:
            answer = encode_reply(wire, streaming, fault.text, fault.finish, fault.refusal, tokens_in(body))
        endpoint.answer_later(number, arrived, partial(self._answer, fault, answer))

    def _answer(self, fault: Fault | None, answer: tuple[bytes, ...]) -> None:
        if fault == HANG:
            return
        self._endpoint.in_flight -= 1
        if fault is None or fault.kind == "answer":
            self._write_slowly(answer)
        elif fault.kind == "status":
            self._write(page(fault.text.encode(), fault.status, fault.headers))
        elif fault.kind == "junk":
            self._write(b"\x00\x16 this is no HTTP\r\n\r\n")
        elif fault.kind == "cut":
            data = b"".join(answer)
            self._write(data[: len(data) // 2])
            self._close()
        elif fault.kind == "reset":
            self._reset()

    def _write_slowly(self, pieces: tuple[bytes, ...], done: int = 0) -> None:
        if self._endpoint.gap <= 0:
            self._write(b"".join(pieces))
        elif done < len(pieces):
            self._write(pieces[done])
            asyncio.get_running_loop().call_later(self._endpoint.gap, self._write_slowly, pieces, done + 1)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _reset(self) -> None:
        """Close in such a way that the client sees a reset instead of an orderly end."""
        if self._transport is not None:
            plain = self._transport.get_extra_info("socket")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()


def _headers(head: bytes) -> dict[str, str]:
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return {":path": first.split(" ")[1], **headers}


def _get(endpoint: FakeEndpoint, path: bytes) -> bytes:
    if path.endswith(b"/stats"):
        figures = {"requests": endpoint.count, "in_flight": endpoint.in_flight, "max_in_flight": endpoint.max_in_flight}
        return page(json.dumps(figures).encode())
    if path.endswith((b"/models", f"/models/{endpoint.model}".encode(), b"/key")):
        return page(json.dumps({"object": "list", "data": [{"id": endpoint.model, "object": "model"}]}).encode())
    return page(b'{"error": {"message": "no such page"}}', 404)


class _Exact(selectors.DefaultSelector):
    """Waits for the exact time. By default epoll rounds up to milliseconds."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if sys.platform == "linux" and timeout is not None and timeout > 0:
            select.select([self], [], [], timeout)
            timeout = 0
        return super().select(timeout)


async def _serve(port: int, latency: float, gap: float) -> None:
    async with FakeEndpoint(latency, gap=gap, port=port, recording=False) as endpoint:
        print(f"ready {endpoint.url}", flush=True)  # noqa: T201 - whoever started the process waits for it
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.kit.endpoint", description="A fake model server.")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one; the ready line names it")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="wait before each answer")
    parser.add_argument("--gap-ms", type=float, default=0.0, help="wait between the pieces of a stream")
    options = parser.parse_args()
    runner = asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(_Exact()))
    with suppress(KeyboardInterrupt), runner:
        runner.run(_serve(options.port, options.latency_ms / 1000, options.gap_ms / 1000))


if __name__ == "__main__":
    main()
