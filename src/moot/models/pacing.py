"""Start times of calls, for endpoints with a limit of calls per minute.

The start times are one interval apart. An unused time stays valid for one second, so that a late timer or a short pause
costs nothing; no minute has more calls than the rate.
"""

import asyncio
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MINUTE = 60.0
LATENESS = 1.0
"""The number of seconds for which a time stays valid; this limits how many calls can start together after a pause."""


def interval(rate: int) -> float:
    """Seconds from one time to the next. Calls that start within a minute use times of that minute and of the second
    before it, so these together must not exceed the rate."""
    return (MINUTE + LATENESS) / rate


@dataclass(slots=True)
class Times:
    """The times of one process. Has no clock: the caller passes the current time."""

    _next: float = -math.inf

    def wait(self, now: float) -> float:
        """Seconds until a call may start; 0 or less means now."""
        return self._next - now

    def take(self, now: float, rate: int) -> None:
        """Record that a call starts, after `wait` has allowed it."""
        self._next = max(self._next, now - LATENESS) + interval(rate)


@dataclass(slots=True)
class Rates:
    """The rates that calls to one endpoint ask for. The lowest one applies while such a call waits, and a minute
    longer."""

    _waiting: dict[int, int] = field(default_factory=dict)
    _left: dict[int, float] = field(default_factory=dict)

    @contextmanager
    def asked(self, rate: int | None) -> Iterator[None]:
        """Record a waiting call that asks for this rate; with None it only follows the rates of others."""
        if rate is None:
            yield
            return
        self._waiting[rate] = self._waiting.get(rate, 0) + 1
        try:
            yield
        finally:
            self._waiting[rate] -= 1
            self._left[rate] = time.monotonic()

    def lowest(self, now: float) -> int | None:
        """The current rate, if there is one."""
        held = (rate for rate, waiting in self._waiting.items() if waiting or now - self._left[rate] < MINUTE)
        return min(held, default=None)


@dataclass(slots=True)
class Pace:
    """Makes the calls of one process wait for their times, first come first served. A cancelled call uses no time."""

    _rates: Rates = field(default_factory=Rates)
    _times: Times = field(default_factory=Times)
    _line: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def turn(self, rate: int | None) -> None:
        """Return when the call may start."""
        with self._rates.asked(rate):
            async with self._line:
                while (held := self._rates.lowest(time.monotonic())) is not None:
                    now = time.monotonic()
                    if (wait := self._times.wait(now)) <= 0:
                        self._times.take(now, held)
                        return
                    await asyncio.sleep(wait)
