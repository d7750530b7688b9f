"""Runs a batch on remote workers: each debate is submitted to a queue, and fetched when it has ended.

The budget stays with this process. A debate is submitted with its share as its limits, so the budget holds for any
number of workers. This process can stop and return later while the workers continue.
"""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from moot.engine.define.config import RunConfig
from moot.engine.outcome.result import Result
from moot.engine.outcome.stored import Spent
from moot.engine.staging.run import result_of
from moot.engine.staging.runs import copy_run
from moot.errors import ConfigError, MootError
from moot.models.base import Usage
from moot.studies.batch.budget import SharedBudget
from moot.studies.batch.folder import ABOUT, ITEMS, Batch
from moot.studies.batch.items import Item
from moot.studies.batch.progress import Called, Listener
from moot.studies.batch.running import LocalExecutor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from moot.queue import Ended
    from moot.record.events import Follower

LOOK_EVERY = 0.3


@dataclass(frozen=True, slots=True)
class QueueExecutor:
    """Lets the workers of a queue run the debates. If the database is unreachable, retries for `reconnect` seconds."""

    url: str
    reconnect: float = 600.0

    async def run(self, batch: Batch, items: Sequence[Item], budget: SharedBudget, notify: Listener) -> None:
        async with _following(self.url, batch, notify, self.reconnect) as queue:
            await LocalExecutor(max(1, len(items)), play=queue.play).run(batch, items, budget, notify)


def queue_name(batch: Batch) -> str:
    """The name of the batch in the queue. It belongs to this folder alone, and stays the same if the folder is
    moved."""
    content = (batch.path / ABOUT).read_bytes() + (batch.path / ITEMS).read_bytes()
    return f"{batch.path.resolve().name}-{hashlib.sha256(content).hexdigest()[:12]}"


@dataclass(slots=True)
class _Order:
    config: RunConfig
    limits: Mapping[str, Any]
    submitted: "asyncio.Future[None]"


@dataclass(slots=True)
class _Queue:
    """Debates that were submitted and have not ended."""

    url: str
    name: str
    notify: Listener
    orders: dict[str, _Order] = field(default_factory=dict)
    ended: "dict[str, Ended]" = field(default_factory=dict)
    waiting: "dict[str, asyncio.Future[Ended]]" = field(default_factory=dict)

    async def play(self, batch: Batch, item: Item, limits: Mapping[str, Any], _follow: "Follower") -> Result:
        """Have one debate run or resumed with these limits."""
        from moot import queue as job_queue

        before = batch.run_of(item)
        spent = (await result_of(before)).spent if before is not None and before.entries() else Spent()
        if before is not None and self.ended.pop(item.id, None) is not None:
            await job_queue.resubmit(self.url, self.name, item.id, limits)
        else:
            # A debate that was submitted before, and ended meanwhile, is only fetched.
            await self._submit(item, item.configured(batch.runs / item.id), limits)
        end = await self._end_of(item.id)
        run = await asyncio.to_thread(copy_run, end.run, batch.runs / item.id)
        if end.status == "cancelled" or not run.entries():
            raise MootError(end.reason or "it was cancelled in the queue")
        result = await result_of(run)
        self.notify(_called(item, result.spent, spent))
        return result

    async def _submit(self, item: Item, config: RunConfig, limits: Mapping[str, Any]) -> None:
        submitted = asyncio.get_running_loop().create_future()
        self.orders[item.id] = _Order(config, limits, submitted)
        await submitted

    async def _end_of(self, debate: str) -> "Ended":
        if debate not in self.ended:
            self.waiting[debate] = asyncio.get_running_loop().create_future()
            return await self.waiting[debate]
        return self.ended[debate]

    async def send(self) -> None:
        """Submit all new orders together. If that fails because of one of them, submit each separately."""
        orders, self.orders = self.orders, {}
        if not orders:
            return
        try:
            await self._send(orders)
        except ConfigError:
            for name, order in orders.items():
                try:
                    await self._send({name: order})
                except ConfigError as error:
                    order.submitted.set_exception(error)

    async def _send(self, orders: Mapping[str, _Order]) -> None:
        from moot import queue as job_queue

        limits = {name: order.limits for name, order in orders.items()}
        debates = {name: order.config for name, order in orders.items()}
        await job_queue.submit(self.url, self.name, debates, limits=limits)
        for order in orders.values():
            if not order.submitted.done():
                order.submitted.set_result(None)

    def take(self, end: "Ended") -> None:
        self.ended[end.debate] = end
        waiting = self.waiting.pop(end.debate, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(end)


@asynccontextmanager
async def _following(url: str, batch: Batch, notify: Listener, reconnect: float) -> "AsyncIterator[_Queue]":
    from moot import queue as job_queue
    from moot.queue.jobs import queue_at

    database = await asyncio.to_thread(queue_at, url, reconnect)
    queue = _Queue(url, queue_name(batch), notify)
    watch = job_queue.Watch(url, queue.name)

    async def look() -> None:
        while True:
            await queue.send()
            for end in await watch.new():
                queue.take(end)
            await asyncio.sleep(LOOK_EVERY if not queue.orders else 0.01)

    for end in await watch.new():
        queue.take(end)
    current = asyncio.current_task()
    looking = asyncio.create_task(look())
    # If this task fails, no debate would ever be reported again.
    looking.add_done_callback(lambda task: current.cancel() if current and not task.cancelled() else None)
    try:
        yield queue
    except asyncio.CancelledError:
        # Do not wait for an unreachable database when cancelled.
        database.abandon()
        if looking.done() and not looking.cancelled():
            looking.result()
        raise
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await looking


def _called(item: Item, now: Spent, before: Spent) -> Called:
    """What a debate used since the last report."""

    def more(name: str) -> Any:
        one, other = getattr(now, name), getattr(before, name)
        return None if one is None else one - (other or 0)

    usage = Usage(more("input"), more("cached"), more("output"), more("cost"))
    return Called(item, usage, now.calls - before.calls)
