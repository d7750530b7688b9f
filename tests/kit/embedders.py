"""An embeddings server on this machine."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


class Endpoint:
    """An embeddings server that answers with what it is told to, and keeps what it was asked."""

    def __init__(self, answers: list[tuple[int, Any]]) -> None:
        self.answers = answers
        self.asked: list[dict[str, Any]] = []
        self.heads: list[str] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.close()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(
            next(line.split(":")[1] for line in head.split("\r\n") if line.lower().startswith("content-length"))
        )
        asked = json.loads(await reader.readexactly(length))
        self.asked.append(asked)
        self.heads.append(head)
        status, answer = self.answers.pop(0) if self.answers else (200, vectors_for(asked["input"]))
        body = json.dumps(answer).encode()
        headers = ["Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
        writer.write("\r\n".join([f"HTTP/1.1 {status} X", *headers, "", ""]).encode() + body)
        await writer.drain()
        writer.close()


def vectors_for(texts: list[str]) -> dict[str, Any]:
    """A vector for each text, out of order: by the letters a, b and c in it."""
    found = [{"index": i, "embedding": [text.count(letter) + 0.0 for letter in "abc"]} for i, text in enumerate(texts)]
    return {"data": found[::-1]}
