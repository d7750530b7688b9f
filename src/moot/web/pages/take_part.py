"""Taking part: answering at a seat, voting as a reader, adding a note."""

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.staging.outside import READER_VOTE
from moot.models.human import NO_NOTES
from moot.service.live import NotAsked
from moot.web.answer_form import Unfit, answer_from
from moot.web.forms import sent
from moot.web.pages import votes
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of
from moot.web.pages.watch import Seat, may_skip, view_of, watch_page

router = APIRouter()
GONE = "Too late: this question was already answered, or the debate moved on."


@router.post("/runs/{name}/answer")
async def answer(request: Request, name: str, seat: Seat = None) -> Response:
    """Answer the question that waits for the person at this seat."""
    form = await sent(request)
    host = host_of(request)
    live = host.live(name)
    here = await view_of(host, name, seat)
    question = live.questions.get(form.get("key", "")) if live else None
    if live is None or question is None or here.seat != question.agent:
        return await watch_page(request, name, seat, status=409, said=GONE, unsent=_texts(form))
    try:
        skipped = form.get("skip") and may_skip(here.run, question)
        live.answer(question.key, NO_NOTES if skipped else answer_from(question.schema, form))
    except Unfit as unfit:
        return await watch_page(request, name, seat, status=422, faults=unfit.faults, typed=form)
    except NotAsked:
        return await watch_page(request, name, seat, status=409, said=GONE, unsent=_texts(form))
    except moot.ConfigError as error:
        return await watch_page(request, name, seat, status=422, said=f"{error}.", typed=form)
    return RedirectResponse(f"{address(name)}/watch{here.query}#now", 303)


@router.post("/runs/{name}/vote")
async def vote(request: Request, name: str) -> Response:
    """A reader's vote: an entry from outside. No agent sees it, and no result depends on it."""
    form = await sent(request)
    run = await host_of(request).found(name)
    choice, voter = form.get("choice", ""), form.get("voter", "").strip() or "a reader"
    if choice not in votes.choices(run, await asyncio.to_thread(run.readable)):
        return await watch_page(request, name, None, status=422, said="Choose whom or what you vote for.", typed=form)
    return await _appended(request, name, form, speaker=voter, type=READER_VOTE, content=choice)


@router.post("/runs/{name}/note")
async def note(request: Request, name: str) -> Response:
    """A reader's question or remark, marked as coming from outside."""
    form = await sent(request)
    speaker = form.get("voter", "").strip() or "a reader"
    return await _appended(request, name, form, speaker=speaker, type="note", content=form.get("note", ""))


async def _appended(request: Request, name: str, form: dict[str, str], **fields: str) -> Response:
    host = host_of(request)
    try:
        seq = await host.append(name, **fields)
    except moot.ConfigError as error:
        return await watch_page(request, name, None, status=422, said=f"{error}.", typed=form)
    if form.get("after") == "reading":
        return RedirectResponse(f"{address(name)}#readers", 303)
    return RedirectResponse(f"{address(name)}/watch?entry={seq}&noted=1#e{seq}", 303)


def _texts(form: dict[str, str]) -> str:
    """The texts of an answer that came too late, so that they are not lost."""
    return "\n\n".join(text.strip() for name, text in form.items() if name != "key" and text.strip())
