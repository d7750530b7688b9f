"""Work that takes long, beside the loop: whoever follows a debate must not wait for it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def aside(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Have a coroutine done in a thread, with a loop of its own."""
    return await asyncio.to_thread(lambda: asyncio.run(work()))
