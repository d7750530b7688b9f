"""A worker: takes debates from the queue, runs many at once, and takes over those of workers that died."""

import asyncio
import logging
import math
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from moot.engine.config import RunConfig, thawed
from moot.engine.run import resume
from moot.engine.runs import Run
from moot.errors import ConfigError, MootError, RunBusy
from moot.models.pool import pool
from moot.queue.jobs import QUEUE, TASK, queue_at
from moot.queue.sharing import Shares
from moot.record.stores.database import Database
from moot.record.stores.postgresql import Stored
from moot.report import documents
from moot.text import printable

if TYPE_CHECKING:
    import procrastinate
    import psycopg

MANY = 100
MOST_TRIES = 20
"""How often a debate is begun again that stops for a reason outside of it, such as a full disk."""


async def work(
    url: str,
    *,
    concurrency: int = MANY,
    takeover: float = 10.0,
    grace: float = 10.0,
    until_idle: bool = False,
    ready: Callable[[], None] | None = None,
) -> None:
    """Run debates of the queue, `concurrency` at a time, until told to stop or, `until_idle`, until none is waiting.

    A worker that was not heard of for `takeover` seconds is taken for dead, and its debates are taken over. Told to
    stop, by SIGTERM, SIGINT or by being cancelled, it gives its debates `grace` seconds to end, stops those that have
    not, and hands them back. `ready` is called once it listens. ConnectionError when the database is lost for good.
    """
    import procrastinate

    database = await asyncio.to_thread(queue_at, url)
    connector = procrastinate.PsycopgConnector(
        conninfo=database.url, min_size=2, max_size=8, configure=_without_waiting_for_the_disk
    )
    app = procrastinate.App(connector=connector)
    desk = _Desk(database, app)
    app.task(name=TASK, queue=QUEUE, pass_context=True, retry=procrastinate.RetryStrategy(wait=1))(desk.job)
    shares = Shares(database, f"{socket.gethostname()}/{uuid4().hex}")
    async with app.open_async(), pool() as shared:
        shared.gate = shares.gate
        working = asyncio.create_task(
            app.run_worker_async(
                queues=[QUEUE],
                concurrency=concurrency,
                wait=not until_idle,
                install_signal_handlers=False,
                fetch_job_polling_interval=min(1.0, takeover / 4),
                shutdown_graceful_timeout=math.inf if until_idle else grace,
                update_heartbeat_interval=takeover / 4,
                stalled_worker_timeout=takeover,
                delete_jobs="successful",
            )
        )
        beside = [asyncio.create_task(shares.tend()), asyncio.create_task(_take_over(desk, takeover))]
        told_to_stop = _stopped_by_signals(working)
        if ready is not None:
            ready()
        try:
            await asyncio.shield(working)
        except asyncio.CancelledError:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
            if not told_to_stop:
                raise
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await shares.close()
    if not told_to_stop and not until_idle:
        raise ConnectionError(f"the queue at {database.shown} is lost; start the worker again when it is back")


async def _without_waiting_for_the_disk(connection: "psycopg.AsyncConnection[Any]") -> None:
    """What a crash of the server makes the queue forget, it finds out again from journals: who began a debate, and that
    it has ended. Journals themselves are written by others, who do wait."""
    await connection.execute("SET synchronous_commit TO off")
    await connection.commit()


def _stopped_by_signals(working: "asyncio.Task[None]") -> list[signal.Signals]:
    """Have SIGTERM and SIGINT stop the worker; which of them came is in the list."""
    came: list[signal.Signals] = []
    loop = asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        came.append(number)
        working.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        # Not in the main thread: whoever runs the loop has to cancel.
        with suppress(RuntimeError, ValueError):
            loop.add_signal_handler(number, stop, number)
    return came


