"""What is begun in a thread ends before whoever began it goes on, however often that is cancelled."""

import asyncio
import threading

import pytest

from moot.engine.opened import uninterrupted


def test_opening_a_run_ends_before_its_second_cancellation_counts() -> None:
    goes_on, ended = threading.Event(), threading.Event()

    def opens() -> None:
        goes_on.wait(10)
        ended.set()

    async def cancelled_twice() -> None:
        task = asyncio.create_task(uninterrupted(asyncio.to_thread(opens)))
        for _ in range(2):
            await asyncio.sleep(0.01)
            task.cancel()
        asyncio.get_running_loop().call_later(0.05, goes_on.set)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set(), "a lock that is taken later would never be given back"

    asyncio.run(cancelled_twice())
