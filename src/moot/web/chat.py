"""Debates behind OpenAI's chat-completions API: the model is a protocol, the last message the question, the reply the
decision."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Annotated, Any, cast

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

import moot
from moot.hosting import Ended, Host, Quiet, Written
from moot.web.asking import config_of
from moot.web.chat_shapes import (
    ChatMessage,
    ChatRequest,
    Choice,
    Chunk,
    ChunkChoice,
    Completion,
    Delta,
    ModelAnswer,
    ModelsAnswer,
    Reply,
    TokenUsage,
)
from moot.web.errors import OpenAIError, OpenAIProblem, documented
from moot.web.following import BEAT, BEAT_EVERY, EVENT
from moot.web.pages.rendering import host_of
from moot.web.shapes import DebateRequest, ProtocolName
from moot.web.telling import entry_in_words, outcome_in_words

PREFIX = "moot/"
TAKES_CONTEXT = "arena"
router = APIRouter(prefix="/v1", tags=["chat completions"])
_stopping: set[asyncio.Task[None]] = set()
"""Debates that are being stopped: a task that nobody holds on to may vanish."""


@router.get("/models", responses=documented(model=OpenAIProblem))
def models() -> ModelsAnswer:
    """The protocols, as models."""
    return ModelsAnswer(data=[ModelAnswer(id=f"{PREFIX}{name}") for name in moot.PROTOCOLS])


@router.get("/models/{model:path}", responses=documented(400, 404, model=OpenAIProblem))
def model(model: Annotated[str, Path(min_length=1, max_length=100)]) -> ModelAnswer:
    """A protocol, as a model."""
    return ModelAnswer(id=f"{PREFIX}{_protocol(model)}")


@router.post(
    "/chat/completions",
    response_model=Completion,
    responses={
        200: {
            "model": Completion,
            "content": {"text/event-stream": {"schema": EVENT}},
            "description": "The decision; with `stream` the debate as it goes, and then the decision.",
        },
        **documented(404, 424, 503, body=True, model=OpenAIProblem),
    },
)
async def complete(asked: ChatRequest, request: Request) -> Response:
    """Debate the last message, and answer with the decision. Who goes away stops the debate; it is kept, and can be
    resumed."""
    host, protocol = host_of(request), _protocol(asked.model)
    config = config_of(_debate(protocol, asked))
    note = _left_out(protocol, asked.messages)
    name = await host.start(config)
    link = f"{request.url.scheme}://{request.headers['host']}/runs/{name}"
    if asked.stream:
        told = _told(host, name, asked, note, link)
        return StreamingResponse(_with_first(await anext(told), told), media_type="text/event-stream")
    ended = asyncio.create_task(_until_ended(host, name))
    gone = asyncio.create_task(_until_gone(request))
    await asyncio.wait([ended, gone], return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not ended.done():
        _stop(host, name)
    how = await ended
    result = await asyncio.to_thread(host.find(name).result) or {}
    if how.status in ("failed", "interrupted"):
        failed = OpenAIProblem(error=OpenAIError(message=_why(how, link), type="debate_failed"))
        return JSONResponse(failed.model_dump(), 424)
    text = f"{note}{outcome_in_words(result, link)}"
    return JSONResponse(
        Completion(
            id=name,
            created=int(time.time()),
            model=asked.model,
            choices=[Choice(message=Reply(content=text), finish_reason=_finish(how))],
            usage=_usage(result),
        ).model_dump()
    )


async def _told(host: Host, name: str, asked: ChatRequest, note: str, link: str) -> AsyncGenerator[bytes, None]:
    """The stream: what is said in public as it is written, then the decision."""
    same: dict[str, Any] = {"id": name, "created": int(time.time()), "model": asked.model}

    def chunk(delta: Delta, finish: str | None = None) -> bytes:
        return _data(Chunk(**same, choices=[ChunkChoice(delta=delta, finish_reason=finish)]))

    how = None
    try:
        yield chunk(Delta(role="assistant", content=note))
        async with aclosing(host.follow(name, beat=BEAT_EVERY)) as following:
            async for news in following:
                if isinstance(news, Quiet):
                    yield BEAT
                elif isinstance(news, Ended):
                    how = news
                elif isinstance(news, Written) and not news.again and (words := entry_in_words(news.entry)):
                    yield chunk(Delta(content=words))
        assert how is not None  # noqa: S101 (a debate that is followed ends)
        if how.status in ("failed", "interrupted"):
            yield _data(OpenAIProblem(error=OpenAIError(message=_why(how, link), type="debate_failed")))
            return
        result = await asyncio.to_thread(host.find(name).result) or {}
        yield chunk(Delta(content=f"---\n\n{outcome_in_words(result, link)}"))
        yield chunk(Delta(), _finish(how))
        if asked.stream_options and asked.stream_options.include_usage:
            yield _data(Chunk(**same, choices=[], usage=_usage(result)))
        yield b"data: [DONE]\n\n"
    finally:
        if how is None:
            _stop(host, name)


async def _with_first(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The stream with its first piece asked for already: one that has begun also ends when nobody reads it."""
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


