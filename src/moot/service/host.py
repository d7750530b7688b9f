"""Debates under way in this process, for faces that serve many people at once: started, followed, answered, stopped."""

import asyncio
import logging
import re
import warnings
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from moot.engine.config import RunConfig
from moot.engine.outside import append_outside, reader_votes
from moot.engine.result import Result, Status
from moot.engine.run import resume, run
from moot.engine.runs import Run, is_run
from moot.engine.stored import stored_result
from moot.errors import ConfigError, MootError, RunBusy, RunDamaged
from moot.models.base import Model
from moot.models.pool import connections
from moot.report import documents
from moot.service.live import (
    Awaiting,
    Ended,
    Live,
    News,
    NotAsked,
    Question,
    Quiet,
    Silent,
    Speaking,
    Written,
    readable_since,
)

if TYPE_CHECKING:
    from moot.service.mirroring import Elsewhere

__all__ = [
    "MOST_AT_ONCE",
    "Awaiting",
    "Ended",
    "Host",
    "Live",
    "News",
    "NoSuchRun",
    "NotAsked",
    "Question",
    "Quiet",
    "Silent",
    "Speaking",
    "TooManyDebates",
    "Written",
    "how_it_ended",
    "readable_since",
    "reader_votes",
]
MOST_AT_ONCE = 8
LOOK_EVERY = 0.5
"""Seconds between two looks at a run that another process is working on."""
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,120}")


class NoSuchRun(MootError):
    """There is no run of that name here."""


class TooManyDebates(MootError):
    """As many debates are under way as may be at once."""


