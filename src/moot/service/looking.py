"""Following a run in a folder that another process may be running."""

import asyncio
from collections.abc import AsyncGenerator, Callable

from moot.engine.staging.runs import Run
from moot.record.stores.base import LOG
from moot.service.live import how_it_ended, readable_since
from moot.service.news import QUIET, NewsBatch

LOOK_EVERY = 0.5
"""Seconds between two looks at the folder."""


async def follow_folder(
    found: Run, after: int, seat: str | None, beat: float | None, until: Callable[[], bool]
) -> AsyncGenerator[NewsBatch, None]:
    """Everything after that entry, until the run ends or `until` returns true."""
    size, quiet = -1, 0.0
    while not until():
        busy, now = await asyncio.to_thread(_looked_at, found)
        if now != size:
            size, quiet = now, 0.0
            batch, after = await asyncio.to_thread(_news_since, found, after, seat)
            if batch.news:
                yield batch
        if not busy:
            yield NewsBatch((await asyncio.to_thread(how_it_ended, found),))
            return
        if beat is not None and quiet >= beat:
            quiet = 0.0
            yield QUIET
        quiet += LOOK_EVERY
        await asyncio.sleep(LOOK_EVERY)


def _looked_at(found: Run) -> tuple[bool, int]:
    """Whether a process is running this run, and the size of its log. The order matters: the end is seen after all
    entries."""
    busy = found.busy
    return busy, found.place.size(LOG)


def _news_since(found: Run, after: int, seat: str | None) -> tuple[NewsBatch, int]:
    """The entries of a log after that one, and its last seq."""
    entries = found.entries()
    news = tuple(readable_since(found, entries, after, seat)) if len(entries) > after + 1 else ()
    return NewsBatch(news), max(after, len(entries) - 1)
