"""Debates behind OpenAI's chat-completions API: the model is a protocol, the last message the question, the reply the
decision."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from moot.engine.define.registry import protocol_names
from moot.engine.outcome.questions import Answer
from moot.engine.outcome.result import Spent
from moot.models.base import Usage
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
    answered_about,
    came_to,
    debate_asked_about,
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
from moot.web.plain_text import answer_to_text

router = APIRouter(prefix="/v1", tags=["chat completions"])
DONE = b"data: [DONE]\n\n"


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
    Closing the connection stops the debate; it is kept, and can be resumed. A message after a decision is answered from
    the record of that debate."""
    host = host_of(request)
    if (about := await debate_asked_about(host, asked.model, asked.messages, None)) is not None:
        answer = await answered_about(host, about, asked.messages, asked.moot)
        return _follow_up(asked, about, answer, link_of(request, about))
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
            usage=_usage(result.spent),
        ).model_dump()
    )


def _follow_up(asked: ChatRequest, name: str, answer: Answer, link: str) -> Response:
    """An answer about a debate, whole or as a stream."""
    same: dict[str, Any] = {"id": name, "created": int(time.time()), "model": asked.model}
    words, usage = answer_to_text(answer, link), _usage(answer.usage)
    if not asked.stream:
        choice = Choice(message=Reply(content=words), finish_reason="stop")
        return JSONResponse(Completion(**same, choices=[choice], usage=usage).model_dump())
    chunks = [
        Chunk(**same, choices=[ChunkChoice(delta=Delta(role="assistant", content=words))]),
        Chunk(**same, choices=[ChunkChoice(delta=Delta(), finish_reason="stop")]),
    ]
    if asked.stream_options and asked.stream_options.include_usage:
        chunks.append(Chunk(**same, choices=[], usage=usage))
    return Response(b"".join([*map(_data, chunks), DONE]), media_type="text/event-stream")


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
                    yield _data(Chunk(**same, choices=[], usage=_usage(result.spent)))
                yield DONE


def _finish(how: Ended) -> str:
    return "length" if how.status == "limit" else "stop"


def _usage(spent: Spent | Usage | None) -> TokenUsage | None:
    """The tokens of a debate or of an answer; None if a model reported none."""
    if spent is None or spent.input is None or spent.output is None:
        return None
    return TokenUsage(
        prompt_tokens=spent.input,
        completion_tokens=spent.output,
        total_tokens=spent.input + spent.output,
        prompt_tokens_details=PromptDetails(cached_tokens=spent.cached or 0),
        completion_tokens_details=CompletionDetails(reasoning_tokens=spent.thinking or 0),
    )


def _data(document: Chunk | OpenAIProblem) -> bytes:
    return b"data: %b\n\n" % document.model_dump_json().encode()
