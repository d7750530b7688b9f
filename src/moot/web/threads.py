"""Long work outside of the event loop, so that followers of debates do not wait for it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def run_in_thread(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine in a thread with its own event loop."""
    return await asyncio.to_thread(lambda: asyncio.run(work()))
