"""The gallery: all debates, running ones first, then the newest first, with search and filters."""

import asyncio
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from moot.engine.define.registry import protocol_names
from moot.models.scripted import Demo, demo_names, read_demo
from moot.plugins.features import offered
from moot.runs.bin import binned as in_bin
from moot.runs.demos import demo
from moot.service.host import TooManyDebates
from moot.service.shelf import Card
from moot.web.pages.rendering import host_of, page, sorry

PER_PAGE = 24

router = APIRouter()


@router.get("/")
async def gallery(
    request: Request,
    query: str = "",
    protocol: str = "",
    status: str = "",
    tag: str = "",
    binned: Annotated[str, Query(max_length=300)] = "",
    number: Annotated[int, Query(alias="page", ge=1, le=100_000)] = 1,
) -> Response:
    shelf = host_of(request).shelf
    cards = await asyncio.to_thread(shelf.cards)
    found = await asyncio.to_thread(shelf.search, query, protocol, status, tag, cards)
    studies, fitting = await asyncio.to_thread(_studies, request, query, protocol, status)
    gone = {run.name for run in await asyncio.to_thread(in_bin, host_of(request).out)}
    pages = max(1, -(-len(found) // PER_PAGE))
    number = min(number, pages)
    here = found[(number - 1) * PER_PAGE : number * PER_PAGE]
    shown = await asyncio.to_thread(lambda: list(map(shelf.with_progress, here)))
    excerpts = await asyncio.to_thread(lambda: {card.name: shelf.excerpt(card, query) for card in shown})
    return page(
        request,
        "gallery.html.jinja",
        total=len(cards),
        found=len(found),
        studies=fitting if number == 1 and not tag else [],
        studied=len(studies),
        database="://" in host_of(request).out,
        groups=_groups(shown),
        excerpts=excerpts,
        chosen={"query": query, "protocol": protocol, "status": status, "tag": tag},
        tags=sorted({tag for card in cards for tag in card.tags}),
        binned=binned if binned in gone else "",
        in_bin=len(gone),
        protocols=sorted(
            {*protocol_names(), *(card.protocol for card in cards), *(study.study.kind for study in studies)}
        ),
        number=number,
        pages=pages,
        demos=_demos(),
    )


@router.post("/demos/{name}")
async def start_demo(request: Request, name: str) -> Response:
    """Play a hand-written debate here, at reading speed, and lead to the page that follows it."""
    if name not in demo_names():
        return sorry(request, 404, "There is no such example", "The examples are at the foot of the list of debates.")
    host = host_of(request)
    config, models = await asyncio.to_thread(demo, name, host.out)
    try:
        run = await host.start(config, models)
    except TooManyDebates as error:
        return sorry(request, 503, "Too many debates", f"{error}.")
    return RedirectResponse(f"/runs/{run}/watch", 303)


def _studies(request: Request, query: str, kind: str, status: str) -> tuple[list[Any], list[Any]]:
    """The batches and evaluations, and those of them that fit; none without the feature of studies."""
    for cards in offered("cards"):
        found: tuple[list[Any], list[Any]] = cards(request, query, kind, status)
        return found
    return [], []


@cache
def _demos() -> list[Demo]:
    """The hand-written debates, in the order in which protocols are offered."""
    return [read_demo(name) for name in protocol_names() if name in demo_names()]


def _groups(cards: list[Card]) -> list[tuple[str, list[Card]]]:
    """The running debates, then the others."""
    live = [card for card in cards if card.live]
    ended = [card for card in cards if not card.live]
    return [(name, several) for name, several in (("Under way", live), ("Ended", ended)) if several]
