"""Follows debates that other processes (workers or servers) run in the same database. One query finds everything new in
all runs that are followed here."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from moot.database.speech import event_of
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, MootError
from moot.record.log import parse_line
from moot.record.stores.base import LOG
from moot.service.live import Live, how_it_ended
from moot.service.news import Batch, Ended
from moot.service.store import DatabaseStore, State, number_of

LOOK_EVERY = 0.2


@dataclass(slots=True, eq=False)
class _Followed:
    """A followed run. `count` is the number of its lines, and `heard` the last row of its speech, that followers have
    received."""

    run: Run
    live: Live
    followers: int = 0
    count: int = 0
    heard: int = 0


@dataclass(frozen=True, slots=True)
class _New:
    """The news of a run from one query."""

    state: State
    lines: list[bytes]
    speech: list[tuple[int, str, str, str, str]]


class Elsewhere:
    """Runs that are followed here and run elsewhere."""

    def __init__(self, store: DatabaseStore) -> None:
        self._store = store
        self._followed: dict[int, _Followed] = {}
        self._looking: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    @asynccontextmanager
    async def _live(self, run: Run) -> AsyncIterator[Live]:
        """The debate, while it is followed. It ends when no process runs it any more."""
        number = number_of(run)
        followed = self._followed.get(number)
        if followed is None:
            followed = self._followed[number] = _Followed(run, Live(lambda _: run))
            followed.live.run = run
        followed.followers += 1
        self._wanted.set()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_on())
        try:
            yield followed.live
        finally:
            followed.followers -= 1
            if not followed.followers and self._followed.get(number) is followed:
                del self._followed[number]

    async def follow(self, run: Run, after: int, seat: str | None, beat: float | None) -> AsyncGenerator[Batch, None]:
        """Everything after that entry, until the debate ends or its followers are dropped."""
        async with self._live(run) as live, aclosing(live.batches(after, seat, beat)) as following:
            async for batch in following:
                yield batch

    def release(self, number: int) -> None:
        """Drop all followers of that run."""
        if (followed := self._followed.pop(number, None)) is not None:
            followed.live.release()

    async def close(self) -> None:
        """Drop all followers."""
        for number in list(self._followed):
            self.release(number)
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    async def _look_on(self) -> None:
        """Poll for news while anybody follows."""
        away = False
        while self._followed:
            self._wanted.clear()
            followed = dict(self._followed)
            try:
                found = await asyncio.to_thread(self._look, followed)
            except (OSError, ConfigError) as error:
                if not away:
                    logging.getLogger(__name__).warning("the database of the runs is away: %s", error)
                away = True
            else:
                away = False
                for number, new in found.items():
                    await self._tell(number, followed[number], new)
            try:
                async with asyncio.timeout(LOOK_EVERY):
                    await self._wanted.wait()
            except TimeoutError:
                pass

    def _look(self, followed: dict[int, _Followed]) -> dict[int, _New]:
        # The order matters: the end comes after all entries, and an entry before the silence that it breaks.
        states = self._store.states(list(followed))
        speech = self._store.database.rows(_SPEECH, _columns({n: one.heard for n, one in followed.items()}))
        lines = self._store.database.rows(_LINES, [*_columns({n: one.count for n, one in followed.items()}), LOG])
        found = {number: _New(state, [], []) for number, state in states.items()}
        for number, *row in speech:
            found[number].speech.append(tuple(row))
        for number, line in lines:
            found[number].lines.append(line)
        return found

    async def _tell(self, number: int, followed: _Followed, new: _New) -> None:
        live, run = followed.live, followed.run
        ended: Ended | None = None
        try:
            payloads = run.config.protocol.payloads
            entries = [
                parse_line(line, followed.count + place, run.name, payloads) for place, line in enumerate(new.lines)
            ]
            followed.count += len(entries)
            live.catch_up([*live.entries, *entries])
            if not new.state.running:
                ended = await asyncio.to_thread(how_it_ended, run)
        except MootError as error:
            # Other runs in the same query are not affected.
            ended = Ended("failed", str(error))
        except OSError:
            return
        if not new.state.held:
            live.fall_silent()
        for row, *said in new.speech if new.state.held else ():
            followed.heard = row
            if (event := event_of(*said)) is None:
                live.fall_silent()
            else:
                live.hear(event)
        if ended is not None:
            # New followers start over: the run may be resumed.
            if self._followed.get(number) is followed:
                del self._followed[number]
            live.end(ended.status, ended.reason)


def _columns(known: dict[int, int]) -> list[list[int]]:
    return [list(known), list(known.values())]


_SPEECH = """
SELECT s.run, s.id, s.kind, s.key, s.agent, s.text FROM unnest(%s::bigint[], %s::bigint[]) AS known (run, heard)
JOIN moot_speech s ON s.run = known.run AND s.id > known.heard ORDER BY s.run, s.id
"""
_LINES = """
SELECT l.run, l.line FROM unnest(%s::bigint[], %s::int[]) AS known (run, count)
JOIN moot_lines l ON l.run = known.run AND l.file = %s AND l.number > known.count ORDER BY l.run, l.number
"""
