"""Debates behind OpenAI's chat-completions API: the model is a protocol, the last message the question, the reply the
decision."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

import moot
from moot.engine.define.protocol import Protocol
from moot.engine.define.registry import find_offered, protocol_names
from moot.engine.outcome.material import gather
from moot.engine.outcome.questions import Answer
from moot.engine.outcome.stored import Spent
from moot.models.base import Usage
from moot.service.afterwards import ask_about
from moot.service.guests import LIMITS
from moot.service.host import Host
from moot.service.live import how_it_ended
from moot.service.news import Ended, Quiet, Written
from moot.web.errors import openai_problem
from moot.web.following import BEAT, BEAT_EVERY
from moot.web.pages.rendering import host_of
from moot.web.plain_text import answer_to_text, debate_linked_in, outcome_to_text, paragraphs
from moot.web.shapes import ChatMessage, ChatRequest, DebateRequest, config_of, listed
from moot.web.threads import run_in_thread

router = APIRouter(prefix="/v1", tags=["chat completions"])
PREFIX = "moot/"
BEFORE = "The conversation before this question"
FAILED = ("failed", "interrupted")
DONE = b"data: [DONE]\n\n"
_stopping: set[asyncio.Task[None]] = set()
"""Debates that are being stopped: a task that nobody holds on to may vanish."""


@router.get("/models")
def models() -> dict[str, Any]:
    """The protocols, as models."""
    return {"object": "list", "data": [_model(name) for name in protocol_names()]}


@router.get("/models/{model:path}")
def model(model: Annotated[str, Path(min_length=1, max_length=100)]) -> dict[str, Any]:
    """A protocol, as a model."""
    return _model(_protocol_of(model).name)


def _model(protocol: str) -> dict[str, Any]:
    return {"id": f"{PREFIX}{protocol}", "object": "model", "created": 0, "owned_by": "moot"}


@router.post("/chat/completions")
async def complete(asked: ChatRequest, request: Request) -> Response:
    """Debate the last message, and answer with the decision. Earlier messages are a document that everybody is given.
    Closing the connection stops the debate; it is kept, and can be resumed. A message after a decision is answered from
    the record of that debate."""
    host = host_of(request)
    if (about := await _debate_asked_about(host, asked)) is not None:
        limits = {key: getattr(asked.moot, key) for key in LIMITS} if asked.moot else {}
        models = listed(asked.moot.model if asked.moot else None)
        answer = await ask_about(host, about, _last(asked.messages).text, models, **limits)
        return _follow_up(asked, about, answer, _link(host, request, about))
    name = await host.start(_debate_of(asked))
    link = _link(host, request, name)
    if asked.stream:
        pieces = _stream(host, name, asked, link)
        # Only a generator that has begun is closed, and stops the debate, when nobody reads it.
        return StreamingResponse(_with_first(await anext(pieces), pieces), media_type="text/event-stream")
    end = await _ended(host, name, request)
    if end.status in FAILED:
        return openai_problem(424, _why(end, link), "debate_failed")
    text, result = await _outcome(host, name, link)
    return JSONResponse(_completion(asked, name, text, _finish(end), _usage(result.spent)))


def _protocol_of(model: str) -> Protocol:
    if model.startswith(PREFIX):
        with suppress(moot.ConfigError):
            return find_offered(model.removeprefix(PREFIX)).protocol
    known = ", ".join(f"{PREFIX}{name}" for name in protocol_names())
    raise HTTPException(404, f"there is no model {model[:60]!r}; there are {known}")


def _debate_of(asked: ChatRequest) -> moot.RunConfig:
    """The debate about the last message."""
    protocol, last = _protocol_of(asked.model), _last(asked.messages)
    given: dict[str, Any] = asked.moot.model_dump(exclude_unset=True) if asked.moot else {}
    settings = dict(given.pop("settings", {}))
    before = "\n\n".join(f"{message.role}: {message.text}" for message in asked.messages[:-1] if message.text.strip())
    if before and isinstance(documents := settings.get("documents", []), list):
        settings["documents"] = [{"title": BEFORE, "text": before}, *documents]
    return config_of(DebateRequest(protocol=protocol.name, topic=last.text, settings=settings, **given))


async def _debate_asked_about(host: Host, asked: ChatRequest) -> str | None:
    """The finished debate of this protocol that the last reply in the conversation links to. None if there is none, and
    the message is to be debated."""
    protocol = _protocol_of(asked.model)
    replies = [message.text for message in asked.messages if message.role == "assistant"]
    name = debate_linked_in(replies[-1]) if replies else None
    if name is None or not await asyncio.to_thread(host.has, name):
        return None
    run = await host.found(name)
    if run.config.protocol.name != protocol.name or await asyncio.to_thread(host.running, run):
        return None
    return name if (await asyncio.to_thread(how_it_ended, run)).status == "done" else None


def _last(messages: list[ChatMessage]) -> ChatMessage:
    last = messages[-1]
    if last.role != "user" or not last.text.strip():
        raise moot.ConfigError("the last message must be the user's, and say what is to be debated")
    return last


def _follow_up(asked: ChatRequest, name: str, answer: Answer, link: str) -> Response:
    """An answer about a debate, whole or as a stream."""
    text, usage = answer_to_text(answer, link), _usage(answer.usage)
    if not asked.stream:
        return JSONResponse(_completion(asked, name, text, "stop", usage))
    chunks = [
        _chunk(asked, name, {"role": "assistant", "content": text}),
        _chunk(asked, name, {}, "stop"),
        *_usage_chunk(asked, name, usage),
    ]
    return Response(b"".join([*chunks, DONE]), media_type="text/event-stream")


async def _stream(host: Host, name: str, asked: ChatRequest, link: str) -> AsyncGenerator[bytes, None]:
    """The public statements as they are made, then the decision. Who stops listening stops the debate."""
    end: Ended | None = None
    try:
        yield _chunk(asked, name, {"role": "assistant", "content": ""})
        paragraph = paragraphs((await host.found(name)).config.protocol)
        async with aclosing(host.follow(name, beat=BEAT_EVERY)) as following:
            async for news in following:
                if isinstance(news, Quiet):
                    yield BEAT
                elif isinstance(news, Ended):
                    end = news
                elif isinstance(news, Written) and not news.again and (found := paragraph(news.entry)):
                    yield _chunk(asked, name, {"content": found})
        assert end is not None  # noqa: S101 (a debate that is followed ends)
        if end.status in FAILED:
            yield _data({"error": {"message": _why(end, link), "type": "debate_failed"}})
            return
        text, result = await _outcome(host, name, link)
        yield _chunk(asked, name, {"content": f"---\n\n{text}"})
        yield _chunk(asked, name, {}, _finish(end))
        for chunk in _usage_chunk(asked, name, _usage(result.spent)):
            yield chunk
        yield DONE
    finally:
        if end is None:
            _stop(host, name)


async def _with_first(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


async def _ended(host: Host, name: str, request: Request) -> Ended:
    """How the debate ended. It is stopped if the client goes away."""
    end = asyncio.create_task(_until_ended(host, name))
    gone = asyncio.create_task(_until_gone(request))
    await asyncio.wait([end, gone], return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not end.done():
        _stop(host, name)
    return await end


async def _until_ended(host: Host, name: str) -> Ended:
    async for news in host.follow(name):
        if isinstance(news, Ended):
            return news
    raise AssertionError("a debate that is followed ends")


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _stop(host: Host, name: str) -> None:
    """Stop the debate without waiting, since a cancelled task cannot wait."""

    async def cancel() -> None:
        with suppress(moot.MootError):  # it has ended meanwhile
            await host.cancel(name)

    task = asyncio.create_task(cancel())
    _stopping.add(task)
    task.add_done_callback(_stopping.discard)


async def _outcome(host: Host, name: str, link: str) -> tuple[str, moot.Result]:
    """The result of the debate, in words and as it is."""
    run = await host.found(name)
    result = await run_in_thread(lambda: moot.result_of(run))
    return await asyncio.to_thread(lambda: outcome_to_text(gather(run, result), link)), result


def _link(host: Host, request: Request, name: str) -> str:
    here = host.public_url or f"{request.url.scheme}://{request.headers['host']}"
    return f"{here}/runs/{name}"


def _why(end: Ended, link: str) -> str:
    return f"the debate ended early: {end.reason or end.status}. It is kept, and can be resumed: {link}"


def _finish(end: Ended) -> str:
    return "length" if end.status == "limit" else "stop"


def _completion(asked: ChatRequest, name: str, text: str, finish: str, usage: dict[str, Any] | None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    return {**_head(asked, name, "chat.completion"), "choices": [choice], "usage": usage}


def _chunk(asked: ChatRequest, name: str, delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return _data({**_head(asked, name, "chat.completion.chunk"), "choices": [choice]})


def _usage_chunk(asked: ChatRequest, name: str, usage: dict[str, Any] | None) -> list[bytes]:
    if asked.stream_options is None or not asked.stream_options.include_usage:
        return []
    return [_data({**_head(asked, name, "chat.completion.chunk"), "choices": [], "usage": usage})]


def _head(asked: ChatRequest, name: str, kind: str) -> dict[str, Any]:
    return {"id": name, "object": kind, "created": int(time.time()), "model": asked.model}


def _usage(spent: Spent | Usage | None) -> dict[str, Any] | None:
    """The tokens of a debate or of an answer; None if a model reported none."""
    if spent is None or spent.input is None or spent.output is None:
        return None
    return {
        "prompt_tokens": spent.input,
        "completion_tokens": spent.output,
        "total_tokens": spent.input + spent.output,
        "prompt_tokens_details": {"cached_tokens": spent.cached or 0},
        "completion_tokens_details": {"reasoning_tokens": spent.thinking or 0},
    }


def _data(document: dict[str, Any]) -> bytes:
    return b"data: %b\n\n" % json.dumps(document).encode()
