"""A debate from one agent's point of view: everything it was sent and replied, at any turn."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

import moot
from moot.engine.outcome.result import cast_names
from moot.engine.play.agent import part_of
from moot.text import clip
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page

router = APIRouter()


@dataclass(frozen=True, slots=True)
class View:
    """The messages an agent had seen; those from `earlier` on are new since the step before. Steps are the numbers of
    entries that came from the agent's own replies, after which it has seen more than before, with labels."""

    name: str
    at: int
    step: int | None
    messages: list[moot.Message]
    earlier: int
    steps: list[tuple[int, str]]
    before: int | None
    after: int | None
    last: int


@router.get("/runs/{name}/as/{agent}")
async def view_as(request: Request, name: str, agent: str, at: Annotated[int | None, Query(ge=0)] = None) -> Response:
    run = await host_of(request).found(name)
    view = await asyncio.to_thread(_view, run, agent, at)
    cast = cast_names(await asyncio.to_thread(run.entries))
    topic = clip(run.config.topic, 200)
    return page(request, "seen.html.jinja", view=view, cast=cast, here=address(name), agent=agent, topic=topic)


def _view(run: moot.Run, agent: str, at: int | None) -> View:
    entries = run.entries()
    messages = run.shown(moot.seen_by(run, agent, at))
    cast = cast_names(entries)
    part = next((part for part, name in cast.items() if agent.casefold() in (part.casefold(), name.casefold())), agent)
    own = {record.key for record in run.records() if part_of(record.agent) == part}
    steps = _steps(entries, own)
    at = len(entries) - 1 if at is None else at
    reached = [seq for seq, _ in steps if seq <= at]
    before = reached[-2] if len(reached) > 1 else None
    seen_before = run.shown(moot.seen_by(run, agent, before)) if before is not None else []
    return View(
        name=cast.get(part, part),
        at=at,
        step=reached[-1] if reached else None,
        messages=messages,
        # An agent that was asked anew, without memory, does not go on from what it saw before.
        earlier=len(seen_before) if messages[: len(seen_before)] == seen_before else 0,
        steps=steps,
        before=before,
        after=next((seq for seq, _ in steps if seq > at), None),
        last=len(entries) - 1,
    )


def _steps(entries: Sequence[moot.Entry], calls: set[str]) -> list[tuple[int, str]]:
    """The first entry that each of these calls led to."""
    first: dict[str, moot.Entry] = {}
    for entry in entries:
        if entry.call in calls:
            first.setdefault(entry.call, entry)
    return [(entry.seq, f"{entry.type}, {entry.phase}" if entry.phase else entry.type) for entry in first.values()]
