"""When calls may start, where an endpoint is to get only so many a minute.

Calls start at times that are an interval apart. A time that nobody used when it came may be used for a second longer,
so that neither a late timer nor a short silence costs any; no minute sees more calls than the rate.
"""

import asyncio
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MINUTE = 60.0
LATENESS = 1.0
"""For how many seconds a time may still be used; and so how much may come at once after a silence."""


def interval(rate: int) -> float:
    """Seconds from one time to the next. What starts within a minute belongs to the times of that minute and of the
    second before it: these together are no more than the rate."""
    return (MINUTE + LATENESS) / rate


@dataclass(slots=True)
class Times:
    """The times of one process. Knows no clock: whoever asks says what time it is."""

    _next: float = -math.inf

    def wait(self, now: float) -> float:
        """Seconds until a call may start; none are left at 0 or below."""
        return self._next - now

    def take(self, now: float, rate: int) -> None:
        """A call starts, as `wait` allowed."""
        self._next = max(self._next, now - LATENESS) + interval(rate)


@dataclass(slots=True)
class Rates:
    """The rates that calls to one endpoint ask for. The lowest holds while such a call waits, and a minute longer."""

    _waiting: dict[int, int] = field(default_factory=dict)
    _left: dict[int, float] = field(default_factory=dict)

    @contextmanager
    def asked(self, rate: int | None) -> Iterator[None]:
        """A call waits that asks for this rate; None asks for none, and keeps that of others."""
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
        """The rate that holds, if any does."""
        held = (rate for rate, waiting in self._waiting.items() if waiting or now - self._left[rate] < MINUTE)
        return min(held, default=None)


@dataclass(slots=True)
class Pace:
    """Has the calls of one process wait for their times, first come first served. Who is cancelled uses up none."""

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
