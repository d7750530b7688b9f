"""A connection to SQLite or PostgreSQL, with just what the store needs.

Statements are written once, with `?` for values, in SQL that both understand; where they differ, a migration has a
version for each.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from moot.errors import ConfigError
from moot.plugins.extras import require
from moot.system.home import expanded
from moot.text import reason_without_secrets

if TYPE_CHECKING:
    import psycopg

SECONDS_TO_WAIT = 30
Row = tuple[Any, ...]
AnyConnection = TypeVar("AnyConnection", bound="sqlite3.Connection | psycopg.Connection[Row]")


class NoMemoryYet(ConfigError):
    """There is no memory here yet, but one can be created."""


class Database:
    def __init__(self, connection: "sqlite3.Connection | psycopg.Connection[Row]") -> None:
        self._connection = connection
        self.is_sqlite = isinstance(connection, sqlite3.Connection)
        self.error: type[Exception] = sqlite3.Error if isinstance(connection, sqlite3.Connection) else connection.Error

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """Run one statement and return its rows, if it has any."""
        if isinstance(self._connection, sqlite3.Connection):
            return self._connection.execute(statement, values).fetchall()
        # Binary, because vectors would be sent as hexadecimal text otherwise.
        wording = statement.replace("%", "%%").replace("?", "%s").encode()
        cursor = self._connection.execute(wording, values, binary=True)
        return cursor.fetchall() if cursor.description else []

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything done inside, or nothing. Other writers wait."""
        if not isinstance(self._connection, sqlite3.Connection):
            with self._connection.transaction():
                # One writer at a time, as in SQLite, because ratings are read and then written.
                self._connection.execute("SELECT pg_advisory_xact_lock(20061)")
                yield
            return
        with self._connection:  # which commits, or rolls back
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def close(self) -> None:
        self._connection.close()


def no_store_at(where: str) -> bool:
    """Whether this is the path of a file that does not exist yet."""
    return "://" not in where and not expanded(where).exists()


def open_database(where: str, *, create: bool = True) -> Database:
    """Open `postgresql://…` or an SQLite file, which is created if `create` is set.

    Without `create` it must already be a memory, else NoMemoryYet. An SQLite file that belongs to another program is
    always refused and left unchanged; a PostgreSQL database may hold other tables.
    """
    if where.startswith(("postgresql://", "postgres://")):
        return Database(_postgresql(where, create=create))
    if "://" in where:
        # Not quoted and not used as a path: it may contain a password.
        raise ConfigError("a memory is the path of an SQLite file, or postgresql://…")
    path = expanded(where)
    nothing_yet = f"there is no memory at {path} yet; an arena makes it: moot arena … --memory {where}"
    if not create and no_store_at(where):
        raise NoMemoryYet(nothing_yet)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _closed_on_failure(sqlite3.connect(path, timeout=SECONDS_TO_WAIT, isolation_level=None)) as connection:
            # Checked before setting anything: even the journal mode would persist in a file that is not ours.
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if names and "moot_memory" not in names:
                raise ConfigError(f"{path} is no memory of moot but a database of something else, and is left as it is")
            if not names and not create:
                raise NoMemoryYet(nothing_yet)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA foreign_keys = ON")
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(f"the memory at {path} cannot be opened: {error}") from error
    return Database(connection)


def _postgresql(url: str, *, create: bool) -> "psycopg.Connection[Row]":
    require("postgresql")
    import psycopg

    try:
        with _closed_on_failure(psycopg.connect(url, autocommit=True, connect_timeout=SECONDS_TO_WAIT)) as connection:
            if not create and connection.execute("SELECT to_regclass('moot_memory')").fetchone() == (None,):
                raise NoMemoryYet(
                    "there is no memory in that database yet; an arena makes it: moot arena … --memory postgresql://…"
                )
    except psycopg.Error as error:
        raise ConfigError(f"PostgreSQL cannot be reached: {reason_without_secrets(error, url)}") from None
    return connection


@contextmanager
def _closed_on_failure(connection: AnyConnection) -> Iterator[AnyConnection]:
    with ExitStack() as on_failure:
        on_failure.callback(connection.close)
        yield connection
        on_failure.pop_all()
