import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.database.connection import open_database
from moot.errors import ModelError
from moot.models.http import Endpoint, post_json
from moot.models.pool import pool
from moot.queue import sharing
from moot.queue.sharing import Lease, SharedGate, Shares, fair, renewed
from tests.kit.endpoint import FakeEndpoint, fail, rate_limited
from tests.kit.waiting import PATIENCE, until

ENDPOINT = "http://127.0.0.1:1/v1"


@given(st.integers(0, 50), st.lists(st.integers(0, 30), max_size=6), st.integers(0, 100))
def test_a_limit_is_divided_fairly(limit: int, wanted: list[int], turn: int) -> None:
    given = fair(limit, wanted, turn)
    assert sum(given) == min(limit, sum(wanted))
    assert all(0 <= one <= want for one, want in zip(given, wanted, strict=True))
    short = [one for one, want in zip(given, wanted, strict=True) if one < want]
    assert all(other <= one + 1 for one in short for other in given)


def test_what_cannot_be_divided_goes_by_turns() -> None:
    assert {tuple(fair(1, [5, 5, 5], turn)) for turn in range(3)} == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


@given(
    st.integers(1, 20),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 25), st.integers(0, 25), st.integers(0, 9)), max_size=60),
)
def test_leases_keep_the_limit_at_any_moment(limit: int, steps: list[tuple[int, int, int, int]]) -> None:
    """Whatever four workers want, and whatever is under way with them when they hear what they may use."""
    leases: dict[str, Lease] = {}
    using = dict.fromkeys("0123", 0)
    for number, wanted, under_way, turn in steps:
        worker = str(number)
        busy = min(under_way, using[worker])
        leases[worker] = Lease(using[worker], wanted)
        slots, use = renewed(limit, leases, worker, turn)
        leases[worker] = Lease(slots, wanted)
        using[worker] = slots if use >= slots else max(use, busy)
        assert sum(lease.slots for lease in leases.values()) <= limit
        assert all(using[name] <= lease.slots for name, lease in leases.items())


def test_two_workers_come_to_share_what_both_want() -> None:
    leases = {"a": Lease(10, 10), "b": Lease(0, 10)}
    for _ in range(2):
        for worker in "ab":
            slots, use = renewed(10, leases, worker, 0)
            leases[worker] = Lease(min(slots, use), 10)
    assert {name: lease.slots for name, lease in leases.items()} == {"a": 5, "b": 5}


class Clock:
    """A clock that can be stopped, and then only says what came first."""

    def __init__(self) -> None:
        self._clock: Callable[[], float] = time.monotonic

    def monotonic(self) -> float:
        return self._clock()

    def stop(self) -> None:
        ticks = itertools.count(self._clock(), 1e-6)
        self._clock = lambda: next(ticks)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the gates. No lease expires, however late somebody is."""
    clock = Clock()
    monkeypatch.setattr(sharing, "time", clock)
    monkeypatch.setattr(sharing, "EXPIRY", 2 * PATIENCE)
    return clock


async def until_renewed(gate: SharedGate) -> None:
    """Until the gate has heard from the database what it may do after now."""
    for _ in range(2):  # the first may have been on its way before
        before = gate.renewed_at
        await until(lambda before=before: gate.renewed_at > before)  # type: ignore[misc]


async def tended(url: str, check: Callable[[list[Shares]], Awaitable[None]], workers: int = 2) -> None:
    shares = [Shares(open_database(url), f"worker-{number}") for number in range(workers)]
    tasks = [asyncio.create_task(one.tend()) for one in shares]
    try:
        await check(shares)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in shares:
            await one.close()


async def _held(gate: SharedGate) -> None:
    async with gate:
        await asyncio.Event().wait()


def test_a_wait_that_one_worker_is_asked_for_is_kept_by_the_other(database: str, clock: Clock) -> None:
    async def check(shares: list[Shares]) -> None:
        told, other = (one.gate(ENDPOINT, 6) for one in shares)
        async with told, other:
            pass
        clock.stop()
        told.pause(60.0)
        await until(lambda: other.paused_until > other.renewed_at)
        waiting = asyncio.create_task(_held(other))
        await until_renewed(other)
        assert other.busy == told.busy == 0
        waiting.cancel()
        with suppress(asyncio.CancelledError):
            await waiting

    asyncio.run(tended(database, check))


def test_who_leaves_frees_its_lease_at_once(database: str) -> None:
    async def check(shares: list[Shares]) -> None:
        first, second = (one.gate(ENDPOINT, 1) for one in shares)
        holding = asyncio.create_task(_held(first))
        await until(lambda: first.busy == 1)
        waiting = asyncio.create_task(_held(second))
        await until_renewed(second)
        assert second.busy == 0
        holding.cancel()
        await until(lambda: second.busy == 1)
        waiting.cancel()
        await asyncio.gather(holding, waiting, return_exceptions=True)

    asyncio.run(tended(database, check))


def test_a_rate_that_one_worker_asks_for_is_kept_by_the_other(database: str, clock: Clock) -> None:
    async def check(shares: list[Shares]) -> None:
        asking, other = (one.gate(ENDPOINT, 6) for one in shares)
        async with asking, other:
            await other.turn(None)  # no rate holds so far
            await asking.turn(600)
            await until(lambda: other.rate == 600)
            await other.turn(1000)
            await until(lambda: asking.rate == other.rate == 600)
            clock.stop()
            asking.pause(60.0)
            waiting = asyncio.create_task(asking.turn(None))
            await until(lambda: other.paused_until > other.renewed_at)
            assert not waiting.done(), "a pause is for those in line as well"
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
            assert asking.in_line == 0

    asyncio.run(tended(database, check))


async def test_how_long_a_server_asks_to_wait_gets_to_the_gate() -> None:
    """Of an error's Retry-After, and of nothing else."""
    asked: list[float] = []
    entered: list[str] = []
    rates: list[int | None] = []

    class Gate:
        async def __aenter__(self) -> None:
            entered.append("call")

        async def __aexit__(self, *_: object) -> None:
            pass

        async def turn(self, rate: int | None) -> None:
            rates.append(rate)

        def pause(self, seconds: float) -> None:
            asked.append(seconds)

    made: list[tuple[str, int]] = []
    async with (
        FakeEndpoint(faults=[None, rate_limited("3"), fail(500), rate_limited()]) as endpoint,
        pool() as shared,
    ):
        shared.gate = lambda address, limit: made.append((address, limit)) or Gate()  # type: ignore[func-returns-value]
        there = Endpoint(endpoint.url, concurrency=7, rate=90)
        await post_json(there, "/chat/completions", {"messages": []}, "m")
        for _ in range(3):
            with pytest.raises(ModelError):
                await post_json(there, "/chat/completions", {"messages": []}, "m")
        assert made == [(endpoint.url, 7)]
    assert asked == [3.0]
    assert len(entered) == 4
    assert rates == [90] * 4
