"""Debates of a server that are run by the workers of a queue, in the database of the runs."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from moot.database.runs import Stored
from moot.engine.define.config import RunConfig
from moot.engine.staging.runs import Run, create_run
from moot.errors import ConfigError, NotReady, RunBusy
from moot.models.catalogue import SHIPPED_MODEL
from moot.queue import jobs

SECONDS_TO_STOP = 10.0
"""How long to wait for a worker that was told to stop a debate."""
LOOK_EVERY = 0.1
SERVED = "served"
"""The batch for debates of servers."""
ONLY_HERE = ("human/", "external/", "scripted/", "embedded/", "command/")
T = TypeVar("T")


def only_here(what: Any, models: Mapping[str, object]) -> bool:
    """Whether a config names something that only this process can use: a person, one of these models, a file of this
    machine. Ordinary text that looks the same does no harm: the debate then runs here."""
    if isinstance(what, str):
        name = what.strip().casefold()
        return name == "human" or (name.startswith(ONLY_HERE) and name != SHIPPED_MODEL) or what in models
    if isinstance(what, Mapping):
        return any(only_here(part, models) for part in what.values())
    return isinstance(what, list | tuple) and any(only_here(part, models) for part in what)


class Workers:
    """The workers of the queue at that address; ConfigError if it is not a queue. They do not know this process's
    `models`."""

    def __init__(self, queue: str, models: Mapping[str, object] | None = None) -> None:
        jobs.queue_at(queue)
        self._url = queue
        self._models = models or {}
        self._watch = jobs.Watch(queue, SERVED)

    def take(self, *what: Any) -> bool:
        """Whether workers can run a debate with these settings or changes."""
        return not only_here(what, self._models)

    async def count(self) -> int:
        """The number of debates of servers that are running or queued."""
        return await _asked(asyncio.to_thread(jobs.unfinished, self._url, SERVED))

    async def ended(self) -> list[jobs.Ended]:
        """The debates of servers that have ended since the last time."""
        return await self._watch.new()

    async def start(self, config: RunConfig) -> Run:
        """Queue a new debate."""

        def begin() -> Run:
            run = create_run(config)
            jobs.enqueue(self._url, SERVED, _number(run), run.name, config, {})
            return run

        return await _asked(asyncio.to_thread(begin))

    async def resume(self, run: Run, changes: Mapping[str, Any]) -> None:
        """Queue a run that stopped."""
        number = _number(run)

        def begin() -> bool:
            if not jobs.has_ended(self._url, number):
                return False
            return jobs.enqueue(self._url, SERVED, number, run.name, run.config, changes)

        if not await _asked(asyncio.to_thread(begin)):
            raise RunBusy(f"a worker still has {run.name}; try again in a moment")

    async def cancel(self, run: Run) -> bool:
        """Stop a debate that is running or queued; False if it is neither."""
        number = _number(run)
        if not await _asked(asyncio.to_thread(jobs.cancel_run, self._url, number)):
            return False
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_STOP):
                while not await _asked(asyncio.to_thread(jobs.has_ended, self._url, number)):  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_EVERY)
        return True


async def _asked(answer: Awaitable[T]) -> T:
    """The answer of the database. Its address and its faults are hidden from clients."""
    try:
        return await answer
    except (ConnectionError, ConfigError) as error:
        logging.getLogger(__name__).warning("the queue does not do its work: %s", error)
        raise NotReady("the queue that runs the debates cannot be used now; try again later") from None


def _number(run: Run) -> int:
    """The number of a run in its database."""
    assert isinstance(run.place, Stored)  # noqa: S101 (the workers of a queue run no others)
    return run.place.number
