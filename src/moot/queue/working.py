"""A worker: takes debates from the queue, runs many at once, and takes over those of dead workers."""

import asyncio
import logging
import math
import socket
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from threading import Timer
from typing import Any, Literal, TypeVar
from uuid import uuid4

from moot.database.connection import Database
from moot.database.runs import Stored
from moot.engine.define.config import RunConfig, thawed
from moot.engine.outcome.result import Result, fold
from moot.engine.play.calls import SECONDS_TO_FINISH
from moot.engine.staging.run import document_of, resume
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, DatabaseAway, MootError, RunBusy
from moot.models.pool import pool
from moot.plugins.extras import require
from moot.queue.allowed import Allowed
from moot.queue.claims import Claim, Claims, Order, QueueState, Watch
from moot.queue.jobs import queue_at
from moot.queue.material import load_material
from moot.queue.sharing import Shares
from moot.record.stores.base import RESULT
from moot.report import documents
from moot.system import on_stop
from moot.text import printable

MANY = 100
RECONNECT = 600.0
"""How long to wait for a database that cannot be reached."""
LOOK_EVERY, LEAST_PAUSE = 0.5, 0.02
"""Seconds between two checks of the queue: normally, and at least, after a debate has ended."""
SECONDS_TO_PUT_BACK = 5.0
"""How long a worker that stops waits for a database that does not answer."""
MOST_TRIES = 20
"""How often to retry a debate that stops for an outside reason, such as a full disk."""

log = logging.getLogger(__name__)
T = TypeVar("T")


async def work(
    url: str,
    *,
    concurrency: int = MANY,
    takeover: float = 10.0,
    grace: float = 10.0,
    reconnect: float = RECONNECT,
    models: Sequence[str] = (),
    until_idle: bool = False,
    ready: Callable[[], None] | None = None,
) -> None:
    """Run debates of the queue, `concurrency` at a time, until stopped or, with `until_idle`, until none is waiting.

    A worker without a heartbeat for `takeover` seconds is considered dead, and its debates are taken over. When
    stopped, by SIGTERM, SIGINT or cancellation, a worker gives its debates `grace` seconds to end, stops the others,
    and puts them back. If the database is unreachable, the worker waits for `reconnect` seconds, and no debate fails;
    after that it raises ConnectionError. If `models` are given, jobs may only use these: names, or patterns such as
    `openai/*`. Files that a job names are never opened. `ready` is called when the worker starts to take debates.
    """
    require("postgresql")
    database = await asyncio.to_thread(queue_at, url, reconnect)
    shares = Shares(database, f"{socket.gethostname()}/{uuid4().hex}")
    worker = _Worker(
        database,
        Claims(database, concurrency),
        Watch(takeover),
        Allowed(models),
        reconnect,
        ready or (lambda: None),
    )
    told_to_stop: list[int] = []
    async with pool() as shared:
        shared.gate = shares.gate
        tending = asyncio.create_task(shares.tend())
        working = asyncio.create_task(worker.work(until_idle=until_idle))

        def stop(number: int) -> None:
            told_to_stop.append(number)
            working.cancel()

        on_stop(asyncio.get_running_loop(), stop)
        try:
            await asyncio.wait([working])
            if working.cancelled():
                await worker.finish(grace)
            else:
                working.result()
        except asyncio.CancelledError:
            working.cancel()
            await worker.finish(grace)
            raise
        finally:
            await worker.leave()
            tending.cancel()
            await asyncio.wait([tending])
            await shares.close()
            database.patience.over.clear()
    if working.cancelled() and not told_to_stop:
        raise asyncio.CancelledError


class _NotHere(MootError):
    """This worker lacks something that a debate needs; another may have it."""


