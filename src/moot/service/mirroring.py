"""Debates that the workers of a queue run for a folder here, which gets a copy of each while it goes on.

The copy has the same lines as the run in PostgreSQL, byte for byte, so it is at any moment the beginning of it. Who was
cut off, wherever that was, goes on after the last line that is whole. What is under way has a mark in its folder.
"""

import asyncio
import json
import logging
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, get_args
from uuid import uuid4

from pydantic import ValidationError

from moot.engine.config import RunConfig
from moot.engine.documents import note_unmade
from moot.engine.result import Result, Status, fold
from moot.engine.run import rebuild
from moot.engine.runs import Run, create_run, is_run
from moot.errors import ConfigError, NotReady, RunBusy, RunDamaged
from moot.models.weights import SHIPPED_MODEL
from moot.queue import jobs
from moot.record.entry import Entry
from moot.record.events import Follower, Started, Wrote
from moot.record.files import mark
from moot.record.payloads import Payloads
from moot.record.stores.base import JOURNAL, LOG, RESULT, Lines
from moot.record.stores.postgresql import Stored
from moot.report import documents

LOOK_EVERY = 0.25
SECONDS_TO_STOP = 10.0
"""How long a worker is waited for that was told to stop a debate."""
FOLDER_ID = ".queue"
"""The file with the name under which a folder is known in queues: runs of two folders may have the same name."""
MARK = ".elsewhere"
ONLY_HERE = ("human/", "external/", "scripted/", "embedded/")
FILES = (JOURNAL, LOG)
"""In this order, so that a reply is always here before the entry that rests on it."""
T = TypeVar("T")
Ending = tuple[str, str | None]


def only_here(what: Any, models: Mapping[str, object]) -> bool:
    """Whether a config, or a part of it, names somebody who can only speak in this process: a person, one of these
    models, a file of this machine. Where a mere text looks like it, the debate is no worse for being held here."""
    if isinstance(what, str):
        name = what.strip().casefold()
        return name == "human" or (name.startswith(ONLY_HERE) and name != SHIPPED_MODEL) or what in models
    if isinstance(what, Mapping):
        return any(only_here(one, models) for one in what.values())
    return isinstance(what, list | tuple) and any(only_here(one, models) for one in what)


