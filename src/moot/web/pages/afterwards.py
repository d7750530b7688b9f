"""What can be done with a debate after reading it: ask further, fork, debate or judge again, tag, and the bin."""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.material import Material
from moot.runs.bin import binned
from moot.runs.tags import set_tags, tags_of
from moot.service.afterwards import ask_further, discard_run, fork_at, judge_again, restore_run
from moot.web.again_form import can_swap
from moot.web.forms import sent
from moot.web.pages.rendering import host_of, page
from moot.web.start_form import offer_of

router = APIRouter()
LONGEST_NUMBER = 12


@dataclass(frozen=True, slots=True)
class Afterwards:
    """What can be done with this debate. `last` is its last entry; `judged` why it cannot be judged again."""

    done: bool
    last: int
    again: bool
    swap: bool
    judged: str | None
    judge: str
    tags: tuple[str, ...]
    can_discard: bool


def afterwards(material: Material) -> Afterwards:
    run, protocol = material.run, material.run.config.protocol
    judges = [member for member in material.header.cast if member.role == "judge"] if material.header else []
    return Afterwards(
        done=material.result.status == "done" and not protocol.missing,
        last=len(material.entries) - 1,
        again=offer_of({"protocol": protocol.name}) is not None,
        swap=can_swap(run),
        judged=protocol.rejudge if isinstance(protocol.rejudge, str) else None,
        judge=", ".join(judges[0].models) if judges else "",
        tags=tags_of(run),
        can_discard=run.folder is not None and run.known_as is None,
    )


@router.post("/runs/{name}/ask")
async def ask(request: Request, name: str) -> Response:
    form = await sent(request)
    return _to(await ask_further(host_of(request), name, form.get("question", ""), _models(form)))


@router.post("/runs/{name}/fork")
async def fork(request: Request, name: str) -> Response:
    form = await sent(request)
    at, seed = _number(form, "at"), _number(form, "seed")
    if at is None:
        raise moot.ConfigError("say at which entry, by its number", "at")
    return _to(await fork_at(host_of(request), name, at, _models(form), seed))


@router.post("/runs/{name}/rejudge")
async def rejudge(request: Request, name: str) -> Response:
    return _to(await judge_again(host_of(request), name, _models(await sent(request))))


@router.post("/runs/{name}/tags")
async def tag(request: Request, name: str) -> Response:
    form = await sent(request)
    run = await host_of(request).found(name)
    await asyncio.to_thread(set_tags, run, form.get("tags", "").split(","))
    return RedirectResponse(f"/runs/{quote(name, safe='')}/read#afterwards", 303)


@router.post("/runs/{name}/discard")
async def throw_away(request: Request, name: str) -> Response:
    gone = await discard_run(host_of(request), name)
    return RedirectResponse(f"/?binned={quote(gone, safe='')}", 303)


@router.get("/bin")
async def show_bin(request: Request) -> Response:
    """The runs in the bin, the newest first."""
    runs = await asyncio.to_thread(binned, host_of(request).out)
    return page(request, "bin.html.jinja", runs=[run.name for run in reversed(runs)])


@router.post("/bin/{name}/restore")
async def bring_back(request: Request, name: str) -> Response:
    return _to((await restore_run(host_of(request), name)).name)


def _to(name: str) -> Response:
    return RedirectResponse(f"/runs/{quote(name, safe='')}", 303)


def _models(form: dict[str, str]) -> list[str]:
    return [one.strip() for one in form.get("model", "").split(",") if one.strip()]


def _number(form: dict[str, str], name: str) -> int | None:
    text: Any = form.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER):
        raise moot.ConfigError(f"`{name}` is a whole number, not {text[:40]!r}", name)
    return int(text)
