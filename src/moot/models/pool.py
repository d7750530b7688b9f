"""The connections of an event loop: shared by all debates in it, closed when the last of them ends.

Imports no HTTP client: a debate that makes no HTTP call pays for none.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import aiohttp


@dataclass(slots=True)
class Pool:
    """`session` is opened by the first call that needs it; `lanes` are what calls to one base URL share."""

    users: int = 0
    session: "aiohttp.ClientSession | None" = None
    lanes: dict[str, Any] = field(default_factory=dict)


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


@asynccontextmanager
async def pool() -> AsyncIterator[Pool]:
    """Keep this event loop's connections open while inside. Every call enters it too, so a call outside
    works, but pays for a connection of its own. The last to leave closes all connections."""
    loop = asyncio.get_running_loop()
    shared = _pools.setdefault(loop, Pool())
    shared.users += 1
    try:
        yield shared
    finally:
        shared.users -= 1
        if shared.users == 0:
            del _pools[loop]
            if shared.session is not None:
                await shared.session.close()
