"""One call to a model, with retries: after a temporary fault it waits for a growing, random time and tries again."""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass

from moot.errors import ModelError, RateLimited, ServerFault
from moot.models.base import Model, ModelReply, OnText, Request

BASE_DELAY = 1.0
LONGEST_DELAY = 30.0
LONGEST_HONOURED_WAIT = 60.0

MOMENT = 0.05
"""A request that did not have to wait can be sent for this many seconds without asking for permission again."""

Before = Callable[[], Awaitable[None]]
OnRetry = Callable[[ModelError, int, float], None]
"""Called before each wait with the failure, which attempt it was (from 1), and the seconds until the next."""


@dataclass(slots=True)
class _Leave:
    """Permission to send a request: `before` raises if it must not be sent. Until `until`, it need not be asked
    again."""

    before: Before
    until: float


_leave: ContextVar[_Leave | None] = ContextVar("moot_leave_to_send", default=None)


async def ready(model: Model, retries: int = 2) -> None:
    """Ask the model whether it can answer; ask again after a temporary fault of the server."""
    for attempt in range(1, retries + 1):
        try:
            return await model.ready()
        except ServerFault as error:
            wait = _wait_before(attempt, min(error.retry_after or 0.0, LONGEST_DELAY))
        await asyncio.sleep(wait)
    return await model.ready()


async def call(
    model: Model,
    request: Request,
    *,
    on_text: OnText | None = None,
    on_retry: OnRetry | None = None,
    before: Before | None = None,
    patience: Callable[[], float] = lambda: math.inf,
    retries: int = 4,
) -> ModelReply:
    """Ask the model; ask again after temporary failures, at most `retries` times; raise the last failure.

    `before` is awaited before every attempt, and again when a model has waited for its turn and is about to send, since
    a lot can have happened by then. If it raises, the call ends. No wait is longer than `patience` seconds. `on_text`
    may have received text before an attempt failed: `on_retry` tells the caller to drop it.
    """
    attempt = 0
    while True:
        attempt += 1
        if before is not None:
            await before()
        asked = _leave.set(_Leave(before, time.monotonic() + MOMENT) if before is not None else None)
        try:
            return await model.reply(request, on_text)
        except ModelError as error:
            if not error.retry or attempt > retries:
                raise
            if error.retry_after is not None and error.retry_after > LONGEST_HONOURED_WAIT:
                raise _wait_too_long(error) from None
            wait = _wait_before(attempt, error.retry_after)
            if on_retry is not None:
                on_retry(error, attempt, wait)
        finally:
            _leave.reset(asked)
        await asyncio.sleep(min(wait, max(0.0, patience())))


async def about_to_send(*, waited: bool = True) -> None:
    """For models that may wait before they send: raises if the request must not be sent any more. If the first request
    did not have to wait, it is sent without asking again, since `call` has just asked."""
    if (leave := _leave.get()) is None:
        return
    if waited or time.monotonic() > leave.until:
        await leave.before()
    leave.until = 0.0


def _wait_before(attempt: int, retry_after: float | None) -> float:
    """A random wait up to a bound that doubles each time, so that many callers do not return at once; never less than
    the server asked for."""
    bound = min(LONGEST_DELAY, BASE_DELAY * 2.0 ** (attempt - 1))
    return (retry_after or 0.0) + random.uniform(0.0, bound)  # noqa: S311 - nothing here is a secret


def _wait_too_long(error: ModelError) -> ModelError:
    kind = RateLimited if isinstance(error, RateLimited) else ServerFault
    return kind(
        f"{error} It asks to wait {error.retry_after:.0f} s, longer than the {LONGEST_HONOURED_WAIT:.0f} s "
        f"moot waits: try again later.",
        error.retry_after,
    )
