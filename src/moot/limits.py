"""Limits: what a run may spend, reserved before each call and settled after it, so that none is ever overrun."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from moot.errors import LimitReached, MootError
from moot.models.base import Message, Usage


@dataclass(frozen=True, slots=True)
class Limits:
    """None means no limit. Calls, tokens and dollars count over the whole run, resumed or not; minutes count
    from the moment this process took it up."""

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None


@dataclass(slots=True)
class Spending:
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def add(self, other: "Spending", sign: int = 1) -> None:
        self.calls += sign * other.calls
        self.tokens += sign * other.tokens
        self.cost += sign * other.cost


@dataclass(slots=True)
class Reservation:
    """What a call may cost at most, until `settle` says what it did cost."""

    bound: Spending
    actual: Spending | None = None

    def settle(self, usage: Usage) -> None:
        self.actual = spent(usage, self.bound)


class Closed(MootError):
    """Raised where a call was about to be made although the debate is stopping."""


@dataclass(slots=True)
class Budget:
    """Keeps the sum of what was spent and what is reserved within the limits."""

    limits: Limits
    spent: Spending = field(default_factory=Spending)
    reserved: Spending = field(default_factory=Spending)
    started: float = field(default_factory=time.monotonic)
    closed: bool = False
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def reserve(self, tokens: int, cost: float) -> AsyncIterator[Reservation]:
        """Hold room for one call; LimitReached when there is none left even after the calls under way have settled."""
        reservation = Reservation(Spending(1, tokens, cost))
        self.check()
        while (refusal := self._refusal(reservation.bound)) is not None:
            if refusal.limit == "max_minutes" or self.reserved.calls == 0:
                raise refusal
            self._freed.clear()
            await self._freed.wait()
            self.check()
        self.reserved.add(reservation.bound)
        try:
            yield reservation
        finally:
            self.reserved.add(reservation.bound, -1)
            if reservation.actual is not None:
                self.spent.add(reservation.actual)
            self._freed.set()

    def check(self) -> None:
        """Raise when no further request may go out: the debate is stopping, or what failed attempts cost has used
        up a limit."""
        if self.closed:
            raise Closed("the debate is stopping")
        if (refusal := self._refusal(Spending())) is not None:
            raise refusal

    def close(self) -> None:
        self.closed = True
        self._freed.set()

    def charge(self, usage: Usage | None) -> None:
        """Count what a failed attempt cost, where the model said so."""
        if usage is not None:
            cost = spent(usage, Spending())
            self.spent.add(Spending(0, cost.tokens, cost.cost))

    def _refusal(self, bound: Spending) -> LimitReached | None:
        limits, spent, reserved = self.limits, self.spent, self.reserved
        if limits.max_calls is not None and spent.calls + reserved.calls + bound.calls > limits.max_calls:
            return LimitReached("max_calls", limits.max_calls, f"the limit of {limits.max_calls} calls is reached")
        if limits.max_tokens is not None and spent.tokens + reserved.tokens + bound.tokens > limits.max_tokens:
            text = f"{spent.tokens} of {limits.max_tokens} tokens are used; the next call may take {bound.tokens}"
            return LimitReached("max_tokens", limits.max_tokens, text)
        if limits.max_cost is not None and spent.cost + reserved.cost + bound.cost > limits.max_cost:
            text = f"${spent.cost:.4f} of ${limits.max_cost:g} is spent; the next call may cost ${bound.cost:.4f}"
            return LimitReached("max_cost", limits.max_cost, text)
        if limits.max_minutes is not None and time.monotonic() - self.started >= limits.max_minutes * 60:
            return LimitReached("max_minutes", limits.max_minutes, f"{limits.max_minutes:g} minutes have passed")
        return None


def spent(usage: Usage, bound: Spending) -> Spending:
    """What a reply cost; where the model did not say, what it may have cost at most."""
    known = usage.input is not None and usage.output is not None
    tokens = (usage.input or 0) + (usage.output or 0) if known else bound.tokens
    return Spending(1, tokens, bound.cost if usage.cost is None else usage.cost)


def token_bound(messages: Iterable[Message]) -> int:
    """A careful estimate of how many tokens these messages are."""
    return sum(message.token_bound for message in messages)
