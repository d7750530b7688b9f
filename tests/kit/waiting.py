"""Waiting for what others do, however long that takes on a busy machine."""

import asyncio
import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which what a test waits for will not come any more."""


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for what other threads or processes do."""
    given_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < given_up, "it never came to pass"
        time.sleep(0.01)


async def until(holds: Callable[[], bool]) -> None:
    """The same in an event loop, for what other tasks do as well."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 (whoever brings it about tells nobody)
            await asyncio.sleep(0.005)
