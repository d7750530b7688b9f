"""The JSON API: what can be debated, and the debates there are. What is done to one of them is in `api_run`."""

import asyncio
from dataclasses import asdict
from pathlib import PurePath
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request

import moot
from moot.engine.sources.context import MOST_CHARACTERS, MOST_LETTERS_OF_IMAGES
from moot.engine.staging.plan import Plan
from moot.evidence.context import read_body
from moot.models.registry import ProviderInfo, describe_providers
from moot.runs.schemas import file_schema, options_schema
from moot.service.shelf import CardStatus
from moot.text.images import MOST_BYTES
from moot.web import api_run
from moot.web.pages.rendering import host_of
from moot.web.security import Places
from moot.web.shapes import (
    DebateRequest,
    DocumentRequest,
    ProtocolName,
    RunsAnswer,
    StartedAnswer,
    config_of,
)
from moot.web.start_form import Example, Offer, examples, offers
from moot.web.threads import run_in_thread

PER_PAGE = 50
router = APIRouter(prefix="/api", tags=["debates"])
reading = Places(2)
"""A PDF or a page is read by a process with a gigabyte of memory at most."""


@router.get("/protocols")
def protocols() -> list[dict[str, Any]]:
    """The protocols, who takes part in them, and what can be set: `options` is the JSON Schema of the most common
    settings, `settings` that of all settings in a debate file. `origin` is null for those that come with moot."""
    return [_described(offer) for offer in offers()]


def _described(offer: Offer) -> dict[str, Any]:
    protocol = offer.protocol
    return {
        "name": protocol.name,
        "title": protocol.title,
        "about": protocol.about,
        "gives": protocol.gives,
        "origin": asdict(offer.origin) if offer.origin else None,
        "subject": protocol.subject.name,
        "topic_key": protocol.subject.key,
        "roles": [part.key for part in offer.parts],
        "options": options_schema(protocol),
        "settings": file_schema(protocol),
    }


@router.get("/examples")
def ready_examples() -> list[Example]:
    """Debates to start from."""
    return list(examples())


@router.get("/providers")
def providers() -> list[ProviderInfo]:
    """The providers of models. No server is asked, and no key is shown."""
    return describe_providers()


@router.post("/plan")
async def plan(asked: DebateRequest, request: Request) -> Plan:
    """What a debate would take: calls, the longest chain of them, tokens and price. Nothing is spent."""
    config, check = config_of(asked), host_of(request).check_model
    return await run_in_thread(lambda: moot.plan(config, check=check))


@router.post("/runs", status_code=201)
async def start(asked: DebateRequest, request: Request) -> StartedAnswer:
    """Start a debate. It runs on its own, even if nobody follows it."""
    return StartedAnswer.of(await host_of(request).start(config_of(asked)))


@router.post("/documents", response_model_exclude_defaults=True)
async def read_document(request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]) -> DocumentRequest:
    """The text of a file, sent as the body: Markdown, text, code, JSON, HTML or PDF; of an image what it is, and its
    bytes. Nothing is stored: send it on with a debate."""
    with reading.one() as free:
        if not free:
            raise HTTPException(503, "as many documents are being read as may be; come back later")
        body = await request.body()
        found = await asyncio.to_thread(read_body, body, PurePath(name).name)
    if len(found.image) > MOST_LETTERS_OF_IMAGES:
        raise moot.ConfigError(f"all images may have {MOST_BYTES:,} bytes together, and this one has more", "documents")
    if len(found.text) > MOST_CHARACTERS:
        raise moot.ConfigError(f"a document may have {MOST_CHARACTERS:,} characters, not {len(found.text):,}")
    return DocumentRequest(title=found.title[:300], text=found.text, image=found.image)


@router.get("/runs")
async def runs(
    request: Request,
    query: Annotated[
        str, Query(max_length=200, description="Words in topic, name, headline or in what was said.")
    ] = "",
    protocol: ProtocolName | None = None,
    status: CardStatus | None = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> RunsAnswer:
    """The debates there are, those under way first and then the newest first."""
    shelf = host_of(request).shelf
    found = await asyncio.to_thread(shelf.search, query, protocol or "", status or "")
    shown = found[(page - 1) * PER_PAGE : page * PER_PAGE]
    return RunsAnswer(
        runs=await asyncio.to_thread(lambda: list(map(shelf.with_progress, shown))),
        total=len(found),
        page=page,
        pages=max(1, -(-len(found) // PER_PAGE)),
    )


router.include_router(api_run.router)
