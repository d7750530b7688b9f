"""Connections on which nothing is asked: how long they may stay, and how many of them.

They cost nothing to open, and each takes a place from somebody else. All of this comes before any request is read, so
no token is needed for it and none helps.
"""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS_TO_ASK = 10.0
"""For so long a connection may stay on which no request is complete or being answered, however slowly it comes."""
MOST_SILENT, MOST_SILENT_EACH = 500, 100
"""So many may be silent at once, and so many of one address; beyond that the one goes that was silent the longest."""


class Silent:
    """The connections on which nothing is asked now, the longest silent first."""

    def __init__(self, seconds: float = SECONDS_TO_ASK, most: int = MOST_SILENT, each: int = MOST_SILENT_EACH) -> None:
        self.seconds = seconds
        self._most = most
        self._each = each
        self._since: dict[Any, asyncio.TimerHandle] = {}
        self._counts: Counter[str] = Counter()

    def begin(self, connection: Any) -> None:
        """From now on nothing is asked on this connection."""
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
        """A request is complete, or the connection is gone."""
        timer = self._since.pop(connection, None)
        if timer is None:
            return
        timer.cancel()
        client = _address(connection)
        self._counts[client] -= 1
        if not self._counts[client]:
            del self._counts[client]

    def _drop(self, connection: Any) -> None:
        self.end(connection)
        connection.transport.abort()


def protocol(silent: Silent) -> type[asyncio.Protocol]:
    """Uvicorn's protocol with a look at who is silent."""

    class Watched(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
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
            super().connection_lost(exc)

    return Watched


def _address(connection: Any) -> str:
    return connection.client[0] if connection.client else ""
