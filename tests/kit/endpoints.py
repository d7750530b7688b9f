"""A model server in a thread of its own: it outlives whoever is killed, and answers when it is told to."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from moot.testing.endpoint import FakeEndpoint


@contextmanager
def endpoint(**settings: Any) -> Iterator[FakeEndpoint]:
    """`settings` are those of FakeEndpoint."""
    ready, stop = threading.Event(), threading.Event()
    server = FakeEndpoint(**settings)

    async def serve() -> None:
        async with server:
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        stop.set()
        thread.join()
