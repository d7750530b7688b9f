"""What all studies do alike: debates held or taken up in their places, many at a time, in a folder of their own."""

import asyncio
import itertools
import os
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from moot.engine.config import RunConfig
from moot.engine.limits import Budget
from moot.engine.result import Result, fold, vouched_for
from moot.engine.run import resume, run
from moot.engine.runs import list_runs, slug
from moot.errors import LimitReached, RunBusy
from moot.models.base import Model
from moot.record.events import Follower
from moot.system import GUARDED, lock

T = TypeVar("T")
NO_LIMIT = 10**12
HOW = {"timeout", "concurrency", "rate", "max_reply_tokens", "prices"}
"""Options that may change when a debate is taken up. Whoever speaks is the same as before, or it would be another."""


async def run_or_resume(
    place: Path,
    config: RunConfig,
    limits: Mapping[str, Any],
    *,
    follow: Follower | None = None,
    models: Mapping[str, Model] | None = None,
    within: Budget | None = None,
) -> Result:
    """Hold this debate below `place` within these limits and no others, or take up the one that is there.

    One that is done is read and not played again, and no reply on record is paid twice.
    """
    found = next(iter(list_runs(str(place))), None)
    if found is None:
        own = dict.fromkeys((one.name for one in fields(config.options.limits)), None) | {"out": str(place), **limits}
        config = replace(config, options=config.options.model_copy(update=own))
        return await run(config, follow=follow, models=models, within=within)
    known = vouched_for(found)
    if known is not None and known["status"] == "done":
        return fold(found, "done", None, known["longest_chain"])
    # The run has kept its limits of the time before. Where there are none now, they hold no longer.
    kept = found.config.options.limits
    lifted = {one.name: NO_LIMIT for one in fields(kept) if getattr(kept, one.name) is not None}
    changes = config.options.model_dump(include=HOW) | lifted | dict(limits)
    return await resume(found, follow=follow, models=models, within=within, **changes)


async def together(*work: Coroutine[Any, Any, T], at_most: int | None = None) -> list[T]:
    """All of it side by side, or only so many at a time. When one part fails the rest is stopped; but when the money is
    gone, calls under way are waited for, since they are paid."""
    places = asyncio.Semaphore(at_most) if at_most else nullcontext()

    async def one(part: Coroutine[Any, Any, T]) -> T:
        async with places:
            return await part

    tasks = [asyncio.ensure_future(one(part)) for part in work]
    try:
        return list(await asyncio.gather(*tasks))
    except LimitReached:
        await asyncio.wait(tasks)
        raise
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        raise
    finally:
        for part in work:
            part.close()


def free_folder(parent: str, name: str) -> Path:
    """A folder for a new study that no other has, though it may have begun in the same second."""
    moment = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{slug(name)}"
    names = itertools.chain([moment], (f"{moment}-{number}" for number in itertools.count(2)))
    return next(folder for one in names if not (folder := Path(parent) / one).exists())


@contextmanager
def locked(path: Path, busy: str | None = None) -> Iterator[None]:
    """Keep other processes from locking this file or folder meanwhile. Where one has it, wait; or RunBusy saying that
    it is `busy`."""
    handle = os.open(path, os.O_RDONLY | GUARDED)  # a stranger may have made what is there
    try:
        if not lock(handle, wait=busy is None):
            raise RunBusy(busy or "")
        yield
    finally:
        os.close(handle)
