"""What can be done with a debate after reading it: ask about it, debate further, fork, judge again, tag, bin."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.runs.tags import set_tags
from moot.service.afterwards import ask_about, debate_further, discard_run, fork_at, judge_again, restore_run
from moot.service.host import NoSuchRun
from moot.service.shelf import binned_cards
from moot.web.errors import status_of
from moot.web.forms import sent
from moot.web.pages.next_steps import Refusal
from moot.web.pages.read import read_page
from moot.web.pages.rendering import host_of, page
from moot.web.start_form import models_in

router = APIRouter()
LONGEST_NUMBER = 12


@router.post("/runs/{name}/ask")
async def ask(request: Request, name: str) -> Response:
    form = await sent(request)
    try:
        await ask_about(host_of(request), name, form.get("question", ""), models_in(form.get("model", "")))
    except moot.MootError as error:
        return await _refused(request, name, form, error)
    return RedirectResponse(f"/runs/{quote(name, safe='')}/read#questions", 303)


@router.post("/runs/{name}/again")
async def again(request: Request, name: str) -> Response:
    form = await sent(request)
    return await _begun(
        request,
        name,
        form,
        debate_further(host_of(request), name, form.get("question", ""), models_in(form.get("model", ""))),
    )


@router.post("/runs/{name}/fork")
async def fork(request: Request, name: str) -> Response:
    form = await sent(request)

    async def forked() -> str:
        at, seed = _number(form, "at"), _number(form, "seed")
        if at is None:
            raise moot.ConfigError("say at which entry, by its number", "at")
        return await fork_at(host_of(request), name, at, models_in(form.get("model", "")), seed)

    return await _begun(request, name, form, forked())


@router.post("/runs/{name}/rejudge")
async def rejudge(request: Request, name: str) -> Response:
    form = await sent(request)
    return await _begun(request, name, form, judge_again(host_of(request), name, models_in(form.get("model", ""))))


@router.post("/runs/{name}/tags")
async def tag(request: Request, name: str) -> Response:
    form = await sent(request)
    run = await host_of(request).found(name)
    try:
        await asyncio.to_thread(set_tags, run, form.get("tags", "").split(","))
    except moot.ConfigError as error:
        return await _refused(request, name, form, error)
    return RedirectResponse(f"/runs/{quote(name, safe='')}/read#afterwards", 303)


@router.post("/runs/{name}/discard")
async def throw_away(request: Request, name: str) -> Response:
    gone = await discard_run(host_of(request), name)
    return RedirectResponse(f"/?binned={quote(gone, safe='')}", 303)


@router.get("/bin")
async def show_bin(request: Request) -> Response:
    """The runs in the bin, the newest first."""
    return page(request, "bin.html.jinja", runs=await asyncio.to_thread(binned_cards, host_of(request).out))


@router.post("/bin/{name}/restore")
async def bring_back(request: Request, name: str) -> Response:
    return _to((await restore_run(host_of(request), name)).name)


async def _begun(request: Request, name: str, form: Mapping[str, str], start: Coroutine[Any, Any, str]) -> Response:
    """To the debate that this starts, or back to the page with what was typed and why it did not start."""
    try:
        return _to(await start)
    except moot.MootError as error:
        return await _refused(request, name, form, error)


async def _refused(request: Request, name: str, form: Mapping[str, str], error: moot.MootError) -> Response:
    if isinstance(error, NoSuchRun):
        raise error
    what = request.url.path.rpartition("/")[2]
    refusal = Refusal(what, host_of(request).message_for(error), form)
    try:
        return await read_page(request, name, status=status_of(error), refusal=refusal)
    except moot.MootError:  # a debate that cannot be shown
        raise error from None


def _to(name: str) -> Response:
    return RedirectResponse(f"/runs/{quote(name, safe='')}", 303)


def _number(form: dict[str, str], name: str) -> int | None:
    text: Any = form.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER):
        raise moot.ConfigError(f"`{name}` is a whole number, not {text[:40]!r}", name)
    return int(text)
