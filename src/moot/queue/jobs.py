"""Submits debates to the queue and follows them. Runs none itself."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from moot.database.connection import Database, is_address, open_database
from moot.database.runs import Stored
from moot.database.schema import LOCK
from moot.engine.define.config import RunConfig
from moot.engine.staging.runs import Run, without_password
from moot.errors import ConfigError
from moot.queue.material import read_material, store_material
from moot.record.stores.base import CONFIG
from moot.text.names import slug

if TYPE_CHECKING:
    import psycopg

CHUNK = 500
OVERLAP = timedelta(seconds=30)
"""How far back to look for debates that have ended: transactions commit in a different order than they begin."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A debate that has ended for now. `status` is that of its result, `cancelled`, or `failed` if it could not run at
    all; `cost` is None if a model did not report it."""

    debate: str
    run: Run
    status: str
    reason: str | None
    calls: int
    cost: float | None


@dataclass(slots=True)
class QueueProgress:
    """The state of a batch. Calls and cost are those of the debates that have ended."""

    waiting: int = 0
    running: int = 0
    ended: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    calls: int = 0
    cost: float | None = 0.0


async def submit(
    url: str,
    batch: str,
    debates: Mapping[str, RunConfig],
    *,
    limits: Mapping[str, Mapping[str, Any]] | None = None,
    reports: bool = False,
) -> int:
    """Submit these debates to workers, by their ids in the batch, and return how many are new. Debates that were
    submitted before are left alone, so it can be repeated.

    `limits` are further limits by debate. Without `reports` only the results are written. Files that a config names
    (evidence, scripts) are read here, and their content is submitted: no worker opens them.
    """
    return await asyncio.to_thread(_submit, queue_at(url), batch, dict(debates), limits or {}, reports=reports)


async def resubmit(url: str, batch: str, debate: str, limits: Mapping[str, Any]) -> None:
    """Resume a debate that has ended, with these limits."""
    await asyncio.to_thread(_resubmit, queue_at(url), batch, debate, limits)


def enqueue(
    url: str, batch: str, run: int, name: str, config: RunConfig, limits: Mapping[str, Any], *, reports: bool = True
) -> bool:
    """Queue this run, new or stopped, with these limits, for people who read and follow it; False if it is queued
    already. A run without a batch is added to this one."""
    database = queue_at(url)
    rows = database.rows(
        """
        INSERT INTO moot_debates (run, batch, debate, config, limits, reports) VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT (run) DO UPDATE SET state = 'waiting', reason = NULL, ended = NULL, limits = excluded.limits,
        reports = excluded.reports, stop = false, not_before = NULL, put_back = 0, times = moot_debates.times + 1
        WHERE moot_debates.ended IS NOT NULL RETURNING run
        """,
        [run, batch, name, json.dumps(_moved(config, database).content()), json.dumps(dict(limits)), reports],
    )
    return bool(rows)


def unfinished(url: str, batch: str) -> int:
    """The number of debates of a batch that have not ended."""
    statement = "SELECT count(*) FROM moot_debates WHERE batch = %s AND ended IS NULL"
    return int(queue_at(url).rows(statement, [batch])[0][0])


def has_ended(url: str, run: int) -> bool:
    """Whether the run is neither running nor queued. A run that was told to stop when its worker had died has ended."""
    database = queue_at(url)
    database.rows(
        """
        UPDATE moot_debates SET state = 'cancelled', ended = clock_timestamp(), worker = NULL
        WHERE run = %s AND ended IS NULL AND stop AND NOT EXISTS (
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2 AND objid = %s
            AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        )
        """,
        [run, LOCK, run],
    )
    return not database.rows("SELECT 1 FROM moot_debates WHERE run = %s AND ended IS NULL", [run])


async def progress(url: str, batch: str) -> QueueProgress:
    def ask() -> QueueProgress:
        database, found = queue_at(url), QueueProgress()
        statement = "SELECT state, count(*), sum(calls), sum(cost), count(cost) FROM moot_debates WHERE batch = %s"
        for state, count, calls, cost, priced in database.rows(f"{statement} GROUP BY state", [batch]):
            if state in ("waiting", "running"):
                setattr(found, state, count)
                continue
            found.ended[state] = count
            found.calls += calls
            found.cost = None if found.cost is None or priced < count else found.cost + cost
        statement = "SELECT debate, reason FROM moot_debates WHERE batch = %s AND state = 'failed'"
        found.failed = {debate: reason or "" for debate, reason in database.rows(statement, [batch])}
        return found

    return await asyncio.to_thread(ask)


async def cancel(url: str, batch: str) -> int:
    """Stop the running debates of a batch and drop its waiting ones; return their number. Paid replies are kept, and
    the debates can be resubmitted."""
    return await asyncio.to_thread(_cancel, url, "batch", batch)


def cancel_run(url: str, run: int) -> bool:
    """Stop this run if a worker has it, or drop it from the queue; False if it is in neither."""
    return _cancel(url, "run", run) > 0


class Watch:
    """Finds debates that have ended since the last check."""

    def __init__(self, url: str, batch: str) -> None:
        self._url = url
        self._batch = batch
        self._latest: datetime | None = None
        self._seen: dict[tuple[str, datetime], None] = {}

    async def new(self) -> list[Ended]:
        """The debates that have ended since, once for each submission."""
        return await asyncio.to_thread(self._look)

    def _look(self) -> list[Ended]:
        database = queue_at(self._url)
        since = self._latest - OVERLAP if self._latest else None
        rows = database.rows(
            """
            SELECT d.debate, d.ended, d.state, d.reason, d.calls, d.cost, r.id, r.name
            FROM moot_debates d JOIN moot_runs r ON r.id = d.run
            WHERE d.batch = %s AND d.ended IS NOT NULL AND (%s::timestamptz IS NULL OR d.ended > %s) ORDER BY d.ended
            """,
            [self._batch, since, since],
        )
        found = []
        for debate, ended, state, reason, calls, cost, number, name in rows:
            if (debate, ended) not in self._seen:
                self._seen[debate, ended] = None
                run = Run(Stored(database, number, name))
                found.append(Ended(debate, run, state, reason, calls, cost))
            self._latest = max(self._latest or ended, ended)
        return found


async def follow(url: str, batch: str, every: float = 0.5) -> AsyncIterator[Ended]:
    """Each debate of a batch as it ends, until all have."""
    watch = Watch(url, batch)
    while True:
        standing = await progress(url, batch)
        for ended in await watch.new():
            yield ended
        # Asked first, so that no debate can end unseen in between.
        if not standing.waiting and not standing.running:
            return
        await asyncio.sleep(every)


def queue_at(url: str, reconnect: float | None = None) -> Database:
    """The database of a queue, with its tables. If `reconnect` is given, this process waits that many seconds for it
    when it goes away."""
    if not is_address(url):
        raise ConfigError("a queue is a PostgreSQL database: postgresql://user@host/database")
    return open_database(url, reconnect)


def _submit(
    database: Database,
    batch: str,
    debates: Mapping[str, RunConfig],
    limits: Mapping[str, Mapping[str, Any]],
    *,
    reports: bool,
) -> int:
    ids, added = list(debates), set[str]()
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        rows = database.rows("SELECT debate FROM moot_debates WHERE batch = %s AND debate = ANY(%s)", [batch, chunk])
        known = {debate for (debate,) in rows}
        # The files of debates that were submitted before may be gone.
        orders = {
            one: _Order(
                _name(batch, one),
                _moved(debates[one], database),
                dict(limits.get(one, {})),
                read_material(debates[one]),
            )
            for one in chunk
            if one not in known
        }
        # If the connection broke after the commit, `added` has the debates of the first attempt.
        database.patiently(partial(_add, batch, orders, added, reports=reports))
    return len(added)


@dataclass(frozen=True, slots=True)
class _Order:
    """A debate to submit: the name of its run, its config, further limits, and the content of files that it names."""

    name: str
    config: RunConfig
    limits: Mapping[str, Any]
    material: Mapping[str, bytes]


def _add(
    batch: str,
    orders: Mapping[str, _Order],
    added: set[str],
    connection: "psycopg.Connection[Any]",
    *,
    reports: bool,
) -> None:
    """Add the debates that are not in the batch yet; their ids go into `added`."""
    with connection.transaction():
        # Two submitters of the same batch take turns.
        connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK + 1, batch])
        rows = connection.execute(
            "SELECT debate FROM moot_debates WHERE batch = %s AND debate = ANY(%s)", [batch, list(orders)]
        )
        known = {debate for (debate,) in rows}
        new = {debate: order for debate, order in orders.items() if debate not in known}
        if new:
            given = new.values()
            runs = _make_runs(
                connection, [order.name for order in given], [order.config.frozen().encode() for order in given]
            )
            connection.execute(
                "INSERT INTO moot_debates (run, batch, debate, config, limits, material, reports) "
                "SELECT run, %s, debate, config::json, limits::json, material::json, %s "
                "FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[]) "
                "AS new (run, debate, config, limits, material)",
                [
                    batch,
                    reports,
                    runs,
                    list(new),
                    [json.dumps(order.config.content()) for order in given],
                    [json.dumps(dict(order.limits)) for order in given],
                    [json.dumps(stored) for stored in store_material(connection, [order.material for order in given])],
                ],
            )
        added.update(new)


def _resubmit(database: Database, batch: str, debate: str, limits: Mapping[str, Any]) -> None:
    found = database.rows(
        "SELECT times FROM moot_debates WHERE batch = %s AND debate = %s AND ended IS NOT NULL", [batch, debate]
    )
    if not found:
        raise ConfigError(f"the queue has no debate {debate!r} of the batch {batch!r} that has ended")
    # The counter makes a repeated statement harmless if the connection breaks after the commit.
    database.rows(
        "UPDATE moot_debates SET state = 'waiting', reason = NULL, ended = NULL, limits = %s::json, stop = false, "
        "not_before = NULL, put_back = 0, times = times + 1 WHERE batch = %s AND debate = %s AND times = %s",
        [json.dumps(dict(limits)), batch, debate, found[0][0]],
    )


def _cancel(url: str, column: str, value: Any) -> int:
    """Mark debates to be stopped by their workers."""
    statement = (
        "UPDATE moot_debates SET stop = true, state = CASE state WHEN 'waiting' THEN 'cancelled' ELSE state END, "  # noqa: S608
        f"ended = CASE state WHEN 'waiting' THEN clock_timestamp() END WHERE {column} = %s AND ended IS NULL "
        "RETURNING run"
    )
    return len(queue_at(url).rows(statement, [value]))


def _name(batch: str, debate: str) -> str:
    """A name that depends only on batch and debate, and is unique."""
    digest = hashlib.sha256(f"{batch}\0{debate}".encode()).hexdigest()
    return f"{slug(batch)}-{slug(debate)}-{digest[:8]}"


def _moved(config: RunConfig, database: Database) -> RunConfig:
    """The config with its run in the database."""
    return without_password(replace(config, options=config.options.model_copy(update={"out": database.url})))


def _make_runs(connection: "psycopg.Connection[Any]", names: Sequence[str], configs: Sequence[bytes]) -> list[int]:
    made = connection.execute(
        "INSERT INTO moot_runs (name) SELECT unnest(%s::text[]) RETURNING name, id", [list(names)]
    )
    by_name = dict(made.fetchall())
    runs = [by_name[name] for name in names]
    connection.execute(
        "INSERT INTO moot_documents "
        "SELECT run, %s, content FROM unnest(%s::bigint[], %b::bytea[]) AS new (run, content)",
        [CONFIG, runs, list(configs)],
    )
    return runs
