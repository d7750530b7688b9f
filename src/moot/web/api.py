"""The JSON API: what can be debated, and the debates there are. What is done to one of them is in `api_run`."""

import asyncio
from dataclasses import asdict
from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request

import moot
from moot.engine.sources.context import MOST_CHARACTERS, MOST_LETTERS_OF_IMAGES
from moot.engine.staging.plan import Plan
from moot.evidence.context import read_body
from moot.models.registry import describe_providers
from moot.runs.schemas import file_schema, options_schema
from moot.text.images import MOST_BYTES
from moot.web import api_run
from moot.web.errors import documented
from moot.web.pages.rendering import host_of, shelf_of
from moot.web.requests import config_of
from moot.web.security import Places
from moot.web.shapes import (
    DebateRequest,
    DocumentRequest,
    ExampleAnswer,
    OriginAnswer,
    ProtocolAnswer,
    ProtocolName,
    ProviderAnswer,
    RunAnswer,
    RunsAnswer,
    StartedAnswer,
    Status,
)
from moot.web.start_form import Offer, examples, offers
from moot.web.threads import aside

PER_PAGE = 50
router = APIRouter(prefix="/api", tags=["debates"])
A_FILE = {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
reading = Places(2)
"""A PDF or a page is read by a process with a gigabyte of memory at most."""


@router.get("/protocols", responses=documented())
def protocols() -> list[ProtocolAnswer]:
    """The protocols, who takes part in them, and what can be set."""
    return [_described(one) for one in offers()]


def _described(offer: Offer) -> ProtocolAnswer:
    protocol, origin = offer.protocol, offer.origin
    return ProtocolAnswer(
        name=protocol.name,
        title=protocol.title,
        about=protocol.about,
        gives=protocol.gives,
        origin=OriginAnswer(source=origin.source, version=origin.version, sha256=origin.sha256) if origin else None,
        subject=protocol.subject.name,
        topic_key=protocol.subject.key,
        roles=[part.key for part in offer.parts],
        options=options_schema(protocol),
        settings=file_schema(protocol),
    )


@router.get("/examples", responses=documented())
def ready_examples() -> list[ExampleAnswer]:
    """Debates to start from."""
    return [
        ExampleAnswer(name=one.name, protocol=one.protocol, title=one.title, settings=dict(one.settings))
        for one in examples()
    ]


@router.get("/providers", responses=documented())
def providers() -> list[ProviderAnswer]:
    """The providers of models. No server is asked, and no key is shown."""
    return [ProviderAnswer(**asdict(one)) for one in describe_providers()]


@router.post("/plan", responses=documented(422, body=True))
async def plan(asked: DebateRequest, request: Request) -> Plan:
    """What a debate would take: calls, the longest chain of them, tokens and price. Nothing is spent."""
    config, check = config_of(asked), host_of(request).check_model
    return await aside(lambda: moot.plan(config, check=check))


@router.post("/runs", status_code=201, responses=documented(422, 503, body=True))
async def start(asked: DebateRequest, request: Request) -> StartedAnswer:
    """Start a debate. It runs on its own, even if nobody follows it."""
    name = await host_of(request).start(config_of(asked))
    return StartedAnswer(name=name, page=f"/runs/{name}", follow=f"/api/runs/{name}/follow")


@router.post(
    "/documents",
    responses=documented(422, 503, body=True),
    openapi_extra={"requestBody": A_FILE},
    response_model_exclude_defaults=True,
)
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


@router.get("/runs", responses=documented(422))
async def runs(
    request: Request,
    query: Annotated[
        str, Query(max_length=200, description="Words in topic, name, headline or in what was said.")
    ] = "",
    protocol: ProtocolName | None = None,
    status: Status | None = None,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> RunsAnswer:
    """The debates there are, those under way first and then the newest first."""
    found = await asyncio.to_thread(shelf_of(request).search, query, protocol or "", status or "")
    shown = found[(page - 1) * PER_PAGE : page * PER_PAGE]
    fields = RunAnswer.model_fields
    return RunsAnswer(
        runs=[RunAnswer(**{key: value for key, value in asdict(card).items() if key in fields}) for card in shown],
        total=len(found),
        page=page,
        pages=max(1, -(-len(found) // PER_PAGE)),
    )


router.include_router(api_run.router)
