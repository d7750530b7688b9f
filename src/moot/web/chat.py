"""Debates behind OpenAI's chat-completions API: the model is a protocol, the last message the question, the reply the
decision."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

import moot
from moot.engine.material import gather
from moot.engine.protocol import Protocol
from moot.engine.registry import find_offered, protocol_names
from moot.service.host import Ended, Host, Quiet, Written
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
from moot.web.plain_text import outcome_to_text, teller
from moot.web.requests import config_of
from moot.web.shapes import DebateRequest
from moot.web.threads import aside

PREFIX = "moot/"
CONTEXT = "context"
"""The key of a config that takes what was said before."""
router = APIRouter(prefix="/v1", tags=["chat completions"])
_stopping: set[asyncio.Task[None]] = set()
"""Debates that are being stopped: a task that nobody holds on to may vanish."""


@router.get("/models", responses=documented(model=OpenAIProblem))
def models() -> ModelsAnswer:
    """The protocols, as models."""
    return ModelsAnswer(data=[ModelAnswer(id=f"{PREFIX}{name}") for name in protocol_names()])


@router.get("/models/{model:path}", responses=documented(400, 404, model=OpenAIProblem))
def model(model: Annotated[str, Path(min_length=1, max_length=100)]) -> ModelAnswer:
    """A protocol, as a model."""
    return ModelAnswer(id=f"{PREFIX}{_protocol(model).name}")


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
    """Debate the last message, and answer with the decision. Closing the connection stops the debate; it is kept, and
    can be resumed."""
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
    if how.status in ("failed", "interrupted"):
        failed = OpenAIProblem(error=OpenAIError(message=_why(how, link), type="debate_failed"))
        return JSONResponse(failed.model_dump(), 424)
    words, usage = await _came_to(await host.found(name), link)
    text = f"{note}{words}"
    return JSONResponse(
        Completion(
            id=name,
            created=int(time.time()),
            model=asked.model,
            choices=[Choice(message=Reply(content=text), finish_reason=_finish(how))],
            usage=usage,
        ).model_dump()
    )


async def _told(host: Host, name: str, asked: ChatRequest, note: str, link: str) -> AsyncGenerator[bytes, None]:
    """The stream: public statements as they are written, then the decision."""
    same: dict[str, Any] = {"id": name, "created": int(time.time()), "model": asked.model}

    def chunk(delta: Delta, finish: str | None = None) -> bytes:
        return _data(Chunk(**same, choices=[ChunkChoice(delta=delta, finish_reason=finish)]))

    how, entry_to_text = None, teller((await host.found(name)).config.protocol)
    try:
        yield chunk(Delta(role="assistant", content=note))
        async with aclosing(host.follow(name, beat=BEAT_EVERY)) as following:
            async for news in following:
                if isinstance(news, Quiet):
                    yield BEAT
                elif isinstance(news, Ended):
                    how = news
                elif isinstance(news, Written) and not news.again and (said := entry_to_text(news.entry)):
                    yield chunk(Delta(content=said))
        assert how is not None  # noqa: S101 (a debate that is followed ends)
        if how.status in ("failed", "interrupted"):
            yield _data(OpenAIProblem(error=OpenAIError(message=_why(how, link), type="debate_failed")))
            return
        words, usage = await _came_to(await host.found(name), link)
        yield chunk(Delta(content=f"---\n\n{words}"))
        yield chunk(Delta(), _finish(how))
        if asked.stream_options and asked.stream_options.include_usage:
            yield _data(Chunk(**same, choices=[], usage=usage))
        yield b"data: [DONE]\n\n"
    finally:
        if how is None:
            _stop(host, name)


async def _with_first(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The stream, already started: only a started stream is closed when nobody reads it."""
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


def _stop(host: Host, name: str) -> None:
    """Stop the debate without waiting, since a cancelled task cannot wait."""

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


def _protocol(model: str) -> Protocol:
    if model.startswith(PREFIX):
        with suppress(moot.ConfigError):
            return find_offered(model.removeprefix(PREFIX)).protocol
    known = ", ".join(f"{PREFIX}{one}" for one in protocol_names())
    raise HTTPException(404, f"there is no model {model[:60]!r}; there are {known}")


def _debate(protocol: Protocol, asked: ChatRequest) -> DebateRequest:
    """The debate for a conversation."""
    *before, last = asked.messages
    if last.role != "user" or not last.text.strip():
        raise moot.ConfigError("the last message must be the user's, and say what is to be debated")
    given = asked.moot.model_dump(exclude_unset=True) if asked.moot else {}
    if before and _takes_context(protocol):
        said = "\n\n".join(f"{one.role}: {one.text}" for one in before if one.text.strip())
        settings = given.get("settings", {})
        if settings.get(CONTEXT) is None and said:
            settings = {**settings, CONTEXT: _context(protocol, said)}
        given["settings"] = settings
    return DebateRequest(protocol=protocol.name, topic=last.text, **given)


def _takes_context(protocol: Protocol) -> bool:
    return CONTEXT in protocol.config.model_fields


def _context(protocol: Protocol, said: str) -> Any:
    """The earlier messages in the form of the config: a text, or a list of texts with titles."""
    annotation = protocol.config.model_fields[CONTEXT].annotation
    if annotation is str or str in get_args(annotation):
        return said
    return [{"title": "The conversation so far", "text": said, "kind": "conversation"}]


def _left_out(protocol: Protocol, messages: list[ChatMessage]) -> str:
    """A sentence about the messages that the debate did not use."""
    if len(messages) == 1 or _takes_context(protocol):
        return ""
    return "(The debate was about the last message alone; nobody in it was shown what came before.)\n\n"


def _why(how: Ended, link: str) -> str:
    return f"the debate ended early: {how.reason or how.status}. It is kept, and can be resumed: {link}"


def _finish(how: Ended) -> str:
    return "length" if how.status == "limit" else "stop"


async def _came_to(run: moot.Run, link: str) -> tuple[str, TokenUsage | None]:
    """The result of the debate in words, and its usage."""
    result = await aside(lambda: moot.result_of(run))
    words = await asyncio.to_thread(lambda: outcome_to_text(gather(run, result), link))
    return words, _usage(result)


def _usage(result: moot.Result) -> TokenUsage | None:
    """The sum over the debate; None if a model reported no usage."""
    read, written = result.spent.input, result.spent.output
    if read is None or written is None:
        return None
    return TokenUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


def _data(document: Chunk | OpenAIProblem) -> bytes:
    return b"data: %b\n\n" % document.model_dump_json().encode()
