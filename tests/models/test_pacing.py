import asyncio
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.errors import ModelError
from moot.models import pacing
from moot.models.http import DONE, Endpoint, post_events, post_json
from moot.models.pacing import LATENESS, MINUTE, Pace, Rates, Times, interval
from moot.models.pool import pool
from tests.kit.endpoint import FakeEndpoint, Fault, fail
from tests.kit.pacing import most_in_a_minute
from tests.kit.waiting import turns

PATH = "/chat/completions"


class Clock:
    """Goes on when somebody waits for it, and then at once."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        await turns()
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pacing, "time", clock)
    monkeypatch.setattr(pacing, "asyncio", SimpleNamespace(sleep=clock.sleep, Lock=asyncio.Lock))
    return clock


@given(
    st.integers(1, 700),
    st.lists(st.tuples(st.sampled_from([0.0, 0.0, 0.001, 0.3, 5.0, 70.0]), st.floats(0, 2)), min_size=1, max_size=900),
)
def test_no_minute_sees_more_than_the_rate(rate: int, calls: list[tuple[float, float]]) -> None:
    """Whenever calls come (so long after the one before), and however late each wakes up."""
    times, now, starts = Times(), 1000.0, []
    for pause, late in calls:
        now += pause
        if (wait := times.wait(now)) > 0:
            assert wait <= interval(rate) + 1e-6, "nobody waits longer than from one time to the next"
            now += wait + late * 0.01
        times.take(now, rate)
        starts.append(now)
    assert starts == sorted(starts)
    assert most_in_a_minute(starts) <= rate


def test_the_lowest_rate_holds_while_it_is_in_use(clock: Clock) -> None:
    rates, now = Rates(), clock.now
    assert rates.lowest(now) is None
    with rates.asked(None):
        assert rates.lowest(now) is None
    with rates.asked(600):
        with rates.asked(10), rates.asked(10):
            assert rates.lowest(now + 1000) == 10, "as long as somebody waits"
        assert rates.lowest(now + MINUTE - 1) == 10, "and a minute longer"
        assert rates.lowest(now + MINUTE) == 600
    assert rates.lowest(now + MINUTE) is None


async def test_first_come_first_served_and_who_leaves_uses_up_nothing(clock: Clock) -> None:
    pace, went = Pace(), []

    async def go(number: int) -> None:
        await pace.turn(600 if number % 2 else None)
        went.append(number)

    for _ in range(20):  # more than come at once
        await go(-1)
    tasks = [asyncio.create_task(go(number)) for number in range(2000)]
    await turns()
    for number, task in enumerate(tasks):
        if number % 500:
            task.cancel()
    before = clock.now
    await asyncio.gather(*tasks, return_exceptions=True)
    assert clock.now - before < 10, "all their times would be 200 seconds"
    assert went == sorted(went)
    assert set(went) >= {0, 500, 1000, 1500}


@pytest.mark.parametrize("streaming", [False, True])
def test_calls_over_http_keep_the_rate_whoever_makes_them(streaming: bool, clock: Clock) -> None:
    """By the clock of the endpoint; failed attempts count too, and a debate that asks for no rate keeps that of the
    other."""
    rate, count, arrived = 1200, 50, list[float]()

    def note(number: int, _: object) -> Fault | None:
        arrived.append(clock.now)
        return fail(500) if number % 7 == 0 else None

    async def call(endpoint: Endpoint) -> None:
        while True:
            try:
                if streaming:
                    document = {"messages": [], "stream": True}
                    return await post_events(endpoint, PATH, document, "m", lambda event: event is DONE)
                await post_json(endpoint, PATH, {"messages": []}, "m")
            except ModelError:
                continue
            return None

    async def run() -> None:
        async with FakeEndpoint(faults=note) as fake, pool():
            kinds = [Endpoint(fake.url, rate=rate), Endpoint(fake.url, rate=10 * rate), Endpoint(fake.url)]
            await asyncio.gather(*(call(kinds[number % 3]) for number in range(count)))

    begun = clock.now
    asyncio.run(run())
    assert len(arrived) > count
    for number, when in enumerate(arrived):
        assert when >= begun - LATENESS + number * interval(rate) - 1e-6