async def _take_over(desk: "_Desk", takeover: float) -> None:
    """Put back into the queue, for ever, what workers had that were not heard of. This one lives, however late its own
    word is."""
    from procrastinate.exceptions import ConnectorException

    manager = desk.app.job_manager
    while True:
        await asyncio.sleep(takeover / 4)
        with suppress(ConnectorException):
            for job in await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=takeover):
                if job.id in desk.in_hand:
                    continue
                # Another worker may have been faster.
                with suppress(ConnectorException):
                    await manager.retry_job(job)


class _NotHere(MootError):
    """This worker lacks what a debate needs, and another may have it."""


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where jobs become debates. Those `in_hand` are being run; why others are left to other workers was `told`."""

    database: Database
    app: "procrastinate.App"
    in_hand: set[int | None] = field(default_factory=set)
    told: set[str] = field(default_factory=set)

    async def job(self, context: "procrastinate.JobContext", run: int) -> None:
        self.in_hand.add(context.job.id)
        try:
            await self.debate(context, run)
        except _NotHere:
            await (self._end(run, "cancelled", None) if context.should_abort() else self._hand_back(run))
            raise
        finally:
            self.in_hand.discard(context.job.id)

    async def debate(self, context: "procrastinate.JobContext", run: int) -> None:
        """Run one debate, or take it up where another worker left it. Raises only what a later try may not meet."""
        from procrastinate.job_context import AbortReason

        begun = await self._ask(
            "UPDATE moot_debates d SET state = 'running' FROM moot_runs r WHERE d.run = %(run)s AND r.id = d.run "
            "AND d.ended IS NULL RETURNING r.name, d.config, d.limits, d.reports",
            run=run,
        )
        if not begun:
            return  # it has ended; only word of it did not get through
        [row] = begun
        try:
            config = thawed(row["config"], row["name"])
            self._leave_to_others(config, row["name"])
            stored = Run(Stored(self.database, run, row["name"]), config)
            result = await resume(stored, finish=documents if row["reports"] else None, **row["limits"])
        except asyncio.CancelledError:
            if context.abort_reason() == AbortReason.USER_REQUEST:
                await self._end(run, "cancelled", None)
            else:
                await self._hand_back(run)
            raise
        except (RunBusy, _NotHere):
            raise
        except MootError as error:
            await self._end(run, "failed", str(error))
        except OSError as error:
            if context.job.attempts < MOST_TRIES:
                raise
            await self._end(run, "failed", str(error))
        except Exception as error:
            # What it says may not be for others to read; here somebody can.
            traceback.print_exc(file=sys.stderr)
            await self._end(run, "failed", f"a fault in moot: {type(error).__name__}; the worker has said more")
        else:
            await self._end(run, result.status, result.reason, result.spent.calls, result.spent.cost)

    def _leave_to_others(self, config: RunConfig, name: str) -> None:
        """_NotHere for a debate by a plug-in that this worker has not got, or has in another version."""
        why = config.protocol.missing or config.plugin_differs
        if not why:
            try:
                config.check_plugins()
            except ConfigError as error:
                why = str(error)
        if not why:
            return
        if why not in self.told:
            self.told.add(why)
            logging.getLogger(__name__).warning("%s is left to other workers: %s", name, printable(why))
        raise _NotHere(why)

    async def _hand_back(self, run: int) -> None:
        await self._ask(
            "UPDATE moot_debates SET state = 'waiting' WHERE run = %(run)s AND ended IS NULL RETURNING 1", run=run
        )

    async def _end(
        self, run: int, state: str, reason: str | None, calls: int | None = None, cost: float | None = None
    ) -> None:
        await self._ask(
            "UPDATE moot_debates SET state = %(state)s, reason = %(reason)s, calls = coalesce(%(calls)s, calls), "
            "cost = %(cost)s, ended = clock_timestamp() WHERE run = %(run)s AND ended IS NULL RETURNING 1",
            run=run,
            state=state,
            reason=reason,
            calls=calls,
            cost=cost,
        )

    async def _ask(self, statement: str, **values: Any) -> list[dict[str, Any]]:
        return await self.app.connector.execute_query_all_async(statement, **values)
