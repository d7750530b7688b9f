"""Connections to MCP servers that mean harm: what they may send is bounded, and reading it takes time in proportion.

The library reads without a bound, and a long line in quadratic time, in which every other debate of the process would
stand still.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from moot.system import kill_group
from moot.system.ending import ended_with_us
from moot.text.json import parse_json

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 16_000_000
"""What a server may send over one connection, or over HTTP in one answer."""
TOO_LARGE = f"it sent more than {MOST_BYTES:,} bytes"
PLAIN = "identity"
COMPRESSED = "it sent a compressed answer, which it was asked not to"
"""A few kilobytes can become gigabytes, and the library unpacks them without a bound."""
SECONDS_TO_STOP = 2.0
SECONDS_TO_COMPLAIN = 0.5
LONGEST_COMPLAINT = 4096
"""Bytes at the end of standard error that are kept for a message."""


@asynccontextmanager
async def over_streams(command: Sequence[str], env: Mapping[str, str], faults: list[str]) -> AsyncIterator[Any]:
    """A connection to a command that speaks over its standard streams. It and what it started are ended with it. What
    was wrong with its answers is added to `faults`, since clients only notice that the connection is closed."""
    import anyio
    from mcp.client.stdio import get_default_environment
    from mcp.shared.message import SessionMessage

    told, heard = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    said, wanted = anyio.create_memory_object_stream[SessionMessage](0)
    with ended_with_us(command, {**get_default_environment(), **env}) as (words, how):
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=MOST_BYTES,
            **how,
        )
        assert process.stdin is not None and process.stdout is not None  # noqa: S101 (both are pipes)
        assert process.stderr is not None  # noqa: S101 (it is a pipe)
        try:
            async with anyio.create_task_group() as tasks:
                complaints = _Complaints()
                tasks.start_soon(complaints.read, process.stderr)
                tasks.start_soon(_read, process.stdout, told, faults, complaints)
                tasks.start_soon(_write, process.stdin, wanted)
                yield heard, said
                tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                for stream in (told, heard, said, wanted):
                    await stream.aclose()
                await _stop(process)


@dataclass(slots=True)
class _Complaints:
    """The end of what a command writes to standard error, and whether it has written all."""

    end: bytes = b""
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, stream: asyncio.StreamReader) -> None:
        while piece := await stream.read(1 << 16):
            self.end = (self.end + piece)[-LONGEST_COMPLAINT:]
        self.over.set()

    async def last(self) -> str:
        """The last whole line. What is read begins anywhere, perhaps within a secret, and so its start is not told."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_COMPLAIN):
                await self.over.wait()
        known = self.end if len(self.end) < LONGEST_COMPLAINT else self.end.partition(b"\n")[2]
        lines = [line for line in known.decode("utf-8", "replace").split("\n") if line.strip()]
        return lines[-1].strip() if lines else ""


async def _read(output: asyncio.StreamReader, told: Any, faults: list[str], complaints: _Complaints) -> None:
    import anyio
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    left = MOST_BYTES
    async with told:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # nobody listens any more
            while True:
                try:
                    line = await output.readline()
                except ValueError:
                    left, line = -1, b""
                left -= len(line)
                if left < 0:
                    faults.append(TOO_LARGE)
                    return
                if not line:
                    said = await complaints.last()
                    faults.append(f"it ended: {said}" if said else "it ended before it answered")
                    return
                try:
                    found: SessionMessage | Exception = SessionMessage(
                        jsonrpc_message_adapter.validate_python(parse_json(line), by_name=False)
                    )
                except ValueError as error:
                    found = error
                await told.send(found)


async def _write(standard_input: asyncio.StreamWriter, wanted: Any) -> None:
    with suppress(OSError):  # the server has gone, which the reader notices
        async with wanted:
            async for message in wanted:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                standard_input.write(f"{text}\n".encode())
                await standard_input.drain()


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Close its input, as the protocol asks, and then end it with all processes that it started."""
    assert process.stdin is not None  # noqa: S101 (it is a pipe)
    process.stdin.close()
    try:
        try:
            await _end_of(process)
        finally:  # also where the wait is cancelled
            kill_group(process.pid)
        # A process counts as ended when its output was read, which a child in another session can hold open.
        await _end_of(process)
    finally:
        # There is no other way to close a pipe that is being read.
        process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001


async def _end_of(process: asyncio.subprocess.Process) -> None:
    """Wait some seconds for a process to end."""
    assert process.stdout is not None  # noqa: S101 (it is a pipe)
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS_TO_STOP):
            while await process.stdout.read(1 << 20):
                pass
            await process.wait()


@asynccontextmanager
async def over_http(url: str, headers: Mapping[str, str], faults: list[str]) -> AsyncIterator[Any]:
    """A connection to an address. It follows no redirections, which could send the headers elsewhere."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    transport = _bounded(httpx2.AsyncHTTPTransport(), faults)
    given = {**headers, "Accept-Encoding": PLAIN}
    async with httpx2.AsyncClient(headers=given, timeout=None, transport=transport) as http:
        yield streamable_http_client(url, http_client=http)


def _bounded(inner: "httpx2.AsyncBaseTransport", faults: list[str]) -> "httpx2.AsyncBaseTransport":
    """The same transport, whose answers may only be so long."""
    import httpx2

    class Body(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self.stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            count = 0
            async for piece in self.stream:
                count += len(piece)
                if count > MOST_BYTES:
                    faults.append(TOO_LARGE)
                    raise LookupError(TOO_LARGE)
                yield piece

        async def aclose(self) -> None:
            await self.stream.aclose()

    class Bounded(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = await inner.handle_async_request(request)
            if answer.headers.get("content-encoding", PLAIN) != PLAIN:
                faults.append(COMPRESSED)
                await answer.aclose()
                raise LookupError(COMPRESSED)
            assert isinstance(answer.stream, httpx2.AsyncByteStream)  # noqa: S101 (the transport is asynchronous)
            answer.stream = Body(answer.stream)
            return answer

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()