@dataclass(slots=True)
class _Worker:
    """Runs claimed debates. `in_hand` are those that are running, `why` the reasons why some are being stopped, and
    `told` the messages about debates that are left to other workers."""

    database: Database
    claims: Claims
    watch: Watch
    allowed: Allowed
    reconnect: float
    ready: Callable[[], None]
    in_hand: "dict[int, asyncio.Task[None]]" = field(default_factory=dict)
    why: dict[int, Literal["stop", "lost"]] = field(default_factory=dict)
    reported: set[str] = field(default_factory=set)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)
    # A thread of its own, so that heartbeats do not wait for other uses of the database.
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "moot-claims"))

    async def work(self, *, until_idle: bool) -> None:
        """Claim debates and run them, forever or until none is waiting."""
        while True:
            state = await self._look()
            self._begin(state)
            self.ready()
            self.ready = lambda: None
            if until_idle and not self.in_hand:
                return
            await self._pause()

    async def finish(self, grace: float) -> None:
        """Let running debates continue for that long, then stop them."""
        with suppress(TimeoutError, DatabaseAway):
            async with asyncio.timeout(grace if math.isfinite(grace) else None):
                while self.in_hand:
                    self._begin(await self._look(claim=False))
                    await self._pause()

    async def leave(self) -> None:
        """Stop running debates and put them back. Other workers take over what the database does not accept in time."""
        timer = Timer(SECONDS_TO_FINISH + SECONDS_TO_PUT_BACK, self.database.abandon)
        timer.daemon = True
        timer.start()
        for task in self.in_hand.values():
            task.cancel()
        await asyncio.gather(*self.in_hand.values(), return_exceptions=True)
        with suppress(DatabaseAway):
            await self._in_thread(self.claims.leave)
        timer.cancel()
        self._thread.shutdown(wait=False)

    async def _pause(self) -> None:
        await asyncio.sleep(LEAST_PAUSE)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._every):
                await self._ended.wait()
        self._ended.clear()

    @property
    def _every(self) -> float:
        return min(LOOK_EVERY, self.watch.takeover / 4)

    async def _look(self, *, claim: bool = True) -> QueueState:
        """Check the queue, and retry while the database is away."""
        away_since = None
        while True:
            try:
                state = await self._in_thread(lambda: self.claims.look(set(self.in_hand), claim=claim))
                if silent := self.watch.look(time.monotonic(), state.beats):
                    await self._in_thread(lambda: self.claims.take_over(silent))
            except DatabaseAway as error:
                self.watch.forget()
                if away_since is None:
                    away_since = time.monotonic()
                    log.warning("%s; trying again for %g seconds", printable(str(error)), self.reconnect)
                elif time.monotonic() - away_since > self.reconnect:
                    raise DatabaseAway(f"{error}; start the worker again when it is back") from None
                await asyncio.sleep(self._every)
            else:
                return state

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _begin(self, state: QueueState) -> None:
        for run in state.stop:
            self._stop(run, "stop")
        for run in state.lost:
            self._stop(run, "lost")
        for claim in state.new:
            self.in_hand[claim.run] = asyncio.create_task(self._debate(claim))

    def _stop(self, run: int, why: Literal["stop", "lost"]) -> None:
        if run in self.in_hand and run not in self.why:
            self.why[run] = why
            self.in_hand[run].cancel()

    async def _debate(self, claim: Claim) -> None:
        try:
            await self._run(claim)
        except DatabaseAway:
            # If it still belongs to this worker, the next check finds it as if it were new.
            pass
        finally:
            self.why.pop(claim.run, None)
            del self.in_hand[claim.run]
            self._ended.set()

    async def _run(self, claim: Claim) -> None:
        """Run or continue one debate, and record in the queue how it ended."""
        try:
            order = claim.order()
            config = thawed(order.config, claim.name)
            self._leave_to_others(config, claim.name)
            self.allowed.check(config, order.limits)
            result = await self._played(config, order, claim)
        except BaseException as error:  # however it ends, the queue has to be told
            why = self.why.get(claim.run)
            if why == "stop":
                await self._end(claim, "cancelled", None)
            elif why != "lost":
                await self._stopped(claim, error)
        else:
            await self._end(claim, result.status, result.reason, result.spent.calls, result.spent.cost)

    async def _stopped(self, claim: Claim, error: BaseException) -> None:
        """Handle a debate without a result: put it back if a later attempt may succeed."""
        match error:
            case asyncio.CancelledError():
                await self._put_back(claim, 0.0)
            case RunBusy() | _NotHere() | DatabaseAway():
                await self._put_back(claim, 1.0)
            case MootError():
                stored = Run(Stored(self.database, claim.run, claim.name))
                await asyncio.to_thread(_leave_result, stored, str(error))
                await self._end(claim, "failed", str(error))
            case OSError() if claim.put_back < MOST_TRIES:
                await self._put_back(claim, min(2.0**claim.put_back, 30.0), claim.put_back + 1)
            case OSError():
                await self._end(claim, "failed", str(error))
            case Exception():
                # The message may not be for others to read, so it is printed only here.
                traceback.print_exception(error, file=sys.stderr)
                said = f"a fault in moot: {type(error).__name__}; the worker has said more"
                await self._end(claim, "failed", said)
            case _:
                raise error

    async def _played(self, config: RunConfig, order: Order, claim: Claim) -> Result:
        carried, scripts = await asyncio.to_thread(load_material, self.database, order.material)
        stored = Run(Stored(self.database, claim.run, claim.name), replace(config, carried=carried))
        finish = documents if claim.reports else None
        return await resume(stored, models=scripts, prompter=self.allowed, finish=finish, **order.limits)

    def _leave_to_others(self, config: RunConfig, name: str) -> None:
        """_NotHere if the debate needs a plug-in that this worker does not have, or has in another version."""
        why = config.protocol.missing or config.plugin_differs
        if not why:
            try:
                config.check_plugins()
            except ConfigError as error:
                why = str(error)
        if not why:
            return
        if why not in self.reported:
            self.reported.add(why)
            log.warning("%s is left to other workers: %s", name, printable(why))
        raise _NotHere(why)

    async def _end(self, claim: Claim, *how: Any) -> None:
        await asyncio.to_thread(self.claims.end, claim.run, *how)

    async def _put_back(self, claim: Claim, wait: float, tried: int | None = None) -> None:
        await asyncio.to_thread(self.claims.put_back, claim.run, wait, tried)


def _leave_result(stored: Run, reason: str) -> None:
    """Write the reason as the result of the run, which has no result."""
    with suppress(MootError, OSError):
        stored.write(RESULT, document_of(fold(stored, "failed", reason, 0)))
