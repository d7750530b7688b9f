"""State that the debates of an event loop share: connections, and a less frequent garbage collection.

Imports no HTTP client, so a debate without HTTP calls does not load one.
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
"""Debates make little cyclic garbage. With Python's default, collecting it would take a fifth of the engine's time when
hundreds of debates run at once."""


class Gate(Protocol):
    """Limits the concurrent calls to one base URL, and those that start per minute, over several processes."""

    async def __aenter__(self) -> object: ...

    async def __aexit__(self, *_: object) -> None: ...

    async def turn(self, rate: int | None) -> None:
        """Return when a call that asks for this rate may start; only between entering and leaving."""

    def pause(self, seconds: float) -> None:
        """The server asked for a pause of this many seconds."""


@dataclass(slots=True)
class Pool:
    """`session` is opened by the first call that needs it, and stays open while `connections` is entered. `lanes` is
    the state shared by calls to one base URL. `gate` makes the gate of a base URL and its limit, if other processes
    share it. `collecting` is the earlier setting of the garbage collector."""

    collecting: tuple[int, int, int]
    users: int = 0
    keepers: int = 0
    session: "aiohttp.ClientSession | None" = None
    lanes: dict[str, Any] = field(default_factory=dict)
    gate: Callable[[str, int], Gate] | None = None


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, Pool] = WeakKeyDictionary()


def open_pool() -> Pool | None:
    """The pool of this event loop, if it is in use."""
    shared = _pools.get(asyncio.get_running_loop())
    return shared if shared is not None and shared.users else None


@asynccontextmanager
async def pool() -> AsyncIterator[Pool]:
    """Share this event loop's connections and limits while inside. A call outside of any debate enters it too, with a
    connection of its own. When the last one leaves, all connections are closed, unless they are kept."""
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
