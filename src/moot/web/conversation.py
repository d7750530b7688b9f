"""From a conversation in the form of OpenAI's APIs to a debate, and from the debate to pieces of text."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any, Protocol

from fastapi import Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException

import moot
from moot.engine.define.protocol import Protocol as Debating
from moot.engine.define.registry import find_offered, protocol_names
from moot.engine.outcome.material import gather
from moot.engine.outcome.questions import Answer
from moot.engine.staging.statements import statements
from moot.service.afterwards import ask_about
from moot.service.guests import LIMITS
from moot.service.host import Ended, Host, Quiet, how_it_ended
from moot.web.errors import OpenAIError, OpenAIProblem, documented
from moot.web.following import BEAT_EVERY, EVENT
from moot.web.plain_text import debate_linked_in, outcome_to_text
from moot.web.requests import config_of
from moot.web.shapes import CastRequest, DebateRequest, listed
from moot.web.telling import Telling
from moot.web.threads import aside

PREFIX = "moot/"
BEFORE = "The conversation before this question"
FAILED = ("failed", "interrupted")
_stopping: set[asyncio.Task[None]] = set()
"""Debates that are being stopped: a task that nobody holds on to may vanish."""


class Said(Protocol):
    """A message of a conversation."""

    @property
    def role(self) -> str: ...

    @property
    def text(self) -> str: ...


def protocol_of(model: str) -> Debating:
    """The protocol of a model's name."""
    if model.startswith(PREFIX):
        with suppress(moot.ConfigError):
            return find_offered(model.removeprefix(PREFIX)).protocol
    known = ", ".join(f"{PREFIX}{one}" for one in protocol_names())
    raise HTTPException(404, f"there is no model {model[:60]!r}; there are {known}")


def debate_of(
    model: str, messages: Sequence[Said], cast: CastRequest | None, earlier: Mapping[str, Any] | None = None
) -> moot.RunConfig:
    """The debate about the last message. Everybody in it gets the earlier messages as a document, and the outcome of an
    `earlier` debate."""
    protocol = protocol_of(model)
    before, last = messages[:-1], _last(messages)
    given: dict[str, Any] = cast.model_dump(exclude_unset=True) if cast else {}
    said = "\n\n".join(f"{one.role}: {one.text}" for one in before if one.text.strip())
    settings = dict(given.pop("settings", {}))
    own = [earlier] if earlier else []
    own += [{"title": BEFORE, "text": said}] if said else []
    if own and isinstance(documents := settings.get("documents", []), list):
        settings["documents"] = [*own, *documents]
    return config_of(DebateRequest(protocol=protocol.name, topic=last.text, settings=settings, **given))


async def debate_asked_about(host: Host, model: str, messages: Sequence[Said], before: str | None) -> str | None:
    """The finished debate of this protocol that the last message follows: the one `before`, or the one that the last
    reply in the conversation links to. None if there is none, and the message is to be debated."""
    protocol, said = protocol_of(model), [one.text for one in messages if one.role == "assistant"]
    name = before or (debate_linked_in(said[-1]) if said else None)
    if name is None or not await asyncio.to_thread(host.has, name):
        return None
    run = await host.found(name)
    if run.config.protocol.name != protocol.name or await asyncio.to_thread(host.running, run):
        return None
    return name if (await asyncio.to_thread(how_it_ended, run)).status == "done" else None


async def answered_about(host: Host, name: str, messages: Sequence[Said], cast: CastRequest | None) -> Answer:
    """The answer to the last message, from the record of that debate."""
    limits = {key: getattr(cast, key) for key in LIMITS} if cast else {}
    return await ask_about(host, name, _last(messages).text, listed(cast.model if cast else None), **limits)


def _last(messages: Sequence[Said]) -> Said:
    last = messages[-1]
    if last.role != "user" or not last.text.strip():
        raise moot.ConfigError("the last message must be the user's, and say what is to be debated")
    return last


async def growing(host: Host, name: str) -> AsyncGenerator[str | Quiet | Ended, None]:
    """The debate as a text that grows, then how it ended. Who stops listening before stops the debate. The first piece
    is empty and comes at once: only a generator that has begun does something when it is closed."""
    how = None
    try:
        yield ""
        config = (await host.found(name)).config
        try:
            expected = await aside(lambda: statements(config))
        except moot.MootError:
            expected = {}  # each statement is told when it is complete
        telling = Telling(config.protocol, expected)
        async with aclosing(host.follow(name, beat=BEAT_EVERY)) as following:
            async for news in following:
                if isinstance(news, Quiet):
                    yield news
                elif isinstance(news, Ended):
                    if text := telling.end():
                        yield text
                    how = news
                elif text := telling.hear(news):
                    yield text
        assert how is not None  # noqa: S101 (a debate that is followed ends)
        yield how
    finally:
        if how is None:
            stop(host, name)


async def with_first(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The stream, already started: only a started stream is closed when nobody reads it."""
    async with aclosing(rest):
        yield first
        async for piece in rest:
            yield piece


async def ended(host: Host, name: str, request: Request) -> Ended:
    """How the debate ended. It is stopped if the client goes away."""
    end = asyncio.create_task(_until_ended(host, name))
    gone = asyncio.create_task(_until_gone(request))
    await asyncio.wait([end, gone], return_when=asyncio.FIRST_COMPLETED)
    gone.cancel()
    if not end.done():
        stop(host, name)
    return await end


def stop(host: Host, name: str) -> None:
    """Stop the debate without waiting, since a cancelled task cannot wait."""

    async def cancel() -> None:
        with suppress(moot.MootError):  # it has ended meanwhile
            await host.cancel(name)

    task = asyncio.create_task(cancel())
    _stopping.add(task)
    task.add_done_callback(_stopping.discard)


async def came_to(host: Host, name: str, link: str) -> tuple[str, moot.Result]:
    """The result of the debate, and in words."""
    run = await host.found(name)
    result = await aside(lambda: moot.result_of(run))
    return await asyncio.to_thread(lambda: outcome_to_text(gather(run, result), link)), result


def link_of(request: Request, name: str) -> str:
    return f"{request.url.scheme}://{request.headers['host']}/runs/{name}"


def decided(model: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """The responses of a route that answers with a decision, for its OpenAPI document."""
    told = "The decision; with `stream` the debate as it is written, and then the decision."
    streamed = {"text/event-stream": {"schema": EVENT}}
    errors = documented(404, 424, 503, body=True, model=OpenAIProblem)
    return {200: {"model": model, "content": streamed, "description": told}, **errors}


def failed(how: Ended, link: str) -> OpenAIProblem:
    """The answer in place of the decision of a debate that failed."""
    return OpenAIProblem(error=OpenAIError(message=why(how, link), type="debate_failed"))


def why(how: Ended, link: str) -> str:
    return f"the debate ended early: {how.reason or how.status}. It is kept, and can be resumed: {link}"


async def _until_ended(host: Host, name: str) -> Ended:
    async for news in host.follow(name):
        if isinstance(news, Ended):
            return news
    raise AssertionError("a debate that is followed ends")


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
