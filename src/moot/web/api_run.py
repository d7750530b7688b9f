"""The JSON API of one debate: read, follow, take part, stop, resume, contest, export."""

import asyncio
import json
import threading
import warnings
from dataclasses import asdict
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response, StreamingResponse

import moot
from moot.engine.outcome.questions import Answer
from moot.runs.export import exporter
from moot.service.afterwards import ask_about
from moot.service.detail import Detail, read_detail
from moot.service.guests import LIMITS, limits_within
from moot.service.host import Host
from moot.service.live import NotAsked, how_it_ended, readable_since
from moot.text.json import parse_json
from moot.web.following import BEAT_EVERY, entry_json, events
from moot.web.pages.rendering import host_of
from moot.web.partial_json import with_readable_speech
from moot.web.shapes import (
    AnswerRequest,
    ContestRequest,
    EntryRequest,
    Form,
    QuestionRequest,
    ResumeRequest,
    RunName,
    StartedAnswer,
    VoteRequest,
    listed,
)

After = Annotated[int, Query(ge=-1, le=10**9, description="The last entry that is known already; -1 when none is.")]
Seat = Annotated[
    str | None,
    Query(min_length=1, max_length=200, description="The name of an agent: only what it may know until all is said."),
]
router = APIRouter(prefix="/runs/{name}")
_one_at_a_time = threading.Lock()


@router.get("")
async def read(name: RunName, request: Request) -> Detail:
    """The current state of a debate, with its result if it has one."""
    host = host_of(request)
    return await asyncio.to_thread(read_detail, host, await host.found(name))


async def _kept_from(host: Host, run: moot.Run, seat: str | None) -> str | None:
    """The seat, until the debate is done: a stopped debate can be resumed by the people in it."""
    if seat is None or await asyncio.to_thread(host.running, run):
        return seat
    return None if (await asyncio.to_thread(how_it_ended, run)).status == "done" else seat


@router.get("/entries")
async def entries(name: RunName, request: Request, after: After = -1, seat: Seat = None) -> Response:
    """The entries after that one, as readers see them."""
    host = host_of(request)
    found = await host.found(name)
    seat = await _kept_from(host, found, seat)
    body = await asyncio.to_thread(_entries_json, found, after, seat)
    return Response(body, media_type="application/json")


def _entries_json(run: moot.Run, after: int, seat: str | None) -> bytes:
    written = run.entries()
    written_json = [entry_json(news.entry) for news in readable_since(run, written, after, seat) if not news.again]
    return b'{"entries":[%b],"last":%d}' % (b",".join(written_json), max(after, len(written) - 1))


