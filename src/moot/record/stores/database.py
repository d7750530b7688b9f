"""One PostgreSQL database as a process shares it: a few connections to read with, and one writer.

An address may hold a password, so nothing here says one in full.
"""

import atexit
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from moot.errors import ConfigError
from moot.record.stores.schema import migrate
from moot.record.stores.writer import Writer
from moot.text import reason_without_secrets

if TYPE_CHECKING:
    import psycopg

SECONDS_TO_WAIT = 30
MOST_IDLE = 4
Row = tuple[Any, ...]


def is_address(where: str) -> bool:
    return where.startswith(("postgresql://", "postgres://"))


def redacted(url: str) -> str:
    """The address without its password. Who has to give one can do so by PGPASSWORD or a password file."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "postgresql://…"
    if "@" in f"{parts.path}{parts.query}":  # a password with a / or ? in it, which should be written %2F or %3F
        return "postgresql://…"
    user, at, host = parts.netloc.rpartition("@")
    kept = [(key, value) for key, value in parse_qsl(parts.query) if "password" not in key]
    query = f"?{urlencode(kept, safe='/')}" if kept else ""
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{query}"


class Database:
    def __init__(self, url: str) -> None:
        self.url = url
        self.shown = redacted(url)
        self._process = os.getpid()
        self._idle: list[psycopg.Connection[Row]] = []
        with closing(self.connect()) as connection:
            try:
                migrate(connection)
            except connection.Error as error:
                raise ConfigError(f"moot's tables cannot be made in {self.shown}: {error}") from None
        self.writer = Writer(self.connect)

    def __repr__(self) -> str:
        return f"Database({self.shown!r})"

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement by itself and return its rows, if it has any. Asked once more where the connection broke,
        so that whatever it does must bear being done twice."""
        try:
            return self._rows(statement, values)
        except ConnectionError:
            return self._rows(statement, values)

    def _rows(self, statement: str, values: Sequence[Any]) -> list[Row]:
        with self.connection() as connection:
            cursor = connection.execute(statement.encode(), values)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def connection(self) -> "Iterator[psycopg.Connection[Row]]":
        """A connection for a short while; every statement is a transaction unless one is begun. ConnectionError when
        it breaks."""
        import psycopg

        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self.connect()
        try:
            yield connection
        except psycopg.OperationalError as error:
            connection.close()
            raise ConnectionError(self._told(error)) from None
        except BaseException:
            connection.close()
            raise
        if len(self._idle) < MOST_IDLE:
            self._idle.append(connection)
        else:
            connection.close()

    def connect(self) -> "psycopg.Connection[Row]":
        try:
            import psycopg
        except ImportError as error:
            raise ConfigError("PostgreSQL needs a driver; install it with: pip install 'moot[postgresql]'") from error
        try:
            connection = psycopg.connect(self.url, autocommit=True, connect_timeout=SECONDS_TO_WAIT)
            # When a machine vanishes the server is not told. It asks, so that its runs can be taken over.
            connection.execute(
                "SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', "
                "false), set_config('tcp_keepalives_count', '3', false)"
            )
        except psycopg.Error as error:
            raise ConfigError(self._told(error)) from None
        return connection

    def close(self) -> None:
        # A forked process has the same connections; a goodbye on them would end those of its parent.
        if os.getpid() == self._process:
            self.writer.close()
            while self._idle:
                self._idle.pop().close()

    def _told(self, error: "psycopg.Error") -> str:
        return f"PostgreSQL at {self.shown} cannot be reached: {reason_without_secrets(error, self.url)}"


def open_database(url: str) -> Database:
    """This process' one; what follows a # in the address is the name of a run in it."""
    with _opening:
        return _opened(os.getpid(), url.partition("#")[0])


def close_databases() -> None:
    """Let go of all connections of this process. They are opened again when they are needed."""
    with _opening:
        while _all:
            # The server may have gone before.
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
