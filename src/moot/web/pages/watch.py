"""The live page: outline, transcript and inspector of a debate, during and after it. The page is complete when it is
sent. A script then follows the log and asks for new parts, which are rendered by the same templates."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import RedirectResponse, Response

import moot
from moot.engine.outcome.stored import StoredResult, readable_result
from moot.service.guests import limits_within
from moot.service.host import Host
from moot.service.live import NotAsked, how_it_ended
from moot.service.news import Ended, Question
from moot.text.fences import parts_of
from moot.web.answer_form import Field, fields_of
from moot.web.errors import status_of
from moot.web.forms import sent
from moot.web.pages import votes
from moot.web.pages.progress import LiveContent, progress_of, reply_of, shown
from moot.web.pages.read import address
from moot.web.pages.rendering import host_of, long_page, page, sorry
from moot.web.start_form import LIMITS, Faults, limits_in, people_in

router = APIRouter()
Seat = Annotated[str | None, Query(max_length=100)]
Seq = Annotated[int, Query(ge=0)]
After = Annotated[int, Query(ge=-1)]


@dataclass(frozen=True, slots=True)
class ReaderView:
    """A debate as one reader sees it. `seat` is the agent the reader answers for, until the debate has ended; `ended`
    is None while it runs, `stored` its result afterwards, and `ours` says that it can be stopped here. `since` is when
    it began or was resumed."""

    run: moot.Run
    progress: LiveContent
    ended: Ended | None
    stored: StoredResult | None
    ours: bool
    seat: str | None
    questions: list[Question]
    since: datetime | None

    @property
    def seconds(self) -> float:
        """The time that it has taken so far."""
        return (datetime.now(UTC) - self.since).total_seconds() if self.since else 0.0

    @property
    def query(self) -> str:
        return f"?{urlencode({'seat': self.seat})}" if self.seat else ""


@router.get("/runs/{name}/watch")
async def watch(
    request: Request, name: str, seat: Seat = None, entry: Seq | None = None, noted: bool = False
) -> Response:
    return await watch_page(request, name, seat, entry, noted=noted)


@router.get("/runs/{name}/watch/entries")
async def entries(
    request: Request, name: str, after: After = -1, upto: Seq | None = None, seat: Seat = None
) -> Response:
    """The new entries, and their places in the outline."""
    here = await view_of(host_of(request), name, seat)
    rows = await asyncio.to_thread(shown, here.run, here.progress, here.seat, after, upto)
    return await asyncio.to_thread(page, request, "entries.html.jinja", **_common(here), rows=rows)


@router.get("/runs/{name}/watch/figures")
async def drawn(request: Request, name: str, seat: Seat = None) -> Response:
    """How far the debate has come: its place, time and cost, charts and map."""
    here = await view_of(host_of(request), name, seat)
    drawings = await asyncio.to_thread(_figures, here)
    return page(request, "drawn.html.jinja", **_common(here), **drawings)


@router.get("/runs/{name}/watch/given")
async def given(request: Request, name: str) -> Response:
    """The documents, with the words that public entries quote."""
    here = await view_of(host_of(request), name)
    return await asyncio.to_thread(page, request, "given.html.jinja", given=here.progress.given)


@router.get("/runs/{name}/watch/state")
async def state(request: Request, name: str, seat: Seat = None) -> Response:
    """Whether the debate is running, the possible actions, and the open question at this seat."""
    here = await view_of(host_of(request), name, seat)
    return page(request, "standing.html.jinja", **_common(here), **_asked(here))


@router.get("/runs/{name}/watch/inspect/{seq}")
async def inspect(request: Request, name: str, seq: int, seat: Seat = None) -> Response:
    """All details of one entry."""
    here = await view_of(host_of(request), name, seat)
    chosen = await asyncio.to_thread(_inspected, here, seq)
    if chosen is None:
        raise HTTPException(404, f"there is no entry {seq} here")
    return page(request, "inspector.html.jinja", **_common(here), chosen=chosen)


@router.post("/runs/{name}/watch/cancel")
async def cancel(request: Request, name: str, seat: Seat = None) -> Response:
    """Stop the debate; it can be resumed."""
    host = host_of(request)
    with suppress(NotAsked):  # it has ended by itself
        await host.cancel(name)
        if not await asyncio.to_thread(host.has, name):
            return sorry(
                request, 410, "It is stopped", f"{name} is gone: its folder was deleted while it was under way."
            )
    here = await view_of(host, name, seat)
    return RedirectResponse(f"{address(name)}/watch{here.query}", 303)


@router.post("/runs/{name}/watch/resume")
async def resume(request: Request, name: str, seat: Seat = None) -> Response:
    """Resume the debate at the same seat, with new limits if it reached one."""
    host = host_of(request)
    faults = Faults()
    limits = limits_in(await sent(request), faults)
    if faults.by_field:
        return await watch_page(request, name, seat, status=422, said=" ".join(faults.by_field.values()))
    found = await host.found(name)
    if not await asyncio.to_thread(host.running, found):
        options = found.config.options.model_copy(update=limits)
        try:
            await host.resume(name, **limits_within(options))
        except (NotAsked, moot.RunBusy):
            pass  # somebody else took it up, and it may be done by now
        except moot.MootError as error:
            refusal = f"It was not resumed: {host.message_for(error)}"
            return await watch_page(request, name, seat, status=status_of(error), said=refusal)
    here = await view_of(host, name, seat)
    return RedirectResponse(f"{address(name)}/watch{here.query}", 303)


async def view_of(host: Host, name: str, seat: str | None = None) -> ReaderView:
    """The current state of a debate for this reader. 404 for an unknown seat."""
    run = await host.found(name)
    live = host.live(name)
    ended = None
    if live is None and not await asyncio.to_thread(host.running, run):
        ended = await asyncio.to_thread(how_it_ended, run)
    progress = await asyncio.to_thread(progress_of, run)
    taken = _seat(progress, seat) if seat else None
    if ended is not None and ended.status == "done":
        taken = None
    questions = list(live.questions.values()) if live else []
    if taken:
        questions = [question for question in questions if taken == question.agent]
    stored = await asyncio.to_thread(readable_result, run) if ended is not None and not taken else None
    ours = ended is None and await asyncio.to_thread(host.can_stop, run)
    return ReaderView(run, progress, ended, stored, ours, taken, questions, live.since if live else _since(progress))


def _since(progress: LiveContent) -> datetime | None:
    entries = progress.material.entries
    return datetime.fromisoformat(entries[0].timestamp) if entries else None


async def watch_page(
    request: Request,
    name: str,
    seat: str | None,
    entry: int | None = None,
    status: int = 200,
    **more: Any,
) -> Response:
    """The whole page; `more` are messages about a form that was sent."""
    here = await view_of(host_of(request), name, seat)

    def rendered() -> Response:
        rows = shown(here.run, here.progress, here.seat)
        chosen = _inspected(here, entry) if entry is not None else None
        values = {**_common(here), **_asked(here), **_figures(here), "rows": rows, "chosen": chosen, **more}
        return long_page(request, "watch.html.jinja", status=status, given=here.progress.given, **values)

    # A thousand entries take a while; those who follow other debates are not to wait for it.
    return await asyncio.to_thread(rendered)


def _common(here: ReaderView) -> dict[str, Any]:
    material = here.progress.material
    return {
        "here": address(here.run.name),
        "query": here.query,
        "seat": here.seat,
        "ended": here.ended,
        "stored": here.stored,
        "ours": here.ours,
        "run": material,
        "result": material.result,
        "last": len(material.entries) - 1,
        "at": here.progress.at,
        "seconds": here.seconds,
    }


def _figures(here: ReaderView) -> dict[str, Any]:
    """Charts depend on private entries too, so a person at a seat does not see them before the end; the map depends on
    public entries only."""
    return {
        "map": here.progress.map,
        "open": [] if here.seat else here.progress.open,
        "covered": [] if here.seat else here.progress.covered,
    }


def _asked(here: ReaderView) -> dict[str, Any]:
    question = here.questions[0] if here.seat and here.questions else None
    inputs: list[Field] = fields_of(question.schema) if question else []
    material = here.progress.material
    return {
        "question": question,
        "inputs": inputs,
        "asked": parts_of(question.text) if question else [],
        "optional": question is not None and may_skip(here.run, question),
        "waiting": here.questions,
        "limits": LIMITS,
        "seats": people_in(material.entries),
        "choices": votes.choices(here.run, material.entries),
        "typed": {},
        "faults": {},
        "said": "",
        "unsent": "",
        "noted": False,
    }


def may_skip(run: moot.Run, question: Question) -> bool:
    """Whether the question is for private notes, which a person can skip."""
    return question.schema is None and run.config.protocol.live.is_optional(question.key)


def _inspected(here: ReaderView, seq: int) -> dict[str, Any] | None:
    """An entry with its reply. From a seat, only the public part of other agents' entries."""
    line = next((line for line in shown(here.run, here.progress, here.seat, seq - 1, seq) if line.seq == seq), None)
    if line is None:
        return None
    entry, material = line.entry, here.progress.material
    own = here.seat is None or entry.speaker == here.seat
    reply = reply_of(material, entry) if own else None
    return {
        "entry": entry,
        "reply": reply,
        "raw": material.shown(reply.key, reply.reply or "") if reply else None,
        "data": entry.data.model_dump(mode="json") if entry.data is not None and own else None,
        "own": own,
    }


def _seat(progress: LiveContent, seat: str) -> str:
    """The agent with this name, or the agent that the person with this name plays."""
    cast = progress.material.header.cast if progress.material.header else []
    named = [member.name for member in cast if seat in (member.name, member.id)]
    speaks = [member.name for member in cast if f"human/{seat}" in member.models]
    if not (named or speaks):
        raise HTTPException(404, f"nobody in this debate is called {seat!r}")
    return (named or speaks)[0]