class Elsewhere:
    """Has the workers of a queue run the debates of a folder. They do not know this process' own `models`. ConfigError
    when the queue cannot be used."""

    def __init__(self, queue: str, folder: Path, models: Mapping[str, object] | None = None) -> None:
        self._url = queue
        self._folder = folder
        self._models = models or {}
        self._database = jobs.queue_at(queue)
        self._copies: dict[str, _Copy] = {}
        self._looking: asyncio.Task[None] | None = None

    async def run(self, config: RunConfig, *, follow: Follower, begun: Callable[[], None]) -> Result:
        """Have workers stage a new debate. `begun` is called when it is in the queue."""
        run = await asyncio.to_thread(_made, config)
        try:
            return await self._mirror(run, follow, begun, lambda: self._submit(run, {}))
        except NotReady:
            # Where it is in the queue after all, or may be, its mark has it found again.
            with suppress(NotReady):
                if await self._there(run) is None:
                    await asyncio.to_thread(run.place.remove)
            raise

    async def resume(self, run: Run, *, follow: Follower, begun: Callable[[], None], **changes: Any) -> Result:
        """Have workers take up a run that stopped, or go on with its copy where they are at it."""
        return await self._mirror(run, follow, begun, lambda: self._submit_again(run, changes))

    async def go_on(self, run: Run, *, follow: Follower) -> Result:
        """Bring a copy up to date, and go on with it until the debate ends; it may have ended meanwhile."""
        if await self._there(run) is None:
            # The server ended before it was submitted.
            (run.path / MARK).unlink(missing_ok=True)
        return await self._mirror(run, follow, lambda: None, lambda: self._found(run))

    def takes(self, config: RunConfig) -> bool:
        """Whether it is for workers to run."""
        return not only_here(config.content(), self._models)

    async def takes_up(self, run: Run, changes: Mapping[str, Any]) -> bool:
        """Whether it is for workers to take up: they had it before, or nothing of it was said yet."""
        content = await asyncio.to_thread(run.config.content)
        if only_here([content, changes], self._models):
            return False
        if await asyncio.to_thread(lambda: not any(run.place.read_lines(file) for file in FILES)):
            return True
        return await self._there(run) is not None

    def copies(self, name: str) -> bool:
        """Whether a copy of that name is under way."""
        return name in self._copies

    def left(self) -> list[Run]:
        """The runs whose copies are not whole."""
        marked = [Run(mark.parent) for mark in sorted(self._folder.glob(f"*/{MARK}")) if is_run(mark.parent)]
        return [run for run in marked if run.unreadable is None]

    async def cancel(self, name: str) -> bool:
        """Stop a debate whose copy is under way, which then ends by itself; False when none is."""
        copy = self._copies.get(name)
        if copy is None:
            return False
        await _asked(jobs.cancel(self._url, self._batch(), name))
        copy.cancelled = True
        await asyncio.wait([copy.ended], timeout=SECONDS_TO_STOP)
        copy.end(("cancelled", None))
        return True

    async def _mirror(
        self, run: Run, follow: Follower, begun: Callable[[], None], begin: "Callable[[], Awaitable[_There]]"
    ) -> Result:
        with ExitStack() as files:
            copy = await asyncio.to_thread(_opened, run, follow, asyncio.get_running_loop().create_future())
            files.callback(copy.close)
            there = await begin()
            copy.number, copy.cancelled = there.number, there.stopping
            await _asked(asyncio.to_thread(_agree, run, there))
            self._copies[run.name] = copy
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look_on())
            follow(Started(run.address))
            begun()
            try:
                state, reason = await copy.ended
            finally:
                # Whoever is cancelled here, while workers go on, leaves the mark.
                del self._copies[run.name]
            await _asked(asyncio.to_thread(_conclude, copy, there.stored, state, reason))
        result, failed = await rebuild(run, documents)
        note_unmade(run, failed)
        (run.path / MARK).unlink(missing_ok=True)
        return result

    async def _look_on(self) -> None:
        """Bring all copies up to date, again and again, while there are any."""
        away = False
        while copies := list(self._copies.values()):
            try:
                found = await asyncio.to_thread(self._look, copies)
            except (OSError, ConfigError) as error:
                if not away:
                    logging.getLogger(__name__).warning("the queue is away: %s", error)
                away = True
            except Exception as error:
                # None of them would ever end.
                for copy in copies:
                    copy.end(error)
            else:
                away = False
                for copy, entries, ending in found:
                    for entry in entries:
                        copy.follow(Wrote(entry))
                    if ending is not None:
                        copy.end(ending)
            await asyncio.sleep(LOOK_EVERY)

    def _look(self, copies: "list[_Copy]") -> "list[tuple[_Copy, list[Entry], Ending | Exception | None]]":
        """Add to each copy what is new, and say how those ended that have."""
        if cancelled := [copy.number for copy in copies if copy.cancelled]:
            self._database.rows(_GIVE_UP, [cancelled])
        states: dict[int, Ending | Exception | None] = {
            run: (state, reason) if ended else None
            for run, state, reason, ended in self._database.rows(_STATES, [[copy.number for copy in copies]])
        }
        # Asked after the states, so that an end comes after all lines.
        known = [(copy.number, file, copy.counts[file]) for copy in copies for file in FILES]
        lines: dict[int, list[tuple[str, bytes]]] = {}
        for run, file, line in self._database.rows(_LINES, [list(column) for column in zip(*known, strict=True)]):
            lines.setdefault(run, []).append((file, line))
        found = []
        for copy in copies:
            entries: list[Entry] = []
            ending = states.get(copy.number, ConfigError("the queue has forgotten this debate"))
            try:
                entries = copy.add(lines.get(copy.number, []))
            except (OSError, RunDamaged) as error:
                ending = error
            found.append((copy, entries, ending))
        return found

    async def _submit(self, run: Run, changes: Mapping[str, Any]) -> "_There":
        given = {run.name: run.config}
        await _asked(jobs.submit(self._url, self._batch(), given, limits={run.name: changes}))
        return await self._found(run)

    async def _submit_again(self, run: Run, changes: Mapping[str, Any]) -> "_There":
        mark(run.path / MARK)
        there = await self._there(run)
        if there is not None and there.stopping:
            await _asked(asyncio.to_thread(self._database.rows, _GIVE_UP, [[there.number]]))
            there = await self._there(run)
        if there is None:
            return await self._submit(run, changes)
        if there.ended:
            await _asked(asyncio.to_thread(_add_there, run, there.stored))
            await _asked(jobs.resubmit(self._url, self._batch(), run.name, changes))
        elif there.stopping:
            raise RunBusy(f"{run.name} was told to stop, and a worker still has it; try again in a moment")
        return there

    async def _found(self, run: Run) -> "_There":
        there = await self._there(run)
        if there is None:
            raise ConfigError(f"the queue has no debate {run.name}")
        return there

    async def _there(self, run: Run) -> "_There | None":
        """The run in the queue's database."""
        rows = await _asked(asyncio.to_thread(self._database.rows, _THERE, [self._batch(), run.name]))
        return next((_There(one, Stored(self._database, one, name), *more) for one, name, *more in rows), None)

    def _batch(self) -> str:
        file = self._folder / FOLDER_ID
        if not file.exists():
            new = self._folder / f"{FOLDER_ID}-{uuid4().hex}"
            new.write_text(f"served-{uuid4().hex[:16]}\n", "utf-8")
            # Another server of this folder may have been faster; then both use that one's.
            with suppress(FileExistsError):
                os.link(new, file)
            new.unlink()
        return file.read_text("utf-8").strip()


