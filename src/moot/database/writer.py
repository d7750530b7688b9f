"""Group commit into PostgreSQL: one thread writes for all debates of this process.

Everything that accumulates while it waits for the server goes into the next statement. It also manages locks on runs: a
lock is an advisory lock of the session, which the server releases when this process dies, and an epoch, the number of
the holder, which every line needs to be accepted.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from moot.database.patience import Patience, away
from moot.database.schema import LOCK
from moot.errors import DatabaseAway, RunBusy

if TYPE_CHECKING:
    import psycopg

FRESH = 0.5
"""Seconds after the last contact with the server in which no other process can have taken over; that takes at least a
second."""


@dataclass(slots=True)
class Held:
    """A run that this process holds. `fault` is the reason why it no longer does, or why a line could not be written;
    `given` and `kept` are the numbers of lines to write and of lines written; `seen` is the last time at which it
    certainly held the run."""

    run: int
    name: str
    epoch: int
    seen: float
    fault: Exception | None = None
    given: int = 0
    kept: int = 0


@dataclass(slots=True)
class _Batch:
    lines: list[tuple[Held, str, int, bytes]] = field(default_factory=list)
    documents: dict[tuple[int, str], tuple[Held, bytes]] = field(default_factory=dict)
    taken: list[tuple[Held, int, int]] = field(default_factory=list)
    holds: list[tuple[int, str, "Future[Held | None]"]] = field(default_factory=list)
    doubts: list[Held] = field(default_factory=list)
    releases: list[int] = field(default_factory=list)
    waiting: list[tuple[Held, asyncio.AbstractEventLoop, "asyncio.Future[None]"]] = field(default_factory=list)
    blocked: "list[Future[None]]" = field(default_factory=list)

    @property
    def all_held(self) -> list[Held]:
        return [line[0] for line in self.lines] + [held for held, _ in self.documents.values()] + self.doubts


class Writer:
    """`connect` makes a connection, and `patience` says how long to wait for one. The thread starts with the first
    write."""

    def __init__(self, connect: "Callable[[], psycopg.Connection[Any]]", patience: Patience) -> None:
        self._connect = connect
        self._patience = patience
        self._connection: psycopg.Connection[Any] | None = None
        self._lock = Lock()
        self._wake = Event()
        self._batch = _Batch()
        self._thread: Thread | None = None
        self._closed = False
        self._held: dict[int, Held | None] = {}
        self._unlocked: list[int] = []

    def hold(self, run: int, name: str) -> Held | None:
        """Lock a run; None if it is locked, in this process or another."""
        with self._lock:
            if run in self._held:
                return None
            self._held[run] = None
            done: Future[Held | None] = Future()
            self._batch.holds.append((run, name, done))
            self._go()
        held = None
        try:
            held = done.result()
        finally:
            if held is None:
                self._held.pop(run, None)
        return held

    async def certain(self, held: Held) -> None:
        """Return when it is certain that this process still holds the run; RunBusy if another has taken it over."""
        if held.fault is not None:
            raise held.fault
        if time.monotonic() - held.seen >= FRESH:
            await self._report(held, doubt=True)

    def release(self, held: Held) -> None:
        """Release the lock after all pending writes, without waiting."""
        with self._lock:
            self._held.pop(held.run, None)
            if not self._closed:  # otherwise it ended with the connection
                self._batch.releases.append(held.run)
                self._go()

    def append(self, held: Held, file: str, number: int, line: bytes, draft: int | None = None) -> None:
        """Write a line. Its `draft`, if any, is marked as taken in the same transaction."""
        with self._lock:
            held.given += 1
            self._batch.lines.append((held, file, number, line))
            if draft is not None:
                self._batch.taken.append((held, draft, number - 1))
            self._go()

    def write(self, held: Held, name: str, content: bytes) -> None:
        """Write a document after all pending lines, and wait for it."""
        with self._lock:
            self._batch.documents[held.run, name] = held, content
        self._wait()
        if held.fault is not None:
            raise held.fault

    async def synced(self, held: Held) -> None:
        """Wait until everything so far is committed; RunBusy if another process holds the run by now."""
        if held.kept == held.given and held.fault is None:
            return
        await self._report(held)

    async def _report(self, held: Held, *, doubt: bool = False) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        with self._lock:
            if doubt:
                self._batch.doubts.append(held)
            self._batch.waiting.append((held, loop, done))
            self._go()
        await done

    def sync(self, held: Held) -> None:
        """The same, blocking."""
        if held.kept < held.given and held.fault is None:
            self._wait()
        if held.fault is not None:
            raise held.fault

    def settle(self) -> None:
        """Wait until all pending work is done."""
        if self._thread is not None:
            self._wait()

    def _wait(self) -> None:
        done: Future[None] = Future()
        with self._lock:
            self._batch.blocked.append(done)
            self._go()
        done.result()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._wake.set()
        if self._thread is not None:
            self._thread.join()
        if self._connection is not None:
            self._connection.close()

    def _go(self) -> None:
        if self._closed:
            raise ConnectionError("the connections to PostgreSQL were closed")
        if self._thread is None:
            self._thread = Thread(target=self._work, name="moot-writer", daemon=True)
            self._thread.start()
        self._wake.set()

    def _work(self) -> None:
        while True:
            self._wake.wait()
            with self._lock:
                self._wake.clear()
                batch, self._batch = self._batch, _Batch()
                closed = self._closed
            try:
                self._commit(batch)
            except Exception as error:  # raised again where each line or hold is waited for
                for held in batch.all_held:
                    # No line may be accepted after a missing one.
                    held.fault = held.fault or error
                for _, _, hold in batch.holds:
                    hold.set_exception(error)
            else:
                for held, _, _, _ in batch.lines:
                    held.kept += 1
            _settle(batch)
            if closed:
                return

    def _commit(self, batch: _Batch) -> None:
        """Write the batch, and retry if the server goes away. Repeating it is safe."""
        waiting = self._patience.begin()
        while True:
            try:
                if self._connection is None:
                    self._connection = self._connected()
                self._write(self._connection, batch)
                break
            except away() as error:
                self._disconnect()
                if self._closed or not waiting.pause():
                    reason = "the connection to PostgreSQL is lost; resume the run when it is back"
                    raise DatabaseAway(reason) from error
            except BaseException:  # a lock that was just taken outlives the transaction, and nobody would release it
                self._disconnect()
                raise
        try:
            _release(self._connection, batch.releases)
        except away():
            # The locks ended with the connection.
            self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> "psycopg.Connection[Any]":
        connection = self._connect()
        if held := [run for run, held in list(self._held.items()) if held is not None]:
            # The locks ended with the last connection. The epoch shows whether another process was faster.
            self._unlocked = sorted(set(held) - set(_locked(connection, held)))
        return connection

    def _write(self, connection: "psycopg.Connection[Any]", batch: _Batch) -> None:
        epochs: dict[int, int] = {}
        begun = time.monotonic()
        if missing := [run for run in self._unlocked if run in self._held]:
            # An old session of this process may still hold them, if the server has not noticed that it is gone.
            self._unlocked = sorted(set(missing) - set(_locked(connection, missing)))
        # One commit for all of them.
        several = sum(map(bool, (batch.holds, batch.lines, batch.documents, batch.taken, batch.doubts))) > 1
        with connection.transaction() if several else nullcontext():
            if batch.holds:
                epochs = _take_hold(connection, [run for run, _, _ in batch.holds])
            if batch.lines:
                _insert_lines(connection, [line for line in batch.lines if line[0].fault is None])
            if batch.taken:
                _mark_taken(connection, [one for one in batch.taken if one[0].fault is None])
            if batch.documents:
                _write_documents(connection, batch.documents)
            if batch.doubts:
                _check(connection, batch.doubts)
        for held in batch.all_held:
            held.seen = begun
        for run, name, done in batch.holds:
            # Register it as held before the connection can be used by others.
            taken = self._held[run] = Held(run, name, epochs[run], begun) if run in epochs else None
            done.set_result(taken)


def _release(connection: "psycopg.Connection[Any]", runs: list[int]) -> None:
    if runs:
        connection.execute("SELECT pg_advisory_unlock(%s, id::int) FROM unnest(%s::bigint[]) AS id", [LOCK, runs])


def _locked(connection: "psycopg.Connection[Any]", runs: list[int]) -> list[int]:
    statement = "SELECT id FROM unnest(%s::bigint[]) AS id WHERE pg_try_advisory_lock(%s, id::int)"
    return [row[0] for row in connection.execute(statement, [runs, LOCK])]


def _take_hold(connection: "psycopg.Connection[Any]", wanted: list[int]) -> dict[int, int]:
    """The new epochs of those of the runs that could be locked."""
    locked = _locked(connection, wanted)
    if not locked:
        return {}
    # This waits for writes of the previous holder; its later lines are rejected.
    statement = "UPDATE moot_runs SET epoch = epoch + 1 WHERE id = ANY(%s) RETURNING id, epoch"
    return dict(connection.execute(statement, [locked]).fetchall())


_INSERT = b"""
WITH held AS MATERIALIZED (
    SELECT r.id FROM moot_runs r JOIN unnest(%s::bigint[], %s::bigint[]) AS h (run, epoch)
    ON r.id = h.run AND r.epoch = h.epoch FOR SHARE OF r
), kept AS (
    INSERT INTO moot_lines
    SELECT l.run, l.file, l.number, l.line
    FROM unnest(%s::bigint[], %s::text[], %s::int[], %b::bytea[]) AS l (run, file, number, line)
    JOIN held ON held.id = l.run
    ON CONFLICT DO NOTHING
)
SELECT id FROM held
"""
"""An existing line is from this holder: it was committed before the connection broke."""


def _insert_lines(connection: "psycopg.Connection[Any]", lines: list[tuple[Held, str, int, bytes]]) -> None:
    holders = {held.run: held for held, _, _, _ in lines}
    values = [
        list(holders),
        [held.epoch for held in holders.values()],
        [held.run for held, _, _, _ in lines],
        [file for _, file, _, _ in lines],
        [number for _, _, number, _ in lines],
        [line for _, _, _, line in lines],
    ]
    still = {row[0] for row in connection.execute(_INSERT, values)}
    for run, held in holders.items():
        if run not in still:
            held.fault = _taken_over(held)


def _mark_taken(connection: "psycopg.Connection[Any]", taken: list[tuple[Held, int, int]]) -> None:
    connection.execute(
        "UPDATE moot_outside o SET seq = t.seq FROM unnest(%s::bigint[], %s::int[]) AS t (id, seq) WHERE o.id = t.id",
        [[draft for _, draft, _ in taken], [seq for _, _, seq in taken]],
    )


def _write_documents(connection: "psycopg.Connection[Any]", given: dict[tuple[int, str], tuple[Held, bytes]]) -> None:
    documents = [(held, name, content) for (_, name), (held, content) in given.items() if held.fault is None]
    cursor = connection.execute(
        b"""
        INSERT INTO moot_documents SELECT d.run, d.name, d.content
        FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %b::bytea[]) AS d (run, epoch, name, content)
        JOIN (SELECT id, epoch FROM moot_runs WHERE id = ANY(%s) FOR SHARE) AS r ON r.id = d.run AND r.epoch = d.epoch
        ON CONFLICT (run, name) DO UPDATE SET content = excluded.content RETURNING run
        """,
        [
            [held.run for held, _, _ in documents],
            [held.epoch for held, _, _ in documents],
            [name for _, name, _ in documents],
            [content for _, _, content in documents],
            [held.run for held, _, _ in documents],
        ],
    )
    still = {row[0] for row in cursor}
    for held, _, _ in documents:
        if held.run not in still:
            held.fault = _taken_over(held)


def _check(connection: "psycopg.Connection[Any]", doubts: list[Held]) -> None:
    rows = connection.execute("SELECT id, epoch FROM moot_runs WHERE id = ANY(%s)", [[doubt.run for doubt in doubts]])
    epochs = dict(rows.fetchall())
    for held in doubts:
        if epochs.get(held.run) != held.epoch:
            held.fault = held.fault or _taken_over(held)


def _taken_over(held: Held) -> RunBusy:
    return RunBusy(f"another process has taken over {held.name}, since this one was not heard of; it goes on there")


def _settle(batch: _Batch) -> None:
    for done in batch.blocked:
        done.set_result(None)
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Held, asyncio.Future[None]]]] = defaultdict(list)
    for held, loop, waiter in batch.waiting:
        by_loop[loop].append((held, waiter))
    for loop, waiters in by_loop.items():
        # Nobody waits in a closed loop.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell, waiters)


def _tell(waiters: "list[tuple[Held, asyncio.Future[None]]]") -> None:
    for held, waiter in waiters:
        if waiter.done():
            continue
        if held.fault is None:
            waiter.set_result(None)
        else:
            waiter.set_exception(held.fault)
