"""Opening a run in this process: locked against others, with its log and journal open for writing."""

import asyncio
from collections.abc import Coroutine
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from moot.engine.define.config import RunConfig
from moot.engine.staging.runs import POSTGRESQL, Run, create_folder, create_run
from moot.record.journal import Journal
from moot.record.log import Log
from moot.record.stores.base import CONFIG

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opened:
    """A run folder that is locked against other processes, and its two files."""

    folder: Run
    journal: Journal
    log: Log


def open_run(folder: Run, files: ExitStack, *, held: bool = False) -> Opened:
    """Lock the run and open its files, until the stack is closed."""
    if not held:
        files.enter_context(folder.hold())
    journal = files.enter_context(closing(folder.open_journal()))
    return Opened(folder, journal, files.enter_context(closing(folder.open_log())))


async def open_new_run(config: RunConfig, files: ExitStack) -> Opened:
    """A new run, opened. Waiting for the disk must not block other debates in this loop. But only a database is used
    from a thread: many threads that make folders would contend with the loop for the interpreter's lock at each step,
    which takes longer than the steps themselves."""
    if config.options.out.startswith(POSTGRESQL):
        return await uninterrupted(asyncio.to_thread(lambda: open_run(create_run(config, config.begun), files)))
    folder = create_folder(config, config.begun)
    try:
        await uninterrupted(folder.keep({CONFIG: config.frozen()}))
    except OSError:
        # Without its config it is no run.
        with suppress(OSError):
            folder.path.rmdir()
        raise
    return open_run(folder, files)


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Do this. If the caller is cancelled, even twice, it still waits for the end, so that nothing is left half
    open, and for its error, which nobody else reports."""
    done, interrupted = await finished_first(work)
    if interrupted is not None:
        raise interrupted
    return done


async def finished_first(work: Coroutine[Any, Any, T]) -> tuple[T, asyncio.CancelledError | None]:
    """Do this, and return what cancelled the caller meanwhile instead of raising it."""
    task, interrupted = asyncio.ensure_future(work), None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            interrupted = interrupted or error
    if task.cancelled() and interrupted is not None:
        raise interrupted
    return task.result(), interrupted