async def _asked(answer: Awaitable[T]) -> T:
    """What the database answers. Where it is and what is wrong with it is not for those who ask from elsewhere."""
    try:
        return await answer
    except (ConnectionError, ConfigError) as error:
        logging.getLogger(__name__).warning("the queue does not do its work: %s", error)
        raise NotReady("the queue that runs the debates cannot be used now; try again later") from None


_STATES = "SELECT run, state, reason, ended IS NOT NULL FROM moot_debates WHERE run = ANY(%s)"
_LINES = """
SELECT l.run, l.file, l.line
FROM unnest(%s::bigint[], %s::text[], %s::int[]) AS known (run, file, count)
JOIN moot_lines l ON l.run = known.run AND l.file = known.file AND l.number > known.count
ORDER BY l.run, l.file, l.number
"""
"""All in one look, so that no entry is seen without the reply that it rests on."""
_LINE = "SELECT line FROM moot_lines WHERE run = %s AND file = %s AND number = %s"
_THERE = """
SELECT r.id, r.name, d.ended IS NOT NULL, d.ended IS NULL AND d.stop
FROM moot_debates d JOIN moot_runs r ON r.id = d.run
WHERE d.batch = %s AND d.debate = %s
"""
_GIVE_UP = """
UPDATE moot_debates d SET state = 'cancelled', ended = clock_timestamp() WHERE run = ANY(%s) AND ended IS NULL
AND stop AND worker IS NULL
"""
"""A debate that was told to stop when its worker had died is in nobody's hands any more."""


@dataclass(frozen=True, slots=True)
class _There:
    """A run in the queue's database, and how it stands in the queue."""

    number: int
    stored: Stored
    ended: bool
    stopping: bool