@router.get("/follow", response_class=StreamingResponse)
async def follow(
    name: RunName,
    request: Request,
    after: After = -1,
    seat: Seat = None,
    readable: Annotated[
        bool, Query(description="Of a reply that is JSON, tell the texts in it while it is generated.")
    ] = False,
    last_event_id: Annotated[
        str | None, Header(max_length=20, description="Beats `after`, as browsers resume.")
    ] = None,
) -> StreamingResponse:
    """All events after that entry, until the debate ends."""
    host = host_of(request)
    seat = await _kept_from(host, await host.found(name), seat)
    if last_event_id is not None and last_event_id.isdecimal():
        after = int(last_event_id)
    news = host.batches(name, after, seat, BEAT_EVERY)
    return StreamingResponse(
        events(with_readable_speech(news) if readable else news, host.message_for),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@router.post("/answers", status_code=204)
async def answer(name: RunName, given: AnswerRequest, request: Request) -> None:
    """Answer an open question to a person."""
    host = host_of(request)
    live = host.live(name)
    if live is None:
        await host.found(name)
        raise NotAsked(f"{name} is not under way at this server, so nobody is waited for here")
    if (given.text is None) == (given.fields is None):
        raise moot.ConfigError("give either `text` or `fields`")
    live.answer(given.key, json.dumps(given.fields, ensure_ascii=False) if given.text is None else given.text)


@router.post("/entries", status_code=201)
async def append(name: RunName, given: EntryRequest, request: Request) -> dict[str, int]:
    """Append a note."""
    return {"seq": await host_of(request).append(name, **given.model_dump())}


@router.post("/votes", status_code=201)
async def vote(name: RunName, given: VoteRequest, request: Request) -> dict[str, int]:
    """Vote as a reader. The debate ignores it."""
    fields = {"speaker": given.voter, "type": "reader_vote", "content": given.choice}
    return {"seq": await host_of(request).append(name, **fields)}


@router.post("/cancel", status_code=204)
async def cancel(name: RunName, request: Request) -> None:
    """Stop a debate of this server or of a worker of its queue. It is kept and can be resumed."""
    await host_of(request).cancel(name)


@router.post("/resume", status_code=202)
async def resume(name: RunName, request: Request, given: ResumeRequest | None = None) -> StartedAnswer:
    """Resume a stopped debate. Replies on record are not paid again."""
    host = host_of(request)
    found = await host.found(name)
    if host.live(name) is not None:
        raise moot.RunBusy(f"{name} is already running")
    asked = {key: getattr(given, key) for key in LIMITS} if given else {}
    kept = found.config.options
    options = kept.model_copy(update={key: value for key, value in asked.items() if value is not None})
    await host.resume(name, **limits_within(options))
    return StartedAnswer.of(name)


@router.post("/questions")
async def ask(name: RunName, given: QuestionRequest, request: Request) -> Answer:
    """Ask about a finished debate. One model answers from the record, citing entries, and the answer is kept with the
    run. A question that the same model has answered before is answered from there."""
    limits = {key: getattr(given, key) for key in LIMITS}
    return await ask_about(host_of(request), name, given.question, listed(given.model), **limits)


@router.post("/contest")
async def contest(name: RunName, edits: ContestRequest, request: Request) -> dict[str, Any]:
    """The verdict with other arguments, for debates with an argument graph. The run is not changed."""
    found = await host_of(request).found(name)
    contested = await asyncio.to_thread(lambda: moot.contest(found, **edits.model_dump()))
    return {**contested.document(), "summary": contested.summary}


@router.get("/seen")
async def seen(
    name: RunName,
    request: Request,
    agent: Annotated[str, Query(min_length=1, max_length=200)],
    at: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> dict[str, Any]:
    """Exactly what an agent was sent, and its replies, when entry `at` was written."""
    found = await host_of(request).found(name)
    messages = await asyncio.to_thread(lambda: found.shown(moot.seen_by(found, agent, at)))
    return {"agent": agent, "messages": [{"role": message.role, "content": message.content} for message in messages]}


@router.get("/verify")
async def verify(name: RunName, request: Request) -> dict[str, Any]:
    """Whether the files are unchanged, and the result belongs to them."""
    found = await host_of(request).found(name)
    checked = await asyncio.to_thread(moot.verify, found)
    return {"ok": not checked.faults, **asdict(checked)}


@router.get("/export/{form}", response_class=Response)
async def export(name: RunName, form: Form, request: Request) -> Response:
    """A debate as one document: the report, the whole run as JSON, or its argument graph. If text was struck from the
    record, the JSON has the log as readers see it, and no calls."""
    host = host_of(request)
    found = await host.found(name)
    if await asyncio.to_thread(host.running, found):
        raise moot.RunBusy(f"{name} is under way; it can be had as a document once it has ended")
    text = await asyncio.to_thread(_exported, found, form)
    headers = {
        # Names are of any script, and headers are not.
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(f'{name}.{form}')}",
        # A report has styles of its own within it; as a page of this server it could do nothing else.
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    }
    return Response(text, media_type=exporter(form).media, headers=headers)


def _exported(run: moot.Run, form: Form) -> str:
    """The export, made in a thread with its own loop: a long report must not delay followers."""
    # What is done with warnings holds for all threads: two at once would each put back what the other had set.
    with _one_at_a_time, warnings.catch_warnings():
        # A form that cannot hold all there is says so by a warning.
        warnings.simplefilter("ignore")
        text = asyncio.run(moot.export(run, form))
    entries, readable = run.entries(), run.readable()
    if form != "json" or (run.folder is not None and entries == readable):
        return text
    whole = parse_json(text)
    if run.folder is None:
        # Where the database is, is nobody's business who only asks over HTTP.
        whole["config"].pop("out", None)
        whole["result"]["run"] = run.name
    if entries != readable:
        whole |= {"log": [entry.model_dump(mode="json") for entry in readable], "calls": None}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
