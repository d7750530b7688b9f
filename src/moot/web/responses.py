"""Debates behind OpenAI's Responses API: the model is a protocol, the input the question, the output the decision."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

import moot
from moot.engine.outcome.questions import Answer
from moot.engine.outcome.result import Spent
from moot.models.base import Usage
from moot.runs.follow_up import outcome_document
from moot.service.host import Ended, Host, Quiet
from moot.web.conversation import (
    FAILED,
    answered_about,
    came_to,
    debate_asked_about,
    debate_of,
    decided,
    ended,
    failed,
    growing,
    link_of,
    why,
    with_first,
)
from moot.web.following import BEAT
from moot.web.pages.rendering import host_of
from moot.web.plain_text import answer_to_text
from moot.web.responses_shapes import (
    Incomplete,
    InputDetails,
    OutputDetails,
    OutputMessage,
    OutputText,
    ResponseAnswer,
    ResponseFailure,
    ResponseRequest,
    ResponseUsage,
)

router = APIRouter(prefix="/v1", tags=["responses"])


@router.post(
    "/responses",
    response_model=ResponseAnswer,
    responses=decided(ResponseAnswer),
)
async def respond(asked: ResponseRequest, request: Request) -> Response:
    """Debate the last message of the input, and answer with the decision. Instructions and earlier messages are a
    document that everybody is given. Closing the connection stops the debate; it is kept, and can be resumed. A message
    after a decision of the same protocol is answered from the record of that debate."""
    host = host_of(request)
    before = asked.previous_response_id
    if (about := await debate_asked_about(host, asked.model, asked.messages, before)) is not None:
        reply = await answered_about(host, about, asked.messages, asked.moot)
        return _follow_up(asked, about, reply, link_of(request, about))
    earlier = await asyncio.to_thread(lambda: outcome_document(host.find(before))) if before else None
    name = await host.start(debate_of(asked.model, asked.messages, asked.moot, earlier))
    answer = _begun(asked, name)
    link = link_of(request, name)
    if asked.stream:
        told = _told(host, answer, link)
        return StreamingResponse(with_first(await anext(told), told), media_type="text/event-stream")
    how = await ended(host, name, request)
    if how.status in FAILED:
        return JSONResponse(failed(how, link).model_dump(), 424)
    words, result = await came_to(host, name, link)
    message = OutputMessage(id=f"msg_{name}_1", phase="final_answer", content=[OutputText(text=words)])
    return JSONResponse(_finished(answer, how, [message], result).model_dump(mode="json"))


def _begun(asked: ResponseRequest, name: str) -> ResponseAnswer:
    return ResponseAnswer(
        id=name,
        created_at=int(time.time()),
        status="in_progress",
        model=asked.model,
        instructions=asked.instructions,
        metadata=asked.metadata or {},
        previous_response_id=asked.previous_response_id,
    )


def _follow_up(asked: ResponseRequest, name: str, reply: Answer, link: str) -> Response:
    """An answer about a debate, whole or as a stream. Its id is the debate's, so that further messages find it."""
    events = _Events(_begun(asked, name))
    told = [events.about("response.created", events.answer), events.about("response.in_progress", events.answer)]
    told += [*events.begin("final_answer"), events.more(answer_to_text(reply, link)), *events.end()]
    done = {"status": "completed", "output": events.output, "usage": _usage(reply.usage)}
    answer = events.answer.model_copy(update=done)
    if not asked.stream:
        return JSONResponse(answer.model_dump(mode="json"))
    return Response(b"".join([*told, events.about("response.completed", answer)]), media_type="text/event-stream")


@dataclass(slots=True)
class _Events:
    """Numbers the events of a stream, and collects the messages that it makes."""

    answer: ResponseAnswer
    number: int = 0
    output: list[OutputMessage] = field(default_factory=list)
    text: str = ""

    def event(self, kind: str, **content: Any) -> bytes:
        document = {"type": kind, "sequence_number": self.number, **content}
        self.number += 1
        return f"event: {kind}\ndata: {json.dumps(document)}\n\n".encode()

    def about(self, kind: str, answer: ResponseAnswer) -> bytes:
        """An event with the whole response."""
        return self.event(kind, response=answer.model_dump(mode="json"))

    def begin(self, phase: Literal["commentary", "final_answer"]) -> Iterator[bytes]:
        place = len(self.output)
        message = OutputMessage(id=f"msg_{self.answer.id}_{place}", status="in_progress", phase=phase, content=[])
        self.output.append(message)
        self.text = ""
        yield self.event("response.output_item.added", output_index=place, item=message.model_dump())
        yield self.event("response.content_part.added", **self._place, part=OutputText(text="").model_dump())

    def more(self, text: str) -> bytes:
        self.text += text
        return self.event("response.output_text.delta", **self._place, delta=text, logprobs=[])

    def end(self) -> Iterator[bytes]:
        part = OutputText(text=self.text)
        whole = self.output[-1].model_copy(update={"status": "completed", "content": [part]})
        self.output[-1] = whole
        yield self.event("response.output_text.done", **self._place, text=self.text, logprobs=[])
        yield self.event("response.content_part.done", **self._place, part=part.model_dump())
        yield self.event("response.output_item.done", output_index=len(self.output) - 1, item=whole.model_dump())

    @property
    def _place(self) -> dict[str, Any]:
        return {"item_id": self.output[-1].id, "output_index": len(self.output) - 1, "content_index": 0}


async def _told(host: Host, answer: ResponseAnswer, link: str) -> AsyncGenerator[bytes, None]:
    """The stream: public statements as they are written in one message, then the decision in another."""
    events = _Events(answer)
    async with aclosing(growing(host, answer.id)) as debate:
        async for piece in debate:
            if isinstance(piece, Quiet):
                yield BEAT
            elif isinstance(piece, Ended):
                async for event in _ending(host, events, piece, link):
                    yield event
            elif piece:
                yield events.more(piece)
            else:
                yield events.about("response.created", answer)
                yield events.about("response.in_progress", answer)
                for event in events.begin("commentary"):
                    yield event


async def _ending(host: Host, events: _Events, how: Ended, link: str) -> AsyncGenerator[bytes, None]:
    for event in events.end():
        yield event
    if how.status in FAILED:
        failure = {"status": "failed", "error": ResponseFailure(message=why(how, link)), "output": events.output}
        yield events.about("response.failed", events.answer.model_copy(update=failure))
        return
    words, result = await came_to(host, events.answer.id, link)
    for event in events.begin("final_answer"):
        yield event
    yield events.more(words)
    for event in events.end():
        yield event
    finished = _finished(events.answer, how, events.output, result)
    yield events.about(f"response.{finished.status}", finished)


def _finished(answer: ResponseAnswer, how: Ended, output: list[OutputMessage], result: moot.Result) -> ResponseAnswer:
    early = how.status == "limit"
    return answer.model_copy(
        update={
            "status": "incomplete" if early else "completed",
            "incomplete_details": Incomplete() if early else None,
            "output": output,
            "usage": _usage(result.spent),
        }
    )


def _usage(spent: Spent | Usage | None) -> ResponseUsage | None:
    if spent is None or spent.input is None or spent.output is None:
        return None
    return ResponseUsage(
        input_tokens=spent.input,
        input_tokens_details=InputDetails(cached_tokens=spent.cached or 0),
        output_tokens=spent.output,
        output_tokens_details=OutputDetails(reasoning_tokens=spent.thinking or 0),
        total_tokens=spent.input + spent.output,
    )
