"""Enforces the limits of endpoints over all workers of one database.

Every worker has a lease of a number of concurrent calls to an endpoint. Twice a second it reports how many it could
use, and gets its fair share of the free ones; single calls need no query. If an endpoint tells one worker to wait, the
others learn it the same way. With a rate, the worker also gets start times for its calls that no other worker has.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from moot.database.connection import Database
from moot.errors import ConfigError
from moot.models.calling import LONGEST_HONOURED_WAIT
from moot.models.pacing import Rates
from moot.queue.pacing import AHEAD, Block, Taken, next_block

if TYPE_CHECKING:
    import psycopg

EVERY = 0.5
HURRIED = 0.05
"""Seconds between renewals: normally, and at least, if a larger lease is needed."""
TURN = 5.0
"""Seconds after which an indivisible remainder goes to another worker."""
EXPIRY = 10.0
"""Seconds after which a lease that was not renewed is free; its worker stops using it some time before."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A worker's slots at an endpoint, and how many it wants; the lowest rate that its calls ask for, how many more
    start times it wants, and how many it has had."""

    slots: int
    wanted: int
    rate: int | None = None
    calls: int = 0
    times: int = 0


@dataclass(frozen=True, slots=True)
class Renewal:
    """A worker's new share of an endpoint: its lease and how many of its slots to use, a pause in seconds, the rate,
    further start times, and when there will be more."""

    lease: Lease
    use: int
    pause: float
    rate: int | None = None
    times: Block | None = None
    more_at: float = 0.0


def fair(limit: int, wanted: Sequence[int], turn: int) -> list[int]:
    """Divide the limit fairly: nobody gets more than wanted, and nobody who gets less than wanted gets less than
    others, except for the indivisible remainder, which rotates."""
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
    """A worker's new lease and how much of it to use. It takes only what is free. It first stops using what it has to
    give up, and gives it up in the next renewal, so that all leases together stay within the limit at any moment."""
    names = sorted(leases)
    target = fair(limit, [leases[name].wanted for name in names], turn)[names.index(worker)]
    mine, all_slots = leases[worker].slots, sum(lease.slots for lease in leases.values())
    if target <= mine:
        return mine, target
    slots = mine + max(0, min(target - mine, limit - all_slots))
    return slots, slots


@dataclass(slots=True)
class SharedGate:
    """The gate of one endpoint in this worker: `busy` calls are running, at most `slots`. If a rate applies, here
    (`rates`) or anywhere (`rate`), calls wait in line for the worker's `times`; `started` of them have started since
    the last renewal, and after `more_at` there are more times to take."""

    limit: int
    hurry: asyncio.Event
    slots: int = 0
    busy: int = 0
    paused_until: float = 0.0
    renewed_at: float = 0.0
    asked_to_wait: float = 0.0
    giving_up: bool = False
    rates: Rates = field(default_factory=Rates)
    rate: int | None = None
    times: Taken = field(default_factory=Taken)
    more_at: float = 0.0
    in_line: int = 0
    started: int = 0
    _waiting: deque["asyncio.Future[None]"] = field(default_factory=deque)
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

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

    async def turn(self, rate: int | None) -> None:
        """Return when the call can start: immediately without a rate, otherwise at its time."""
        if rate is None and self._held(time.monotonic()) is None:
            return
        self.in_line += 1
        if self._short(time.monotonic()):
            self.hurry.set()
        try:
            with self.rates.asked(rate):
                async with self._line:
                    await self._time()
        finally:
            self.in_line -= 1

    async def _time(self) -> None:
        while True:
            now = time.monotonic()
            wait = self.paused_until - now
            if self._held(now) is not None:
                wait = max(wait, self.times.wait(now))
            if wait <= 0:
                break
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(wait, EVERY)):
                    await self._news.wait()
        if self.times.left(now):
            self.times.take()
        self.started += 1

    def pause(self, seconds: float) -> None:
        wait = min(seconds, LONGEST_HONOURED_WAIT)
        self.asked_to_wait = max(self.asked_to_wait, wait)
        self.paused_until = max(self.paused_until, time.monotonic() + wait)
        self.hurry.set()

    @property
    def wanted(self) -> int:
        """The number of slots that it could use, with some room until the next renewal."""
        used = self.busy + len(self._waiting)
        return min(self.limit, math.ceil(used * 1.25) + 1) if used else 0

    @property
    def lease(self) -> Lease:
        """Its lease and what it wants."""
        now = time.monotonic()
        used = self.in_line + len(self._waiting) + self.started
        paced = used and now >= self.paused_until and self._held(now) is not None
        calls = math.ceil(used * 1.25) + 1 - self.times.left(now) if paced else 0
        return Lease(self.slots, self.wanted, self.rates.lowest(now), max(0, calls))

    @property
    def restless(self) -> bool:
        """Whether to renew soon: it waits for more, or has stopped using what others wait for."""
        waits = bool(self._waiting) and self.slots < self.wanted
        return waits or self.giving_up or self._short(time.monotonic())

    def renew(self, new: Renewal, begun: float) -> None:
        slots = new.lease.slots
        self.slots = slots if new.use >= slots else max(new.use, self.busy)
        self.giving_up = self.slots < slots
        self.renewed_at = begun
        self.paused_until = max(self.paused_until, begun + new.pause)
        self.rate, self.more_at, self.started = new.rate, new.more_at, 0
        if new.times is not None:
            self.times.add(new.times)
        self._news.set()
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

    def _held(self, now: float) -> int | None:
        return self.rate or self.rates.lowest(now)

    def _short(self, now: float) -> bool:
        """Whether it waits for start times that may be available."""
        return now >= max(self.more_at, self.paused_until) and self.in_line > self.times.left(now)


class Shares:
    """The gates of one worker, and the renewal of their leases."""

    def __init__(self, database: Database, worker: str) -> None:
        self._database = database
        self._worker = worker
        self._hurry = asyncio.Event()
        self._gates: dict[str, SharedGate] = {}

    def gate(self, address: str, limit: int) -> SharedGate:
        """The gate of an endpoint. The first caller sets its limit."""
        if address not in self._gates:
            self._gates[address] = SharedGate(limit, self._hurry)
        return self._gates[address]

    async def tend(self) -> None:
        """Renew the leases forever."""
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
        """Release the leases."""
        statement = "DELETE FROM moot_leases WHERE worker = %s"
        with suppress(OSError, ConfigError):
            await asyncio.to_thread(self._database.rows, statement, [self._worker])

    async def _renew(self) -> None:
        begun = time.monotonic()
        given = [(address, gate.limit, gate.lease) for address, gate in self._gates.items()]
        waits = {address: gate.asked_to_wait for address, gate in self._gates.items() if gate.asked_to_wait}
        try:
            found = await asyncio.to_thread(self._exchange, sorted(given, key=lambda one: one[0]), waits)
        except (OSError, ConfigError):
            # The database is away. Leases are used until they expire; nobody else can get them before.
            return
        for address, new in found.items():
            self._gates[address].renew(new, begun)
        for address, seconds in waits.items():
            if self._gates[address].asked_to_wait == seconds:
                self._gates[address].asked_to_wait = 0.0

    def _exchange(self, given: Sequence[tuple[str, int, Lease]], waits: Mapping[str, float]) -> dict[str, Renewal]:
        """Renew all leases in one transaction."""
        addresses = [address for address, _, _ in given]
        with self._database.connection() as connection, connection.transaction():
            connection.execute(
                "INSERT INTO moot_endpoints (address) SELECT unnest(%s::text[]) ON CONFLICT DO NOTHING", [addresses]
            )
            # Renewals at the same endpoint take turns here.
            connection.execute(
                "SELECT 1 FROM moot_endpoints WHERE address = ANY(%s) ORDER BY address FOR UPDATE", [addresses]
            )
            for address, seconds in waits.items():
                connection.execute(
                    "UPDATE moot_endpoints SET paused_until = "
                    "greatest(paused_until, clock_timestamp() + make_interval(secs => %s)) WHERE address = %s",
                    [seconds, address],
                )
            leases = _leases(connection, addresses)
            for address, _, mine in given:
                # An expired lease is gone, whatever this worker remembers.
                known = leases[address].get(self._worker)
                leases[address][self._worker] = replace(
                    mine, slots=mine.slots if known else 0, times=known.times if known else 0
                )
            found = _renewals(connection, given, leases, self._worker)
            _keep(connection, self._worker, found)
            if not any(renewal.times and renewal.times.count for renewal in found.values()):
                # A lease that is lost in a crash of the server is taken again, so nobody has to wait for the disk.
                # Start times must not be given out twice, so they have to be durable.
                connection.execute("SET LOCAL synchronous_commit TO off")
            return found


def _leases(connection: "psycopg.Connection[Any]", addresses: Sequence[str]) -> dict[str, dict[str, Lease]]:
    """All leases that have not expired, by endpoint and worker."""
    connection.execute(
        "DELETE FROM moot_leases WHERE endpoint = ANY(%s) AND seen < clock_timestamp() - make_interval(secs => %s)",
        [addresses, EXPIRY],
    )
    found: dict[str, dict[str, Lease]] = {address: {} for address in addresses}
    rows = connection.execute(
        "SELECT endpoint, worker, slots, wanted, rate, calls, times FROM moot_leases WHERE endpoint = ANY(%s)",
        [addresses],
    )
    for address, worker, *lease in rows:
        found[address][worker] = Lease(*lease)
    return found


def _renewals(
    connection: "psycopg.Connection[Any]",
    given: Sequence[tuple[str, int, Lease]],
    leases: Mapping[str, Mapping[str, Lease]],
    worker: str,
) -> dict[str, Renewal]:
    """The worker's share of each endpoint, given all leases there. Its start times are taken from the row."""
    before = time.monotonic()
    rows = connection.execute(
        "SELECT address, extract(epoch FROM clock_timestamp())::float8, extract(epoch FROM next_at)::float8, "
        "greatest(0, extract(epoch FROM paused_until - clock_timestamp()))::float8 "
        "FROM moot_endpoints WHERE address = ANY(%s)",
        [[address for address, _, _ in given]],
    ).fetchall()
    after = time.monotonic()
    limits = {address: limit for address, limit, _ in given}
    found = {}
    for address, now, free, pause in rows:
        here = leases[address]
        slots, use = renewed(limits[address], here, worker, int(now / TURN))
        lease = replace(here[worker], slots=slots)
        rate = min((one.rate for one in here.values() if one.rate is not None), default=None)
        if rate is None:
            found[address] = Renewal(lease, use, pause)
            continue
        names = sorted(here)
        wanted, had = [here[name].calls for name in names], [here[name].times for name in names]
        block, rest, times = next_block(free or now, now, rate, wanted, had, names.index(worker))
        if rest != free:
            connection.execute(
                "UPDATE moot_endpoints SET next_at = to_timestamp(%s) WHERE address = %s", [rest, address]
            )
        lease = replace(lease, calls=lease.calls - block.count, times=times)
        # The server read its clock at some point in between, so no time is used too early or too late by ours.
        block = replace(block, first=after + block.first - now, slack=block.slack - (after - before))
        found[address] = Renewal(lease, use, pause, rate, block, after + rest - now - AHEAD)
    return found


def _keep(connection: "psycopg.Connection[Any]", worker: str, found: Mapping[str, Renewal]) -> None:
    """Store the worker's new leases."""
    leases = [renewal.lease for renewal in found.values()]
    connection.execute(
        "INSERT INTO moot_leases (endpoint, worker, slots, wanted, seen, rate, calls, times) "
        "SELECT endpoint, %s, slots, wanted, clock_timestamp(), rate, calls, times "
        "FROM unnest(%s::text[], %s::int[], %s::int[], %s::int[], %s::int[], %s::bigint[]) "
        "AS new (endpoint, slots, wanted, rate, calls, times) ON CONFLICT (endpoint, worker) DO UPDATE "
        "SET slots = excluded.slots, wanted = excluded.wanted, seen = excluded.seen, rate = excluded.rate, "
        "calls = excluded.calls, times = excluded.times",
        [
            worker,
            list(found),
            [lease.slots for lease in leases],
            [lease.wanted for lease in leases],
            [lease.rate for lease in leases],
            [lease.calls for lease in leases],
            [lease.times for lease in leases],
        ],
    )
