"""Limits for connections that are silent, and for those that do not read: how long they can stay, and how many silent
ones there can be.

They cost nothing to open, and each takes a place from another client. This does not depend on a token.
"""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS_TO_ASK = 10.0
"""Seconds that a connection can stay without a complete request, however slowly it arrives."""
SECONDS_TO_READ = 60.0
"""Seconds in which a client has to take what is ready for it, some fifty kilobytes beyond what the system buffers."""
MOST_SILENT, MOST_SILENT_EACH = 500, 100
"""The maximum number of silent connections, in total and per address; beyond that the one that has been silent longest
is closed."""


class Silent:
    """Silent connections, ordered by how long they have been silent."""

    def __init__(
        self,
        seconds: float = SECONDS_TO_ASK,
        most: int = MOST_SILENT,
        each: int = MOST_SILENT_EACH,
        to_read: float = SECONDS_TO_READ,
    ) -> None:
        self.seconds = seconds
        self.to_read = to_read
        self._most = most
        self._each = each
        self._since: dict[Any, asyncio.TimerHandle] = {}
        self._counts: Counter[str] = Counter()
        self._unread: dict[Any, asyncio.TimerHandle] = {}

    def begin(self, connection: Any) -> None:
        """Mark this connection as silent."""
        if connection in self._since:
            return
        client = _address(connection)
        if self._counts[client] >= self._each:
            self._drop(next(one for one in self._since if _address(one) == client))
        elif len(self._since) >= self._most:
            self._drop(next(iter(self._since)))
        loop = asyncio.get_running_loop()
        self._since[connection] = loop.call_later(self.seconds, self._drop, connection)
        self._counts[client] += 1

    def end(self, connection: Any) -> None:
        """Mark this connection as active or gone."""
        timer = self._since.pop(connection, None)
        if timer is None:
            return
        timer.cancel()
        client = _address(connection)
        self._counts[client] -= 1
        if not self._counts[client]:
            del self._counts[client]

    def wait_for_reading(self, connection: Any) -> None:
        """Close this connection if it still does not read what is ready for it."""
        loop = asyncio.get_running_loop()
        self._unread[connection] = loop.call_later(self.to_read, connection.transport.abort)

    def read(self, connection: Any) -> None:
        """Mark this connection as reading or gone."""
        if (timer := self._unread.pop(connection, None)) is not None:
            timer.cancel()

    def _drop(self, connection: Any) -> None:
        self.end(connection)
        connection.transport.abort()


def protocol(silent: Silent) -> type[asyncio.Protocol]:
    """Uvicorn's protocol, with tracking of silent connections and of those that do not read."""

    class Watched(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def pause_writing(self) -> None:
            super().pause_writing()
            silent.wait_for_reading(self)

        def resume_writing(self) -> None:
            silent.read(self)
            super().resume_writing()

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            silent.begin(self)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                silent.end(self)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
                silent.begin(self)

        def connection_lost(self, exc: Exception | None) -> None:
            silent.end(self)
            silent.read(self)
            super().connection_lost(exc)

    return Watched


def _address(connection: Any) -> str:
    return connection.client[0] if connection.client else ""
