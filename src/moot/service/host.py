"""The debates of a store, and those that this process runs, for interfaces that serve many people: start, follow,
answer, stop."""

import asyncio
import logging
import re
import warnings
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, aclosing
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moot.engine.define.capabilities import Remembers
from moot.engine.define.config import RunConfig
from moot.engine.outcome.result import Result
from moot.engine.outcome.stored import Status
from moot.engine.staging.outside import append_outside
from moot.engine.staging.run import result_of, resume, run
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, MootError, RunBusy
from moot.models.base import Model
from moot.models.pool import connections
from moot.plugins.features import needed
from moot.report import documents
from moot.runs.demos import speaker_of
from moot.service.guests import check_for_guests
from moot.service.live import Live, NotAsked, how_it_ended
from moot.service.looking import Elsewhere
from moot.service.news import Ended, News, NewsBatch, Written, one_by_one
from moot.service.shelf import Shelf
from moot.service.store import open_store

if TYPE_CHECKING:
    from moot.queue.serving import Workers

MOST_AT_ONCE = 8
MOST_OUTSIDE = 1000
"""How many notes and votes of readers a debate takes: every follower is sent all of them."""
REMEMBER_EVERY = 2.0
"""Seconds between two checks for debates that workers have finished, if there is a memory."""
ACTOR: ContextVar[str] = ContextVar("ACTOR", default="this program")
"""Who asks for what is done now, for the log of the server."""
SECONDS_TO_BE_READY = 1.0
AWAY = "the database of the runs cannot be used now; try again later"
RUN_NAME = r"[A-Za-z0-9]([A-Za-z0-9_~-]|[^\x00-\x9f]){0,200}"
"""A run's exact name: letters of any script, and nothing that could lead out of the folder."""
_RUN_NAME = re.compile(RUN_NAME)


class NoSuchRun(MootError):
    """There is no run of that name here."""


class TooManyDebates(MootError):
    """The maximum number of debates is running."""


