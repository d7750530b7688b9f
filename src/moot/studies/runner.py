"""Shared parts of all studies: running or resuming debates, many at a time, in a folder."""

import asyncio
import itertools
import os
from collections.abc import Coroutine, Mapping
from contextlib import nullcontext
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from moot.engine.define.config import RunConfig
from moot.engine.outcome.result import Result, fold, vouched_for
from moot.engine.play.limits import Limits
from moot.engine.staging.run import resume, run
from moot.engine.staging.runs import Run, list_runs
from moot.errors import LimitReached, RunDamaged
from moot.record.files import check_folder, read_file
from moot.text.json import parse_json
from moot.text.names import slug

T = TypeVar("T")
NO_LIMIT = 10**12
LIMITS = [field.name for field in fields(Limits)]
HOW = {"timeout", "concurrency", "rate", "max_reply_tokens", "prices"}
"""Options that may change when a debate is resumed. The speakers must not change, or it would be another debate."""


async def run_or_resume(place: Path, config: RunConfig, limits: Mapping[str, Any], **how: Any) -> Result:
    """Hold this debate below `place` within exactly these limits, or resume the existing one."""
    if (found := next(iter(list_runs(str(place))), None)) is None:
        own = dict.fromkeys(LIMITS) | {"out": str(place), **limits}
        return await run(replace(config, options=config.options.model_copy(update=own)), **how)
    return await read_or_resume(found, config.options.model_dump(include=HOW) | dict(limits), **how)


async def read_or_resume(found: Run, changes: Mapping[str, Any], **how: Any) -> Result:
    """The result of a run, which is resumed with these changes if it has not ended. Its earlier limits are lifted, and
    replies on record are not paid again. `how` is as for `resume`."""
    known = vouched_for(found)
    if known is not None and known["status"] == "done":
        return fold(found, "done", None, known["longest_chain"])
    lifted = {name: NO_LIMIT for name in LIMITS if getattr(found.config.options.limits, name) is not None}
    return await resume(found, **how, **lifted | dict(changes))


async def together(*work: Coroutine[Any, Any, T], at_most: int | None = None) -> list[T]:
    """Run all coroutines concurrently, at most `at_most` at a time. If one fails, the others are cancelled; but if a
    limit was reached, the others are awaited, since their calls are already paid."""
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
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for part in work:
            part.close()


def free_folder(parent: str, name: str) -> Path:
    """A new folder name for a study, unique even if another study began in the same second."""
    moment = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{slug(name)}"
    names = itertools.chain([moment], (f"{moment}-{number}" for number in itertools.count(2)))
    return next(folder for name in names if not (folder := Path(parent) / name).exists())


def read_object(path: Path, *needed: str) -> dict[str, Any]:
    """The JSON object in a file of a study; RunDamaged if there is none with the `needed` keys."""
    try:
        found = parse_json(read_file(path) or b"")
    except ValueError:
        found = None
    if not isinstance(found, dict) or not found.keys() >= set(needed):
        raise RunDamaged(f"{path} is not what moot wrote")
    return found


def check_study(folder: Path) -> None:
    """RunDamaged if something in the folder of a study, at any depth, leads out of it: runs would be written there."""
    for path, _, _ in os.walk(folder):
        check_folder(Path(path))
