"""What the debates of an event loop share while they run: connections, and a garbage collector that looks less often.

Imports no HTTP client: a debate that makes no HTTP call pays for none.
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import aiohttp

SELDOM = (50_000, 20, 100)
"""Debates make little cyclic garbage. Looking for it as often as Python does by itself takes a fifth of the engine's
time when hundreds of them run at once."""


class Gate(Protocol):
    """Bounds the calls under way at one base URL, and how many start a minute, over more than this process."""

    async def __aenter__(self) -> object: ...

    async def __aexit__(self, *_: object) -> None: ...

    async def turn(self, rate: int | None) -> None:
        """Return when a call may start that asks for this rate; between entering and leaving."""

    def pause(self, seconds: float) -> None:
        """The server asked to be left alone for so long."""


@dataclass(slots=True)
class Pool:
    """`session` is opened by the first call that needs it; `lanes` are what calls to one base URL share; `gate` makes
    the gate of a base URL and its limit, where other processes share it; `collecting` is when garbage was collected
    before."""

    collecting: tuple[int, int, int]
    users: int = 0
    session: "aiohttp.ClientSession | None" = None
    lanes: dict[str, Any] = field(default_factory=dict)
    gate: Callable[[str, int], Gate] | None = None


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


def open_pool() -> Pool | None:
    """This event loop's, if somebody keeps it open."""
    return _pools.get(asyncio.get_running_loop())


@asynccontextmanager
async def pool() -> AsyncIterator[Pool]:
    """Keep this event loop's connections open while inside. A call for which nobody does enters it too, and pays for
    a connection of its own. The last to leave closes all connections."""
    loop = asyncio.get_running_loop()
    shared = _pools.get(loop)
    if shared is None:
        shared = _pools[loop] = Pool(gc.get_threshold())
        gc.set_threshold(*SELDOM)
    shared.users += 1
    try:
        yield shared
    finally:
        shared.users -= 1
        if shared.users == 0:
            del _pools[loop]
            gc.set_threshold(*shared.collecting)
            if shared.session is not None:
                await shared.session.close()