@dataclass(slots=True, eq=False)
class _Copy:
    """A run in a folder that gets the lines of the one in PostgreSQL. The folder is held and the log locked, so that
    nobody else adds to them."""

    run: Run
    lines: Mapping[str, Lines]
    counts: dict[str, int]
    follow: Follower
    ended: "asyncio.Future[Ending]"
    files: ExitStack
    number: int = 0
    cancelled: bool = False
    _lock: Lock = field(default_factory=Lock)
    _closed: bool = False

    def add(self, new: Sequence[tuple[str, bytes]]) -> list[Entry]:
        """Add these lines; the entries that are among them."""
        entries = []
        with self._lock:
            # Whoever closed it meanwhile finds them there the next time.
            for file, line in () if self._closed else new:
                if file == LOG:
                    entries.append(_entry(line, self.counts[LOG], self.run.config.protocol.payloads))
                self.lines[file].append(line)
                self.counts[file] += 1
        return entries

    def end(self, ending: Ending | Exception) -> None:
        if self.ended.done():
            return
        if isinstance(ending, Exception):
            self.ended.set_exception(ending)
        else:
            self.ended.set_result(ending)

    def sync(self) -> None:
        for lines in self.lines.values():
            lines.sync()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self.files.close()


def _made(config: RunConfig) -> Run:
    """A new run with the mark of one that is copied."""
    run = create_run(config)
    mark(run.path / MARK)
    return run


def _opened(run: Run, follow: Follower, ended: "asyncio.Future[Ending]") -> _Copy:
    with ExitStack() as files:
        files.enter_context(run.hold())
        lines = {file: files.enter_context(closing(run.place.lines(file))) for file in FILES}
        lines[LOG].lock()
        # This also sets aside a line that was cut off; it comes again.
        counts = {file: len(lines[file].new_lines()) for file in FILES}
        return _Copy(run, lines, counts, follow, ended, files.pop_all())


def _entry(line: bytes, number: int, payloads: Payloads) -> Entry:
    try:
        entry = Entry.read(line, payloads)
    except ValidationError:
        raise RunDamaged("the workers write entries that this moot cannot read; are they of another version?") from None
    if entry.seq != number:
        raise RunDamaged(f"the queue has an entry {entry.seq} where {number} belongs")
    return entry


def _agree(run: Run, there: _There) -> None:
    """RunDamaged unless what is here is the beginning of what is there. Each line of a log says what was before it, so
    the last one is enough."""
    for file in FILES:
        here = run.place.read_lines(file)
        if here and there.stored.database.rows(_LINE, [there.number, file, len(here)]) != [(here[-1],)]:
            raise _differs(run, file)


def _add_there(run: Run, stored: Stored) -> None:
    """Add to a run in PostgreSQL, which nobody runs, what only the copy has: what was said from outside, or by a debate
    that was taken up here."""
    with stored.hold():
        for file in FILES:
            here = run.place.read_lines(file)
            with closing(stored.lines(file)) as lines:
                there = lines.new_lines()
                if here[: len(there)] != there[: len(here)]:
                    raise _differs(run, file)
                for line in here[len(there) :]:
                    lines.append(line)
                lines.sync()


def _differs(run: Run, file: str) -> RunDamaged:
    return RunDamaged(
        f"{file} of {run.name} is not the beginning of what the queue has; move it away, and it is fetched anew"
    )


def _conclude(copy: _Copy, stored: Stored, state: str, reason: str | None) -> None:
    """Leave a result, from which the reports are made, while the run is still held."""
    copy.sync()
    status: Status = next((one for one in get_args(Status) if one == state), "interrupted")
    known = Run(stored).result() or {}
    reason = "stopped from outside" if state == "cancelled" else reason
    result = fold(copy.run, status, reason, known.get("longest_chain", 0), limit=known.get("limit"))
    copy.run.write(RESULT, json.dumps(result.document(), ensure_ascii=False, indent=2) + "\n")
