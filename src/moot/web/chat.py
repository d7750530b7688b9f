"""Debates behind OpenAI's chat-completions API: the model is a protocol, the last message the question, the reply the
decision."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

import moot
from moot.engine.registry import protocol_names
from moot.service.host import Ended, Host, Quiet
from moot.web.chat_shapes import (
    ChatRequest,
    Choice,
    Chunk,
    ChunkChoice,
    Completion,
    CompletionDetails,
    Delta,
    ModelAnswer,
    ModelsAnswer,
    PromptDetails,
    Reply,
    TokenUsage,
)
from moot.web.conversation import (
    FAILED,
    PREFIX,
    came_to,
    debate_of,
    decided,
    ended,
    failed,
    growing,
    link_of,
    protocol_of,
    with_first,
)
from moot.web.errors import OpenAIProblem, documented
from moot.web.following import BEAT
from moot.web.pages.rendering import host_of

router = APIRouter(prefix="/v1", tags=["chat completions"])


@router.get("/models", responses=documented(model=OpenAIProblem))
def models() -> ModelsAnswer:
    """The protocols, as models."""
    return ModelsAnswer(data=[ModelAnswer(id=f"{PREFIX}{name}") for name in protocol_names()])


@router.get("/models/{model:path}", responses=documented(400, 404, model=OpenAIProblem))
def model(model: Annotated[str, Path(min_length=1, max_length=100)]) -> ModelAnswer:
    """A protocol, as a model."""
    return ModelAnswer(id=f"{PREFIX}{protocol_of(model).name}")


@router.post(
    "/chat/completions",
    response_model=Completion,
    responses=decided(Completion),
)
async def complete(asked: ChatRequest, request: Request) -> Response:
    """Debate the last message, and answer with the decision. Earlier messages are a document that everybody is given.
    Closing the connection stops the debate; it is kept, and can be resumed."""
    host = host_of(request)
    name = await host.start(debate_of(asked.model, asked.messages, asked.moot))
    link = link_of(request, name)
    if asked.stream:
        told = _told(host, name, asked, link)
        return StreamingResponse(with_first(await anext(told), told), media_type="text/event-stream")
    how = await ended(host, name, request)
    if how.status in FAILED:
        return JSONResponse(failed(how, link).model_dump(), 424)
    words, result = await came_to(host, name, link)
    return JSONResponse(
        Completion(
            id=name,
            created=int(time.time()),
            model=asked.model,
            choices=[Choice(message=Reply(content=words), finish_reason=_finish(how))],
            usage=_usage(result),
        ).model_dump()
    )


async def _told(host: Host, name: str, asked: ChatRequest, link: str) -> AsyncGenerator[bytes, None]:
    """The stream: public statements as they are written, then the decision."""
    same: dict[str, Any] = {"id": name, "created": int(time.time()), "model": asked.model}

    def chunk(delta: Delta, finish: str | None = None) -> bytes:
        return _data(Chunk(**same, choices=[ChunkChoice(delta=delta, finish_reason=finish)]))

    async with aclosing(growing(host, name)) as debate:
        async for piece in debate:
            if isinstance(piece, Quiet):
                yield BEAT
            elif isinstance(piece, str):
                yield chunk(Delta(content=piece) if piece else Delta(role="assistant", content=""))
            elif piece.status in FAILED:
                yield _data(failed(piece, link))
            else:
                words, result = await came_to(host, name, link)
                yield chunk(Delta(content=f"---\n\n{words}"))
                yield chunk(Delta(), _finish(piece))
                if asked.stream_options and asked.stream_options.include_usage:
                    yield _data(Chunk(**same, choices=[], usage=_usage(result)))
                yield b"data: [DONE]\n\n"


def _finish(how: Ended) -> str:
    return "length" if how.status == "limit" else "stop"


def _usage(result: moot.Result) -> TokenUsage | None:
    """The sum over the debate; None if a model reported no usage."""
    spent = result.spent
    if spent.input is None or spent.output is None:
        return None
    return TokenUsage(
        prompt_tokens=spent.input,
        completion_tokens=spent.output,
        total_tokens=spent.input + spent.output,
        prompt_tokens_details=PromptDetails(cached_tokens=spent.cached or 0),
        completion_tokens_details=CompletionDetails(reasoning_tokens=spent.thinking),
    )


def _data(document: Chunk | OpenAIProblem) -> bytes:
    return b"data: %b\n\n" % document.model_dump_json().encode()
