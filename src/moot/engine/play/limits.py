"""Limits: the budget of a run, reserved before each call and settled after it, so that it is never exceeded."""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from moot.errors import LimitReached, MootError
from moot.models.base import Message, Usage, schema_json, size_of
from moot.text.figures import dollars
from moot.text.prose import plural


@dataclass(frozen=True, slots=True)
class Limits:
    """None means no limit. Calls, tokens and dollars count over the complete run, resumed or not; minutes count from
    the time when this process started or resumed it."""

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


_NOTHING = Spending()


class Closed(MootError):
    """Raised for a new call while the debate is stopping."""


@dataclass(slots=True)
class Budget:
    """Keeps spent and reserved amounts within the limits.

    A budget `within` another one also charges that one. `scope` describes the budget in messages if it is not for one
    run; `refused` is the last refusal.
    """

    limits: Limits
    spent: Spending = field(default_factory=Spending)
    within: "Budget | None" = None
    scope: str = ""
    refused: LimitReached | None = None
    reserved: Spending = field(default_factory=Spending)
    started: float = field(default_factory=time.monotonic)
    closed: bool = False
    freed: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def reserve(self, tokens: int, cost: float) -> "AsyncIterator[Reservation]":
        """One call to enter: LimitReached if there is not enough left even after the current calls have settled."""
        call = Reservation(Spending(1, tokens, cost))
        async with AsyncExitStack() as held:
            budget: Budget | None = self
            while budget is not None:
                await held.enter_async_context(budget.hold(call))
                budget = budget.within
            # While this waited for other calls, the run could have been stopped.
            self.check()
            yield call

    @asynccontextmanager
    async def hold(self, call: "Reservation") -> "AsyncIterator[None]":
        """Keep what the call may cost, in this budget alone."""
        self.check()
        while (refusal := self.refusal(call.bound)) is not None:
            if refusal.limit == "max_minutes" or self.reserved.calls == 0:
                self.refused = refusal
                raise refusal
            self.freed.clear()
            await self.freed.wait()
            self.check()
        self.reserved.add(call.bound)
        try:
            yield
        finally:
            self.reserved.add(call.bound, -1)
            if call.actual is not None:
                self.spent.add(call.actual)
            self.freed.set()

    @property
    def counts_money(self) -> bool:
        """Whether the price of every call must be known."""
        return self.limits.max_cost is not None or (self.within is not None and self.within.counts_money)

    def check(self) -> None:
        """Raise if no further request is allowed: the debate is stopping, or the cost of failed attempts has used up
        a limit."""
        if self.closed:
            raise Closed("the debate is stopping")
        if (refusal := self.refusal(_NOTHING)) is not None:
            self.refused = refusal
            raise refusal
        if self.within is not None:
            self.within.check()

    def seconds_left(self) -> float:
        """The number of seconds in which requests may still be sent."""
        minutes, outer = self.limits.max_minutes, math.inf if self.within is None else self.within.seconds_left()
        return outer if minutes is None else min(outer, minutes * 60 - (time.monotonic() - self.started))

    def close(self) -> None:
        self.closed = True
        self.freed.set()

    def charge(self, usage: Usage | None) -> None:
        """Count the cost of a failed attempt, if the model reported it."""
        if usage is not None:
            cost = spent(usage, Spending())
            self.spent.add(Spending(0, cost.tokens, cost.cost))
        if self.within is not None:
            self.within.charge(usage)

    def refusal(self, bound: Spending) -> LimitReached | None:
        """The limit that a call of this cost would exceed now."""
        limits, spent, reserved = self.limits, self.spent, self.reserved
        if limits.max_calls is not None and spent.calls + reserved.calls + bound.calls > limits.max_calls:
            return self._reached(
                "max_calls", limits.max_calls, f"the limit of {plural(limits.max_calls, 'call')} is reached"
            )
        if limits.max_tokens is not None and spent.tokens + reserved.tokens + bound.tokens > limits.max_tokens:
            text = f"{spent.tokens} of {limits.max_tokens} tokens are used; the next call may take {bound.tokens}"
            return self._reached("max_tokens", limits.max_tokens, text)
        if limits.max_cost is not None and spent.cost + reserved.cost + bound.cost > limits.max_cost:
            next_call = f"the next call may cost {dollars(bound.cost)}"
            text = f"{dollars(spent.cost)} of ${limits.max_cost:g} is spent; {next_call}"
            return self._reached("max_cost", limits.max_cost, text)
        if limits.max_minutes is not None and time.monotonic() - self.started >= limits.max_minutes * 60:
            return self._reached("max_minutes", limits.max_minutes, f"{limits.max_minutes:g} minutes have passed")
        return None

    def _reached(self, limit: str, value: float, text: str) -> LimitReached:
        return LimitReached(limit, value, f"{text} ({self.scope})" if self.scope else text)


@dataclass(slots=True)
class Reservation:
    """The maximal cost of a call, until `settle` sets the actual cost."""

    bound: Spending
    actual: Spending | None = None

    def settle(self, usage: Usage) -> None:
        self.actual = spent(usage, self.bound)


def spent(usage: Usage, bound: Spending) -> Spending:
    """The cost of a reply; the maximal cost if the model did not report it."""
    known = usage.input is not None and usage.output is not None
    tokens = (usage.input or 0) + (usage.output or 0) if known else bound.tokens
    return Spending(1, tokens, bound.cost if usage.cost is None else usage.cost)


def token_bound(messages: Iterable[Message], schema: Mapping[str, Any] | None = None) -> int:
    """A careful estimate of the tokens in these messages, and in the schema of the reply: three bytes each, and a few
    for the message itself. English text has four bytes and more to a token, Chinese about three."""
    sizes = [message.size for message in messages]
    if schema is not None:
        sizes.append(size_of(schema_json(schema)))
    return sum([size // 3 + 8 for size in sizes])
