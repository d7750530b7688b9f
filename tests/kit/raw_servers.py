"""Servers that answer with any bytes, at any pace."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """The address of a server on this machine that reads each request, and answers so."""

    busy: set[asyncio.Task[None] | None] = set()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        busy.add(asyncio.current_task())
        try:
            await serve(reader, writer)
        finally:
            writer.transport.abort()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                lengths = [
                    line.partition(b":")[2] for line in head.lower().split(b"\r\n") if b"content-length:" in line
                ]
                await reader.readexactly(int(lengths[0]) if lengths else 0)
                await answer(writer)

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()
        yield f"http://{host}:{port}"
    finally:
        server.close()
        tasks = [task for task in busy if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def head(content_type: str, length: int | None = None, encoding: str = "") -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {content_type}"]
    lines += [f"Content-Length: {length}"] if length is not None else ["Connection: close"]
    lines += [f"Content-Encoding: {encoding}"] if encoding else []
    return "\r\n".join([*lines, "", ""]).encode()
