"""The versions of a proposal or an idea, each with what changed in it, word by word."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

import moot
from moot.web.aside import aside
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, page
from moot.web.pages.word_diff import Piece, word_diff

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Version:
    """A version and, after the first, what changed in it: empty for nothing, None where that was not compared."""

    title: str
    seq: int | None
    text: str
    first: bool
    pieces: list[Piece] | None


@router.get("/runs/{name}/versions")
async def versions(request: Request, name: str) -> Response:
    run = host_of(request).find(name)
    result = await aside(lambda: moot.result_of(run))
    found = await asyncio.to_thread(_versions, result.document())
    topic = getattr(result.outcome, "topic", name)
    return page(request, "versions.html.jinja", topic=topic, here=address(name), several=found)


def _versions(document: dict[str, Any]) -> dict[str, list[Version]]:
    """By whose they are. Only arenas and panels have versions."""
    proposals = document.get("versions") or {}
    several = {
        name: [(_round(one), one["seq"], f"{one['decision']}\n\n{one['proposal']}") for one in ones]
        for name, ones in proposals.items()
    }
    ideas = [(f"Version {one['version']}", None, one["idea"]) for one in document.get("revisions") or []]
    return {name: _compared(ones) for name, ones in {**several, "The idea": ideas}.items() if ones}


def _round(version: dict[str, Any]) -> str:
    return f"Round {version['round']}" + (", exchange" if version["phase"] == "gate" else "")


def _compared(ones: Sequence[tuple[str, int | None, str]]) -> list[Version]:
    found: list[Version] = []
    before: str | None = None
    for title, seq, text in ones:
        pieces: list[Piece] | None = []
        if before != text:
            pieces = None if before is None else word_diff(before, text)
        found.append(Version(title, seq, text, before is None, pieces))
        before = text
    return found
