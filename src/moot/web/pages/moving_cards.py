"""The cards of running debates, as they change: one stream of events for all cards of a page."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, suppress
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

import moot
from moot.service.host import Ended, Host, Written
from moot.web.following import BEAT, BEAT_EVERY, OPENING
from moot.web.pages.gallery import PER_PAGE, STATUSES, with_progress
from moot.web.pages.rendering import environment, host_of, shelf_of

TOGETHER = 0.5
"""Seconds for which changes are collected, so that a lively debate does not redraw its card all the time."""
router = APIRouter()


@router.get("/cards/follow")
async def follow(
    request: Request, name: Annotated[list[str], Query(min_length=1, max_length=PER_PAGE)]
) -> StreamingResponse:
    """The cards of these debates, now and after each change, until none of them runs."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_changes(request, name), media_type="text/event-stream", headers=headers)


async def _changes(request: Request, names: Sequence[str]) -> AsyncIterator[bytes]:
    changed, news = set(names), asyncio.Event()
    news.set()
    tasks = [asyncio.create_task(_watch(host_of(request), name, changed, news)) for name in names]
    try:
        yield OPENING
        while changed or not all(task.done() for task in tasks):
            try:
                async with asyncio.timeout(BEAT_EVERY):
                    await news.wait()
            except TimeoutError:
                yield BEAT
                continue
            await asyncio.sleep(TOGETHER)
            news.clear()
            now = sorted(changed)
            changed.clear()
            for card in await asyncio.to_thread(_cards, request, now):
                yield card
        yield b"event: ended\ndata: {}\n\n"
    finally:
        for task in tasks:
            task.cancel()


async def _watch(host: Host, name: str, changed: set[str], news: asyncio.Event) -> None:
    """Note each entry of a debate, and its end."""
    with suppress(moot.MootError):
        async with aclosing(host.follow(name)) as following:
            async for one in following:
                if isinstance(one, Written | Ended):
                    changed.add(name)
                    news.set()
    news.set()


def _cards(request: Request, names: Sequence[str]) -> list[bytes]:
    host, template = host_of(request), environment().get_template("card.html.jinja")
    cards = [with_progress(host, card) for name in names if (card := shelf_of(request).card(name))]
    told = [{"name": card.name, "html": template.render(card=card, statuses=STATUSES)} for card in cards]
    return [f"event: card\ndata: {json.dumps(one)}\n\n".encode() for one in told]
