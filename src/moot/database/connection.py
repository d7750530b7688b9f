"""A PostgreSQL database as shared within a process: a few connections for reading, and one for writing. Addresses can
contain passwords, so they are never shown in full."""

import atexit
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit
from weakref import WeakSet

from moot.database.inbox import Inbox
from moot.database.patience import Patience, away
from moot.database.schema import make_tables
from moot.database.writer import Writer
from moot.errors import ConfigError, DatabaseAway
from moot.plugins.extras import require
from moot.text import reason_without_secrets

if TYPE_CHECKING:
    import psycopg

SECONDS_TO_CONNECT = 10
MOST_CONNECTIONS = 3
"""Connections of a process to one database, besides the writing one; when all are in use, callers wait."""
NOTICE_LOSS: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Keep-alive settings: a machine that vanishes closes no connections."""
Row = tuple[Any, ...]
T = TypeVar("T")


def is_address(where: str) -> bool:
    return where.startswith(("postgresql://", "postgres://"))


def redacted(url: str) -> str:
    """The address without its password. PGPASSWORD or a password file can provide one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "postgresql://…"
    if "@" in f"{parts.path}{parts.query}":  # a password with / or ?, which should be written %2F or %3F
        return "postgresql://…"
    user, at, host = parts.netloc.rpartition("@")
    kept = [(key, value) for key, value in parse_qsl(parts.query) if "password" not in key]
    query = f"?{urlencode(kept, safe='/')}" if kept else ""
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{query}"


class Database:
    def __init__(self, url: str) -> None:
        self.url = url
        self.shown = redacted(url)
        self.patience = Patience()
        self._process = os.getpid()
        self._room = BoundedSemaphore(MOST_CONNECTIONS)
        self._idle: list[psycopg.Connection[Row]] = []
        self._open: WeakSet[psycopg.Connection[Row]] = WeakSet()
        self._prepared = self._closed = False
        self.writer = Writer(self.connect, self.patience)
        self.inbox = Inbox(self.rows)

    def prepare(self) -> None:
        """Create missing tables. ConfigError if the database cannot be used."""
        require("postgresql")
        waiting = self.patience.begin()
        while not self._prepared:
            try:
                with closing(self.connect()) as connection:
                    make_tables(connection)
                    self._prepared = True
            except DatabaseAway as error:
                # Report a missing server at once, but wait for one that is full or starting.
                if not error.for_now or not waiting.pause():
                    raise ConfigError(str(error)) from None
            except _driver_error() as error:
                raise ConfigError(f"moot's tables cannot be made in {self.shown}: {error}") from None

    def __repr__(self) -> str:
        return f"Database({self.shown!r})"

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement and return its rows. It is repeated if the connection breaks, so it must be safe to
        repeat."""

        def ask(connection: "psycopg.Connection[Row]") -> list[Row]:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

        return self.patiently(ask)

    def patiently(self, work: "Callable[[psycopg.Connection[Row]], T]") -> T:
        """Do this with a connection; retry with growing pauses if the connection breaks or is not available, as long as
        the patience lasts. DatabaseAway after that."""
        waiting = self.patience.begin()
        while True:
            try:
                with self.connection() as connection:
                    return work(connection)
            except DatabaseAway:
                if not waiting.pause():
                    raise

    @contextmanager
    def connection(self) -> "Iterator[psycopg.Connection[Row]]":
        """A connection for a short time; every statement is a transaction unless one is started. DatabaseAway if it
        breaks or is not available."""
        with self._room:
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self.connect()
            with ExitStack() as unless_kept:
                unless_kept.callback(connection.close)
                try:
                    yield connection
                except away() as error:
                    # The other connections are most likely broken too.
                    while self._idle:
                        self._idle.pop().close()
                    raise DatabaseAway(self._message(error)) from None
                if not self._closed:  # while this one was in use
                    unless_kept.pop_all()
                    self._idle.append(connection)

    def connect(self) -> "psycopg.Connection[Row]":
        require("postgresql")
        import psycopg

        if self.patience.over.is_set():
            raise DatabaseAway(f"PostgreSQL at {self.shown} is not waited for any longer")
        try:
            connection = psycopg.connect(self.url, autocommit=True, connect_timeout=SECONDS_TO_CONNECT, **NOTICE_LOSS)
        except psycopg.Error as error:
            for_now = any(word in str(error) for word in _FOR_NOW)
            raise DatabaseAway(self._message(error), for_now=for_now) from None
        try:
            connection.execute(
                "SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', "
                "false), set_config('tcp_keepalives_count', '3', false)"
            )
        except psycopg.Error as error:
            connection.close()
            raise DatabaseAway(self._message(error)) from None
        self._open.add(connection)
        return connection

    def abandon(self) -> None:
        """Stop waiting for this database until it is opened again: everything that waits for it raises DatabaseAway."""
        self.patience.over.set()
        for connection in list(self._open):
            with suppress(OSError, _driver_error()), socket.socket(fileno=os.dup(connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        # A forked process shares the connections; closing them properly would close those of its parent.
        if os.getpid() == self._process:
            self._closed = True
            self.writer.close()
            while self._idle:
                self._idle.pop().close()

    def _message(self, error: Exception) -> str:
        return f"PostgreSQL at {self.shown} cannot be reached: {reason_without_secrets(error, self.url)}"


_FOR_NOW = ("too many clients", "connection slots", "too many connections", "starting up", "shutting down", "recovery")
"""Messages of a server that is not ready yet. The driver has no codes for them."""


def _driver_error() -> type[Exception]:
    import psycopg

    return psycopg.Error


def open_database(url: str, reconnect: float | None = None) -> Database:
    """The database of this process at that address; anything after # is the name of a run. `reconnect` sets how many
    seconds to wait for it when it goes away."""
    with _opening:
        database = _opened(os.getpid(), url.partition("#")[0])
        database.patience.over.clear()
        if reconnect is not None:
            database.patience.seconds = reconnect
        database.prepare()
        return database


def close_databases() -> None:
    """Close all connections of this process. They are opened again when needed."""
    with _opening:
        while _all:
            # The server may be gone already.
            with suppress(Exception):
                _all.pop().close()
        _opened.cache_clear()


_opening = Lock()
_all: list[Database] = []


@cache
def _opened(_process: int, url: str) -> Database:
    try:
        urlsplit(url)
    except ValueError:
        raise ConfigError("this is not an address of PostgreSQL such as postgresql://user@host/database") from None
    database = Database(url)
    if not _all:
        atexit.register(close_databases)
    _all.append(database)
    return database
