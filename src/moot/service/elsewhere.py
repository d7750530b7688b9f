"""The runs of a service in a PostgreSQL database, shared with other servers and workers: those that others run are
followed here, with one query for all of them, and what is said in those of this process is told to the others."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from moot.database.connection import open_database
from moot.database.runs import Stored, named
from moot.database.schema import LOCK
from moot.database.speech import Speech, event_of
from moot.engine.define.config import RunConfig
from moot.engine.staging.finding import StudyFolder
from moot.engine.staging.runs import Run
from moot.errors import ConfigError, MootError
from moot.record.events import Event
from moot.record.log import parse_line
from moot.record.stores.base import LOG, RESULT
from moot.runs.tags import TAGS
from moot.service.live import Live, how_it_ended
from moot.service.news import Ended, NewsBatch
from moot.service.store import ListedRun

LOOK_EVERY = 0.2


@dataclass(frozen=True, slots=True)
class State:
    """The state of a run in a database: held by a process, or queued for workers."""

    held: bool
    queued: bool

    @property
    def running(self) -> bool:
        return self.held or self.queued


class DatabaseStore:
    def __init__(self, out: str) -> None:
        self.out = out
        self.database = open_database(out)
        self.shown = self.database.shown

    def find(self, name: str) -> Run | None:
        place = named(self.out, name)
        return Run(place) if place is not None else None

    def studies(self) -> list[StudyFolder]:
        return []

    def elsewhere(self) -> "Elsewhere":
        return Elsewhere(self)

    def at(self, address: str, config: RunConfig | None = None) -> Run:
        place = named(self.out, address.rpartition("#")[2])
        assert place is not None  # noqa: S101 (it has just been made)
        return Run(place, config)

    def running(self, run: Run) -> bool:
        number = number_of(run)
        return self.states([number])[number].running

    def states(self, numbers: Sequence[int]) -> dict[int, State]:
        """The states of runs, by number. A run that is gone is not running."""
        self.database.writer.settle()  # this process may have let go of some only a moment ago
        rows = self.database.rows(
            f"SELECT r.id, {_HELD}, {_QUEUED} {_RUNS} WHERE r.id = ANY(%s)", [LOCK, list(numbers)]
        )
        found = {number: State(held, queued) for number, held, queued in rows}
        return {number: found.get(number, State(False, False)) for number in numbers}

    def listed_runs(self) -> list[ListedRun]:
        self.database.writer.settle()
        statement = f"""
            SELECT r.id, r.name, r.created, concat(c.xmin::text, ' ', t.xmin::text), {_HELD} OR {_QUEUED} {_RUNS}
            LEFT JOIN moot_documents c ON c.run = r.id AND c.name = %s
            LEFT JOIN moot_documents t ON t.run = r.id AND t.name = %s ORDER BY r.created, r.id
        """
        return [
            ListedRun(Run(Stored(self.database, number, name)), made, (number, version), partial(bool, running))
            for number, name, made, version, running in self.database.rows(statement, [LOCK, RESULT, TAGS])
        ]


def number_of(run: Run) -> int:
    """The number of a run in its database."""
    assert isinstance(run.place, Stored)  # noqa: S101 (found there)
    return run.place.number


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
    """Runs that are followed here and run elsewhere; and the speech in those that run here, for the others."""

    def __init__(self, store: DatabaseStore) -> None:
        self._store = store
        self._speech = Speech(store.database)
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

    async def follow(
        self, run: Run, after: int, seat: str | None, beat: float | None
    ) -> AsyncGenerator[NewsBatch, None]:
        """Everything after that entry, until the debate ends or its followers are dropped."""
        async with self._live(run) as live, aclosing(live.batches(after, seat, beat)) as following:
            async for batch in following:
                yield batch

    def hear(self, run: Run, event: Event) -> None:
        """Tell others what is said in a run of this process."""
        self._speech.hear(number_of(run), event)

    def silence(self, run: Run) -> None:
        """A run of this process has ended."""
        self._speech.end(number_of(run))

    def settle(self) -> None:
        """Wait until everything is written."""
        self._store.database.writer.settle()

    def queued(self, run: Run) -> bool:
        """Whether a worker has the run or will have it. Blocks."""
        number = number_of(run)
        return self._store.states([number])[number].queued

    def release(self, run: Run) -> None:
        """Drop all followers of that run."""
        self._release(number_of(run))

    def _release(self, number: int) -> None:
        if (followed := self._followed.pop(number, None)) is not None:
            followed.live.release()

    async def close(self) -> None:
        """Drop all followers, and end all speech."""
        for number in list(self._followed):
            self._release(number)
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        await self._speech.close()

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
        speech = self._store.database.rows(_SPEECH, _columns({n: run.heard for n, run in followed.items()}))
        lines = self._store.database.rows(_LINES, [*_columns({n: run.count for n, run in followed.items()}), LOG])
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
_RUNS = """
FROM moot_runs r LEFT JOIN moot_debates d ON d.run = r.id AND d.ended IS NULL
LEFT JOIN (
    SELECT DISTINCT objid::bigint AS run FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2
    AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
) l ON l.run = r.id
"""
_HELD = "l.run IS NOT NULL"
_QUEUED = "(d.run IS NOT NULL AND NOT d.stop)"
"""A debate that was told to stop belongs to its worker only while that holds it."""
