"""Runs in PostgreSQL: lines and documents are rows, and a run is locked by a session."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from threading import RLock

from moot.database.connection import Database, open_database
from moot.database.inbox import LOOK_EVERY, NEW, Draft
from moot.database.schema import LOCK
from moot.database.writer import Held
from moot.errors import ConfigError, RunBusy
from moot.record.log import head_of, placed
from moot.record.stores.base import CONFIG, JOURNAL, LOG

SECONDS_TO_TAKE = 20.0
"""How long to wait for the process that runs a debate to add an outside entry."""


class Stored:
    """One run in the database. Opening lines without a lock locks the run until they are closed."""

    def __init__(self, database: Database, number: int, name: str) -> None:
        self.database = database
        self.number = number
        self.name = name
        self._held: Held | None = None
        self._holders = 0
        self._config: bytes | None = None
        self._open: dict[str, TableLines] = {}

    def __repr__(self) -> str:
        return f"Stored({self.address!r})"

    @property
    def address(self) -> str:
        return f"{self.database.shown}#{self.name}"

    @property
    def out(self) -> str:
        return self.database.url

    @contextmanager
    def hold(self) -> Iterator[None]:
        if self._holders:
            raise self._busy()
        with self._holding():
            yield

    @contextmanager
    def _holding(self) -> Iterator[Held]:
        """Lock the run, or share the lock of this object."""
        if self._held is None:
            self._held = self._take()
        self._holders += 1
        try:
            yield self._held
        finally:
            self._holders -= 1
            if not self._holders:
                self.database.writer.release(self._held)
                self._held = None

    def _take(self) -> Held:
        for _ in range(20):
            held = self.database.writer.hold(self.number, self.name)
            if held is not None:
                return held
            # A process that has just ended releases it a moment later.
            time.sleep(0.01)
        raise self._busy()

    def _busy(self) -> RunBusy:
        return RunBusy(f"another process is running {self.name}; wait for it to end, or stop it and resume")

    @property
    def busy(self) -> bool:
        # This process may be just releasing it.
        self.database.writer.settle()
        rows = self.database.rows(
            """
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = %s AND objsubid = 2
            AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """,
            [LOCK, self.number],
        )
        return bool(rows)

    def lines(self, name: str) -> "TableLines":
        opened = self._open[name] = TableLines(self, name, self._holding)
        return opened

    def closed(self, name: str) -> None:
        self._open.pop(name, None)

    def size(self, name: str) -> int:
        statement = "SELECT coalesce(max(number), 0) FROM moot_lines WHERE run = %s AND file = %s"
        size: int = self.database.rows(statement, [self.number, name])[0][0]
        return size

    def add_entry(self, draft: bytes) -> int:
        # Not by `rows`, which may repeat it.
        with self.database.connection() as connection:
            statement = "INSERT INTO moot_outside (run, draft) VALUES (%s, %s) RETURNING id"
            [(number,)] = connection.execute(statement, [self.number, draft]).fetchall()
        give_up = time.monotonic() + SECONDS_TO_TAKE
        while time.monotonic() < give_up:
            if not self.busy:
                # Another process may have been faster.
                with suppress(RunBusy):
                    self._take_all()
            rows = self.database.rows("SELECT seq FROM moot_outside WHERE id = %s AND seq IS NOT NULL", [number])
            if rows:
                self.database.rows("DELETE FROM moot_outside WHERE id = %s", [number])
                seq: int = rows[0][0]
                return seq
            time.sleep(LOOK_EVERY / 4)
        raise RunBusy(f"whoever runs {self.name} adds nothing of others now; what was said is added once they do")

    def _take_all(self) -> None:
        """Add handed-over drafts to the log of a run that is not running."""
        with closing(self.lines(LOG)) as lines:
            lines.new_lines()
            lines.take([(number, draft) for _, number, draft in self.database.rows(NEW, [[self.number]])])
            lines.sync()

    def read_lines(self, name: str) -> list[bytes]:
        rows = self.database.rows(
            "SELECT line FROM moot_lines WHERE run = %s AND file = %s ORDER BY number", [self.number, name]
        )
        return [line for (line,) in rows]

    def read(self, name: str) -> bytes | None:
        if name == CONFIG and self._config is not None:
            return self._config
        statement = "SELECT content FROM moot_documents WHERE run = %s AND name = %s"
        rows = self.database.rows(statement, [self.number, name])
        content: bytes | None = rows[0][0] if rows else None
        if name == CONFIG:
            self._config = content  # it is frozen
        return content

    def write(self, name: str, text: str) -> None:
        if self._held is not None:
            self.database.writer.write(self._held, name, text.encode())
            return
        self.database.rows(
            "INSERT INTO moot_documents VALUES (%s, %s, %s) "
            "ON CONFLICT (run, name) DO UPDATE SET content = excluded.content",
            [self.number, name, text.encode()],
        )

    async def keep(self, documents: Mapping[str, str]) -> None:
        def write() -> None:
            for name, text in documents.items():
                self.write(name, text)

        await asyncio.to_thread(write)

    def names(self) -> list[str]:
        rows = self.database.rows(
            "SELECT DISTINCT file FROM moot_lines WHERE run = %s UNION "
            "SELECT name FROM moot_documents WHERE run = %s ORDER BY 1",
            [self.number, self.number],
        )
        return [name for (name,) in rows if name != CONFIG] + [CONFIG]

    def last_line(self, name: str) -> bytes | None:
        if name in self._open:
            return self._open[name].last
        rows = self.database.rows(
            "SELECT line FROM moot_lines WHERE run = %s AND file = %s ORDER BY number DESC LIMIT 1",
            [self.number, name],
        )
        return rows[0][0] if rows else None

    def sha256(self, name: str) -> str:
        if name in self._open:
            return self._open[name].sha256
        content = self.read(name) or b"".join(line + b"\n" for line in self.read_lines(name))
        return hashlib.sha256(content).hexdigest() if content else ""

    def set_aside(self) -> list[str]:
        # Rows are atomic: no line is ever incomplete.
        return []

    def strangers(self) -> list[str]:
        return []

    def remove(self) -> None:
        with self.database.connection() as connection, connection.transaction():
            for table in ("lines", "documents", "outside"):
                connection.execute(f"DELETE FROM moot_{table} WHERE run = %s".encode(), [self.number])  # noqa: S608
            connection.execute("DELETE FROM moot_runs WHERE id = %s", [self.number])


class TableLines:
    """Open lines of a run. They are numbered here, since no other process can add lines. Drafts from other processes
    are added here too, and `new_lines` returns them."""

    def __init__(self, run: Stored, name: str, holding: Callable[[], AbstractContextManager[Held]]) -> None:
        self.path = f"{run.address}/{name}"
        self._run = run
        self._name = name
        self._stack = ExitStack()
        self._held = self._stack.enter_context(holding())
        self._writer = run.database.writer
        self._count: int | None = None
        self._digest = hashlib.sha256()
        self._lock = RLock()
        self._taken: set[int] = set()
        self._unseen: list[bytes] = []
        self._closed = False
        self.last: bytes | None = None
        if name == LOG:
            run.database.inbox.open(run.number, self.take)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest() if self._count else ""

    def lock(self) -> None:
        """A lock against other threads; other processes are excluded by the lock on the run."""
        self._lock.acquire()

    def unlock(self) -> None:
        self._lock.release()

    @contextmanager
    def locked(self) -> Iterator[None]:
        with self._lock:
            yield

    def new_lines(self) -> list[bytes]:
        if self._count is None:
            lines = self._run.read_lines(self._name)
            self._count = len(lines)
        else:
            lines, self._unseen = self._unseen, []
        for line in lines:
            self._add(line)
        return lines

    def append(self, line: bytes) -> None:
        if self._held.fault is not None:
            raise self._held.fault
        if self._count is None:
            self.new_lines()
        self._count = (self._count or 0) + 1
        self._add(line)
        self._writer.append(self._held, self._name, self._count, line)

    def take(self, drafts: Sequence[Draft]) -> None:
        """Add drafts of other processes. Receipts include them only after `new_lines` has returned them."""
        with self._lock:
            for number, draft in drafts:
                if self._count is None or self._closed or self._held.fault is not None or number in self._taken:
                    continue
                before = self._unseen[-1:] or ([self.last] if self.last is not None else [])
                self._taken.add(number)
                try:
                    line = placed(draft, self._count, head_of(before))
                except ConfigError:
                    continue  # whoever can write to the database can hand over anything
                self._count += 1
                self._unseen.append(line)
                self._writer.append(self._held, self._name, self._count, line, number)

    def _add(self, line: bytes) -> None:
        self._digest.update(line + b"\n")
        self.last = line

    async def kept(self) -> None:
        # Until it is committed, a line exists only in this process.
        await self.synced()

    async def synced(self) -> None:
        await self._writer.synced(self._held)

    async def certain(self) -> None:
        await self._writer.certain(self._held)

    def sync(self) -> None:
        self._writer.sync(self._held)

    def close(self) -> None:
        if self._name == LOG:
            self._run.database.inbox.close(self._run.number)
        with self._lock:
            self._closed = True
        self._run.closed(self._name)
        self._stack.close()


def create(url: str, names: Iterable[str], config: str, inherited: Sequence[bytes]) -> Stored:
    """Create a run with the first free name, its config, and the lines of its journal."""
    database = open_database(url)
    with database.connection() as connection:
        for name in names:
            with connection.transaction():
                statement = "INSERT INTO moot_runs (name) VALUES (%s) ON CONFLICT DO NOTHING RETURNING id"
                row = connection.execute(statement, [name]).fetchone()
                if row is None:
                    continue
                connection.execute("INSERT INTO moot_documents VALUES (%s, %s, %s)", [row[0], CONFIG, config.encode()])
                connection.execute(
                    "INSERT INTO moot_lines SELECT %s, %s, number, line "
                    "FROM unnest(%b::bytea[]) WITH ORDINALITY AS given (line, number)",
                    [row[0], JOURNAL, list(inherited)],
                )
            return Stored(database, row[0], name)
    raise ConfigError(f"{database.shown} is full of runs of that name")


def named(url: str, name: str) -> Stored | None:
    """The run of exactly that name."""
    database = open_database(url)
    rows = database.rows("SELECT id FROM moot_runs WHERE name = %s", [name])
    return Stored(database, rows[0][0], name) if rows else None


def all_runs(url: str) -> list[Stored]:
    """Oldest first."""
    database = open_database(url)
    rows = database.rows("SELECT id, name FROM moot_runs ORDER BY created, id")
    return [Stored(database, number, name) for number, name in rows]
