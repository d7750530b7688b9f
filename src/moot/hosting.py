"""Debates under way in this process, for faces that serve many people at once: started, followed, answered, stopped."""

import asyncio
import re
import warnings
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from moot.config import RunConfig
from moot.debate import resume, run
from moot.errors import ConfigError, MootError
from moot.live import Awaiting, Ended, Live, News, NotAsked, Question, Quiet, Silent, Speaking, Written, readable_since
from moot.models.base import Model
from moot.outside import append_outside, reader_votes
from moot.result import Result, Status
from moot.runs import Run, is_run

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
    names that configs call them; finished arenas are written into the `memory`, where there is one."""

    def __init__(
        self,
        folder: Path | str,
        at_most: int = MOST_AT_ONCE,
        models: Mapping[str, Model] | None = None,
        memory: str | None = None,
    ) -> None:
        self.folder = Path(folder)
        self.at_most = at_most
        self.models = models
        self.memory = memory
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._starting = 0
        self._closed = False

    def find(self, name: str) -> Run:
        """The run of exactly that name."""
        path = self.folder / name
        if not _RUN_NAME.fullmatch(name) or not is_run(path):
            raise NoSuchRun(f"there is no run {name[:200]!r}")
        return Run(path)

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
        return await self._begin(live, lambda: run(config, follow=live.hear, models=self.models, desk=live))

    async def resume(self, name: str, **changes: Any) -> str:
        """Take up a run that stopped."""
        found = self.find(name)
        if name in self._live:
            raise ConfigError(f"{name} is under way already")
        live = Live(await asyncio.to_thread(found.entries))
        return await self._begin(
            live, lambda: resume(found, follow=live.hear, models=self.models, desk=live, **changes)
        )

    async def cancel(self, name: str) -> None:
        """Stop a debate that this process runs; it can be taken up again."""
        task = self._tasks.get(name)
        if task is None:
            self.find(name)
            raise ConfigError(f"{name} is not under way here")
        task.cancel()
        await asyncio.wait([task])

    async def close(self) -> None:
        """Stop all debates, which can be taken up again, and let go of whoever follows those of other processes."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def append(self, name: str, **fields: Any) -> int:
        """Append an entry from outside, as `append_outside` does, and let followers know at once."""
        found = self.find(name)
        seq = await asyncio.to_thread(lambda: append_outside(found, **fields))
        if live := self._live.get(name):
            live.catch_up(await asyncio.to_thread(found.entries))
        return seq

    async def follow(
        self, name: str, after: int = 0, seat: str | None = None, beat: float | None = None
    ) -> AsyncGenerator[News, None]:
        """All that comes after that entry, whoever runs the debate, until it ends. With a `beat`, Quiet when nothing
        happens for so many seconds."""
        live = self._live.get(name)
        if live is not None:
            async for news in live.follow(after, seat, beat):
                yield news
            return
        found, quiet = self.find(name), 0.0
        while not self._closed:
            busy = await asyncio.to_thread(lambda: found.busy)
            entries = await asyncio.to_thread(found.entries)
            for written in readable_since(found, entries, after, seat) if len(entries) > after else ():
                quiet = 0.0
                yield written
            after = max(after, len(entries))
            if not busy:
                yield await asyncio.to_thread(how_it_ended, found)
                return
            if beat is not None and quiet >= beat:
                quiet = 0.0
                yield Quiet()
            quiet += LOOK_EVERY
            await asyncio.sleep(LOOK_EVERY)

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
            if self.memory is not None and live.run is not None and (result.protocol, status) == ("arena", "done"):
                await _remember(live.run, result, self.memory)
        except asyncio.CancelledError:
            status, reason = "interrupted", "stopped from outside"
        except Exception as error:
            reason = str(error) if isinstance(error, MootError | OSError) else f"{type(error).__name__}: {error}"
            if not live.begun.is_set():
                raise
        finally:
            if live.run is not None:
                self._live.pop(live.run.name, None)
                self._tasks.pop(live.run.name, None)
            live.end(status, reason)


async def _remember(found: Run, result: Result, memory: str) -> None:
    """Write an arena into the memory. Where that fails the debate is no worse for it: it can be added later."""
    from moot.remembering import remember

    try:
        await remember(found, result, memory)
    except MootError as error:
        warnings.warn(f"{found.name} is not in the memory: {error}; moot memory add tries again", stacklevel=1)


def how_it_ended(found: Run) -> Ended:
    """How a run stands that nobody is working on."""
    document = found.result()
    if document is None:
        return Ended("interrupted", "it stopped before it came to a result")
    with suppress(KeyError):
        return Ended(document["status"], document["reason"])
    return Ended("failed", "its result cannot be read")
