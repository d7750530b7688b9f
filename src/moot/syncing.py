"""Group commit: a few threads wait for the disk on behalf of all debates of a process, so that no event loop does.

What is asked for while a thread waits is done together when it comes back. A thread of its own for every wait would
cost more than the waiting: threads that come and go take the interpreter's lock from each other.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

THREADS = 2
AT_ONCE = 16
"""How many files a thread syncs before it tells those who wait."""


class Wait(NamedTuple):
    sync: Callable[[], None]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"


async def synced(sync: Callable[[], None]) -> None:
    """Have this called in a thread, and wait until it was."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    # A forked process has its parent's memory but not its threads: a queue taken over would never be served.
    _queue_of(os.getpid()).put(Wait(sync, loop, done))
    await done


@cache
def _queue_of(_process: int) -> "SimpleQueue[Wait]":
    queue: SimpleQueue[Wait] = SimpleQueue()
    for number in range(THREADS):
        Thread(target=_serve, args=(queue,), name=f"moot-sync-{number}", daemon=True).start()
    return queue


def _serve(queue: "SimpleQueue[Wait]") -> None:
    while True:
        batch = [queue.get()]
        with suppress(Empty):
            while len(batch) < AT_ONCE:
                batch.append(queue.get_nowait())
        outcomes = [(wait, _outcome(wait.sync)) for wait in batch]
        for loop in {wait.loop for wait in batch}:
            # A loop that was closed meanwhile has nobody left who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(
                    _settle, [(wait.done, error) for wait, error in outcomes if wait.loop is loop]
                )


def _outcome(sync: Callable[[], None]) -> OSError | None:
    try:
        sync()
    except OSError as error:
        return error
    return None


def _settle(outcomes: "list[tuple[asyncio.Future[None], OSError | None]]") -> None:
    for done, error in outcomes:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
