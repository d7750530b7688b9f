"""The news for followers of a debate."""

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