class Host:
    """The debates of one folder, and those of them that this process runs. `models` are models of your own, by the
    names that configs call them; what finished debates leave is written into the `memory`, where there is one. With a
    `queue` its workers run the debates, but for those with people in them."""

    def __init__(
        self,
        folder: Path | str,
        at_most: int = MOST_AT_ONCE,
        models: Mapping[str, Model] | None = None,
        memory: str | None = None,
        queue: str | None = None,
    ) -> None:
        if str(folder).startswith(("postgresql:", "postgres:")):
            raise ConfigError("runs are served from a folder; to have workers keep theirs in PostgreSQL, give a queue")
        self.folder = Path(folder)
        self.at_most = at_most
        self.models = models
        self.memory = memory
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._starting = 0
        self._closed = False
        self._open = AsyncExitStack()
        self._elsewhere: Elsewhere | None = None
        if queue is not None:
            from moot.service import mirroring

            self._elsewhere = mirroring.Elsewhere(queue, self.folder, models)

    def find(self, name: str) -> Run:
        """The run of exactly that name; ConfigError when another version of moot wrote it."""
        if not self.has(name):
            raise NoSuchRun(f"there is no run {name[:200]!r}")
        found = Run(self.folder / name)
        found.check_readable()
        return found

    def has(self, name: str) -> bool:
        return bool(_RUN_NAME.fullmatch(name)) and is_run(self.folder / name)

    def live(self, name: str) -> Live | None:
        """The debate of that name, while this process runs it."""
        return self._live.get(name)

    @property
    def under_way(self) -> list[str]:
        return list(self._live)

    async def start(self, config: RunConfig) -> str:
        """Stage a new debate and return its name once it has begun. What speaks against it is raised here."""
        config = replace(config, options=config.options.model_copy(update={"out": str(self.folder)}))
        live = Live()
        if (elsewhere := self._elsewhere) is not None and elsewhere.takes(config):
            return await self._begin(live, lambda: elsewhere.run(config, follow=live.hear, begun=live.begun.set))
        return await self._begin(
            live, lambda: run(config, follow=live.hear, models=self.models, desk=live, finish=documents)
        )

    async def resume(self, name: str, **changes: Any) -> str:
        """Take up a run that stopped."""
        found = self.find(name)
        if name in self._live:
            raise ConfigError(f"{name} is under way already")
        if (await asyncio.to_thread(how_it_ended, found)).status == "done":
            raise NotAsked(f"{name} is done, so there is nothing to take up")
        live = Live(await asyncio.to_thread(found.entries))
        if (elsewhere := self._elsewhere) is not None and await elsewhere.takes_up(found, changes):
            return await self._begin(
                live, lambda: elsewhere.resume(found, follow=live.hear, begun=live.begun.set, **changes)
            )
        return await self._begin(
            live, lambda: resume(found, follow=live.hear, models=self.models, desk=live, finish=documents, **changes)
        )

    async def cancel(self, name: str) -> None:
        """Stop a debate that this process runs; it can be taken up again."""
        task = self._tasks.get(name)
        if task is None:
            self.find(name)
            raise ConfigError(f"{name} is not under way here")
        if self._elsewhere is None or not await self._elsewhere.cancel(name):
            task.cancel()
        await asyncio.wait([task])

    async def open(self) -> None:
        """Keep connections open from one debate to the next, and go on with the debates of this folder that workers
        run, or have ended since the last host was closed."""
        await self._open.enter_async_context(connections())
        if (elsewhere := self._elsewhere) is None:
            return
        for found in await asyncio.to_thread(elsewhere.left):
            live = Live(await asyncio.to_thread(found.entries))
            live.run = found
            live.begun.set()
            staged = partial(elsewhere.go_on, found, follow=live.hear)
            self._live[found.name] = live
            self._tasks[found.name] = asyncio.create_task(self._played(live, staged))

    async def close(self) -> None:
        """Stop all debates, which can be taken up again, and let go of whoever follows those of other processes. The
        workers of a queue go on."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._open.aclose()

    async def append(self, name: str, **fields: Any) -> int:
        """Append an entry from outside, as `append_outside` does, and let followers know at once."""
        found = self.find(name)
        if self._elsewhere is not None and self._elsewhere.copies(name):
            raise RunBusy(f"{name} is run by a worker elsewhere, so this can be added only once it has ended")
        seq = await asyncio.to_thread(lambda: append_outside(found, **fields))
        if live := self._live.get(name):
            live.catch_up(await asyncio.to_thread(found.entries))
        return seq

    async def follow(
        self, name: str, after: int = -1, seat: str | None = None, beat: float | None = None
    ) -> AsyncGenerator[News, None]:
        """All that comes after that entry, or with -1 all there is, whoever runs the debate, until it ends. With a
        `beat`, Quiet when nothing happens for so many seconds."""
        found, size, quiet = None, -1, 0.0
        while True:
            # Looked up each time: a run that another process had, or that is just being taken up, may be ours now.
            if (live := self._live.get(name)) is not None:
                async for news in live.follow(after, seat, beat):
                    yield news
                return
            if self._closed:
                return
            found = found or self.find(name)
            busy, now = await asyncio.to_thread(_looked_at, found)
            if now != size:
                size, quiet = now, 0.0
                written, after = await asyncio.to_thread(_told_since, found, after, seat)
                for one in written:
                    yield one
            if not busy:
                yield await asyncio.to_thread(how_it_ended, found)
                return
            if beat is not None and quiet >= beat:
                quiet = 0.0
                yield Quiet()
            quiet += LOOK_EVERY
            await asyncio.sleep(LOOK_EVERY)

    def told(self, error: Exception) -> str:
        """What went wrong, for those who only ask from elsewhere: neither where the folder is, nor what of the program
        failed, is their business."""
        if isinstance(error, OSError):
            return error.strerror or "a file could not be read or written"
        if not isinstance(error, MootError):
            return f"something went wrong in moot itself ({type(error).__name__})"
        return str(error).replace(f"{self.folder.absolute()}/", "").replace(f"{self.folder}/", "")

    async def _begin(self, live: Live, stage: Callable[[], Coroutine[Any, Any, Result]]) -> str:
        if len(self._live) + self._starting >= self.at_most:
            raise TooManyDebates(f"{self.at_most} debates are under way, and no more may be; wait for one to end")
        self._starting += 1
        task = asyncio.create_task(self._played(live, stage))
        try:
            await live.begun.wait()
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            self._starting -= 1
        if live.run is None or (live.ended is not None and not live.entries):
            await task  # raises what spoke against it
            raise ConfigError(f"the debate did not begin: {live.ended.reason if live.ended else 'nothing was said'}")
        name = live.run.name
        if live.ended is None:
            self._live[name], self._tasks[name] = live, task
        return name

    async def _played(self, live: Live, stage: Callable[[], Coroutine[Any, Any, Result]]) -> None:
        """Run one debate to its end. Whatever goes wrong is told to its followers; before it has begun, to whoever
        started it."""
        status: Status = "failed"
        reason: str | None = None
        try:
            result = await stage()
            status, reason = result.status, result.reason
            if self.memory is not None and live.run is not None and status == "done":
                await _remember(live.run, result, self.memory)
        except asyncio.CancelledError:
            status, reason = "interrupted", "stopped from outside"
        except Exception as error:
            reason = self.told(error)
            if not isinstance(error, MootError | OSError):
                logging.getLogger(__name__).exception("a debate ended by an error in moot itself")
            if not live.begun.is_set():
                raise
        finally:
            if live.run is not None:
                self._live.pop(live.run.name, None)
                self._tasks.pop(live.run.name, None)
            live.end(status, reason)


def _looked_at(found: Run) -> tuple[bool, int]:
    """Whether anybody works on a run, and how large its log is: in this order, so that an end comes after all of it."""
    busy = found.busy
    return busy, found.log_path.stat().st_size if found.log_path.exists() else 0


def _told_since(found: Run, after: int, seat: str | None) -> tuple[list[Written], int]:
    """What a log has after that entry, and its last seq."""
    entries = found.entries()
    told = list(readable_since(found, entries, after, seat)) if len(entries) > after + 1 else []
    return told, max(after, len(entries) - 1)


async def _remember(found: Run, result: Result, memory: str) -> None:
    """Write a debate into the memory, where its protocol is remembered. Where that fails the debate is no worse for
    it: it can be added later."""
    if found.config.protocol.remember is None:
        return
    from moot.memory.remember import remember

    try:
        await remember(found, result, memory)
    except MootError as error:
        warnings.warn(f"{found.name} is not in the memory: {error}; moot memory add tries again", stacklevel=1)


def how_it_ended(found: Run) -> Ended:
    """How a run stands that nobody is working on."""
    try:
        stored = stored_result(found)
    except RunDamaged:
        return Ended("failed", "its result cannot be read")
    if stored is None:
        return Ended("interrupted", "it stopped before it came to a result")
    return Ended(stored.status, stored.reason)
