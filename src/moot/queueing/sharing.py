"""The limits of endpoints, kept over all workers of one database.

Every worker has a lease of so many calls under way at an endpoint. Twice a second it says how many it could use, and
gets as many as are free and fair; nothing is asked of the database for a single call. When one worker is told to wait,
the others hear of it the same way.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from moot.errors import ConfigError
from moot.models.calling import LONGEST_HONOURED_WAIT
from moot.stores.database import Database

if TYPE_CHECKING:
    import psycopg

EVERY = 0.5
HURRIED = 0.05
"""Seconds from one renewal to the next: in general, and at least, where somebody waits for a larger lease."""
EXPIRY = 10.0
"""A lease that was not renewed for so long is free for others; its worker stops using it some time before."""


@dataclass(frozen=True, slots=True)
class Lease:
    """How many calls a worker may have under way at an endpoint, and how many it could use."""

    slots: int
    wanted: int


def fair(limit: int, wanted: Sequence[int], turn: int) -> list[int]:
    """Divide the limit: nobody gets more than wanted, and who gets less than wanted gets no less than anybody else,
    but for the indivisible rest, which goes by turns."""
    given = [0] * len(wanted)
    left = limit
    while left > 0 and (short := [place for place, want in enumerate(wanted) if given[place] < want]):
        each = left // len(short)
        if each == 0:
            for offset in range(left):
                given[short[(turn + offset) % len(short)]] += 1
            break
        for place in short:
            more = min(each, wanted[place] - given[place])
            given[place] += more
            left -= more
    return given


def renewed(limit: int, leases: Mapping[str, Lease], worker: str, turn: int) -> tuple[int, int]:
    """The lease that a worker has from now on, and how much of it to use.

    It takes no more than is free. What it has to give up it stops using first, and gives up the next time, so that all
    leases together keep the limit at any moment.
    """
    names = sorted(leases)
    target = fair(limit, [leases[name].wanted for name in names], turn)[names.index(worker)]
    mine, all_slots = leases[worker].slots, sum(lease.slots for lease in leases.values())
    if target <= mine:
        return mine, target
    slots = mine + max(0, min(target - mine, limit - all_slots))
    return slots, slots


@dataclass(slots=True)
class SharedGate:
    """The gate of one endpoint in this worker: `busy` calls are under way, and no more than `slots` may be."""

    limit: int
    hurry: asyncio.Event
    slots: int = 0
    busy: int = 0
    paused_until: float = 0.0
    renewed_at: float = 0.0
    asked_to_wait: float = 0.0
    giving_up: bool = False
    _waiting: deque["asyncio.Future[None]"] = field(default_factory=deque)

    async def __aenter__(self) -> None:
        if not self._waiting and self._open():
            self.busy += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self.hurry.set()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                await self.__aexit__()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.busy -= 1
        self.let_in()

    def pause(self, seconds: float) -> None:
        wait = min(seconds, LONGEST_HONOURED_WAIT)
        self.asked_to_wait = max(self.asked_to_wait, wait)
        self.paused_until = max(self.paused_until, time.monotonic() + wait)
        self.hurry.set()

    @property
    def wanted(self) -> int:
        """What it could use, with some room for what comes until the next time."""
        used = self.busy + len(self._waiting)
        return min(self.limit, math.ceil(used * 1.25) + 1) if used else 0

    @property
    def restless(self) -> bool:
        """Whether the next renewal should come soon: it waits for more, or has stopped using what others wait for."""
        return (bool(self._waiting) and self.slots < self.wanted) or self.giving_up

    def renew(self, slots: int, use: int, begun: float, pause: float) -> None:
        self.slots = slots if use >= slots else max(use, self.busy)
        self.giving_up = self.slots < slots
        self.renewed_at = begun
        self.paused_until = max(self.paused_until, begun + pause)
        self.let_in()

    def let_in(self) -> None:
        while self._waiting and self._open():
            turn = self._waiting.popleft()
            if not turn.done():
                self.busy += 1
                turn.set_result(None)

    def _open(self) -> bool:
        now = time.monotonic()
        return self.busy < self.slots and now >= self.paused_until and now - self.renewed_at < EXPIRY * 0.7


class Shares:
    """The gates of one worker, and what renews their leases."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker
        self._hurry = asyncio.Event()
        self._gates: dict[str, SharedGate] = {}

    def gate(self, address: str, limit: int) -> SharedGate:
        """The gate of an endpoint. The first to ask sets its limit."""
        if address not in self._gates:
            self._gates[address] = SharedGate(limit, self._hurry)
        return self._gates[address]

    async def tend(self) -> None:
        """Renew the leases, for ever."""
        while True:
            self._hurry.clear()
            if self._gates:
                await self._renew()
            restless = any(gate.restless for gate in self._gates.values())
            await asyncio.sleep(HURRIED)
            with suppress(TimeoutError):
                async with asyncio.timeout(HURRIED if restless else EVERY - HURRIED):
                    await self._hurry.wait()

    async def close(self) -> None:
        """Let others have the leases at once."""
        statement = "DELETE FROM moot_leases WHERE worker = %s"
        with suppress(OSError, ConfigError):
            await asyncio.to_thread(self._database.rows, statement, [self._worker])

    async def _renew(self) -> None:
        begun = time.monotonic()
        given = [(address, gate.limit, Lease(gate.slots, gate.wanted)) for address, gate in self._gates.items()]
        waits = {address: gate.asked_to_wait for address, gate in self._gates.items() if gate.asked_to_wait}
        try:
            found = await asyncio.to_thread(self._exchange, sorted(given, key=lambda one: one[0]), waits)
        except (OSError, ConfigError):
            # The database is away. Leases are used until they expire; nobody else can have them before.
            return
        for address, (slots, use, pause) in found.items():
            self._gates[address].renew(slots, use, begun, pause)
        for address, seconds in waits.items():
            if self._gates[address].asked_to_wait == seconds:
                self._gates[address].asked_to_wait = 0.0

    def _exchange(
        self, given: Sequence[tuple[str, int, Lease]], waits: Mapping[str, float]
    ) -> dict[str, tuple[int, int, float]]:
        """Renew all leases in one transaction: for each endpoint the slots, how many to use, and how long to pause."""
        addresses = [address for address, _, _ in given]
        with self._database.connection() as connection, connection.transaction():
            # A lease that is lost with the server is taken anew: nobody has to wait for the disk.
            connection.execute("SET LOCAL synchronous_commit TO off")
            connection.execute(
                "INSERT INTO moot_endpoints (address) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING", [addresses]
            )
            # Whoever renews a lease at one of these endpoints waits here for the others.
            connection.execute(
                "SELECT 1 FROM moot_endpoints WHERE address = ANY(%s) ORDER BY address FOR UPDATE", [addresses]
            )
            for address, seconds in waits.items():
                connection.execute(
                    "UPDATE moot_endpoints SET paused_until = "
                    "greatest(paused_until, clock_timestamp() + make_interval(secs => %s)) WHERE address = %s",
                    [seconds, address],
                )
            leases, turn = _leases(connection, addresses)
            found = {}
            for address, limit, mine in given:
                # A lease that expired is not had any more, whatever this worker remembers.
                slots = mine.slots if self._worker in leases[address] else 0
                leases[address][self._worker] = Lease(slots, mine.wanted)
                found[address] = renewed(limit, leases[address], self._worker, turn)
            connection.execute(
                "INSERT INTO moot_leases SELECT endpoint, %s, slots, wanted, clock_timestamp() "
                "FROM unnest(%s::text[], %s::int[], %s::int[]) AS new (endpoint, slots, wanted) "
                "ON CONFLICT (endpoint, worker) DO UPDATE "
                "SET slots = excluded.slots, wanted = excluded.wanted, seen = excluded.seen",
                [self._worker, addresses, [one for one, _ in found.values()], [one.wanted for _, _, one in given]],
            )
            pauses = connection.execute(
                "SELECT address, greatest(0, extract(epoch FROM paused_until - clock_timestamp()))::float8 "
                "FROM moot_endpoints WHERE address = ANY(%s)",
                [addresses],
            )
            return {address: (*found[address], pause) for address, pause in pauses}


def _leases(connection: "psycopg.Connection[Any]", addresses: Sequence[str]) -> tuple[dict[str, dict[str, Lease]], int]:
    """The leases of all workers that have not expired, by endpoint and worker; and whose turn it is."""
    connection.execute(
        "DELETE FROM moot_leases WHERE endpoint = ANY(%s) AND seen < clock_timestamp() - make_interval(secs => %s)",
        [addresses, EXPIRY],
    )
    found: dict[str, dict[str, Lease]] = {address: {} for address in addresses}
    rows = connection.execute(
        "SELECT endpoint, worker, slots, wanted FROM moot_leases WHERE endpoint = ANY(%s)", [addresses]
    )
    for address, worker, slots, wanted in rows:
        found[address][worker] = Lease(slots, wanted)
    row = connection.execute("SELECT (extract(epoch FROM clock_timestamp()) / 5)::bigint").fetchone()
    return found, row[0] if row else 0
