"""Following the runs of other processes: each is looked at once for all its followers here."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from moot.engine.staging.runs import Run
from moot.errors import MootError
from moot.record.entry import Entry
from moot.record.stores.base import LOG
from moot.service.live import Live, how_it_ended
from moot.service.news import Ended, NewsBatch

LOOK_EVERY = 0.25


@dataclass(slots=True, eq=False)
class _Followed:
    """`size` is that of the log that its followers have received."""

    run: Run
    live: Live
    followers: int = 0
    size: int = -1


class Elsewhere:
    """The runs of other processes that are followed here. `running` says whether a run is under way, and blocks;
    `message_for` is how followers are told of an error."""

    def __init__(self, running: Callable[[Run], bool], message_for: Callable[[Exception], str]) -> None:
        self._running = running
        self._message_for = message_for
        self._followed: dict[str, _Followed] = {}
        self._looking: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    async def follow(
        self, run: Run, after: int, seat: str | None, beat: float | None
    ) -> AsyncGenerator[NewsBatch, None]:
        """Everything after that entry, until no process runs the debate any more or its followers are dropped."""
        followed = self._followed.get(run.name)
        if followed is None:
            followed = self._followed[run.name] = _Followed(run, Live(lambda _: run))
            followed.live.run = run
        followed.followers += 1
        self._wanted.set()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_on())
        try:
            async with aclosing(followed.live.batches(after, seat, beat)) as following:
                async for batch in following:
                    yield batch
        finally:
            followed.followers -= 1
            if not followed.followers and self._followed.get(run.name) is followed:
                del self._followed[run.name]

    def release(self, name: str) -> None:
        """Drop all followers of that run."""
        if (followed := self._followed.pop(name, None)) is not None:
            followed.live.release()

    async def close(self) -> None:
        for name in list(self._followed):
            self.release(name)
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    async def _look_on(self) -> None:
        """Look for news while anybody follows. One thread is enough, and a store that is away blocks no more."""
        away = False
        while self._followed:
            self._wanted.clear()
            try:
                for followed in list(self._followed.values()):
                    self._tell(followed, *await asyncio.to_thread(self._look, followed))
            except ConnectionError as error:
                if not away:
                    logging.getLogger(__name__).warning("the database of the runs is away: %s", error)
                away = True
            else:
                away = False
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._wanted.wait()

    def _look(self, followed: _Followed) -> tuple[list[Entry], Ended | None]:
        """The entries if there are new ones, and how the debate ended if it did."""
        run = followed.run
        try:
            # The order matters: the end comes after all entries.
            running, size = self._running(run), run.place.size(LOG)
            entries = run.entries() if size != followed.size else []
            followed.size = size
            return entries, None if running else how_it_ended(run)
        except ConnectionError:
            raise
        except (MootError, OSError) as error:  # the other runs are not affected
            return [], Ended("failed", self._message_for(error))

    def _tell(self, followed: _Followed, entries: list[Entry], ended: Ended | None) -> None:
        if entries:
            followed.live.catch_up(entries)
        if ended is not None:
            # New followers start over: the run may be resumed.
            if self._followed.get(followed.run.name) is followed:
                del self._followed[followed.run.name]
            followed.live.end(ended.status, ended.reason)
