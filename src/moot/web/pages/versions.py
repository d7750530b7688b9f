"""The versions of a revised text, with the changes word by word."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.engine.define.capabilities import Versions
from moot.present import Version
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page
from moot.web.pages.word_diff import Piece, word_diff
from moot.web.threads import aside

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Compared:
    """A version and, after the first, its changes: empty if there are none, None if the texts were too long to
    compare."""

    version: Version
    first: bool
    pieces: list[Piece] | None


@router.get("/runs/{name}/versions")
async def versions(request: Request, name: str) -> Response:
    run = await host_of(request).found(name)
    result = await aside(lambda: moot.result_of(run))
    found = await asyncio.to_thread(_versions, run, result)
    return page(request, "versions.html.jinja", topic=run.config.topic, here=address(name), several=found)


def _versions(run: moot.Run, result: moot.Result) -> dict[str, list[Compared]]:
    """The versions by author or subject; none if the protocol has no versions."""
    revised = run.config.protocol.get(Versions)
    several = revised.of(result.outcome) if revised and result.outcome is not None else {}
    return {name: _compared(ones) for name, ones in several.items() if ones}


def _compared(ones: Sequence[Version]) -> list[Compared]:
    found: list[Compared] = []
    before: str | None = None
    for one in ones:
        pieces: list[Piece] | None = []
        if before != one.text:
            pieces = None if before is None else word_diff(before, one.text)
        found.append(Compared(one, before is None, pieces))
        before = one.text
    return found