class Host:
    """The debates of one folder or database, and those that this process runs. `models` are your own models, by the
    names in configs. Finished debates are stored in the `memory`, if there is one. With a `queue`, which must be the
    database of the runs, its workers run the debates, except those with people in them. `public_url` is the address at
    which people reach a server, if it is not its own."""

    def __init__(
        self,
        out: Path | str,
        at_most: int = MOST_AT_ONCE,
        models: Mapping[str, Model] | None = None,
        memory: str | None = None,
        queue: str | None = None,
        public_url: str = "",
    ) -> None:
        self.out = str(out)
        if queue is not None and queue != self.out:
            raise ConfigError(
                "the workers of a queue keep their runs in its database: serve that one, by --out with the same "
                "address, or by no --out at all"
            )
        self.store = open_store(self.out)
        self.shelf = Shelf(self.store)
        self.at_most = at_most
        self.models = models
        self.memory = memory
        self.public_url = public_url
        self._checking: asyncio.Task[bool] | None = None
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._starting = 0
        self._closed = False
        self._open = AsyncExitStack()
        self._workers: Workers | None = None
        if queue is not None:
            self._workers = needed("workers", "a server with --queue", "queue")(queue, models)
        self._elsewhere = Elsewhere(self.store.running, self.message_for)

    def find(self, name: str) -> Run:
        """The run of exactly that name; ConfigError if another version of moot wrote it. Blocks: call it in a
        thread."""
        found = self.store.find(name) if _RUN_NAME.fullmatch(name) else None
        if found is None:
            raise NoSuchRun(f"there is no run {name[:200]!r}")
        found.check_readable()
        return found

    async def found(self, name: str) -> Run:
        """The same, in a thread."""
        return await asyncio.to_thread(self.find, name)

    def has(self, name: str) -> bool:
        return bool(_RUN_NAME.fullmatch(name)) and self.store.find(name) is not None

    def live(self, name: str) -> Live | None:
        """The debate of that name, if this process runs it."""
        return self._live.get(name)

    def running(self, found: Run) -> bool:
        """Whether the run is running, here or elsewhere, or queued. Blocks."""
        return found.name in self._live or self.store.running(found)

    def can_stop(self, found: Run) -> bool:
        """Whether the run can be stopped here. Blocks."""
        return found.name in self._live or (self._workers is not None and self.store.queued(found))

    @property
    def under_way(self) -> list[str]:
        """The debates that this process runs."""
        return list(self._live)

    async def is_ready(self) -> bool:
        """Whether the runs can be reached, found within a second. A store that hangs is only asked once at a time."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(asyncio.to_thread(self.store.reachable))
        done, _ = await asyncio.wait([self._checking], timeout=SECONDS_TO_BE_READY)
        return bool(done) and self._checking.result()

    def check_model(self, name: str) -> None:
        """An error if a debate with this model would be refused. Workers of a queue have keys and servers of theirs."""
        if self._workers is None and name not in (self.models or {}):
            check_for_guests(name)

    async def start(self, config: RunConfig, models: Mapping[str, Model] | None = None) -> str:
        """Start a new debate and return its name when it has begun or is queued. `models` are for this debate alone.
        Raises what prevents it, except for what only a worker can find."""
        config = replace(config, options=config.options.model_copy(update={"out": self.out}))
        known = {**(self.models or {}), **(models or {})}
        if self._workers is not None and not models and self._workers.take(config.content()):
            self._check_that_there_is_room(await self._workers.count())
            name = (await self._workers.start(config)).name
        else:
            live = Live(partial(self.store.at, config=config), settle=self.store.settle)
            name = await self._begin(
                live, lambda: run(config, follow=live.hear, models=known, prompter=live, finish=documents)
            )
        note("started", name)
        return name

    async def resume(self, name: str, models: Mapping[str, Model] | None = None, /, **changes: Any) -> str:
        """Resume a run that stopped. `models` are for this debate alone."""
        found = await self.found(name)
        known = {**speaker_of(found.config), **(self.models or {}), **(models or {})}
        if name in self._live:
            raise ConfigError(f"{name} is already running")
        if (await asyncio.to_thread(how_it_ended, found)).status == "done":
            raise NotAsked(f"{name} is done, so there is nothing to take up")
        if await asyncio.to_thread(self.store.running, found):
            raise RunBusy(f"{name} is already running, in another process")
        if self._workers is not None and not models and self._workers.take(found.config.content(), changes):
            self._check_that_there_is_room(await self._workers.count())
            await self._workers.resume(found, changes)
        else:
            live = Live(lambda _: found, await asyncio.to_thread(found.entries), self.store.settle)
            await self._begin(
                live,
                lambda: resume(found, follow=live.hear, models=known, prompter=live, finish=documents, **changes),
            )
        note("resumed", name)
        return name

    async def cancel(self, name: str) -> None:
        """Stop a debate that this process or a worker runs; it can be resumed."""
        task = self._tasks.get(name)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        else:
            found = await self.found(name)
            if self._workers is None or not await self._workers.cancel(found):
                raise NotAsked(f"{name} is not running here")
        note("stopped", name)

    async def open(self) -> None:
        """Keep connections open from one debate to the next, and remember what workers finish."""
        await self._open.enter_async_context(connections())
        if self._workers is not None and self.memory is not None:
            task = asyncio.create_task(self._remember_finished(self.memory))
            self._open.callback(task.cancel)

    async def close(self) -> None:
        """Stop all debates of this process, which can be resumed, and drop all followers of other debates. The workers
        of a queue continue."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._elsewhere.close()
        await self._open.aclose()

    async def append(self, name: str, phase: str | None = None, **fields: Any) -> int:
        """Append an outside entry with `append_outside`, by default in the current phase, and notify followers
        immediately."""
        found = await self.found(name)
        entries = await asyncio.to_thread(found.entries)
        if sum(entry.outside for entry in entries) >= MOST_OUTSIDE:
            raise ConfigError(f"a debate takes {MOST_OUTSIDE:,} notes and votes of readers, and has them")
        if phase is None:
            phase = entries[-1].phase if entries else (found.config.protocol.outside.phases or ("",))[0]
        seq = await asyncio.to_thread(lambda: append_outside(found, phase=phase, **fields))
        if live := self._live.get(name):
            live.catch_up(await asyncio.to_thread(found.entries))
        return seq

    def follow(
        self, name: str, after: int = -1, seat: str | None = None, beat: float | None = None
    ) -> AsyncGenerator[News, None]:
        """The same, one by one."""
        return one_by_one(self.batches(name, after, seat, beat))

    async def batches(
        self, name: str, after: int = -1, seat: str | None = None, beat: float | None = None
    ) -> AsyncGenerator[NewsBatch, None]:
        """Everything after that entry (-1: everything) until the debate ends, even if another process runs it. With a
        `beat`, yields Quiet after that many seconds without news."""
        # Look it up each time: a run of another process, or one that is being resumed, may be ours now.
        while not self._closed:
            if (live := self._live.get(name)) is None:
                found = await self.found(name)
                live = self._live.get(name)  # it may have begun here meanwhile
            following = (live.batches if live else partial(self._elsewhere.follow, found))(after, seat, beat)
            async with aclosing(following):
                async for batch in following:
                    yield batch
                    for news in batch.news:
                        if isinstance(news, Ended):
                            return
                        if isinstance(news, Written) and not news.again:
                            after = max(after, news.entry.seq)

    def message_for(self, error: Exception) -> str:
        """The error message for clients, without the location of the runs and without internals of the program."""
        if isinstance(error, ConnectionError):
            return AWAY
        if isinstance(error, OSError):
            return error.strerror or "a file could not be read or written"
        if not isinstance(error, MootError):
            return f"something went wrong in moot itself ({type(error).__name__})"
        said = str(error).replace(self.store.shown, "the database") if self.store.settle else str(error)
        return said.replace(f"{Path(self.out).absolute()}/", "").replace(f"{self.out}/", "")

    def _check_that_there_is_room(self, elsewhere: int = 0) -> None:
        if len(self._live) + self._starting + elsewhere >= self.at_most:
            raise TooManyDebates(f"{self.at_most} debates are running, which is the maximum; wait for one to end")

    async def _begin(self, live: Live, stage: Callable[[], Coroutine[Any, Any, Result]]) -> str:
        self._check_that_there_is_room()
        self._starting += 1
        task = asyncio.create_task(self._played(live, stage))
        try:
            await live.begun.wait()
        except asyncio.CancelledError:
            task.cancel()
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # nobody else hears it
            raise
        finally:
            self._starting -= 1
        if live.ended is not None:
            await task  # raises what spoke against it
        if live.run is None or (live.ended is not None and not live.entries):
            raise ConfigError(f"the debate did not begin: {live.ended.reason if live.ended else 'nothing was said'}")
        name = live.run.name
        if live.ended is None:
            self._live[name], self._tasks[name] = live, task
            self._elsewhere.release(name)
        return name

    async def _played(self, live: Live, stage: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        """Run one debate to its end. Errors go to its followers or, before it has begun, to the caller that started
        it."""
        status: Status = "failed"
        reason: str | None = None
        try:
            result = await stage()
            status, reason = result.status, result.reason
            if self.memory is not None and live.run is not None and status == "done":
                await _remember(live.run, result, self.memory)
        except asyncio.CancelledError:
            status, reason = "interrupted", "stopped from outside"
        except Exception as error:  # the end of a debate is always told
            reason = self.message_for(error)
            if not isinstance(error, MootError | OSError):
                logging.getLogger(__name__).exception("a debate ended by an error in moot itself")
            if not live.begun.is_set():
                raise
        finally:
            await live.whole()
            if live.run is not None:
                self._live.pop(live.run.name, None)
                self._tasks.pop(live.run.name, None)
            live.end(status, reason)

    async def _remember_finished(self, memory: str) -> None:
        """Store the debates that workers finish in the memory, even if another server queued them."""
        assert self._workers is not None  # noqa: S101 (else nobody calls this)
        while True:
            try:
                for ended in await self._workers.ended():
                    if ended.status == "done" and ended.run.config.protocol.get(Remembers) is not None:
                        await _remember(ended.run, await result_of(ended.run), memory)
            except (OSError, MootError) as error:
                logging.getLogger(__name__).warning("what workers finish is not remembered now: %s", error)
            await asyncio.sleep(REMEMBER_EVERY)


async def _remember(found: Run, result: Result, memory: str) -> None:
    """Store a debate in the memory if its protocol supports it. A failure does not affect the debate: it can be added
    later."""
    if found.config.protocol.get(Remembers) is None:
        return
    remember = needed("remember", "a server with --memory", "memory")
    try:
        await remember(found, result, memory)
    except MootError as error:
        warnings.warn(f"{found.name} is not in the memory: {error}; moot memory add tries again", stacklevel=1)


def note(what: str, name: str) -> None:
    """Note in the log of the server what somebody did with a debate."""
    logging.getLogger(__name__).info("%s %s %s", ACTOR.get(), what, name)
