"""The news for followers of a debate."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from moot.engine.outcome.stored import Status
from moot.record.entry import Entry


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a person. `schema` is the shape of the answer, if it has one."""

    key: str
    person: str
    agent: str
    text: str
    schema: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Written:
    """An entry as readers see it; `again` if it was sent before and has changed because part of it was struck."""

    entry: Entry
    again: bool = False


@dataclass(frozen=True, slots=True)
class Speaking:
    """More text of a reply in progress, possibly none yet. It starts at `start`, in code points, of the text sent so
    far; 0 means that the earlier text is void. `doing` says what the agent is doing, after its name."""

    key: str
    agent: str
    doing: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Silent:
    """The reply at this key is complete, or was given up."""

    key: str


@dataclass(frozen=True, slots=True)
class Awaiting:
    """The people that the debate waits for."""

    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Ended:
    """The debate has ended, unless it is resumed."""

    status: Status
    reason: str | None


@dataclass(frozen=True, slots=True)
class Quiet:
    """No news for the requested time."""


News = Written | Speaking | Silent | Awaiting | Ended | Quiet


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class NewsBatch:
    """All news for a follower at one time. Followers that know the same get the same batch, so that it has to be
    serialised only once."""

    news: tuple[News, ...]


QUIET = NewsBatch((Quiet(),))


async def one_by_one(batches: AsyncGenerator[NewsBatch, None]) -> AsyncGenerator[News, None]:
    """The news of these batches."""
    async with aclosing(batches):
        async for batch in batches:
            for news in batch.news:
                yield news


class Beat:
    """Ends the waits of one follower that take longer than this many seconds. One timer serves many waits: hundreds of
    followers wait again after every few words, and timers that almost never fire would cost more than everything
    else."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._since = 0.0
        self._waiting: asyncio.Future[bool] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def limit(self, waiting: "asyncio.Future[bool]") -> None:
        """Have this future be False, unless it is done before."""
        if self._seconds is None:
            return
        loop = waiting.get_loop()
        self._waiting, self._since = waiting, loop.time()
        if self._timer is None:
            self._timer = loop.call_at(self._since + self._seconds, self._ring, self._seconds)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self, seconds: float) -> None:
        self._timer = None
        if self._waiting is None or self._waiting.done():
            return
        loop, due = self._waiting.get_loop(), self._since + seconds
        if loop.time() < due:
            self._timer = loop.call_at(due, self._ring, seconds)
        else:
            self._waiting.set_result(False)
