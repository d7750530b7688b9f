"""Waiting for the disk without stopping the event loop: in rounds, one for all files that were written meanwhile.

A round is a thread that syncs all these files, several at a time. A thread for each file, at any time, would take the
interpreter's lock from the event loop again and again; the more debates there are, the more of them share a round.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from weakref import WeakKeyDictionary

_MOMENT = 0.05
"""Seconds before a round that nobody waits for, so that more lines and files can share it."""
_AT_A_TIME = 8

Sync = Callable[[], None]
"""Blocks until a file is on disk, or raises OSError."""


async def synced(sync: Sync) -> None:
    """Wait until this is done; raises its error."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    _rounds().add(sync, done)
    await done


def sync_soon(sync: Sync) -> None:
    """Have this done in a moment, without waiting for it. Whoever passes it keeps its errors."""
    _rounds().add(sync)


class _Rounds:
    """The rounds of one event loop. One begins after the other has ended."""

    def __init__(self) -> None:
        self._wanted: dict[Sync, list[asyncio.Future[None]]] = {}
        self._is_planned = False
        self._is_running = False

    def add(self, sync: Sync, waiting: asyncio.Future[None] | None = None) -> None:
        self._wanted.setdefault(sync, []).extend([waiting] if waiting else [])
        if not self._is_running:
            self._plan(at_once=waiting is not None)

    def _plan(self, *, at_once: bool) -> None:
        # Timers are not cancelled: one that comes too late finds nothing to do.
        if at_once:
            asyncio.get_running_loop().call_soon(self._begin)
        elif not self._is_planned:
            self._is_planned = True
            asyncio.get_running_loop().call_later(_MOMENT, self._begin)

    def _begin(self) -> None:
        self._is_planned = False
        if self._is_running or not self._wanted:
            return
        self._is_running = True
        wanted, self._wanted = self._wanted, {}
        loop = asyncio.get_running_loop()

        def work() -> None:
            errors = _errors_of(list(wanted))
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(self._end, wanted.values(), errors)

        try:
            Thread(target=work, name="moot-disk").start()
        except RuntimeError:  # there can be no more
            work()

    def _end(self, waiting: Iterable[list[asyncio.Future[None]]], errors: Iterable[OSError | None]) -> None:
        self._is_running = False
        for futures, error in zip(waiting, errors, strict=True):
            for future in futures:
                if error is not None and not future.done():
                    future.set_exception(error)
                elif not future.done():
                    future.set_result(None)
        if self._wanted:
            self._plan(at_once=any(self._wanted.values()))


def _errors_of(syncs: Sequence[Sync]) -> list[OSError | None]:
    """Do all of this, several at a time: a file system commits these together."""
    if len(syncs) > 1:
        with suppress(RuntimeError), ThreadPoolExecutor(min(_AT_A_TIME, len(syncs)), "moot-disk") as pool:
            return list(pool.map(_error_of, syncs))
    return [_error_of(sync) for sync in syncs]  # one, or there can be no more threads


def _error_of(sync: Sync) -> OSError | None:
    try:
        sync()
    except OSError as error:
        return error
    return None


_of_loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Rounds] = WeakKeyDictionary()


def _rounds() -> _Rounds:
    return _of_loops.setdefault(asyncio.get_running_loop(), _Rounds())
