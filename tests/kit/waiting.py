"""The one place where tests deal with time, so that none depends on who is faster.

A test waits for something: an event, a line, a file, a state. Time limits are here for two purposes only. `PATIENCE`
ends a test that hangs. `AT_ONCE` is a limit that is meant to run out, for work that cannot end before it, however fast
the machine is. `tests/test_waiting.py` finds every other sleep, clock and time limit.
"""

import asyncio
import gc
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, AnyStr, TypeVar

T = TypeVar("T")

PATIENCE = 900.0
"""Seconds after which what a test waits for will not come any more."""
AT_ONCE = 0.05
"""A limit in seconds for what never comes."""
FOREVER = "import signal; signal.pause()"
"""A program, or the end of one, that runs until it is killed."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for what other threads or processes do."""
    given_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < given_up, "it never came to pass"
        time.sleep(0.01)


async def until(holds: Callable[[], bool]) -> None:
    """The same in an event loop, for what other tasks do as well."""
    async with patience():
        while not holds():  # noqa: ASYNC110 (whoever brings it about tells nobody)
            await asyncio.sleep(0.005)


def patience() -> asyncio.Timeout:
    """For `async with`: an error instead of a hang."""
    return asyncio.timeout(PATIENCE)


def run(work: Awaitable[T]) -> T:
    """Like `asyncio.run`, with an error instead of a hang."""

    async def patiently() -> T:
        async with patience():
            return await work

    return asyncio.run(patiently())


async def turns(count: int = 1) -> None:
    """Let all other tasks of this loop run as far as they can, that many times."""
    for _ in range(count):
        await asyncio.sleep(0)


async def forever() -> None:
    """Never return."""
    await asyncio.Future()


def ended(process: "subprocess.Popen[AnyStr]") -> tuple[AnyStr, AnyStr]:
    """What a process writes to its standard output and standard error until its end."""
    return process.communicate(timeout=PATIENCE)


class TooLong(Exception):
    """The time of the processor is up."""


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """TooLong if this takes more of the processor's time; what others do meanwhile does not count."""

    def end(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, end)
    gc.disable()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        gc.enable()
        signal.signal(signal.SIGPROF, before)