def _stop(host: Host, name: str) -> None:
    """Stop the debate, without waiting: whoever is being cancelled cannot wait for anything."""

    async def stop() -> None:
        with suppress(moot.MootError):  # it has ended meanwhile
            await host.cancel(name)

    task = asyncio.create_task(stop())
    _stopping.add(task)
    task.add_done_callback(_stopping.discard)


async def _until_ended(host: Host, name: str) -> Ended:
    async for news in host.follow(name):
        if isinstance(news, Ended):
            return news
    raise AssertionError("a debate that is followed ends")


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _protocol(model: str) -> ProtocolName:
    name = model.removeprefix(PREFIX)
    if name not in moot.PROTOCOLS or not model.startswith(PREFIX):
        known = ", ".join(f"{PREFIX}{one}" for one in moot.PROTOCOLS)
        raise HTTPException(404, f"there is no model {model[:60]!r}; there are {known}")
    return cast(ProtocolName, name)


def _debate(protocol: ProtocolName, asked: ChatRequest) -> DebateRequest:
    """The debate that a conversation asks for."""
    *before, last = asked.messages
    if last.role != "user" or not last.text.strip():
        raise moot.ConfigError("the last message must be the user's, and say what is to be debated")
    given = asked.moot.model_dump(exclude_unset=True) if asked.moot else {}
    if before and protocol == TAKES_CONTEXT:
        said = "\n\n".join(f"{one.role}: {one.text}" for one in before if one.text.strip())
        context = [{"title": "The conversation so far", "text": said, "kind": "conversation"}] if said else []
        settings = given.get("settings", {})
        own = settings.get("context")
        given["settings"] = {**settings, "context": own if own is not None else context}
    return DebateRequest(protocol=protocol, topic=last.text, **given)


def _left_out(protocol: ProtocolName, messages: list[ChatMessage]) -> str:
    """What of the conversation the debate has not heard, in words."""
    if len(messages) == 1 or protocol == TAKES_CONTEXT:
        return ""
    return "(The debate was about the last message alone; nobody in it was shown what came before.)\n\n"


def _why(how: Ended, link: str) -> str:
    return f"the debate ended early: {how.reason or how.status}. It is kept, and can be resumed: {link}"


def _finish(how: Ended) -> str:
    return "length" if how.status == "limit" else "stop"


def _usage(result: dict[str, Any]) -> TokenUsage | None:
    """The sum over the debate; None where a model did not say what it took."""
    spent = result.get("spent") or {}
    read, written = spent.get("input"), spent.get("output")
    if read is None or written is None:
        return None
    return TokenUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


def _data(document: Chunk | OpenAIProblem) -> bytes:
    return b"data: %b\n\n" % document.model_dump_json().encode()
