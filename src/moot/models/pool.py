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
    """`session` is opened by the first call that needs it, and outlives those who use it while somebody keeps it;
    `lanes` are what calls to one base URL share; `gate` makes the gate of a base URL and its limit, where other
    processes share it; `collecting` is when garbage was collected before."""

    collecting: tuple[int, int, int]
    users: int = 0
    keepers: int = 0
    session: "aiohttp.ClientSession | None" = None
    lanes: dict[str, Any] = field(default_factory=dict)
    gate: Callable[[str, int], Gate] | None = None


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


def open_pool() -> Pool | None:
    """This event loop's, if somebody uses it."""
    shared = _pools.get(asyncio.get_running_loop())
    return shared if shared is not None and shared.users else None


@asynccontextmanager
async def pool() -> AsyncIterator[Pool]:
    """Share this event loop's connections and limits while inside. A call for which nobody does enters it too, and
    pays for a connection of its own. The last to leave closes all connections, unless they are kept."""
    shared = _shared()
    shared.users += 1
    try:
        yield shared
    finally:
        shared.users -= 1
        if not shared.users:
            shared.lanes.clear()
            shared.gate = None
            await _close_unless_needed(shared)


@asynccontextmanager
async def connections() -> AsyncIterator[None]:
    """Keep connections open from one debate to the next while inside, for programs that stage several."""
    shared = _shared()
    shared.keepers += 1
    try:
        yield
    finally:
        shared.keepers -= 1
        await _close_unless_needed(shared)


def _shared() -> Pool:
    loop = asyncio.get_running_loop()
    if loop not in _pools:
        _pools[loop] = Pool(gc.get_threshold())
        gc.set_threshold(*SELDOM)
    return _pools[loop]


async def _close_unless_needed(shared: Pool) -> None:
    if shared.users or shared.keepers:
        return
    del _pools[asyncio.get_running_loop()]
    gc.set_threshold(*shared.collecting)
    if shared.session is not None:
        await shared.session.close()
